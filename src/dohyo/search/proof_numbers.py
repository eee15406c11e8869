"""Depth-first proof-number search, in the rules' common language: does a seat win, whatever the other one does?

Theory of operation
-------------------
One search asks one question: does `seat` win? A position has two numbers: how many positions have to be looked at, at
least, to show that it does (`proof`), and that it does not (`disproof`). A result has the one at 0 and the other at
`NEVER`. Where the seat moves, one action has to be proven, so the least proof number counts, and the sum of the
disproof numbers; where the other one moves it is the other way round. So the search goes where a question is nearly
settled, however deep that is, with no value of positions and no order of actions from anybody. A position that was
not looked at yet has 1, and as many as it has actions.

It follows the best action down until its numbers pass what the second best one has (and a quarter more: otherwise it
would go back and forth), and keeps what it found in a table, under the state's key (`keys.py`). Both halves of the
key are compared. Nothing in it depends on the way to a position, because a state holds all that counts.

Nothing rests on a horizon. What cannot be looked at, because it is too deep, or repeats a position on the way to it,
has the numbers `STUCK`: it is neither proven nor disproven, and so is all that rests on it. Therefore a win is a
finite tree to the end of the match, and so is what shows that there is none.

The common language has no recursion: positions from the root to the one in hand are rows of the stack, and `go_on`
takes one step at a time. It can stop after any step, and go on later.

Source: Nagai, Df-pn algorithm for searching AND/OR trees and its applications (PhD thesis, Tokyo 2002); Pawlewicz and
Lew, Improving depth-first PN-search: 1 + epsilon trick (Computers and Games 2006).
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import Layout, flat

acts: Any = None
legal: Any = None
count_legal: Any = None
step: Any = None
over: Any = None
places: Any = None
put: Any = None
key: Any = None  # (s, record): the state's key into the fields `a` and `b`

SEATS = 2
PLIES = 400  # below the root, at most
ROOM = 1 << 16  # actions of all positions on the way together
BEGIN, GO_ON, GLANCE = 0, 1, 2  # what `work` does
NEVER = (1 << 31) - 1
STUCK = 1 << 30
MANY = (1 << 32) - 1
MOST_PLIES = (1 << 14) - 1  # that are noted
WORDS = 4  # of an entry: the two halves of a key, the two numbers, and what the search has spent on it


def table_layout(entries: int) -> Layout:
    """The fields of a table with room for so many positions, a power of two."""
    return Layout("Table", ("generation", "i8", 0), ("mask", "i8", 0), ("entry", "i8", entries * WORDS))


def stack_layout(actions: int) -> Layout:
    """The fields of a stack: all that the search knows beside the table, so that it can be interrupted."""
    room = ROOM + actions
    return Layout(
        "ProofStack",
        ("seat", "i8", 0),  # of which it is asked whether it wins
        ("done", "i8", 0),  # 1: the root is settled, or cannot be
        ("nodes", "i8", 0),  # positions that were looked at
        # by ply; the root is at 1
        ("ply", "i8", 0),
        ("mover", "i8", PLIES + 2),
        ("first", "i8", PLIES + 2),  # where its actions begin
        ("count", "i8", PLIES + 2),
        ("at", "i8", PLIES + 2),  # the action that is followed
        ("proof_limit", "i8", PLIES + 2),
        ("disproof_limit", "i8", PLIES + 2),
        ("key_a", "i8", PLIES + 2),
        ("key_b", "i8", PLIES + 2),
        ("start", "i8", PLIES + 2),  # `nodes`, when it was begun
        # by action of a position on the way
        ("option", "i8", room),
        ("proof", "i8", room),
        ("disproof", "i8", room),
        ("plies", "i8", room),  # to the end, at most, if it is settled
        ("after_a", "i8", room),
        ("after_b", "i8", room),
        # for a moment
        ("a", "i8", 0),
        ("b", "i8", 0),
        ("found", "i8", 3),  # a position's numbers, and plies
        ("listed", "i8", actions),
        ("notes", "i8", actions),  # of `count_legal`
        ("actions", "i8", SEATS),
        ("ranks", "i8", SEATS),
    )


@flat
def work(task: int, worlds: Any, states: Any, stack: Any, table: Any, most: int) -> int:
    """All that is called from outside: one function, so that what they share is compiled once."""
    if task == BEGIN:
        begin(worlds, states, stack, table)
        return 0
    if task == GLANCE:
        return glance(worlds, states, stack, table)
    return go_on(states, stack, table, most)


@flat
def begin(worlds: Any, states: Any, stack: Any, table: Any) -> None:
    """Take up a position, the question being whether `stack.seat` wins."""
    put(states, 1, worlds, 0)
    key(states[1], stack)
    stack.nodes = 0
    stack.done = 0
    enter(states, 1, STUCK, STUCK, stack, table)


@flat
def go_on(states: Any, stack: Any, table: Any, most: int) -> int:
    """Search until `most` positions were looked at since the beginning, or a few more; 1 when nothing is left."""
    while stack.done == 0 and stack.nodes < most:
        walk(states, stack, table)
    return stack.done  # type: ignore[no-any-return]


@flat
def glance(worlds: Any, states: Any, stack: Any, table: Any) -> int:
    """Fill the first places with what the table says of each action of a position; how many there are."""
    stack.nodes = 0
    stack.done = 1
    put(states, 1, worlds, 0)
    key(states[1], stack)
    list_actions(states, 1, 0, stack, table, 1)
    return stack.count[1]  # type: ignore[no-any-return]


# --- a position ----------------------------------------------------------------------------------------------------


@flat
def enter(states: Any, ply: int, proof_limit: int, disproof_limit: int, stack: Any, table: Any) -> None:
    """Take up the position at a ply, whose key was just made, until a number of it reaches its limit."""
    first = 0
    if ply > 1:
        first = stack.first[ply - 1] + stack.count[ply - 1]
    stack.proof_limit[ply] = proof_limit
    stack.disproof_limit[ply] = disproof_limit
    stack.start[ply] = stack.nodes
    stack.ply = ply
    list_actions(states, ply, first, stack, table, 0)


@flat
def list_actions(states: Any, ply: int, first: int, stack: Any, table: Any, all_of_them: int) -> None:
    """Note the actions of a position and what is known of each; up to one that settles it, unless all are wanted."""
    mover = 0 if acts(states[ply], 0) else 1
    stack.key_a[ply] = stack.a
    stack.key_b[ply] = stack.b
    stack.mover[ply] = mover
    stack.first[ply] = first
    stack.count[ply] = 0
    count = legal(states[ply], mover, stack.listed)
    for i in range(count):
        put(states, ply + 1, states, ply)
        stack.actions[mover] = stack.listed[i]
        step(states[ply + 1], stack.actions, None)
        stack.nodes += 1
        know(states[ply + 1], ply, stack, table)
        at = first + i
        stack.option[at] = stack.listed[i]
        stack.proof[at] = stack.found[0]
        stack.disproof[at] = stack.found[1]
        stack.plies[at] = stack.found[2]
        stack.after_a[at] = stack.a
        stack.after_b[at] = stack.b
        stack.count[ply] = i + 1
        if all_of_them == 0 and stack.found[0 if mover == stack.seat else 1] == 0:
            break


@flat
def know(s: Any, ply: int, stack: Any, table: Any) -> None:
    """Fill `found` with what is known of the state after an action of the position at a ply."""
    if over(s):
        stack.a = 0
        stack.b = 0
        places(s, stack.ranks)
        won = stack.ranks[stack.seat] < stack.ranks[1 - stack.seat]
        stack.found[0] = 0 if won else NEVER
        stack.found[1] = NEVER if won else 0
        stack.found[2] = 0
        return
    key(s, stack)
    for i in range(1, ply + 1):
        if stack.key_a[i] == stack.a and stack.key_b[i] == stack.b:
            be_stuck(stack)
            return
    if look(stack.a, stack.b, stack, table) < 0:
        mover = 0 if acts(s, 0) else 1
        count = max(1, count_legal(s, mover, stack.notes))
        stack.found[0] = 1 if mover == stack.seat else count
        stack.found[1] = count if mover == stack.seat else 1
        stack.found[2] = 0


@flat
def be_stuck(stack: Any) -> None:
    """Fill `found` with the numbers of what cannot be looked at."""
    stack.found[0] = STUCK
    stack.found[1] = STUCK
    stack.found[2] = 0


@flat
def walk(states: Any, stack: Any, table: Any) -> None:
    """Follow the best action of the position in hand, or go back out of it."""
    ply = stack.ply
    first = stack.first[ply]
    seeks = stack.mover[ply] == stack.seat  # whether who moves wants it proven
    least, second, best = NEVER, NEVER, -1
    total = 0
    for at in range(first, first + stack.count[ply]):
        own = stack.proof[at] if seeks else stack.disproof[at]
        total += stack.disproof[at] if seeks else stack.proof[at]
        if best < 0 or own < least:
            second = least
            least = own
            best = at
        elif own < second:
            second = own
    if best < 0:  # nothing may be done here, and it is not over: no such game is known
        least = STUCK
        total = STUCK
    rest = total
    if least == 0:
        rest = NEVER
    elif total > STUCK:
        rest = STUCK
    proof = least if seeks else rest
    disproof = rest if seeks else least
    if proof >= stack.proof_limit[ply] or disproof >= stack.disproof_limit[ply]:
        leave(ply, proof, disproof, stack, table)
        return
    limit = min(second + 1 + (second >> 2), stack.proof_limit[ply] if seeks else stack.disproof_limit[ply])
    others = total - (stack.disproof[best] if seeks else stack.proof[best])
    rest_limit = (stack.disproof_limit[ply] if seeks else stack.proof_limit[ply]) - others
    if seeks:
        follow(states, ply, best, limit, rest_limit, stack, table)
    else:
        follow(states, ply, best, rest_limit, limit, stack, table)


@flat
def follow(states: Any, ply: int, at: int, proof_limit: int, disproof_limit: int, stack: Any, table: Any) -> None:
    """Take up the position after an action; not if there is news of it, or no room for it."""
    known = look(stack.after_a[at], stack.after_b[at], stack, table)
    if ply == PLIES or stack.first[ply] + stack.count[ply] > ROOM:
        be_stuck(stack)
        known = 0
    if known >= 0 and (stack.found[0] != stack.proof[at] or stack.found[1] != stack.disproof[at]):
        take(at, stack.found[0], stack.found[1], stack.found[2], stack)
        return
    mover = stack.mover[ply]
    put(states, ply + 1, states, ply)
    stack.actions[mover] = stack.option[at]
    step(states[ply + 1], stack.actions, None)
    stack.at[ply] = at
    stack.a = stack.after_a[at]
    stack.b = stack.after_b[at]
    enter(states, ply + 1, proof_limit, disproof_limit, stack, table)


@flat
def take(at: int, proof: int, disproof: int, plies: int, stack: Any) -> None:
    """Note what is known of the position after an action now."""
    stack.proof[at] = proof
    stack.disproof[at] = disproof
    stack.plies[at] = plies


@flat
def leave(ply: int, proof: int, disproof: int, stack: Any, table: Any) -> None:
    """Go back to the position before this one, with this one's numbers."""
    plies = 0
    if proof == 0 or disproof == 0:
        plies = plies_of(ply, proof, stack)
    keep(ply, proof, disproof, plies, stack, table)
    stack.ply = ply - 1
    if ply == 1:
        stack.found[0] = proof
        stack.found[1] = disproof
        stack.found[2] = plies
        stack.done = 1
    else:
        take(stack.at[ply - 1], proof, disproof, plies, stack)


@flat
def plies_of(ply: int, proof: int, stack: Any) -> int:
    """How many plies a settled position is from the end, at most: the seat that has what it wants may be quick, the
    other one is slow."""
    first = stack.first[ply]
    chooses = (proof == 0) == (stack.mover[ply] == stack.seat)
    best = -1
    for at in range(first, first + stack.count[ply]):
        settled = stack.proof[at] if proof == 0 else stack.disproof[at]
        if settled == 0:
            plies = stack.plies[at]
            if best < 0 or (plies < best if chooses else plies > best):
                best = plies
    return min(best + 1, MOST_PLIES)


# --- the table -----------------------------------------------------------------------------------------------------


@flat
def look(a: int, b: int, stack: Any, table: Any) -> int:
    """Fill `found` with what the table says of the position with this key; -1 if it says nothing.

    The entries of the two questions lie at different places, and their second halves differ in the last bit.
    """
    place = (a ^ a >> 31 ^ stack.seat << 1) & table.mask & ~1
    wanted = b << 1 | stack.seat
    for entry in range(place, place + 2):
        at = entry * WORDS
        if table.entry[at] == a and table.entry[at + 1] == wanted:
            stack.found[0] = table.entry[at + 2] >> 31
            stack.found[1] = table.entry[at + 2] & NEVER
            stack.found[2] = table.entry[at + 3] & MOST_PLIES
            return entry
    return -1


@flat
def keep(ply: int, proof: int, disproof: int, plies: int, stack: Any, table: Any) -> None:
    """Write what is known of the position at a ply; of two in one place, the one that took less is given up."""
    a = stack.key_a[ply]
    wanted = stack.key_b[ply] << 1 | stack.seat
    place = (a ^ a >> 31 ^ stack.seat << 1) & table.mask & ~1
    generation = table.generation & 0xFFFF
    chosen = -1
    least = 0
    before = 0
    for entry in range(place, place + 2):
        at = entry * WORDS
        if table.entry[at] == a and table.entry[at + 1] == wanted:
            chosen = entry
            before = table.entry[at + 3] >> 14 & MANY
            break
        spent = table.entry[at + 3] >> 14
        if spent >> 32 != generation:
            spent = -1  # of an earlier search
        if chosen < 0 or spent < least:
            chosen = entry
            least = spent
    at = chosen * WORDS
    spent = min(before + stack.nodes - stack.start[ply], MANY)
    table.entry[at] = a
    table.entry[at + 1] = wanted
    table.entry[at + 2] = proof << 31 | disproof
    table.entry[at + 3] = (generation << 32 | spent) << 14 | plies
