"""What the bots of one turn wrote and were sent, for who watches a match in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dohyo import clean
from dohyo.core.playback import Moment
from dohyo.core.replay import Move
from dohyo.i18n import Speaker
from dohyo.match.replays.sent import Sent


class ShownLine(NamedTuple):
    """A line for the terminal, clean, and rich's style for it."""

    text: str
    style: str = ""


def lines_of(
    sent: Sent,
    moment: Moment | None,
    names: Sequence[str],
    speaker: Speaker,
    seat: int | None = None,
    last: Sequence[Move] = (),
) -> list[ShownLine]:
    """The lines of a turn, of all bots or of one `seat`; `last` is what they wrote after it, if it was the last one.

    A bot has its answer, its standard error, its comments and its input; nothing of what it did not write.
    """
    found: list[ShownLine] = []
    for move in moment.turn.moves if moment is not None else ():
        if moment is not None and seat in (None, move.seat):
            found += _of_move(sent, moment, move, names, speaker)
    for move in last:
        if seat in (None, move.seat) and (move.stderr or move.comments):
            found.append(ShownLine(speaker.say("watch.after", name=names[move.seat], seat=move.seat), "bold"))
            found += _written(move, speaker)
    return found or [ShownLine(speaker.say("watch.silent"), "dim")]


def _of_move(sent: Sent, moment: Moment, move: Move, names: Sequence[str], speaker: Speaker) -> Iterator[ShownLine]:
    action = clean.line(sent.game.action_in_words(move.action, speaker)) if move.action else ""
    took = "" if move.seconds is None else f"   {speaker.duration(move.seconds)}"
    yield ShownLine(speaker.labelled(f"{names[move.seat]} ({move.seat})", f"{action}{took}"), "bold")
    if move.reply is not None:
        yield ShownLine("  " + speaker.labelled(speaker.say("fault-reply"), clean.line(repr(move.reply))))
    yield from _written(move, speaker)
    yield from _block("fault-input", sent.in_turn(moment, move.seat) or "", speaker)


def _written(move: Move, speaker: Speaker) -> Iterator[ShownLine]:
    yield from _block("fault-stderr", move.stderr, speaker)
    yield from _block("fault-comments", move.comments, speaker)


def _block(key: str, text: str, speaker: Speaker) -> Iterator[ShownLine]:
    if text:
        yield ShownLine("  " + speaker.labelled(speaker.say(key)), "dim")
        for line in clean.block(text).splitlines():
            yield ShownLine(f"    {line}")
