"""The loops of a batch of Dohyo's own games as machine code that ships: nothing is compiled, and Numba not imported.

Theory of operation
-------------------
`dohyo.match.loops.native_code` plays each game in a batch, notes which loops are compiled for which types
(`recording`), and makes one shared library of them, for any processor of this machine's kind. The library also holds
an index: of each loop its key, which says what function over what parts it is, and how it is called.

A loop (`whole_program.CompiledLoop`) asks here before it compiles. It gets machine code only if all its parts are
functions of one of Dohyo's own games and of Dohyo itself, just as their modules have them, if the library was made
of these very sources (`dohyo.system.shipped`), and if the modules' constants are still what they were (`state_of`):
whoever changes one in a running process gets it compiled. For arguments of types that the library does not know,
Numba compiles, too.
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
from dohyo.endless import compiled_code_comes
from dohyo.system import shipped
from dohyo.system.native import INT, NONE, RETURNED, array_words, dimensions, symbols_of

Function = Callable[..., Any]
GAMES = "dohyo.games"  # the package of Dohyo's own, which imports more than this one may
INDEX = "dohyo_index"  # the symbol of the index in the library, JSON that ends with a zero
SUFFIX = "-batch"  # of a game's name, in that of the file
OWN = ("dohyo.core.", "dohyo.sim.")  # modules whose functions may be parts of any game's loops
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
    """A game's library: its loops by their keys."""

    find: Callable[[str, Any], Any]
    loops: Mapping[str, Listed]


class OtherTypeError(TypeError):
    """The arguments are not of the types that the machine code was made for."""


class NativeLoop:
    """A loop from a library, with a buffer for its arguments: one thread at a time calls it.

    What was handed on in the last call is not written again: a batch calls its loops with its own arrays.
    """

    def __init__(self, library: Library, listed: Listed) -> None:
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
        for at, argument in enumerate(arguments):
            if argument is not given[at]:
                self._hand_on(at, argument)
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
    library = None if game is None else _library(game)
    listed = None if library is None else library.loops.get(key_of(functions, parts))
    if library is None or listed is None or any(state_of(name) != state for name, state in listed.states.items()):
        return None
    compiled_code_comes()
    return lambda: NativeLoop(library, listed)


# --- what a loop is -------------------------------------------------------------------------------------------------


def key_of(functions: Sequence[Function], parts: Mapping[str, Function | int]) -> str:
    """What the last of these functions over these parts is called."""
    told = [f"{name}={part if isinstance(part, int) else _name(part)}" for name, part in sorted(parts.items())]
    return f"{', '.join(map(_name, functions))}: {', '.join(told)}"


def game_of(functions: Sequence[Function], parts: Mapping[str, Function | int]) -> str | None:
    """The folder of the one game of Dohyo's own whose functions are among these; none if others are."""
    found = set()
    for part in (*functions, *parts.values()):
        if isinstance(part, int):
            continue
        if vars(sys.modules.get(part.__module__, object)).get(part.__qualname__) is not part:
            return None
        package, _, rest = part.__module__.partition(f"{GAMES}.")
        if not package and rest:
            found.add(rest.partition(".")[0])
        elif not part.__module__.startswith(OWN):
            return None
    return found.pop() if len(found) == 1 else None


def state_of(module: str) -> str:
    """The constants of a module, and which flat functions it has, as 16 hex digits."""
    seen = hashlib.sha256()
    for name, value in sorted(vars(sys.modules.get(module, object)).items()):
        if isinstance(value, int | float | bytes | tuple) and not name.startswith("__"):
            seen.update(f"{name}={value!r}\n".encode())
        elif getattr(value, "__flat__", False):
            seen.update(f"{name}={_name(value)}\n".encode())
    return seen.hexdigest()[:16]


def file_of(game: str) -> Path:
    """Where the library of the game in this folder is, or would be."""
    folder = Path(sys.modules[f"{GAMES}.{game}"].__path__[0])
    return shipped.file_of(f"{game}{SUFFIX}", (folder, Path(core.__file__).parent, Path(__file__).parent))


@cache
def _library(game: str) -> Library | None:
    """The game's library; none if there is none for this system, or if it is of other sources."""
    file = file_of(game)
    try:
        library = ctypes.CDLL(str(file))
        index = json.loads(ctypes.string_at(ctypes.addressof(ctypes.c_char.in_dll(library, INDEX))))
    except (OSError, ValueError):
        return None
    loops = {
        key: Listed(symbol, tuple(takes), gives, states) for key, (symbol, takes, gives, states) in index.items()
    }
    return Library(symbols_of(file), loops)


def _name(function: Function) -> str:
    return f"{function.__module__}.{function.__qualname__}"
