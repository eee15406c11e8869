"""A match turn by turn, in a file that grows while it is played: for whoever watches from another process.

The file has a line for the match's header and one for each turn, as a replay has them, and at the end an empty one.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import msgspec

from dohyo.core.replay import Replay

END = b"\n"
MAX_BYTES = 64 << 20  # of such a file: a longer match is not told further, and its replay has the rest


class TurnFile:
    """Writes a match to a new file at a path; a context manager, which ends the file.

    A file that is there already is left to those who read it. Where nothing can be written, the match goes on.
    """

    def __init__(self, path: Path) -> None:
        self._descriptor = -1
        self._written = 0
        self._bytes = 0
        with suppress(OSError):
            path.unlink(missing_ok=True)
            self._descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)

    def __enter__(self) -> TurnFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._write(END)
        if self._descriptor >= 0:
            os.close(self._descriptor)

    def on_turn(self, replay: Replay) -> None:
        """Write what is new."""
        lines = [] if self._bytes else [msgspec.json.encode(replay.header) + END]
        for turn in replay.turns[self._written :]:
            lines.append(msgspec.json.encode(turn) + END)
            self._written += 1
        whole = b"".join(lines)
        self._bytes += len(whole)
        if self._bytes <= MAX_BYTES:
            self._write(whole)

    def _write(self, content: bytes) -> None:
        """Write all of it; after an error nothing more."""
        try:
            while content and self._descriptor >= 0:
                content = content[os.write(self._descriptor, content) :]
        except OSError:  # a full disk: who watches sees no more, and the match is played all the same
            os.close(self._descriptor)
            self._descriptor = -1
