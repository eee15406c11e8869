"""Alpha-beta search by iterative deepening, in the rules' common language.

Theory of operation
-------------------
The common language has no recursion, so the nodes from the root to the position in hand are rows of the stack, one
place for each ply, and `go_on` takes one step at a time: into a position, or back out of it. It can stop after any
step and go on later; so whoever calls it looks at the clock in between.

An action at the root is tried in every world, and counts by the weighted mean. In each world it has a lower bound:
what it must be worth there to become the best, if in the worlds left it is better than the best so far by `slack` at
most. In one world that is plain alpha-beta. Below the root everybody is taken to see the world as it is.

Every position that is searched is noted by its key, with its worth and best action: reached by another way it is not
searched again, and one ply deeper that action comes first, before the others are even listed. All actions but the
first are only asked whether they are better (principal variation search), and searched again if they are.

Ordering: two plies and more above the horizon by the value of the position after each action, of which the best
`width` are searched (0: all); on the last ply by the actions that have cut others off before (history heuristic).
With `late`, actions behind the first few are asked one ply less deep at first (late move reductions).
Source: Knuth and Moore, An analysis of alpha-beta pruning (Artificial Intelligence 6, 1975); Schaeffer, The history
heuristic (ICCA Journal 6, 1983); Marsland, A review of game-tree pruning (ICCA Journal 9, 1986).
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import Layout, flat

acts: Any = None
legal: Any = None
step: Any = None
over: Any = None
places: Any = None
payoffs: Any = None  # (s, seats, ranks, out), of `dohyo.core.rewards`
value: Any = None
put: Any = None
key: Any = None

SEATS = 2
PLIES = 20  # below the root, at most
MAX_WORLDS = 32
BEGIN, GO_ON, GLANCE = 0, 1, 2  # what `work` does
WON = 1e6  # what a won match is worth, less one for each ply until then
BEYOND = 1e9  # more than anything is worth
NEAR = 1e-3  # from a lower bound to the upper one, where only is asked whether something is better
ROOT_LATE = 3  # times as many actions are searched at full depth at the root
NONE = -1
PICKED = 6  # options on the last ply that are searched in order; the others as they are listed
LISTED, HINTED, SORTED, KNOWN = 0, 1, 2, 3  # all options; one, and the others later; the best, in order; none needed
EXACT, AT_LEAST, AT_MOST = 0, 1, 2  # what a noted worth is


def stack_layout(actions: int, size: int) -> Layout:
    """The fields of a stack: all that the search knows, so that it can be interrupted. It notes `size` positions."""
    return Layout(
        "Stack",
        # what it is told
        ("deepest", "i8", 0),  # plies, at most
        ("width", "i8", 0),  # actions of a position that are searched; 0: all
        ("late", "i8", 0),  # options of a position before those that are searched less deep; 0: none are
        ("slack", "f8", 0),
        ("weight", "f8", MAX_WORLDS),  # by world; their sum is 1
        # the root
        ("seat", "i8", 0),
        ("count", "i8", 0),
        ("action", "i8", actions),  # the best of the last depth first
        ("worth", "f8", actions),  # of each, by the value right after it
        ("depth", "i8", 0),  # that is searched now
        ("at", "i8", 0),  # the action in hand
        ("world", "i8", 0),
        ("scout", "i8", 0),  # 1: of the action in hand is only asked whether it is better
        ("retry", "i8", 0),  # 1: it seemed to be, and is searched again
        ("bound", "f8", 0),  # what it must be worth in this world
        ("total", "f8", 0),  # what it is worth in the worlds so far, by weight
        ("chosen", "i8", 0),  # the best action of this depth
        ("top", "f8", 0),  # what it is worth
        ("done", "i8", 0),  # 1: nothing is left to search
        ("nodes", "i8", 0),  # positions that were looked at
        ("reference", "f8", MAX_WORLDS),  # what the best action is worth in each world
        ("trial", "f8", MAX_WORLDS),  # the same of the action in hand
        *_by_ply(actions),
        *_notes(max(1, size)),
        # for a moment
        ("history", "i8", SEATS * actions),
        ("listed", "i8", actions),
        ("key", "f8", actions),
        ("open", "i8", 0),  # 1: the latest visit was not to an end
        ("actions", "i8", SEATS),
        ("by_payoff", "i8", 0),  # 1: an end is worth what it pays; else a won match is worth more than all
        ("paid", "f8", SEATS),
        ("ranks", "i8", SEATS),
    )


def _by_ply(actions: int) -> tuple[tuple[str, str, Any], ...]:
    """The fields that have a place for each ply, from 1 on."""
    return (
        ("ply", "i8", 0),  # of the position in hand; 0: the root
        ("mover", "i8", PLIES + 2),
        ("left", "i8", PLIES + 2),  # plies to the horizon
        ("options", "i8", PLIES + 2),  # how many
        ("next", "i8", PLIES + 2),  # the option to be searched next
        ("lower", "f8", PLIES + 2),
        ("upper", "f8", PLIES + 2),
        ("best", "f8", PLIES + 2),
        ("begun", "f8", PLIES + 2),  # the lower bound at first
        ("option", "i8", (PLIES + 2, actions)),
        ("rank", "f8", (PLIES + 2, actions)),  # by which the next of them is picked
        ("state_of", "i8", PLIES + 2),  # LISTED, HINTED, SORTED or KNOWN
        ("hint", "i8", PLIES + 2),  # the option that was best here before, or NONE
        ("choice", "i8", PLIES + 2),  # the best option, or NONE
        ("asked", "f8", PLIES + 2),  # the upper bound of the option in hand
        ("asked_left", "i8", PLIES + 2),  # how deep it is searched
        ("again", "i8", PLIES + 2),  # 1: it seemed to be better, and is searched again
        ("key_a", "i8", PLIES + 2),
        ("key_b", "i8", PLIES + 2),
    )


def _notes(room: int) -> tuple[tuple[str, str, int], ...]:
    """The fields that hold the positions that were searched, by their keys."""
    return (
        ("size", "i8", 0),  # how many there can be, a power of two; 0: none is noted
        ("age", "i8", 0),  # of the search: what earlier ones have noted is forgotten
        ("a", "i8", 0),
        ("b", "i8", 0),
        ("known_a", "i8", room),
        ("known_b", "i8", room),
        ("known_worth", "f8", room),
        ("known", "i8", room),  # the best option + 1, plies to the horizon, and what the worth is
    )


@flat
def work(task: int, worlds: Any, count: int, states: Any, stack: Any, most: int) -> int:
    """All that is called from outside: one function, so that what they share is compiled once."""
    if task == BEGIN:
        begin(worlds, count, states, stack)
        return 0
    if task == GLANCE:
        return glance(worlds, states, stack)
    return go_on(worlds, count, states, stack, most)


# --- the root -------------------------------------------------------------------------------------------------------


@flat
def begin(worlds: Any, count: int, states: Any, stack: Any) -> None:
    """Take up a position: the root's actions, in order of the value right after them."""
    seat = 0 if acts(worlds[0], 0) else 1
    stack.seat = seat
    stack.count = legal(worlds[0], seat, stack.listed)
    stack.nodes = 0
    stack.age += 1
    for i in range(len(stack.history)):
        stack.history[i] = 0
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
    stack.scout = 0
    stack.retry = 0
    stack.done = 1 if depth > stack.deepest else 0


@flat
def go_on(worlds: Any, count: int, states: Any, stack: Any, most: int) -> int:
    """Look at `most` more positions, or a few more; returns 1 when nothing is left to search."""
    end = stack.nodes + most
    while stack.done == 0 and stack.nodes < end:
        if stack.ply > 0:
            walk(count, states, stack)
        else:
            try_action(worlds, count, states, stack)
    return stack.done  # type: ignore[no-any-return]


@flat
def try_action(worlds: Any, count: int, states: Any, stack: Any) -> None:
    """Begin to search the root's action in hand in the world in hand."""
    world = stack.world
    stack.bound = -BEYOND
    if stack.at > 0:
        missing = stack.top - stack.total
        for other in range(world + 1, count):
            missing -= stack.weight[other] * (stack.reference[other] + stack.slack)
        stack.bound = missing / stack.weight[world]
    upper = BEYOND
    left = stack.depth - 1
    if stack.at > 0 and stack.retry == 0:
        upper = stack.bound + NEAR
        if left > 1 and 0 < ROOT_LATE * stack.late <= stack.at:
            left -= 1
    stack.scout = 1 if upper < BEYOND else 0
    stack.retry = 0
    put(states, 1, worlds, world)
    worth = visit(states, 1, stack.seat, stack.action[stack.at], 1, left, stack)
    if stack.open == 0:
        note(count, worth, stack)
    else:
        mover = 0 if acts(states[1], 0) else 1
        if mover == stack.seat:
            enter(states, 1, mover, left, stack.bound, upper, stack)
        else:
            enter(states, 1, mover, left, -upper, -stack.bound, stack)


@flat
def note(count: int, worth: float, stack: Any) -> None:
    """Note what the root's action in hand is worth in the world in hand, and go to the next one."""
    world = stack.world
    if stack.scout == 1 and worth > stack.bound and stack.depth > 1:
        stack.retry = 1
        return
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
def enter(states: Any, ply: int, mover: int, left: int, lower: float, upper: float, stack: Any) -> None:
    """Take up the position at a ply: with what is noted about it, or the option that was best, or all of them."""
    stack.ply = ply
    stack.mover[ply] = mover
    stack.left[ply] = left
    stack.options[ply] = 0
    stack.next[ply] = 0
    stack.lower[ply] = lower
    stack.upper[ply] = upper
    stack.begun[ply] = lower
    stack.best[ply] = -BEYOND
    stack.choice[ply] = NONE
    stack.hint[ply] = NONE
    stack.state_of[ply] = LISTED
    stack.again[ply] = 0
    if stack.size > 0:
        key(states[ply], stack)
        stack.key_a[ply] = stack.a
        stack.key_b[ply] = stack.b ^ stack.age
        look_up(ply, stack)
    if stack.state_of[ply] == LISTED:
        if stack.hint[ply] == NONE:
            fill(states, ply, stack)
        else:
            stack.option[ply * len(stack.listed)] = stack.hint[ply]
            stack.options[ply] = 1
            stack.state_of[ply] = HINTED


@flat
def look_up(ply: int, stack: Any) -> None:
    """Whether the position at a ply is known well enough already; else which option was best in it."""
    at = stack.key_a[ply] & stack.size - 1
    if stack.known_a[at] != stack.key_a[ply] or stack.known_b[at] != stack.key_b[ply]:
        return
    told = stack.known[at]
    kind = told & 3
    left = told >> 2 & 63
    stack.hint[ply] = (told >> 8) - 1
    if left == stack.left[ply]:
        worth = stack.known_worth[at]
        if stack.by_payoff == 0:
            worth = from_here(worth, -ply)
        enough = worth >= stack.upper[ply] if kind == AT_LEAST else worth <= stack.lower[ply]
        if kind == EXACT or enough:
            stack.best[ply] = worth
            stack.state_of[ply] = KNOWN


@flat
def from_here(worth: float, ply: int) -> float:
    """The worth of a won or lost match, with the plies to its end counted from this ply on, and not from the root."""
    if worth > WON - PLIES - 2:
        return worth + ply
    if worth < PLIES + 2 - WON:
        return worth - ply
    return worth


@flat
def keep(ply: int, stack: Any) -> None:
    """Note what has been found about the position at a ply."""
    worth = stack.best[ply]
    kind = EXACT
    if worth >= stack.upper[ply]:
        kind = AT_LEAST
    elif worth <= stack.begun[ply]:
        kind = AT_MOST
    if stack.by_payoff == 0:
        worth = from_here(worth, ply)
    at = stack.key_a[ply] & stack.size - 1
    stack.known_a[at] = stack.key_a[ply]
    stack.known_b[at] = stack.key_b[ply]
    stack.known_worth[at] = worth
    stack.known[at] = stack.choice[ply] + 1 << 8 | stack.left[ply] << 2 | kind


@flat
def fill(states: Any, ply: int, stack: Any) -> None:
    """List the options of the position at a ply, with keys by which the next one to be searched is picked.

    One that was searched already, by a hint, is left out.
    """
    mover = stack.mover[ply]
    hint = stack.hint[ply]
    count = legal(states[ply], mover, stack.listed)
    base = ply * len(stack.listed)
    at = stack.options[ply]
    deep = stack.left[ply] > 1
    for i in range(count):
        action = stack.listed[i]
        if action != hint:
            if deep:
                put(states, ply + 1, states, ply)
                stack.rank[base + at] = visit(states, ply + 1, mover, action, ply + 1, 0, stack)
            else:
                stack.rank[base + at] = stack.history[mover * len(stack.listed) + action]
            stack.option[base + at] = action
            at += 1
    if deep and 0 < stack.width < at:
        for i in range(stack.options[ply], stack.width):
            pick(i + base, at + base, stack)
        at = stack.width
        stack.state_of[ply] = SORTED
    else:
        stack.state_of[ply] = LISTED
    stack.options[ply] = at


@flat
def pick(first: int, end: int, stack: Any) -> None:
    """Let the best of some options be the first of them: it changes its place with the one that was."""
    best = first
    for i in range(first + 1, end):
        if stack.rank[i] > stack.rank[best]:
            best = i
    rank = stack.rank[best]
    option = stack.option[best]
    stack.rank[best] = stack.rank[first]
    stack.option[best] = stack.option[first]
    stack.rank[first] = rank
    stack.option[first] = option


@flat
def walk(count: int, states: Any, stack: Any) -> None:
    """Search the next option of the position in hand, or go back out of it."""
    ply = stack.ply
    if stack.next[ply] == stack.options[ply] and stack.state_of[ply] == HINTED:
        fill(states, ply, stack)
    if stack.next[ply] == stack.options[ply]:
        leave(count, stack)
    else:
        go_down(states, ply, stack)


@flat
def go_down(states: Any, ply: int, stack: Any) -> None:
    """Search the next option of the position at a ply.

    All but the first are asked at first only whether they are better than the best so far, and late ones one turn
    less deep; what seems to be better is searched again.
    """
    mover = stack.mover[ply]
    left = stack.left[ply] - 1
    base = ply * len(stack.listed)
    place = stack.next[ply]
    if stack.state_of[ply] == LISTED and (left > 0 or place < PICKED):
        pick(base + place, base + stack.options[ply], stack)
    upper = stack.upper[ply]
    if stack.again[ply] == 0 and place > 0:
        upper = min(upper, stack.lower[ply] + NEAR)
        if left > 1 and 0 < stack.late <= place:
            left -= 1
    stack.asked[ply] = upper
    stack.asked_left[ply] = left
    stack.again[ply] = 0
    stack.next[ply] += 1
    put(states, ply + 1, states, ply)
    worth = visit(states, ply + 1, mover, stack.option[base + place], ply + 1, left, stack)
    if stack.open == 0:
        give(ply, worth, stack)
    else:
        follower = 0 if acts(states[ply + 1], 0) else 1
        if follower == mover:
            enter(states, ply + 1, follower, left, stack.lower[ply], upper, stack)
        else:
            enter(states, ply + 1, follower, left, -upper, -stack.lower[ply], stack)


@flat
def leave(count: int, stack: Any) -> None:
    """Go back to the position before this one, with what this one is worth."""
    ply = stack.ply
    if stack.size > 0 and stack.state_of[ply] != KNOWN:
        keep(ply, stack)
    worth = stack.best[ply]
    before = stack.seat if ply == 1 else stack.mover[ply - 1]
    if before != stack.mover[ply]:
        worth = -worth
    stack.ply = ply - 1
    if ply == 1:
        note(count, worth, stack)
    else:
        give(ply - 1, worth, stack)


@flat
def give(ply: int, worth: float, stack: Any) -> None:
    """Tell the position at a ply what its latest option is worth."""
    less = stack.asked_left[ply] < stack.left[ply] - 1 or stack.asked[ply] <= worth < stack.upper[ply]
    if less and worth > stack.lower[ply] and stack.left[ply] > 1:
        stack.again[ply] = 1
        stack.next[ply] -= 1
        return
    if worth > stack.best[ply]:
        stack.best[ply] = worth
        width = len(stack.listed)
        action = stack.option[ply * width + stack.next[ply] - 1]
        stack.choice[ply] = action
        if worth > stack.lower[ply]:
            stack.lower[ply] = worth
        if worth >= stack.upper[ply]:
            stack.history[stack.mover[ply] * width + action] += stack.left[ply] * stack.left[ply]
            stack.next[ply] = stack.options[ply]
            stack.state_of[ply] = SORTED


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


@flat
def sort(stack: Any, count: int) -> None:
    """Order the listed actions by their keys, the highest first; equal ones stay as they are."""
    for i in range(1, count):
        key = stack.key[i]
        action = stack.listed[i]
        at = i
        while at > 0 and stack.key[at - 1] < key:
            stack.key[at] = stack.key[at - 1]
            stack.listed[at] = stack.listed[at - 1]
            at -= 1
        stack.key[at] = key
        stack.listed[at] = action


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
