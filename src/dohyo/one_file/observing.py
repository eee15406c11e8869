"""What a bot that is a class sees of a game in one file: the default prompt, read back into fields by their names.

An observation has `seat`, and every field that the prompt has: a whole number (a double of a field of doubles), a row
as a tuple, a grid as a tuple of rows. Of a field that is hidden from others it is the seat's own part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from dohyo.core.flat import Layout
from dohyo.core.observation import Action, Observation, next_turn
from dohyo.one_file.fields import EVERYONE, OTHERS, StateField


class FieldReading:
    """The reading of the default prompt (see `dohyo.core.observation.Reading`)."""

    def __init__(
        self, name: str, layout: Layout, fields: Sequence[StateField], text: Callable[[int], str], actions: int
    ) -> None:
        self._fields = [field for field in fields if field.hidden != EVERYONE]
        self._actions = {text(action): Action(text(action), action) for action in range(actions)}
        is_all = not any(field.hidden for field in fields)

        def state(seen: Any) -> Any:
            """A state that looks like this; raises `NotImplementedError` where something is hidden."""
            if not is_all:
                raise NotImplementedError(f"{name} hides some of its fields")
            made = layout.new()
            for field in fields:
                value = getattr(seen, field.name)
                setattr(made, field.name, flattened(value) if field.shape else value)
            return made

        self._observation = msgspec.defstruct(
            "FieldObservation",
            [("seat", int), *((field.name, Any) for field in self._fields)],
            bases=(Observation,),
            namespace={"state": state},
            frozen=True,
            kw_only=True,
            module=__name__,
        )

    def is_whole(self, lines: Sequence[str], before: Any) -> bool:
        """The last line of a prompt is the one of legal actions."""
        return lines[-1].split(" ", 1)[0] == "legal"

    def read(self, lines: Sequence[str], before: Any, answered: str) -> Observation | None:
        """The observation of a whole prompt."""
        rows: dict[str, list[list[str]]] = {}
        for line in lines:
            name, *words = line.split()
            rows.setdefault(name, []).append(words)
        values = {field.name: _nested(field, rows[field.name]) for field in self._fields}
        made: Any = self._observation(
            lines=tuple(lines),
            own_turn=next_turn(before),
            legal_actions=tuple(self._actions[word] for word in rows["legal"][0]),
            seat=int(rows["seat"][0][0]),
            **values,
        )
        return made  # type: ignore[no-any-return]


def can_be_read(fields: Sequence[StateField]) -> bool:
    """Whether no field has the name of something that every observation has."""
    return not {field.name for field in fields} & {*Observation.__struct_fields__, "state"}


def _nested(field: StateField, rows: list[list[str]]) -> Any:
    """A field's value from the words of its lines."""
    values = [tuple(_value(field, word) for word in row) for row in rows]
    shape = field.shape[1:] if field.hidden == OTHERS else field.shape
    if not shape:
        return values[0][0]
    if len(shape) == 1:
        return values[0]
    if len(shape) == 2:
        return tuple(values)
    return tuple(tuple(values[at : at + shape[1]]) for at in range(0, len(values), shape[1]))


def _value(field: StateField, word: str) -> float:
    if word in field.signs and field.kind != "f8":
        return field.signs.index(word)
    return float(word) if field.kind == "f8" else int(word)


def flattened(value: Any) -> list[Any]:
    """The numbers of a tuple of tuples, in order."""
    return [number for part in value for number in flattened(part)] if isinstance(value, tuple) else [value]
