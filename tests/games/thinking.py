"""How a sample bot `sensei` thinks: what it says of it in a real contest, and what it imports to do so."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from dohyo.cli.main import run
from dohyo.match.replays.replays import load

UNHURRIED = "500"  # seconds for a build: tests do not depend on how fast the machine is
COMPILERS = ("numba", "llvmlite", "numpy")


def said_in_a_contest(folder: Path, game: str, *words: str, cache: Path | None = None) -> list[str]:
    """What `sensei` writes to its standard error in each match of a contest by the command, in its usual sandbox.

    It is built in this cache, if it was not before, however long that takes.
    """
    environment = {"DOHYO_BUILD_SECONDS": UNHURRIED, **({} if cache is None else {"DOHYO_CACHE": str(cache)})}
    contest = ("contest", "run", "--game", game, "sensei", *words, "--seed", "1", "--store", "contest.db")
    return said_in_matches(folder, "contest.db", dohyo(*contest, folder=folder, environment=environment))


def said_in_matches(folder: Path, store: str, told: str) -> list[str]:
    """The same of a contest that was played into a store in this folder, after which the command told this."""
    whole = re.search(r"^(\d+) of \1 matches$", told, re.MULTILINE)
    assert whole is not None, told
    said = []
    for match in range(int(whole[1])):
        words = ("contest", "replay", str(folder / store), str(match), "--save", str(folder / "match.replay"))
        assert run(words) == 0
        played = load(folder / "match.replay")
        seat = [one.name for one in played.header.seats].index("sensei")
        moves = [move for turn in played.turns for move in turn.moves]
        said.append("".join(move.stderr for move in [*moves, *played.result.last] if move.seat == seat))
    return said


def dohyo(*words: str, folder: Path, environment: dict[str, str] | None = None) -> str:
    """Run the command, which must end well; what it prints."""
    command = (sys.executable, "-m", "dohyo", *words)
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        cwd=folder,
        env={**os.environ, **(environment or {})},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def imported(program: Path, said: str) -> set[str]:
    """Which compilers a program imports while it reads these lines."""
    command = (sys.executable, "-X", "importtime", str(program))
    done = subprocess.run(command, input=said, capture_output=True, text=True, timeout=600, check=True)
    modules = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "dohyo.search.bot" in modules
    return modules & set(COMPILERS)
