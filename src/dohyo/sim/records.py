"""Arrays of a batch: of states, one record a game, with the fields that a `Layout` declares; and of numbers.

They begin at a multiple of 128 bytes, with nothing nearer behind them; NumPy's own begin at one of 16. JAX shares
memory that begins at a multiple of 64, and copies all other. And two threads that write nearer to each other than 128
bytes wait for each other's caches.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from dohyo.core.errors import OperatorError
from dohyo.core.flat import Layout, flat

if TYPE_CHECKING:
    import numpy

    Records = numpy.ndarray[Any, numpy.dtype[Any]]

ALIGNMENT = 128


def zeros(shape: tuple[int, ...], kind: Any) -> Any:
    """An array of this shape and type, filled with zeros, also between the fields of its records."""
    import numpy

    kind = numpy.dtype(kind)
    if kind.hasobject:  # Python's objects: no other library takes them
        return numpy.zeros(shape, kind)
    size = prod(shape) * kind.itemsize
    room = numpy.zeros(size + 2 * ALIGNMENT, numpy.uint8)
    start = -room.ctypes.data % ALIGNMENT
    return room[start : start + size].view(kind).reshape(shape)


def row(*numbers: float) -> Any:
    """An array of these doubles."""
    found = zeros((len(numbers),), "f8")
    found[:] = numbers
    return found


def copy(array: Any) -> Any:
    """A copy of an array, its rows one after the other."""
    found = zeros(array.shape, array.dtype)
    found[...] = array
    return found


def rows(array: Any, which: Any) -> Any:
    """An array of these rows of one, with the bytes between the fields of its records: equal states stay equal."""
    if array.dtype.names is None:  # NumPy copies fields one by one, and leaves whatever was there between them
        return placed(array[which])
    return placed(_bytes(array)[which]).view(array.dtype).reshape(len(which))


def placed(array: Any) -> Any:
    """An array in such memory that can be written: itself, or a copy of it."""
    return array if array.ctypes.data % ALIGNMENT == 0 and array.flags.writeable else copy(array)


def blank(layout: Layout, count: int) -> Records:
    """An array of `count` records with every field zero, of shape (count,).

    Raises `OperatorError` where NumPy is not installed.
    """
    import_numpy()
    found: Records = zeros((count,), layout.dtype())
    return found


def import_numpy() -> Any:
    """The module `numpy`. Raises `OperatorError` where it is not installed."""
    try:
        import numpy
    except ImportError as error:
        raise OperatorError("needs-fast") from error
    return numpy


def write(layout: Layout, records: Records, at: int, state: Any) -> None:
    """Copy a plain state into record `at`. Raises `struct.error` when a value does not fit its field."""
    _bytes(records)[at, : layout.size] = memoryview(layout.pack(state))


def packed(layout: Layout, records: Records, at: int) -> bytes:
    """Record `at` as `layout.pack` would write the same state: its fields without the padding at the end."""
    fields: bytes = _bytes(records)[at, : layout.size].tobytes()
    return fields


def read(layout: Layout, records: Records, at: int) -> Any:
    """Record `at` as a plain state of its own."""
    return layout.unpack(packed(layout, records, at))


@flat
def put_record(states: Any, to: int, others: Any, at: int) -> None:
    """Make the record `states[to]` a copy of `others[at]`; both are no negative places."""
    states[to] = others[at]


def _bytes(records: Records) -> Records:
    """The same memory as rows of bytes."""
    return records.view("u1").reshape(len(records), records.dtype.itemsize)
