"""A store whose bytes were changed: every command says what is right or one sentence, and `verify` finds it."""

from __future__ import annotations

import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from dohyo.core import replay_format as replays
from dohyo.series.store import open_store
from tests.cli.conftest import Type
from tests.core.matches import played
from tests.series.made_contests import hold

BYTES = 3  # that are changed in each copy
COPIES, MANY_COPIES = 14, 400

COMMANDS = {
    "show": ("show", "c.db"),
    "standings": ("standings", "c.db", "--json"),
    "matches": ("matches", "c.db", "--last", "0", "--json"),
    "some matches": ("matches", "c.db", "--last", "7", "--bot", "狼", "--json"),
    "report": ("report", "c.db", "--html", "c.html"),
    "replay": ("replay", "c.db", "3", "--json"),
    "run": ("run", "c.db", "--sandbox", "auto", "--json"),
}


class Answer(NamedTuple):
    """What a command says, and what it writes."""

    status: int
    out: str
    err: str
    page: str


def answer(typed: Type, folder: Path, name: str) -> Answer:
    """What a command says of the store `c.db`."""
    (folder / "c.html").unlink(missing_ok=True)
    done = typed("contest", *COMMANDS[name])
    page = (folder / "c.html").read_text(encoding="utf-8") if (folder / "c.html").exists() else ""
    return Answer(done.status, done.out, done.err, page)


def lay(folder: Path, content: bytes) -> None:
    """Put a store of these bytes there, with its files."""
    for old in folder.glob("c.db*"):
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    (folder / "c.db").write_bytes(content)
    shutil.copytree(folder / "good.db.files", folder / "c.db.files")


@pytest.fixture
def good(folder: Path) -> bytes:
    """A small store that is whole, with replays; its bytes."""
    hold(folder / "good.db", game="drop-block", names=("hunter", "狼", "mine", "other", "lazy"), rounds=2)
    with open_store(str(folder / "good.db")) as store:
        assert store.files.put(replays.encode(played(turns=6), compressed=True))
    return (folder / "good.db").read_bytes()


def test_changed_bytes_are_never_silent(good: bytes, typed: Type, folder: Path, full: bool) -> None:
    """Of a store with three bytes changed, each command says what it says of the whole one, or one sentence.

    In a full run each command is given each copy; otherwise each copy goes to one of them.
    """
    lay(folder, good)
    right = {name: answer(typed, folder, name) for name in COMMANDS}
    dice = random.Random(12)
    told = 0
    names = list(COMMANDS)
    for number in range(MANY_COPIES if full else COPIES):
        content = bytearray(good)
        for at in dice.sample(range(len(content)), BYTES):
            content[at] = (content[at] + dice.randrange(1, 256)) % 256
        for name in names if full else names[number % len(names) :][:1]:
            lay(folder, bytes(content))
            found = answer(typed, folder, name)
            if found != right[name]:
                assert (found.status, found.out, found.page) == (2, "", ""), (name, found)
                assert len(found.err.splitlines()) == 1, (name, found)
                told += 1
    assert told


@pytest.mark.parametrize(
    "words",
    [
        ("replay", "good.db", "0"),
        pytest.param(("verify", "good.db"), marks=pytest.mark.full),
        pytest.param(("show", "good.db"), marks=pytest.mark.full),
    ],
)
def test_one_sentence_is_all(good: bytes, folder: Path, words: tuple[str, ...]) -> None:
    """Of a store with a changed row one sentence is said, and nothing stands behind it at the very end."""
    with closing(sqlite3.connect(folder / "good.db")) as database:
        database.execute("UPDATE results SET replay = '../../../../../etc/passwd'")
        database.commit()
    done = subprocess.run(
        [sys.executable, "-m", "dohyo", "contest", *words], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2 or words[0] == "show"
    assert len(done.stderr.splitlines()) == (words[0] != "show"), done.stderr
