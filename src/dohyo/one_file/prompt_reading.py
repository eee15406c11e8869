"""The default prompt of a file of rules, read for a bot that is a class: a line for each field's row, by its name."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dohyo.core import observation
from dohyo.core.flat import Layout
from dohyo.core.observation import Action, next_turn
from dohyo.one_file.fields import StateField

LEGAL = "legal"  # begins the last line


class Observation(observation.Observation, frozen=True, kw_only=True):
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

    def __init__(self, fields: Sequence[StateField], layout: Layout, read: Callable[[str], int | None]) -> None:
        """`read` gives the action of a word."""
        self._fields = [field for field in fields if field.is_told]
        self._read = read

        class GameObservation(Observation, frozen=True, kw_only=True):
            def state(self, **hidden: Any) -> Any:
                return _state(self, fields, layout, hidden)

        self._made = GameObservation

    def is_whole(self, lines: Sequence[str], before: Any) -> bool:
        """Whether the last line lists the actions."""
        return lines[-1].split(" ", 1)[0] == LEGAL

    def read(self, lines: Sequence[str], before: Any, answered: str) -> Observation:
        """The seat, the fields' rows in their order, the actions."""
        rows = [line.split(" ")[1:] for line in lines]
        at, named = 1, []
        for field in self._fields:
            words = [word for row in rows[at : at + field.rows] for word in row]
            at += field.rows
            named.append((field.name, nested([_value(field, word) for word in words], field.seen_shape)))
        numbers = {word: self._read(word) for word in rows[-1]}
        legal = tuple(Action(word, number) for word, number in numbers.items() if number is not None)
        return self._made(
            lines=tuple(lines),
            own_turn=next_turn(before),
            legal_actions=legal,
            seat=int(rows[0][0]),
            named=tuple(named),
        )


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


def _state(seen: Observation, fields: Sequence[StateField], layout: Layout, hidden: Mapping[str, Any]) -> Any:
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


def _guessed(seen: Observation, field: StateField, guess: Any) -> list[Any]:
    """All numbers of a hidden field: a guess, in which the seat's own part is what it sees."""
    values = _flat(guess)
    if len(values) != field.size:
        raise ValueError(f"{field.name} has {field.size} values, not {len(values)}")
    if field.is_own:
        values[seen.seat * field.part : (seen.seat + 1) * field.part] = _flat(getattr(seen, field.name))
    return values


def _flat(value: Any) -> list[Any]:
    return [one for part in value for one in _flat(part)] if isinstance(value, tuple | list) else [value]
