"""Faults in full: what the program wrote, what else it wrote, and what it had been sent."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from dohyo import clean, doors
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.game import Game
from dohyo.i18n import Speaker
from dohyo.languages import has_debug, says_where, traces
from dohyo.match.telling.fault_words import FAILURES, OF_TIME, kind_and_detail, proof_in_words
from dohyo.match.telling.summary import Misstep, SeatSummary, Summary
from dohyo.terminal.screen import bot_names

if TYPE_CHECKING:
    from rich.console import Console

LINES_SHOWN = 20  # the last ones, of standard error or of comments
TURNS_SHOWN = 12  # of those in which a fault was made again
# What Python says first of the signal by which we end a program whose time is over: it is no failure of its own.
OUR_SIGNAL = re.compile(r"^Fatal Python error: Aborted\s*\n\s*", re.MULTILINE)
# What says more of a fault, and the same where the replay lies in a store.
MORE = {"fault-debug": "fault-debug-stored", "fault-where": "fault-where-stored"}


class KeptReplay(NamedTuple):
    """The word for a match's replay, as it can be typed after `dohyo rerun`; and the command that writes that file
    first, where the replay lies in a store."""

    word: str = "REPLAY"
    save: str = ""

    @classmethod
    def under(cls, word: str) -> KeptReplay:
        """It is kept already, and found by this word."""
        return cls(clean.line(shlex.quote(word)))


def tell_what_to_see(
    summary: Summary, game: Game, out: Console, speaker: Speaker, path: str | None, *, in_full: bool
) -> None:
    """After a match: each fault `in_full`, or where they can be seen; then where what bots have written can be read.

    `path` is where the replay is kept, or the word for it; none where it is not.
    """
    kept = KeptReplay.under(path) if path else KeptReplay()
    word = kept.word if path else ""
    if in_full:
        print_faults(summary, game, out, speaker, kept)
        out.print()
    elif summary.has_faults_to_see:
        out.print(speaker.say("see-faults" if word else "see-faults-unsaved", path=word), soft_wrap=True)
        for seat in summary.seats if doors.has_command("rerun") else ():
            if seat.stopped is not None and not seat.said and is_unexplained(seat.stopped, "", seat.language):
                more = speaker.say("fault-debug", replay=kept.word, seat=seat.seat)
                out.print(f"{bot_names(summary.seats)[seat.seat]}: {more}", soft_wrap=True)
    tell_standard_error(summary, word, out, speaker)


def tell_standard_error(summary: Summary, path: str, out: Console, speaker: Speaker) -> None:
    """Say where what bots without faults wrote to standard error can be read; nothing where none did.

    What is written in the turn of a fault is shown with that. `path` is the replay's as a shell takes it,
    or the word for it; empty where it has none.
    """
    names = bot_names(summary.seats)
    wrote = [names[seat.seat] for seat in summary.seats if seat.wrote and not seat.faults]
    if wrote:
        key = "see-stderr" if path else "see-stderr-unsaved"
        out.print(speaker.say(key, bots=speaker.listed(wrote), path=path), soft_wrap=True)


def print_faults(
    summary: Summary, game: Game, out: Console, speaker: Speaker, kept: KeptReplay | None = None
) -> None:
    """Every fault in the order of turns, with what the program wrote and the exact input that it had been sent.

    A fault that a seat makes again and again is one entry: the first time with its input, then the other turns.
    `kept` is for the commands that show more.
    """
    faults = sorted(((fault, seat) for seat in summary.seats for fault in seat.faults), key=lambda pair: pair[0].turn)
    if not faults:
        out.print(speaker.say("no-faults"))
    alike: dict[object, list[tuple[Misstep, SeatSummary]]] = {}
    for fault, seat in faults:
        same = seat.seat, fault.fault
        alike.setdefault(same, []).append((fault, seat))
    for (fault, seat), *more in alike.values():
        _print_fault(fault, seat, game, out, speaker, kept or KeptReplay())
        if more:
            shown = [str(other.turn) for other, _ in more[:TURNS_SHOWN]]
            turns = speaker.listed([*shown, *(["..."] if len(more) > TURNS_SHOWN else [])])
            out.print("  " + speaker.say("fault-again", count=len(more), turns=turns), soft_wrap=True)


def _print_fault(
    fault: Misstep, seat: SeatSummary, game: Game, out: Console, speaker: Speaker, kept: KeptReplay
) -> None:
    line = speaker.say("fault-at", turn=fault.turn, seat=seat.seat, bot=seat.name, fault=_told(fault, game, speaker))
    out.print(line, style="bold")
    if fault.note:
        out.print("  " + speaker.say("fault-note"))
    if fault.seconds is not None:
        out.print("  " + speaker.say("fault-seconds", seconds=speaker.duration(fault.seconds)))
    if shown := proof(fault, speaker):
        out.print("  " + speaker.say("fault-proof", proof=shown), soft_wrap=True)
    if fault.reply is not None:
        wrote = speaker.labelled(speaker.say("fault-reply"), clean.line(repr(fault.reply)))
        out.print(f"  {wrote}", soft_wrap=True)
    print_errors(fault.stderr, [fault], seat.language, out, speaker)
    more = (
        "fault-debug"
        if is_unexplained(fault, fault.stderr, seat.language)
        else "fault-where"
        if _was_not_asked(fault, seat.language)
        else ""
    )
    if more and doors.has_command("rerun"):
        key = MORE[more] if kept.save else more
        out.print("  " + speaker.say(key, save=kept.save, replay=kept.word, seat=seat.seat), soft_wrap=True)
    print_block("fault-comments", fault.comments, out, speaker)
    if fault.input is None:
        out.print("  " + speaker.say("fault-no-input" if fault.seconds is None else "fault-unknown-input"))
    else:
        print_block("fault-input", fault.input, out, speaker, whole=True)


def proof(fault: Misstep, speaker: Speaker) -> str:
    """What was measured of the time of a fault, in sentences; empty if it is not about time, or nothing is known but
    what was charged."""
    known = {"charged": fault.seconds, "cpu": fault.cpu, "wall": fault.wall, **fault.proof}
    return proof_in_words(fault.kind, known, speaker)


def print_verdict(fault: Fault, game: Game, out: Console, speaker: Speaker) -> None:
    """One fault, below the line that names its turn."""
    out.print(f"  {_told(fault, game, speaker)}", soft_wrap=True)
    if fault.note:
        out.print("  " + speaker.say("fault-note"))


def print_errors(
    text: str, faults: Sequence[Misstep | Fault], written_in: str, out: Console, speaker: Speaker
) -> None:
    """What a bot, `written_in` a language, wrote to standard error: its last lines.

    If it failed, the whole of its crash report, below the place in its author's source.
    """
    if not any(fault.kind in FAILURES for fault in faults):
        print_block("fault-stderr", text, out, speaker)
        return

    if any(fault.kind in OF_TIME for fault in faults) and (was := traces.stuck(text, written_in)) is not None:
        out.print("  " + speaker.say("fault-was-at", place=str(was)), style="bold", soft_wrap=True)
    elif (crash := traces.find(text, written_in)) is not None:
        out.print("  " + speaker.say("fault-place", place=str(crash)), style="bold", soft_wrap=True)
    shown = traces.excerpt(text, written_in, LINES_SHOWN)
    if any(fault.kind in OF_TIME for fault in faults):
        shown = OUR_SIGNAL.sub("", shown)
    print_block("fault-stderr", shown, out, speaker, all_lines=True)


def is_unexplained(fault: Misstep | Fault, text: str, written_in: str) -> bool:
    """Whether a signal or its time ended a program that says nothing of it, and a debug build would say where."""
    if fault.kind is not FaultKind.KILLED and fault.kind not in OF_TIME:
        return False

    if fault.kind in OF_TIME:
        if not says_where(written_in) or says_where(written_in, debug=False):
            return False
        return traces.stuck(text, written_in) is None
    return has_debug(written_in) and traces.find(text, written_in) is None


def _was_not_asked(fault: Misstep, written_in: str) -> bool:
    """Whether a program's time was over and it does not say where it was, though it would if it was run again."""
    if fault.kind not in OF_TIME:
        return False

    return says_where(written_in, debug=False) and traces.stuck(fault.stderr, written_in) is None


def print_block(
    key: str, text: str, out: Console, speaker: Speaker, whole: bool = False, all_lines: bool = False
) -> None:
    """A heading and, indented, the lines of a text, the last ones unless `all_lines` or the `whole`.

    Nothing of an empty text, unless the `whole`.
    """
    if text or whole:
        out.print(f"  {speaker.labelled(speaker.say(key))}")
        for line in clean.block(text).splitlines()[0 if whole or all_lines else -LINES_SHOWN :]:
            out.print(f"    {line}", soft_wrap=True)


def _told(fault: Misstep | Fault, game: Game, speaker: Speaker) -> str:
    """The kind of a fault and, after a colon, what exactly happened, if more is known."""
    kind, happened = kind_and_detail(fault, game, speaker)
    return speaker.labelled(kind, happened) if happened else kind
