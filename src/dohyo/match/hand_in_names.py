"""Names for hand-ins: of their files, and those that a file of the operator gives: who it is, or a pseudonym."""

from __future__ import annotations

import csv
import io
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath

from dohyo import clean
from dohyo.bots.content import decode, is_unpacked, listed, printable, stem_of_packed
from dohyo.core.bounds import read_toml
from dohyo.core.errors import OperatorError
from dohyo.core.notices import Tell
from dohyo.match.files import read_bounded
from dohyo.match.found_bots import check_name

LARGEST = 1 << 20  # bytes
MOST = 10_000  # rows
LONGEST_FILE_NAME = 255  # characters at most, on any system
MAX_TOLD = 500  # rows and hand-ins that one sentence names: those of a class, and of a few
SEPARATORS = ",;\t"
# How workbooks begin (xlsx, ods and numbers are zips; xls), and documents.
NO_TEXT = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"%PDF-")
NO_FIRST = re.compile(r"[\W_]+")  # what a stranger's file does not begin with here
UNSEEN = dict.fromkeys(map(ord, clean.BLANKS), "_")
# The heading of the first column, if a spreadsheet wrote headings.
HEADINGS = frozenset({"hand-in", "handin", "file", "folder", "bot", "提出物", "ファイル", "ボット"})


def read_names(path: str) -> dict[str, str]:
    """The names in a file, by the hand-ins' file names with or without their endings, their letters composed (NFC).

    A file that ends in `.toml` holds lines such as `"alice.zip" = "Alice Adams"`; any other file is a table as
    spreadsheets save it, with two columns: hand-in, name. Raises `OperatorError` if it cannot be read, has another
    form, or gives two names to one hand-in or one name to two.
    """
    content = read_bounded(path, LARGEST + 1)
    if content.startswith(NO_TEXT):
        raise OperatorError("names-no-text", path=path)
    if len(content) > LARGEST:
        raise OperatorError("names-large", path=path, mebibytes=LARGEST >> 20)
    rows = _of_toml(content, path) if path.lower().endswith(".toml") else _of_table(content, path)
    if len(rows) > MOST:
        raise OperatorError("names-many", path=path, most=MOST)
    names: dict[str, str] = {}
    for hand_in, name in ((composed(word), composed(name)) for word, name in rows):
        if hand_in in names:
            raise OperatorError("names-twice", path=path, bot=hand_in)
        names[hand_in] = check_name(name)
    if not names:
        raise OperatorError("names-empty", path=path)
    return names


def _of_toml(content: bytes, path: str) -> list[tuple[str, str]]:
    try:
        table = read_toml(content)
    except (ValueError, RecursionError) as error:
        raise OperatorError("names-malformed", path=path, error=printable(str(error))) from error
    for key, value in table.items():
        if not isinstance(value, str):
            raise OperatorError("names-malformed", path=path, error=f'{printable(key)}: "..."')
    return list(table.items())


def _of_table(content: bytes, path: str) -> list[tuple[str, str]]:
    text = decode(content)
    first = text.lstrip().partition("\n")[0]
    separator = max(SEPARATORS, key=first.count)
    try:
        lines = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator) if any(row)]
    except csv.Error as error:
        raise OperatorError("names-malformed", path=path, error=printable(str(error))) from error
    rows = []
    for row in lines:
        cells = [cell.strip() for cell in row]
        if len(cells) < 2 or not cells[0] or not cells[1]:
            raise OperatorError("names-malformed", path=path, error=printable(separator.join(row))[:80])
        rows.append((cells[0], cells[1]))
    return rows[1:] if rows and rows[0][0].casefold() in HEADINGS else rows


class Names:
    """The names that the operator gives to hand-ins."""

    def __init__(self, known: Mapping[str, str], path: str = "") -> None:
        """`known` is as `read_names` gives it, from the file `path`."""
        self._known = known
        self._path = path
        self._used: dict[str, str] = {}  # a name of the file's first column -> the hand-in that it stands for
        self._others: set[str] = set()  # names of the file's first column that stand for what is no hand-in
        self.unnamed: list[str] = []

    @classmethod
    def of(cls, path: str | None) -> Names:
        """Those of a file; none without one."""
        return cls({}) if path is None else cls(read_names(path), path)

    def of_hand_in(self, entry: str, own: str = "") -> str:
        """The name of a hand-in, looked up by its file's name, with or without ending.

        If the file does not mention it, it keeps its `own` name. That one is not looked up: its author wrote it, in
        `bot.toml`, and could take somebody else's row; and if it is somebody's in the file, the hand-in's file name
        stands behind it. Raises `OperatorError` if one row fits two hand-ins.
        """
        for word in words_of(entry):
            if word in self._known:
                if self._used.setdefault(word, entry) != entry:
                    raise OperatorError(
                        "names-of-two", path=self._path, bot=word, first=self._used[word], second=entry
                    )
                return self._known[word]
        if self._known:
            self.unnamed.append(entry)
        kept = own or entry
        return f"{kept} ({entry})" if kept in self._known.values() else kept

    def has_row_for(self, entry: str) -> bool:
        """Whether the file mentions a hand-in."""
        return any(word in self._known for word in words_of(entry))

    def of_other(self, entry: str) -> str:
        """The name of an entry that is no hand-in, such as a document; empty if no row is left for it."""
        for word in words_of(entry):
            if word in self._known and word not in self._used:
                self._others.add(word)
                return self._known[word]
        return ""

    def tell(self, tell: Tell) -> None:
        """When all names have been asked for: report the rows without a hand-in and the hand-ins without a row.

        Raises `OperatorError` if no row belongs to any hand-in, and if two hand-ins have one name.
        """
        idle = [word for word in self._known if word not in self._used]
        idle = [word for word in idle if word not in self._others]
        if self._known and not self._used and not self._others:
            raise OperatorError("names-of-none", path=self._path, bots=listed(idle, MAX_TOLD))
        bearers: dict[str, str] = {}
        for word, entry in self._used.items():
            first = bearers.setdefault(self._known[word], entry)
            if first != entry:
                name = self._known[word]
                raise OperatorError("names-shared", path=self._path, name=name, first=first, second=entry)
        if idle and self._is_heading(idle[0]):
            tell("names.heading", path=self._path, row=f"{idle[0]}, {self._known[idle[0]]}")
            idle = idle[1:]
        if idle:
            tell("names.idle", path=self._path, bots=listed(idle, MAX_TOLD))
        if self.unnamed:
            tell("names.unnamed", path=self._path, bots=listed(self.unnamed, MAX_TOLD))

    def _is_heading(self, word: str) -> bool:
        """Whether that row, which belongs to no hand-in, is the first one and names no file: a row of headings."""
        return not self._path.lower().endswith(".toml") and word == next(iter(self._known)) and "." not in word


def received_name(text: str) -> str:
    """The last part of a stranger's path as a file's name here: letters with their marks, digits, `_.+-`.

    It has at most `clean.LONGEST_FILE` bytes. Its ending stays, which tells the language. It begins with a letter or
    digit; where nothing else is left, or nothing before the ending, `bot` stands for that. It is composed (NFC), as
    macOS sends accents and voicing marks apart.
    """
    last = re.split(r"[/\\]", text)[-1][-4 * clean.LONGEST_FILE :]
    seen = unicodedata.normalize("NFC", last).translate(UNSEEN)
    plain = clean.plain_name(seen, "_")
    kept = _from_first(plain)
    if kept and plain.removesuffix(kept).endswith("."):
        kept = f"bot.{kept}"
    return _from_first(kept.encode()[-clean.LONGEST_FILE :].decode("utf-8", "ignore")) or "bot"


def _from_first(name: str) -> str:
    """A name from its first letter or digit on."""
    begin = NO_FIRST.match(name)
    return name[begin.end() :] if begin else name


def untaken(named: Sequence[tuple[str, str, bool]]) -> list[str]:
    """The names of bots, of which no hand-in has one that the operator gave to another.

    Of each bot: its name, its file, and whether the name is its author's own. If it is and is taken, the file's name
    stands behind it.
    """
    given = {name for name, _, is_own in named if not is_own}
    taken, found = Taken(given), []
    for own, path, is_own in named:
        name = f"{own} ({clean.storable(os.path.basename(path))})" if is_own and own in given else own
        found.append(taken.free(name) if is_own else name)
    return found


class Taken:
    """Names that are taken already. Thousands may be alike: each is tried where the one before it has ended."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        """With these taken."""
        self._names = set(names)
        self._more: Counter[str] = Counter()  # apostrophes behind a name with which it is taken

    def free(self, name: str) -> str:
        """This name, with as many apostrophes behind it as it needs, and taken from now on."""
        found = name + "'" * self._more[name]
        while found in self._names:
            found += "'"
            self._more[name] += 1
        self._names.add(found)
        return found


def words_of(entry: str) -> dict[str, None]:
    """By which words a list of names may mention a hand-in: its file's name, with and without ending."""
    return dict.fromkeys(map(composed, (entry, stem_of(entry))))


def composed(word: str) -> str:
    """A file's name as keyboards type it: a Mac writes a letter and its mark (ガ) as two characters.

    What is longer than any file's name stays as it is: to compose many marks takes long.
    """
    return unicodedata.normalize("NFC", word) if len(word) <= LONGEST_FILE_NAME else word


def stem_of(entry: str) -> str:
    """A hand-in's file name without its ending."""
    return stem_of_packed(entry) if is_unpacked(entry) else PurePath(entry).stem
