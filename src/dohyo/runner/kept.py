"""The end of a stream that nobody has to read: the last of each turn is kept, what came before it is counted."""

from __future__ import annotations

A_TURN = 64 * 1024  # bytes kept
A_MATCH = 4 * 1024 * 1024  # bytes kept in all, so that a replay stays a file one can open


class Kept:
    """What came on one stream since it was last taken."""

    def __init__(self) -> None:
        self._content = bytearray()
        self._dropped = 0
        self._left = A_MATCH

    @property
    def size(self) -> int:
        """Bytes that came since the last call of `take`, kept or not."""
        return len(self._content) + self._dropped

    def add(self, chunk: bytes | bytearray) -> None:
        """Take in what came."""
        self._content += chunk
        surplus = len(self._content) - A_TURN
        if surplus > 0:
            del self._content[:surplus]
            self._dropped += surplus

    def take(self) -> tuple[str, int]:
        """What came since the last call as text, and how many bytes before it were not kept."""
        if not self._content and not self._dropped:
            return "", 0
        kept = bytes(self._content)[-self._left :] if self._left else b""
        dropped = self._dropped + len(self._content) - len(kept)
        self._left -= len(kept)
        self._content.clear()
        self._dropped = 0
        return kept.decode("utf-8", "replace"), dropped
