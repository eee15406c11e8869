"""Opening a store, and everything that can be in its place: one sentence each, and nothing is touched."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

import pytest

from dohyo.core.errors import OperatorError
from dohyo.i18n import ENGLISH, LANGUAGES, Speaker
from dohyo.i18n.catalogue import sentence
from dohyo.series.store import errors, open_store
from dohyo.series.store.address import read_address
from tests.postgres import Server
from tests.series.store.conftest import Open
from tests.series.store.played import begun, is_there

POSTGRES = pytest.mark.xdist_group("postgres")


def refused(where: object, **settings: object) -> OperatorError:
    """What is said when this is opened."""
    with pytest.raises(OperatorError) as caught:
        open_store(str(where), **{"create": True, "patience": 0.2, **settings})  # type: ignore[arg-type]
    return caught.value


@contextmanager
def nobody() -> Iterator[None]:
    """Be a user who may do nothing here; root could write anywhere."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_to_all() -> Iterator[Path]:
    """A folder that others may enter; pytest's own may only its owner."""
    with TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name)


def test_a_missing_store_is_not_made(tmp_path: Path) -> None:
    """Who only looks is told that there is no store, and none is there afterwards."""
    assert refused(tmp_path / "none.db", create=False).key == "store-missing"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("there", "typed"),
    [
        ("大会.toml", "大会.tml"),
        ("大会.db", "大会"),
        ("class.db", "clas.db"),
        ("a.db", "nine.db"),
        ("spring.toml", "sprin"),
    ],
)
def test_who_misspells_a_store_is_told_which_one_is_there(tmp_path: Path, there: str, typed: str) -> None:
    """The store or contest file that was probably meant is named; none where nothing is near."""
    (tmp_path / there).touch()
    said = refused(tmp_path / typed, create=False).say(ENGLISH)
    assert (f"{typed}' ('{there}'?); check" in said) is (there not in ("a.db", "spring.toml"))


def test_a_store_in_a_new_folder(tmp_path: Path) -> None:
    """Folders above a new store are made; its files come to lie beside it."""
    with open_store(str(tmp_path / "new" / "er" / "results.db"), create=True) as store:
        store.files.put(b"x")
    assert sorted(path.name for path in (tmp_path / "new" / "er").iterdir()) == ["results.db", "results.db.files"]


@pytest.mark.parametrize("make", ["text", "folder", "other", "empty"])
def test_what_is_no_store_is_refused_and_kept(tmp_path: Path, make: str) -> None:
    """A text, a folder, another program's database are refused; not one byte of theirs is changed."""
    path = tmp_path / "results.db"
    match make:
        case "text":
            path.write_text("SQLite is mentioned here\n" * 100)
        case "folder":
            path.mkdir()
        case "other":
            with closing(sqlite3.connect(path)) as other:
                other.execute("CREATE TABLE contests (x)")
        case "empty":
            path.touch()
    before = path.read_bytes() if path.is_file() else b""
    create = make != "empty"  # an empty file is what a new store begins as
    assert refused(path, create=create).key == ("store-is-none" if create else "store-missing")
    assert (path.read_bytes() if path.is_file() else b"") == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_damaged_store_is_told(tmp_path: Path) -> None:
    """A store whose bytes were changed on the disk is told as one, not as a defect of ours."""
    path = tmp_path / "results.db"
    with open_store(str(path), create=True) as store:
        begun(store)
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    assert refused(path).key == "store-damaged"


def test_an_address_in_any_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path and its URL are the same store, also for a process that went to another folder meanwhile."""
    monkeypatch.chdir(tmp_path)
    with open_store("results.db", create=True) as store:
        contest = begun(store)
        monkeypatch.chdir("/")
        assert store.contests() == [contest]
        for where in (f"sqlite:///{tmp_path}/results.db", f"{tmp_path}/results.db"):
            with open_store(where) as again:
                assert again.contests() == [contest]
    monkeypatch.chdir(tmp_path)
    with open_store("sqlite:///results.db") as again:
        assert again.contests() == [contest]


@pytest.mark.parametrize(
    ("where", "key"),
    [
        ("mysql://me@here/x", "store-unknown-url"),
        ("postgresql://me@here:port/x", "store-bad-url"),
        ("", "store-no-name"),
        (":memory:", "store-no-name"),
        ("sqlite://", "store-no-name"),
    ],
)
def test_an_address_that_cannot_be(where: str, key: str) -> None:
    """Other databases, malformed URLs and stores without a file are one sentence each."""
    assert refused(where).key == key


def test_without_psycopg(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the driver for PostgreSQL, the sentence says how to install it."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert "dohyo[postgres]" in str(refused("postgresql://me@here/x"))


def test_a_locked_store_is_told(where: str, opened: Open) -> None:
    """A store that another program keeps locked is told after our patience, and goes on when it is free."""
    store = opened(patience=0.2)
    contest = begun(store)
    with opened().database.writing() as connection:
        connection.exec_driver_sql("UPDATE contests SET state = state")
        with pytest.raises(OperatorError) as caught:
            store.set_state(contest.id, "over")
        assert caught.value.key == "store-locked"
        assert store.contest().state == "running"
    store.set_state(contest.id, "over")
    assert store.contest().state == "over"


def test_a_store_that_is_locked_from_the_beginning(tmp_path: Path) -> None:
    """A program that lets nobody else look at the file is told of when a store is opened."""
    path = tmp_path / "results.db"
    with open_store(str(path), create=True):
        pass
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN IMMEDIATE")
        assert refused(path).key == "store-locked"
    with open_store(str(path)) as store:
        assert store.contests() == []


def test_a_folder_without_rights(tmp_path: Path) -> None:
    """Where nothing can be written, the sentence says so, whether there is a store already or not."""
    place = tmp_path / "shut"
    place.mkdir()
    with open_store(str(place / "results.db"), create=True):
        pass
    place.chmod(0o555)
    try:
        with nobody():
            assert refused(place / "new.db").key == "store-not-writable"
            assert refused("/proc/results.db").key == "store-not-writable"
    finally:
        place.chmod(0o755)


def test_looking_while_somebody_writes(opened: Open) -> None:
    """Who looks sees the state before a transaction until that is done, and waits for nobody."""
    writer, reader = opened(), opened(patience=0.1)
    contest = begun(writer)
    with writer.database.writing() as connection:
        connection.exec_driver_sql("UPDATE contests SET state = 'over'")
        assert reader.contest().state == "running"
    assert reader.contest(contest.name).state == "over"


@pytest.mark.parametrize("count", [0, 2])
def test_which_contest(opened: Open, count: int) -> None:
    """A store with no contest says how to begin one, one with many wants a name, a wrong name gets a near one."""
    store = opened()
    for name in ("spring", "summer")[:count]:
        begun(store, name)
    for name, key in ((None, "store-many-contests"), ("sprung", "store-no-contest")):
        with pytest.raises(OperatorError) as caught:
            store.contest(name)
        assert caught.value.key == (key if count else "store-empty")
        assert "spring" in str(caught.value) or not count


@POSTGRES
def test_postgres_cannot_be_reached(server: Server, tmp_path: Path) -> None:
    """A server that is not there, a database that is not there, and one of another encoding are told as that."""
    assert refused(f"postgresql://me:secret@/x?host={tmp_path}").key == "store-unreachable"
    assert "secret" not in str(refused(f"postgresql://me:secret@/x?host={tmp_path}"))
    assert refused(server.url("none")).key == "store-no-database"
    assert refused(server.url("postgres").replace("dohyo@", "stranger@")).key == "store-refuses"
    with server.database("SQL_ASCII") as url:
        assert refused(url).key == "store-not-utf8"


def test_no_sentence_holds_a_password() -> None:
    """What a URL says of passwords, wherever it says it, is not in what is printed; what leads to the store is."""
    pytest.importorskip("psycopg")
    query = "host=/none&password=hunter2&sslpassword=hunter3&passfile=/hunter4&password=hunter5&port=5433"
    shown = read_address(f"postgresql://me:hunter1@/store?{query}").shown
    assert "hunter" not in shown
    assert "port=5433" in shown
    assert "none" in shown
    error = refused(f"postgresql://me:hunter1@/store?{query}")
    assert error.key == "store-unreachable"
    assert not any("hunter" in error.say(Speaker(language)) for language in LANGUAGES)


@POSTGRES
def test_postgres_with_other_tables(server: Server) -> None:
    """A database with somebody's tables in it is refused; an empty one is no store for who only looks."""
    from sqlalchemy import create_engine, text

    with server.database() as url:
        assert refused(url, create=False).key == "store-missing"
        engine = create_engine(url.replace("postgresql", "postgresql+psycopg"))
        with engine.begin() as connection:
            connection.execute(text("CREATE TABLE contests (x int)"))
        engine.dispose()
        assert refused(url).key == "store-is-none"


@POSTGRES
def test_postgres_knows_its_folder(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of files that a store in PostgreSQL was begun with is found again from anywhere."""
    with server.database() as url:
        monkeypatch.chdir(tmp_path)
        with open_store(url, create=True) as store:
            digest = store.files.put(b"a replay")
        monkeypatch.chdir("/")
        with open_store(url) as store:
            assert store.files.get(digest) == b"a replay"
        with open_store(url, files=tmp_path / "copy") as store:
            assert not is_there(store.files, digest)


def test_every_trouble_has_its_sentence() -> None:
    """What databases complain of leads to sentences that are there, in every language, with what they tell."""
    for _, key in (*errors.SQLITE, *errors.POSTGRES):
        assert len({sentence(key, language) for language in LANGUAGES}) == len(LANGUAGES)
        for language in LANGUAGES:
            assert "results.db" in OperatorError(key, store="results.db", reason="so").say(Speaker(language))


@pytest.mark.parametrize("left", ["nothing", "log", "log without index"])
def test_a_store_that_can_only_be_read(tmp_path: Path, open_to_all: Path, left: str) -> None:
    """It is read, also what is in a log that somebody left; who wants to write is told to copy it.

    So is who cannot read the log.
    """
    place = open_to_all / "a ?b%"
    place.mkdir()
    made = tmp_path / "results.db"
    with open_store(str(made), create=True) as store:
        begun(store)
        if left == "nothing":
            store.close()
        else:
            begun(store, name="autumn")
        for ending in ("", "-wal", "-shm"):
            if (beside := Path(f"{made}{ending}")).exists() and not (ending == "-shm" and "without" in left):
                copyfile(beside, place / f"results.db{ending}")
    for path in (*place.iterdir(), place):
        path.chmod(0o444 if path.is_file() else 0o555)
    try:
        with nobody():
            if "without" in left:
                assert refused(place / "results.db").key == "store-copy-first"
                return
            with open_store(str(place / "results.db")) as store:
                names = [contest.name for contest in store.contests()]
                assert names == (["spring"] if left == "nothing" else ["spring", "autumn"])
                assert len(store.entrants(1)) == 4
                assert not list(store.verify())
                for write in (lambda: store.lease(1), lambda: store.set_state(1, "over"), lambda: begun(store)):
                    with pytest.raises(OperatorError) as caught:
                        write()
                    assert caught.value.key == "store-copy-first"
                    assert "'results.db.files'" in caught.value.say()
                    assert "コピー" in caught.value.say(Speaker("ja"))
    finally:
        place.chmod(0o755)
