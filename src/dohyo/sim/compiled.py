"""Compiles a module of flat functions with Numba, without changing them.

Theory of operation
-------------------
Numba cannot call a plain Python function, and `step` calls twenty. So each flat function is built a second time from
its own code, with a namespace of its own in which every function that it calls is already compiled. This goes
bottom-up, through all modules that the calls reach. Everything else that it reads must be a constant; Numba freezes
those.

What was compiled is kept on disk. Numba's own cache checks only the source of the called function, not of the
functions that it calls, and would run old rules after a change there. So each function has a cache folder of its own,
named by a digest of its code, of the code of everything that it calls, of every constant that they read, and of
Numba's version. Functions without open names are compiled once in a process, however many loops call them.

This module and its neighbours are the only ones that import NumPy or Numba, and only when they are used.
"""

from __future__ import annotations

import dis
import enum
import hashlib
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType
from typing import Any, NamedTuple

from dohyo.core.errors import OperatorError
from dohyo.core.flat import seldom
from dohyo.endless import compiled_code_comes
from dohyo.sim import by_hand
from dohyo.system import cache_mark, interpreter

Function = Callable[..., Any]

LONG_TUPLE = 16
MOST_KNOWN = 4096  # parts, of some 40 kB each
SETTINGS = ".numba_config.yaml"  # as Numba calls its file in the current folder
OPTIONS = {"nogil": True}  # other threads may play other games meanwhile
INLINED = 400  # bytes of bytecode of the largest function that is put in the place of its calls
_KNOWN: dict[tuple[Function, str, Path], Any] = {}  # what was compiled, by function, target, and folder
_KNOWN_OVER: dict[Any, tuple[Any, Any]] = {}  # the same of those over other parts each time
_CACHE_DIR = threading.RLock()  # Numba knows one cache folder at a time, for the whole process


def compile_all(
    functions: Sequence[Function], parts: Mapping[str, Function | int], foreign: Mapping[str, str] | None = None
) -> list[Any]:
    """Flat functions, compiled over names that their modules leave open.

    `parts` supplies flat functions and constants for some of these names, `foreign` functions of the C library, each
    with its result and arguments in Numba's notation.

    Raises `OperatorError` when Numba is not installed, and `TypeError` when a flat function calls one that is not.
    """
    numba = import_numba()
    foreign = foreign or {}
    given = {name: foreign_function(numba, name, types) for name, types in foreign.items()}
    return build_all(_cpu(), functions, parts, given, repr(sorted(foreign.items())))


class Target(NamedTuple):
    """What functions are compiled for. Those of one target call each other, and no others."""

    name: str
    version: str  # of the compiler
    config: Any  # Numba's, which knows the cache folder; none where nothing is kept
    # The function, to be compiled at its first call; the last argument is by which digest it is kept.
    make: Callable[[FunctionType, DiskCache, str], Any]
    is_part: bool = False  # whether it makes parts of something: one over what differs from time to time is not kept


def _cpu() -> Target:
    numba = import_numba()
    version = f"{numba.__version__} {numba.config.OPT}"  # and how hard LLVM is to try, which $NUMBA_OPT may say
    return Target("cpu", version, numba.config, lambda function, kept, _: _compilable(numba, function, kept))


def build_all(
    target: Target,
    functions: Sequence[Function],
    parts: Mapping[str, Function | int],
    given: Mapping[str, Any],
    told: str,
) -> list[Any]:
    """Several flat functions, compiled for a target over names that their modules leave open.

    `parts` supplies flat functions and constants for some of these names, `given` what the target knows already;
    `told` distinguishes this from what is given at other times.
    """
    parts = {name: _twin(part) for name, part in parts.items()}
    left_open = {*parts, *given}
    flat_parts = {name: part for name, part in parts.items() if not isinstance(part, int)}
    own = callees_first(list(functions), left_open)
    opened = [function for function in own if _is_open(function, left_open)]
    outer = [part for part in flat_parts.values() if part not in opened]
    config = None if target.is_part else target.config
    with _cache_folder(config, digest_over(functions, parts, given, target.version + told)) as kept:
        compiled = {function: _whole(target, function) for function in (*outer, *own) if function not in opened}
        supplied: dict[str, Any] = {name: part for name, part in parts.items() if isinstance(part, int)}
        supplied.update(given)
        for callee in opened:  # one of them may be what another leaves open; it stands before that
            supplied.update({name: compiled[part] for name, part in flat_parts.items() if part in compiled})
            compiled[callee] = _over(target, callee, compiled, supplied, kept)
    return [compiled[function] for function in functions]


def options(function: Function) -> dict[str, Any]:
    """How Numba is to compile a function.

    By default, LLVM keeps the calls of most rule functions, and a call costs more than the work in it. Inlining all
    of them makes compiling a large game take twice as long, and brings only a few percent more. What is called seldom
    would only take registers there.
    """
    return {**OPTIONS, "forceinline": len(function.__code__.co_code) <= INLINED and not is_seldom(function)}


def is_seldom(function: Function) -> bool:
    """Whether a function, or what was built again from it, carries the mark `seldom` of `dohyo.core.flat`."""
    return getattr(function, "__seldom__", False)


def _is_open(function: Function, left_open: Container[str]) -> bool:
    """Whether a function, or one that it calls, reads a name that is left open."""
    return any(
        name in left_open for callee in callees_first([function], left_open) for name, _ in globals_read(callee)
    )


def _whole(target: Target, function: Function) -> Any:
    """A function that leaves nothing open, compiled; once in a process, whoever asks."""
    where = target.name, location()
    for callee in callees_first([function]):
        if (callee, *where) not in _KNOWN:
            chain = callees_first([callee])
            with _cache_folder(target.config, name := digest(chain, target.version)) as kept:
                known = {called: _KNOWN[called, *where] for called in chain if called is not callee}
                _KNOWN[callee, *where] = target.make(_rebuilt(callee, known), kept, name)
    return _KNOWN[function, *where]


def _over(
    target: Target, function: Function, compiled: dict[Function, Any], supplied: Mapping[str, Any], kept: DiskCache
) -> Any:
    """A function over what its open names, and all that it calls, were compiled as; where nothing is kept on disk,
    once in a process: the loops of a game begin its matches by the same one."""
    made = _rebuilt(function, compiled, supplied)
    if not target.is_part:
        return target.make(made, kept, "")
    read = {name: made.__globals__.get(name) for name in _names_read(function.__code__)}
    key = function, target.name, tuple(sorted((name, id(value)) for name, value in read.items()))
    if key not in _KNOWN_OVER:
        if len(_KNOWN_OVER) >= MOST_KNOWN:  # who trains makes policies without end; the disk has what is needed again
            _KNOWN_OVER.clear()
        _KNOWN_OVER[key] = target.make(made, DiskCache.NOT, ""), read  # with what has these identities
    return _KNOWN_OVER[key][0]


def foreign_function(numba: Any, name: str, types: str) -> Any:
    """A function of the C library that compiled ones can call."""
    from numba.core import sigutils

    arguments, result = sigutils.normalize_signature(types)  # type: ignore[no-untyped-call]
    return numba.types.ExternalFunction(name, result(*arguments))


def import_numba() -> Any:
    """The module `numba`. Raises `OperatorError` where it is not installed."""
    compiled_code_comes()
    with without_settings():
        try:
            import numba
        except ImportError as error:
            raise OperatorError("needs-fast") from error
    return numba


@contextmanager
def without_settings() -> Iterator[None]:
    """For importing a part of Numba, so that it reads no settings from the current folder, then and later.

    Numba reads them at its import and before each compilation; they can turn compiling off or write files, and the
    folder may be one of hand-ins. Settings can still be made by Numba's environment variables.
    """
    here = os.open(".", getattr(os, "O_PATH", os.O_RDONLY)) if os.path.lexists(SETTINGS) else -1
    try:
        if here >= 0:
            os.chdir(interpreter.FOLDER)
        yield
    finally:
        if here >= 0:
            os.fchdir(here)
            os.close(here)
        for name in ("numba.core.config", "numba.cuda.core.config"):
            if (config := sys.modules.get(name)) is not None:
                vars(config)["_config_fname"] = os.devnull


def is_flat(value: object) -> bool:
    """Whether this is a function that carries the mark of `dohyo.core.flat`."""
    return isinstance(value, FunctionType) and getattr(value, "__flat__", False)


def callees_first(functions: list[Function], left_open: Container[str] = ()) -> list[Function]:
    """These functions and all flat ones that they call, each after everything that it calls.

    Names that are `left_open` may be anything: they will be supplied.

    Raises `TypeError` for a function that calls a plain one, reads what is no constant, or calls itself.
    """
    order: list[Function] = []
    open_calls: list[Function] = []

    def visit(function: Function) -> None:
        if function in order:
            return
        if function in open_calls:
            raise TypeError(f"{_name(function)} calls itself, which a flat function cannot")
        open_calls.append(function)
        for name, value in globals_read(function):
            if is_flat(value):
                visit(value)
            elif name not in left_open and not _is_constant(value):
                raise TypeError(f"{_name(function)} reads '{name}', which is neither flat nor a constant")
        open_calls.pop()
        order.append(function)

    for function in functions:
        visit(function)
    return order


def globals_read(function: Function) -> list[tuple[str, Any]]:
    """The names of its module that a function reads, with their values; an attribute of the same name is none."""
    known = function.__globals__
    return [(name, _twin(known[name])) for name in _names_read(function.__code__) if name in known]


@cache
def _names_read(code: CodeType) -> list[str]:
    return sorted({step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"})


def _twin(value: Any) -> Any:
    """What is compiled in the place of a function: itself, unless it has a flat twin."""
    return getattr(value, "__twin__", value)


def digest(functions: list[Function], version: str) -> str:
    """What these functions do, and the Numba that compiles them, as 16 hex digits."""
    seen = hashlib.sha256(repr((version, sys.version_info[:3], OPTIONS, INLINED, by_hand.VERSION)).encode())
    places = {function: place for place, function in enumerate(functions)}  # of two of one name only one is called
    for function in functions:
        code = function.__code__
        constants = [(name, _told(value)) for name, value in globals_read(function) if not is_flat(value)]
        called = [(name, _name(value), places.get(value)) for name, value in globals_read(function) if is_flat(value)]
        what = (code.co_code, code.co_consts, code.co_names, code.co_varnames, function.__defaults__)
        told = (_name(function), what, constants, called, records_of(function), is_seldom(function))
        seen.update(repr(told).encode())
    return seen.hexdigest()[:16]


def _told(value: object) -> object:
    """A constant by what tells it from others: `pow` is another function than `math.pow`."""
    return (value.__module__, value.__qualname__) if isinstance(value, BuiltinFunctionType) else value


def digest_over(
    functions: Sequence[Function], parts: Mapping[str, Function | int], given: Iterable[str], version: str
) -> str:
    """What several flat functions do over these parts, and names that are `given`, as 16 hex digits."""
    parts = {name: _twin(part) for name, part in parts.items()}
    left_open = {*parts, *given}
    flat_parts = {name: part for name, part in parts.items() if not isinstance(part, int)}
    own = callees_first(list(functions), left_open)
    outer = [part for part in flat_parts.values() if not (part in own and _is_open(part, left_open))]
    # Two parts may have one name, and differ: what they do says which one is used where.
    does = {name: digest(callees_first([part], left_open), "") for name, part in flat_parts.items()}
    named = repr(sorted((name, does.get(name, part), _name_of(part)) for name, part in parts.items()))
    return digest([*callees_first(outer), *own], version + named)


def fingerprint(function: Function, parts: Mapping[str, Function]) -> str:
    """What a flat function does over these parts, as 16 hex digits; found without Numba."""
    parts = {name: _twin(part) for name, part in parts.items()}
    own = callees_first([function], parts)
    does = sorted((name, digest(callees_first([part], parts), "")) for name, part in parts.items())
    return digest(own, repr(does))


def _rebuilt(
    function: Function, compiled: dict[Function, Any], supplied: Mapping[str, Any] | None = None
) -> FunctionType:
    """The same function over a namespace in which all that it calls is compiled, or supplied."""
    namespace: dict[str, Any] = {"__name__": function.__module__}
    for name, value in globals_read(function):
        namespace[name] = compiled[value] if is_flat(value) else _frozen(value)
    namespace.update(supplied or {})
    twin = FunctionType(function.__code__, namespace, function.__name__, function.__defaults__)
    twin.__qualname__ = function.__qualname__
    twin.__doc__ = function.__doc__
    return seldom(twin) if is_seldom(function) else twin


def _frozen(value: Any) -> Any:
    """A constant as compiled code reads it fastest: bytes and long rows of numbers as arrays.

    Numba looks into a tuple by a case for each of its places.
    """
    import numpy

    if isinstance(value, bytes):
        return numpy.frombuffer(value, numpy.uint8)
    for kind, number in ((int, numpy.int64), (float, numpy.float64)):
        if isinstance(value, tuple) and len(value) > LONG_TUPLE and all(type(part) is kind for part in value):
            return numpy.array(value, number)
    return value


def _is_constant(value: object) -> bool:
    if isinstance(value, tuple):
        return all(_is_constant(part) for part in value)
    return isinstance(value, int | float | bytes | BuiltinFunctionType) or is_record(value)


def is_record(value: object) -> bool:
    """Whether this is a class of named tuples: compiled functions take them, read their fields, and make them."""
    return isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields")


@cache
def records_of(function: Function) -> list[tuple[str, tuple[str, ...]]]:
    """The records that a function takes, as its annotations name them, or makes, with the order of their fields."""
    known = function.__globals__
    names = {*function.__annotations__.values(), *_names_read(function.__code__)} & known.keys()
    return sorted((name, known[name]._fields) for name in names if is_record(known[name]))


def _name_of(part: Function | int) -> str:
    return "" if isinstance(part, int) else _name(part)


def _name(function: Function) -> str:
    return f"{function.__module__}.{function.__qualname__}"


class DiskCache(enum.Enum):
    """Whether what is compiled can be kept."""

    NOT = "nothing can be written, and nothing was"
    READ = "what was kept is read, nothing is added"
    WRITTEN = "what is not there yet is kept"


def can_be_kept(function: FunctionType, kept: DiskCache) -> bool:
    """Whether Numba can keep this function, or read it: one that was typed in has no file to look at."""
    return kept is not DiskCache.NOT and os.path.isfile(function.__code__.co_filename)


def _compilable(numba: Any, function: FunctionType, kept: DiskCache, **more: Any) -> Any:
    """The function, to be compiled at its first call, or read from where it was kept."""
    if not can_be_kept(function, kept):
        kept = DiskCache.NOT
    if (found := by_hand.instead_of(function)) is not None:
        return found
    made = numba.njit(function, cache=kept is not DiskCache.NOT, **options(function), **more)
    if kept is not DiskCache.NOT and hasattr(made, "_cache"):  # not where Numba is told to compile nothing
        made._cache = forgiving(made._cache, kept)
    return made


def forgiving(found: Any, kept: DiskCache) -> Any:
    """Numba's cache of a function, which fails for nothing that is on disk, or cannot be there."""
    found.load_overload = _if_it_can_be_read(found.load_overload)
    found.save_overload = _if_it_can_be_kept(kept, found)
    return found


def _if_it_can_be_read(load: Callable[..., Any]) -> Callable[..., Any]:
    """What was kept; none, so that it is compiled anew, if it cannot be used here.

    Two processes that write at once may give their files one number: then one of them is for other types. And it may
    name a module of the process that kept it, which this one does not have: of a function that was made by `exec`,
    say.
    """

    def load_or_none(signature: Any, context: Any) -> Any:
        from numba.core import sigutils

        arguments, _ = sigutils.normalize_signature(signature)  # type: ignore[no-untyped-call]
        try:
            found = load(signature, context)
        except Exception:
            return None
        return found if found is not None and tuple(found.signature.args) == tuple(arguments) else None

    return load_or_none


def _if_it_can_be_kept(kept: DiskCache, found: Any) -> Callable[..., Any]:
    """Keep what was compiled where that can be; where it cannot, as on a full disk, this process does not need it.

    `found` is Numba's cache of it. What cannot be read there is replaced.
    """
    save = found.save_overload

    def save_or_not(signature: Any, made: Any) -> None:
        if kept is not DiskCache.WRITTEN:
            return
        with suppress(Exception):  # Numba pickles it, which can fail in any way
            try:
                save(signature, made)
            except Exception:
                found.flush()
                save(signature, made)

    return save_or_not


def kept_whole(function: FunctionType, name: str, pipeline: Any) -> Any:
    """A function over compiled ones, to be compiled by `pipeline` at its first call, kept in the folder `name`."""
    numba = import_numba()
    with _cache_folder(numba.config, name) as kept:
        return _compilable(numba, function, kept, pipeline_class=pipeline)


@contextmanager
def _cache_folder(config: Any, name: str) -> Iterator[DiskCache]:
    """Let Numba, whose `config` this is, keep what is declared inside in the folder `name`, or read what is there.

    If nothing can be written, Numba would use another folder, which our digest does not protect. In that case every
    process compiles again, unless the folder was filled before, as by a bot's build whose folder is read-only in a
    match.
    """
    if config is None:
        yield DiskCache.NOT
        return
    folder = location() / "compiled" / name
    try:
        cache_mark.mark(location())
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        kept = DiskCache.WRITTEN
    except OSError:
        kept = DiskCache.READ if folder.is_dir() else DiskCache.NOT
    if kept is DiskCache.NOT:
        yield kept
        return
    with _CACHE_DIR, _unwritten(kept):
        before = config.CACHE_DIR
        config.CACHE_DIR = str(folder)
        try:
            yield kept
        finally:
            config.CACHE_DIR = before


@contextmanager
def _unwritten(kept: DiskCache) -> Iterator[None]:
    """Keep Numba from refusing a folder because it cannot write there, where it is only to read."""
    if kept is not DiskCache.READ:
        yield
        return
    from numba.core import caching

    locator: Any = getattr(caching, "UserProvidedCacheLocator", None) or vars(caching)["_UserProvidedCacheLocator"]
    before = locator.ensure_cache_path
    locator.ensure_cache_path = lambda self: None
    try:
        yield
    finally:
        locator.ensure_cache_path = before


def location() -> Path:
    """The folder for what can be made again: $DOHYO_CACHE, or where the system keeps such things."""
    if named := os.environ.get("DOHYO_CACHE", ""):
        return Path(named).expanduser().absolute()
    return Path(cache_mark.usual() or Path("~", ".cache", "dohyo").absolute())
