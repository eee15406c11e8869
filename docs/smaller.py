"""Make a screenshot's file smaller: a PNG of whole colours becomes one of at most 256, which a drawing hardly has."""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Iterator

SIGNATURE = b"\x89PNG\r\n\x1a\n"
COLOURS = 256
CHANNELS = {2: 3, 6: 4}  # by the file's type of colour: with and without transparency


def smaller(picture: bytes) -> bytes:
    """The same picture with a palette: its commonest colours, each other one as the nearest of them.

    Takes what Chromium writes: eight bits a channel, not interlaced.
    """
    chunks = list(_chunks(picture))
    width, height, _, kind = struct.unpack(">IIBB", chunks[0][1][:10])
    rows = _rows(zlib.decompress(b"".join(data for name, data in chunks if name == b"IDAT")), width, CHANNELS[kind])
    pixels = [[tuple(row[at : at + 3]) for at in range(0, len(row), CHANNELS[kind])] for row in rows]
    count = Counter(colour for row in pixels for colour in row)
    palette = [colour for colour, _ in count.most_common(COLOURS)]
    index = {colour: _nearest(colour, palette) for colour in count}
    image = b"".join(b"\0" + bytes(index[colour] for colour in row) for row in pixels)
    return SIGNATURE + b"".join(
        _chunk(name, data)
        for name, data in (
            (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            (b"PLTE", bytes(channel for colour in palette for channel in colour)),
            (b"IDAT", zlib.compress(image, 9)),
            (b"IEND", b""),
        )
    )


def _nearest(colour: tuple[int, ...], palette: list[tuple[int, ...]]) -> int:
    return min(
        range(len(palette)), key=lambda at: sum((a - b) ** 2 for a, b in zip(colour, palette[at], strict=True))
    )


def _chunks(picture: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(SIGNATURE)
    while at < len(picture):
        (length,) = struct.unpack(">I", picture[at : at + 4])
        yield picture[at + 4 : at + 8], picture[at + 8 : at + 8 + length]
        at += length + 12


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _rows(raw: bytes, width: int, step: int) -> Iterator[bytes]:
    """The rows of a picture, each without its filter; a pixel has `step` bytes."""
    above = bytes(width * step)
    for start in range(0, len(raw), width * step + 1):
        row = bytearray(raw[start + 1 : start + 1 + width * step])
        for at in range(len(row) if raw[start] else 0):
            left, corner = (row[at - step], above[at - step]) if at >= step else (0, 0)
            row[at] = (row[at] + _guess(raw[start], left, above[at], corner)) & 255
        above = bytes(row)
        yield above


def _guess(filtered: int, left: int, up: int, corner: int) -> int:
    """What a filter (1 to 4 in the PNG specification) takes a byte to be, from those before and above it."""
    if filtered < 4:
        return (left, up, (left + up) // 2)[filtered - 1]
    near = left + up - corner
    return min((left, up, corner), key=lambda value: abs(near - value))
