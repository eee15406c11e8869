"""Arrays of states: one record a game, with the fields that a `Layout` declares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dohyo.core.errors import OperatorError
from dohyo.core.flat import Layout, flat
from dohyo.sim import aligned

if TYPE_CHECKING:
    import numpy

    Records = numpy.ndarray[Any, numpy.dtype[Any]]


def blank(layout: Layout, count: int) -> Records:
    """An array of `count` records with every field zero, of shape (count,).

    Raises `OperatorError` where NumPy is not installed.
    """
    import_numpy()
    found: Records = aligned.zeros((count,), layout.dtype())
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
