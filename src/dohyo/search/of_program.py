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
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dohyo.core import build_notes
from dohyo.core.errors import OperatorError
from dohyo.core.flat import Layout
from dohyo.search import ahead
from dohyo.search.ahead import IN_A_MATCH
from dohyo.search.backend import CHOSEN, Backend, CompiledBackend, Function, NumpyRecords, PlainBackend
from dohyo.search.backend import backend_of as any_backend

WARM = "--warm"  # what a build calls the program with
FOLDER = "cache"  # beside the program
DONE = "done"  # a file in it, where Numba has kept what it compiled
PLAIN = "search: in plain Python, because no build has compiled it; `python BOT.py --warm` builds it, or says why not"
AHEAD = "search: compiled ahead of time"
UNSEEN = "search: compiled in the middle of a turn: the build has not seen it. Make it in `begin`, or before"


_ASIDE: list[bool] = []
_NOTED: list[ahead.RecordingBackend] = []


def folder() -> Path:
    """Where a program's compiled searches are: beside its file."""
    return Path(os.path.abspath(sys.argv[0])).parent / FOLDER


def backend_of(compiled: bool) -> Backend:
    """The backend of a search that a program makes. Raises what the function of that name in `backend.py` raises."""
    found = backend() if compiled and not CHOSEN else None
    return found or any_backend(compiled)


def backend() -> Backend | None:
    """For a search of a bot's program: one that notes what is compiled, or has it. None in any other program."""
    if _ASIDE:
        return None
    if WARM in sys.argv[1:]:
        return _in_the_build()
    if IN_A_MATCH not in os.environ or not os.path.isfile(sys.argv[0]):
        return None
    if (found := _stored()) is not None:
        return _OfBuild(found)
    if (folder() / DONE).is_file():  # Numba has kept there what it compiled
        os.environ["DOHYO_CACHE"] = str(folder())
        return None
    if not folder().is_dir() and find_spec("numba") is not None:  # it had no build
        _say(UNSEEN)
        return None
    if not ahead.is_there(folder()):  # otherwise it is said why that was not loaded
        _say(PLAIN)
    return PlainBackend()


@contextmanager
def aside() -> Iterator[None]:
    """Searches that are made inside are compiled by Numba, in the build as in a match: a `Thinker` asks for that."""
    _ASIDE.append(True)
    try:
        yield
    finally:
        _ASIDE.pop()


def noted() -> ahead.RecordingBackend | None:
    """What the build has noted so far; it is the caller's now, and no longer stored at the program's end."""
    found = _NOTED[0] if _NOTED else None
    _NOTED.clear()
    return found


def _in_the_build() -> Backend:
    """One that notes; a plain one without the extra `fast`, and a match is then plain, too."""
    try:
        return _noting()
    except OperatorError as reason:
        folder().mkdir(exist_ok=True)
        print(f"search: {reason}", build_notes.line(build_notes.NO_NUMBA), sep="\n", file=sys.stderr)
        return PlainBackend()


@cache
def _noting() -> ahead.RecordingBackend:
    """For the whole program. Raises `OperatorError` without the extra `fast`."""
    noting = ahead.RecordingBackend()
    _NOTED.append(noting)
    atexit.register(_store, os.getpid())
    return noting


def _store(process: int) -> None:
    """Write what was noted, if no other part of the build has stored it."""
    noting = noted()
    if os.getpid() != process or noting is None or ahead.is_there(folder()):
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
    except Exception as reason:  # whatever it is: plain Python is left, and somebody may read this
        print(f"search: not loaded: {reason}", file=sys.stderr)
        return None


class _OfBuild(NumpyRecords):
    """What the build has compiled, over NumPy's records; Numba compiles what is not there."""

    def __init__(self, stored: ahead.NativeBackend) -> None:
        super().__init__()
        self._stored, self._is_known = stored, True

    def blank(self, layout: Layout, count: int) -> Any:
        """An array of `count` records, all fields 0."""
        self._is_known &= ahead.shape_of(layout) in self._stored.shapes
        return super().blank(layout, count)

    def over(self, layout: Layout, function: Function, parts: Mapping[str, Function]) -> Any:
        found = self._stored.all_of(layout, function, parts) if self._is_known else {}
        return _Chosen(found, lambda: CompiledBackend().over(layout, function, parts))


class _Chosen:
    """A function that the build has compiled, for the types that it meets; else as Numba compiles it."""

    def __init__(self, found: Mapping[str, Any], otherwise: Callable[[], Any]) -> None:
        self._found, self._otherwise = found, otherwise
        self._call: Any = None

    def __call__(self, *arguments: Any) -> Any:
        """Run it; the first call chooses."""
        if self._call is None:
            self._call = self._found.get(ahead.types_of(arguments))
            if self._call is not None:
                _say(AHEAD)
        if self._call is None:
            _say(UNSEEN)
            self._call = self._otherwise()
        return self._call(*arguments)


@cache
def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)
