"""What a bot of a game is sent and answers, described once.

`dohyo new bot` writes it as a program in any language, and a bot that is a class is given what `core/described.py`
reads by it.

A game's `starter.py` returns a `Starter`: the parts of its input in their order, line by line, and the answers that
are always legal. The names are those of the game's rules, in small letters with `_`; every writer changes them to the
spelling of its language. A meaning is a comment in the code: a few words, with units and the range.
"""

from __future__ import annotations

import msgspec

from dohyo.i18n.messages import Message as Sentence

Meaning = str | Sentence  # in English, or said in a language by whoever tells it


class Number(msgspec.Struct, frozen=True):
    """A whole number."""

    name: str
    meaning: Meaning


class Word(msgspec.Struct, frozen=True):
    """A text without spaces; `most` characters long at most."""

    name: str
    meaning: Meaning
    most: int


class Record(msgspec.Struct, frozen=True):
    """Numbers and words that stand on one line, parted by spaces. The name is a type's: `Player`."""

    name: str
    meaning: Meaning
    items: tuple[Number | Word, ...]


class Line(msgspec.Struct, frozen=True):
    """One line with these numbers and words; each is a member of its own."""

    items: tuple[Number | Word, ...]


class FixedLine(msgspec.Struct, frozen=True):
    """A line that is always the same, and tells nothing."""

    text: str


class TextRows(msgspec.Struct, frozen=True):
    """Lines that are kept as they are: as many as `count` says, a number or the name of one of the starter's `start`.

    Without it, up to an empty line. At most `most` rows, of at most `width` characters.
    """

    name: str
    meaning: Meaning
    most: int
    width: int
    count: int | str | None = None


class NumberRows(msgspec.Struct, frozen=True):
    """`rows` lines of `columns` whole numbers each, parted by spaces."""

    name: str
    meaning: Meaning
    rows: int
    columns: int


class Records(msgspec.Struct, frozen=True):
    """A record on each line: as many as `count` says, a number or the name of one of the starter's `start`.

    Without it, a line before them says how many. At most `most`.
    """

    name: str
    meaning: Meaning
    record: Record
    most: int
    count: int | str | None = None


class Places(msgspec.Struct, frozen=True):
    """Where one of the `letters` stands in the text rows called `of`: not read, but found. At most `most`.

    With `single`, one place, whose numbers are -1 if the letters are nowhere.
    """

    name: str
    meaning: Meaning
    of: str
    letters: str
    most: int
    single: bool = False


class NamedLine(msgspec.Struct, frozen=True):
    """One line that begins with the name of its number or word, or with `begins`, and a space."""

    item: Number | Word
    begins: str = ""

    @property
    def word(self) -> str:
        """With what the line begins."""
        return self.begins or self.item.name


class NamedRows(msgspec.Struct, frozen=True):
    """`rows` lines that begin with this name, or with `begins`, and have whole numbers or words behind it.

    They are parted by spaces. There are `columns` of them on each line, or at most so many if it `varies`. Words have
    at most `width` characters; 0 stands for whole numbers. One row is a list, several are a list of lists.
    """

    name: str
    meaning: Meaning
    rows: int
    columns: int
    width: int = 0
    varies: bool = False
    begins: str = ""

    @property
    def word(self) -> str:
        """With what the lines begin."""
        return self.begins or self.name


class Message(msgspec.Struct, frozen=True):
    """A line whose first letter is `letter`, and the numbers behind it; `answered`, or only for information."""

    letter: str
    meaning: Meaning
    numbers: tuple[Number, ...] = ()
    answered: bool = True


class Messages(msgspec.Struct, frozen=True):
    """One line of one of several kinds, as its first letter says; the letter is a member called `kind`."""

    each: tuple[Message, ...]


Part = Line | FixedLine | TextRows | NumberRows | Records | Places | NamedLine | NamedRows | Messages


class Starter(msgspec.Struct, frozen=True, kw_only=True):
    """The input of a game and its answers.

    `start` is sent once, before the first turn. The bot answers with any of `answers`, texts that are legal whatever
    the state is, or with any record of the turn's part `listed`, as its line was, and `otherwise` when that is empty;
    where that is a row of words, with any of these.
    `help` are the lines that explain what may be answered.
    """

    turn: tuple[Part, ...]
    start: tuple[Part, ...] = ()
    answers: tuple[str, ...] = ()
    listed: str = ""
    otherwise: str = ""
    help: tuple[Meaning, ...] = ()
    seed: int = 1  # of the match whose input is recorded for the bot's test
    seats: int = 0  # how many bots play in it; 0: the fewest
    turns: int = 30  # after so many turns of the bot the recording is long enough
