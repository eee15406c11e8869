"""Calls functions of machine code that was compiled before: without Numba, and without NumPy where nobody brings it.

The functions have Numba's calling convention (`dohyo.sim.ahead` makes their files): the address for the result, the
address for an error, then the arguments. An array is seven words or more, a record its address. Who calls brings
arrays and records of ctypes, or NumPy's.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

# Kinds of arguments and results. An array of NumPy's in another shape than a row of records or of bytes has a kind
# that `array_kind` writes.
ROW, BYTES, RECORD, INT, FLOAT, NONE = "row", "bytes", "record", "int", "float", "none"
ARRAY = "array"
RETURNED = (0, -2)  # what Numba's functions say when no error was raised
FIELDS: dict[str, Any] = {
    "i8": ctypes.c_int64,
    "f8": ctypes.c_double,
    "i4": ctypes.c_int32,
    "i2": ctypes.c_int16,
    "i1": ctypes.c_int8,
    "u1": ctypes.c_uint8,
}
NUMBERS: dict[str, Any] = {INT: ctypes.c_int64, FLOAT: ctypes.c_double}
RESULTS: dict[str, Any] = {**NUMBERS, NONE: ctypes.c_void_p}


class Call(NamedTuple):
    """How a function of the file is called: its symbol, the kinds of its arguments, and of its result."""

    symbol: str
    takes: tuple[str, ...]
    gives: str


def array_kind(of: str, dimensions: int) -> str:
    """The kind of an array whose items NumPy calls `of` (`dtype.str`), and which lies in one piece."""
    return f"{ARRAY} {of} {dimensions}"


def dimensions(kind: str) -> int:
    """How many dimensions an array of this kind has; 0 of what is no array."""
    if kind in (ROW, BYTES):
        return 1
    return int(kind.rpartition(" ")[2]) if kind.startswith(ARRAY) else 0


def structure(name: str, fields: Iterable[tuple[str, str, int]]) -> type[ctypes.Structure]:
    """A structure with these fields, name, kind and length (0: a single number); padded as NumPy pads a record."""
    kinds = [(field, FIELDS[kind] * length if length else FIELDS[kind]) for field, kind, length in fields]
    return type(name, (ctypes.Structure,), {"_fields_": kinds})


def symbols_of(file: Path) -> Callable[[str, Any], Any]:
    """Finds a function of a shared library. Raises `OSError` where that cannot be loaded."""
    library = ctypes.CDLL(str(file))
    return lambda symbol, prototype: prototype((symbol, library))


def native_function(symbols: Callable[[str, Any], Any], call: Call) -> Callable[..., Any]:
    """A function of the file, called with rows, records and numbers as Python has them, or with NumPy's arrays."""
    words = [word for kind in call.takes for word in _words_of(kind)]
    prototype = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *words)
    native = symbols(call.symbol, prototype)
    result, error = RESULTS[call.gives](), ctypes.c_void_p()
    places = (ctypes.addressof(result), ctypes.addressof(error))
    takes, gives = call.takes, call.gives

    def called(*arguments: Any) -> Any:
        passed: list[Any] = [*places]
        for kind, argument in zip(takes, arguments, strict=True):
            if kind in NUMBERS:
                passed.append(argument)
            elif kind == RECORD:
                passed.append(_address(argument))
            else:
                passed += array_words(kind, argument)
        status = native(*passed)
        if status not in RETURNED or error.value:
            raise RuntimeError(f"compiled code ended with status {status}")
        return None if gives == NONE else result.value

    return called


def array_words(kind: str, array: Any) -> tuple[Any, ...]:
    """Who owns the memory (twice: nobody), how many items, of what size, where, how many and how far apart.

    Raises `TypeError` for another array than the code was compiled for.
    """
    if isinstance(array, ctypes.Array):
        size = ctypes.sizeof(array._type_)
        return 0, 0, len(array), size, ctypes.addressof(array), len(array), size
    is_fit = array.ndim == dimensions(kind) and array.flags.c_contiguous
    if not is_fit or (kind.startswith(ARRAY) and array.dtype.str != kind.split()[1]):
        raise TypeError(f"an array of {array.dtype.str} in {array.ndim} dimensions, where {kind} was compiled")
    return 0, 0, array.size, array.itemsize, array.ctypes.data, *array.shape, *array.strides


def _words_of(kind: str) -> list[Any]:
    """The words of an argument."""
    if kind in NUMBERS:
        return [NUMBERS[kind]]
    if kind == RECORD:
        return [ctypes.c_void_p]
    both = [ctypes.c_int64] * (2 * dimensions(kind))
    return [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, *both]


def _address(record: Any) -> int:
    """Where a record lies."""
    if isinstance(record, ctypes.Structure):
        return ctypes.addressof(record)
    import numpy

    return int(numpy.frombuffer(record, numpy.uint8).ctypes.data)
