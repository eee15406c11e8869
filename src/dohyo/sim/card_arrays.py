"""Arrays in a graphics card's memory, of whatever library: known, and looked at in another form without a copy."""

from __future__ import annotations

import importlib
from types import SimpleNamespace
from typing import Any

ON_CARD = (2, 13)  # DLPack's numbers for memory that a card can read: its own, and managed memory


def bytes_of(array: Any) -> Any:
    """The same memory as rows of bytes."""
    row = array.reshape(array.size) if array.ndim > 1 else array
    return row.view("u1").reshape(len(array), array.nbytes // len(array))


def is_on_card(value: Any) -> bool:
    """Whether this is an array in a card's memory, of whatever library."""
    if hasattr(value, "__cuda_ndarray__") or hasattr(value, "__cuda_array_interface__"):
        return True
    where = getattr(value, "__dlpack_device__", None)
    return where is not None and where()[0] in ON_CARD


def by_dlpack(cuda: Any, array: Any) -> Any:
    """An array of somebody's who speaks DLPack only, on the same memory."""
    seen = importlib.import_module("cuda.core.utils").StridedMemoryView.from_dlpack(array, stream_ptr=-1)
    size = seen.dtype.itemsize
    strides = None if seen.strides is None else tuple(step * size for step in seen.strides)
    interface = {
        "shape": tuple(seen.shape),
        "strides": strides,
        "typestr": seen.dtype.str,
        "data": (seen.ptr, seen.readonly),
        "version": 3,
    }
    owner = SimpleNamespace(__cuda_array_interface__=interface, held=seen)
    return cuda.as_cuda_array(owner)


def as_column(cuda: Any, row: Any) -> Any:
    """A row that may be strided, as a column on the same memory."""
    if not hasattr(row, "__cuda_array_interface__"):  # in a simulator
        return row.reshape(-1, 1)
    interface = dict(row.__cuda_array_interface__)
    strides = (interface.get("strides") or (row.dtype.itemsize,))[0]
    interface.update(shape=(*interface["shape"], 1), strides=(strides, row.dtype.itemsize))
    return cuda.as_cuda_array(SimpleNamespace(__cuda_array_interface__=interface, held=row))
