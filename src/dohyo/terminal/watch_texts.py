"""What the bots of one turn wrote and were sent, for who watches a match in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dohyo import clean
from dohyo.core.playback import Moment
from dohyo.core.replay import Move
from dohyo.i18n import duration, say
from dohyo.match.replays.sent import Sent


class ShownLine(NamedTuple):
    """A line for the terminal, clean, and rich's style for it."""

    text: str
    style: str = ""


def lines_of(
    sent: Sent,
    moment: Moment | None,
    names: Sequence[str],
    language: str,
    seat: int | None = None,
    last: Sequence[Move] = (),
) -> list[ShownLine]:
    """The lines of a turn, of all bots or of one `seat`; `last` is what they wrote after it, if it was the last one.

    A bot has its answer, its standard error, its comments and its input; nothing of what it did not write.
    """
    found: list[ShownLine] = []
    for move in moment.turn.moves if moment is not None else ():
        if moment is not None and seat in (None, move.seat):
            found += _of_move(sent, moment, move, names, language)
    for move in last:
        if seat in (None, move.seat) and (move.stderr or move.comments):
            found.append(ShownLine(say("watch.after", language, name=names[move.seat], seat=move.seat), "bold"))
            found += _written(move, language)
    return found or [ShownLine(say("watch.silent", language), "dim")]


def _of_move(sent: Sent, moment: Moment, move: Move, names: Sequence[str], language: str) -> Iterator[ShownLine]:
    action = clean.line(sent.game.action_in_words(move.action, language)) if move.action else ""
    took = "" if move.seconds is None else f"   {duration(move.seconds)}"
    yield ShownLine(f"{names[move.seat]} ({move.seat}): {action}{took}", "bold")
    if move.reply is not None:
        yield ShownLine(f"  {say('fault-reply', language)}: {clean.line(repr(move.reply))}")
    yield from _written(move, language)
    yield from _block("fault-input", sent.in_turn(moment, move.seat) or "", language)


def _written(move: Move, language: str) -> Iterator[ShownLine]:
    yield from _block("fault-stderr", move.stderr, language)
    yield from _block("fault-comments", move.comments, language)


def _block(key: str, text: str, language: str) -> Iterator[ShownLine]:
    if text:
        yield ShownLine(f"  {say(key, language)}:", "dim")
        for line in clean.block(text).splitlines():
            yield ShownLine(f"    {line}")
