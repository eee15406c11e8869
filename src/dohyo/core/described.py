"""What a seat is sent, read by the game's description of it (`core/starter.py`), as programs of `new bot` read it.

Theory of operation
-------------------
Each part of the description becomes a generator function: it is sent lines, one after the other, and notes what they
say under the part's names. So a prompt is whole when its last part has its last line, and what ends a part (a number
of lines, a count before them, an empty line) is said nowhere else.

The values become an observation with a field for each name. Of the part that lists what may be answered
(`Starter.listed`) it has the actions alone, as `legal_actions`. Places are not sent: they are looked for in the rows
when one asks.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from dohyo.core.game import Game
from dohyo.core.observation import Action, Observation, next_turn
from dohyo.core.options import resolve
from dohyo.core.starter import (
    FixedLine,
    Line,
    Messages,
    NamedLine,
    NamedRows,
    Number,
    NumberRows,
    Part,
    Places,
    Record,
    Records,
    Starter,
    TextRows,
    Word,
)

Values = dict[str, Any]
Taking = Generator[None, str, None]  # is sent lines, and ends with the last one that it takes
Take = Callable[[Values], Taking]  # takes the lines of a part, and adds what they say
Convert = Callable[[str], Any]

MAX_KEPT = 64  # descriptions
ACTIONS = "legal_actions"


class Place(NamedTuple):
    """A square of text rows: its row from the top and its column from the left, both from 0; -1, -1 for none."""

    row: int
    column: int


class Described:
    """The reading of one match by a description."""

    def __init__(self, description: Description, made: Callable[..., Observation] | None = None) -> None:
        """`made(sent, before, answered)` makes the game's own observation of the one by the description."""
        self._description, self._made = description, made
        self._start: Values | None = None  # what was sent before the first turn
        self._values: Values = {}

    def taking(self, lines: Sequence[str], before: Observation | None) -> Taking:
        """What is sent the lines of a prompt, and ends with its last one.

        Raises `ValueError` for a line that is not as the description says.
        """
        self._values = dict(self._start or ())
        return self._description.take(self._values, self._start is None)

    def read(self, lines: Sequence[str], before: Observation | None, answered: str) -> Observation | None:
        """The observation of the prompt that was taken last; none for a message that wants no answer."""
        values, description = self._values, self._description
        if self._start is None:
            self._start = {name: values[name] for name in description.start_names}
        if not description.is_answered(values):
            return None
        sent = description.observation(lines=tuple(lines), own_turn=next_turn(before), **values)
        return sent if self._made is None else self._made(sent, before, answered)


class Description:
    """A game's description of its input under some setup, ready to read."""

    def __init__(self, starter: Starter, read: Callable[[str], int | None]) -> None:
        """`read` gives the number of an action's word. Raises `ValueError` for a name that is there twice."""
        self.starter = starter
        actions = _Actions(read)
        self._turn = [_taker(part, starter, actions) for part in starter.turn]
        self._all = [*(_taker(part, starter, actions) for part in starter.start), *self._turn]
        self.start_names = tuple(name for part in starter.start for name in names_of(part, starter))
        self._silent = {
            each.letter
            for part in starter.turn
            if isinstance(part, Messages)
            for each in part.each
            if not each.answered
        }
        self.observation = _observation(starter)

    def take(self, values: Values, is_first: bool) -> Taking:
        """Take the lines of a prompt, and add what they say to `values`; `is_first`: of a match's first one."""
        parts = self._all if is_first else self._turn
        return parts[0](values) if len(parts) == 1 else _one_by_one(parts, values)

    def is_answered(self, values: Values) -> bool:
        """Whether the prompt wants an answer."""
        return not self._silent or values["kind"] not in self._silent

    def lines(self, values: Values, is_first: bool) -> Iterator[str]:
        """The lines of a prompt that says this, as it is sent: `take` the other way round."""
        for part in (*(self.starter.start if is_first else ()), *self.starter.turn):
            yield from _written(part, self.starter, values)


def _one_by_one(parts: Sequence[Take], values: Values) -> Taking:
    for part in parts:
        yield from part(values)


_known: dict[tuple[Any, bytes], Description] = {}


def description_of(game: Game, told: Mapping[str, Any]) -> Description:
    """The description of a game that has one, under a setup of which bots are `told` this; the rest is as usual."""
    assert game.starter is not None
    key = game.starter, msgspec.json.encode(told)
    found = _known.get(key)
    if found is None:
        if len(_known) >= MAX_KEPT:
            _known.clear()
        setup = {**resolve(game.options, {}, game.catalogue), **told}
        found = _known[key] = Description(game.starter(setup), game.protocol.read)
    return found


def names_of(part: Part, starter: Starter) -> list[str]:
    """The names of the fields that a part's lines fill."""
    match part:
        case FixedLine() | Places():
            return []
        case Line():
            return [item.name for item in part.items]
        case NamedLine():
            return [part.word]
        case Messages():
            return ["kind", *(number.name for each in part.each for number in each.numbers)]
        case NamedRows():
            return [ACTIONS if _is_listed(part, starter) else part.word]
        case Records():
            return [ACTIONS if _is_listed(part, starter) else part.name]
        case TextRows() | NumberRows():
            return [part.name]


def _is_listed(part: Part, starter: Starter) -> bool:
    """Whether the part lists what may be answered."""
    return isinstance(part, Records | NamedRows) and part.name == starter.listed


def found_in(rows: Sequence[str], part: Places) -> tuple[Place, ...]:
    """Where the letters stand, row by row."""
    return tuple(
        Place(row, column)
        for row, squares in enumerate(rows)
        for column, square in enumerate(squares)
        if square in part.letters
    )


# --- observations


def _observation(starter: Starter) -> type[Observation]:
    """The class of what is read: a field for each name, places as properties."""
    parts = [part for part in (*starter.start, *starter.turn) if not _is_listed(part, starter)]
    names = [name for part in parts for name in names_of(part, starter)]
    taken = {*dir(Observation), *Observation.__struct_fields__}
    for name in names:
        if name in taken:
            raise ValueError(f"{name!r} is in the description twice, or every observation has it")
        taken.add(name)
    places = {part.name: _property(part) for part in starter.turn if isinstance(part, Places)}
    made: Any = msgspec.defstruct(
        "Sent", names, bases=(Observation,), namespace=places, module=__name__, frozen=True, kw_only=True
    )
    return made  # type: ignore[no-any-return]


def _property(part: Places) -> property:
    def found(sent: Any) -> Place | tuple[Place, ...]:
        places = found_in(getattr(sent, part.of), part)
        return places if not part.single else places[0] if places else Place(-1, -1)

    return property(found)


class _Actions(dict[str, Action]):
    """Actions by their words."""

    def __init__(self, read: Callable[[str], int | None]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, word: str) -> Action:
        number = self._read(word)
        if number is None:
            raise ValueError(f"{word!r} is no action")
        found = self[word] = Action(word, number)
        return found


# --- parts


def _taker(part: Part, starter: Starter, actions: _Actions) -> Take:
    """What takes the lines of a part."""
    match part:
        case Line(items=(item,)):
            return _one(item.name, _convert(item))
        case Line():
            return _several(part.items)
        case FixedLine():
            return _fixed(part.text)
        case TextRows(count=None):
            return _up_to_an_empty_line(part.name)
        case TextRows():
            return _lines(part.name, part.count, str)
        case NumberRows():
            return _rows(part.name, part.rows, int, part.columns, 0)
        case Records():
            if _is_listed(part, starter):
                return _lines(ACTIONS, part.count, actions.__getitem__)
            return _lines(part.name, part.count, _record(part.record))
        case NamedLine():
            convert = _convert(part.item)
            return _one(part.word, lambda line: convert(line.split()[1]))
        case NamedRows():
            if _is_listed(part, starter):
                return _one(ACTIONS, lambda line: tuple(map(actions.__getitem__, line.split()[1:])))
            return _named_rows(part)
        case Messages():
            return _message(part)
        case Places():
            return _nothing


def _convert(item: Number | Word) -> Convert:
    return int if isinstance(item, Number) else str


def _nothing(values: Values) -> Taking:
    yield from ()


def _one(name: str, convert: Convert) -> Take:
    """One line that is one value."""

    def take(values: Values) -> Taking:
        values[name] = convert((yield))

    return take


def _several(items: Sequence[Number | Word]) -> Take:
    """One line of several values, parted by spaces."""
    each = [(item.name, _convert(item)) for item in items]

    def take(values: Values) -> Taking:
        for (name, convert), word in zip(each, _words((yield), len(each)), strict=True):
            values[name] = convert(word)

    return take


def _fixed(text: str) -> Take:
    def take(values: Values) -> Taking:
        if (yield).strip() != text:
            raise ValueError(f"it should be {text!r}")

    return take


def _up_to_an_empty_line(name: str) -> Take:
    def take(values: Values) -> Taking:
        rows: list[str] = []
        while line := (yield):
            rows.append(line)
        values[name] = tuple(rows)

    return take


def _lines(name: str, count: int | str | None, convert: Convert) -> Take:
    """As many lines as `count` says; none: as a line before them says."""

    def take(values: Values) -> Taking:
        number = int((yield)) if count is None else values[count] if isinstance(count, str) else count
        found = []
        for _ in range(number):
            found.append(convert((yield)))  # nothing can be yielded inside brackets
        values[name] = tuple(found)

    return take


def _words(line: str, count: int) -> list[str]:
    """The words of a line that has so many."""
    words = line.split()
    if len(words) != count:
        raise _miscounted(count, len(words))
    return words


def _miscounted(wanted: int, found: int) -> ValueError:
    return ValueError(f"{wanted} belong on the line, not {found}")


def _record(record: Record) -> Convert:
    """What makes a named tuple of a record's line."""
    made = namedtuple(record.name, [item.name for item in record.items])  # type: ignore[misc]
    numbers = [at for at, item in enumerate(record.items) if isinstance(item, Number)]
    count = len(record.items)

    def convert(line: str) -> Any:
        words: list[Any] = _words(line, count)
        for at in numbers:
            words[at] = int(words[at])
        return made(*words)

    return convert


def _rows(name: str, count: int, convert: Convert, columns: int | None, skipped: int) -> Take:
    """Lines of so many values, or of any number of them, after some words that are skipped."""

    def take(values: Values) -> Taking:
        rows = []
        for _ in range(count):
            words = (yield).split()
            row = tuple(map(convert, words[skipped:] if skipped else words))
            if len(row) != columns and columns is not None:
                raise _miscounted(columns, len(row))
            rows.append(row)
        values[name] = tuple(rows)

    return take


def _named_rows(part: NamedRows) -> Take:
    """Rows with their name before them; one row alone is not in a tuple."""
    take = _rows(part.word, part.rows, str if part.width else int, None if part.varies else part.columns, 1)

    def take_one(values: Values) -> Taking:
        yield from take(values)
        (values[part.word],) = values[part.word]

    return take_one if part.rows == 1 else take


def _message(part: Messages) -> Take:
    """A line of one of several kinds; numbers that others have are 0."""
    names = {each.letter: [number.name for number in each.numbers] for each in part.each}
    zeros = {name: 0 for each in names.values() for name in each}

    def take(values: Values) -> Taking:
        line = yield
        values["kind"] = kind = line[:1]
        if kind not in names:
            raise ValueError(f"it should begin with one of {', '.join(names)}")
        values.update(zeros)
        if names[kind]:
            _, *words = _words(line, 1 + len(names[kind]))
            for name, word in zip(names[kind], words, strict=True):
                values[name] = int(word)

    return take


# --- the other way round


def _written(part: Part, starter: Starter, values: Values) -> Iterator[str]:
    """The lines of a part that says this."""
    match part:
        case Line():
            yield " ".join(str(values[item.name]) for item in part.items)
        case FixedLine():
            yield part.text
        case TextRows():
            yield from values[part.name]
            if part.count is None:
                yield ""
        case NumberRows():
            yield from (" ".join(map(str, row)) for row in values[part.name])
        case Records():
            (name,) = names_of(part, starter)
            if part.count is None:
                yield str(len(values[name]))
            yield from (each if name == ACTIONS else " ".join(map(str, each)) for each in values[name])
        case NamedLine():
            (name,) = names_of(part, starter)
            yield f"{name} {values[name]}"
        case NamedRows():
            (name,) = names_of(part, starter)
            rows = [values[name]] if part.rows == 1 else values[name]
            yield from (" ".join([part.word, *map(str, row)]) for row in rows)
        case Messages():
            (message,) = (each for each in part.each if each.letter == values["kind"])
            yield " ".join([message.letter, *(str(values[number.name]) for number in message.numbers)])
        case Places():
            pass
