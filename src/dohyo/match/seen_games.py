"""What programs in the sandbox see of games that are not installed.

A bot that runs with our own interpreter may import the game of its match also where DOHYO_GAMES names that: it sees a
private copy of the game's own files (`dohyo.bots.game_files`), and nothing else of the folder that is named.
"""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from dohyo.core.errors import MachineError
from dohyo.core.game import GAMES_VARIABLE
from dohyo.core.sandbox import Mount
from dohyo.sandbox import Sandbox

GAMES = "/games"  # where a sandbox with its own file system shows these games
TOLD_GAME = "DOHYO_GAME"  # the variable that tells a bot its match's game
_made: dict[str, int] = {}  # the folders of copies, and the process that made each


class SeenGames:
    """What a program of our own interpreter sees of the games that DOHYO_GAMES names, in a sandbox.

    `told` is its environment, `mounts` what it is shown: a copy of the game that the environment tells, or of all if
    it tells none. `environment` may be one that was `told` before: the operator's own names the games. A bot gets the
    game as it was when we first started one, for which we imported it; with `anew` the copy is of what is there now.
    """

    def __init__(self, environment: Mapping[str, str], sandbox: Sandbox, *, anew: bool = False) -> None:
        self.mounts: tuple[Mount, ...] = ()
        self.told = {name: value for name, value in environment.items() if name != GAMES_VARIABLE}
        chosen = _chosen(_named(os.environ), environment.get(TOLD_GAME, ""))
        if not chosen:
            return
        copy, names = _copied(chosen, _digest(chosen) if anew else "")
        if names:
            place = GAMES if sandbox.own_files else copy
            self.told[GAMES_VARIABLE] = os.pathsep.join(f"{place}/{name}" for name in names)
            self.mounts = (Mount(copy, place),)


def for_build(environment: Mapping[str, str], sandbox: Sandbox) -> tuple[Mapping[str, str], tuple[Mount, ...]]:
    """The environment of a build's command, and the mounts for it: a build may be for any game."""
    any_game = {name: value for name, value in environment.items() if name != TOLD_GAME}
    games = SeenGames(any_game, sandbox, anew=True)
    return games.told, games.mounts


def _named(environment: Mapping[str, str]) -> tuple[str, ...]:
    """The absolute paths of the games that an environment names."""
    named = environment.get(GAMES_VARIABLE, "").split(os.pathsep)
    return tuple(os.path.abspath(os.path.expanduser(path)) for path in named if path)


def _chosen(named: Sequence[str], game: str) -> tuple[str, ...]:
    """The paths under which the game of this name may be; all if no name is given."""
    return tuple(path for path in named if not game or game in _names_of(path))


def _names_of(path: str) -> tuple[str, ...]:
    """The names of the game at a path: by its file, and, if it was imported, by what it says itself."""
    name = os.path.basename(path).removesuffix(".py").replace("-", "_")
    said = getattr(getattr(sys.modules.get(name), "GAME", None), "name", "")
    return (name, name.replace("_", "-"), said)


def _digest(named: Sequence[str]) -> str:
    """SHA-256 over the files of games."""
    import hashlib

    from dohyo.bots.game_files import game_files

    return hashlib.sha256(repr([list(game_files(Path(path)).items()) for path in named]).encode()).hexdigest()


@cache
def _copied(named: tuple[str, ...], digest: str) -> tuple[str, tuple[str, ...]]:
    """A folder with copies of these games, and their names in it; made once for each `digest`.

    Of two with the same name it is the first, as when a game is searched. Raises `OperatorError` for a full disk.
    """
    from dohyo.bots.game_files import game_files
    from dohyo.system import temporary

    games: dict[str, tuple[str, dict[str, bytes]]] = {}
    for path in map(Path, named):
        if path.stem not in games and (files := game_files(path)):
            games[path.stem] = (path.name, files)
    if not games:
        return "", ()
    try:
        folder = temporary.make("games")
        _made[folder] = os.getpid()
        for _, files in games.values():
            for name, content in files.items():
                file = Path(folder, name)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
    except OSError as problem:
        raise MachineError("no-room-for-programs", reason=problem) from problem
    return folder, tuple(name for name, _ in games.values())


@atexit.register
def remove_copies() -> None:
    """Remove the copies that this process has made, but not those of the process that it is a child of."""
    _copied.cache_clear()
    for folder, process in _made.items():
        if process == os.getpid():
            from dohyo.system import disk

            disk.remove(folder)
    _made.clear()
