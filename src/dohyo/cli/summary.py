"""What is printed when a match is over: the table of seats, the faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from dohyo import clean
from dohyo.app.summary import Misstep, SeatSummary, Summary
from dohyo.cli.screen import bot_names, duration, show, table
from dohyo.core.faults import CAME_LATE, Fault, FaultKind
from dohyo.core.game import Game
from dohyo.i18n import say

if TYPE_CHECKING:
    from rich.console import Console

BUSY = 0.8  # of the time of a turn: a program that computes for that long is not waiting for input
LINES_SHOWN = 20  # the last ones, of standard error or of comments
NUMBERS = ("place", "seat", "score", "median", "worst")  # columns that are aligned to the right


def print_summary(summary: Summary, game: Game, out: Console, language: str) -> None:
    """How the match ended, and one line for each seat, the best first."""
    reason = say(summary.reason, language, game.catalogue)
    key = "match-ended-from" if summary.first else "match-ended"
    ended = say(key, language, game=game.title, reason=reason, turns=summary.turns, first=summary.first)
    out.print(ended, style="bold", end="\n\n")
    if summary.disturbed:
        out.print(say("match-stood-still", language, seconds=f"{summary.disturbed:.1f}"), end="\n\n")
    bots = bot_names(summary.seats)
    columns: dict[str, Callable[[SeatSummary], str]] = {
        "place": lambda seat: str(seat.place or "-"),
        "seat": lambda seat: str(seat.seat),
        "bot": lambda seat: bots[seat.seat],
        "score": lambda seat: "-" if seat.score is None else f"{seat.score:g}",
        "fate": lambda seat: seat_outcome(seat, game, language),
        "faults": lambda seat: fault_counts(seat, language),
        "median": lambda seat: duration(seat.median),
        "worst": lambda seat: duration(seat.worst),
    }
    if all(seat.score is None for seat in summary.seats):
        del columns["score"]
    order = sorted(summary.seats, key=lambda seat: (seat.place or 0, seat.seat))
    rows = [[told(seat) for told in columns.values()] for seat in order]
    numbers = [at for at, name in enumerate(columns) if name in NUMBERS]
    at_bot = list(columns).index("bot")
    show(table([say(f"column.{name}", language) for name in columns], rows, right=numbers, named=at_bot), out)


def seat_outcome(seat: SeatSummary, game: Game, language: str) -> str:
    """The end of a seat, and of its program if that was stopped."""
    fate = say(seat.fate, language, game.catalogue, **seat.fate_details)
    if seat.stopped is None:
        return fate
    key = "stopped-when-out" if seat.stopped.note else "stopped-by"
    return f"{fate}; {say(key, language, turn=seat.stopped.turn, fault=verdict(seat.stopped, language))}"


def verdict(fault: Misstep | Fault, language: str) -> str:
    """The kind of a fault in words, with the exit status or the signal if there is one."""
    kind = say(f"fault.{fault.kind}", language)
    return kind if fault.status is None else f"{kind} ({fault.status})"


def fault_counts(seat: SeatSummary, language: str) -> str:
    """The faults of a seat by kind; a dash for none."""
    counts = Counter(fault.kind for fault in seat.faults if not fault.note)
    return ", ".join(f"{say(f'fault.{kind}', language)} {count}" for kind, count in counts.items()) or "-"


def is_silent(seat: SeatSummary) -> bool:
    """Whether a program never answered in time: its answer may still be in its own output buffer."""
    stopped = seat.stopped
    if stopped is None or stopped.reply is not None:
        return False
    return stopped.kind is FaultKind.NOT_READY or (stopped.kind is FaultKind.TIMEOUT and seat.turns == 1)


def advice_for_silence(seat: SeatSummary, game: Game, language: str) -> str:
    """What to do about a program that never answered; a missing flush is suggested only if nothing contradicts it."""
    from dohyo.languages import flush_hint

    stopped, code = seat.stopped, flush_hint(seat.language)
    is_ready = stopped is None or stopped.kind is not FaultKind.NOT_READY
    if stopped is not None and _came_late(stopped):
        key = "unheard-slow" if is_ready else "not-ready-slow"
    elif is_ready and stopped is not None and _was_busy(seat, stopped):
        key = "unheard-busy"
    else:
        key = ("unheard" if is_ready else "never-ready") + ("" if code is None else "-with")
    return say(key, language, bot=seat.name, game=game.name, code=code, word=game.protocol.READY)


def _came_late(fault: Misstep) -> bool:
    """Whether what was awaited did come, too late."""
    if fault.code:
        return fault.code in CAME_LATE
    from dohyo.i18n.fault_details import code_of

    return code_of(fault.detail) in CAME_LATE


def _was_busy(seat: SeatSummary, fault: Misstep) -> bool:
    """Whether the program computed for most of its only turn.

    If the turn's own processor time was not measured, the time since the program's start is used.
    """
    cpu = fault.cpu if fault.cpu is not None else seat.cpu
    return cpu is not None and seat.worst is not None and cpu >= BUSY * seat.worst


def print_faults(summary: Summary, game: Game, out: Console, language: str) -> None:
    """Every fault in the order of turns, with what the program wrote and the exact input that it had been sent."""
    faults = sorted(((fault, seat) for seat in summary.seats for fault in seat.faults), key=lambda pair: pair[0].turn)
    if not faults:
        out.print(say("no-faults", language))
    for fault, seat in faults:
        _print_fault(fault, seat, game, out, language)


def _print_fault(fault: Misstep, seat: SeatSummary, game: Game, out: Console, language: str) -> None:
    line = say("fault-at", language, turn=fault.turn, seat=seat.seat, bot=seat.name, fault=verdict(fault, language))
    out.print(f"{line}{_detail(fault, game, language)}", style="bold")
    if fault.note:
        out.print("  " + say("fault-note", language))
    if fault.seconds is not None:
        out.print("  " + say("fault-seconds", language, seconds=duration(fault.seconds)))
    if fault.reply is not None:
        out.print(f"  {say('fault-reply', language)}: {clean.line(repr(fault.reply))}", soft_wrap=True)
    print_block("fault-stderr", fault.stderr, out, language)
    print_block("fault-comments", fault.comments, out, language)
    if fault.input is None:
        out.print("  " + say("fault-no-input", language))
    else:
        print_block("fault-input", fault.input, out, language, whole=True)


def print_verdict(fault: Fault, game: Game, out: Console, language: str) -> None:
    """One fault, below the line that names its turn."""
    out.print(f"  {verdict(fault, language)}{_detail(fault, game, language)}", soft_wrap=True)
    if fault.note:
        out.print("  " + say("fault-note", language))


def print_block(key: str, text: str, out: Console, language: str, whole: bool = False) -> None:
    """A heading and, indented, the lines of a text, the last ones unless the `whole`; nothing of an empty text."""
    if text or whole:
        out.print(f"  {say(key, language)}:")
        for line in clean.block(text).splitlines()[0 if whole else -LINES_SHOWN :]:
            out.print(f"    {line}", soft_wrap=True)


def _detail(fault: Misstep | Fault, game: Game, language: str) -> str:
    """What exactly happened, after a colon; empty if nothing is known."""
    from dohyo.i18n.fault_details import detail_in

    detail = clean.line(detail_in(fault.detail, language, game.catalogue))
    return f": {detail}" if detail else ""
