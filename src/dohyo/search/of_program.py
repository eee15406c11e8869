"""Searches that a bot's program makes by itself, anywhere in it: compiled by its build, loaded in a match.

A `Thinker` (`bot.py`) makes its search in a function, so that it can be made twice. A `Search`, a `PUCT` and so on
with `compiled=True` that a program makes at its start, in `begin` or in `act` of a `dohyo.Bot`, comes here instead.
In the build (`python bot.py --warm`) all that such searches ask for is noted, and stored at the program's end. In a
match they get what is there; where the build could compile nothing, they are plain. What it has not seen is compiled
by Numba, in the middle of a turn. The program says either on standard error.
"""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from dohyo.core.flat import Layout
from dohyo.search import ahead
from dohyo.search.backend import CHOSEN, Backend, CompiledBackend, Function, NumpyRecords, PlainBackend
from dohyo.search.backend import backend_of as any_backend

WARM = "--warm"  # what a build calls the program with
FOLDER = "cache"  # beside the program
IN_A_MATCH = "DOHYO_GAME"  # the variable that is set where Dohyo runs a bot
DONE = "done"  # a file in it, where Numba has kept what it compiled
PLAIN = "search: in plain Python; build the bot with the extra `fast` (numba) installed, and it is stronger"
UNSEEN = "search: compiled in the middle of a turn: the build has not seen it. Make it in `begin`, or before"


def folder() -> Path:
    """Where a program's compiled searches are: beside its file."""
    return Path(os.path.abspath(sys.argv[0])).parent / FOLDER


def backend_of(compiled: bool) -> Backend:
    """The backend of a search that a program makes. Raises what the function of that name in `backend.py` raises."""
    found = backend() if compiled and not CHOSEN else None
    return found or any_backend(compiled)


def backend() -> Backend | None:
    """For a search of a bot's program: one that notes what is compiled, or has it. None in any other program."""
    if WARM in sys.argv[1:]:
        return _noting()
    if IN_A_MATCH not in os.environ or not os.path.isfile(sys.argv[0]):
        return None
    if (found := _stored()) is not None:
        return _OfBuild(found)
    if not folder().is_dir():
        return None
    if (folder() / DONE).is_file():  # Numba has kept there what it compiled
        os.environ["DOHYO_CACHE"] = str(folder())
        return None
    _complain(PLAIN)
    return PlainBackend()


@cache
def _noting() -> ahead.RecordingBackend:
    """For the whole program. Raises `OperatorError` without the extra `fast`."""
    noting = ahead.RecordingBackend()
    atexit.register(_store, noting, os.getpid())
    return noting


def _store(noting: ahead.RecordingBackend, process: int) -> None:
    """Write what was noted, if a `Thinker` has stored nothing."""
    if os.getpid() != process or ahead.is_there(folder()):
        return
    noting.forget_unused()
    folder().mkdir(exist_ok=True)
    try:
        noting.save(folder())
    except (TypeError, ValueError) as reason:
        print(f"search: {reason}", file=sys.stderr)


@cache
def _stored() -> ahead.NativeBackend | None:
    if not ahead.is_there(folder()):
        return None
    try:
        return ahead.NativeBackend(folder())
    except Exception as reason:  # whatever it is: Numba is left, and somebody may read this
        print(f"search: not loaded: {reason}", file=sys.stderr)
        return None


class _OfBuild(NumpyRecords):
    """What the build has compiled, over NumPy's records; Numba compiles what is not there."""

    def __init__(self, stored: ahead.NativeBackend) -> None:
        super().__init__()
        self._stored, self._is_known = stored, True

    def blank(self, layout: Layout, count: int) -> Any:
        """See `Backend`, as for all here."""
        self._is_known &= ahead.shape_of(layout) in self._stored.shapes
        return super().blank(layout, count)

    def over(self, layout: Layout, function: Function, parts: Mapping[str, Function]) -> Any:
        found = self._stored.all_of(layout, function, parts) if self._is_known else {}
        return _Chosen(found, lambda: CompiledBackend().over(layout, function, parts))

    def in_numpy(self) -> Backend:
        return self


class _Chosen:
    """A function that the build has compiled, for the types that it meets; else as Numba compiles it."""

    def __init__(self, found: Mapping[str, Any], otherwise: Callable[[], Any]) -> None:
        self._found, self._otherwise = found, otherwise
        self._call: Any = None

    def __call__(self, *arguments: Any) -> Any:
        """Run it; the first call chooses."""
        if self._call is None:
            self._call = self._found.get(ahead.types_of(arguments))
        if self._call is None:
            _complain(UNSEEN)
            self._call = self._otherwise()
        return self._call(*arguments)


@cache
def _complain(what: str) -> None:
    print(what, file=sys.stderr, flush=True)
