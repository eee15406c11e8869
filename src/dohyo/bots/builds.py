"""Where what was built is kept, by content: the same sources with the same compiler are built once.

Theory of operation
-------------------
A build has a key: a digest of what stands in its folder at the start, of its command lines and of its compilers.
`builds/KEY/` holds attempts, each in a folder with a random name, and, once one of them has succeeded, the file
`done` that names it. That file appears whole, or not at all, and the first to write it wins. So a build that is
killed half-way leaves nothing that counts, and two processes that build the same at once both end well. Attempts are
never moved: what a build writes down of its own place (CMake does, and environments of Python) stays true.

A build may say of itself that it was broken off, by a file `AGAIN` in its folder: a compiler that a bot can play
without ran out of time, say. It counts until a later one is whole; every command tries once.

A lock keeps a second process from doing the same work in the meantime. It saves time only; where a file system has
no locks, both build.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from dohyo.bots.build_plan import BuildPlan
from dohyo.bots.cache import Built, is_again, last_build
from dohyo.bots.content import digest_of, place, printable
from dohyo.core.errors import BuildError, HandInError, MachineError
from dohyo.system import cache_mark, disk
from dohyo.system.used_again import UnfitError

FORMAT = "2"  # of the cache: another one builds everything anew
SHOWN = 80  # characters of a path
LOCK_TICK = 0.05  # seconds between two looks at a lock
_TRIED: set[Path] = set()  # where this process has built: it does not try once more what was broken off


def key_of(plan: BuildPlan) -> str:
    """What the build of a plan is kept under: everything that the result depends on and that we know of."""
    executable = [
        name
        for name, content in plan.placed.items()
        if isinstance(content, Path) and content.stat().st_mode & stat.S_IXUSR
    ]
    system = os.uname()
    known = (
        (FORMAT, system.sysname, system.machine),
        digest_of(plan.placed, plan.links),
        sorted(executable),
        [step.ways for step in plan.steps],
        plan.tools,
        *(["debug"] if plan.debug else []),
    )
    return hashlib.sha256(msgspec.json.encode(_plain(known))).hexdigest()


def _plain(value: object) -> object:
    """`value` with texts that JSON takes: names of files may hold bytes that are no text."""
    if isinstance(value, str):
        return os.fsencode(value).hex()
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value


def folder_of(cache: Path, key: str) -> Path:
    """The folder of all that is built of a plan with this key."""
    return cache / "builds" / key


def find(cache: Path, plan: BuildPlan, key: str) -> Built | None:
    """The finished build of `plan`, whose key is `key`, or None; one that is to be tried again is none.

    In a process that has tried once it is one.
    """
    attempts = folder_of(cache, key)
    found = last_build(attempts, plan.command)
    return None if found is None or (is_again(found) and attempts not in _TRIED) else found


def unfit(bot: str, error: UnfitError, log: str = "") -> BuildError:
    """What is told of a bot's folder that cannot be used as its build has left it."""
    name = printable(error.path)
    return BuildError(
        f"bot-left-{error.why}", log, bot=bot, file=name if len(name) <= SHOWN else f"{name[:SHOWN]}..."
    )


def build(cache: Path, plan: BuildPlan, key: str, run: Callable[[Path], str], wait: Callable[[float], None]) -> Built:
    """The build of `plan`, whose key is `key`: the finished one, or a new one that `run` makes in the given folder.

    `run` returns what the build printed, and raises to say that it failed. `wait` is called with seconds while
    another process builds the same, and raises to end the waiting.
    Raises `OperatorError` when the cache cannot be written to.
    """
    attempts = folder_of(cache, key)
    before = last_build(attempts, plan.command)
    if (finished := find(cache, plan, key)) is not None:
        return finished
    try:
        cache_mark.mark(cache)
        attempts.mkdir(parents=True, exist_ok=True, mode=0o700)
        with _lock(attempts / "lock", wait) as locked:
            found = last_build(attempts, plan.command)
            if found is not None and (found != before or not is_again(found)):
                return found  # another process has built meanwhile; what was broken off there is not tried at once
            return _attempt(attempts, plan, run, found, alone=locked)
    except OSError as error:
        raise MachineError("bot-cache-unusable", folder=printable(str(cache)), error=error) from error


def _place(plan: BuildPlan, folder: Path) -> None:
    """Put the files in their places; that a name is too long, or a file's and a folder's, is the author's doing."""
    try:
        place(plan.placed, plan.links, folder)
    except OSError as error:
        if disk.is_of_machine(error):
            raise
        raise HandInError("bot-cannot-be-read", bot=plan.spec, reason=error) from error


def _attempt(
    attempts: Path, plan: BuildPlan, run: Callable[[Path], str], before: Built | None, *, alone: bool
) -> Built:
    """Build in a new folder and say that it is done; what fails or is interrupted is swept away.

    `before` is the build to be tried again: it stays, for somebody may be playing from it, and where this one fails
    or is broken off, too, it goes on counting.
    """
    import tempfile

    if alone:
        for left in attempts.iterdir():  # of attempts that were killed
            if left.is_dir() and (before is None or left.name != Path(before.folder).name):
                disk.remove(left)
    folder = Path(tempfile.mkdtemp(prefix="attempt-", dir=attempts))
    try:
        _place(plan, folder)
        if digest_of({name: folder / name for name in plan.placed}) != digest_of(plan.placed):
            raise HandInError("bot-changed", bot=plan.spec)
        log = run(folder)
        if before is not None and is_again(Built(str(folder), log)):
            disk.remove(folder)
            return before
        winner = _declare_done(attempts, Built(folder.name, log), plan)
    except BaseException as error:
        disk.remove(folder)
        if before is not None and isinstance(error, BuildError):
            return before
        raise
    finally:
        _TRIED.add(attempts)
    if winner.folder != folder.name:
        disk.remove(folder)
    return Built(str(attempts / winner.folder), winner.log)


def _declare_done(attempts: Path, built: Built, plan: BuildPlan) -> Built:
    """Write `done`, unless another process has in the meantime; return the build that counts."""
    done = attempts / "done"
    note = attempts / f"{built.folder}.done"
    note.write_bytes(msgspec.json.encode(built))
    try:
        os.link(note, done)
    except FileExistsError:
        other = find(attempts.parent.parent, plan, attempts.name)
        if other is not None:
            return Built(Path(other.folder).name, other.log)
        os.replace(note, done)  # the folder it named is gone: somebody cleaned up
    except OSError:
        os.replace(note, done)  # a file system without hard links
    finally:
        with suppress(FileNotFoundError):
            note.unlink()
    return built


@contextmanager
def _lock(path: Path, wait: Callable[[float], None]) -> Iterator[bool]:
    """Hold the lock at `path`; false where the file system has none. The system lets go when the process dies."""
    import fcntl

    with path.open("ab") as file:
        locked = None
        while locked is None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                locked = True
            except BlockingIOError:
                wait(LOCK_TICK)
            except OSError:
                locked = False
        yield locked
