"""What alpha-beta knows, so that it can be interrupted, and what it decides by that alone: in the common language.

`deepening.py` is the search itself, and says how it works.
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import Layout, flat
from dohyo.search.transpositions import AT_LEAST, AT_MOST, bound_at, left_at

SEATS = 2
PLIES = 20  # below the root, at most
LAST = 60  # ply at which every line ends, with all that follows beyond the horizon
MAX_WORLDS = 32
BEGIN, GO_ON, GLANCE = 0, 1, 2  # what `work` does
WON = 1e6  # what a won match is worth, less one for each ply until then
CERTAIN = WON - 1000  # what is worth more is a won match
BEYOND = 1e9  # more than anything is worth
TINY = 1e-6  # the width of an empty window
NEXT, REDUCED, SCOUT, FULL, PASS = 0, 1, 2, 3, 4  # how the option in hand is tried; NEXT: it is done
UNLISTED = -1  # how many options there are, before they are listed
FIRST, LOUD, KILLER = 8e9, 2e9, 1e9  # are added to the keys of options, beside what they gain, or have cut off
PICKED = 6  # options on the last ply that are searched in order; the others as they are listed
ROOT_LATE = 3  # times as many actions are searched at full depth at the root
SHALLOW = 6  # plies to the horizon at which a position may be left as it is


TOLD = (
    ("deepest", "i8", 0),  # plies, at most
    ("width", "i8", 0),  # actions of a position that are searched; 0: all
    ("slack", "f8", 0),
    ("late", "i8", 0),  # options of a position before those that are searched less deep; 0: none are
    ("loud", "f8", 0),  # what actions beyond the horizon gain at least; 0: none are followed
    ("margin", "f8", 0),  # what a turn changes the value by, as a rule; 0: nothing is left out
    ("by_gain", "i8", 0),  # 1: `gain` is known
    ("by_skip", "i8", 0),  # 1: `skip` is known
    ("by_identity", "i8", 0),  # 1: `identity` is known, and a position that comes again is a draw
    ("scouts", "i8", 0),  # 1: empty windows are tried first
    ("weight", "f8", MAX_WORLDS),  # by world; their sum is 1
)
ROOT = (
    ("seat", "i8", 0),
    ("count", "i8", 0),
    ("depth", "i8", 0),  # that is searched now
    ("at", "i8", 0),  # the action in hand
    ("world", "i8", 0),
    ("bound", "f8", 0),  # what it must be worth in this world
    ("total", "f8", 0),  # what it is worth in the worlds so far, by weight
    ("chosen", "i8", 0),  # the best action of this depth
    ("top", "f8", 0),  # what it is worth
    ("done", "i8", 0),  # 1: nothing is left to search
    ("nodes", "i8", 0),  # positions that were looked at
    ("reference", "f8", MAX_WORLDS),  # what the best action is worth in each world
    ("trial", "f8", MAX_WORLDS),  # the same of the action in hand
)
BY_PLY = (  # from 1
    ("ply", "i8", 0),  # of the position in hand; 0: the root
    ("mover", "i8", LAST + 2),
    ("left", "i8", LAST + 2),  # plies to the horizon; below 1 beyond it
    ("options", "i8", LAST + 2),  # how many
    ("next", "i8", LAST + 2),  # the option to be searched next
    ("trying", "i8", LAST + 2),  # how the one before it is searched
    ("passed", "i8", LAST + 2),  # 1: the position is after a pass
    ("first", "i8", LAST + 2),  # the action that was best before; NOBODY if none is known
    ("hinted", "i8", LAST + 2),  # 1: only that action is listed
    ("floor", "f8", LAST + 2),  # the window in the beginning is from this to `upper`
    ("lower", "f8", LAST + 2),
    ("upper", "f8", LAST + 2),
    ("now", "f8", LAST + 2),  # the value as it is, for the mover
    ("still", "f8", LAST + 2),  # options with keys below this are quiet
    ("best", "f8", LAST + 2),
    ("chose", "i8", LAST + 2),  # the action that is best, if one is better than the window's floor
    ("killers", "i8", 2 * (LAST + 2)),
    ("key_a", "i8", LAST + 2),
    ("key_b", "i8", LAST + 2),
)


def stack_layout(actions: int) -> Layout:
    """The fields of a stack: all that the search knows, so that it can be interrupted."""
    return Layout(
        "Stack",
        *TOLD,
        *ROOT,
        *BY_PLY,
        ("action", "i8", actions),  # the best of the last depth first
        ("worth", "f8", actions),  # of each, by the value right after it
        ("option", "i4", (LAST + 2, actions)),
        ("rank", "f8", (LAST + 2, actions)),  # the keys of the options
        # for a moment
        ("history", "i8", SEATS * actions),
        ("listed", "i8", actions),
        ("key", "f8", actions),
        ("open", "i8", 0),  # 1: the latest visit was not to an end
        ("is_heard", "i8", 0),  # 1: the value of the position that is to be taken up is `heard`, for who moved there
        ("heard", "f8", 0),
        ("a", "i8", 0),
        ("b", "i8", 0),
        ("actions", "i8", SEATS),
        ("by_payoff", "i8", 0),  # 1: an end is worth what it pays; else a won match is worth more than all
        ("paid", "f8", SEATS),
        ("ranks", "i8", SEATS),
    )


@flat
def prunes(ply: int, stack: Any) -> bool:
    """Whether a position near the horizon is so good that the mover need not do anything."""
    left, upper = stack.left[ply], stack.upper[ply]
    return (  # type: ignore[no-any-return]
        left <= SHALLOW
        and upper - stack.lower[ply] <= 2 * TINY
        and abs(upper) < CERTAIN
        and stack.now[ply] - stack.margin * left >= upper
    )


@flat
def may_pass(ply: int, stack: Any) -> bool:
    """Whether it is tried if the mover is well off even after a pass."""
    upper = stack.upper[ply]
    return (  # type: ignore[no-any-return]
        stack.by_skip == 1
        and stack.passed[ply] == 0
        and stack.left[ply] >= 2
        and upper - stack.lower[ply] <= 2 * TINY
        and abs(upper) < CERTAIN
        and stack.now[ply] >= upper
    )


@flat
def pick(ply: int, at: int, stack: Any) -> None:
    """Put the best of a position's options, from one place on, at that place; the others keep their order."""
    base = ply * len(stack.listed)
    best = at
    for i in range(at + 1, stack.options[ply]):
        if stack.rank[base + i] > stack.rank[base + best]:
            best = i
    rank, action = stack.rank[base + best], stack.option[base + best]
    for i in range(best, at, -1):
        stack.rank[base + i] = stack.rank[base + i - 1]
        stack.option[base + i] = stack.option[base + i - 1]
    stack.rank[base + at] = rank
    stack.option[base + at] = action


@flat
def is_late(ply: int, at: int, rank: float, is_quiet: bool, stack: Any) -> bool:
    """Whether an option, and all that come after it, are left out."""
    left, now, lower = stack.left[ply], stack.now[ply], stack.lower[ply]
    if left <= 0:
        after = now + rank - LOUD if stack.by_gain == 1 else rank
        return after + stack.margin <= lower  # type: ignore[no-any-return]
    if not is_quiet or at == 0 or left > 4:
        return False
    return at >= 4 + 3 * left * left or now + stack.margin * left <= lower  # type: ignore[no-any-return]


@flat
def reduction(left: int, at: int, stack: Any) -> int:
    """By how many plies a late quiet option is searched less deep at first."""
    fewer = 1
    if stack.margin == 0.0:
        return fewer
    if left >= 4 and at >= 6:
        fewer += 1
    if left >= 6 and at >= 12:
        fewer += 1
    if left >= 8 and at >= 20:
        fewer += 1
    return fewer


@flat
def cut_off(ply: int, stack: Any) -> None:
    """The latest option is too good to be allowed: the others need not be searched."""
    at = ply * len(stack.listed) + stack.next[ply] - 1
    action, left = stack.option[at], stack.left[ply]
    stack.next[ply] = stack.options[ply]
    stack.hinted[ply] = 0
    if left <= 0:
        return
    rank = stack.rank[at] - FIRST if stack.rank[at] > FIRST / 2 else stack.rank[at]
    if stack.by_gain == 0 or rank < LOUD:
        stack.history[stack.mover[ply] * len(stack.listed) + action] += left * left
        if stack.killers[2 * ply] != action:
            stack.killers[2 * ply + 1] = stack.killers[2 * ply]
            stack.killers[2 * ply] = action


@flat
def mover_before(ply: int, stack: Any) -> int:
    """Who has acted to come to the position at a ply."""
    return stack.seat if ply == 1 else stack.mover[ply - 1]  # type: ignore[no-any-return]


@flat
def comes_again(ply: int, stack: Any) -> bool:
    """Whether the position was there already on the way from the root."""
    before = 0
    while before < ply and stack.key_a[before] != stack.key_a[ply]:
        before += 1
    return before < ply


@flat
def is_known(ply: int, at: int, stack: Any, table: Any) -> bool:
    """Whether an entry says all that is asked of the position at a ply: to the same depth, or at least to it."""
    left, bound = left_at(table, at), bound_at(table, at)
    if left < stack.left[ply] or (left > stack.left[ply] and stack.margin == 0.0):
        return False
    worth = moved(table.worth[at], -ply, stack)
    if bound == AT_LEAST:
        return worth >= stack.upper[ply]  # type: ignore[no-any-return]
    if bound == AT_MOST:
        return worth <= stack.lower[ply]  # type: ignore[no-any-return]
    return True


@flat
def moved(worth: float, plies: int, stack: Any) -> float:
    """What is worth so much, met so many plies later: a win is as many plies further away."""
    if stack.by_payoff == 1 or abs(worth) < CERTAIN:
        return worth
    return worth + plies if worth > 0.0 else worth - plies


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
