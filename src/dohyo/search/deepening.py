"""Alpha-beta search by iterative deepening, in the rules' common language.

Theory of operation
-------------------
The common language has no recursion, so the nodes from the root to the position in hand are rows of the stack, one
place for each ply, and `go_on` takes one step at a time: into a position, or back out of it. It can stop after any
step and go on later; so whoever calls it looks at the clock in between.

An action at the root is tried in every world, and counts by the weighted mean. In each world it has a lower bound:
what it must be worth there to become the best, if in the worlds left it is better than the best so far by `slack` at
most. In one world that is plain alpha-beta. Below the root everybody is taken to see the world as it is.

Ordering: first what was best where the position was met before (`transpositions.py`). Then, if it is told what
actions `gain`, by that, by what has cut off at this ply (killers), and anywhere (history). Without `gain`, two plies
and more above the horizon by the value of the position after each action, of which the best `width` are searched
(0: all), and on the last ply by killers and history.

With a table or a `margin`, all options but the first are searched with an empty window (scouts), and again where they
turn out better: that changes no result. Beyond the horizon, `loud` actions are followed until there are none, or the
mover does better by none of them (quiescence). What a `margin` leaves out (`prunes`, `is_late`, `reduction`) makes
the search deeper, and its results no longer those of minimax.

Sources: Knuth and Moore, An analysis of alpha-beta pruning (Artificial Intelligence 6, 1975); Schaeffer, The history
heuristic (ICCA Journal 6, 1983); Marsland, A review of game-tree pruning (ICCA Journal 9, 1986); Beal, A generalised
quiescence search algorithm (Artificial Intelligence 43, 1990); Heinz, Extended futility pruning (ICCA Journal 21,
1998).
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import flat
from dohyo.search.deepening_stack import (
    BEGIN,
    BEYOND,
    CERTAIN,
    FIRST,
    FULL,
    GLANCE,
    KILLER,
    LAST,
    LOUD,
    NEXT,
    PASS,
    PICKED,
    REDUCED,
    ROOT_LATE,
    SCOUT,
    SEATS,
    TINY,
    UNLISTED,
    WON,
    comes_again,
    cut_off,
    is_known,
    is_late,
    may_pass,
    moved,
    mover_before,
    pick,
    prunes,
    reduction,
    sort,
)
from dohyo.search.transpositions import AT_LEAST, AT_MOST, EXACT, NOBODY, action_at, keep, place_of

acts: Any = None
legal: Any = None
step: Any = None
over: Any = None
places: Any = None
payoffs: Any = None  # (s, seats, ranks, out), of `dohyo.core.rewards`
value: Any = None
gain: Any = None  # (s, seat, action): by how much an action changes the value, as far as that is seen beforehand
identity: Any = None  # (s): a number for the position
skip: Any = None  # (s): lets the mover pass, which the rules need not allow; whether that says anything here
key: Any = None  # (s, record): the state's key into the fields `a` and `b`
put: Any = None


@flat
def work(task: int, worlds: Any, count: int, states: Any, stack: Any, table: Any, most: int) -> int:
    """All that is called from outside: one function, so that what they share is compiled once."""
    if task == BEGIN:
        begin(worlds, count, states, stack)
        return 0
    if task == GLANCE:
        return glance(worlds, states, stack)
    return go_on(worlds, count, states, stack, table, most)


# --- the root -------------------------------------------------------------------------------------------------------


@flat
def begin(worlds: Any, count: int, states: Any, stack: Any) -> None:
    """Take up a position: the root's actions, in order of the value right after them."""
    seat = 0 if acts(worlds[0], 0) else 1
    stack.seat = seat
    stack.count = legal(worlds[0], seat, stack.listed)
    stack.nodes = 0
    for i in range(len(stack.history)):
        stack.history[i] = 0
    for i in range(len(stack.killers)):
        stack.killers[i] = NOBODY
    for i in range(stack.count):
        worth = 0.0
        for world in range(count):
            put(states, 1, worlds, world)
            worth += stack.weight[world] * visit(states, 1, seat, stack.listed[i], 1, 0, stack)
        stack.key[i] = worth
    sort(stack, stack.count)
    for i in range(stack.count):
        stack.action[i] = stack.listed[i]
        stack.worth[i] = stack.key[i]
    if stack.by_identity == 1:
        name(worlds[0], 0, stack)
    stack.ply = 0
    stack.top = stack.worth[0]
    start_depth(stack, 2)
    if stack.count == 1:
        stack.done = 1


@flat
def start_depth(stack: Any, depth: int) -> None:
    """Begin with the root's first action again, one ply deeper."""
    stack.depth = depth
    stack.at = 0
    stack.world = 0
    stack.total = 0.0
    stack.chosen = 0
    stack.trying[0] = NEXT
    stack.done = 1 if depth > stack.deepest else 0


@flat
def go_on(worlds: Any, count: int, states: Any, stack: Any, table: Any, most: int) -> int:
    """Look at `most` more positions, or a few more; returns 1 when nothing is left to search."""
    end = stack.nodes + most
    while stack.done == 0 and stack.nodes < end:
        if stack.ply > 0:
            walk(count, states, stack, table)
        else:
            try_action(worlds, count, states, stack, table)
    return stack.done  # type: ignore[no-any-return]


@flat
def try_action(worlds: Any, count: int, states: Any, stack: Any, table: Any) -> None:
    """Begin to search the root's action in hand in the world in hand."""
    world = stack.world
    upper = BEYOND
    if stack.trying[0] == NEXT:
        stack.bound = -BEYOND
        if stack.at > 0:
            missing = stack.top - stack.total
            for other in range(world + 1, count):
                missing -= stack.weight[other] * (stack.reference[other] + stack.slack)
            stack.bound = missing / stack.weight[world]
        stack.trying[0] = SCOUT if stack.scouts == 1 and stack.at > 0 else FULL
        if is_root_reduced(stack):
            stack.trying[0] = REDUCED
    left = stack.depth - 1
    if stack.trying[0] == REDUCED:
        left -= reduction(stack.depth, stack.at, stack)
    if stack.trying[0] != FULL:
        upper = stack.bound + TINY
    stack.is_heard = 0
    put(states, 1, worlds, world)
    worth = descend(states, 1, stack.seat, stack.action[stack.at], left, stack.bound, upper, stack, table)
    if stack.open == 0:
        note(count, worth, stack)


@flat
def is_root_reduced(stack: Any) -> bool:
    """Whether the root's action in hand is searched less deep at first."""
    if stack.margin > 0.0:
        return stack.at >= 3 and stack.depth >= 4  # type: ignore[no-any-return]
    return 0 < ROOT_LATE * stack.late <= stack.at and stack.depth > 2  # type: ignore[no-any-return]


@flat
def note(count: int, worth: float, stack: Any) -> None:
    """Note what the root's action in hand is worth in the world in hand, and go to the next one."""
    if stack.trying[0] != FULL and worth > stack.bound:
        stack.trying[0] = SCOUT if stack.trying[0] == REDUCED else FULL
        return
    stack.trying[0] = NEXT
    world = stack.world
    stack.trial[world] = worth
    stack.total += stack.weight[world] * worth
    fails = stack.at > 0 and worth <= stack.bound
    stack.world += 1
    if fails or stack.world == count:
        if not fails and (stack.at == 0 or stack.total > stack.top):
            stack.chosen = stack.at
            stack.top = stack.total
            for other in range(count):
                stack.reference[other] = stack.trial[other]
        stack.world = 0
        stack.total = 0.0
        stack.at += 1
        if stack.at == stack.count:
            end_depth(stack)


@flat
def end_depth(stack: Any) -> None:
    """Put the best action in front of the others, and go one ply deeper."""
    best = stack.action[stack.chosen]
    for i in range(stack.chosen, 0, -1):
        stack.action[i] = stack.action[i - 1]
    stack.action[0] = best
    start_depth(stack, stack.depth + 1)


# --- below it -------------------------------------------------------------------------------------------------------


@flat
def descend(
    states: Any, ply: int, seat: int, action: int, left: int, lower: float, upper: float, stack: Any, table: Any
) -> float:
    """Play a seat's action on the state at a ply, and take up the position there.

    With `open` 0 it is known at once what that is worth to the seat.
    """
    goes_on = left > 0 or stack.loud > 0.0
    worth = visit(states, ply, seat, action, ply, 1 if goes_on else 0, stack)
    if stack.open == 0:
        return worth
    mover = 0 if acts(states[ply], 0) else 1
    stack.passed[ply] = 0
    if mover == seat:
        return enter(states, ply, mover, left, lower, upper, stack, table)
    return -enter(states, ply, mover, left, -upper, -lower, stack, table)


@flat
def enter(states: Any, ply: int, mover: int, left: int, lower: float, upper: float, stack: Any, table: Any) -> float:
    """Take up the position at a ply: its options. With `open` 0 it is known at once what it is worth."""
    stack.open = 0
    stack.mover[ply], stack.left[ply] = mover, left
    stack.floor[ply], stack.lower[ply], stack.upper[ply] = lower, lower, upper
    stack.best[ply] = -BEYOND
    stack.chose[ply] = NOBODY
    stack.trying[ply] = NEXT
    stack.next[ply] = 0
    stack.first[ply] = NOBODY
    stack.options[ply] = UNLISTED
    stack.hinted[ply] = 0
    if ply == LAST:
        return value(states[ply], mover)  # type: ignore[no-any-return]
    if left > 0 and (stack.by_identity == 1 or table.mask > 0):
        name(states[ply], ply, stack)
        if stack.by_identity == 1 and comes_again(ply, stack):
            return 0.0
        if table.mask > 0:
            at = place_of(table, stack.key_a[ply], stack.key_b[ply])
            if at != NOBODY:
                stack.first[ply] = action_at(table, at)
                if is_known(ply, at, stack, table):
                    return moved(table.worth[at], -ply, stack)
    if left <= 0 or stack.margin > 0.0:
        stack.now[ply] = worth_now(states, ply, mover, stack)
        if left <= 0:
            stack.best[ply] = stack.now[ply]
            if stack.now[ply] >= upper or stack.loud == 0.0:
                return stack.now[ply]  # type: ignore[no-any-return]
            if stack.now[ply] > lower:
                stack.lower[ply] = stack.now[ply]
        elif prunes(ply, stack):
            return stack.now[ply]  # type: ignore[no-any-return]
        elif may_pass(ply, stack):
            stack.trying[ply] = PASS
    if stack.trying[ply] == NEXT:
        if stack.first[ply] != NOBODY and stack.by_gain == 0 and left > 0:
            list_hint(ply, stack)
        else:
            list_options(states, ply, stack)
        if stack.options[ply] == 0:
            return stack.best[ply]  # type: ignore[no-any-return]
    stack.open = 1
    stack.ply = ply
    return 0.0


@flat
def worth_now(states: Any, ply: int, mover: int, stack: Any) -> float:
    """The value of a position as it is; often it was found already when it was put in order with others."""
    if stack.is_heard == 0:
        return value(states[ply], mover)  # type: ignore[no-any-return]
    return stack.heard if mover == mover_before(ply, stack) else -stack.heard  # type: ignore[no-any-return]


@flat
def list_hint(ply: int, stack: Any) -> None:
    """List the option alone that was best here before: often the others need not be looked at, which takes long."""
    base = ply * len(stack.listed)
    stack.option[base] = stack.first[ply]
    stack.rank[base] = FIRST
    stack.still[ply] = -BEYOND
    stack.options[ply] = 1
    stack.hinted[ply] = 1


@flat
def list_options(states: Any, ply: int, stack: Any) -> None:
    """Fill in a position's options, with the keys by which they will be ordered; beyond the horizon the loud ones."""
    mover, left = stack.mover[ply], stack.left[ply]
    count = legal(states[ply], mover, stack.listed)
    after = left > 1 or (left <= 0 and stack.by_gain == 0)  # what is not told beforehand is seen by playing it
    stack.still[ply] = LOUD if stack.by_gain == 1 else stack.now[ply] + stack.loud if after else -BEYOND
    found = stack.hinted[ply]
    for i in range(count):
        if stack.hinted[ply] == 0 or stack.listed[i] != stack.first[ply]:
            found = list_option(states, ply, found, stack.listed[i], after, stack)
    stack.options[ply] = found
    if stack.by_gain == 0 and left > 1 and 0 < stack.width < found:
        for i in range(stack.hinted[ply], stack.width):
            pick(ply, i, stack)
        stack.options[ply] = stack.width
    stack.hinted[ply] = 0


@flat
def list_option(states: Any, ply: int, found: int, action: int, after: bool, stack: Any) -> int:
    """Fill in an option behind those that were found; beyond the horizon a loud one alone. Returns the count."""
    mover = stack.mover[ply]
    base = ply * len(stack.listed)
    if stack.by_gain == 1:
        rank = rank_by_gain(states[ply], ply, mover, action, stack)
    elif after:
        put(states, ply + 1, states, ply)
        rank = visit(states, ply + 1, mover, action, ply + 1, 0, stack)
    else:
        rank = rank_by_cuts(ply, mover, action, stack)
    if stack.left[ply] <= 0 and rank < stack.still[ply]:
        return found
    stack.option[base + found] = action
    stack.rank[base + found] = FIRST + rank if action == stack.first[ply] else rank
    return found + 1


@flat
def rank_by_gain(s: Any, ply: int, mover: int, action: int, stack: Any) -> float:
    """The key of an option: by what it gains; else by what it has cut off."""
    gained = gain(s, mover, action)
    if gained > 0.0 and gained >= stack.loud:
        return LOUD + gained  # type: ignore[no-any-return]
    return rank_by_cuts(ply, mover, action, stack)


@flat
def rank_by_cuts(ply: int, mover: int, action: int, stack: Any) -> float:
    """The key of an option by what it has cut off."""
    for which in range(2):
        if stack.killers[2 * ply + which] == action:
            return KILLER + 1.0 - which
    return 1.0 * stack.history[mover * len(stack.listed) + action]  # type: ignore[no-any-return]


@flat
def walk(count: int, states: Any, stack: Any, table: Any) -> None:
    """Search the next option of the position in hand, or go back out of it."""
    ply = stack.ply
    if stack.trying[ply] == PASS:
        try_pass(states, ply, stack, table)
        return
    if stack.options[ply] == UNLISTED or stack.hinted[ply] == 1 == stack.next[ply]:
        list_options(states, ply, stack)
    if stack.trying[ply] == NEXT and not takes_next(ply, stack):
        leave(count, stack, table)
        return
    at = stack.next[ply] - 1
    left, lower, upper = stack.left[ply] - 1, stack.lower[ply], stack.upper[ply]
    if stack.margin > 0.0 and stack.options[ply] == 1 and stack.hinted[ply] == 0 and left >= 0:  # there is no choice
        left += 1
    if stack.trying[ply] == REDUCED:
        left -= reduction(left + 1, at, stack)
    if stack.trying[ply] != FULL:
        upper = lower + TINY
    action = stack.option[ply * len(stack.listed) + at]
    stack.heard = stack.rank[ply * len(stack.listed) + at]
    stack.is_heard = 1 if stack.by_gain == 0 and stack.left[ply] != 1 and stack.heard < FIRST else 0
    put(states, ply + 1, states, ply)
    worth = descend(states, ply + 1, stack.mover[ply], action, left, lower, upper, stack, table)
    if stack.open == 0:
        give(ply, worth, stack)


@flat
def try_pass(states: Any, ply: int, stack: Any, table: Any) -> None:
    """Search less deep what the mover has after a pass."""
    mover, upper, left = stack.mover[ply], stack.upper[ply], stack.left[ply]
    put(states, ply + 1, states, ply)
    if not skip(states[ply + 1]):
        stack.trying[ply] = NEXT
        return
    stack.nodes += 1
    stack.passed[ply + 1] = 1
    stack.is_heard = 0
    left -= 4 if left >= 6 else 3
    worth = enter(states, ply + 1, 1 - mover, left, -upper, TINY - upper, stack, table)
    if stack.open == 0:
        give(ply, -worth, stack)


@flat
def takes_next(ply: int, stack: Any) -> bool:
    """Take the next option in hand, if one is left that is worth a look."""
    at, left = stack.next[ply], stack.left[ply]
    if at == stack.options[ply]:
        return False
    if left != 1 or at < PICKED or stack.by_gain == 1:
        pick(ply, at, stack)
    rank = stack.rank[ply * len(stack.listed) + at]
    is_quiet = rank < stack.still[ply]
    if stack.margin > 0.0 and stack.best[ply] > -CERTAIN and is_late(ply, at, rank, is_quiet, stack):
        return False
    stack.next[ply] = at + 1
    stack.trying[ply] = SCOUT if stack.scouts == 1 and at > 0 and left > 0 else FULL
    if stack.margin > 0.0 and is_quiet and at >= 3 and left >= 2:
        stack.trying[ply] = REDUCED
    if 0 < stack.late <= at and left > 2:
        stack.trying[ply] = REDUCED
    return True


@flat
def leave(count: int, stack: Any, table: Any) -> None:
    """Go back to the position before this one, with what this one is worth."""
    ply = stack.ply
    worth = stack.best[ply]
    if table.mask > 0 and stack.left[ply] > 0:
        bound = AT_LEAST if worth >= stack.upper[ply] else AT_MOST if worth <= stack.floor[ply] else EXACT
        told = moved(worth, ply, stack)
        keep(table, stack.key_a[ply], stack.key_b[ply], told, bound, stack.left[ply], stack.chose[ply])
    if mover_before(ply, stack) != stack.mover[ply]:
        worth = -worth
    stack.ply = ply - 1
    if ply == 1:
        note(count, worth, stack)
    else:
        give(ply - 1, worth, stack)


@flat
def give(ply: int, worth: float, stack: Any) -> None:
    """Tell the position at a ply what its latest option is worth."""
    trying = stack.trying[ply]
    if trying == PASS:
        stack.trying[ply] = NEXT
        if worth >= stack.upper[ply]:
            stack.best[ply] = stack.upper[ply]
            stack.options[ply] = 0
        return
    if trying == REDUCED and worth > stack.lower[ply]:
        stack.trying[ply] = SCOUT
        return
    if trying == SCOUT and stack.lower[ply] < worth < stack.upper[ply]:
        stack.trying[ply] = FULL
        return
    stack.trying[ply] = NEXT
    if worth > stack.best[ply]:
        stack.best[ply] = worth
        stack.chose[ply] = stack.option[ply * len(stack.listed) + stack.next[ply] - 1]
        if worth > stack.lower[ply]:
            stack.lower[ply] = worth
        if worth >= stack.upper[ply]:
            cut_off(ply, stack)


@flat
def visit(states: Any, at: int, seat: int, action: int, ply: int, left: int, stack: Any) -> float:
    """Play a seat's action on the state at this place: what it is worth then, if the match or the search ends there.

    Else `open` is 1.
    """
    s = states[at]
    stack.nodes += 1
    stack.actions[seat] = action
    step(s, stack.actions, None)
    stack.open = 0
    if over(s):
        return end_worth(s, seat, ply, stack)
    if left == 0:
        return value(s, seat)  # type: ignore[no-any-return]
    stack.open = 1
    return 0.0


@flat
def end_worth(s: Any, seat: int, ply: int, stack: Any) -> float:
    """What the end of a match is worth: by places to win early, to lose late; else half the payoffs' difference."""
    places(s, stack.ranks)
    if stack.by_payoff == 1:
        payoffs(s, SEATS, stack.ranks, stack.paid)
        return (stack.paid[seat] - stack.paid[1 - seat]) / 2.0  # type: ignore[no-any-return]
    worth = 0.0
    if stack.ranks[seat] < stack.ranks[1 - seat]:
        worth = WON - ply
    elif stack.ranks[seat] > stack.ranks[1 - seat]:
        worth = ply - WON
    return worth


# --- positions that were met before --------------------------------------------------------------------------------


@flat
def name(s: Any, ply: int, stack: Any) -> None:
    """Note the key of the position at a ply."""
    if stack.by_identity == 1:
        stack.a = identity(s)
        stack.b = 0
    else:
        key(s, stack)
    stack.key_a[ply] = stack.a
    stack.key_b[ply] = stack.b


@flat
def glance(worlds: Any, states: Any, stack: Any) -> int:
    """Fill `listed` with what may be done in the first world, and `key` with the value right after each; how many."""
    s = worlds[0]
    seat = 0 if acts(s, 0) else 1
    count = legal(s, seat, stack.listed)
    for i in range(count):
        put(states, 1, worlds, 0)
        stack.key[i] = visit(states, 1, seat, stack.listed[i], 1, 0, stack)
    return count  # type: ignore[no-any-return]
