"""What a bot that is a class sees of a file of rules with the default prompt: each field by its name, as numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from dohyo.core import observation
from dohyo.core.flat import Layout
from dohyo.one_file.fields import StateField


class PromptObservation(observation.Observation, frozen=True, kw_only=True):
    """The seat's number, and each field of the state that it sees, by its name: `observation.board`.

    A field is a number, a tuple of numbers for a row, or a tuple of rows for a grid, with the values that the rules
    use, also where the prompt has signs for them. Of a field that each seat has for itself, it is the seat's own
    part. `named` are all of them, in order. `state(hand=..., deck=...)` takes the fields that are hidden, as the bot
    guesses them: of a field that each seat has for itself, the seat's own part stays as it sees it.
    """

    seat: int
    named: tuple[tuple[str, Any], ...]

    def __getattr__(self, name: str) -> Any:
        """A field by its name."""
        for known, value in self.named:
            if known == name:
                return value
        raise AttributeError(
            f"the seat sees no field {name!r}; it sees {', '.join(known for known, _ in self.named)}"
        )


class PromptReading:
    """The reading of a game with the default prompt."""

    def __init__(self, fields: Sequence[StateField], layout: Layout) -> None:
        self._fields = [field for field in fields if field.is_told]

        class GameObservation(PromptObservation, frozen=True, kw_only=True):
            def state(self, **hidden: Any) -> Any:
                return _state(self, fields, layout, hidden)

        self._made = GameObservation

    def observation_of(self, sent: Any, before: Any, answered: str) -> PromptObservation:
        """What was sent as an observation with the values that the rules use, in the fields' shapes."""
        return self._made(
            lines=sent.lines,
            own_turn=sent.own_turn,
            legal_actions=sent.legal_actions,
            seat=sent.seat,
            named=tuple([(field.name, _read(field, getattr(sent, field.name))) for field in self._fields]),
        )


def _read(field: StateField, sent: Any) -> Any:
    """A field as a seat sees it, of the words or numbers of its lines."""
    values = _flat(sent)
    if isinstance(values[0], str):
        values = [_value(field, word) for word in values]
    return nested(values, field.seen_shape)


def nested(values: Sequence[Any], shape: Sequence[int]) -> Any:
    """Values in order as tuples of this shape; the only one for no shape."""
    if not shape:
        return values[0]
    if len(shape) == 1:
        return tuple(values)
    part = math.prod(shape[1:])
    return tuple(nested(values[at * part : (at + 1) * part], shape[1:]) for at in range(shape[0]))


def _value(field: StateField, word: str) -> float:
    """The number that a word stands for."""
    if field.kind == "f8":
        return float(word)
    return field.signs.index(word) if len(word) == 1 and word in field.signs else int(word)


def _state(seen: PromptObservation, fields: Sequence[StateField], layout: Layout, hidden: Mapping[str, Any]) -> Any:
    """A new state with these fields, and what is `hidden` as it was guessed.

    Raises `NotImplementedError` for a hidden field that was not given, `TypeError` for one that is not hidden, and
    `ValueError` for another number of values than the field has.
    """
    names = [field.name for field in fields if field.hidden]
    if strange := [name for name in hidden if name not in names]:
        raise TypeError(f"{strange[0]!r} is not hidden from the seat; hidden are: {', '.join(names) or 'no fields'}")
    if any(name not in hidden for name in names):
        given = ", ".join(f"{name}=[...]" for name in names)
        raise NotImplementedError(
            f"the seat does not see all of the state: write observation.state({given}) with values that you take for"
            " possible, and give a search several such states as `worlds`"
        )
    state = layout.new()
    for field in fields:
        values = _guessed(seen, field, hidden[field.name]) if field.hidden else _flat(getattr(seen, field.name))
        if field.shape:
            getattr(state, field.name)[:] = values
        else:
            setattr(state, field.name, values[0])
    return state


def _guessed(seen: PromptObservation, field: StateField, guess: Any) -> list[Any]:
    """All numbers of a hidden field: a guess, in which the seat's own part is what it sees."""
    values = _flat(guess)
    if len(values) != field.size:
        raise ValueError(f"{field.name} has {field.size} values, not {len(values)}")
    if field.is_own:
        values[seen.seat * field.part : (seen.seat + 1) * field.part] = _flat(getattr(seen, field.name))
    return values


def _flat(value: Any) -> list[Any]:
    return [one for part in value for one in _flat(part)] if isinstance(value, tuple | list) else [value]
