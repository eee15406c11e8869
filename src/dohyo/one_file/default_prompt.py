"""The default prompt of a game in one file: each field by its name, and the legal actions last.

`described` says what its lines are: `source.py` writes it by that, a bot's class and the programs of `dohyo new bot`
read it by that. `PromptReading` makes of what was read what a bot that is a class sees: the fields as numbers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from dohyo.core import observation
from dohyo.core.flat import Layout
from dohyo.core.starter import NamedLine, NamedRows, Number, Part, Starter, Word
from dohyo.i18n import Message
from dohyo.one_file.fields import StateField

SEAT, LEGAL = "seat", "legal"  # begin the first line and the last one
WHOLE_TYPES = ((-128.0, 127.0), (-32768.0, 32767.0))  # the ranges of fields about which nothing is declared
MAX_WORD = 24  # characters of a number or sign that is read as a word: a decimal has at most 21
# Words that mean something in one of the languages; a field of such a name gets a `_` behind it.
_WORDS = """
abstract and as assert async auto await base bool break byte case catch chan char checked class const continue
crate data decimal def default defer delegate delete do double dyn elif else enum event except explicit export
extends extern false final finally fixed float fn for foreach from fun func function global go goto if impl
implements import in inline inout int interface internal is lambda let lock long loop map match mod module
move mut mutable namespace native new nil none not null object operator or out override package params pass
private protected public pub raise range readonly record ref register restrict return sealed select self short
signed sizeof static string struct super switch template this throw trait true try type typedef typeof union
unsafe unsigned use using val var virtual void volatile when where while with yield find bot input line start
"""
TAKEN = frozenset(_WORDS.split())


def described(fields: Sequence[StateField], seats: int, texts: Sequence[str]) -> Starter:
    """What the default prompt is, of a game with these fields, at most so many seats, and these words of actions.

    A line for the seat's number, then for each row of each field that a seat sees, in order, then for what is legal.
    """
    width = max(map(len, texts))
    parts: list[Part] = [NamedLine(Number(SEAT, Message("input.seat", {"last": seats - 1})))]
    parts += [_part(field) for field in fields if field.is_told]
    parts.append(NamedRows(LEGAL, Message("input.legal"), 1, len(texts), width, varies=True))
    return Starter(turn=tuple(parts), listed=LEGAL, help=(Message("input.answer", {"name": LEGAL}),))


def _part(field: StateField) -> Part:
    """A field's lines."""
    name = "turn_number" if field.name == "turn" else field.name  # `Turn` is a type
    name += "_" if name in TAKEN else ""
    is_word = bool(field.signs) or field.kind == "f8"
    meaning = _meaning(field)
    begins = field.name if name != field.name else ""
    if not field.shape:
        return NamedLine(Word(name, meaning, MAX_WORD) if is_word else Number(name, meaning), begins)
    return NamedRows(name, meaning, field.rows, field.columns, MAX_WORD if is_word else 0, begins=begins)


def _meaning(field: StateField) -> Message:
    """What is known of a field: its range or its signs, whose it is."""
    if field.kind == "f8":
        told = Message("input.decimal")
    elif field.signs:
        told = Message("input.signs", {"signs": " ".join(field.signs)})
    elif (field.low, field.high) not in WHOLE_TYPES and abs(field.low) < 1e6 and abs(field.high) < 1e6:
        told = Message("input.range", {"low": f"{field.low:g}", "high": f"{field.high:g}"})
    else:
        told = Message("input.whole")
    if field.is_own:
        return Message("input.own", {"told": told})
    return Message("input.by-seat", {"told": told}) if field.by_seat else told


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
