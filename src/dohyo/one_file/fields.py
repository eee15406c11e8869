"""What a file of rules declares about the fields of its state."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.core.flat import Layout

# The words of the prompt's first and last line, and the members that every observation of a bot's class has.
RESERVED = ("seat", "legal", "legal_actions", "lines", "named", "own_turn", "state")
ACTIONS = "actions"  # in HIDDEN: what the seats have done
OTHERS, EVERYONE = "others", "everyone"  # from whom something is hidden
LONGEST_SHOWN = 60  # characters of a value that a sentence shows
LIMITS = {
    "i1": (-128.0, 127.0),
    "i2": (-32768.0, 32767.0),
    "i4": (-2147483648.0, 2147483647.0),
    "i8": (-9.3e18, 9.3e18),
    "f8": (-3.4e38, 3.4e38),
}
EXAMPLES = {  # of the facts that are tables
    "SIGNS": '".XO"',
    "PIECES": '".XO"',
    "RANGES": "(0, 6)",
    "HIDDEN": '"others"',
    "EDGES": '("123", "abc")',
    "MEANINGS": '"how often one has passed"',
    "LABELS": '"moves since a capture"',
}
LONGEST_EDGE = 3  # characters beside a row or a column
LONGEST_LABEL = 40  # characters
DIGITS = {"i1": 4, "i2": 6, "i4": 11, "i8": 20, "f8": 21}  # characters of a number of that kind, at most


class StateField(msgspec.Struct, frozen=True, kw_only=True):
    """One field of a state.

    `shape` is empty for a single number, (length,) for a row, (rows, columns) for a grid, (layers, rows, columns) for
    several. `signs` has a character for each value from 0 on, or is empty. `owners`: its values are 0 for nobody and
    1 for seat 0, 2 for seat 1 and so on; `guessed` says that the file does not declare this, and only its form
    suggests it. `by_seat`: its first dimension is the seats. `hidden`: from whom it is hidden, "others", "everyone"
    or empty; "others" says that each seat sees only its own part. `low` and `high` bound its values. `drawn`: whether
    people are shown it. `pieces` has what a page draws in the place of each sign, and `edges` what stands beside each
    row and each column, as people write them; both may be empty. `faces`: of the rows of two seats, a page draws that
    of seat 1 above the other and turned round, as the two sit at a board. `checkered`: its cells have two colours by
    turns. `meaning` says in words what it holds, `label` what people call it; both may be empty.
    """

    name: str
    kind: str
    shape: tuple[int, ...]
    signs: str = ""
    owners: bool = False
    guessed: bool = False
    by_seat: bool = False
    hidden: str = ""
    low: float
    high: float
    drawn: bool = True
    pieces: str = ""
    edges: tuple[tuple[str, ...], ...] = ()
    faces: bool = False
    checkered: bool = False
    meaning: str = ""
    label: str = ""

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return math.prod(self.shape)

    @property
    def part(self) -> int:
        """How many numbers of it belong to one seat, where its first dimension is the seats."""
        return math.prod(self.shape[1:])

    @property
    def board(self) -> tuple[int, ...]:
        """The rows and columns of each of its grids; empty where it has none."""
        shape = self.shape[1:] if self.by_seat else self.shape
        return shape[-2:] if len(shape) > 1 else ()

    @property
    def is_told(self) -> bool:
        """Whether a seat is sent anything of it."""
        return self.hidden != EVERYONE

    @property
    def is_own(self) -> bool:
        """Whether a seat is sent its own part alone."""
        return self.hidden == OTHERS

    @property
    def seen_shape(self) -> tuple[int, ...]:
        """The shape of what a seat is sent of it."""
        return self.shape[1:] if self.is_own else self.shape

    @property
    def rows(self) -> int:
        """In how many lines a prompt has it."""
        return math.prod(self.seen_shape[:-1])

    @property
    def columns(self) -> int:
        """How many numbers stand in each of these lines."""
        return self.seen_shape[-1] if self.seen_shape else 1

    def seen_by(self, seat: int | None) -> range:
        """Which of its numbers a seat may see; everybody's view (none) has all."""
        if seat is None or not self.hidden:
            return range(self.size)
        return range(0) if not self.is_told else range(seat * self.part, (seat + 1) * self.part)


def values_of(field: StateField, state: Any) -> Sequence[float]:
    """The field's numbers in a state, in order."""
    value = getattr(state, field.name)
    return value if field.shape else (value,)


def fields_of(file: str, layout: Layout, names: Mapping[str, Any], seats: int) -> tuple[StateField, ...]:
    """The fields, from the file's LAYOUT and its `FIELD_FACTS`.

    Raises `OperatorError` for a fact about a field that is not there, or that a field of its shape cannot have.
    """
    signs, ranges, hidden = (_table(file, names, fact) for fact in ("SIGNS", "RANGES", "HIDDEN"))
    tables = ("PIECES", "EDGES", "MEANINGS", "LABELS")
    pieces, edges, meanings, labels = (_table(file, names, fact) for fact in tables)
    rows = ("OWNERS", "PER_SEAT", "DRAWN", "FACING", "CHECKERED")
    owners, per_seat, drawn, facing, checkered = (_list(file, names, fact) for fact in rows)
    told = {"SIGNS": signs, "PIECES": pieces, "EDGES": edges, "RANGES": ranges, "LABELS": labels}
    lists = {"OWNERS": owners, "PER_SEAT": per_seat, "DRAWN": drawn, "FACING": facing, "CHECKERED": checkered}
    lists |= {"HIDDEN": [each for each in hidden if each != ACTIONS], "MEANINGS": list(meanings)}
    _check_fields(file, list(layout.shapes), {**told, **lists})
    found = []
    kinds = {name: kind for name, kind, _ in layout.fields}
    for name, shape in layout.shapes.items():  # in declared order
        kind = kinds[name]
        if name in RESERVED:
            raise OperatorError("game-file-reserved", file=file, field=name)
        if len(shape) > 3:
            raise _wrong(file, "LAYOUT", (name, kind, shape), f'("{name}", "{kind}", (layers, rows, columns))')
        own = str(signs.get(name, ""))
        guessed = "OWNERS" not in names and _seems_owned(shape, own, seats)
        is_owned = name in owners or guessed
        usual = (0.0, float(seats)) if is_owned else (0.0, len(own) - 1.0) if len(own) > 1 else LIMITS[kind]
        low, high = _range(file, name, ranges.get(name, usual))
        found.append(
            StateField(
                name=name,
                kind=kind,
                shape=shape,
                signs=_signs(file, name, own),
                owners=is_owned,
                guessed=guessed,
                by_seat=_is_by_seat(file, name, shape, seats, name in per_seat, hidden.get(name) == OTHERS),
                hidden=_hidden(file, hidden.get(name, "")),
                low=low,
                high=high,
                drawn=name in drawn or not drawn,
                pieces=_pieces(file, name, own, pieces.get(name, "")),
                edges=_edges(file, name, shape, edges.get(name, ())),
                faces=name in facing,
                checkered=name in checkered,
                meaning=clean.line(str(meanings.get(name, ""))),
                label=clean.line(str(labels.get(name, "")), LONGEST_LABEL),
            )
        )
        _check_drawing(file, found[-1], edges)
    return tuple(found)


def _check_fields(file: str, known: Sequence[str], facts: Mapping[str, Collection[str]]) -> None:
    """Raise `OperatorError` for a fact about a field that is not there."""
    for fact, given in facts.items():
        for name in given:
            if name not in known:
                raise OperatorError("game-file-field", file=file, fact=fact, field=name, known=", ".join(known))


def _check_drawing(file: str, field: StateField, edges: Mapping[str, Any]) -> None:
    """Raise `OperatorError` for edges, seats face to face, or two colours, in a field that cannot be drawn so."""
    if field.edges and field.by_seat and len(field.shape) == 1:
        raise _wrong(file, "EDGES", {field.name: edges[field.name]}, "no field with a single number for each seat")
    if field.faces and not (field.by_seat and field.shape[0] == 2 and len(field.shape) <= 2):
        raise OperatorError("game-file-facing", file=file, field=field.name)
    if field.checkered and not field.board:
        raise OperatorError("game-file-checkered", file=file, field=field.name)


def actions_hidden(file: str, names: Mapping[str, Any]) -> bool:
    """Whether no seat is told what the others do."""
    return bool(_hidden(file, _table(file, names, "HIDDEN").get(ACTIONS, "")))


def given_as(given: Any) -> str:
    """A value of the file's as a sentence shows it: as it was written, but not all of a long one."""
    try:
        text = repr(given)
    except Exception:  # of the file's own class, say
        text = type(given).__name__
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."


def _wrong(file: str, fact: str, given: Any, takes: str) -> OperatorError:
    return OperatorError("game-file-value", file=file, fact=fact, given=given_as(given), takes=takes)


def _table(file: str, names: Mapping[str, Any], fact: str) -> dict[str, Any]:
    given = names.get(fact, {})
    if not isinstance(given, Mapping):
        raise _wrong(file, fact, given, f'{{"field": {EXAMPLES[fact]}}}')
    return dict(given)


def _list(file: str, names: Mapping[str, Any], fact: str) -> list[str]:
    given = names.get(fact, ())
    if isinstance(given, str) or not all(isinstance(name, str) for name in given):
        raise _wrong(file, fact, given, '("field",)')
    return list(given)


def _signs(file: str, name: str, signs: str) -> str:
    if any(not "!" <= sign <= "~" or sign.isdigit() for sign in signs):  # a value without a sign is told as a number
        raise _wrong(file, "SIGNS", {name: signs}, f'{{"{name}": ".XO"}}')
    return signs


def _pieces(file: str, name: str, signs: str, pieces: Any) -> str:
    if not isinstance(pieces, str) or (pieces and len(pieces) != len(signs)):
        raise _wrong(file, "PIECES", {name: pieces}, f'{{"{name}": "{signs}"}}')
    return "".join(clean.line(piece) or " " for piece in pieces)


def _edges(file: str, name: str, shape: tuple[int, ...], given: Any) -> tuple[tuple[str, ...], ...]:
    """What stands beside the rows and columns of a grid: a text with a character for each, or a text for each.

    A row by itself is a grid of one.
    """
    if not given:
        return ()
    try:
        edges = tuple(tuple(clean.line(str(each), LONGEST_EDGE) for each in edge) for edge in given)
    except TypeError:
        edges = ()
    if not shape or tuple(map(len, edges)) != (1, *shape)[-2:]:
        raise _wrong(file, "EDGES", {name: given}, f'{{"{name}": ("123", "abc")}}')
    return edges


def _range(file: str, name: str, given: Any) -> tuple[float, float]:
    try:
        low, high = map(float, given)
    except (TypeError, ValueError):
        low, high = 0.0, 0.0
    if not low < high:
        raise _wrong(file, "RANGES", {name: given}, f'{{"{name}": (0, 6)}}')
    return low, high


def _is_by_seat(file: str, name: str, shape: tuple[int, ...], seats: int, declared: bool, is_own: bool) -> bool:
    """Whether the first dimension is the seats: declared, or a row with a number for each of several."""
    if (declared or is_own) and shape[:1] != (seats,):
        raise OperatorError("game-file-by-seat", file=file, field=name, seats=seats)
    return declared or is_own or (shape == (seats,) and seats > 1)


def _seems_owned(shape: tuple[int, ...], signs: str, seats: int) -> bool:
    """Whether a field looks like a board with a sign for each seat's stones, and one for nobody's.

    A row with as many signs is rather a list of what was done, and its signs are words. So may a board's be; a law
    notices it (`laws.of_observations`), and `OWNERS` says it.
    """
    return len(shape) > 1 and len(signs) == seats + 1 and seats > 1


def _hidden(file: str, whom: Any) -> str:
    if whom not in ("", OTHERS, EVERYONE):
        raise _wrong(file, "HIDDEN", whom, f'{{"field": "{OTHERS}"}}, {{"field": "{EVERYONE}"}}')
    return str(whom)
