"""Connect four comes with Dohyo; a game in a package of its own is found by its folder, and by an entry point."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from dohyo import games
from dohyo.core.errors import OperatorError
from dohyo.core.game import GAMES_VARIABLE
from tests.own_package import CONNECT_FOUR, made_package
from tests.quality.project import run, tool


def dohyo(*words: str, **environment: str) -> str:
    """What the command prints, without games from elsewhere unless the environment names them."""
    own = {name: value for name, value in os.environ.items() if name != GAMES_VARIABLE}
    done = subprocess.run(
        [tool("dohyo"), *words], env={**own, **environment}, capture_output=True, text=True, timeout=120, check=False
    )
    return done.stdout + done.stderr


def test_it_comes_with_dohyo() -> None:
    """The game in this folder is found by its name, wherever it is named; DOHYO_GAMES may name it by its path."""
    game = games.find("connect-four")
    assert game is games.load(CONNECT_FOUR) is games.all_games()["connect-four"]
    assert sys.modules["dohyo.classics.connect_four"].GAME is game
    assert "connect_four" not in sys.modules
    words = ("play", "connect-four", "random.py", "watchful", "--clock", "60", "--seed", "1")
    for named in ({}, {GAMES_VARIABLE: str(CONNECT_FOUR)}):
        told = dohyo(*words, **named)
        assert "four in a row" in told
        assert "not the one that comes with Dohyo" not in told


def test_found_by_its_folder(tmp_path: Path) -> None:
    """DOHYO_GAMES names the folder; then the game is one like the others, and its sample bots play."""
    game = made_package(tmp_path)
    words = ("play", "my-game", "random.py", "watchful", "--clock", "60", "--seed", "1")
    assert "There is no game 'my-game'" in dohyo(*words)
    assert "four in a row" in dohyo(*words, DOHYO_GAMES=str(game))


def test_ones_own_game_hides_a_classic_one(tmp_path: Path) -> None:
    """A game of the name of a classic one is found in its place where DOHYO_GAMES names it, and that is said."""
    game = made_package(tmp_path).rename(tmp_path / "connect_four")
    for file in game.glob("*.py"):
        file.write_text(file.read_text().replace("from my_game", "from connect_four").replace("my-game", game.name))
    about = (game / "__init__.py").read_text()
    (game / "__init__.py").write_text(about.replace('"connect_four"', '"connect-four"').replace("stones", "pebbles"))
    told = dohyo("games", "connect-four", DOHYO_GAMES=str(game))
    assert f"The game 'connect-four' is the one in {game}, and not the one that comes with Dohyo.\n" in told
    assert "pebbles" in told
    assert f"{game} のもの" in dohyo("games", "connect-four", "--lang", "ja", DOHYO_GAMES=str(game))


def test_found_by_its_entry_point(tmp_path: Path) -> None:
    """Its wheel holds all that belongs to it; where that is installed, nothing names a folder, and it is played."""
    game = made_package(tmp_path)
    held = {path.relative_to(game) for path in game.rglob("*") if path.is_file()}
    built = run(
        *(tool("uv"), "build", "--wheel", "--no-build-isolation", "--python", sys.executable),
        *("--out-dir", tmp_path, game),
    )
    assert built.returncode == 0, built.stdout
    (wheel,) = tmp_path.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    package = tmp_path / "installed" / "my_game"
    assert {path.relative_to(package) for path in package.rglob("*") if path.is_file()} == held - {
        Path("pyproject.toml")
    }
    words = ("play", "my-game", "random.py", "watchful", "--clock", "60", "--seed", "1")
    assert "four in a row" in dohyo(*words, PYTHONPATH=str(tmp_path / "installed"))


def test_folders_without_a_game_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No folder, no GAME, a name that is taken: one sentence each, and nothing of it stays imported."""
    (tmp_path / "json").mkdir()
    (tmp_path / "json" / "__init__.py").write_text("GAME = 1\n")
    (tmp_path / "no_such_game").mkdir()
    (tmp_path / "no_such_game" / "__init__.py").write_text("GAME = 1\n")
    (tmp_path / "in_a_file").mkdir()
    (tmp_path / "in_a_file" / "in_a_file.py").write_text("GAME = 1\n")  # as `dohyo new game` writes them
    for name, message in (
        ("missing", "no game in"),
        ("no_such_game", "no game in"),
        ("json", "called 'json'"),
        ("in_a_file", f"name {tmp_path}/in_a_file/in_a_file.py"),
    ):
        with pytest.raises(OperatorError, match=message):
            games.load(tmp_path / name)
    monkeypatch.setenv(GAMES_VARIABLE, str(tmp_path / "no_such_game"))
    with pytest.raises(OperatorError, match=r"no game in .*, in DOHYO_GAMES too"):
        games.find("no-such-game")
    assert "no_such_game" not in sys.modules
