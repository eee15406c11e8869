"""Turns of a batch: what happens to one game in its slot, and loops over a span of slots.

Theory of operation
-------------------
A batch is a few arrays of equal length; number i of each belongs to slot i, in which one game follows the other:

    states    the game's state
    sources   where its dice come from
    slots     what the batch itself keeps, see `SLOT`

What happens to a slot is a function here that gets the arrays and the number; a loop on a CPU calls it for each slot
of a span, a GPU for each of its threads. All are written in the common language of `dohyo.core.flat`. They leave the
rules' names open: those are supplied when they are compiled. Scratch rows that the rules fill come from the caller,
one set a thread, because nothing here allocates.

A game that ends gives way to the next one in the same step, unless the batch is to stop there (`renew` 0).
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import Layout, flat
from dohyo.sim.luck import below, match_seed

# The rules' names that are left open here, and supplied when it is compiled.
RULES = ("acts", "deal", "legal", "needs_dice", "over", "places", "roll", "step", "winner")
acts: Any = None
deal: Any = None
legal: Any = None
needs_dice: Any = None
over: Any = None
places: Any = None
roll: Any = None
step: Any = None
winner: Any = None
reseed: Any = None  # of `dohyo.core.flat`, or the game's own
observe: Any = None  # of the game's sight
policy: Any = None  # policy(s, seat, options, count, luck) -> action
policy_0: Any = None
policy_1: Any = None
policy_2: Any = None
policy_3: Any = None

SLOT = Layout(
    "Slot",
    ("word", "i8", 0),  # what the policies' random numbers go on from
    ("game", "i8", 0),  # the number of the game in this slot, from 0
    ("turn", "i8", 0),  # turns of this game so far
    ("ended", "i8", 0),  # 1: it is over, and waits for `begin`
)

TOLD_APART = 4  # policies that can be told apart by seat; from there on all seats share the last


# --- one slot ------------------------------------------------------------------------------------------------------


@flat
def begin(at: int, states: Any, blank: Any, sources: Any, slots: Any, dice: Any, low: int, high: int) -> None:
    """Begin the slot's game anew, with the seed of its number."""
    states[at] = blank[0]
    slots[at].turn = 0
    slots[at].ended = 0
    reseed(sources[at], match_seed(low, high, at, slots[at].game))
    let_dice_move(at, states, sources, slots, dice)


@flat
def let_dice_move(at: int, states: Any, sources: Any, slots: Any, dice: Any) -> None:
    """Let the dice move, if it is their turn."""
    if needs_dice(states[at]):
        sources[at].turn = slots[at].turn
        sources[at].draw = 0
        roll(states[at], sources[at], dice)
        deal(states[at], dice, None)


@flat
def play(at: int, states: Any, sources: Any, slots: Any, dice: Any, actions: Any) -> bool:
    """Play one turn with these actions, one a seat; whether the game is over with it."""
    step(states[at], actions, None)
    slots[at].turn += 1
    let_dice_move(at, states, sources, slots, dice)
    return over(states[at])  # type: ignore[no-any-return]


@flat
def reward(seats: int, ranks: Any, seat: int) -> float:
    """What a place is worth: (seats behind it - seats ahead of it) / (all others); in a game for one, 0."""
    balance = 0
    for other in range(seats):
        if ranks[other] > ranks[seat]:
            balance += 1
        elif ranks[other] < ranks[seat]:
            balance -= 1
    return balance / (seats - 1) if seats > 1 else 0.0


@flat
def is_allowed(s: Any, seat: int, action: int, options: Any, conceded: Any) -> bool:
    """Whether the rules accept this action, a number of theirs, from the seat."""
    if conceded[action]:
        return True
    for k in range(legal(s, seat, options)):
        if options[k] == action:
            return True
    return False


@flat
def uniform_legal(s: Any, seat: int, options: Any, count: int, luck: Any) -> int:
    """The policy of random play: each of the `count` legal actions in `options` is as likely as the others."""
    return options[below(luck, count)]  # type: ignore[no-any-return]


@flat
def by_seat(s: Any, seat: int, options: Any, count: int, luck: Any) -> int:
    """The policy of a table at which not all play alike."""
    if seat == 0:
        return policy_0(s, seat, options, count, luck)  # type: ignore[no-any-return]
    if seat == 1:
        return policy_1(s, seat, options, count, luck)  # type: ignore[no-any-return]
    if seat == 2:
        return policy_2(s, seat, options, count, luck)  # type: ignore[no-any-return]
    return policy_3(s, seat, options, count, luck)  # type: ignore[no-any-return]


# --- spans of slots ------------------------------------------------------------------------------------------------


@flat
def begin_span(
    first: int,
    last: int,
    which: Any,
    states: Any,
    blank: Any,
    sources: Any,
    slots: Any,
    dice: Any,
    low: int,
    high: int,
) -> None:
    """Begin the games of the slots that `which` names, from their number on."""
    for at in range(first, last):
        if which[at]:
            begin(at, states, blank, sources, slots, dice, low, high)


@flat
def find_illegal(first: int, last: int, states: Any, slots: Any, given: Any, wrong: Any, scratch: Any) -> int:
    """Note in `wrong` (a row a slot, a place a seat) who acts against the rules; how many do.

    `given` has a row of actions a slot: one a seat, or a single one, the mover's.
    """
    found = 0
    for at in range(first, last):
        for seat in range(wrong.shape[1]):
            wrong[at, seat] = 0
            if slots[at].ended == 0 and acts(states[at], seat):
                action = given[at, seat if given.shape[1] > 1 else 0]
                if not is_allowed(states[at], seat, action, scratch.options, scratch.conceded):
                    wrong[at, seat] = 1
                    found += 1
    return found


@flat
def step_span(
    first: int,
    last: int,
    states: Any,
    blank: Any,
    sources: Any,
    slots: Any,
    given: Any,
    rewards: Any,
    done: Any,
    scratch: Any,
    low: int,
    high: int,
    renew: int,
) -> None:
    """Play a turn in every slot whose game goes on; who won is in `rewards`, what has ended in `done`."""
    seats = rewards.shape[1]
    for at in range(first, last):
        done[at] = False
        for seat in range(seats):
            rewards[at, seat] = 0.0
            scratch.actions[seat] = given[at, seat if given.shape[1] > 1 else 0]
        if slots[at].ended == 0 and play(at, states, sources, slots, scratch.dice, scratch.actions):
            done[at] = True
            places(states[at], scratch.ranks)
            for seat in range(seats):
                rewards[at, seat] = reward(seats, scratch.ranks, seat)
            slots[at].game += 1
            slots[at].ended = 1
            if renew:
                begin(at, states, blank, sources, slots, scratch.dice, low, high)


@flat
def acting_span(first: int, last: int, states: Any, slots: Any, out: Any) -> None:
    """Note in `out` (a row a slot) which seats must act."""
    for at in range(first, last):
        for seat in range(out.shape[1]):
            out[at, seat] = slots[at].ended == 0 and acts(states[at], seat)


@flat
def legal_span(first: int, last: int, states: Any, slots: Any, out: Any, scratch: Any) -> None:
    """Note in `out` (a table a slot, a row a seat) which actions are legal; none for seats that need not act."""
    for at in range(first, last):
        for seat in range(out.shape[1]):
            for action in range(out.shape[2]):
                out[at, seat, action] = False
            if slots[at].ended == 0 and acts(states[at], seat):
                for k in range(legal(states[at], seat, scratch.options)):
                    out[at, seat, scratch.options[k]] = True


@flat
def observe_span(first: int, last: int, states: Any, out: Any) -> None:
    """Write to `out` (a table a slot, a row a seat) what each seat sees."""
    for at in range(first, last):
        for seat in range(out.shape[1]):
            observe(states[at], seat, out[at, seat])


@flat
def roll_span(
    first: int,
    last: int,
    states: Any,
    blank: Any,
    sources: Any,
    slots: Any,
    wins: Any,
    scratch: Any,
    low: int,
    high: int,
    steps: int,
) -> None:
    """Play so many turns in every slot as the policy says; `wins` counts games by winner, the last by nobody."""
    for at in range(first, last):
        roll_on(at, states, blank, sources, slots, wins, scratch, low, high, steps)


@flat
def roll_on(
    at: int,
    states: Any,
    blank: Any,
    sources: Any,
    slots: Any,
    wins: Any,
    scratch: Any,
    low: int,
    high: int,
    steps: int,
) -> None:
    """Play so many turns in one slot."""
    seats = wins.shape[1] - 1
    if slots[at].ended == 1:
        begin(at, states, blank, sources, slots, scratch.dice, low, high)
    for _ in range(steps):
        for seat in range(seats):
            if acts(states[at], seat):
                count = legal(states[at], seat, scratch.options)
                scratch.actions[seat] = policy(states[at], seat, scratch.options, count, slots[at])
        if play(at, states, sources, slots, scratch.dice, scratch.actions):
            wins[at, winner(states[at])] += 1  # -1, nobody, is the last
            slots[at].game += 1
            begin(at, states, blank, sources, slots, scratch.dice, low, high)
