"""`dohyo laws`: a game that lies here is held to the laws by Dohyo's own pytest."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dohyo import games
from dohyo.core.errors import OperatorError
from dohyo.core.game import GAMES_VARIABLE
from dohyo.match.own_games import note, take
from tests.cli.conftest import Type, folder, typed

__all__ = ["folder", "typed"]


@pytest.fixture(autouse=True)
def as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is found in a test is found in that test alone."""
    monkeypatch.setenv(GAMES_VARIABLE, "")
    yield
    for name in ("evening_game", "planted"):
        sys.modules.pop(name, None)
    games.all_games.cache_clear()


@pytest.fixture
def game(typed: Type, folder: Path) -> Path:
    """A game that was just made: its file."""
    assert typed("new", "game", "evening-game")[0] == 0
    return folder / "evening_game" / "evening_game.py"


def test_a_game_is_held_to_the_laws_where_it_lies(typed: Type, folder: Path, game: Path) -> None:
    """A new game is held to the laws by its name and by its file, whatever other tests' settings lie beside it."""
    (folder / "conftest.py").write_text("raise SystemExit('not asked for')")
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n")
    for word in ("evening-game", str(game.relative_to(folder))):
        assert typed("laws", word, "--only", "a_random_match_ends")[0] == 0
        assert os.listdir(folder).count("__pycache__") == 0


def test_a_broken_law_is_told_by_the_exit_status(typed: Type, game: Path) -> None:
    """A game that breaks a law ends the command with 1; where no law has the name, with 2."""
    game.write_text(game.read_text().replace("s.turn == ROWS * COLUMNS", "s.turn == 100"))
    assert typed("laws", "evening-game", "--only", "a_random_match_ends")[0] == 1
    assert typed("laws", "evening-game", "--only", "no_such_law")[0] == 2


def test_laws_as_a_document(typed: Type, game: Path) -> None:
    """--json prints each law that was tried: whether it held, and what broke it."""
    only = ("--only", "a_random_match_ends", "--json")
    status, out, _ = typed("laws", "evening-game", *only)
    (law,) = json.loads(out)["laws"]
    assert (status, law["outcome"], law["said"]) == (0, "held", "")
    game.write_text(game.read_text().replace("s.turn == ROWS * COLUMNS", "s.turn == 100"))
    status, out, _ = typed("laws", "evening-game", *only)
    (law,) = json.loads(out)["laws"]
    assert (status, law["outcome"]) == (1, "broken")
    assert law["said"]


def test_without_pytest_it_says_how_to_install_it(typed: Type, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no pytest beside Dohyo, the sentence has the command that installs it there."""
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "pytest" else found(name))
    status, _, err = typed("laws", "evening-game")
    assert (status, err.endswith(f"install it: {sys.executable} -P -m pip install pytest\n")) == (2, True)


def test_a_new_game_is_found_by_its_name(
    typed: Type, folder: Path, game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is played and checked in the folder above its own and in its own, and `last` is known there."""
    for here in (folder, game.parent):
        monkeypatch.chdir(here)
        status, _, err = typed("play", "evening-game", "random", "random", "--trust", "--seed", "1")
        assert (status, err) == (0, f"The game 'evening-game' is {game.relative_to(here)}.\n")
        assert typed("replay", "last")[0] == 0
        assert os.environ[GAMES_VARIABLE] == str(game)
        monkeypatch.setenv(GAMES_VARIABLE, "")
        sys.modules.pop("evening_game")


def test_what_a_stranger_names_is_not_run(folder: Path) -> None:
    """A file here is not run for the name of a game in a replay; the sentence says what it may be."""
    (folder / "planted.py").write_text("import dohyo\nLAYOUT = 1 / 0\n")
    with pytest.raises(OperatorError, match=r"'planted' among those that were named. .*/planted.py may be it"):
        games.find("planted")


def test_only_what_is_a_game_is_taken(folder: Path) -> None:
    """A file that has nothing of a game is none, and a known game is not looked for here."""
    (folder / "tool.py").write_text("LAYOUT = 'of a page'\n")
    (folder / "drop_block.py").write_text("from dohyo.core.flat import Layout\nLAYOUT = 1 / 0\n")
    for name in ("tool", "drop_block"):
        note(folder / f"{name}.py")
    assert (take("tool"), take("drop-block"), take("../tool")) == (False, False, False)
    assert os.environ[GAMES_VARIABLE] == ""


def test_a_hand_in_that_looks_like_a_game_is_not_run(typed: Type, folder: Path) -> None:
    """Who forgets the game types a bot in its place: nothing of that bot runs here, whatever its text says."""
    (folder / "alice").mkdir()
    (folder / "alice" / "alice.py").write_text("import dohyo, pathlib\nGAME = pathlib.Path('ran').touch()\n")
    (folder / "bob.py").write_text("print('0')\n")
    for words in (("play", "alice", "bob.py"), ("check", "alice", "bob.py"), ("games", "alice")):
        status, _, err = typed(*words)
        assert (status, "alice.py may be it" in err, (folder / "ran").exists()) == (2, True, False)


def test_a_game_of_ones_own_is_that_one_alone(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the file of rules that was made, in its own folder, nothing else is one's own."""
    planted = game.with_name("other_game.py")
    planted.write_text(game.read_text())
    monkeypatch.chdir(game.parent)
    assert (take("other-game"), take("evening-game")) == (False, True)
