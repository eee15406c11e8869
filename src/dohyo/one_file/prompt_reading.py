"""What a bot that is a class sees of a file of rules with the default prompt: each field by its name, as numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from dohyo.core import observation
from dohyo.core.flat import Layout
from dohyo.one_file.fields import StateField


class Observation(observation.Observation, frozen=True, kw_only=True):
    """The seat's number, and each field of the state that it sees, by its name: `observation.board`.

    A field is a number, a tuple of numbers for a row, or a tuple of rows for a grid, with the values that the rules
    use, also where the prompt has signs for them. Of a field that each seat has for itself, it is the seat's own
    part. `named` are all of them, in order.
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

        class GameObservation(Observation, frozen=True, kw_only=True):
            def state(self) -> Any:
                if any(field.hidden for field in fields):
                    raise NotImplementedError("a seat does not see all of the state, so none can be made of it")
                return _state(self, fields, layout)

        self._made = GameObservation

    def observation_of(self, sent: Any, before: Any, answered: str) -> Observation:
        """The same with the values that the rules use, in the fields' shapes."""
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


def _state(seen: Observation, fields: Sequence[StateField], layout: Layout) -> Any:
    """A new state with these fields."""
    state = layout.new()
    for field in fields:
        values = _flat(getattr(seen, field.name))
        if field.shape:
            getattr(state, field.name)[:] = values
        else:
            setattr(state, field.name, values[0])
    return state


def _flat(value: Any) -> list[Any]:
    return [one for part in value for one in _flat(part)] if isinstance(value, tuple) else [value]
