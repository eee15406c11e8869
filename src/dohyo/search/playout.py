"""What every search does with a state: play on with dice of its own, play to a horizon, evaluate the state there.

Written in the rules' common language (`dohyo.core.flat`), over names that are left open here: the game's rules, the
search's `value` and `policy`, and `put`, which copies a state. They are supplied when a search is made, by
`dohyo.search.backend.bound` for plain Python and by `dohyo.sim` for the compiled form.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dohyo.core.flat import Layout, flat

# The rules' functions that searches call. `legal` may be replaced by the actions that are worth a look.
RULES = ("acts", "legal", "needs_dice", "roll", "deal", "step", "over", "places")

acts: Any = None
legal: Any = None
needs_dice: Any = None
roll: Any = None
deal: Any = None
step: Any = None
over: Any = None
places: Any = None
payoffs: Any = None  # (s, seats, ranks, out), of `dohyo.core.rewards`
value: Any = None  # (s, seat) -> how good the state is for the seat, -1..1
candidates: Any = None  # (s, seat, options) -> how many the policy chooses from
taken: Any = None  # (s, seat, answer, options) -> the action that the policy's answer means
rate: Any = None  # (s, scratch): fills `scratch.result` for all seats at once, in the place of `value`
policy: Any = None  # (s, seat, options, count, luck) -> the action that the seat takes in a playout
put: Any = None  # (states, to, others, at): states[to] becomes a copy of others[at]

PLAYED, AHEAD = 0, 1  # places in the row of working states: the playout's, one that looks ahead


def scratch_layout(
    actions: int, dice: int, seats: int, path: int, room: Sequence[tuple[str, str, int]] = ()
) -> Layout:
    """The fields of a scratch record: what a search was told, and where it puts things meanwhile.

    One record in the place of many arrays: compiled functions hand it on as one pointer. `room` are fields of the
    game's own, which its `rate` and `policy` work in.
    """
    return Layout(
        "Scratch",
        ("word", "i8", 0),  # what the search's own luck goes on from: see `dohyo.core.cheap_random`
        ("seats", "i8", 0),
        ("horizon", "i8", 0),  # turns that are played out below the tree
        ("ahead", "i8", 0),  # 1: an action's first visit is the value of the state after it
        ("by_places", "i8", 0),  # 1: the horizon is judged by the places that the rules give, not by `value`
        ("by_rate", "i8", 0),  # 1: the horizon is judged by `rate`, not by `value`
        ("by_win", "i8", 0),  # 1: of places, only the first counts
        ("depth", "i8", 0),  # turns that a playout may take within the tree, times the seats
        ("explore", "f8", 0),  # what weighs how little an action was tried
        ("adapts", "i8", 0),  # 1: results may be any numbers, and exploring is as wide as they are
        ("low", "f8", 0),  # the least result since the tree was planted, and the greatest
        ("high", "f8", 0),
        ("options", "i8", actions),
        ("own", "i8", actions),  # the options of the seat whose plan it is
        ("edge_of", "i8", actions),  # by action: its edge at the node in hand, -1 everywhere else
        ("actions", "i8", seats),
        ("dice", "i8", max(dice, 1)),
        ("ranks", "i8", seats),  # by seat: its place
        ("result", "f8", seats),  # how good the end of a playout is for each seat: by places -1..1, else its payoff
        ("paid", "f8", seats),
        ("total", "f8", seats),  # the sum of all playouts' results since the tree was planted
        ("path", "i8", path),  # the edges that a playout has taken
        ("path_at", "i8", path),  # where they begin: node * seats + seat
        *room,
    )


@flat
def go_on(s: Any, source: Any, scratch: Any) -> None:
    """Play a turn with the actions in `scratch`, and roll what dice have to be rolled then."""
    step(s, scratch.actions, None)
    while not over(s) and needs_dice(s):
        roll(s, source, scratch.dice)
        deal(s, scratch.dice, None)


@flat
def play_out(s: Any, source: Any, scratch: Any) -> None:
    """Play turns by the policy, up to the horizon, and fill `scratch.result`."""
    for _ in range(scratch.horizon):
        if over(s):
            break
        for seat in range(scratch.seats):
            if acts(s, seat):
                count = candidates(s, seat, scratch.options)
                answer = policy(s, seat, scratch.options, count, scratch)
                scratch.actions[seat] = taken(s, seat, answer, scratch.options)
        go_on(s, source, scratch)
    judge(s, scratch)


@flat
def judge(s: Any, scratch: Any) -> None:
    """Fill `scratch.result` with how good a state is for every seat."""
    if over(s) or scratch.by_places == 1:
        pay(s, scratch, scratch.result)
    elif scratch.by_rate == 1:
        rate(s, scratch)
    else:
        for seat in range(scratch.seats):
            scratch.result[seat] = value(s, seat)


@flat
def worth(s: Any, seat: int, scratch: Any) -> float:
    """How good a state is for one seat."""
    if over(s) or scratch.by_places == 1:
        pay(s, scratch, scratch.paid)
        return scratch.paid[seat]  # type: ignore[no-any-return]
    if scratch.by_rate == 1:
        rate(s, scratch)
        return scratch.result[seat]  # type: ignore[no-any-return]
    return value(s, seat)  # type: ignore[no-any-return]


@flat
def pay(s: Any, scratch: Any, out: Any) -> None:
    """Fill `out` with what a match that is over, or would be, is worth to each seat."""
    places(s, scratch.ranks)
    if scratch.by_win == 0:
        payoffs(s, scratch.seats, scratch.ranks, out)
    else:
        for seat in range(scratch.seats):
            out[seat] = prize(scratch, seat)


@flat
def prize(scratch: Any, seat: int) -> float:
    """1 for the only first, -1 for all behind; several first ones share it."""
    if scratch.ranks[seat] != 1:
        return -1.0
    first = 0
    for other in range(scratch.seats):
        if scratch.ranks[other] == 1:
            first += 1
    return 2.0 / first - 1.0


@flat
def note(result: float, scratch: Any) -> None:
    """Widen the range of results, where it is not known beforehand."""
    if scratch.adapts == 1:
        if scratch.low > scratch.high:  # there was none yet
            scratch.low = result
            scratch.high = result
        elif result < scratch.low:
            scratch.low = result
        elif result > scratch.high:
            scratch.high = result


@flat
def forget_range(scratch: Any) -> None:
    """Begin with the range of places, or with none."""
    scratch.low = 1.0 if scratch.adapts == 1 else -1.0
    scratch.high = -1.0 if scratch.adapts == 1 else 1.0


@flat
def half_range(scratch: Any) -> float:
    """Half of the range of results, by which exploring is measured: 1 for places, and while all were the same."""
    half = (scratch.high - scratch.low) / 2.0
    return half if half > 0.0 else 1.0


# --- what is supplied ----------------------------------------------------------------------------------------------


@flat
def the_answer(s: Any, seat: int, answer: int, options: Any) -> int:
    """`taken` for a policy that answers with an action."""
    return answer


@flat
def nothing(s: Any, seat: int) -> float:
    """The `value` of a search that judges by places, which never calls it."""
    return 0.0


@flat
def rate_nothing(s: Any, scratch: Any) -> None:
    """The `rate` of a search that judges by `value` or by places, which never calls it."""
