"""Which games that lie in a folder are the operator's own: those that `dohyo new game` has made on this machine.

What a file says of itself is no proof. Whoever forgets the game types a bot in its place (`dohyo play alice bob`),
and a hand-in `alice/alice.py` may look like a game: it would run here, without a sandbox. So whose game it is, is
noted where no hand-in can write: in a private folder of the cache. Any other game has to be named by `DOHYO_GAMES`,
and the sentence says how.
"""

from __future__ import annotations

import hashlib
import os
import stat
from contextlib import suppress
from pathlib import Path

from dohyo.bots import cache
from dohyo.core import notices
from dohyo.core.errors import OperatorError
from dohyo.core.game import GAMES_VARIABLE
from dohyo.games import all_games, module_name, nearby
from dohyo.games.names import names

FOLDER = "own-games"  # in the cache: an empty file for each


def note(file: Path) -> None:
    """Note that the operator has made the game in this file of rules. If it cannot be noted, it has to be named."""
    with suppress(OSError, OperatorError):
        place = cache.location() / FOLDER
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        place.mkdir(exist_ok=True, mode=0o700)
        if _is_private(place):
            (place / _mark(file)).touch()


def take(name: str) -> bool:
    """Have the game of this name found from now on, here and in processes of ours, if it lies here; whether it does.

    It has to be the operator's own. Known games come before it: one that is found otherwise is not looked for.
    """
    place = nearby.lying_here(name)
    if place is None or not _is_own(place):
        return False
    from dohyo import classics

    known = {each.replace("-", "_") for each in names()}
    if name.replace("-", "_") in known or classics.file_of(name) is not None:
        return False
    before = os.environ.get(GAMES_VARIABLE, "")
    os.environ[GAMES_VARIABLE] = f"{before}{os.pathsep}{place}" if before else str(place)
    all_games.cache_clear()
    notices.tell("game-lies-here", name=name.replace("_", "-"), place=os.path.relpath(place))
    return True


def _is_own(place: Path) -> bool:
    """Whether the operator has made the game in this file of rules, or in this folder."""
    try:
        folder = cache.location() / FOLDER
        return _is_private(folder) and (folder / _mark(place)).is_file()
    except (OSError, OperatorError):
        return False


def _is_private(folder: Path) -> bool:
    """Whether nobody else can write there."""
    found = os.lstat(folder)
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077


def _mark(place: Path) -> str:
    """The name of the empty file that stands for a game: of its folder, whatever else may come to lie there."""
    folder = place.parent if place.suffix == ".py" else place
    return hashlib.sha256(os.fsencode(f"{os.path.realpath(folder)}\0{module_name(place)}")).hexdigest()
