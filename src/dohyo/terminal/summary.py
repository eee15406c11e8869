"""What is printed when a match is over: the table of seats."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from dohyo import clean
from dohyo.core.faults import CAME_LATE, FaultCode, FaultKind
from dohyo.core.game import Game, title_in
from dohyo.i18n import Speaker
from dohyo.match.telling.summary import LATE, Misstep, SeatSummary, Summary
from dohyo.terminal.screen import bot_names, show, table

if TYPE_CHECKING:
    from rich.console import Console

BUSY = 0.8  # of the time of a turn: a program that computes for that long is not waiting for input
# Faults before the first turn that are no silence: an engine has said what it cannot do, or nothing has run.
NOT_SILENT = frozenset(
    {
        FaultCode.NO_OPTION,
        FaultCode.BAD_OPTION,
        FaultCode.NO_SETBOARD,
        FaultCode.NO_VARIANT,
        FaultCode.CANNOT_START,
    }
)
UNHEARD = frozenset({FaultCode.NO_ANSWER, FaultCode.BEHIND})  # no answer, and the program went on running
NUMBERS = ("place", "seat", "score", "median", "worst")  # columns that are aligned to the right


def print_summary(summary: Summary, game: Game, out: Console, speaker: Speaker) -> None:
    """How the match ended, and one line for each seat, the best first."""
    reason = speaker.knowing(game.catalogue).say(summary.reason)
    key = "match-ended-from" if summary.first else "match-ended"
    ended = speaker.say(key, game=title_in(game, speaker), reason=reason, turns=summary.turns, first=summary.first)
    out.print(ended, style="bold", end="\n\n")
    if summary.disturbed:
        late = any(fault.kind in LATE for seat in summary.seats for fault in seat.faults)
        key = "match-no-verdict" if late else "match-stood-still"
        out.print(speaker.say(key, seconds=f"{summary.disturbed:.1f}"), end="\n\n")
    bots = bot_names(summary.seats)
    columns: dict[str, Callable[[SeatSummary], str]] = {
        "place": lambda seat: str(seat.place or "-"),
        "seat": lambda seat: str(seat.seat),
        "bot": lambda seat: bots[seat.seat],
        "score": lambda seat: "-" if seat.score is None else f"{seat.score:g}",
        "fate": lambda seat: seat_outcome(seat, game, speaker),
        "faults": lambda seat: fault_counts(seat, speaker),
        "median": lambda seat: speaker.duration(seat.median),
        "worst": lambda seat: speaker.duration(seat.worst),
    }
    if all(seat.score is None for seat in summary.seats):
        del columns["score"]
    order = sorted(summary.seats, key=lambda seat: (seat.place or 0, seat.seat))
    rows = [[told(seat) for told in columns.values()] for seat in order]
    numbers = [at for at, name in enumerate(columns) if name in NUMBERS]
    at_bot = list(columns).index("bot")
    show(table([speaker.say(f"column.{name}") for name in columns], rows, right=numbers, named=at_bot), out)
    first, turn = summary.clock.get("first"), summary.clock.get("turn")
    if first is not None and turn and first != turn:  # the worst may be of the first turn
        out.print("\n" + speaker.say("match-limits", turn=speaker.duration(turn), first=speaker.duration(first)))
    why = [(seat, said) for seat in order if (said := _why_stopped(seat, game, speaker))]
    for at, (seat, said) in enumerate(why):
        told = speaker.say("stopped-said", bot=bots[seat.seat], seat=seat.seat, said=said)
        out.print(told if at else f"\n{told}", soft_wrap=True)
    for seat in order:
        if seat.way is not None:
            out.print("\n" + speaker.say("match-from-afar", bot=bots[seat.seat], way=speaker.duration(seat.way)))


def busy_advice(summary: Summary, speaker: Speaker) -> str:
    """That the machine had more to do than processors while bots were late by the wall clock; empty otherwise."""
    late = any(fault.kind in LATE and not fault.note for seat in summary.seats for fault in seat.faults)
    if not late or summary.disturbed or summary.clock.get("mode", "wall") != "wall":
        return ""
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    return speaker.say("play.busy", load=f"{load:.0f}", cores=cores) if load > cores else ""


def seat_outcome(seat: SeatSummary, game: Game, speaker: Speaker) -> str:
    """The end of a seat, and of its program if that was stopped."""
    fate = speaker.knowing(game.catalogue).say(seat.fate)
    if seat.stopped is None:
        return fate
    from dohyo.match.telling.fault_words import verdict

    key = "stopped-when-out" if seat.stopped.note else "stopped-by"
    stopped = speaker.say(key, turn=seat.stopped.turn, fault=verdict(seat.stopped, speaker))
    return speaker.say("joined.items").join((fate, stopped))


def _why_stopped(seat: SeatSummary, game: Game, speaker: Speaker) -> str:
    """Where and why a program failed, or what was wrong with its answer, in a line; empty if nothing is known."""
    if seat.stopped is None or seat.stopped.note:
        return ""
    if seat.said or seat.stopped.kind not in (FaultKind.MALFORMED, FaultKind.ILLEGAL):
        return seat.said
    from dohyo.match.telling.fault_words import LONGEST_REASON, detail

    return clean.line(detail(seat.stopped, game, speaker), LONGEST_REASON)


def fault_counts(seat: SeatSummary, speaker: Speaker) -> str:
    """The faults of a seat by kind; a dash for none."""
    if not seat.faults:
        return "-"
    from dohyo.match.telling.fault_words import counted, kind_word

    return counted(Counter(kind_word(fault) for fault in seat.faults if not fault.note), speaker) or "-"


SERVER = "HTTP"  # the language of a bot that is a server: nothing of its answers can wait in a buffer


def is_silent(seat: SeatSummary) -> bool:
    """Whether a program never answered in time: its answer may still be in its own output buffer."""
    if seat.language == SERVER:
        return False
    stopped = seat.stopped
    if stopped is None:  # where a fault does not stop a program: it was asked again and again
        unheard = [fault for fault in seat.faults if fault.code in UNHEARD]
        return 0 < seat.turns == len(unheard)
    if stopped.reply is not None:
        return False
    if stopped.code in NOT_SILENT:
        return False
    return stopped.kind is FaultKind.NOT_READY or (stopped.kind is FaultKind.TIMEOUT and seat.turns == 1)


def advice_for_silence(seat: SeatSummary, game: Game, speaker: Speaker) -> str:
    """What to do about a program that never answered; a missing flush is suggested only if nothing contradicts it."""
    from dohyo.languages import flush_hint

    stopped, code = seat.stopped, flush_hint(seat.language)
    is_ready = stopped is None or stopped.kind is not FaultKind.NOT_READY
    if stopped is not None and stopped.code in CAME_LATE:
        key = "unheard-slow" if is_ready else "not-ready-slow"
    elif is_ready and stopped is not None and _was_busy(seat, stopped):
        key = "unheard-busy"
    elif not is_ready and not game.protocol.READY:
        key = "never-ready-engine"
    else:
        key = ("unheard" if is_ready else "never-ready") + ("" if code is None else "-with")
    return speaker.say(
        key, bot=seat.name, game=game.name, code=code, word=game.protocol.READY or "uciok / feature done=1"
    )


def _was_busy(seat: SeatSummary, fault: Misstep) -> bool:
    """Whether the program computed for most of its only turn.

    If the turn's own processor time was not measured, the time since the program's start is used.
    """
    cpu = fault.cpu if fault.cpu is not None else seat.cpu
    return cpu is not None and seat.worst is not None and cpu >= BUSY * seat.worst
