"""The program `arena` with real processes: the same as with scripts, and nothing is left behind."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dohyo.games.shoot_em_up import GAME, commands
from dohyo.games.shoot_em_up.commands import Arena
from dohyo.guests.game_programs.dialogue import Dialogue
from dohyo.match.processes.launch import Launch
from tests.games.shoot_em_up.scripted import End, Script, Talks
from tests.games.shoot_em_up.test_echo import BAD, COMMENTS, MOVES, SHOTS, files
from tests.processes import nobody_left

__all__ = ["nobody_left"]

LIVING = Path(__file__).with_name("living_script.py")
GUNNER = Path(GAME.folder) / "bots" / "gunner.py"

# Every answer ends in a line that is no comment: nobody is to wait ten seconds for one that never comes.
answer = st.tuples(
    st.lists(st.sampled_from(COMMENTS), max_size=2).map(b"".join),
    st.sampled_from(MOVES + SHOTS + SHOTS + SHOTS + BAD),
    st.lists(st.sampled_from(MOVES + SHOTS + COMMENTS + BAD), max_size=2).map(b"".join),
).map(b"".join)
program = st.builds(
    dict,
    answers=st.lists(answer, min_size=1, max_size=6),
    asides=st.one_of(st.just(b""), st.sampled_from(COMMENTS), answer),
    last=st.sampled_from([b"", b"/ bye\nM 0 0\n", b"/ no newline", b"M 0 0", b"\x00\xff\n/ x\r\n"]),
    life=st.one_of(st.none(), st.integers(1, 30)),
    end=st.sampled_from([End.EXIT, End.CRASH]),
    flood=st.sampled_from([b"", b"", b"", b"/ flood\n", b"M 0 0\n" * 500]),
)
ROUNDS = settings().max_examples // 4
OURS = settings(
    max_examples=ROUNDS, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """The two limits that nobody would wait for."""
    monkeypatch.setattr(commands, "MAX_PAIRS", 40)
    monkeypatch.setattr(commands, "MAX_COMMENTS", 20)


def launch(description: dict[str, Any]) -> Launch:
    """How to start a program that does what the script does."""
    words = {**description, "end_with": description["end"].name}
    del words["end"]
    return Launch((sys.executable, "-I", "-S", str(LIVING), repr(words)), os.getcwd())


def arena(start: Launch, file: bytes) -> bytes:
    """What the arena prints, with a real process."""
    out = io.BytesIO()
    Dialogue(io.BytesIO(file), out, sys.stderr, lambda: start).run(Arena().run())
    return out.getvalue()


@OURS
@given(program=program, file=files)
def test_output_as_input_gives_the_same_output(nobody_left: None, program: dict[str, Any], file: bytes) -> None:
    """With real pipes too; and it is the very output that the script gives."""
    output = arena(launch(program), file)
    assert output == Talks(lambda: Script(**program)).run(file)
    assert arena(launch(program), output) == output


@pytest.mark.parametrize("closing", [End.CLOSE, End.EXIT])
def test_program_that_ends_without_a_word(nobody_left: None, closing: End, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that closes its output and lives on is told apart from one that ended; the first takes the whole time."""
    monkeypatch.setattr(commands, "RECEIVE", commands.Receive(0.3 if closing is End.CLOSE else 60.0))
    description = {"answers": [b""], "life": 1, "end": closing}
    output = arena(launch(description), b"-a\n+\n")
    assert output == Talks(lambda: Script(**description)).run(b"-a\n+\n")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "file", [b"G 55\n-a\n+\nD here\n+\n.\n-b\nDump\n.\n", b"G 3\n-a\n.\n-b\n.\n-c\n+\n+\nDx\n.\n"]
)
def test_program_alone_plays_the_same_from_the_output(file: bytes) -> None:
    """`grep '^[PHNWLD]' x.out` is an input for the program alone: it writes the M, S and / lines of the output."""
    command = [sys.executable, str(GUNNER)]
    output = arena(Launch(tuple(command), os.getcwd()), file)
    assert b"! ERROR" not in output
    asked = subprocess.run(["grep", "^[PHNWLD]"], input=output, capture_output=True, check=True).stdout
    answered = subprocess.run(["grep", "^[MS/]"], input=output, capture_output=True, check=True).stdout
    assert answered.count(b"\n") > 20
    assert b"/ at" in answered
    assert subprocess.run(command, input=asked, capture_output=True, check=True).stdout == answered
