"""Which fault it was: decided here, and nowhere else, from what is seen of a player.

Theory of operation
-------------------
The code that waits for a player gives `judge` what is seen of the player (`Observed`), what was awaited (`Awaited`),
whether that came, and whether the time for it is over. `judge` says which fault that is, or none: then what was
awaited is there in time, or may still come. Players of every kind, `check` and the dialogues of games are judged by
this same code.

The faults are tried in this order: too much output; an answer, but too late; the process ended by itself; nothing in
time. A process that ends closes its output first, so a closed output is judged only after waiting for the end
(`Observed.ending`).

If a process went over a limit of its sandbox, the sandbox says what happened (`Observed.verdict`).
"""

from __future__ import annotations

import math
import signal
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.match.processes import system

QUOTED = 80  # bytes of a line that a fault's detail shows
BY_WATCH = ", by the wall clock behind its own"  # in a fault's detail, after what came too late
BEFORE_READY = ", before it was ready"
EARLY = "a line too many in an earlier turn, {!r}, counts as this turn's answer (debugging goes to standard error)"
BEHIND = "no answer in time; the line that came was the late answer to an earlier turn, and was dropped"


class Observed(Protocol):
    """What is seen of a player during the wait: a process and its pipes, or another kind of player."""

    @property
    def flooded(self) -> bool:
        """Whether it wrote more than is allowed without being read."""

    @property
    def stdout_open(self) -> bool:
        """Whether anything can still come from it."""

    @property
    def has_unsent(self) -> bool:
        """Whether it has not read all its input."""

    @property
    def partial(self) -> str:
        """The beginning of a line without its newline, shortened."""

    @property
    def ending(self) -> int:
        """For how many nanoseconds to wait for its end, now that its output has ended."""

    def how_it_ended(self) -> Fault | None:
        """Its own end as a fault; none while it lives."""

    def verdict(self, fault: Fault) -> Fault:
        """The real cause of a fault, if its sandbox knows more."""


class Awaited(NamedTuple):
    """What is awaited from a player: the faults, each with its code, if it is `missing` or `late`."""

    kind: FaultKind
    missing: tuple[FaultCode, str]
    late: tuple[FaultCode, str]
    before: str = ""  # follows the words for how it ended
    is_line: bool = True  # a line without its newline is not yet what is awaited
    is_end: bool = False  # what is awaited is the end itself, and all output before it


ANSWER = Awaited(
    FaultKind.TIMEOUT, (FaultCode.NO_ANSWER, "no answer in time"), (FaultCode.ANSWER_LATE, "the answer came too late")
)
# For a player whose late answer to an earlier turn has come meanwhile.
ANSWER_BEHIND = ANSWER._replace(missing=(FaultCode.BEHIND, BEHIND))
LINE = ANSWER._replace(missing=(FaultCode.NO_LINE, "no line in time"))
END_OF_TURN = Awaited(
    FaultKind.TIMEOUT,
    (FaultCode.NO_END, "its process did not end in time"),
    (FaultCode.END_LATE, "its process ended too late"),
    is_line=False,
    is_end=True,
)


def ready(word: str) -> Awaited:
    """What is awaited when a program has to print the line `word` to say that it is ready."""
    return Awaited(
        FaultKind.NOT_READY,
        (FaultCode.NO_READY, f"no line '{word}' in time"),
        (FaultCode.READY_LATE, f"the line '{word}' came too late"),
        BEFORE_READY,
    )


def held() -> Fault:
    """The fault of a program that was killed because it kept the referee from using its pipes."""
    return Fault(FaultKind.OUTPUT, "it kept the pipes to the referee locked", code=FaultCode.HELD)


def judge(seen: Observed, awaited: Awaited, came: bool, late: bool, by_watch: bool = False) -> Fault | None:
    """The fault of a player from whom something is awaited; none where that came in time, or may still come.

    `came` says whether it is there, `late` whether the time for it is over, `by_watch` that it is over only by the
    wall clock limit behind the player's own clock. If the end itself is awaited, `came` is found here: an earlier
    look could have seen a process that still ran and has ended by now, and an end that is awaited is no fault.
    """
    ending = seen.ending if late else 0  # before `ended`: a process may end between the two looks
    ended = seen.how_it_ended() if late or not seen.stdout_open else None  # looked at once: it may end at any moment
    if awaited.is_end:
        came = ended is not None and not seen.stdout_open
    behind = BY_WATCH if by_watch else ""
    if seen.flooded and not (came and awaited.kind is FaultKind.NOT_READY):
        return Fault(FaultKind.OUTPUT, "more output than anybody reads" + awaited.before, code=FaultCode.FLOOD)
    if came:
        code, detail = awaited.late
        return seen.verdict(Fault(awaited.kind, detail + behind, code=code)) if late else None
    rest = f"; a line without its newline: {seen.partial!r}" if awaited.is_line and seen.partial else ""
    if ended is not None and not seen.stdout_open:
        return replace(ended, detail=ended.detail + awaited.before + rest)
    if not late or ending:
        return None
    if ended is not None:
        keeps = "; a process that it started keeps its output open"
        return replace(ended, detail=ended.detail + awaited.before + keeps)
    if not seen.stdout_open:
        detail = "closed its standard output and went on running"
        return seen.verdict(Fault(FaultKind.CLOSED, detail + rest, code=FaultCode.CLOSED))
    code, detail = awaited.missing
    unread = "; it did not read its input" if seen.has_unsent else ""
    return seen.verdict(Fault(awaited.kind, detail + behind + unread + rest, code=code))


def early(reply: str) -> Fault:
    """The fault beside an answer that was there before its question."""
    return Fault(FaultKind.MALFORMED, EARLY.format(reply[:QUOTED]), code=FaultCode.EARLY)


def too_long() -> Fault:
    """The fault of a line that is too long."""
    return Fault(FaultKind.OUTPUT, "a line that is too long", code=FaultCode.LONG_LINE)


def strike(words: str) -> Fault:
    """The fault of a late answer that counted nevertheless; `words` say which strike it was."""
    return Fault(FaultKind.TIMEOUT, words, code=FaultCode.STRIKE)


def ended(status: int) -> Fault:
    """The fault of a process that ended: by its exit status, or minus the number of a signal."""
    if status >= 0:
        return Fault(FaultKind.EXITED, f"exit status {status}", status, code=FaultCode.EXIT)
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = str(-status)
    return Fault(FaultKind.KILLED, f"signal {name}", -status, code=FaultCode.SIGNAL)


def no_option(name: str) -> Fault:
    """The fault of a UCI engine that was given a value for an option that it does not have."""
    return Fault(FaultKind.NOT_READY, f"the engine has no option '{name}'", code=FaultCode.NO_OPTION)


def wrong_option(name: str, value: str) -> Fault:
    """The fault of a UCI engine that was given a value that its option does not take."""
    shown = repr(value[:QUOTED])
    return Fault(
        FaultKind.NOT_READY, f"its option {name[:QUOTED]!r} does not take {shown}", code=FaultCode.BAD_OPTION
    )


def no_setboard() -> Fault:
    """The fault of an XBoard engine that cannot be told where its match begins."""
    return Fault(
        FaultKind.NOT_READY,
        "the engine has no feature setboard, and the match does not begin as usual",
        code=FaultCode.NO_SETBOARD,
    )


def no_variant(variant: str) -> Fault:
    """The fault of an XBoard engine that does not play the match's variant."""
    detail = f"the engine's feature variants does not name '{variant}'"
    return Fault(FaultKind.NOT_READY, detail, code=FaultCode.NO_VARIANT)


def castling(reply: str, meant: str) -> Fault:
    """The note that a UCI engine has written castling as in Chess960."""
    return Fault(
        FaultKind.ILLEGAL,
        f"'{reply}' is castling as Chess960 writes it, where the king takes its rook, and counts as '{meant}'",
        note=True,
        code=FaultCode.CASTLING,
    )


def not_started(reason: str | None) -> Fault:
    """The fault of a program that could not be started, with the reason."""
    return Fault(FaultKind.EXITED, f"could not be started: {reason}", code=FaultCode.CANNOT_START)


def slow_to_end(waited: float) -> Fault:
    """The fault of a program whose processes took so many seconds to end when killed; infinity if some still run."""
    if math.isfinite(waited):
        took, code = f"{waited:.1f} s", FaultCode.KILL_SLOW
    else:
        took, code = f"more than {system.PATIENCE:g} s", FaultCode.KILL_VERY_SLOW
    return Fault(FaultKind.NOT_ENDED, f"its processes took {took} to end when they were killed", code=code)
