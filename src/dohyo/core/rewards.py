"""What a match is worth to each seat, for learners, searches and solvers: its place, its points, one's own function.

    reward = rewards_of(game, 2, "score")
    reward.payoffs_of(state)            # each seat's, in a match that is over

The words, in a match of n seats that is over:

    place    (seats behind - seats ahead) / (n - 1): 1 for the best, -1 for the last; sums to 0. The default
    score    the seat's points, as the game counts them (`scores` in its rules)
    margin   the seat's points less the mean of all others'; sums to 0. With two seats: own points less the other's

In a game for one, a place is worth 0, and a margin is the points. What is no word is a flat function
`payoff(s, seat) -> float` of a state that is over.

`Reward("place", shaping=potential, discount=0.99)` also pays for each step: `discount * potential(after, seat) -
potential(before, seat)`, where an ended match has the potential 0. So an episode's discounted sum is what it would be
without, less the potential of its beginning: what is best to do stays the same. The potential is a flat function
`(s, seat) -> float`, or a word. With `Reward("score", shaping="score")` points are paid when they are made.

Source: Ng, Harada and Russell, Policy invariance under reward transformations (ICML 1999); on the end's
potential: Grzes, Reward shaping in episodic reinforcement learning (AAMAS 2017).

Theory of operation
-------------------
The functions below leave names open. `Rewards` makes them again with the game's `scores` and the caller's functions
in the place of these: flat functions that leave nothing open, for plain Python, Numba and a graphics card.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import FunctionType
from typing import Any

import msgspec

from dohyo.core.errors import OperatorError
from dohyo.core.flat import flat, row_of
from dohyo.core.game import Game, State, check_seats

Function = Callable[..., Any]
PLACE, SCORE, MARGIN = "place", "score", "margin"

# Left open here, and supplied by `Rewards`.
scores: Any = None  # of the rules
own_payoff: Any = None
own_potential: Any = None


# --- flat functions ------------------------------------------------------------------------------------------------


@flat
def place_value(seats: int, ranks: Any, seat: int) -> float:
    """What a place is worth: (seats behind it - seats ahead of it) / (all others); in a game for one, 0."""
    balance = 0
    for other in range(seats):
        if ranks[other] > ranks[seat]:
            balance += 1
        elif ranks[other] < ranks[seat]:
            balance -= 1
    return balance / (seats - 1) if seats > 1 else 0.0


@flat
def pay_places(s: Any, seats: int, ranks: Any, out: Any) -> None:
    """Fill `out`, doubles, with what each seat's place is worth; `ranks` holds the places."""
    for seat in range(seats):
        out[seat] = place_value(seats, ranks, seat)


@flat
def pay_scores(s: Any, seats: int, ranks: Any, out: Any) -> None:
    """Fill `out`, doubles, with each seat's points."""
    scores(s, out)


@flat
def pay_margins(s: Any, seats: int, ranks: Any, out: Any) -> None:
    """Fill `out`, doubles, with each seat's points less the mean of all others'."""
    scores(s, out)
    if seats > 1:
        total = 0.0
        for seat in range(seats):
            total += out[seat]
        for seat in range(seats):
            out[seat] -= (total - out[seat]) / (seats - 1)


@flat
def pay_own(s: Any, seats: int, ranks: Any, out: Any) -> None:
    """Fill `out`, doubles, with what the caller's own function says of each seat."""
    for seat in range(seats):
        out[seat] = own_payoff(s, seat)


@flat
def promise_nothing(s: Any, seats: int, ranks: Any, out: Any) -> None:
    """The potentials of a reward without shaping; never called."""


@flat
def promise_own(s: Any, seats: int, ranks: Any, out: Any) -> None:
    """Fill `out`, doubles, with the caller's own potential of each seat."""
    for seat in range(seats):
        out[seat] = own_potential(s, seat)


PAYOFFS: Mapping[str, Function] = {PLACE: pay_places, SCORE: pay_scores, MARGIN: pay_margins}
POTENTIALS: Mapping[str, Function] = {SCORE: pay_scores, MARGIN: pay_margins}
OWN: Mapping[str, Function] = {"own_payoff": pay_own, "own_potential": promise_own}


# --- what is asked for ---------------------------------------------------------------------------------------------


class Reward(msgspec.Struct, frozen=True):
    """What a learner gets: for a match that is over, and with `shaping` for each step; see this module.

    `payoff` is a word or a flat function `(s, seat) -> float`, `shaping` "score", "margin", such a function, or none.
    `discount`, above 0 and at most 1, is the learner's own.
    """

    payoff: str | Function = PLACE
    shaping: str | Function | None = None
    discount: float = 1.0


Payoff = str | Function | Reward  # as callers give it


class Rewards:
    """A reward in one game for a number of seats: in plain Python, and what compiled code needs of it.

    `payoffs(s, seats, ranks, out)` fills a row of doubles for a match that is over, whose places are in `ranks`;
    `potentials`, with the same arguments, for any other state, and reads no places: flat functions that can be
    compiled as they are. `key` is the same for rewards in this game that compile the same.
    """

    def __init__(self, game: Game, seats: int, reward: Reward) -> None:
        """Raises what `rewards_of` raises."""
        check_seats(game, seats)
        self.game, self.seats, self.reward = game, seats, reward
        self.discount = _checked_discount(reward.discount)
        self.is_shaped = reward.shaping is not None
        self.payoffs = _found(game, reward.payoff, PAYOFFS, "own_payoff")
        self.potentials: Function = promise_nothing
        if reward.shaping is not None:
            self.potentials = _found(game, reward.shaping, POTENTIALS, "own_potential")
        self.key = reward.payoff, reward.shaping

    @property
    def by_place(self) -> bool:
        """Whether this is the default: places alone count."""
        return self.reward.payoff == PLACE and not self.is_shaped

    def payoffs_of(self, state: State, places: Sequence[int] | None = None) -> list[float]:
        """What a match that is over is worth to each seat; `places` are those of a referee, by default the rules'."""
        ranks = row_of(self.seats) if places is None else list(places)
        if places is None:
            self.game.rules.places(state, ranks)
        out = [0.0] * self.seats
        self.payoffs(state, self.seats, ranks, out)
        return [float(each) for each in out]

    def potentials_of(self, state: State, is_over: bool) -> list[float]:
        """What a state promises to each seat, 0 where the match is over, and everywhere without shaping."""
        out = [0.0] * self.seats
        if self.is_shaped and not is_over:
            self.potentials(state, self.seats, out, out)
        return [float(each) for each in out]

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickles: what it was made of."""
        return Rewards, (self.game, self.seats, self.reward)

    def __deepcopy__(self, memo: Any) -> Rewards:
        """Itself: it never changes."""
        return self


def rewards_of(game: Game, seats: int, reward: Payoff = PLACE) -> Rewards:
    """A word, a flat function or a `Reward`, for this game and number of seats.

    Raises `OperatorError` for another word, for points of a game without any, for a function that is not flat, and
    for a discount outside of 0 to 1; `ValueError` for a number of seats that the game does not have.
    """
    return Rewards(game, seats, reward if isinstance(reward, Reward) else Reward(reward))


def rewards_at_end(game: Game, seats: int, reward: Payoff = PLACE) -> Rewards:
    """A reward of a match's end alone, for searches, solvers and Kaggle's environments; given as for `rewards_of`.

    Raises what `rewards_of` raises, and `OperatorError` for a reward that pays for steps, too.
    """
    found = rewards_of(game, seats, reward)
    if found.is_shaped:
        raise OperatorError("reward-shaped")
    return found


def _found(game: Game, given: str | Function, words: Mapping[str, Function], own: str) -> Function:
    """The flat function for a word, or for a function of one's own, which stands for the open name `own`."""
    if isinstance(given, str):
        if given not in words:
            raise OperatorError("reward-unknown", given=given, words=", ".join(words))
        if given != PLACE and game.rules.scores is None:
            raise OperatorError("reward-no-scores", game=game.name, given=given)
        return words[given] if given == PLACE else _closed(words[given], "scores", game.rules.scores)
    if not getattr(given, "__flat__", False):
        raise OperatorError("reward-not-flat", given=getattr(given, "__name__", repr(given)))
    return _closed(OWN[own], own, given)


def _checked_discount(discount: float) -> float:
    if isinstance(discount, bool) or not isinstance(discount, int | float) or not 0 < discount <= 1:  # nor is NaN
        raise OperatorError("reward-discount", given=repr(discount))
    return float(discount)


@cache
def _closed(function: Any, name: str, part: Any) -> Function:
    """A function of this module with this flat function for its open name; one for each, so that it compiles once."""
    names = {**globals(), name: part}
    twin = FunctionType(function.__code__, names, function.__name__)
    twin.__qualname__, twin.__doc__ = function.__qualname__, function.__doc__
    names[function.__name__] = twin  # by what it reads it is known, even to another process
    return flat(twin)
