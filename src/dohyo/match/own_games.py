"""Which games that lie in a folder are the operator's own: those that `dohyo new game` has made on this machine.

What a file says of itself is no proof. Whoever forgets the game types a bot in its place (`dohyo play alice bob`),
and a hand-in `alice/alice.py` may look like a game: it would run here, without a sandbox. So whose game it is, is
noted where no hand-in can write: in a private folder of the cache. Any other game has to be named by `DOHYO_GAMES`,
and the sentence says how.

Such a game is found in the current folder, and, by the path that was noted, where that is below the game's folder or
has the game somewhere below it: what lies on the way there is not looked at.
"""

from __future__ import annotations

import hashlib
import os
import stat
from contextlib import suppress
from pathlib import Path

from dohyo import games
from dohyo.bots import cache
from dohyo.core import notices
from dohyo.core.errors import OperatorError
from dohyo.core.game import GAMES_VARIABLE, Game
from dohyo.games import all_games, module_name, nearby

FOLDER = "own-games"  # in the cache: for each a file with its path
NOT_FOUND = ("game-lies-unnamed", "unknown-game")  # what is said where there is no game of a name
MAX_NOTED, MAX_PATH = 1000, 4096  # notes that are read, and bytes of each


def note(file: Path) -> None:
    """Note that the operator has made the game in this file of rules. If it cannot be noted, it has to be named."""
    with suppress(OSError, OperatorError):
        place = cache.location() / FOLDER
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        place.mkdir(exist_ok=True, mode=0o700)
        if _is_private(place):
            (place / _mark(file)).write_bytes(os.fsencode(os.path.realpath(file)))


def find(name: str) -> Game:
    """The game of this name: also one of the operator's own that lies here.

    A store or a replay may name it too: whoever wrote that, no game runs for it that the operator has not made here.
    Raises `OperatorError` if there is none.
    """
    try:
        return games.find(name)
    except OperatorError as error:
        if error.key not in NOT_FOUND or not take(name):
            raise
    return games.find(name)


def take(name: str) -> bool:
    """Have the game of this name found from now on, here and in processes of ours, if it lies here; whether it does.

    It has to be the operator's own. Known games come before it: one that is found otherwise is not looked for.
    """
    place = nearby.lying_here(name)
    if place is None or not _is_own(place):
        place = _noted(name)
    if place is None:
        return False
    from dohyo import classics
    from dohyo.games.names import names  # it looks at what packages bring, which a match need not

    known = {each.replace("-", "_") for each in names()}
    if name.replace("-", "_") in known or classics.file_of(name) is not None:
        return False
    before = os.environ.get(GAMES_VARIABLE, "")
    os.environ[GAMES_VARIABLE] = f"{before}{os.pathsep}{place}" if before else str(place)
    all_games.cache_clear()
    notices.tell("game-lies-here", name=name.replace("_", "-"), place=os.path.relpath(place))
    return True


def _noted(name: str) -> Path | None:
    """The file of the operator's own game of this name, below whose folder we are, or which lies below ours.

    Of several the nearest counts.
    """
    here, found = Path.cwd(), []
    try:
        folder = cache.location() / FOLDER
        notes = sorted(folder.iterdir())[:MAX_NOTED] if _is_private(folder) else []
    except (OSError, OperatorError):
        return None
    for note in notes:
        with suppress(OSError):
            with open(note, "rb") as content:
                place = Path(os.fsdecode(content.read(MAX_PATH)))
            if place.stem == name.replace("-", "_") and note.name == _mark(place) and nearby.is_game(place):
                home = place.parent
                if here.is_relative_to(home) or home.is_relative_to(here):
                    found.append((abs(len(home.parts) - len(here.parts)), place))
    return min(found)[1] if found else None


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
    """The name of the file that stands for a game: of its folder, whatever else may come to lie there."""
    folder = place.parent if place.suffix == ".py" else place
    return hashlib.sha256(os.fsencode(f"{os.path.realpath(folder)}\0{module_name(place)}")).hexdigest()
