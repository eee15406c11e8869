"""Stores that an earlier Dohyo wrote, recorded by its own code, open, say the same as then, and go on.

`older/record.py` made them; `told.json` in each has what `contest standings --json` said then, and the revision.
"""

from __future__ import annotations

import json
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import MetaData, create_engine, insert, select

from dohyo.executors.in_process import InProcess
from dohyo.series.again import PlayingAgain
from dohyo.series.session import go_on, look
from dohyo.series.store import Store, open_store, opening, tables
from dohyo.series.store.address import read_address
from dohyo.series.store.database import Database
from dohyo.series.verify import verify
from tests.series.contests import ContestListener

RECORDED = Path(__file__).resolve().parent / "older"
NAMES = sorted(path.name.removesuffix(".tar.xz") for path in RECORDED.glob("*.tar.xz"))
# What a row of the standings said then, and has to say now. A ladder's points and places are the lower ends of its
# intervals, which are computed with more care than then; ratings themselves are the same.
KEPT = ("bot", "entrant", "digest", "matches", "firsts", "won", "drawn", "lost", "longest", "faults", "state")


@pytest.fixture(params=NAMES)
def recorded(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path, dict[str, Any]]:
    """A recorded store, unpacked: its name, where it is, what it said then."""
    with tarfile.open(RECORDED / f"{request.param}.tar.xz") as packed:
        packed.extractall(tmp_path, filter="data")
    return request.param, tmp_path / "older.db", json.loads((tmp_path / "told.json").read_text())


def version_of(path: Path) -> str:
    """The revision of a store's tables."""
    with closing(sqlite3.connect(path)) as database:
        return str(database.execute(f"SELECT version_num FROM {tables.VERSION_TABLE}").fetchone()[0])


def compare(store: Store, told: dict[str, Any]) -> None:
    """The store says what it said then."""
    view = look(store, None)
    assert sum(batch.played for batch in view.progress) == told["played"] == 32
    then = {row["bot"]: row for row in told["standings"]}
    for row in view.standings().rows:
        before = then.pop(row.bot)
        for field in KEPT:
            assert getattr(row, field) == before.get(field, getattr(row, field)), (row.bot, field)
        assert row.matches == before["matches"]
        assert row.elo == pytest.approx(before["elo"], abs=0.5)
    assert not then


def test_every_version_is_recorded() -> None:
    """Each version of the tables that a revision wrote has a store here; 0001 was never written alone."""
    assert {name[:4] for name in NAMES} == set(opening.KNOWN[1:])


def test_an_older_store_opens_and_goes_on(recorded: tuple[str, Path, dict[str, Any]], full: bool) -> None:
    """It is brought up, whole, has the same standings, plays its matches again as then, and plays another batch.

    The tables are the same by then, whatever they were: another batch is played in the oldest, with `--full` in all.
    """
    again = 4 if full else 1
    name, where, told = recorded
    assert version_of(where) == name[:4]
    with open_store(str(where)) as store:
        assert version_of(where) == opening.KNOWN[-1]
        assert list(verify(store, True, lambda so_far: None)) == []
        compare(store, told)
        playing = PlayingAgain(store, store.contests(), "none", None)
        with InProcess() as players:
            report = playing.play(playing.population(), again, 1, players, lambda found: None)
        assert report.verdicts == {"same": again}, report.matches
    if not full and name != NAMES[0]:
        return
    with go_on(str(where), None, sandbox="none") as contest, InProcess() as players:
        contest.loop.run(players, ContestListener(), 1)
        assert list(verify(contest.store, False, lambda so_far: None)) == []
        played = [each.played for each in contest.store.progress(contest.contest.id)]
        assert played == [16, 16, 16]


def test_bringing_up_is_whole_or_nothing(
    recorded: tuple[str, Path, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a step fails after all the work, the file is what it was, byte for byte in its rows."""
    name, where, told = recorded
    if name[:4] == opening.KNOWN[-1]:
        return
    with closing(sqlite3.connect(where)) as database:
        before = list(database.iterdump())

    def step_up(connection: object, to: str) -> None:
        original(connection, to)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    original = opening._step_up
    with monkeypatch.context() as patched:
        patched.setattr(opening, "_step_up", step_up)
        with pytest.raises(KeyboardInterrupt):
            open_store(str(where))
    with closing(sqlite3.connect(where)) as database:
        assert list(database.iterdump()) == before
    with open_store(str(where)) as store:
        compare(store, told)


@pytest.mark.xdist_group("postgres")
def test_the_same_in_postgres(recorded: tuple[str, Path, dict[str, Any]], request: pytest.FixtureRequest) -> None:
    """The same rows in PostgreSQL, in tables of that version, are brought up to the same standings."""
    name, where, told = recorded
    old = MetaData()
    with create_engine(f"sqlite:///{where}").connect() as source:
        old.reflect(source)
        rows = {table.name: [row._mapping for row in source.execute(select(table))] for table in old.sorted_tables}
    with request.getfixturevalue("server").database() as url:
        database = Database(read_address(url))
        new = MetaData()
        if name[:4] == opening.KNOWN[-1]:  # otherwise all tables are made at once
            opening.bring_up(database, opening.KNOWN[-2])
        opening.bring_up(database, name[:4])
        with database.writing() as connection:
            new.reflect(connection)
            for table in new.sorted_tables:
                if rows[table.name] and table.name != tables.VERSION_TABLE:
                    connection.execute(insert(table), [dict(row) for row in rows[table.name]])
        database.close()
        with open_store(url, files=where.with_name("older.db.files")) as store:
            assert list(verify(store, False, lambda so_far: None)) == []
            compare(store, told)
