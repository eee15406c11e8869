"""Arrays that begin at a multiple of 128 bytes, with nothing nearer behind them; NumPy's own begin at one of 16.

JAX shares memory that begins at a multiple of 64, and copies all other. And two threads that write nearer to each
other than 128 bytes wait for each other's caches.
"""

from __future__ import annotations

from math import prod
from typing import Any

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


def empty(shape: tuple[int, ...], kind: Any) -> Any:
    """An array of this shape and type that will be filled."""
    return zeros(shape, kind)  # the system's memory is zero anyway where it is large


def copy(array: Any) -> Any:
    """A copy of an array, its rows one after the other."""
    found = zeros(array.shape, array.dtype)
    found[...] = array
    return found


def placed(array: Any) -> Any:
    """An array in such memory that can be written: itself, or a copy of it."""
    return array if array.ctypes.data % ALIGNMENT == 0 and array.flags.writeable else copy(array)
