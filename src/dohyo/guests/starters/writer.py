"""What any starter is written with: a game's description taken apart, comments, names in a language's spelling."""

from __future__ import annotations

import textwrap
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import msgspec

from dohyo.core.game import Game
from dohyo.core.starter import (
    FixedLine,
    Line,
    Meaning,
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
from dohyo.guests.starters.language import Language
from dohyo.i18n import ENGLISH, Message

WIDTH = 110  # columns of the code
CELL = " | "  # between the parts of a member that stand in columns
FACTOR, MODULUS = 48271, 2147483647  # the random numbers of all but Python's, "minstd": x <- FACTOR x mod MODULUS

PLACE = Record(
    "Place",
    "A square of the view.",
    (Number("row", "in `rows`, from 0 at the top"), Number("column", "from 0 at the left")),
)


class Member(NamedTuple):
    """A member of what is read.

    Its kind is number, word, letter, texts, integers (a list of either), numbers, words (lists of lists), records or
    record.
    """

    name: str
    kind: str
    meaning: str
    record: Record | None = None
    part: Part | Number | Word | None = None


class Writer(ABC):
    """Writes a starter in one language."""

    def __init__(self, language: Language, game: Game, starter: Starter) -> None:
        self.language = language
        self.game = game
        self.starter: Starter = _spelled(starter, camel if language.spelling == "camel" else str)

    @abstractmethod
    def source(self) -> str:
        """The program."""

    def files(self) -> dict[str, str]:
        """All files of the language, by name."""
        return {self.language.main: self.source(), **self.language.more_files}

    # --- the description, taken apart

    @cached_property
    def records(self) -> list[Record]:
        """Every record once, in the order in which they are needed."""
        found: dict[str, Record] = {}
        for part in (*self.starter.start, *self.starter.turn):
            if isinstance(part, Records):
                found[part.record.name] = part.record
            if isinstance(part, Places):
                found[PLACE.name] = PLACE
        return list(found.values())

    @cached_property
    def listed(self) -> Records | NamedRows | None:
        """The part of which any record, or word, is an answer."""
        parts = (part for part in self.starter.turn if isinstance(part, Records | NamedRows))
        return next((part for part in parts if part.name == self.starter.listed), None)

    @property
    def answer_record(self) -> Record | None:
        """The record that is an answer, if one is."""
        return self.listed.record if isinstance(self.listed, Records) else None

    @cached_property
    def messages(self) -> Messages | None:
        """The messages, if a turn is one of several kinds of lines."""
        return next((part for part in self.starter.turn if isinstance(part, Messages)), None)

    @property
    def answered(self) -> str:
        """The letters of messages that want an answer."""
        return "".join(each.letter for each in self.messages.each if each.answered) if self.messages else ""

    @property
    def uses_start(self) -> bool:
        """Whether a turn's length depends on what was sent at the start."""
        return any(isinstance(getattr(part, "count", None), str) for part in self.starter.turn)

    def has(self, kind: type) -> bool:
        """Whether the input has such a part."""
        return any(isinstance(part, kind) for part in (*self.starter.start, *self.starter.turn))

    def members(self, parts: Iterable[Part]) -> Iterator[Member]:
        """The members of what these parts are read into."""
        for part in parts:
            match part:
                case Line():
                    for item in part.items:
                        yield Member(item.name, kind_of(item), plain(item.meaning), None, item)
                case TextRows():
                    yield Member(part.name, "texts", plain(part.meaning), None, part)
                case NumberRows():
                    yield Member(part.name, "numbers", plain(part.meaning), None, part)
                case NamedLine():
                    yield Member(part.item.name, kind_of(part.item), plain(part.item.meaning), None, part.item)
                case NamedRows():
                    kinds = ("words", "texts") if part.width else ("numbers", "integers")
                    yield Member(part.name, kinds[part.rows == 1], plain(part.meaning), None, part)
                case Records():
                    yield Member(part.name, "records", plain(part.meaning), part.record, part)
                case Places():
                    yield Member(part.name, "record" if part.single else "records", plain(part.meaning), PLACE, part)
                case Messages():
                    legend = "\n".join(f"{each.letter}: {plain(each.meaning)}" for each in part.each)
                    yield Member("kind", "letter", legend, None, part)
                    for each in part.each:
                        for number in each.numbers:
                            yield Member(number.name, "number", plain(number.meaning), None, part)
                case FixedLine():
                    pass

    # --- spelling

    def member(self, name: str) -> str:
        """A spelled name as that of a type's member."""
        return upper_camel(name) if self.language.members == "upper-camel" else name

    def note(self, text: str) -> list[str]:
        """Comment lines."""
        begin = f"{self.language.comment} "
        parts = (
            textwrap.wrap(part, WIDTH - 10, initial_indent=begin, subsequent_indent=begin)
            for part in text.split("\n")
        )
        return [line for part in parts for line in part]

    def noted(self, fields: Iterable[tuple[str, str]]) -> list[str]:
        """Lines of code with their meanings behind them, in a column; above, where a line would be too long."""
        room = WIDTH - 5 - 4 * self.language.field_depth
        lines: list[str] = []
        column: list[tuple[str, str]] = []
        for code, meaning in fields:
            if "\n" in meaning or len(code) + len(meaning) > room:
                apart = [""] if self.language.field_notes == "own-column" else []
                lines += [*self._in_column(column), *self.note(meaning), code.replace(CELL, " "), *apart]
                column = []
            else:
                column.append((code, meaning))
        lines += self._in_column(column)
        return lines if lines[-1] else lines[:-1]

    def _in_column(self, fields: Sequence[tuple[str, str]]) -> list[str]:
        """Lines of code, whose parts stand in columns, as their meanings do."""
        rows = [(*code.split(CELL), f"{self.language.comment} {meaning}") for code, meaning in fields]
        if self.language.field_notes == "behind":
            return ["  ".join(row) for row in rows]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        widths[-1:] = [0]  # the meanings are the last ones
        return [" ".join(map(str.ljust, row, widths)) for row in rows]

    @property
    def title(self) -> list[str]:
        """The comment at the top of the file."""
        yours = f"`{self.language.decide}` is yours; the rest reads the input and writes the answers. See README.md."
        return [*self.note(f"A bot for {self.game.title}."), *self.note(yours)]

    @property
    def help(self) -> list[str]:
        """What may be answered, as comment lines."""
        return [line for text in ("What to answer:", *self.advice) for line in self.note(text)]

    @property
    def advice(self) -> list[str]:
        """What may be answered, a sentence each."""
        return [plain(text) for text in self.starter.help]

    def escaped(self, text: str) -> str:
        """A text as it stands between quotes."""
        return text.replace("\\", "\\\\").replace('"', '\\"')

    def answers(self) -> list[str]:
        """The list of constant answers, in lines; none without any."""
        each = [f'"{self.escaped(answer)}"' for answer in self.starter.answers]
        if not each:
            return []
        before, behind = self.language.answers
        before = before.replace("$count", str(len(each)))
        whole = f"{before}{', '.join(each)}{behind}"
        if len(whole) <= WIDTH:
            return [whole]
        body = _filled([f"{answer}," for answer in each], WIDTH - 8)
        if not self.language.last_comma:
            body[-1] = body[-1].removesuffix(",")
        return [before.rstrip(), *(f"    {line}" for line in body), behind.lstrip()]


def plain(meaning: Meaning) -> str:
    """A meaning as code has it: in English."""
    return ENGLISH.say(meaning) if isinstance(meaning, Message) else meaning


def _spelled(value: Any, spell: Callable[[str], str]) -> Any:
    """A description with all names of members in another spelling; those of types have no `_`, and stay."""
    if isinstance(value, tuple):
        return tuple(_spelled(each, spell) for each in value)
    if not isinstance(value, msgspec.Struct):
        return value
    changed = {}
    for field in value.__struct_fields__:
        old = getattr(value, field)
        named = isinstance(old, str) and field in ("name", "of", "count", "listed")
        changed[field] = spell(old) if named else old if isinstance(old, str) else _spelled(old, spell)
    return msgspec.structs.replace(value, **changed)


def kind_of(item: Number | Word) -> str:
    """The kind of the member that a number or a word becomes."""
    if isinstance(item, Number):
        return "number"
    return "letter" if item.most == 1 else "word"


def _filled(words: Sequence[str], width: int) -> list[str]:
    """Words in lines of at most `width` columns."""
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + len(word) + 1 > width:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return lines


def camel(name: str) -> str:
    """`some_name` as `someName`."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest) + ("_" if name.endswith("_") else "")


def upper_camel(name: str) -> str:
    """`some_name` as `SomeName`."""
    return "".join(word.capitalize() for word in name.split("_"))
