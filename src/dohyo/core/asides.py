"""What many bots write, bounded together: a match of a hundred that talk must not be too large to be read again.

Of a few seats, what is stored of each (`dohyo.match.processes.bot_process`) is little enough. Of more, each seat has
a share of what a line and a replay may hold, counted in the bytes that a text takes there, or in memory if that is
more: a byte may be written as `\\u0000`.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from operator import attrgetter

import msgspec

from dohyo.core.replay import Move, Turn

LARGEST_TURN = 12 << 20  # bytes of a turn's texts: a line of a replay may have 16 MiB
LARGEST_MATCH = 128 << 20  # of a match's: half of what a replay may have
REPLY_LEFT = 64  # characters of a reply, where its seat's share is used up

_MOVES = attrgetter("moves")
_REPLACED = "\ufffd"  # stands for a byte that is not UTF-8


def cut(turns: Iterable[Turn], last: Iterable[Move], seats: int) -> None:
    """Take what was said in turns, and last, out of the seats' shares; what is too much is cut off, and counted."""
    left = [LARGEST_MATCH // seats] * seats
    for moves in chain(map(_MOVES, turns), [last]):
        for move in moves:
            if move.reply or move.stderr or move.comments:
                left[move.seat] = _cut(move, left[move.seat], LARGEST_TURN // seats)


def _cut(move: Move, left: int, most: int) -> int:
    """Cut a move of a seat that has so much left, of a turn at most `most`; what is left behind it."""
    if move.reply:
        size = _size(move.reply)
        if size > left:
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
    return left


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
