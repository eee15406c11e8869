"""Arrays of states: one record a game, with the fields that a `Layout` declares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dohyo.core.errors import OperatorError
from dohyo.core.flat import Layout, flat

if TYPE_CHECKING:
    import numpy

    Records = numpy.ndarray[Any, numpy.dtype[Any]]

# Bytes. Arrays begin at a multiple of it: JAX looks at memory without a copy where it begins at a multiple of 64. And
# nothing is nearer behind them: two threads that write nearer to each other wait for each other's caches.
APART = 128


def blank(layout: Layout, count: int) -> Records:
    """An array of `count` records with every field zero, of shape (count,).

    Raises `OperatorError` where NumPy is not installed.
    """
    try:
        dtype = layout.dtype()
    except ImportError as error:
        raise OperatorError("needs-fast") from error
    return zeros(count, dtype)


def zeros(shape: int | tuple[int, ...], dtype: Any) -> Records:
    """A NumPy array of zeros in memory of its own kind, see `APART`, as `numpy.zeros` would make it elsewhere."""
    import numpy

    size = int(numpy.prod(shape, dtype=numpy.int64)) * numpy.dtype(dtype).itemsize
    room = numpy.zeros(size + 2 * APART, numpy.uint8)
    begin = -room.ctypes.data % APART
    found: Records = room[begin : begin + size].view(dtype).reshape(shape)
    return found


def placed(array: Any) -> Any:
    """An array in such memory: itself, or a copy of it."""
    return array if array.ctypes.data % APART == 0 else copied(array)


def copied(array: Any) -> Any:
    """A copy of an array in such memory."""
    twin = zeros(array.shape, array.dtype)
    twin[...] = array
    return twin


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
