"""The sample bots: what they send, how they fare, and that they serve a whole series."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dohyo import bots
from dohyo.core.faults import Fault
from dohyo.games.shoot_em_up import GAME, protocol
from tests import skips
from tests.games.shoot_em_up.scripted import Script, Talks

FOLDER = Path(GAME.folder) / "bots"
NEEDS = {"random.py": None, "gunner.py": None, "random.cpp": "g++", "Random.java": "javac", "random.js": "node"}
SERIES = "P 0 9\nN\nH 1 -1\nD show\nDump\nN\nW\nD over\nP 9 9\nN\nL\n"
ASKED = 6  # lines of it that ask for an action


@pytest.fixture(params=NEEDS)
def bot(request: pytest.FixtureRequest) -> bots.Bot:
    """A sample bot, built; without its language the test is skipped."""
    need = NEEDS[request.param]
    if need is not None:
        skips.program(need)
    (made,) = bots.resolve([request.param], bots.samples(FOLDER))
    return made


def answers(bot: bots.Bot, text: str, seed: str = "5") -> list[str]:
    """What a bot writes for this input, whole."""
    done = subprocess.run(
        bot.command, input=text, capture_output=True, text=True, check=True, timeout=120, env={"DOHYO_SEED": seed}
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_every_sample_is_known() -> None:
    """The table above names all of them."""
    assert {path.name for path in FOLDER.iterdir() if path.is_file()} == set(NEEDS)


def test_bot_serves_a_series_to_the_end_of_its_input(bot: bots.Bot) -> None:
    """One action for each P, H and N, none for W, L and D; at the end of the input it ends with status 0."""
    lines = [line for line in answers(bot, SERIES) if not line.startswith("/")]
    assert len(lines) == ASKED
    assert not [line for line in lines if isinstance(protocol.parse(line, None, 0), Fault)]


def test_bot_flushes_every_line(bot: bots.Bot) -> None:
    """An answer comes before more input does."""
    process = subprocess.Popen(bot.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    assert process.stdin is not None
    assert process.stdout is not None
    for line in ("P 4 4\n", "N\n", "H 1 0\n"):
        process.stdin.write(line)
        assert GAME.protocol.read(process.stdout.readline().rstrip("\n")) is not None
    process.communicate()
    assert process.returncode == 0


def test_bot_does_the_same_for_the_same_seed(bot: bots.Bot) -> None:
    """A match can be played again exactly."""
    text = "P 4 4\n" + "N\n" * 200
    assert answers(bot, text) == answers(bot, text)


def test_bot_never_leaves_the_board(bot: bots.Bot) -> None:
    """Followed over many moves in its second combat, from the corner where that began."""
    lines = answers(bot, "P 5 5\nW\nP 0 9\n" + "N\n" * 1000)[1:]
    x, y = 0, 9
    for line in lines:
        what, dx, dy = line.split()
        if what == "M":
            x, y = x + int(dx), y + int(dy)
        assert 0 <= x <= 9
        assert 0 <= y <= 9


@pytest.mark.parametrize("name", ["random.py", "random.cpp", "Random.java", "random.js"])
def test_random_does_everything(name: str) -> None:
    """All seventeen actions come up; with another seed others."""
    if need := NEEDS[name]:
        skips.program(need)
    (made,) = bots.resolve([name], bots.samples(FOLDER))
    text = "P 4 4\n" + "N\n" * 2000
    assert len(set(answers(made, text))) == 17
    assert answers(made, text) != answers(made, text, "6")


def robot() -> Any:
    """The gunner's own module."""
    spec = importlib.util.spec_from_file_location("gunner", FOLDER / "gunner.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Gunner(Script):
    """The gunner without a process."""

    def __init__(self) -> None:
        super().__init__([b""])
        self._make = robot().Robot
        self._robot: Any = None
        self._answers: Iterator[bytes] = iter(())

    def send(self, line: bytes) -> None:
        """A line of input, as the gunner's `main` takes it."""
        what, *numbers = line.decode().split()
        if what == "P":
            self._robot = self._make(*map(int, numbers))
        elif what == "H":
            self._robot.hear_of_hit(*map(int, numbers))
        if what in ("P", "H", "N"):
            self._answers = iter([self._robot.act().encode()])

    def receive(self) -> bytes | Fault:
        """Its answer."""
        return next(self._answers, None) or super().receive()


@pytest.mark.parametrize("seed", [1, 55, 2007])
def test_gunner_wins_nearly_all(seed: int, full: bool) -> None:
    """At least 98 % of 500 combats, 99 % of 2000, against the text's random opponent, by the arena's own count."""
    combats, share = (2000, 0.99) if full else (500, 0.98)
    words = Talks(Gunner).lines(f"G {seed}\nR {combats}".encode())[-1].split()
    assert int(words[4]) >= share * combats, words
    assert words[-1] == b"PASS"


def test_fifty_one_of_a_hundred() -> None:
    """The text asks for a program that beats the opponent 51 out of 100 times: the gunner, as a real process."""
    command = [sys.executable, "-m", "dohyo", "arena", "gunner"]
    environment = {**os.environ, "PYTHONPATH": str(Path(GAME.folder).parents[2])}
    done = subprocess.run(command, input="G 55\nR 100\n", capture_output=True, text=True, check=True, env=environment)
    words = done.stdout.splitlines()[-1].split()
    assert int(words[4]) >= 51
    assert (words[8], words[-1]) == ("0", "PASS")


def test_gunner_says_what_it_knows() -> None:
    """A D line is answered with a comment, in the middle of a combat, and that changes nothing."""
    command = [sys.executable, str(FOLDER / "gunner.py")]
    text = "P 4 4\nH 1 0\nN\nD now\nN\n"
    lines = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout.splitlines()
    assert lines[3].startswith("/ at ")
    assert "(1, 0)" in lines[3]
    quiet = subprocess.run(command, input=text.replace("D now\n", ""), capture_output=True, text=True, check=True)
    assert [line for line in lines if not line.startswith("/")] == quiet.stdout.splitlines()
