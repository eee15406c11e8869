"""Bots as operators name them: NAME=BOT, revisions of git, and several bots with one name."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import dohyo
from dohyo.bots.typed_words import named
from dohyo.core.bot_spec import HandIn
from dohyo.core.errors import OperatorError
from dohyo.games import find
from dohyo.match.found_bots import find_named
from dohyo.sandbox import choose

GAME = find("wondev-woman")
SCRIPT = "#!/bin/sh\n# {}\nread size\nexit\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with two different bots that have one name."""
    for number, place in enumerate((tmp_path, tmp_path / "old")):
        place.mkdir(exist_ok=True)
        (place / "mine").write_text(SCRIPT.format(number))
        (place / "mine").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(*words: str) -> list[str]:
    """What the bots of these words are called."""
    return [bot.name for bot in find_named(GAME, words, None, choose("none"))]


def test_a_name_before_the_bot(folder: Path) -> None:
    """NAME=BOT calls a bot so; a file with such a name is a file."""
    assert names("new=./mine", "old=./old/mine", "random") == ["new", "old", "random"]
    (folder / "a=b").write_text(SCRIPT.format("a=b"))
    assert named("a=b") == ("", HandIn(str(folder / "a=b"), typed="a=b"))
    assert named("a=c") == ("a", "c")
    assert named("python3 bot.py --depth=3") == ("", "python3 bot.py --depth=3")


def test_different_bots_of_one_name_are_numbered(folder: Path) -> None:
    """The second of two different bots gets a number, and has it on each of its seats; one bot twice gets none."""
    assert names("./mine", "./old/mine", "./mine", "./old/mine") == ["mine", "mine (2)", "mine", "mine (2)"]


def test_a_name_that_no_bot_can_have(folder: Path) -> None:
    """Control characters are refused in a sentence."""
    with pytest.raises(OperatorError):
        names("\x1bx=./mine")


def test_a_match_against_an_older_self(folder: Path) -> None:
    """`play` takes revisions, too: without a path, the first bot's own; the replay has both names."""
    author = ["-c", "user.name=t", "-c", "user.email=t@t"]
    for words in (["init", "-q"], ["add", "mine"], [*author, "commit", "-qm", "one"]):
        subprocess.run(["git", *words], check=True, cwd=folder)
    (folder / "mine").write_text(SCRIPT.format("changed"))
    replay = dohyo.play(GAME, ["new=./mine", "git:HEAD"], sandbox="none")
    assert [seat.name for seat in replay.header.seats] == ["new", "mine@HEAD"]
    assert replay.header.seats[0].digest != replay.header.seats[1].digest
