"""Whether rules may be run over a state that came from outside: who writes a replay can write any numbers into it.

Compiled rules look numbers up in rows without asking whether the row is that long. So a state that no match can come
to is refused before they see it, and a recorded action that nobody could have played, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from dohyo.core.faults import Fault, FaultKind
from dohyo.core.game import Game, State
from dohyo.i18n import ENGLISH, Message


class Ranged(Protocol):
    """A field of a state, as far as its range goes: see `dohyo.one_file.fields.StateField`."""

    @property
    def name(self) -> str:
        """Of the field in a state."""

    @property
    def kind(self) -> str:
        """The type of its numbers, as a `Layout` names it: `i1` to `i8`, or `f8`."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Empty for a single number."""

    @property
    def low(self) -> float:
        """The least value."""

    @property
    def high(self) -> float:
        """The greatest value."""


def outside(fields: Iterable[Ranged], state: State) -> tuple[Ranged, float] | None:
    """The first field with a number outside its range, and that number; none if all are inside."""
    for field in fields:
        low, high = field.low, field.high
        given = getattr(state, field.name)
        values = given if field.shape else (given,)
        if not (field.kind != "f8" and low <= min(values) and max(values) <= high):
            for value in values:
                if not low <= value <= high:  # also for what is no number
                    return field, value
    return None


def why_impossible(game: Game, state: State, seats: int) -> Message | None:
    """Why no match of so many seats comes to this state; none if one can.

    Whatever the game's own functions raise for senseless numbers says the same.
    """
    try:
        if not game.possible(state):
            return _why(game, state)
        ranks = [0] * game.seats[1]  # places count from 1
        game.rules.places(state, ranks)
        if game.rules.over(state) and not -1 <= game.rules.winner(state) < seats:
            return Message("state-impossible", {"game": game.name})
    except Exception:  # rules and `possible` met numbers that they were not written for
        return Message("state-impossible", {"game": game.name})
    count = sum(rank > 0 for rank in ranks)
    return None if count == seats else Message("state-seats", {"game": game.name, "found": count, "seats": seats})


def check_possible(game: Game, state: State, seats: int) -> None:
    """Raise `ValueError` for a state that no match of so many seats can come to; its text says why, in English."""
    if found := why_impossible(game, state, seats):
        raise ValueError(ENGLISH.say(found))


def is_playable(game: Game, state: State, seat: int, action: int) -> bool:
    """Whether a seat that acts can have played this action: a legal one, or one that the rules put in its place."""
    rules, answer = game.rules, game.protocol.answer
    if rules.is_legal(state, seat, action) or action in rules.CONCESSIONS:
        return True
    return any(answer(state, seat, Fault(kind)) == action for kind in FaultKind)


def _why(game: Game, state: State) -> Message:
    found = outside(game.fields, state)
    if found is None:
        return Message("state-impossible", {"game": game.name})
    field, value = found
    told = {"field": field.name, "value": _shown(value), "low": _shown(field.low), "high": _shown(field.high)}
    return Message("state-field-outside", {"game": game.name, **told})


def _shown(value: float) -> str:
    return str(int(value)) if value == value // 1 else str(value)
