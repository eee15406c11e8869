"""What many bots write, bounded together: a match of a hundred that talk must not be too large to be read again.

Of a few seats, what is stored of each (`dohyo.match.processes.bot_process`) is little enough. Of more, each seat has
a share of what a line and a replay may hold, counted in the bytes that a text takes there, or in memory if that is
more: a byte may be written as `\\u0000`.
"""

from __future__ import annotations

import msgspec

from dohyo.core.replay import Move

FEW = 4  # seats: all that is stored of each, however it is written, is less than what a replay may hold
LARGEST_TURN = 12 << 20  # bytes of a turn's texts: a line of a replay may have 16 MiB
LARGEST_MATCH = 128 << 20  # of a match's: half of what a replay may have
REPLY_LEFT = 64  # characters of a reply, where its seat's share is used up

_REPLACED = "\ufffd"  # stands for a byte that is not UTF-8


class Share:
    """What is left of it for each of so many seats."""

    def __init__(self, seats: int) -> None:
        self._turn, self._left = LARGEST_TURN // seats, [LARGEST_MATCH // seats] * seats

    def cut(self, move: Move) -> None:
        """Take what a move says out of its seat's share; what is too much is cut off, and counted as dropped."""
        left, most = self._left[move.seat], self._turn
        if move.reply:
            if (size := _size(move.reply)) > left:
                move.reply = move.reply[:REPLY_LEFT]
            left -= min(size, left)
        for name in ("stderr", "comments"):
            if text := getattr(move, name):
                kept, size = _end(text, min(left, most))
                if kept is not text:
                    setattr(move, name, kept)
                    gone = _bytes(text[: len(text) - len(kept)])
                    setattr(move, f"{name}_dropped", getattr(move, f"{name}_dropped") + gone)
                left, most = left - size, most - size
        self._left[move.seat] = left


def _end(text: str, most: int) -> tuple[str, int]:
    """The end of a text that takes at most so many bytes, and how many; nearly the longest."""
    size = _size(text)
    while size > most:
        count = len(text) * most // size * 7 // 8
        if not count:
            return "", 0
        text = text[-count:]
        size = _size(text)
    return text, size


def _size(text: str) -> int:
    return max(len(msgspec.json.encode(text)), text.__sizeof__())


def _bytes(text: str) -> int:
    """How many bytes a bot wrote for this."""
    return len(text.encode("utf-8", "replace")) - 2 * text.count(_REPLACED)
