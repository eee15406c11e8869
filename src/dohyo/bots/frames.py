"""Messages between us and the process that reads hand-ins: a length, then so many bytes."""

from __future__ import annotations

import struct

LENGTH = struct.Struct("=I")
OF_COPY, WRITTEN = "copy", "written"  # whether a file of a recipe is one of the copy, or its content is told
PACKED = "packed"  # the kind of a hand-in that is to be unpacked
LARGEST = 64 << 20  # bytes of one message


def pack(content: bytes) -> bytes:
    """One message."""
    return LENGTH.pack(len(content)) + content
