"""Which program a dialogue starts, and how its lines reach the operator."""

from __future__ import annotations

import io
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from dohyo.core.dialogue import CloseInput, Print, ReadLine, Receive, Send, Start, Stop
from dohyo.core.errors import OperatorError
from dohyo.core.faults import Fault, FaultKind
from dohyo.games.shoot_em_up import GAME
from dohyo.guests.game_programs.dialogue import Dialogue, find_program
from dohyo.match.processes.launch import Launch
from tests import skips
from tests.told import detail

SAMPLES = Path(GAME.folder) / "bots"
LONG = 60.0


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nobody_left: None) -> Path:
    """An empty current folder, and a PATH with one other folder."""
    (tmp_path / "here").mkdir()
    (tmp_path / "path").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("PATH", f"{tmp_path / 'path'}:/usr/bin:/bin")
    monkeypatch.delenv("DOHYO_SEED", raising=False)
    return tmp_path / "here"


def program(path: Path, mode: int = 0o755) -> str:
    """A program that says where it lies, in which folder it runs, and its arguments."""
    path.parent.mkdir(exist_ok=True)
    path.write_text('#!/bin/sh\necho "$0|$PWD|$*|$DOHYO_SEED"\ncat\n')
    path.chmod(mode)
    return str(path)


def said(*words: str) -> str:
    """The first line of the program that these words start."""

    def machine() -> Generator[Any, Any, int]:
        fault = yield Start()
        assert fault is None, fault
        line = yield Receive(LONG)
        yield Print(line)
        yield Stop()
        return 0

    out = io.BytesIO()
    Dialogue(io.BytesIO(), out, sys.stderr, lambda: find_program(words, SAMPLES)).run(machine())
    return out.getvalue().decode().rstrip("\n")


def test_current_folder_comes_first(here: Path) -> None:
    """A name without a slash is looked for here, then on the PATH; it runs here in both cases."""
    on_path = program(here.parent / "path" / "shootemup")
    assert said("shootemup", "a", "b c") == f"{on_path}|{here}|a b c|1"
    program(here / "shootemup")
    assert said("shootemup").endswith(f"/bot/shootemup|{here}||1")


def test_file_that_is_no_program_hides_none(here: Path) -> None:
    """What cannot be started here does not hide what is on the PATH; alone, it is named with the remedy."""
    program(here / "shootemup", 0o644)
    with pytest.raises(OperatorError, match="chmod"):
        find_program(["shootemup"], SAMPLES)
    on_path = program(here.parent / "path" / "shootemup")
    assert said("shootemup").startswith(on_path)


def test_path_is_taken_as_it_is(here: Path) -> None:
    """With a slash nothing is looked for; the program runs in the current folder, where its arguments lie."""
    program(here / "bin" / "robot")
    assert said("bin/robot", "x.txt").endswith(f"/bot/robot|{here}|x.txt|1")
    with pytest.raises(OperatorError):
        find_program(["./cat"], SAMPLES)


def test_source_is_built_and_runs_here(here: Path) -> None:
    """A source is as good as a program, from here or from elsewhere, with arguments too."""
    (here / "sub").mkdir()
    for name in ("robot.py", "sub/robot.py"):
        (here / name).write_text("import os, sys\nprint(os.getcwd(), sys.argv[1:])\n")
        assert said(name, "a") == f"{here} ['a']"


def test_sample_bots_have_names(here: Path) -> None:
    """The game's sample bots are found last."""
    launch = find_program(["gunner"], SAMPLES)
    assert launch.command[-1].endswith("/bot/gunner.py")
    assert launch.folder == str(here)
    program(here / "gunner")
    assert "/bot/gunner|" in said("gunner")


def test_folder_starts_its_bot_as_it_says(here: Path) -> None:
    """A folder with a command.txt or bot.toml runs from where it was built."""
    (here / "robot").mkdir()
    (here / "robot" / "bot.toml").write_text('name = "r"\nrun = "sh robot.sh"\n')
    (here / "robot" / "robot.sh").write_text("echo from the folder $1\n")
    assert said("robot", "x") == "from the folder x"


def test_seed_is_the_operator_s_where_there_is_one(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """DOHYO_SEED is 1, so that bots that draw lots draw the same ones again, or what the operator says."""
    program(here / "robot")
    assert said("robot").endswith("|1")
    monkeypatch.setenv("DOHYO_SEED", "77")
    assert said("robot").endswith("|77")


def test_program_is_looked_for_at_the_first_start(here: Path) -> None:
    """And once only; a failure to start is told to the machine, in a sentence."""
    asked = []

    def find() -> Launch:
        asked.append(1)
        return find_program(["nothing-of-the-kind"], SAMPLES)

    def machine(starts: int) -> Generator[Any, Any, int]:
        yield ReadLine()
        faults = []
        for _ in range(starts):
            faults.append((yield Start()))
        assert all(isinstance(fault, Fault) and fault.kind is FaultKind.EXITED for fault in faults)
        assert all("nothing-of-the-kind" in detail(fault) for fault in faults)
        return 5 + starts

    assert Dialogue(io.BytesIO(), io.BytesIO(), sys.stderr, find).run(machine(0)) == 5
    assert asked == []
    assert Dialogue(io.BytesIO(), io.BytesIO(), sys.stderr, find).run(machine(1)) == 6


def test_program_that_does_not_build(here: Path) -> None:
    """The compiler's words go to standard error, the sentence to the machine."""
    skips.program("cc")
    (here / "robot.c").write_text("int main( {\n")
    errors = io.StringIO()

    def machine() -> Generator[Any, Any, int]:
        fault = yield Start()
        assert "robot.c" in detail(fault)
        assert "\n" not in detail(fault)
        return 0

    Dialogue(io.BytesIO(), io.BytesIO(), errors, lambda: find_program(["robot.c"], SAMPLES)).run(machine())
    assert "error" in errors.getvalue()


def test_lines_pass_as_bytes_and_one_by_one(here: Path) -> None:
    """What is no UTF-8 comes out as it went in; a line is read when it is wanted, and printed at once."""
    robot = program(here / "robot")
    source, out = io.BytesIO(b"\xff\x00\r\nlast"), io.BytesIO()

    def machine() -> Generator[Any, Any, int]:
        assert (yield Start()) is None
        yield Receive(LONG)
        assert source.tell() == 0
        line = yield ReadLine()
        assert source.tell() == 4
        yield Print(line)
        assert out.getvalue() == b"\xff\x00\r\n"
        yield Send(line)
        yield Print((yield Receive(LONG)))
        yield Print((yield ReadLine()))
        assert (yield ReadLine()) is None
        yield CloseInput()
        assert isinstance((yield Receive(LONG)), Fault)
        yield Stop()
        assert (yield Start()) is None
        return 0

    Dialogue(source, out, sys.stderr, lambda: Launch((robot,), str(here))).run(machine())
    assert out.getvalue() == b"\xff\x00\r\n\xff\x00\r\nlast\n"


def test_program_is_gone_however_it_ends(here: Path) -> None:
    """A machine that fails, or an output that does, leaves no process."""
    robot = program(here / "robot")

    def machine() -> Generator[Any, Any, int]:
        yield Start()
        yield Print("x")
        return 0

    class Closed(io.BytesIO):
        def write(self, _: object) -> int:
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        Dialogue(io.BytesIO(), Closed(), sys.stderr, lambda: Launch((robot,), str(here))).run(machine())
