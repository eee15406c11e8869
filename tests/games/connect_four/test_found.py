"""A game in a package of its own is found: by its folder's path, and by the entry point of its package."""

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
from tests.quality.project import ROOT, files, run, tool

EXAMPLE = ROOT / "examples" / "connect_four"


def dohyo(*words: str, **environment: str) -> str:
    """What the command prints, without games from elsewhere unless the environment names them."""
    own = {name: value for name, value in os.environ.items() if name != GAMES_VARIABLE}
    done = subprocess.run(
        [tool("dohyo"), *words], env={**own, **environment}, capture_output=True, text=True, timeout=120, check=False
    )
    return done.stdout + done.stderr


def test_found_by_its_folder() -> None:
    """DOHYO_GAMES names the folder; then the game is one like the others, and its sample bots play."""
    assert games.find("connect-four") is games.all_games()["connect-four"] is games.load(EXAMPLE)
    assert "There is no game 'connect-four'" in dohyo("play", "connect-four", "random.py", "watchful")
    words = ("play", "connect-four", "random.py", "watchful", "--clock", "60", "--seed", "1")
    assert "four in a row" in dohyo(*words, DOHYO_GAMES=str(EXAMPLE))


def test_found_by_its_entry_point(tmp_path: Path) -> None:
    """Its wheel holds all that belongs to it; where that is installed, nothing names a folder, and it is played."""
    built = run(
        *(tool("uv"), "build", "--wheel", "--no-build-isolation", "--python", sys.executable),
        *("--out-dir", tmp_path, EXAMPLE),
    )
    assert built.returncode == 0, built.stdout
    (wheel,) = tmp_path.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    held = {path.relative_to(EXAMPLE) for path in files() if path.is_relative_to(EXAMPLE)}
    package = tmp_path / "installed" / "connect_four"
    assert {path.relative_to(package) for path in package.rglob("*") if path.is_file()} == held - {
        Path("pyproject.toml")
    }
    words = ("play", "connect-four", "random.py", "watchful", "--clock", "60", "--seed", "1")
    assert "four in a row" in dohyo(*words, PYTHONPATH=str(tmp_path / "installed"))


def test_folders_without_a_game_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No folder, no GAME, a name that is taken: one sentence each, and nothing of it stays imported."""
    (tmp_path / "json").mkdir()
    (tmp_path / "json" / "__init__.py").write_text("GAME = 1\n")
    (tmp_path / "no_such_game").mkdir()
    (tmp_path / "no_such_game" / "__init__.py").write_text("GAME = 1\n")
    for name, message in (("missing", "no game in"), ("no_such_game", "no game in"), ("json", "called 'json'")):
        with pytest.raises(OperatorError, match=message):
            games.load(tmp_path / name)
    monkeypatch.setenv(GAMES_VARIABLE, str(tmp_path / "no_such_game"))
    with pytest.raises(OperatorError, match="which DOHYO_GAMES names"):
        games.find("no-such-game")
    assert "no_such_game" not in sys.modules
