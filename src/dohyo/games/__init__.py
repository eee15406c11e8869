"""The games, one folder each, which are found automatically.

In each folder `rules.py` has the rules, `setup.py` the options, `protocol.py` the text that bots read and write,
`frame.py`, `view.js` and `terminal.py` the drawing, `observation_space.py` what a learner sees, `outcome.py` a seat's
result in words, `bots/` the sample bots. `docs/games.md` explains how to write one.

A game is a folder with a `GAME` in its `__init__.py`. It is found

* when it is a folder here;
* when its package is installed and has an entry point in the group `dohyo.games`, of the game's name;
* when the environment variable DOHYO_GAMES names its folder (several are separated as in PATH): for games that are
  being written, and for those that nobody wants to install. Such a folder is imported under its own name;
* when the operator types its name, and it lies in the current folder (`nearby.py`).

DOHYO_GAMES may also name a file of rules, a game in one file (`dohyo.one_file`), with a folder of its name beside it.

The classic games (`dohyo.classics`) are found by their names too, but are in no list of all games: only who asks
for one imports it. A game of one's own that has the name of a classic one is found in its place, and that is said.
"""

from __future__ import annotations

import copyreg
import importlib
import importlib.util
import os
import pkgutil
import sys
from functools import cache
from pathlib import Path
from typing import Any

from dohyo.core.errors import OperatorError
from dohyo.core.game import GAMES_GROUP, GAMES_VARIABLE, Game
from dohyo.core.options import nearest

GENERAL_BOTS = Path(__file__).parent / "general" / "bots"  # they play by the default protocol
FOLDERS = frozenset(each.name for each in pkgutil.iter_modules(__path__) if each.ispkg)  # listed once: it takes long


class OnDemand:
    """A module of a game that is imported when something of it is asked for, so that a match need not import it.

    Its attributes are the module's. Called, it is the function that has the module's name: so a `GAME` may have
    `frame=OnDemand(__name__, "frame")` in the place of the function `frame` of `frame.py`.
    """

    def __init__(self, package: str, name: str) -> None:
        self._package, self._name = package, name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # nobody's but Python's own, who asks whether this can be copied, say
            raise AttributeError(name)
        found = getattr(importlib.import_module(f"{self._package}.{self._name}"), name)
        setattr(self, name, found)  # from now on it costs nothing more to ask for it
        return found

    def __call__(self, *words: Any, **more: Any) -> Any:
        """What the function of the module's name returns."""
        return getattr(self, self._name)(*words, **more)


@cache
def all_games() -> dict[str, Game]:
    """Every game by name, in alphabetical order, but for the classics. Raises `OperatorError` when DOHYO_GAMES names
    what is no game.
    """
    found = [_here(folder) for folder in sorted(FOLDERS)]
    found += [load(folder) for folder in named_folders()]  # before an installed one of the same name
    found += [_checked(pkgutil.resolve_name(value)) for value in _installed().values()]
    return {game.name: game for game in sorted(found, key=lambda game: game.name)}


def find(name: str) -> Game:
    """The game of that name, also one that this process has loaded. Raises `OperatorError` when there is none.

    If a folder or an entry point has that name, only that game is imported, so that a start does not load the others.
    """
    folder = name.replace("-", "_")
    if (own := _by_name(name)) is not None:
        return own
    loaded = getattr(sys.modules.get(folder), "GAME", None)
    if isinstance(loaded, Game) and loaded.name == name:  # by `load`
        return loaded
    from dohyo import classics

    if (file := classics.file_of(name)) is not None:
        return _classic(f"{classics.__name__}.{folder}", file)
    games = all_games()
    if name.endswith(".py") and Path(name).is_file():
        shown = Path(name).stem.replace("_", "-")
        raise OperatorError(
            "game-is-file", file=name, path=Path(name).absolute(), variable=GAMES_VARIABLE, name=shown
        )
    if name not in games:
        from dohyo.games import nearby

        if (place := nearby.lying_here(name)) is not None:
            if os.pathsep in str(place):
                raise OperatorError("game-path-separated", path=place, separator=os.pathsep, variable=GAMES_VARIABLE)
            raise OperatorError("game-lies-unnamed", name=name, path=place, variable=GAMES_VARIABLE)
        known = tuple(dict.fromkeys((*games, *classics.NAMES)))
        raise OperatorError("unknown-game", name=name, nearest=nearest(name, known), known=", ".join(known))
    return games[name]


def _by_name(name: str) -> Game | None:
    """The game of a folder or an entry point of that name, which any process finds; classics are not looked at."""
    if (folder := name.replace("-", "_")) in FOLDERS:
        return _here(folder)
    for named in named_folders():
        if module_name(named) == folder:
            return _told(load(named))
    if (value := _installed().get(name)) is not None:
        return _told(_checked(pkgutil.resolve_name(value)))
    return None


def is_found(game: Game) -> bool:
    """Whether any process finds this game by its name; one that was only loaded, or changed, is just in this one."""
    from dohyo import classics

    own = _by_name(game.name)
    if own is None and classics.file_of(game.name) is not None:
        own = find(game.name)
    return (own or all_games().get(game.name)) is game


def load(folder: str | os.PathLike[str]) -> Game:
    """The game in a folder, or a file, that need not be installed; imported as a package of its name, once.

    Raises `OperatorError` when there is no game, when a file of rules lacks something or cannot be read, and when
    another module of that name has been imported already.
    """
    named = Path(folder).expanduser().absolute()
    place = named if named.suffix == ".py" else named / "__init__.py"
    name = module_name(named)
    if not place.is_file() or not name.isidentifier():
        if (rules := named / f"{name}.py").is_file():  # a folder of `dohyo new game`
            raise OperatorError("game-is-file-within", folder=folder, path=rules)
        raise OperatorError("no-game-in-folder", folder=folder, variable=GAMES_VARIABLE)
    from dohyo import classics

    if place == classics.file_of(name):  # named by its path: the same module as by its name
        return _classic(f"{classics.__name__}.{name}", place)
    module = sys.modules.get(name)
    if module is None:
        return _imported(name, place)
    if getattr(module, "__file__", None) != str(place):
        raise OperatorError("game-folder-name-taken", folder=folder, name=name)
    return _checked(module.GAME)


def _told(game: Game) -> Game:
    """A game of somebody's own; where a classic one has the same name, it is said that it is not that."""
    from dohyo import classics
    from dohyo.core import notices

    if classics.file_of(game.name) is not None and not Path(game.folder).is_relative_to(classics.FOLDER):
        notices.tell("game-hides-classic", name=game.name, place=str(game.file or game.folder))
    return game


def _classic(name: str, file: Path) -> Game:
    """The classic game in this file, imported as a module of its package, once."""
    game = getattr(sys.modules.get(name), "GAME", None)
    return _imported(name, file) if game is None else _checked(game)


def module_name(named: Path) -> str:
    """The name under which a folder or a file is imported."""
    return (named.stem if named.suffix == ".py" else named.name).replace("-", "_")


def _imported(name: str, place: Path) -> Game:
    """The GAME of a package that is imported from here; when that fails, nothing of the package stays."""
    folder = place.parent if place.name == "__init__.py" else place.with_suffix("")
    spec = importlib.util.spec_from_file_location(name, place, submodule_search_locations=[str(folder)])
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        if place.parent == folder:
            spec.loader.exec_module(module)
        else:
            from dohyo.one_file import read

            read(module, spec.loader, place, folder, GENERAL_BOTS)
        if not isinstance(getattr(module, "GAME", None), Game):
            raise OperatorError("no-game-in-folder", folder=place.parent, variable=GAMES_VARIABLE)
    except BaseException:
        for each in [each for each in sys.modules if each == name or each.startswith(f"{name}.")]:
            del sys.modules[each]
        raise
    return _checked(module.GAME)


def _installed() -> dict[str, str]:
    """The games of installed packages, by name; no package is looked at for a game that is here."""
    from dohyo import installed

    return installed.entry_points(GAMES_GROUP)


def named_folders() -> list[Path]:
    """The folders of games that the environment variable names."""
    return [Path(folder) for folder in os.environ.get(GAMES_VARIABLE, "").split(os.pathsep) if folder]


def _here(folder: str) -> Game:
    return _checked(importlib.import_module(f"{__name__}.{folder}").GAME)


def _checked(game: object) -> Game:
    assert isinstance(game, Game)
    return game


def _reduce(game: Game) -> tuple[Any, ...]:
    """How a game is pickled."""
    return importlib.import_module("dohyo.games.pickles").reduced(game, find)  # type: ignore[no-any-return]


copyreg.pickle(Game, _reduce)
