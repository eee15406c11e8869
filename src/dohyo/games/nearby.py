"""A game that lies in the current folder, by its name: so `dohyo new game` needs no variable.

Hand-ins may lie there too, the name of a game in a replay or a store is a stranger's, and a word may be meant for a
bot: so nothing here says whether such a game may run. `match/own_games.py` finds those that are the operator's own.
"""

from __future__ import annotations

import os
from pathlib import Path

MAX_BYTES = 1 << 20  # of a file of rules that is looked into
MARK = b"dohyo"  # in every game: it imports something of ours


def lying_here(name: str) -> Path | None:
    """The file of rules, or the folder, of the game of this name in the current folder; none if there is none.

    `dohyo new game my-game` makes `my_game/my_game.py`; one may also have changed into that folder.
    """
    module = name.replace("-", "_")
    if not module.isidentifier():
        return None
    here = Path.cwd()
    for place, file in (
        (here / module / f"{module}.py", None),
        (here / module, here / module / "__init__.py"),
        (here / f"{module}.py", None),
    ):
        if is_game(file or place):
            return place
    return None


def is_game(file: Path) -> bool:
    """Whether a file of ours has a game in it, as far as its text says; nothing of it is run."""
    try:
        if not file.is_file() or file.stat().st_uid != os.geteuid():
            return False
        with open(file, "rb") as content:
            text = content.read(MAX_BYTES)
    except OSError:
        return False
    return MARK in text and (b"LAYOUT" in text or b"GAME" in text)
