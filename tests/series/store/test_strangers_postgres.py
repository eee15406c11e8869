"""A database of PostgreSQL may be somebody else's: what it says opens, removes and starts nothing."""

from __future__ import annotations

import os
import pwd
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from dohyo.cli.main import run
from dohyo.core.contest import Fixture
from dohyo.core.errors import OperatorError
from dohyo.series.spec import Spec
from dohyo.series.store import open_store
from dohyo.series.store.columns import LONGEST
from dohyo.series.typed_again import words_again
from tests import skips
from tests.postgres import Server
from tests.series.store.played import begun, is_there, result

pytestmark = pytest.mark.xdist_group("postgres")


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder of the test's own."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")


@pytest.fixture
def url(server: Server) -> Iterator[str]:
    """An empty database."""
    with server.database() as url:
        yield url


def order(url: str, *commands: str) -> None:
    """Do this in the database, as its owner may."""
    engine = create_engine(url.replace("postgresql", "postgresql+psycopg"))
    with engine.begin() as connection:
        for command in commands:
            connection.execute(text(command))
    engine.dispose()


def ask(url: str, question: str) -> object:
    """What the database says."""
    engine = create_engine(url.replace("postgresql", "postgresql+psycopg"))
    with engine.connect() as connection:
        said = connection.execute(text(question)).scalar_one_or_none()
    engine.dispose()
    return said


def old(path: Path) -> Path:
    """A file that was written three days ago."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("a thesis")
    os.utime(path, (time.time() - 3 * 86400,) * 2)
    return path


def victims(folder: Path) -> set[Path]:
    """A folder of the operator's, with files that look like our unfinished ones."""
    return {old(folder / "unfinished" / name) for name in ("tmp-thesis.txt", "tmpabcd1234")}


def refused(url: str) -> OperatorError:
    """What is said when this is opened."""
    with pytest.raises(OperatorError) as caught:
        open_store(url)
    return caught.value


def test_the_store_does_not_say_where_files_are(url: str, tmp_path: Path) -> None:
    """A database that names the operator's folder is not followed: nothing is removed there or written."""
    open_store(url, create=True).close()
    files = victims(tmp_path / "victim")
    order(url, f"UPDATE facts SET value = '{tmp_path / 'victim'}' WHERE name = 'files'")
    with open_store(url) as store:
        store.files.put(b"a replay")
    assert set((tmp_path / "victim").rglob("*.*")) | files == files
    assert all(path.exists() for path in files)
    assert len(list((tmp_path / "here").glob("*.files/*/*"))) == 1


def test_an_unknpersonal_exportbase_asks_where_files_are(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where nobody said on this machine where the files are, a sentence asks for it, once; then they are found."""
    with open_store(url, create=True) as store:
        begun(store)
        digest, folder = store.files.put(b"a replay"), store.files.folder  # type: ignore[attr-defined]
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "another"))
    with open_store(url) as store:  # in the folder in which it was begun there is nothing to ask
        assert is_there(store.files, digest)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "a-third"))
    monkeypatch.chdir(tmp_path)
    error = refused(url)
    assert error.key == "store-files-unknown"
    assert str(folder) in str(error)
    assert "dohyo contest files" in str(error)
    assert run(["contest", "files", url, str(folder)]) == 0
    assert str(folder) in capsys.readouterr().out
    with open_store(url) as store:
        assert is_there(store.files, digest)


def test_the_operators_word_comes_before_the_store_is_begun(url: str, tmp_path: Path) -> None:
    """A folder that was named for an empty database gets the files of the store that is begun there."""
    assert run(["contest", "files", url, str(tmp_path / "big" / "disk")]) == 0
    with open_store(url, create=True) as store:
        store.files.put(b"a replay")
    assert len(list((tmp_path / "big" / "disk").glob("*/*"))) == 1
    assert ask(url, "SELECT value FROM facts") == str(tmp_path / "big" / "disk")


def test_where_nothing_can_be_remembered(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a place for settings the folder beside is used as ever; who names another is told."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "file"))
    open_store(url, create=True).close()
    open_store(url).close()
    assert run(["contest", "files", url, str(tmp_path)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    for name in ("XDG_CONFIG_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", {}.__getitem__)  # a container's user, who has no home
    open_store(url).close()
    assert run(["contest", "files", url, str(tmp_path)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert not list(Path().glob("~*"))


def test_files_of_sqlite_lie_beside_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a store in a file no folder is remembered, and a sentence says why."""
    assert run(["contest", "files", str(tmp_path / "c.db"), str(tmp_path)]) == 2
    assert "c.db.files" in capsys.readouterr().err


def test_only_our_own_names_are_swept(url: str) -> None:
    """In the folder for files, only names that we give to unfinished files are removed, and only through no link."""
    with open_store(url, create=True) as store:
        folder = store.files.folder  # type: ignore[attr-defined]
    victims(folder)
    (folder / "unfinished" / "tmpfolder").mkdir()
    os.utime(folder / "unfinished" / "tmpfolder", (0, 0))
    open_store(url).close()
    assert {path.name for path in (folder / "unfinished").iterdir()} == {"tmp-thesis.txt", "tmpfolder"}
    (folder / "unfinished").rename(folder / "aside")
    linked = old(Path("mine") / "tmpabcd1234")
    (folder / "unfinished").symlink_to(linked.parent.absolute())
    open_store(url).close()
    assert linked.exists()


EVIL = "CREATE FUNCTION {}({}) RETURNS {} LANGUAGE plpgsql AS $$ BEGIN CREATE TABLE IF NOT EXISTS got (); {} END $$"

PLANTED = {
    "trigger": (
        "CREATE SCHEMA evil",
        EVIL.format("evil.f", "", "trigger", "RETURN NEW;"),
        "CREATE TRIGGER t BEFORE UPDATE ON contests FOR EACH ROW EXECUTE FUNCTION evil.f()",
    ),
    "rule": ("CREATE RULE r AS ON UPDATE TO contests DO ALSO INSERT INTO bots (name) VALUES ('got')",),
    "view": ("ALTER TABLE ratings RENAME TO others", "CREATE VIEW ratings AS SELECT * FROM others"),
    "policy": ("ALTER TABLE contests ENABLE ROW LEVEL SECURITY", "CREATE POLICY p ON contests USING (true)"),
    "default": (
        "CREATE SCHEMA evil",
        EVIL.format("evil.f", "", "bigint", "RETURN 0;"),
        "ALTER TABLE contests ALTER checksum SET DEFAULT evil.f()",
    ),
    "built-in default": ("ALTER TABLE contests ALTER state SET DEFAULT pg_read_file('/etc/passwd')",),
    "check": (
        "CREATE SCHEMA evil",
        EVIL.format("evil.f", "text", "boolean", "RETURN true;"),
        "ALTER TABLE contests ADD CHECK (evil.f(state)) NOT VALID",
    ),
    "index": (
        "CREATE SCHEMA evil",
        "CREATE FUNCTION evil.f(text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1'",
        "CREATE INDEX i ON bots (evil.f(name))",
    ),
    "column": ("ALTER TABLE contests ADD own text",),
    "generated column": ("ALTER TABLE contests ADD own text GENERATED ALWAYS AS (state || state) STORED",),
    "type": ("CREATE DOMAIN own AS text CHECK (VALUE <> 'x')", "ALTER TABLE contests ALTER state TYPE own"),
    "collation": (
        "CREATE COLLATION own (provider = libc, locale = 'C')",
        "ALTER TABLE bots ALTER name TYPE text COLLATE own",
    ),
    # When a contest is deleted, the trigger runs as its own owner, but in our session, whose settings it may change.
    "another table's key": (
        "CREATE SCHEMA evil",
        "CREATE TABLE evil.own (id integer REFERENCES contests ON DELETE CASCADE)",
        EVIL.format("evil.f", "", "trigger", "RETURN OLD;"),
        "CREATE TRIGGER t BEFORE DELETE ON evil.own FOR EACH ROW EXECUTE FUNCTION evil.f()",
    ),
    "key to another table": (
        "CREATE SCHEMA evil",
        "CREATE TABLE evil.own (id integer PRIMARY KEY)",
        "ALTER TABLE bots ADD FOREIGN KEY (id) REFERENCES evil.own NOT VALID",
    ),
    "child": ("CREATE TABLE child () INHERITS (contests)",),
    "function": (EVIL.format("sum", "integer", "integer", "RETURN $1;"),),
    "aggregate": ("CREATE AGGREGATE count (text) (SFUNC = textcat, STYPE = text)",),
    "operator": ("CREATE OPERATOR === (FUNCTION = textcat, LEFTARG = text, RIGHTARG = text)",),
    "view for the version": (
        "ALTER TABLE dohyo_version RENAME TO others",
        "CREATE VIEW dohyo_version AS SELECT * FROM others",
    ),
}


@pytest.mark.parametrize("what", PLANTED)
def test_what_would_start_something_is_refused(url: str, what: str) -> None:
    """A database with triggers, rules, views, policies, foreign functions and the like is refused, nothing is run."""
    with open_store(url, create=True) as store:
        begun(store)
    order(url, *PLANTED[what])
    error = refused(url)
    assert error.key == "store-damaged"
    assert len(str(error).splitlines()) == 1
    assert ask(url, "SELECT to_regclass('got')") is None


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        ("contests.begun", "text"),
        ("contests.spec", "jsonb"),
        ("matches.batch", "numeric"),
        ("results.worker", "bytea"),
    ],
)
def test_columns_of_other_types_are_refused(url: str, column: str, kind: str) -> None:
    """A column of another type than ours is one sentence, and not an error of the first statement that uses it."""
    with open_store(url, create=True) as store:
        begun(store)
    table, name = column.split(".")
    loose = f"ALTER TABLE {table} ALTER COLUMN {name} DROP NOT NULL"
    order(url, loose, f"ALTER TABLE {table} ALTER COLUMN {name} TYPE {kind} USING NULL")
    error = refused(url)
    assert error.key == "store-damaged"
    assert str(error).count("\n") == 0


def test_long_texts_come_in_pieces(url: str, tmp_path: Path) -> None:
    """Thousands of rows with texts as long as they may be are read in pieces, however little room they take there.

    Of a longer text no more comes than shows that it is too long.
    """
    with open_store(url, create=True, files=tmp_path) as store:
        contest = begun(store).id
        many = [Fixture(0, number, (0, 1), number) for number in range(1500)]
        store.schedule(contest, many)
        store.record(contest, [result(match) for match in many])
        order(url, f"UPDATE results SET host = repeat('x', {LONGEST})")
        code = f"""
import resource
from pathlib import Path
from dohyo.series.store import open_store
resource.setrlimit(resource.RLIMIT_AS, (900 << 20,) * 2)
with open_store({url!r}, files=Path({str(tmp_path)!r})) as store:
    try:
        print(len(list(store.played({contest}))))
    except Exception as error:
        print(type(error).__name__, getattr(error, "key", error))
"""
        told = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stdout]
        order(url, "UPDATE results SET host = repeat('x', 600000000) WHERE match = 0")
        told += [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stdout]
    assert told == ["OperatorError store-damaged\n"] * 2


def test_a_table_that_is_changed_meanwhile_is_told(url: str) -> None:
    """An error of a statement for tables that are no longer as they were when we looked is a sentence."""
    with open_store(url, create=True) as store:
        contest = begun(store)
        order(url, "ALTER TABLE results RENAME TO others")
        with pytest.raises(OperatorError) as caught:
            list(store.played(contest.id))
    assert caught.value.key == "store-damaged"


def test_an_extension_does_no_harm(url: str) -> None:
    """What only the server's owner can have made, such as an extension's functions in C, is no reason to refuse."""
    if not ask(url, "SELECT count(*) FROM pg_available_extensions WHERE name = 'pg_stat_statements'"):
        skips.skip_for(skips.Reason.COMPILER, "PostgreSQL's own extensions are not installed")
    order(url, "CREATE EXTENSION pg_stat_statements")
    open_store(url, create=True).close()
    open_store(url).close()


def test_one_schema_is_looked_in(url: str) -> None:
    """Names are looked for in the store's one schema, and a database that puts another before it is no store."""
    with open_store(url, create=True) as store, store.database.reading() as connection:
        assert connection.execute(text("SELECT current_setting('search_path')")).scalar_one() == "public, pg_temp"
    path = "EXECUTE format('ALTER DATABASE %I SET search_path = evil, public', current_database());"
    order(url, "CREATE SCHEMA evil", "CREATE TABLE evil.contests (x int)", f"DO $$ BEGIN {path} END $$")
    assert refused(url).key == "store-is-none"


def test_commands_do_not_print_passwords(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither what a command says of a store that opens nor the words to go on with hold the URL's password."""
    secret = f"{url.replace('dohyo@', 'dohyo:hunter1@')}&password=hunter2"
    with open_store(secret, create=True) as store:
        assert run(["contest", "verify", secret]) == 0
        terms: dict[str, Any] = {"game": "drop-block", "format": "round-robin", "rounds": 1, "seed": 1, "clock": None}
        again = words_again(store, secret, begun(store), Spec(**terms, setup={}, options={}, bots=()))
    assert run(["contest", "verify", secret]) == 2  # its terms are none
    assert run(["contest", "files", secret, "."]) == 0
    said = capsys.readouterr()
    assert "/store_" in said.out
    assert "/store_" in again
    assert "hunter" not in again + said.out + said.err
