"""`dohyo demo`, and the round of matches that it plays."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE

import pytest

import dohyo
from dohyo import bots
from dohyo.cli.main import run
from dohyo.games import all_games, find
from dohyo.guests.demo import command as demo
from dohyo.guests.demo.command import Demonstration, Standing, seatings, standings
from dohyo.i18n import ENGLISH
from tests import processes
from tests.cli.conftest import Type
from tests.cli.typed import PATIENCE, environment, type_alone

MARK = "DOHYO_TEST_MARK"
FEW_TURNS = 12
AT_ITS_ROUND = """
from pathlib import Path
from dohyo.cli import main
from dohyo.guests.demo import command as demo
demo.Demonstration.build = lambda self: (["./beacon"],) * 2
demo.Demonstration.match = lambda self, names: (Path(), Path())
main.main()
"""


@pytest.fixture
def python_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but Python and the shell on the PATH: bots that start fast."""
    tools = folder / "tools"
    tools.mkdir()
    for name in ("python3", "sh"):
        (tools / name).symlink_to(shutil.which(name) or "")
    monkeypatch.setenv("PATH", str(tools))


def test_bots_have_one_name_in_all_tables(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The round's table names its bots as a match's does: by their names, with the language where two are alike."""
    monkeypatch.setattr(demo, "AT_LEAST", 1)
    game = find("connect-four")
    code = Path(bots.samples_of(game)["random"]).read_text(encoding="utf-8")
    for name in ("one/lucky.py", "two/Lucky.py"):
        (folder / name).parent.mkdir()
        (folder / name).write_text(f"{code}\n# {name}\n", encoding="utf-8")
    (folder / game.name).mkdir()
    Demonstration(game, folder, ENGLISH).round(["./one/lucky.py", "./two/Lucky.py"])
    out = capsys.readouterr().out
    assert re.search(r"^lucky \(python\) +\d", out, re.MULTILINE)
    assert re.search(r"^Lucky \(python\) +\d", out, re.MULTILINE)


def test_demo(
    folder: Path, typed: Type, full: bool, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For each game bots are built, a match and a round are played; files that it names are there, commands work.

    A round is the shortest one in which each bot in Python has each seat, and a game with a turn limit is short;
    in a full run it is the one that a person sees.
    """
    if not full:
        monkeypatch.setattr(demo, "AT_LEAST", 1)
        request.getfixturevalue("python_alone")
        for game in all_games().values():
            if any(option.name == "turns" for option in game.options):
                monkeypatch.setitem(game.demo, "turns", FEW_TURNS)  # type: ignore[arg-type]
    status, out, err = type_alone("demo", cwd=folder) if full else typed("demo")
    assert (status, err) == (0, "")
    for game in all_games().values():
        assert f"{game.title}: {game.about}" in out
        assert (folder / "demo" / f"{game.name}.html").stat().st_size > 10_000
        match = dohyo.load(folder / "demo" / f"{game.name}.replay")
        assert dohyo.verify(match) == len(match.turns)
        replays = sorted((folder / "demo" / game.name).iterdir())
        matches = re.search(rf"the (\d+) replays of the round in demo/{game.name}\n", out)
        assert matches
        assert len(replays) == int(matches[1]) >= demo.AT_LEAST
        for replay in replays:
            assert dohyo.load(replay).header.game == game.name
        assert re.search(r"^hunter +\d+ +[\d.]+ +\d+ +[\d.]+$", out, re.MULTILINE)
    assert out.count("This plays the first of them:\n  $ dohyo play ") == len(all_games())
    commands = [line.removeprefix("  $ dohyo ").split() for line in out.splitlines() if line.startswith("  $ dohyo ")]
    assert {command[0] for command in commands} == {"new", "play", "replay"}
    for command in commands:
        if "my_bot.py" in command:
            shutil.copy(Path(find(command[1]).folder) / "bots" / "random.py", folder / "my_bot.py")
        if any(word.startswith(("my_", "my-")) for word in command) and command[0] == "play":
            command += [
                word for key, value in find(command[1]).demo.items() for word in ("--setup", f"{key}={value}")
            ]
        assert run(command) == 0, command


def test_an_interrupted_demo_leaves_nothing(folder: Path) -> None:
    """A signal in the midst of the round ends the matches that run side by side, and their bots."""
    mark = str(folder)
    (folder / "beacon").write_text(f"#!/bin/sh\nread line\necho here > '{folder}/told'\nexec sleep 1000\n")
    (folder / "beacon").chmod(0o755)
    os.mkfifo(folder / "told")
    words = [sys.executable, "-c", AT_ITS_ROUND, "demo"]
    process = subprocess.Popen(
        words, cwd=folder, env=environment(**{MARK: mark}), stdout=PIPE, stderr=PIPE, text=True
    )
    assert (folder / "told").read_text().startswith("here\n")
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 128 + signal.SIGTERM
    assert err == "Interrupted; nothing is left running.\n"
    assert processes.marked(MARK, mark) == []


@pytest.mark.usefixtures("python_alone")
def test_a_demo_says_what_it_skips(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A bot whose language is not on the machine is skipped, with the reason; the rest goes on."""
    assert Demonstration(find("drop-block"), folder, ENGLISH).build() == (["hunter", "random", "trapper"],) * 2
    out = capsys.readouterr().out
    assert re.search(r"Skipped: .*random\.java.*javac", out)
    assert re.search(r"Ready in .*: hunter, random, trapper\n", out)


@pytest.mark.parametrize(("bots", "seats"), [(5, 4), (4, 4), (3, 2), (2, 4), (1, 4)])
def test_everybody_sits_everywhere_equally_often(bots: int, seats: int) -> None:
    """Each bot has each seat in equally many matches, of which there are at least as many as asked for."""
    names = [f"bot{n}" for n in range(bots)]
    seated = seatings(names, seats, 8)
    assert len(seated) >= 8
    for seat in range(seats):
        sat = [match[seat] for match in seated]
        assert {sat.count(name) for name in names} == {len(seated) // bots}


def test_standings() -> None:
    """One point for each opponent left behind, half for one beside; who shares the first place has not won."""
    seated = [["a", "b", "c"], ["b", "c", "a"]]
    assert standings(seated, [(1, 2, 2), (1, 3, 1)]) == [
        Standing("a", 2, 3.5, 1, 2),
        Standing("b", 2, 2.0, 0, 3),
        Standing("c", 2, 0.5, 0, 5),
    ]
