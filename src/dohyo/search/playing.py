"""What every search does with a state: play on with dice of its own, play out to a horizon, judge what is there.

Written in the rules' common language (`dohyo.core.flat`), over names that are left open here: the game's rules, the
search's `value` and `policy`, and `put`, which copies a state. They are supplied when a search is made, by
`dohyo.search.bound` for plain Python and by `dohyo.sim` for the compiled form.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from dohyo.core.flat import flat

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
value: Any = None  # (s, seat) -> how good the state is for the seat, -1..1
policy: Any = None  # (s, seat, options, count, luck) -> the action that the seat takes in a playout
put: Any = None  # (states, to, others, at): states[to] becomes a copy of others[at]

PLAYED, AHEAD = 0, 1  # places in `Desk.states`: the playout's state, one that looks ahead


class Desk(NamedTuple):
    """Where a search puts things meanwhile: lists, or arrays of NumPy's."""

    states: Any  # states
    sources: Any  # the source of the dice, alone
    luck: Any  # one number
    options: Any  # room for every action
    own: Any  # the same, for the options of the seat whose plan it is
    edge_of: Any  # by action: its edge at the node in hand, -1 everywhere else
    actions: Any  # one a seat
    dice: Any
    ranks: Any  # one a seat: its place
    result: Any  # doubles, one a seat: how good the end of a playout is for it, -1..1
    path: Any  # the edges that a playout has taken
    path_at: Any  # where they begin: node * seats + seat


class How(NamedTuple):
    """How a search goes about it."""

    seats: int
    horizon: int  # turns that are played out below the tree
    ahead: int  # 1: an action's first visit is the value of the state after it
    by_places: int  # 1: the horizon is judged by the places that the rules give, not by `value`
    explore: float  # what weighs how little an action was tried


@flat
def go_on(s: Any, desk: Desk) -> None:
    """Play a turn with the actions that lie on the desk, and roll what dice have to be rolled then."""
    step(s, desk.actions, None)
    while not over(s) and needs_dice(s):
        roll(s, desk.sources[0], desk.dice)
        deal(s, desk.dice, None)


@flat
def play_out(s: Any, desk: Desk, how: How) -> None:
    """Play turns by the policy, up to the horizon, and fill `desk.result`."""
    for _ in range(how.horizon):
        if over(s):
            break
        for seat in range(how.seats):
            if acts(s, seat):
                count = legal(s, seat, desk.options)
                desk.actions[seat] = policy(s, seat, desk.options, count, desk.luck)
        go_on(s, desk)
    judge(s, desk, how)


@flat
def judge(s: Any, desk: Desk, how: How) -> None:
    """Fill `desk.result` with how good a state is for every seat."""
    if over(s) or how.by_places == 1:
        places(s, desk.ranks)
        for seat in range(how.seats):
            desk.result[seat] = reward(desk.ranks, seat, how.seats)
    else:
        for seat in range(how.seats):
            desk.result[seat] = value(s, seat)


@flat
def worth(s: Any, seat: int, desk: Desk, how: How) -> float:
    """How good a state is for one seat."""
    if over(s) or how.by_places == 1:
        places(s, desk.ranks)
        return reward(desk.ranks, seat, how.seats)
    return value(s, seat)  # type: ignore[no-any-return]


@flat
def reward(ranks: Any, seat: int, seats: int) -> float:
    """What a seat's place is worth: those behind it less those before it, as a share of all others."""
    ahead = 0
    for other in range(seats):
        if ranks[other] > ranks[seat]:
            ahead += 1
        elif ranks[other] < ranks[seat]:
            ahead -= 1
    return ahead / (seats - 1) if seats > 1 else 0.0


# --- what is supplied ----------------------------------------------------------------------------------------------


@flat
def put_record(states: Any, to: int, others: Any, at: int) -> None:
    """`put` over arrays of records."""
    states[to] = others[at]


@flat
def nothing(s: Any, seat: int) -> float:
    """The `value` of a search that judges by places, which never calls it."""
    return 0.0
