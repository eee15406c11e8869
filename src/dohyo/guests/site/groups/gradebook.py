"""A gradebook as Moodle and Canvas export it, or any table with a column of names: CSV, read whole.

What is read keeps the text of each record as it came, so that a column can be added or filled, and all else stays
byte for byte. The file is a stranger's: its size is bounded, and no cell is believed to be harmless.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
import unicodedata
from collections.abc import Container, Iterator, Mapping
from typing import Literal

import msgspec

from dohyo import clean
from dohyo.core.errors import OperatorError

MAX_BYTES = 1 << 20
MAX_RECORDS = 3000
MAX_COLUMNS = 300
LONGEST_NAME = 100  # characters of a student's name
LONGEST_MAIL = 254
LONGEST_IDENT = 100
MAIL = re.compile(r"[^@\s,;<>\"'():\\\[\]]+@[^@\s,;<>\"'():\\\[\]]+")
BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
LONGEST_HEADING = 200  # characters of a cell that are looked at for a heading
ENCODINGS = ("utf-8", "cp932")  # Excel in Japan writes the second
DELIMITERS = ",;\t"

Kind = Literal["moodle", "canvas", "table"]

# What columns are called, as names are compared: by Moodle and Canvas in English and Japanese, and by people.
GIVEN = {"first name", "given name", "名"}
FAMILY = {"last name", "surname", "family name", "姓"}
WHOLE = {"student", "student name", "name", "full name", "学生", "生徒", "受講生", "氏名", "名前", "学生氏名"}
MAILS = {"email address", "email", "e-mail", "e-mail address", "mail", "メールアドレス", "メール", "eメール"}
IDENTS = (
    *({"id number", "idnumber", "idナンバー"}, {"id"}, {"student id", "student number", "学籍番号", "学生番号"}),
    *({"sis user id"}, {"username", "ユーザ名", "ユーザー名", "ログインid"}, {"number", "no", "no.", "番号"}),
)
LOGIN = {"sis login id"}
# Columns that say something of a student or of the file, and hold no points that somebody gave.
OTHERS = re.compile(
    r"(institution|department|section|group|groups|root account|last downloaded.*|integration id|city/town|country|"
    r"(course|category) total.*|(unposted )?(current|final) (score|grade|points)|override.*|"
    r"所属.*|部署|組織|セクション|グループ|このコースからの最終ダウンロード.*|最終ダウンロード.*|コース合計.*|市区町村|国)"
)
NUMBER = re.compile(r"[-+]?\d{1,5}(?:[.,]\d{1,6})?")  # points; a number of a student, or a moment, is longer
EMPTY = {"", "-"}  # the second is what Moodle writes
NOBODY = {"student, test", "テスト, 学生"}  # whom Canvas adds


class Record(msgspec.Struct, frozen=True):
    """One record: the number of its first line, its text as it came, its cells."""

    line: int
    raw: str
    cells: list[str]


class Entry(msgspec.Struct, frozen=True):
    """What a record says of a student. `problem` is the key of the sentence that says why it cannot be taken."""

    line: int
    name: str
    mail: str = ""
    ident: str = ""
    problem: str = ""


class Gradebook(msgspec.Struct, frozen=True):
    """A gradebook: `header` names the columns, all others that say something are `records`.

    `all` are those and the empty ones, in the order of the file.
    """

    kind: Kind
    encoding: str
    mark: bytes
    delimiter: str
    header: Record
    records: list[Record]
    all: list[Record]

    @property
    def told_encoding(self) -> str:
        """The encoding as people know it: what Excel writes in Japan is Shift_JIS there."""
        return "Shift_JIS (cp932)" if self.encoding == "cp932" else self.encoding

    def columns(self) -> list[str]:
        """The names of the columns."""
        return self.header.cells

    def takes(self) -> dict[int, str]:
        """The columns that can hold points, by their places: those that are empty or hold numbers of no other use.

        Columns by which students are known are not among them, whatever they hold.
        """
        known = GIVEN.union(FAMILY, WHOLE, MAILS, LOGIN, *IDENTS)
        cells = [record.cells for record in self.records]
        found = {}
        for at, title in enumerate(self.columns()):
            name = _named(title)
            held = [row[at].strip() for row in cells if at < len(row)]
            is_of_points = all(value in EMPTY or NUMBER.fullmatch(value) for value in held[self._more :])
            if name and name not in known and not OTHERS.fullmatch(name) and is_of_points:
                found[at] = title
        return found

    @property
    def _more(self) -> int:
        """How many lines below the header are of no student: in Canvas what can be had stands there."""
        return next((at for at, (_, entry) in enumerate(self.entries()) if entry is not None), 0)

    def holds(self, at: int, lines: Container[int]) -> int:
        """How many of the records of these lines have something in a column already."""
        return sum(
            record.line in lines and at < len(record.cells) and record.cells[at].strip() not in EMPTY
            for record in self.records
        )

    def entries(self) -> Iterator[tuple[Record, Entry | None]]:
        """Each record with what it says of a student; none for one that is of nobody, as that of the points."""
        places = _places(self.columns())
        for record in self.records:
            yield record, _entry(record, places, self.kind)


def read(content: bytes) -> Gradebook:
    """A gradebook from a file's bytes. Raises `OperatorError` with what is wrong with it, and where."""
    if len(content) > MAX_BYTES:
        raise OperatorError("serve-csv-large", most=MAX_BYTES >> 20)
    encoding, mark, text = _decoded(content)
    if not text.strip() or "\0" in text:
        raise OperatorError("serve-csv-no-text")
    first = text.lstrip("\r\n").splitlines()[0]
    if len(first) > csv.field_size_limit():
        raise OperatorError("serve-csv-no-text")
    delimiter = max(DELIMITERS, key=lambda one: len(next(csv.reader([first], delimiter=one), [])))
    every = [*_records(text, delimiter)]
    records = [record for record in every if any(cell.strip() for cell in record.cells)]
    if not records:
        raise OperatorError("serve-csv-no-text")
    header = records[0]
    return Gradebook(_kind(header.cells), encoding, mark, delimiter, header, records[1:], every)


def _decoded(content: bytes) -> tuple[str, bytes, str]:
    """The encoding of a file, the mark at its beginning, and its text without it."""
    for mark, encoding in BOMS:
        if content.startswith(mark):
            try:
                return encoding, mark, content[len(mark) :].decode(encoding)
            except UnicodeDecodeError as error:
                raise OperatorError("serve-csv-encoding") from error
    for encoding in ENCODINGS:
        try:
            return encoding, b"", content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise OperatorError("serve-csv-encoding")


def _records(text: str, delimiter: str) -> Iterator[Record]:
    taken: list[str] = []

    def lines() -> Iterator[str]:
        for line in io.StringIO(text, newline=""):
            taken.append(line)
            yield line

    reader = csv.reader(lines(), delimiter=delimiter, strict=True)
    line = 1
    try:
        for number, cells in enumerate(reader):
            if number > MAX_RECORDS or len(cells) > MAX_COLUMNS:
                raise OperatorError("serve-csv-many", records=MAX_RECORDS, columns=MAX_COLUMNS)
            yield Record(line, "".join(taken), cells)
            line = reader.line_num + 1
            taken.clear()
    except csv.Error as error:
        raise OperatorError("serve-csv-broken", line=line) from error


def _named(cell: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", cell[:LONGEST_HEADING]).casefold().split())


def _places(header: list[str]) -> dict[str, int]:
    """Where the columns are that say who a student is; those that a table has not are not in it."""
    names = [_named(cell) for cell in header]
    found: dict[str, int] = {}
    for what, known in {"given": GIVEN, "family": FAMILY, "name": WHOLE, "mail": MAILS, "login": LOGIN}.items():
        at = next((at for at, name in enumerate(names) if name in known), None)
        if at is not None:
            found[what] = at
    for known in IDENTS:
        at = next((at for at, name in enumerate(names) if name in known), None)
        if at is not None:
            found["ident"] = at
            break
    return found


def _kind(header: list[str]) -> Kind:
    """Whose gradebook has these columns. Raises `OperatorError` where none of them has names."""
    places, names = _places(header), {_named(cell) for cell in header}
    if "given" in places and "family" in places:
        return "moodle"
    if "name" not in places:
        raise OperatorError("serve-csv-no-names", columns=", ".join(header[:8]))
    return "canvas" if "id" in names and names & (LOGIN | {"section", "sis user id", "セクション"}) else "table"


def _entry(record: Record, places: Mapping[str, int], kind: Kind) -> Entry | None:
    def cell(what: str) -> str:
        at = places.get(what)
        value = "" if at is None or at >= len(record.cells) else record.cells[at]
        return " ".join(value.split())

    name, mail, ident = cell("name"), cell("mail"), cell("ident")
    if kind == "moodle":
        name = " ".join(filter(None, (cell("given"), cell("family"))))
        if _is_east_asian(cell("family") + cell("given")):
            name = " ".join(filter(None, (cell("family"), cell("given"))))
    if kind == "canvas":
        mail = mail or (cell("login") if "@" in cell("login") else "")
        if not ident or _named(name) in NOBODY:  # the points that can be had, and whom Canvas adds
            return None
    shown = clean.line(name, LONGEST_NAME + 1)
    problem = ""
    if not name:
        problem = "serve.line-no-name"
    elif len(shown) > LONGEST_NAME or len(ident) > LONGEST_IDENT or len(mail) > LONGEST_MAIL:
        problem = "serve.line-long"
    elif mail and not MAIL.fullmatch(mail):
        problem = "serve.line-mail"
    return Entry(record.line, shown, clean.line(mail, LONGEST_MAIL), clean.line(ident, LONGEST_IDENT), problem)


def _is_east_asian(name: str) -> bool:
    """Whether a name is written in kanji, kana or hangul: then the family's name comes first."""
    return any(unicodedata.name(letter, "").startswith(("CJK", "HIRAGANA", "KATAKANA", "HANGUL")) for letter in name)
