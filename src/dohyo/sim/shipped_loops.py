"""The loops of a batch as machine code that ships, for games that come with Dohyo: nothing is compiled.

Theory of operation
-------------------
`dohyo.native_code` plays each game in a batch, notes which loops are compiled for which types (`recording`), and
makes one shared library of them, for any processor of this machine's kind; a second one has the loop of `dohyo.data`.
A library also holds an index: of each loop its key, which says what function over what parts it is, and how it is
called.

A loop (`whole_program.CompiledLoop`) asks here before it compiles. It gets machine code only if all its parts are
functions of one game that comes with Dohyo and of Dohyo itself, just as they were made (`is_as_made`), if the library
was made of these very sources (`dohyo.system.shipped`), and if the constants are still what they were (`state_of`):
whoever changes one in a running process gets it compiled. For arguments of types that the library does not know,
Numba compiles, too; else it is not even imported.

A function is known by its module and name. Some have names that another one has, too: what `dohyo.one_file` writes
for a game's file that omits it, and what `dohyo.core.rewards` makes of one function for each game. Such a function
reads names from a space of its own, and is known also by what stands there, the text it was made of among it.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from dohyo import core
from dohyo.core.flat import TEXT, Layout
from dohyo.endless import compiled_code_comes
from dohyo.system import shipped
from dohyo.system.native import INT, NONE, RETURNED, array_words, dimensions, symbols_of

Function = Callable[..., Any]
GAMES, CLASSICS = "dohyo.games", "dohyo.classics"  # packages of games; the first imports more than this one may
INDEX = "dohyo_index"  # the symbol of the index in the library, JSON that ends with a zero
OWN = ("dohyo.core.", "dohyo.sim.", "dohyo.data.", "dohyo.one_file.")  # whose functions any game's loops may have
BATCH, DATA = "batch", "data"  # which loops a library has, as its file's name says, after the game's
# Dohyo's folders and files beside the game's own: what the code is made of, what makes it, and what calls it.
SHARED = ("core", "sim", "system/native.py", "native_code.py")
SOURCES = {BATCH: SHARED, DATA: (*SHARED, "data")}
ADDRESS = 4  # which of an array's words that is
DEBUGGING = ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK")  # environment variables by which Numba is to check more


class Listed(NamedTuple):
    """A loop in the index: its symbol, the kinds of its arguments, and of its result (`dohyo.system.native`).

    A record (a named tuple) has a list of kinds, those of its fields. `states` are the modules whose functions it is
    made of, and what `state_of` said of each.
    """

    symbol: str
    takes: tuple[str | list[str], ...]
    gives: str
    states: dict[str, str]


class Library(NamedTuple):
    """A game's library: its loops by their keys, each for one or several lists of types."""

    find: Callable[[str, Any], Any]
    loops: Mapping[str, Sequence[Listed]]


class OtherTypeError(TypeError):
    """The arguments are not of the types that the machine code was made for."""


class NativeLoop:
    """A loop from a library, with a buffer for its arguments: one thread at a time calls it.

    What was handed on in the last call is not written again: a batch calls its loops with its own arrays. Of those
    that are listed, for other types each, it is the first that fits.
    """

    def __init__(self, library: Library, listed: Sequence[Listed]) -> None:
        self._library = library
        self._use(*listed)

    def _use(self, listed: Listed, *others: Listed) -> None:
        """Be this one, or one of the others where it does not fit."""
        library, self._others = self._library, others
        prototype = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
        self._native = library.find(listed.symbol, prototype)
        self._gives = listed.gives
        # The fields of a record stand one after the other, like arguments. Of each argument: where its kinds begin,
        # and how many there are if it is a record, else 0.
        self._arguments: list[tuple[int, int]] = []
        self._takes: list[str] = []
        for kind in listed.takes:
            self._arguments.append((len(self._takes), 0 if isinstance(kind, str) else len(kind)))
            self._takes += [kind] if isinstance(kind, str) else kind
        sizes = [5 + 2 * dimensions(kind) if dimensions(kind) else 1 for kind in self._takes]
        self._places = [(sum(sizes[:at]), sum(sizes[: at + 1])) for at in range(len(sizes))]
        self._words = (ctypes.c_int64 * sum(sizes))()
        self._result, self._error = ctypes.c_int64(), ctypes.c_void_p()
        self._at = tuple(map(ctypes.addressof, (self._words, self._result, self._error)))
        self._given: list[Any] = [self] * len(self._arguments)  # nothing that could be handed on
        self._last: list[Any] = [self] * len(sizes)
        self._known: list[tuple[Any, Any]] = [(None, None)] * len(sizes)  # of arrays: type of the items, shape

    def __call__(self, *arguments: Any) -> Any:
        """Run it. Raises `OtherTypeError`, and has done nothing then."""
        given = self._given
        if len(arguments) != len(given):
            raise OtherTypeError(f"{len(arguments)} arguments")
        try:
            for at, argument in enumerate(arguments):
                if argument is not given[at]:
                    self._hand_on(at, argument)
        except OtherTypeError:
            if not self._others:
                raise
            self._use(*self._others)
            return self(*arguments)
        status = self._native(*self._at)
        if status not in RETURNED or self._error.value:
            raise RuntimeError(f"compiled code ended with status {status}")
        return None if self._gives == NONE else self._result.value

    def _hand_on(self, number: int, argument: Any) -> None:
        """Write an argument to the buffer, of a record those of its fields that are new."""
        start, fields = self._arguments[number]
        if not fields:
            self._put(start, argument)
        elif not isinstance(argument, tuple) or len(argument) != fields:
            raise OtherTypeError(f"{argument!r}")
        else:
            for at, field in enumerate(argument, start):
                if field is not self._last[at]:
                    self._put(at, field)
        self._given[number] = argument

    def _put(self, at: int, argument: Any) -> None:
        kind, (start, end) = self._takes[at], self._places[at]
        if kind in (INT, NONE):
            if type(argument) is not (int if kind == INT else type(None)):
                raise OtherTypeError(f"{argument!r}")
            self._words[start] = argument or 0
        else:
            self._put_array(at, start, end, argument)
        self._last[at] = argument

    def _put_array(self, at: int, start: int, end: int, array: Any) -> None:
        """The same for an array: mostly only its address is new."""
        try:
            if (array.dtype, array.shape) != self._known[at] or not array.flags.c_contiguous:
                self._words[start:end] = list(array_words(self._takes[at], array))
                self._known[at] = array.dtype, array.shape
                return
            self._words[start + ADDRESS] = ctypes.addressof(ctypes.c_char.from_buffer(array))
        except (AttributeError, TypeError, ValueError) as error:  # also one that must not be written, or is empty
            try:
                self._words[start:end] = list(array_words(self._takes[at], array))
            except (AttributeError, TypeError):
                raise OtherTypeError(str(error)) from error


def native_loop(
    functions: Sequence[Function], parts: Mapping[str, Function | int]
) -> Callable[[], NativeLoop] | None:
    """Makes the last of these functions over these parts from machine code that ships; none if none does."""
    if not shipped.is_there() or any(os.environ.get(name, "0") not in ("", "0") for name in DEBUGGING):
        return None
    game = game_of(functions, parts)
    library = None if game is None else _library(game, kind_of(functions))
    listed = [] if library is None else library.loops.get(key_of(functions, parts), [])
    if library is None or not listed or any(state_of(name) != state for name, state in listed[0].states.items()):
        return None
    compiled_code_comes()
    return lambda: NativeLoop(library, listed)


# --- what a loop is -------------------------------------------------------------------------------------------------


def key_of(functions: Sequence[Function], parts: Mapping[str, Function | int]) -> str:
    """What the last of these functions over these parts is called."""
    told = [f"{name}={part if isinstance(part, int) else _name(part)}" for name, part in sorted(parts.items())]
    return f"{', '.join(map(_name, functions))}: {', '.join(told)}"


def kind_of(functions: Sequence[Function]) -> str:
    """Which of a game's libraries may have the last of these functions."""
    return DATA if functions[-1].__module__.startswith("dohyo.data.") else BATCH


def game_of(functions: Sequence[Function], parts: Mapping[str, Function | int]) -> str | None:
    """The package or module of the one game that comes with Dohyo whose functions are among these; none if others
    are."""
    found = set()
    for part in (*functions, *parts.values()):
        if isinstance(part, int):
            continue
        if not is_as_made(part):
            return None
        game = _game_of_module(part.__module__)
        if game is not None:
            found.add(game)
        elif not part.__module__.startswith((*OWN, f"{CLASSICS}.")):
            return None
    return found.pop() if len(found) == 1 else None


def _game_of_module(module: str) -> str | None:
    """The game whose module this is; none if it is no game's, or what several classics may share."""
    for package in (GAMES, CLASSICS):
        before, _, rest = module.partition(f"{package}.")
        name = rest.partition(".")[0]
        game = f"{package}.{name}"
        if not before and name and (package == GAMES or hasattr(sys.modules.get(game), "GAME")):
            return game
    return None


def is_as_made(function: Function) -> bool:
    """Whether a function is the one of its name in its module, or was made of that one, or of a text, by Dohyo."""
    space, name = function.__globals__, function.__qualname__
    module = vars(sys.modules.get(function.__module__, object))
    if space is module:
        return module.get(name) is function
    if space.get(name) is not function:
        return False
    return isinstance(space.get(TEXT), bytes) or getattr(module.get(name), "__code__", None) is function.__code__


def state_of(module: str) -> str:
    """The constants of a module, its records' fields, and which flat functions it has, as 16 hex digits."""
    return _state_of(vars(sys.modules.get(module, object)))


def _state_of(space: Mapping[str, Any]) -> str:
    """The same for the names that some functions read."""
    seen = hashlib.sha256()
    for name, value in sorted(space.items()):
        if _is_constant(value) and not name.startswith("__"):
            seen.update(f"{name}={value!r}\n".encode())
        elif isinstance(value, Layout):  # where each lies follows from the order of their kinds
            seen.update(f"{name}={value.fields!r}\n".encode())
        elif getattr(value, "__flat__", False):
            told = f"{value.__module__}.{value.__qualname__}" if value.__globals__ is space else _name(value)
            seen.update(f"{name}={told}\n".encode())
    return seen.hexdigest()[:16]


def _is_constant(value: Any) -> bool:
    """Whether compiled code may read this as a constant; of other tuples their text may be another each time."""
    if isinstance(value, tuple):
        return all(map(_is_constant, value))
    return isinstance(value, int | float | bytes)


def file_of(game: str, kind: str = BATCH) -> Path:
    """Where this library of the game of this package or module is, or would be."""
    return shipped.file_of(f"{game.rpartition('.')[2]}-{kind}", sources_of(game, kind))


def sources_of(game: str, kind: str) -> list[Path]:
    """The folders and files in which all is that this library of the game can be made of."""
    dohyo = Path(core.__file__).parent.parent
    shared = [dohyo / each for each in SOURCES[kind]]
    if game.startswith(f"{GAMES}."):
        return [Path(sys.modules[game].__path__[0]), *shared]
    # What stands in one classic's file may call what stands in any other; and defaults are written for it.
    folder = Path(sys.modules[CLASSICS].__path__[0])  # not imported here: who has no classics has the rest
    folders = {file.parent for file in folder.glob("*/*.py")}
    return [folder, *sorted(folders), dohyo / "one_file", *shared]


@cache
def _library(game: str, kind: str) -> Library | None:
    """This library of the game; none if there is none for this system, or if it is of other sources."""
    file = file_of(game, kind)
    try:
        library = ctypes.CDLL(str(file))
        index = json.loads(ctypes.string_at(ctypes.addressof(ctypes.c_char.in_dll(library, INDEX))))
    except (OSError, ValueError):
        return None
    loops = {
        key: [Listed(symbol, tuple(takes), gives, states) for symbol, takes, gives, states in listed]
        for key, listed in index.items()
    }
    return Library(symbols_of(file), loops)


def _name(function: Function) -> str:
    """A function's module and name; and what it reads, where it has names of its own."""
    name = f"{function.__module__}.{function.__qualname__}"
    if not is_as_made(function):
        return f"another {name}"
    is_modules = function.__globals__ is vars(sys.modules.get(function.__module__, object))
    return name if is_modules else f"{name} {_state_of(function.__globals__)}"
