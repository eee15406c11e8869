"""`dohyo laws`: a game that lies here is held to the laws by Dohyo's own pytest."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import dohyo
from dohyo import games
from dohyo.core.errors import OperatorError
from dohyo.core.game import GAMES_VARIABLE
from dohyo.match import own_games
from dohyo.match.own_games import note, take
from tests.cli.conftest import Type, folder, typed

__all__ = ["folder", "typed"]


@pytest.fixture(autouse=True)
def as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is found in a test is found in that test alone."""
    monkeypatch.setenv(GAMES_VARIABLE, "")
    yield
    forget()


def forget() -> None:
    """Find and know no game that was made here, as a new process does."""
    os.environ[GAMES_VARIABLE] = ""
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


@pytest.mark.parametrize("has_same_number", [True, False])
def test_what_lies_in_a_removed_game_s_place_is_not_run(
    has_same_number: bool, typed: Type, game: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hand-in with the path of a game that was made and removed is no game of one's own."""
    number, word = own_games._number(str(game.parent)), (game.parent / own_games.WORD).read_bytes()
    shutil.rmtree(game.parent)
    game.parent.mkdir()
    game.write_text("import dohyo, pathlib\nGAME = pathlib.Path('ran').touch()\n")
    (game.parent / own_games.WORD).write_bytes(b"0" * 64 if has_same_number else word)
    monkeypatch.setattr(own_games, "_number", lambda folder: number if has_same_number else number + 1)
    for here in (folder, game.parent, folder.parent):
        forget()
        monkeypatch.chdir(here)
        assert typed("play", "evening-game", "bob")[0] == 2
        assert not (here / "ran").exists()
    notes = list((own_games.cache.location() / own_games.FOLDER).iterdir())
    assert not notes, "what is there now is known to be another folder"


def test_an_editor_replaces_the_file(game: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game is one's own also after its file has been written anew under another name, and renamed."""
    new = game.with_name("new")
    new.write_text(game.read_text() + "# more\n")
    new.rename(game)
    forget()
    monkeypatch.chdir(folder)
    assert take("evening-game")


def test_only_the_noted_file_of_a_folder_is_ones_own(
    game: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A package in that folder, or a link in the file's place, is not."""
    forget()
    monkeypatch.chdir(folder)
    text = game.read_text()
    game.unlink()
    (game.parent / "__init__.py").write_text("import dohyo\nGAME = 1 / 0\n")
    assert not take("evening-game")
    (folder / "elsewhere.py").write_text(text)
    game.symlink_to(folder / "elsewhere.py")
    assert not take("evening-game")


def test_a_game_of_ones_own_is_that_one_alone(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the file of rules that was made, in its own folder, nothing else is one's own."""
    planted = game.with_name("other_game.py")
    planted.write_text(game.read_text())
    monkeypatch.chdir(game.parent)
    assert (take("other-game"), take("evening-game")) == (False, True)


def test_a_game_is_found_below_and_above_its_folder(
    game: Path, typed: Type, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Below its folder, and where its folder is somewhere below; not beside it; and no hand-in on the way is run."""
    beside, below = folder / "beside", game.parent / "bots" / "mine"
    beside.mkdir()
    below.mkdir(parents=True)
    for place, is_found in ((below, True), (folder.parent, True), (beside, False)):
        forget()
        monkeypatch.chdir(place)
        status, _, err = typed("games", "evening-game")
        assert (status == 0) is is_found, (place, err)
        assert ("The game 'evening-game' is" in err) is is_found
    forget()
    monkeypatch.chdir(below)
    hand_in = below / "alice" / "alice.py"  # its author cannot note it, and nothing else makes it a game
    hand_in.parent.mkdir()
    hand_in.write_text("import dohyo, pathlib\nGAME = pathlib.Path('ran').touch()\n")
    assert typed("play", "alice", "bob")[0] == 2
    assert not (below / "ran").exists()


def test_of_two_games_of_a_name_the_nearest_counts(game: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one in whose folder one is; a note that names another file than it was made for counts for nothing."""
    monkeypatch.chdir(folder)
    other = folder / "deep" / "er" / "evening_game.py"
    other.parent.mkdir(parents=True)
    other.write_text(game.read_text())
    note(other)
    monkeypatch.chdir(other.parent)
    assert take("evening-game")
    assert os.environ[GAMES_VARIABLE] == str(other)
    for noted in (own_games.cache.location() / own_games.FOLDER).iterdir():
        noted.write_bytes(os.fsencode(folder / "planted.py"))
    (folder / "planted.py").write_text("from dohyo.core.flat import Layout\nLAYOUT = 1 / 0\n")
    monkeypatch.chdir(folder)
    assert not take("planted")


def test_a_contest_of_ones_own_game_is_held(game: Path, typed: Type, folder: Path) -> None:
    """By its option and by its file."""
    (folder / "class.toml").write_text('game = "evening-game"\nbots = ["random"]\nclock = 60\n')
    for words in (("class.toml",), ("--game", "evening-game", "a=random", "b=random")):
        forget()
        done = typed("contest", "run", *words, "--trust", "--batches", "0")
        assert "The game 'evening-game' is" in done.err, done


def test_a_game_of_ones_own_is_found_by_what_was_played_of_it(
    game: Path, typed: Type, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every command that reads its replay or its store has it; without the note none runs, or is called damaged."""
    monkeypatch.setitem(sys.modules, "numba", None)  # which would have to compile
    open_ = ("--sandbox", "none", "--trust")
    forget()
    words = ("--game", "evening-game", "a=random", "b=random", "--rounds", "1", "--store", "x.db")
    assert typed("contest", "run", *words, *open_)[0] == 0
    forget()
    replay = dohyo.play("evening-game", ["random", "random"], seed=1, sandbox="none")
    dohyo.save(replay, "a.replay")
    commands = [
        ("contest", "standings", "x.db"),
        ("contest", "show", "x.db"),
        ("contest", "run", "x.db", *open_),
        ("contest", "verify", "x.db", "--again"),
        ("coach", "x.db", "a"),
        ("puzzles", "x.db", "--seconds", "1"),
        ("replay", "a.replay"),
        ("rerun", "a.replay", "0", "random", *open_),
        ("verify", "x.db", *open_),
        ("verify", "a.replay"),
    ]
    for command in commands:
        forget()
        done = typed(*command)
        assert (done.status, "The game 'evening-game' is" in done.err) == (0, True), (command, done)
    (folder / "puzzles.jsonl").unlink()
    for note_of_it in (own_games.cache.location() / own_games.FOLDER).iterdir():
        note_of_it.unlink()
    for command in commands:
        forget()
        done = typed(*command)
        assert (done.status, "evening_game.py may be it" in done.out + done.err) == (2, True), (command, done)
        assert "take your last copy" not in done.err
    assert not (folder / "puzzles.jsonl").exists()


def test_no_game_takes_the_name_of_a_classic_one(typed: Type, folder: Path) -> None:
    """It would never be found: the classic one comes before it."""
    status, _, err = typed("new", "game", "othello")
    assert (status, "othello" in err, list(folder.glob("othello*"))) == (2, True, [])
