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
from collections.abc import Mapping
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from dohyo.core.errors import OperatorError
from dohyo.core.faults import BEFORE_READY, BY_WALL, KEPT, Fault, FaultCode, FaultKind
from dohyo.i18n import Message
from dohyo.match.processes.ending import PATIENCE

UNREAD = Message("detail.unread")
KEEPS_OPEN = Message("detail.keeps-open")


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
    """What is awaited from a player: the kind of fault and the codes, if it is `missing` or `late`."""

    kind: FaultKind
    missing: FaultCode
    late: FaultCode
    values: Mapping[str, str] = {}
    before: tuple[Message, ...] = ()  # follows how it ended
    is_line: bool = True  # a line without its newline is not yet what is awaited
    is_end: bool = False  # what is awaited is the end itself, and all output before it


ANSWER = Awaited(FaultKind.TIMEOUT, FaultCode.NO_ANSWER, FaultCode.ANSWER_LATE)
# For a player whose late answer to an earlier turn has come meanwhile.
ANSWER_BEHIND = ANSWER._replace(missing=FaultCode.BEHIND)
LINE = ANSWER._replace(missing=FaultCode.NO_LINE)
END_OF_TURN = Awaited(FaultKind.TIMEOUT, FaultCode.NO_END, FaultCode.END_LATE, is_line=False, is_end=True)


def ready(word: str) -> Awaited:
    """What is awaited when a program has to print the line `word` to say that it is ready."""
    return Awaited(
        FaultKind.NOT_READY, FaultCode.NO_READY, FaultCode.READY_LATE, {"word": word}, before=(BEFORE_READY,)
    )


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
    behind = (BY_WALL,) if by_watch else ()
    if seen.flooded and not (came and awaited.kind is FaultKind.NOT_READY):
        return Fault(FaultKind.OUTPUT, FaultCode.FLOOD, also=awaited.before)
    if came:
        return seen.verdict(Fault(awaited.kind, awaited.late, dict(awaited.values), also=behind)) if late else None
    is_partial = awaited.is_line and bool(seen.partial)
    rest = (Message("detail.no-newline", {"line": seen.partial}),) if is_partial else ()
    if ended is not None and not seen.stdout_open:
        return replace(ended, also=(*ended.also, *awaited.before, *rest))
    if not late or ending:
        return None
    if ended is not None:
        return replace(ended, also=(*ended.also, *awaited.before, KEEPS_OPEN))
    if not seen.stdout_open:
        return seen.verdict(Fault(FaultKind.CLOSED, FaultCode.CLOSED, also=rest))
    unread = (UNREAD,) if seen.has_unsent else ()
    missing = Fault(awaited.kind, awaited.missing, dict(awaited.values), also=(*behind, *unread, *rest))
    return seen.verdict(missing)


def early(reply: str) -> Fault:
    """The fault beside an answer that was there before its question."""
    return Fault(FaultKind.MALFORMED, FaultCode.EARLY, {"line": reply[:KEPT]})


def too_long() -> Fault:
    """The fault of a line that is too long."""
    return Fault(FaultKind.OUTPUT, FaultCode.LONG_LINE)


def strike(number: int, most: int, seconds: float) -> Fault:
    """The fault of a late answer that counted nevertheless: which strike of how many, and by how much it was late."""
    return Fault(FaultKind.TIMEOUT, FaultCode.STRIKE, {"strike": number, "strikes": most, "seconds": seconds})


def ended(status: int) -> Fault:
    """The fault of a process that ended: by its exit status, or minus the number of a signal."""
    if status >= 0:
        return Fault(FaultKind.EXITED, FaultCode.EXIT, status=status)
    return Fault(FaultKind.KILLED, FaultCode.SIGNAL, status=-status)


def not_started(reason: str | Message | OperatorError | OSError) -> Fault:
    """The fault of a program that could not be started, with the reason."""
    return Fault(FaultKind.EXITED, FaultCode.CANNOT_START, {"reason": reason})


def slow_to_end(waited: float) -> Fault:
    """The fault of a program whose processes took so many seconds to end when killed; infinity if some still run."""
    if math.isfinite(waited):
        return Fault(FaultKind.NOT_ENDED, FaultCode.KILL_SLOW, {"seconds": round(waited, 1)})
    return Fault(FaultKind.NOT_ENDED, FaultCode.KILL_VERY_SLOW, {"seconds": PATIENCE})
