"""Attacks by files that a stranger gives the operator: a store, the archives in it, a replay.

None of them is a bot's deed, so nothing of it depends on the layer: where the table says that it is refused, it is
refused before a sandbox is made.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dohyo.bots.archive import COMMAND, ArchivedBot, unpack_ours
from dohyo.cli.main import run
from dohyo.core import replay_format as replays
from dohyo.core.errors import OperatorError
from dohyo.executors.in_process import InProcess
from dohyo.guests.bundles import plain_tar
from dohyo.match.found_bots import find_bots
from dohyo.match.sandboxing import sandbox_of
from dohyo.series import session
from dohyo.series.request import ContestRequest
from dohyo.series.store import open_store, sqlite_tables
from dohyo.series.store.errors import ENDLESS
from tests.core.matches import GAME, played
from tests.hostile import sqlite_files
from tests.hostile.forks import Forks
from tests.hostile.table import LAYERS, REFUSED, expected
from tests.series.contests import ContestListener, write_bot
from tests.series.store.sealing import seal

REMOVED = "thesis.txt"  # a file of the operator's, which an attack would have removed
GOT = "planted"  # what an attack leaves where it should have nothing to say
MOST = 1 << 30  # bytes that a command may take for a replay, all in all
SETUP = {"turns": 4}


BEGUN: dict[str, Path] = {}  # where a contest lies that is copied for each test, by the sandbox of its terms


@pytest.fixture(scope="module", autouse=True)
def _begun_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Begin each contest once; what is copied is a file and a folder of archives."""
    for sandbox in ("require", "none"):
        BEGUN[sandbox] = tmp_path_factory.mktemp(sandbox)
    yield
    BEGUN.clear()


def begun(folder: Path, sandbox: str = "require") -> Path:
    """A contest that is not over, as a stranger makes one whose bots are of the best of manners."""
    if sandbox not in BEGUN:  # for tests of another file
        begin(folder / "contest.db", sandbox)
        return folder / "contest.db"
    store = BEGUN[sandbox] / "contest.db"
    if not store.exists():
        begin(store, sandbox)
    shutil.copytree(BEGUN[sandbox], folder, dirs_exist_ok=True)
    return folder / "contest.db"


def begin(store: Path, sandbox: str) -> None:
    """Begin such a contest; its bots are gone when it is begun."""
    home = store.parent / "strangers"
    home.mkdir()
    bots = [(f"bot{number}", write_bot(home / f"bot{number}")) for number in range(4)]
    asked = ContestRequest(name="c", store=str(store), game="drop-block", bots=bots, setup=SETUP, sandbox=sandbox)
    with session.begin(asked, frozen=False, leave_out=_never) as opened:
        opened.loop.format.next(opened.loop.roster.read())
    shutil.rmtree(home)


def _never(name: str, error: object) -> None:
    raise AssertionError(error)


def rewrite(store: Path, sql: str, *values: object) -> None:
    """Change the store by hand."""
    with closing(sqlite3.connect(store)) as database:
        database.execute(sql, values)
        database.commit()
    seal(store)


def archived(store: Path, archive: ArchivedBot) -> None:
    """Put an archive into the store in the place of a bot's, with the digest that it has as a bot, if it is one."""
    content = msgspec.msgpack.encode(archive)
    with open_store(str(store)) as opened:
        file = opened.files.put(content)
    digest = "0" * 64
    with suppress(OperatorError):
        (bot,) = find_bots(GAME, [unpack_ours(content)], None, sandbox_of("none"))
        digest = bot.digest
    sql = "UPDATE bot_versions SET archive = ?, digest = ? WHERE bot = (SELECT id FROM bots WHERE name = 'bot0')"
    rewrite(store, sql, file, digest)


def terms(store: Path, **changed: object) -> None:
    """Change a contest's terms in the store."""
    with closing(sqlite3.connect(store)) as database:
        (spec,) = database.execute("SELECT spec FROM contests").fetchone()
    rewrite(store, "UPDATE contests SET spec = ?", json.dumps({**json.loads(spec), **changed}))


def schedule(store: Path, count: int, seats: str) -> None:
    """Put matches into the schedule."""
    with closing(sqlite3.connect(store)) as database:
        row = "INSERT INTO matches (contest, number, batch, seats, seed) VALUES (1, ?, 0, ?, ?)"
        database.executemany(row, [(number, seats, number) for number in range(count)])
        database.commit()
    seal(store)


PLANTS = f"#!/bin/sh\ntouch '{{place}}/{GOT}'\necho READY\nwhile read -r line; do [ $line = EOD ] && echo N; done\n"


def store_names(folder: Path) -> list[str]:
    """An archive whose files have names that leave the cache."""
    store = begun(folder)
    files = {f"../../../../{GOT}": (b"", False), f"{folder}/{GOT}": (b"", False)}
    with open_store(str(store)) as opened:
        file = opened.files.put(msgspec.msgpack.encode(ArchivedBot("b", (), True, files)))
    rewrite(store, "UPDATE bot_versions SET archive = ?", file)
    return ["contest", "run", str(store)]


def store_sandbox(folder: Path) -> list[str]:
    """Terms that say that bots are to run without a sandbox, and a bot that waits for that."""
    store = begun(folder)
    archived(store, ArchivedBot("b", (), False, {"b": (PLANTS.format(place=folder).encode(), True)}))
    terms(store, sandbox="none")
    return ["contest", "run", str(store)]


def store_python(folder: Path) -> list[str]:
    """Terms that name a program as the interpreter of bots in Python."""
    store = begun(folder)
    own = folder / "python3"
    own.write_text(f"#!/bin/sh\ntouch '{folder}/{GOT}'\necho 3.11\n")
    own.chmod(0o755)
    plays = b"print('READY', flush=True)\nwhile True:\n    if input() == 'EOD':\n        print('N', flush=True)\n"
    archived(store, ArchivedBot("b.py", (), False, {"b.py": (plays, False)}))
    terms(store, python=str(own), sandbox="none")
    return ["contest", "run", str(store), "--trust"]


def store_command(folder: Path) -> list[str]:
    """A bot that is a command line, whose words open a file of the operator's."""
    store = begun(folder)
    secret = folder / "secret"
    secret.write_text(PLANTS.format(place=folder))
    archived(store, ArchivedBot("", ("sh", str(secret)), kind=COMMAND))
    return ["contest", "run", str(store)]


def store_path(folder: Path) -> list[str]:
    """Terms that say of a bot that it lies where the operator's secrets are."""
    store = begun(folder)
    home = folder / "secrets"
    home.mkdir()
    write_bot(home / "secret")
    (home / "secret").write_text((home / "secret").read_text() + f"# {GOT}\n")
    with closing(sqlite3.connect(store)) as database:
        (spec,) = database.execute("SELECT spec FROM contests").fetchone()
    bots = json.loads(spec)["bots"]
    bots[0]["bot"] = {"type": "hand-in", "path": str(home / "secret")}
    terms(store, bots=bots, format="ladder", options={"batch": 1})
    return ["contest", "run", str(store), "--batches", "0"]


def store_check(folder: Path) -> list[str]:
    """A table with a condition for which gigabytes are computed where pages are checked."""
    store = begun(folder)
    sqlite_files.add_constraint(store, "bots", "CHECK (hex(zeroblob(450000000)) <> name)")
    return ["contest", "standings", str(store)]


def store_index(folder: Path) -> list[str]:
    """An index of those rows for which gigabytes are computed."""
    store = begun(folder)
    with closing(sqlite3.connect(store)) as database:
        database.execute("CREATE INDEX own ON bots (name) WHERE name IS NULL AND hex(zeroblob(450000000)) <> ''")
        database.execute("PRAGMA writable_schema = ON")
        sql = "UPDATE sqlite_master SET sql = replace(sql, 'name IS NULL AND', '') WHERE name = 'own'"
        database.execute(sql)
        database.commit()
    return ["contest", "verify", str(store)]


def store_pages(folder: Path) -> list[str]:
    """A schedule whose pages name each other, so that it has rows without end."""
    store = begun(folder)
    schedule(store, 9, "0,1,2,3")
    sqlite_files.repeat_pages(store)
    return ["contest", "verify", str(store)]


def store_rows(folder: Path) -> list[str]:
    """A schedule of many rows that all have the one text of 1 MB."""
    store = begun(folder)
    schedule(store, 4, "0," * 500_000 + "0")
    sqlite_files.repeat_pages(store, 5)
    return ["contest", "verify", str(store)]


def store_journal(folder: Path) -> list[str]:
    """A journal beside the store, by which SQLite removes a file of the operator's."""
    store = begun(folder)
    (folder / REMOVED).write_text("a thesis")
    sqlite_files.journal_that_removes(store, folder / REMOVED)
    return ["contest", "standings", str(store)]


def store_pipe(folder: Path) -> list[str]:
    """A pipe in the place of a journal: whoever opens it waits for somebody who writes."""
    store = begun(folder)
    with closing(sqlite3.connect(store)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
    os.mkfifo(f"{store}-journal")
    return ["contest", "standings", str(store)]


def store_lock(folder: Path) -> list[str]:
    """A pipe in the place of the file that is locked while a contest runs."""
    store = begun(folder)
    shutil.rmtree(f"{store}.files/leases")
    Path(f"{store}.files/leases").mkdir()
    os.mkfifo(f"{store}.files/leases/1.lock")
    return ["contest", "run", str(store)]


def store_itself(folder: Path) -> list[str]:
    """A pipe in the place of the store."""
    os.mkfifo(folder / "contest.db")
    return ["contest", "standings", str(folder / "contest.db")]


def replay_pipe(folder: Path) -> list[str]:
    """A pipe in the place of a replay."""
    os.mkfifo(folder / "m.replay")
    return ["replay", str(folder / "m.replay")]


def bundle_terms(folder: Path) -> list[str]:
    """Results of a contest whose terms are 60 MB of empty lists."""
    terms = b'{"bundle":1,"name":"c","game":"drop-block","rules":1,"entrants":[],"terms":{"setup":['
    members = {"SHA256SUMS": b"", "contest.json": terms + b"[]," * 20_000_000 + b"0]}}", "matches.json": b"[]"}
    with (folder / "r.tar").open("wb") as file:
        plain_tar.write(file, sorted(members.items()))
    return ["verify", str(folder / "r.tar")]


def replay_bomb(folder: Path) -> list[str]:
    """A replay of some kilobytes that is a gigabyte, and ten times as much once it is decoded."""
    zstd = replays._zstd()
    head, *turns, result, _ = replays.encode(played(turns=4)).splitlines(keepends=True)
    whole, packer = hashlib.sha256(), zstd.ZstdCompressor(level=1)
    packed = bytearray()
    line = b'{"turn":0}\n' * 100_000
    for part in (head, *turns, *[line] * ((1 << 30) // len(line) - 1), result):
        whole.update(part)
        packed += packer.compress(part)
    packed += packer.compress(b'{"sha256":"' + whole.hexdigest().encode() + b'"}\n') + packer.flush()
    file = bytes(packed)
    (folder / "m.replay.zst").write_bytes(file + replays.SEAL + hashlib.sha256(file).digest())
    return ["replay", str(folder / "m.replay.zst")]


def replay_result(folder: Path) -> list[str]:
    """A replay whose result has places, scores and a reason that no match has."""
    match = played(turns=4)
    wrong: dict[str, Any] = {"places": (1,), "scores": (10**400,), "reason_key": "nobody's"}
    match = msgspec.structs.replace(match, result=msgspec.structs.replace(match.result, **wrong))
    (folder / "m.replay").write_bytes(replays.encode(match))
    return ["replay", str(folder / "m.replay")]


GUESTS: dict[str, Callable[[Path], list[str]]] = {
    make.__name__: make
    for make in (
        store_names,
        store_sandbox,
        store_python,
        store_command,
        store_path,
        store_check,
        store_index,
        store_pages,
        store_rows,
        store_journal,
        store_pipe,
        store_lock,
        store_itself,
        replay_pipe,
        bundle_terms,
        replay_bomb,
        replay_result,
    )
}
HARMLESS = ("store_path",)  # nothing is wrong with it: where a bot lies is not asked of a store


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what is laid out where it can be looked at."""
    monkeypatch.setenv("DOHYO_CACHE", str(tmp_path / "d" / "cache"))


PROCESSOR = 120  # seconds
LOADED = "import dohyo.cli.contest_looks, dohyo.cli.main, dohyo.guests.bundles.check, dohyo.series.session"
TYPED = """
import sys
from dohyo.cli.main import run
status = run(asked["words"])
print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))
sys.exit(status)
"""


@pytest.fixture(scope="module")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks]:
    """Processes that have loaded what most commands need."""
    with Forks(LOADED, tmp_path_factory.mktemp("forks")) as own:
        yield own


@pytest.mark.parametrize("name", GUESTS)
def test_a_file_is_met_as_the_table_says(tmp_path: Path, forks: Forks, name: str) -> None:
    """What a stranger's file asks for is refused by one sentence, or not done; it plants nothing and stays small."""
    words = GUESTS[name](tmp_path)
    own = {"DOHYO_CACHE": os.environ["DOHYO_CACHE"]}
    done = forks.run(TYPED, tmp_path, *words, environment=own, RLIMIT_CPU=PROCESSOR, RLIMIT_AS=16 << 30)
    planted = [path for path in tmp_path.rglob(GOT) if "cache" not in path.parts]
    files = [path for path in tmp_path.glob("contest.db.files/*/*") if path.is_file()]
    taken = [path for path in files if f"# {GOT}".encode() in path.read_bytes()]
    assert planted == taken == []
    assert (tmp_path / REMOVED).exists() == (name == "store_journal")
    assert "Traceback" not in done.stderr
    assert int(done.stdout.splitlines()[-1]) * 1024 < MOST
    if name not in HARMLESS:
        assert done.returncode == 2, done.stderr
        assert len(done.stderr.splitlines()) == 1, done.stderr
    assert {cell.word for cell in expected()[name].values()} == ({"plays"} if name in HARMLESS else {REFUSED})
    assert len(expected()[name]) == len(LAYERS)


@pytest.mark.parametrize("words", [("--sandbox", "none"), ("--trust",)])
def test_the_same_words_again_go_on(
    tmp_path: Path, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """Who began a contest without a sandbox, and says so again, goes on with it; by its store, too."""
    bots = [write_bot(tmp_path / f"bot{number}") for number in range(4)]
    store = str(tmp_path / "c.db")
    begin = ["contest", "run", "--game", "drop-block", *bots, "--setup", "turns=4", "--store", store, *words]
    assert run([*begin, "--batches", "0"]) == 0
    assert run(begin) == 0
    assert run(["contest", "run", store, *words]) == 0
    capsys.readouterr()
    assert run(["contest", "run", store]) == 2
    assert "add --sandbox none" in capsys.readouterr().err
    assert run(["contest", "run", store, "--sandbox", "require"]) == 2


def test_a_command_line_of_the_store_runs_at_the_operators_word(tmp_path: Path) -> None:
    """A bot that is a command line plays where the operator types it, in the sandbox of the operator's word."""
    store = begun(tmp_path, "none")
    own = write_bot(tmp_path / "own")
    archived(store, ArchivedBot("", ("sh", own), kind=COMMAND))
    with session.go_on(str(store), None, sandbox="none", typed=[f"bot0=sh {own}"]) as contest:
        contest.loop.run(InProcess(), ContestListener())
    assert run(["contest", "run", str(store), "--sandbox", "none", "--json"]) == 0


def damage(store: Path) -> str:
    """What is said of a store that is refused."""
    with pytest.raises(OperatorError) as caught:
        open_store(str(store)).close()
    assert caught.value.key == "store-damaged"
    return str(caught.value)


STRANGE = {
    "table": "CREATE TABLE own (x)",
    "view": "CREATE VIEW own AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n",
    "trigger": "CREATE TRIGGER own AFTER UPDATE ON contests BEGIN DELETE FROM contests; END",
    "index": "CREATE INDEX own ON bots (name)",
    "index of an expression": "CREATE INDEX own ON bots (hex(zeroblob(length(name))))",
    "column": "ALTER TABLE bots ADD own TEXT",
    "column that is computed": "ALTER TABLE bots ADD own TEXT AS (hex(zeroblob(900000000)))",
    "table of a module": "CREATE VIRTUAL TABLE own USING fts5 (x)",
    "name": "ALTER TABLE ratings RENAME TO own",
    "column of another type": "ALTER TABLE ratings RENAME COLUMN mu TO own",
    "statistics": "ANALYZE",
}


@pytest.mark.parametrize("what", STRANGE)
def test_only_tables_as_we_make_them(tmp_path: Path, what: str) -> None:
    """A store with anything more, less or else than our own tables and indices is refused before it is read."""
    store = begun(tmp_path)
    with closing(sqlite3.connect(store)) as database:
        database.execute(STRANGE[what])
        database.commit()
    assert "is not as ours" in damage(store)


@pytest.mark.parametrize("constraint", ["CHECK (1)", "FOREIGN KEY (batch) REFERENCES bots (id)"])
def test_only_constraints_as_we_make_them(tmp_path: Path, constraint: str) -> None:
    """A table with one more constraint is refused: SQLite would compute it where pages are checked."""
    store = begun(tmp_path)
    sqlite_files.add_constraint(store, "ratings", constraint)
    damage(store)


def test_a_schema_of_many_tables_is_not_read_to_its_end(tmp_path: Path) -> None:
    """Of a schema of many tables no more is read than of ten of ours."""
    store = begun(tmp_path)
    with closing(sqlite3.connect(store)) as database:
        for number in range(1500):
            database.execute(f"CREATE TABLE own{number} (x)")
        database.commit()
    assert ENDLESS in damage(store)


def test_reading_takes_no_more_steps_than_a_file_of_its_size_needs(tmp_path: Path) -> None:
    """A statement that goes on and on (here only for so long that this test can fail) is ended."""
    with open_store(str(begun(tmp_path))) as store:
        endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 30000000) "
        endless += "SELECT count(*) FROM n"
        with pytest.raises(OperatorError) as caught:
            store.database.read(lambda connection: connection.exec_driver_sql(endless).scalar())
    assert ENDLESS in str(caught.value)


def test_a_large_file_is_checked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each page of a large store is looked at when this account opens it first; another file in its place, too."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.setattr(sqlite_tables, "EACH_TIME", 0)
    store = begun(tmp_path)
    schedule(store, 9, "0,1,2,3")
    open_store(str(store)).close()
    assert len(list((tmp_path / "settings" / "dohyo" / "checked").iterdir())) == 1
    other = tmp_path / "other.db"
    shutil.copyfile(store, other)
    sqlite_files.repeat_pages(other)
    other.replace(store)
    damage(store)
