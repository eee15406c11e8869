"""Passes on what a program writes to standard error, to the operator's standard error."""

from __future__ import annotations

import codecs
from typing import IO

from dohyo import clean
from dohyo.match.processes.line_client import write_all

MOST = 64 << 20  # bytes: more than anybody reads, less than a disk


class StderrRelay:
    """Writes to a stream what it is called with, byte for byte; on a terminal, as cleaned text.

    At most `MOST` bytes are written, then once the text `cut`, which says so: a file behind the stream must not fill
    the disk. After an error the stream is not written to again.
    """

    def __init__(self, stream: IO[str], cut: str = "") -> None:
        self._stream = stream
        self._is_seen = stream.isatty()
        self._text = codecs.getincrementaldecoder("utf-8")("replace")
        self._left = MOST
        self._cut = cut

    def __call__(self, chunk: bytes) -> None:
        """Write the next bytes; an incomplete character waits for its other bytes."""
        piece = chunk[: self._left]
        self._left -= len(piece)
        self._write(piece)
        if len(piece) < len(chunk) and self._cut:
            self.end()
            self._put(f"\n{self._cut}\n".encode())
            self._cut = ""

    def end(self) -> None:
        """Write the incomplete rest: no more bytes come from this program."""
        if self._is_seen and (rest := self._text.decode(b"", final=True)):
            self._put(clean.block(rest).encode())
        self._text.reset()

    def _write(self, piece: bytes) -> None:
        self._put(clean.block(self._text.decode(piece)).encode() if self._is_seen else piece)

    def _put(self, piece: bytes) -> None:
        try:
            self._stream.flush()
            descriptor = self._stream.fileno()
        except (OSError, ValueError):  # it has no file, or nobody reads it any more
            self._put_text(piece)
            return
        if piece and not write_all(descriptor, piece):
            self._left = 0
            self._cut = ""

    def _put_text(self, piece: bytes) -> None:
        try:
            self._stream.write(piece.decode("utf-8", "backslashreplace"))
        except (OSError, ValueError):
            self._left = 0
            self._cut = ""
