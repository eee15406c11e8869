"""What Dohyo keeps outside of the folders in which one works: where, how large, what for; and how it is emptied.

What is made again when it is needed goes together. The last matches, which nobody may have saved, and the notes on
whose a game is go only where they are named. Settings never go: a sign-in, keys of a cluster, where a store's files
are. Results are kept in no such place.

A cache may be any folder that `DOHYO_CACHE` names, also one with somebody's own `hand-ins`. So only in a folder that
has our mark (`system/cache_mark.py`) is anything removed, only the folders of our own names, and no link is followed.

What runs now works in them: while there is a process of ours that has made a folder among temporary files, or in the
cache, nothing of theirs is removed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from dohyo import clean, doors
from dohyo.bots import archive, hand_in, prepared
from dohyo.bots.cache import location
from dohyo.core.errors import MachineError, OperatorError
from dohyo.match import git_trees, own_games
from dohyo.match.replays import last
from dohyo.sandbox import mending
from dohyo.system import cache_mark, disk, settings, temporary
from dohyo.system.other_processes import command_of, variables_of

BOTS, RULES, TEMPORARY, LAST, GAMES, SETTINGS, COMPLETION, PROFILE = KINDS = (
    *("bots", "rules", "temporary", "last", "games", "settings", "completion", "profile"),
)
# The folders of the cache, by kind.
FOLDERS: Mapping[str, tuple[str, ...]] = {
    BOTS: (hand_in.FOLDER, "builds", archive.FOLDER, git_trees.FOLDER, prepared.FOLDER, "versions"),
    RULES: ("compiled",),
    LAST: tuple(last.FOLDERS.values()),
    GAMES: (own_games.FOLDER,),
}
NAMED = frozenset({LAST, GAMES})  # they go only by name
NEVER = frozenset({SETTINGS, COMPLETION, PROFILE})
# Where typer's `--install-completion` writes.
COMPLETIONS = ("~/.bash_completions/dohyo.sh", "~/.zfunc/_dohyo", "~/.config/fish/completions/dohyo.fish")


class Kept(NamedTuple):
    """What is kept of a kind: the key of the sentence on it, where it is, and its bytes on the disk."""

    kind: str
    says: str
    paths: tuple[str, ...]
    size: int

    @property
    def goes(self) -> str:
        """When it is removed: `always`, only if it is `named`, or `never`."""
        return "never" if self.kind in NEVER else "named" if self.kind in NAMED else "always"


def kinds() -> dict[str, str]:
    """Every kind, with the key of its sentence: ours, and each folder of the cache that a guest brings."""
    ours = {kind: f"cache.{kind}" for kind in KINDS}
    return {**doors.brought("caches"), **ours}


def survey() -> list[Kept]:
    """All that is kept, by kind; a kind of which there is nothing has no paths."""
    known = kinds()
    in_order = [*KINDS, *(kind for kind in known if kind not in KINDS)]
    return [_kept(kind, known[kind]) for kind in in_order]


def clear(named: Iterable[str], is_forced: bool = False) -> list[Kept]:
    """Remove what is kept of these kinds; without any, all that is made again. What was there before, by kind.

    Raises `OperatorError` for a kind that there is not, or that never goes, while something of ours runs, unless
    `is_forced`, and for what cannot be removed.
    """
    known, wanted = kinds(), list(dict.fromkeys(named))
    for kind in wanted:
        _check(kind, known)
    if not is_forced and (running := processes()):
        raise OperatorError("cache-used", process=running[0], command=clean.line(command_of(running[0])) or "?")
    cleared, found = [], [_kept(kind, known[kind]) for kind in wanted or known if wanted or kind not in NEVER | NAMED]
    _check_root(found)
    for before in found:
        for path in before.paths:
            disk.remove(path)
        cleared.append(before)
    if left := [path for one in cleared for path in one.paths if os.path.lexists(path)]:
        raise MachineError("cache-left", path=left[0])
    _leave_no_mark()
    return cleared


def _leave_no_mark() -> None:
    """Remove the cache's own folder at the usual place, where nothing but our mark is left in it."""
    root = str(location())
    with suppress(OSError):
        if root == cache_mark.usual() and cache_mark.is_marked(root) and os.listdir(root) == [cache_mark.NAME]:
            os.unlink(os.path.join(root, cache_mark.NAME))
            os.rmdir(root)


def _check_root(found: Iterable[Kept]) -> None:
    """Raise `OperatorError` if some of it lies in a cache without our mark: it may be somebody's own."""
    root = location()
    if str(root) == cache_mark.usual() and root.is_dir():
        cache_mark.mark(root)  # earlier versions made it without one
    inside = [path for one in found for path in one.paths if os.path.dirname(path) == str(root)]
    if inside and not cache_mark.is_marked(root):
        raise OperatorError("cache-unmarked", folder=root, path=inside[0])


def processes() -> list[int]:
    """The processes of ours that run, as far as one sees it by the folders that they made; not this one.

    Temporary files are common to all: who made some of them, and keeps its cache elsewhere, does not count.
    """
    here = {one.process for one in temporary.made(str(location() / hand_in.FOLDER)) if one.runs}
    beside = {one.process for one in temporary.made() if one.runs}
    return sorted((here | {one for one in beside if not _keeps_elsewhere(one)}) - {os.getpid()})


def _keeps_elsewhere(process: int) -> bool:
    """Whether a process is known to have its cache at another place than ours, whatever its variables call it."""
    theirs = _location_by(variables_of(process))
    return theirs is not None and os.path.realpath(theirs) != os.path.realpath(location())


def _location_by(variables: Mapping[str, str]) -> str | None:
    """The cache folder of a process that was started with these variables; none where that is not known."""
    named = variables.get("DOHYO_CACHE", "")
    if "HOME" not in variables and (not named or named.startswith("~")):
        return None  # emptied for what it does
    place = cache_mark.expanded(named, variables) if named else cache_mark.usual(variables)
    return None if place is None or not os.path.isabs(place) else place


def _check(kind: str, known: Mapping[str, str]) -> None:
    from dohyo.core.options import nearest

    if kind in NEVER:
        raise OperatorError("cache-never", kind=kind)
    if kind not in known:
        possible = [each for each in known if each not in NEVER]
        raise OperatorError("cache-kind", kind=kind, nearest=nearest(kind, possible), known=", ".join(possible))


def _kept(kind: str, says: str) -> Kept:
    paths = tuple(_paths(kind))
    return Kept(kind, says, paths, sum(_size(path) for path in paths))


def _paths(kind: str) -> Iterator[str]:
    """Where things of a kind are; a link, or somebody else's, is none of ours."""
    match kind:
        case "temporary":
            found: Iterable[str] = (one.path for one in temporary.made() if one.is_left)
        case "settings":
            found = _settings()
        case "completion":
            found = (os.path.expanduser(path) for path in COMPLETIONS)
        case "profile":
            yield from (path for path in [os.path.join(mending.FOLDER, mending.NAME)] if os.path.isfile(path))
            return
        case _:
            home = location()
            found = (str(home / name) for name in FOLDERS.get(kind, (kind,)))
    yield from (path for path in found if _is_own(path))


def _settings() -> Iterator[str]:
    with suppress(OSError):  # a user without a home folder has none
        yield str(settings.folder())


def _is_own(path: str) -> bool:
    try:
        return os.lstat(path).st_uid == os.geteuid() and not os.path.islink(path)
    except (OSError, ValueError):
        return False


def _size(path: str) -> int:
    return disk.size_of(path) if os.path.isdir(path) else os.lstat(path).st_blocks * 512
