"""A game in a package of its own, made as the README of connect four says: its folder, copied under another name."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from dohyo.classics import FOLDER

CONNECT_FOUR = FOLDER / "connect_four"


def made_package(folder: Path) -> Path:
    """The game `my-game` in the folder `my_game` of this folder, with the `pyproject.toml` that the README shows."""
    game = folder / "my_game"
    shutil.copytree(CONNECT_FOUR, game, ignore=shutil.ignore_patterns("__pycache__"))
    for file in game.glob("*.py"):
        file.write_text(file.read_text().replace("from dohyo.classics.connect_four", "from my_game"))
    about = game / "__init__.py"
    about.write_text(about.read_text().replace('name="connect-four"', 'name="my-game"'))
    (project,) = re.findall(r"```\n(\[build-system\]\n.*?)```", (game / "README.md").read_text(), re.S)
    (game / "pyproject.toml").write_text(project)
    return game
