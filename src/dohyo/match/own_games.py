"""Which games that lie in a folder are the operator's own: those that `dohyo new game` has made on this machine.

What a file says of itself is no proof. Whoever forgets the game types a bot in its place (`dohyo play alice bob`),
and a hand-in `alice/alice.py` may look like a game: it would run here, without a sandbox. So whose game it is, is
noted where no hand-in can write: in a private folder of the cache. Any other game has to be named by `DOHYO_GAMES`,
and the sentence says how.

A path alone is no proof either: where the folder was removed, a hand-in may be unpacked. So the folder that was made
counts, by its number on the disk and by a word that nobody can guess, in a file in it (`.dohyo-own`): file systems
give the number of a removed folder to the next one. In it, only the noted file counts. What that file says now does
not: editors replace it at each change. So whoever unpacks a stranger's files over one's own game, runs them.

Such a game is found in the current folder, and, by the path that was noted, where that is below the game's folder or
has the game somewhere below it: what lies on the way there is not looked at.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from dohyo import games
from dohyo.bots import cache
from dohyo.core import notices
from dohyo.core.errors import OperatorError
from dohyo.core.game import GAMES_VARIABLE, Game
from dohyo.games import all_games, module_name, nearby
from dohyo.system import cache_mark
from dohyo.system.plain_files import open_plain

NOT_FOUND = ("game-lies-unnamed", "unknown-game")  # what is said where there is no game of a name
FOLDER = "own-games"  # in the cache: for each a file with its path, its folder's word and number
WORD = ".dohyo-own"  # in the game's folder
MAX_NOTED, MAX_NOTE = 1000, 4096 + 100  # notes that are read, and bytes of each


def note(file: Path) -> None:
    """Note that the operator has made the game in this file of rules. If it cannot be noted, it has to be named."""
    with suppress(OSError, OperatorError):
        cache_mark.mark(cache.location())
        place, path = cache.location() / FOLDER, os.path.realpath(file)
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        if _is_private(place) and os.pathsep not in path:
            from dohyo.match.files import write_whole

            write_whole(os.path.join(os.path.dirname(path), WORD), secrets.token_hex().encode(), follow=False)
            (place / _mark(file)).write_bytes(b"\0".join((os.fsencode(path), *_identity(os.path.dirname(path)))))


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
    if place is None or not _is_own(place, name):
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
            place = _read(note, name)
            if place is not None and nearby.is_game(place):
                home = place.parent
                if here.is_relative_to(home) or home.is_relative_to(here):
                    found.append((abs(len(home.parts) - len(here.parts)), place))
    return min(found)[1] if found else None


def _is_own(place: Path, name: str) -> bool:
    """Whether the operator has made the game of that name in this file of rules."""
    try:
        folder = cache.location() / FOLDER
        return _is_private(folder) and _read(folder / _mark(place), name) == Path(os.path.realpath(place))
    except (OSError, OperatorError):
        return False


def _read(note: Path, name: str) -> Path | None:
    """The file of rules that is noted there for a game of that name, while its folder is the one that was made.

    If another folder is in its place, the note is removed.
    """
    with open(note, "rb") as content:
        path, *identity = content.read(MAX_NOTE).split(b"\0")
    place = Path(os.fsdecode(path))
    if place.stem != name.replace("-", "_") or note.name != _mark(place) or os.pathsep in str(place):
        return None
    if not place.parent.is_dir():  # it may be on a disk that is not there now
        return None
    if not identity or identity != _identity(str(place.parent)):
        note.unlink(missing_ok=True)
        return None
    return place if os.path.realpath(place) == str(place) else None


def _identity(folder: str) -> list[bytes]:
    """What tells this folder from any other at the same path: its word, and its number on the disk."""
    try:
        with open_plain(os.path.join(folder, WORD), follow=False) as content:
            return [content.read(100), str(_number(folder)).encode()]
    except OSError:
        return []


def _number(folder: str) -> int:
    """The number that the file system gives the folder: another one once it is copied, packed or made anew."""
    return os.stat(folder).st_ino


def _is_private(folder: Path) -> bool:
    """Whether nobody else can write there."""
    found = os.lstat(folder)
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077


def _mark(place: Path) -> str:
    """The name of the file that stands for a game: of its folder, whatever else may come to lie there."""
    folder = place.parent if place.suffix == ".py" else place
    return hashlib.sha256(os.fsencode(f"{os.path.realpath(folder)}\0{module_name(place)}")).hexdigest()
