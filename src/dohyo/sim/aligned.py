"""Arrays that begin at a multiple of 64 bytes: JAX shares memory with no others, it copies them.

NumPy's own begin at a multiple of 16.
"""

from __future__ import annotations

from math import prod
from typing import Any

ALIGNMENT = 64


def empty(shape: tuple[int, ...], kind: Any) -> Any:
    """An array of this shape and type whose values are not set."""
    import numpy

    kind = numpy.dtype(kind)
    size = prod(shape) * kind.itemsize
    room = numpy.empty(size + ALIGNMENT, numpy.uint8)
    start = -room.ctypes.data % ALIGNMENT
    return room[start : start + size].view(kind).reshape(shape)


def zeros(shape: tuple[int, ...], kind: Any) -> Any:
    """The same, filled with zeros."""
    found = empty(shape, kind)
    found[...] = 0
    return found


def copy(array: Any) -> Any:
    """A copy of an array, its rows one after the other."""
    found = empty(array.shape, array.dtype)
    found[...] = array
    return found
