"""Stores that anybody made: SQLite keeps anything in any column, and a file of it may hold anything at all."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import strategies as st

from dohyo.cli import contest_looks
from dohyo.core import replay_format as replays
from dohyo.core.errors import OperatorError
from dohyo.guests.exports.command import TEXTS
from dohyo.guests.reports import page
from dohyo.i18n import ENGLISH, Speaker
from dohyo.series import session
from dohyo.series.exports.export import lines
from dohyo.series.results import Orders
from dohyo.series.session import look
from dohyo.series.store import open_store
from tests.core.matches import played
from tests.fuzz.laws import ATOMS, VALUES, hold, reads_or_refuses
from tests.series import made_contests
from tests.series.store.sealing import seal

KINDS = {
    "round-robin": "drop-block",
    "ladder": "wondev-woman",
    "swiss": "wondev-woman",
    "double-elimination": "wondev-woman",
    "king-of-the-hill": "abotcalypse",
}
GONE = "-- gone --"  # in the place of a value: its row is taken away


class Good(NamedTuple):
    """A good store: its bytes, and how many rows each of its tables has, by column."""

    content: bytes
    columns: list[tuple[str, str]]
    rows: dict[str, int]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> list[Good]:
    """Contests of several formats, in the middle and over."""
    made = []
    for kind, game in KINDS.items():
        path = tmp_path_factory.mktemp("good") / "c.db"
        made_contests.hold(path, kind=kind, game=game, rounds=2, batches=2, names=made_contests.NAMES[:4])
        with open_store(str(path)) as store:
            replay = store.files.put(replays.encode(played(turns=6), compressed=True))
        with contextlib.closing(sqlite3.connect(path)) as database:
            database.execute("UPDATE results SET replay = ?", (replay,))
            database.execute("INSERT INTO failures SELECT contest, number, 'a', 'error', 1.0, 0 FROM matches LIMIT 2")
            database.execute("UPDATE bot_versions SET archive = ?", (replay,))
            database.execute("PRAGMA journal_mode = DELETE")
            database.commit()
            names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            columns = [(name, row[1]) for name in names for row in database.execute(f"PRAGMA table_info({name})")]
            rows = {name: database.execute(f"SELECT COUNT(*) FROM {name}").fetchone()[0] for name in names}
        seal(path)
        made.append(Good(path.read_bytes(), columns, rows))
    return made


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where stores are put, one after the other."""
    return tmp_path_factory.mktemp("stores")


@contextlib.contextmanager
def laid(place: Path, content: bytes) -> Iterator[Path]:
    """A store's file of these bytes, with nothing beside it."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    path = place / "c.db"
    path.write_bytes(content)
    yield path


def put(path: Path, good: Good, changes: list[tuple[int, int, Any]]) -> None:
    """Put values into columns of rows, each by its number; what SQLite itself refuses stays as it was."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        for column, row, value in changes:
            table, name = good.columns[column % len(good.columns)]
            key = ", ".join(each for of, each in good.columns if of == table)
            at = f"({key}) IN (SELECT {key} FROM {table} LIMIT 1 OFFSET {row % max(1, good.rows[table])})"
            with contextlib.suppress(sqlite3.Error, OverflowError, UnicodeEncodeError):
                if value == GONE:
                    database.execute(f"DELETE FROM {table} WHERE {at}")
                else:
                    database.execute(f"UPDATE OR REPLACE {table} SET {name} = ? WHERE {at}", (value,))
        database.commit()
    seal(path)


def ways(path: Path) -> list[Callable[[], object]]:
    """All that commands do with a store, but for playing."""
    where = str(path)

    def export() -> None:
        with open_store(where) as store:
            found = list(lines(look(store, None)))
        for write in TEXTS.values():
            "".join(write(found)).encode("utf-8")

    def report() -> None:
        with open_store(where) as store:
            page.html(look(store, None), Speaker("ja")).encode("utf-8")

    def go_on() -> None:
        with session.go_on(where, None, sandbox="none") as opened:
            loop = opened.loop
            loop.format.next(loop.roster.read())
            for match in opened.store.unplayed(opened.contest.id)[:2]:
                Orders(opened.store, opened.contest, opened.game, opened.spec, loop.roster).order(match)

    looks = contest_looks
    return [
        lambda: looks.show(where, speaker=ENGLISH),
        lambda: looks.show(where, as_json=True, speaker=ENGLISH),
        lambda: looks.standings(where, speaker=ENGLISH),
        lambda: looks.matches(where, last=0, speaker=ENGLISH),
        lambda: looks.matches(where, faults=True, speaker=ENGLISH),
        lambda: looks.replay(where, "0", speaker=ENGLISH),
        export,
        report,
        go_on,
    ]


def read(path: Path, chosen: int) -> None:
    """The store is read in one of these ways, or refused."""
    said = io.StringIO()
    with redirect_stdout(said):
        reads_or_refuses(ways(path)[chosen % len(ways(path))])
    said.getvalue().encode("utf-8")


WAYS = st.integers(0, 8)
STORES = st.integers(0, len(KINDS) - 1)
HELD = (
    ATOMS.filter(lambda value: not isinstance(value, int) or -(2**63) <= value < 2**63)
    | st.binary(max_size=8)
    | st.sampled_from([GONE, 0, 1, 2, 5, "0,1", "1,0,3,2", "over", "none", 10**6])
    | VALUES.map(json.dumps)
)
CHANGES = st.lists(st.tuples(st.integers(0, 200), st.integers(0, 50), HELD), min_size=1, max_size=3)


def test_any_value_in_any_column(full: bool, good: list[Good], place: Path) -> None:
    """Any value in any column of any row, or the row gone, is read or refused."""

    def law(which: int, changes: list[tuple[int, int, Any]], way: int) -> None:
        with laid(place, good[which].content) as path:
            put(path, good[which], changes)
            read(path, way)

    hold(law, full, which=STORES, changes=CHANGES, way=WAYS)


def test_tables_that_are_no_text(good: list[Good], place: Path) -> None:
    """A file whose description of its tables holds bytes that are no text is refused."""
    with laid(place, good[0].content) as path:
        with contextlib.closing(sqlite3.connect(path)) as database:
            database.execute("PRAGMA writable_schema = ON")
            database.execute("UPDATE sqlite_master SET name = CAST(X'80' AS TEXT), sql = 'x' WHERE name = 'contests'")
            database.commit()
        with pytest.raises(OperatorError, match="damaged"):
            contest_looks.show(str(path), speaker=ENGLISH)


def test_any_terms(full: bool, good: list[Good], place: Path) -> None:
    """Any value in any place of a contest's terms is read or refused."""

    def law(which: int, terms: dict[str, Any], way: int) -> None:
        with laid(place, good[which].content) as path:
            with contextlib.closing(sqlite3.connect(path)) as database:
                (spec,) = database.execute("SELECT spec FROM contests").fetchone()
                changed = json.dumps({**json.loads(spec), **terms})
                database.execute("UPDATE contests SET spec = ?", (changed,))
                database.commit()
            seal(path)
            read(path, way)

    fields = ("game", "format", "rounds", "seed", "setup", "options", "bots", "clock", "sandbox", "python")
    numbers = st.sampled_from([0, 1, 3, 10**6, 10**9, 2**63 - 1])
    terms = st.fixed_dictionaries({}, optional=dict.fromkeys(fields, VALUES | numbers))
    hold(law, full, which=STORES, terms=terms, way=WAYS)


def test_any_bytes(full: bool, good: list[Good], place: Path) -> None:
    """A file of which some bytes were changed, or its end is missing, is read or refused."""

    def law(which: int, spots: list[tuple[int, int]], end: int, way: int) -> None:
        content = bytearray(good[which].content)
        for at, byte in spots:
            content[at % len(content)] = byte
        with laid(place, bytes(content[: len(content) - end])) as path:
            read(path, way)

    spots = st.lists(st.tuples(st.integers(0, 1 << 20) | st.integers(0, 5000), st.integers(0, 255)), max_size=6)
    hold(law, full, which=STORES, spots=spots, end=st.just(0) | st.integers(0, 9000), way=WAYS)


SCHEMES = [
    "DROP TABLE {table}",
    "ALTER TABLE {table} ADD COLUMN evil TEXT DEFAULT 'x'",
    "CREATE TRIGGER t AFTER UPDATE ON contests BEGIN DELETE FROM {table}; END",
    "CREATE VIEW v AS SELECT * FROM {table}",
    "ALTER TABLE {table} RENAME TO other",
    "UPDATE dohyo_version SET version_num = '0001'",
    "INSERT INTO dohyo_version VALUES ('0001')",
    "DELETE FROM dohyo_version",
    "DELETE FROM {table}",
]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_other_tables(full: bool, good: list[Good], place: Path, scheme: str) -> None:
    """Tables that lack something, or have what ours have not, are read or refused."""
    for number, table in enumerate(sorted(good[0].rows)):
        with laid(place, good[0].content) as path:
            with contextlib.closing(sqlite3.connect(path)) as database:
                with contextlib.suppress(sqlite3.Error):
                    database.execute(scheme.format(table=table))
                database.commit()
            for chosen in range(9) if full else (number % 9,):
                read(path, chosen)
