"""A new game: a folder with one file of rules, a test that holds it to the laws, and a page on how to go on."""

from __future__ import annotations

import importlib.util
import keyword
import os
import re
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from dohyo import games
from dohyo.core.errors import OperatorError
from dohyo.core.game import GAMES_VARIABLE
from dohyo.match import own_games
from dohyo.match.files import write_folder

TEMPLATES = Path(games.__file__).parent / "general" / "new"
FILES = {"rules.txt": "{module}.py", "test.txt": "test_{module}.py", "README.txt": "README.md"}
NAME = re.compile("[a-z][a-z0-9_]*")  # of its module
MAX_LETTERS = 40


class Made(NamedTuple):
    """What was made: the folder, the file of rules in it, what one types next, and to have it found `everywhere`."""

    folder: Path
    file: Path
    commands: tuple[str, ...]
    everywhere: str


def make(name: str, folder: str | None = None) -> Made:
    """Write a new game of that name into a folder, by default one of its name here: all of it or nothing.

    Raises `OperatorError` for a name that no game can have, or that is taken, and for a folder that is not empty.
    """
    module = name.replace("-", "_")
    if not NAME.fullmatch(module) or keyword.iskeyword(module) or len(name) > MAX_LETTERS:
        raise OperatorError("new-game-name", name=name)
    place = Path(folder or module).expanduser()
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise OperatorError("new-game-folder", folder=place)
    if os.pathsep in os.path.realpath(place):
        raise OperatorError(
            "game-path-separated", path=place.absolute(), separator=os.pathsep, variable=GAMES_VARIABLE
        )
    if module in sys.stdlib_module_names or importlib.util.find_spec(module) is not None:
        raise OperatorError("new-game-module", name=name)
    own = module.replace("_", "-")
    from dohyo import classics  # here: without them all else works

    if own in games.all_games() or classics.file_of(own) is not None:
        raise OperatorError("new-game-taken", name=own)
    title = own.replace("-", " ").capitalize()
    values = {"NAME": own, "MODULE": module, "TITLE": title, "STATE": title.title().replace(" ", "")}
    files = {
        target.format(module=module): _filled((TEMPLATES / template).read_text(encoding="utf-8"), values)
        for template, target in FILES.items()
    }
    write_folder(place, files, parents=True)
    file = place / f"{module}.py"
    own_games.note(file)
    commands = (
        f"cd {shlex.quote(str(place))}",
        f"dohyo play {own} random random --watch",
        f"dohyo laws {own}",
    )
    return Made(place, file, commands, f"export {GAMES_VARIABLE}={shlex.quote(os.path.abspath(file))}")


def _filled(text: str, values: Mapping[str, str]) -> str:
    """A template with its places, `@NAME@` and others, filled."""
    for key, value in values.items():
        text = text.replace(f"@{key}@", value)
    return text
