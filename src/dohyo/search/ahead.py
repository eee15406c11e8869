"""Loads a search's compiled functions from a file that the bot's build has made: at once, without Numba and NumPy.

Theory of operation
-------------------
Importing Numba takes half a second of processor time, more than a program has before its first turn. So the build
compiles the search as usual, while a `RecordingBackend` notes which functions it asked for, and for which types
(`recording`). The compiled functions are stored as machine code (`dohyo.sim.ahead`), with a list that says how each
function is called. When the bot plays, a `NativeBackend` returns the same functions in the same order (`loading`),
over the same records, which are ctypes structures here: their memory layout is that of NumPy's records.

The code is for the processor that built it: on another one, nothing is loaded from the folder.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import stat
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from dohyo.core.flat import Layout
from dohyo.core.game import State
from dohyo.search.backend import CHOSEN, Backend, CompiledBackend, Function, NumpyRecords, plain_states
from dohyo.sim import ahead
from dohyo.sim.ahead import Compiled
from dohyo.sim.compiled import fingerprint
from dohyo.sim.records import put_record
from dohyo.system import native, shipped
from dohyo.system.native import Call, native_function, symbols_of

LIST, OBJECT, LIBRARY = "ahead.json", "ahead.o", "ahead.so"  # in the folder; the list is written last
ANEW = "build the bot again"
IN_A_MATCH = "DOHYO_GAME"  # the variable that is set where Dohyo runs a bot
NOBODY = 65534  # Linux: the owner of files whose own is none of the sandbox's users


class Shape(NamedTuple):
    """How records of a layout are arranged in memory: machine code knows fields only by their positions."""

    name: str
    size: int
    fields: tuple[tuple[str, str, int], ...]


class Listed(msgspec.Struct, frozen=True):
    """What the folder holds: functions in the order in which a search asks for them, for one processor."""

    processor: str
    calls: tuple[Call, ...]
    does: tuple[str, ...]  # a fingerprint for each
    over: tuple[Shape, ...]  # the states of each
    records: tuple[Shape, ...]  # all records that a search made: states, stacks, trees, sources
    types: tuple[str, ...]  # of the arguments of each, see `types_of`


# --- the build -----------------------------------------------------------------------------------------------------


class _Asked(msgspec.Struct):
    """A function that a search has asked for; compiled, and with the types of its arguments, once it was called."""

    does: str
    over: Shape
    types: str = ""
    compiled: Compiled | None = None


class RecordingBackend(CompiledBackend):
    """The compiled form by Numba, noting what is compiled for which types."""

    def __init__(self) -> None:
        """Raises `OperatorError` if the extra `fast` is not installed."""
        super().__init__()
        self.asked: list[_Asked] = []
        self._records_made: dict[Shape, None] = {}

    def blank(self, layout: Layout, count: int) -> Any:
        """A row of `count` states, all fields 0; here as in the other methods, records that are used are noted."""
        self._records_made[shape_of(layout)] = None
        return super().blank(layout, count)

    def worlds(self, layout: Layout, states: Iterable[State]) -> Any:
        self._records_made[shape_of(layout)] = None
        return super().worlds(layout, states)

    def over(self, layout: Layout, function: Function, parts: Mapping[str, Function]) -> Any:
        import numba

        from dohyo.sim.whole_program import compile_whole

        kind_of: Any = numba.typeof
        made = compile_whole(function, {**parts, "put": put_record})
        asked = _Asked(fingerprint(function, {**parts, "put": put_record}), shape_of(layout))
        self.asked.append(asked)

        def noted(*arguments: Any) -> Any:
            if asked.compiled is None:
                asked.types = types_of(arguments)
                asked.compiled = Compiled(made, tuple(map(kind_of, arguments)))
            return made(*arguments)

        return noted

    def forget_unused(self) -> None:
        """Leave out what was asked for and never called: it was not compiled."""
        self.asked = [one for one in self.asked if one.compiled is not None]

    def save(self, folder: Path) -> bool:
        """Write what was compiled into the folder; false if there was nothing.

        Raises `TypeError` and `ValueError` for what cannot be compiled ahead of time.
        """
        compiled = [one.compiled for one in self.asked if one.compiled is not None]
        if not compiled or len(compiled) < len(self.asked):
            return False
        content, calls = ahead.object_file(compiled)
        (folder / OBJECT).write_bytes(content)
        if not ahead.link(folder / OBJECT, folder / LIBRARY):
            (folder / LIBRARY).unlink(missing_ok=True)
        does, over, types = zip(*((one.does, one.over, one.types) for one in self.asked), strict=True)
        records = tuple({**dict.fromkeys(over), **self._records_made})
        listed = Listed(shipped.abilities(), tuple(calls), does, over, records, types)
        (folder / LIST).write_bytes(msgspec.json.encode(listed))
        return True


@contextmanager
def recording(backend: RecordingBackend | None = None) -> Iterator[RecordingBackend]:
    """Searches that are made inside are compiled by Numba, and noted: beside what a `backend` has noted before."""
    backend = backend or RecordingBackend()
    with _chosen(backend):
        yield backend


# --- a match -------------------------------------------------------------------------------------------------------


class NativeBackend(Backend):
    """Structures of ctypes, and functions from a folder's file."""

    def __init__(self, folder: Path) -> None:
        """Raises `ValueError` or `OSError` where nothing there is for this processor, or it is somebody else's."""
        _check_owner(folder)
        listed = msgspec.json.decode((folder / LIST).read_bytes(), type=Listed)
        if listed.processor != shipped.abilities():
            raise ValueError("it was compiled for another processor")
        symbols = _symbols(folder)
        made = [native_function(symbols, call) for call in listed.calls]
        self._functions = iter(list(zip(made, listed.does, listed.over, strict=True)))
        self.shapes = frozenset(listed.records)
        self._by_what: dict[tuple[str, Shape], dict[str, Any]] = defaultdict(dict)
        for function, does, over, types in zip(made, listed.does, listed.over, listed.types, strict=True):
            self._by_what[does, over][types] = function

    def blank(self, layout: Layout, count: int) -> Any:
        """A row of `count` states, all fields 0. Raises `ValueError` for records that the build has not seen so."""
        self.check(shape_of(layout) in self.shapes, layout)
        return (structure(layout) * count)()

    def check(self, fits: bool, layout: Layout) -> None:
        """Raise `ValueError` where what was compiled does not fit the records of today."""
        if not fits:
            raise ValueError(f"the build has compiled for other records than {layout.name} has now; {ANEW}")

    def worlds(self, layout: Layout, states: Iterable[State]) -> Any:
        kind = structure(layout)
        if isinstance(states, ctypes.Array):
            if states._type_ is not kind or len(states) == 0:
                raise ValueError(f"worlds must be a row of at least one record of {layout.name}")
            return states
        found = plain_states(layout, states)
        row = self.blank(layout, len(found))
        for record, state in zip(row, found, strict=True):
            ctypes.memmove(ctypes.addressof(record), layout.pack(state), layout.size)
        return row

    def over(self, layout: Layout, function: Function, parts: Mapping[str, Function]) -> Any:
        found, does, over = next(self._functions, (None, "", None))
        if does != fingerprint(function, {**parts, "put": put_record}):
            raise ValueError(f"the build has compiled another source than this one; {ANEW}")
        self.check(over == shape_of(layout), layout)
        return found

    def all_of(self, layout: Layout, function: Function, parts: Mapping[str, Function]) -> dict[str, Any]:
        """The function whatever its place in the order, by the types of its arguments (`types_of`)."""
        return self._by_what.get((fingerprint(function, {**parts, "put": put_record}), shape_of(layout)), {})

    def in_numpy(self) -> Backend:
        return _InNumpy(self)


class _InNumpy(NumpyRecords):
    """The same functions over NumPy's records."""

    def __init__(self, native_backend: NativeBackend) -> None:
        super().__init__()
        self._native = native_backend

    def blank(self, layout: Layout, count: int) -> Any:
        """A row of `count` states, all fields 0. Raises `ValueError` for records that the build has not seen so."""
        self._native.check(shape_of(layout) in self._native.shapes, layout)
        return super().blank(layout, count)

    def over(self, layout: Layout, function: Function, parts: Mapping[str, Function]) -> Any:
        return self._native.over(layout, function, parts)


@contextmanager
def loading(folder: Path) -> Iterator[None]:
    """Searches that are made inside get the folder's functions. Raises as `NativeBackend` does."""
    with _chosen(NativeBackend(folder)):
        yield


def is_there(folder: Path) -> bool:
    """Whether a build has stored functions in the folder, beside a program that is a file: not in a folder where
    somebody types Python."""
    return (folder / LIST).is_file() and os.path.isfile(sys.argv[0])


def _check_owner(folder: Path) -> None:
    """Raise `ValueError` where somebody else may have put machine code: it would be run with our rights.

    In a sandbox, files of who set that up may seem to be nobody's.
    """
    if not hasattr(os, "geteuid"):
        return
    trusted = {os.geteuid(), 0} | ({NOBODY} if IN_A_MATCH in os.environ else set())
    for path in (folder, *(file for name in (LIST, LIBRARY, OBJECT) if os.path.lexists(file := folder / name))):
        found = path.lstat()
        if stat.S_ISLNK(found.st_mode) or found.st_uid not in trusted or found.st_mode & stat.S_IWOTH:
            raise ValueError(f"{path.name} is not yours alone; {ANEW}")


@contextmanager
def _chosen(backend: Any) -> Iterator[None]:
    before, CHOSEN[:] = CHOSEN[:], [backend]
    try:
        yield
    finally:
        CHOSEN[:] = before


def types_of(arguments: Iterable[Any]) -> str:
    """The types of NumPy's arrays, records and numbers, as 16 hex digits."""
    told = [(str(getattr(each, "dtype", type(each))), getattr(each, "ndim", 0)) for each in arguments]
    return hashlib.sha256(repr(told).encode()).hexdigest()[:16]


@cache
def shape_of(layout: Layout) -> Shape:
    """How its records are arranged in memory."""
    return Shape(layout.name, layout.size, tuple(layout.fields))


@cache
def structure(layout: Layout) -> type[ctypes.Structure]:
    """A layout's fields as a structure; its memory layout is that of `layout.dtype()`, including padding."""
    return native.structure(layout.name, layout.fields)


def _symbols(folder: Path) -> Callable[[str, Any], Any]:
    """Finds a function of the folder's file: in the library, or in the object file if no library was linked."""
    try:
        return symbols_of(folder / LIBRARY)
    except OSError:
        return _by_llvm(folder / OBJECT)


def _by_llvm(file: Path) -> Callable[[str, Any], Any]:
    """The same of an object file, which LLVM loads; that takes a tenth of a second."""
    from llvmlite import binding as llvm  # type: ignore[import-untyped]

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(reloc="pic", codemodel="default")
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(str(file))
    engine.finalize_object()

    def find(symbol: str, prototype: Any) -> Any:
        found = prototype(engine.get_function_address(symbol))
        found.engine = engine  # lives as long as its functions
        return found

    return find
