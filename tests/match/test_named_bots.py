"""Bots as operators name them: NAME=BOT, revisions of git, and several bots with one name."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import dohyo
from dohyo import clean
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


def test_different_bots_of_one_name_have_their_paths(folder: Path) -> None:
    """Each of two different bots has it on each of its seats; one bot twice has none."""
    assert names("./mine", "./old/mine", "./mine") == ["mine (mine)", "mine (old/mine)", "mine (mine)"]
    assert names("./mine", "mine") == ["mine", "mine"]


def test_they_are_called_the_same_however_they_are_typed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the last parts of their paths that tell them apart; a number, where that is too long or no name."""
    for place in ("a/v1", "a/v2", "b" * 64, "c\x1b"):
        (folder / place).mkdir(parents=True)
        (folder / place / "main.py").write_text(f"print({place!r})\n")
    told = ["main (v1/main.py)", "main (v2/main.py)"]
    assert names("a/v1/main.py", "a/v2/main.py") == told
    assert names("./a/v1/main.py", f"{folder}/a/../a//v2/main.py") == told
    assert names("a/v1/main.py", f"{'b' * 64}/main.py", "c\x1b/main.py") == [told[0], "main (2)", "main (3)"]
    assert names("python3 a/v1/main.py", "python3 ./a/v2/main.py") == told
    monkeypatch.chdir(folder / "a" / "v1")
    assert names("main.py", "../v2/main.py") == ["main (main.py)", "main (v2/main.py)"]
    assert names("../../mine", "mine=../../old/mine") == [f"mine ({folder.name}/mine)", "mine (old/mine)"]


def test_a_name_that_no_bot_can_have(folder: Path) -> None:
    """Control characters are refused in a sentence."""
    with pytest.raises(OperatorError):
        names("\x1bx=./mine")


def test_names_that_look_the_same_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A control character in a folder's name is seen nowhere, and tells nobody which bot is meant."""
    monkeypatch.chdir(tmp_path)
    for folder, text in (("hero\x01", "one"), ("hero\x02", "two")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "main.sh").write_text(SCRIPT.format(text))
    found = [clean.line(name) for name in names("./hero\x01", "./hero\x02")]
    assert len(set(found)) == 2


def test_a_match_against_an_older_self(folder: Path) -> None:
    """`play` takes revisions, too: without a path, the first bot's own; the replay has both names."""
    author = ["-c", "user.name=t", "-c", "user.email=t@t"]
    for words in (["init", "-q"], ["add", "mine"], [*author, "commit", "-qm", "one"]):
        subprocess.run(["git", *words], check=True, cwd=folder)
    (folder / "mine").write_text(SCRIPT.format("changed"))
    replay = dohyo.play(GAME, ["new=./mine", "git:HEAD"], seed=0, sandbox="none")
    assert [seat.name for seat in replay.header.seats] == ["new", "mine@HEAD"]
    assert replay.header.seats[0].digest != replay.header.seats[1].digest


def test_a_bot_that_is_the_whole_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a revision it is called as the repository's folder, not as the copy of it that plays."""
    folder = tmp_path / "climber"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "main.sh").write_text(SCRIPT.format("one"))
    author = ["-c", "user.name=t", "-c", "user.email=t@t"]
    for words in (["init", "-q"], ["add", "."], [*author, "commit", "-qm", "one"]):
        subprocess.run(["git", *words], check=True)
    (folder / "main.sh").write_text(SCRIPT.format("two"))
    assert names(".", "git:HEAD") == ["climber", "climber@HEAD"]
    (folder / "bot.toml").write_text('name = "Hunter"')
    for words in (["add", "."], [*author, "commit", "-qm", "two"]):
        subprocess.run(["git", *words], check=True)
    assert names(".", "git:HEAD") == ["Hunter", "Hunter@HEAD"]
