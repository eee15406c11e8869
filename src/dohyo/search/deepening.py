"""Alpha-beta search by iterative deepening, in the rules' common language.

Theory of operation
-------------------
The common language has no recursion, so the nodes from the root to the position in hand are rows of the desk, one
place for each ply, and `go_on` takes one step at a time: into a position, or back out of it. It can stop after any
step and go on later; so whoever calls it looks at the clock in between.

An action at the root is tried in every world, and counts by the weighted mean. In each world it has a lower bound:
what it must be worth there to become the best, if in the worlds left it is better than the best so far by `slack` at
most. In one world that is plain alpha-beta. Below the root everybody is taken to see the world as it is.

Ordering: two plies and more above the horizon by the value of the position after each action, of which the best
`width` are searched (0: all); on the last ply by the actions that have cut others off before (history heuristic).
Source: Knuth and Moore, An analysis of alpha-beta pruning (Artificial Intelligence 6, 1975); Schaeffer, The history
heuristic (ICCA Journal 6, 1983).
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import Layout, flat

acts: Any = None
legal: Any = None
step: Any = None
over: Any = None
places: Any = None
value: Any = None
put: Any = None

SEATS = 2
PLIES = 20  # below the root, at most
MOST_WORLDS = 32
BEGIN, GO_ON, GLANCE = 0, 1, 2  # what `work` does
WON = 1e6  # what a won match is worth, less one for each ply until then
BEYOND = 1e9  # more than anything is worth


def desk_layout(actions: int) -> Layout:
    """The fields of a desk: all that the search knows, so that it can be interrupted."""
    return Layout(
        "Desk",
        # what it is told
        ("deepest", "i8", 0),  # plies, at most
        ("width", "i8", 0),  # actions of a position that are searched; 0: all
        ("slack", "f8", 0),
        ("weight", "f8", MOST_WORLDS),  # by world; their sum is 1
        # the root
        ("seat", "i8", 0),
        ("count", "i8", 0),
        ("action", "i8", actions),  # the best of the last depth first
        ("worth", "f8", actions),  # of each, by the value right after it
        ("depth", "i8", 0),  # that is searched now
        ("at", "i8", 0),  # the action in hand
        ("world", "i8", 0),
        ("bound", "f8", 0),  # what it must be worth in this world
        ("total", "f8", 0),  # what it is worth in the worlds so far, by weight
        ("chosen", "i8", 0),  # the best action of this depth
        ("top", "f8", 0),  # what it is worth
        ("done", "i8", 0),  # 1: nothing is left to search
        ("nodes", "i8", 0),  # positions that were looked at
        ("reference", "f8", MOST_WORLDS),  # what the best action is worth in each world
        ("trial", "f8", MOST_WORLDS),  # the same of the action in hand
        # by ply, from 1
        ("ply", "i8", 0),  # of the position in hand; 0: the root
        ("mover", "i8", PLIES + 2),
        ("left", "i8", PLIES + 2),  # plies to the horizon
        ("options", "i8", PLIES + 2),  # how many
        ("next", "i8", PLIES + 2),  # the option to be searched next
        ("lower", "f8", PLIES + 2),
        ("upper", "f8", PLIES + 2),
        ("best", "f8", PLIES + 2),
        ("option", "i4", (PLIES + 2, actions)),
        # for a moment
        ("history", "i8", SEATS * actions),
        ("listed", "i8", actions),
        ("key", "f8", actions),
        ("open", "i8", 0),  # 1: the latest visit was not to an end
        ("actions", "i8", SEATS),
        ("ranks", "i8", SEATS),
    )


@flat
def work(task: int, worlds: Any, count: int, states: Any, desk: Any, most: int) -> int:
    """All that is called from outside: one function, so that what they share is compiled once."""
    if task == BEGIN:
        begin(worlds, count, states, desk)
        return 0
    if task == GLANCE:
        return glance(worlds, states, desk)
    return go_on(worlds, count, states, desk, most)


# --- the root -------------------------------------------------------------------------------------------------------


@flat
def begin(worlds: Any, count: int, states: Any, desk: Any) -> None:
    """Take up a position: the root's actions, in order of the value right after them."""
    seat = 0 if acts(worlds[0], 0) else 1
    desk.seat = seat
    desk.count = legal(worlds[0], seat, desk.listed)
    desk.nodes = 0
    for i in range(len(desk.history)):
        desk.history[i] = 0
    for i in range(desk.count):
        worth = 0.0
        for world in range(count):
            put(states, 1, worlds, world)
            worth += desk.weight[world] * visit(states, 1, seat, desk.listed[i], 1, 0, desk)
        desk.key[i] = worth
    sort(desk, desk.count)
    for i in range(desk.count):
        desk.action[i] = desk.listed[i]
        desk.worth[i] = desk.key[i]
    desk.ply = 0
    desk.top = desk.worth[0]
    start_depth(desk, 2)
    if desk.count == 1:
        desk.done = 1


@flat
def start_depth(desk: Any, depth: int) -> None:
    """Begin with the root's first action again, one ply deeper."""
    desk.depth = depth
    desk.at = 0
    desk.world = 0
    desk.total = 0.0
    desk.chosen = 0
    desk.done = 1 if depth > desk.deepest else 0


@flat
def go_on(worlds: Any, count: int, states: Any, desk: Any, most: int) -> int:
    """Look at `most` more positions, or a few more; returns 1 when nothing is left to search."""
    end = desk.nodes + most
    while desk.done == 0 and desk.nodes < end:
        if desk.ply > 0:
            walk(count, states, desk)
        else:
            try_action(worlds, count, states, desk)
    return desk.done  # type: ignore[no-any-return]


@flat
def try_action(worlds: Any, count: int, states: Any, desk: Any) -> None:
    """Begin to search the root's action in hand in the world in hand."""
    world = desk.world
    desk.bound = -BEYOND
    if desk.at > 0:
        missing = desk.top - desk.total
        for other in range(world + 1, count):
            missing -= desk.weight[other] * (desk.reference[other] + desk.slack)
        desk.bound = missing / desk.weight[world]
    put(states, 1, worlds, world)
    worth = visit(states, 1, desk.seat, desk.action[desk.at], 1, desk.depth - 1, desk)
    if desk.open == 0:
        note(count, worth, desk)
    else:
        mover = 0 if acts(states[1], 0) else 1
        if mover == desk.seat:
            enter(states, 1, mover, desk.depth - 1, desk.bound, BEYOND, desk)
        else:
            enter(states, 1, mover, desk.depth - 1, -BEYOND, -desk.bound, desk)


@flat
def note(count: int, worth: float, desk: Any) -> None:
    """Note what the root's action in hand is worth in the world in hand, and go to the next one."""
    world = desk.world
    desk.trial[world] = worth
    desk.total += desk.weight[world] * worth
    fails = desk.at > 0 and worth <= desk.bound
    desk.world += 1
    if fails or desk.world == count:
        if not fails and (desk.at == 0 or desk.total > desk.top):
            desk.chosen = desk.at
            desk.top = desk.total
            for other in range(count):
                desk.reference[other] = desk.trial[other]
        desk.world = 0
        desk.total = 0.0
        desk.at += 1
        if desk.at == desk.count:
            end_depth(desk)


@flat
def end_depth(desk: Any) -> None:
    """Put the best action in front of the others, and go one ply deeper."""
    best = desk.action[desk.chosen]
    for i in range(desk.chosen, 0, -1):
        desk.action[i] = desk.action[i - 1]
    desk.action[0] = best
    start_depth(desk, desk.depth + 1)


# --- below it -------------------------------------------------------------------------------------------------------


@flat
def enter(states: Any, ply: int, mover: int, left: int, lower: float, upper: float, desk: Any) -> None:
    """Take up the position at a ply: its options, in the order in which they will be searched."""
    count = legal(states[ply], mover, desk.listed)
    if left > 1:
        for i in range(count):
            put(states, ply + 1, states, ply)
            desk.key[i] = visit(states, ply + 1, mover, desk.listed[i], ply + 1, 0, desk)
    else:
        for i in range(count):
            desk.key[i] = desk.history[mover * len(desk.listed) + desk.listed[i]]
    sort(desk, count)
    if left > 1 and 0 < desk.width < count:
        count = desk.width
    base = ply * len(desk.listed)
    for i in range(count):
        desk.option[base + i] = desk.listed[i]
    desk.ply = ply
    desk.mover[ply] = mover
    desk.left[ply] = left
    desk.options[ply] = count
    desk.next[ply] = 0
    desk.lower[ply] = lower
    desk.upper[ply] = upper
    desk.best[ply] = -BEYOND


@flat
def walk(count: int, states: Any, desk: Any) -> None:
    """Search the next option of the position in hand, or go back out of it."""
    ply = desk.ply
    mover = desk.mover[ply]
    if desk.next[ply] == desk.options[ply]:
        leave(count, desk)
    else:
        action = desk.option[ply * len(desk.listed) + desk.next[ply]]
        desk.next[ply] += 1
        put(states, ply + 1, states, ply)
        worth = visit(states, ply + 1, mover, action, ply + 1, desk.left[ply] - 1, desk)
        if desk.open == 0:
            give(ply, worth, desk)
        else:
            follower = 0 if acts(states[ply + 1], 0) else 1
            if follower == mover:
                enter(states, ply + 1, follower, desk.left[ply] - 1, desk.lower[ply], desk.upper[ply], desk)
            else:
                enter(states, ply + 1, follower, desk.left[ply] - 1, -desk.upper[ply], -desk.lower[ply], desk)


@flat
def leave(count: int, desk: Any) -> None:
    """Go back to the position before this one, with what this one is worth."""
    ply = desk.ply
    worth = desk.best[ply]
    before = desk.seat if ply == 1 else desk.mover[ply - 1]
    if before != desk.mover[ply]:
        worth = -worth
    desk.ply = ply - 1
    if ply == 1:
        note(count, worth, desk)
    else:
        give(ply - 1, worth, desk)


@flat
def give(ply: int, worth: float, desk: Any) -> None:
    """Tell the position at a ply what its latest option is worth."""
    if worth > desk.best[ply]:
        desk.best[ply] = worth
        if worth > desk.lower[ply]:
            desk.lower[ply] = worth
        if worth >= desk.upper[ply]:
            width = len(desk.listed)
            action = desk.option[ply * width + desk.next[ply] - 1]
            desk.history[desk.mover[ply] * width + action] += desk.left[ply] * desk.left[ply]
            desk.next[ply] = desk.options[ply]


@flat
def visit(states: Any, at: int, seat: int, action: int, ply: int, left: int, desk: Any) -> float:
    """Play a seat's action on the state at this place: what it is worth then, if the match or the search ends there.

    Else `open` is 1.
    """
    s = states[at]
    desk.nodes += 1
    desk.actions[seat] = action
    step(s, desk.actions, None)
    desk.open = 0
    if over(s):
        return end_worth(s, seat, ply, desk)
    if left == 0:
        return value(s, seat)  # type: ignore[no-any-return]
    desk.open = 1
    return 0.0


@flat
def end_worth(s: Any, seat: int, ply: int, desk: Any) -> float:
    """What the end of a match is worth: to win early, to lose late."""
    places(s, desk.ranks)
    worth = 0.0
    if desk.ranks[seat] < desk.ranks[1 - seat]:
        worth = WON - ply
    elif desk.ranks[seat] > desk.ranks[1 - seat]:
        worth = ply - WON
    return worth


@flat
def sort(desk: Any, count: int) -> None:
    """Order the listed actions by their keys, the highest first; equal ones stay as they are."""
    for i in range(1, count):
        key = desk.key[i]
        action = desk.listed[i]
        at = i
        while at > 0 and desk.key[at - 1] < key:
            desk.key[at] = desk.key[at - 1]
            desk.listed[at] = desk.listed[at - 1]
            at -= 1
        desk.key[at] = key
        desk.listed[at] = action


@flat
def glance(worlds: Any, states: Any, desk: Any) -> int:
    """Fill `listed` with what may be done in the first world, and `key` with the value right after each; how many."""
    s = worlds[0]
    seat = 0 if acts(s, 0) else 1
    count = legal(s, seat, desk.listed)
    for i in range(count):
        put(states, 1, worlds, 0)
        desk.key[i] = visit(states, 1, seat, desk.listed[i], 1, 0, desk)
    return count  # type: ignore[no-any-return]
