"""How a bot can misbehave. A fault is a value, not an exception: the game's rules answer for the bot."""

from __future__ import annotations

import enum
from typing import Annotated

import msgspec
from msgspec import Meta


class FaultKind(enum.StrEnum):
    """Every way in which a bot can fail its turn, each clearly distinguished from the others."""

    NOT_READY = "not-ready"  # it never said that it is ready, within the time for that
    TIMEOUT = "timeout"  # no complete reply within the time limit
    EXITED = "exited"  # the process ended by itself; `status` is its exit status
    KILLED = "killed"  # a signal ended the process; `status` is the signal's number
    CLOSED = "closed"  # it closed its standard output and lives on
    MALFORMED = "malformed"  # the reply cannot be read
    ILLEGAL = "illegal"  # the reply can be read, but the rules do not allow it
    OUTPUT = "output"  # it wrote more than is allowed without being read
    MEMORY = "memory"  # it went over its memory limit
    TASKS = "tasks"  # it started more processes or threads than allowed
    DISK = "disk"  # it filled its disk
    FILES = "files"  # it has removed, closed or replaced its own folder
    NOT_ENDED = "not-ended"  # it, or what it had started, went on for long after it had been killed


REPORTED = "reported"  # what a referee that is another program calls an error of a bot: Dohyo knows no more of it
KINDS = frozenset({*(kind.value for kind in FaultKind), REPORTED})  # as results, stores and records have them

# Faults that are only notes if the player is already out: its answers do not count any more.
OF_ANSWERS = frozenset(
    {
        *(FaultKind.TIMEOUT, FaultKind.EXITED, FaultKind.KILLED, FaultKind.CLOSED),
        *(FaultKind.MALFORMED, FaultKind.ILLEGAL),
    }
)


class FaultCode(enum.StrEnum):
    """What exactly happened: the code of a fault that comes from a player's program, not from what a reply says.

    Programs compare codes; `Fault.detail` is for people. Each code names a sentence in every language's catalogue,
    `detail.<code>`.
    """

    # It did not answer in time.
    NO_ANSWER = "no-answer"
    ANSWER_LATE = "answer-late"
    BEHIND = "behind"
    NO_LINE = "no-line"
    NO_READY = "no-ready"
    READY_LATE = "ready-late"
    NO_OPTION = "no-option"  # of a UCI engine
    BAD_OPTION = "bad-option"
    NO_SETBOARD = "no-setboard"  # of an XBoard engine
    NO_VARIANT = "no-variant"  # of an XBoard engine
    CASTLING = "castling"  # written as in Chess960: a note
    NO_CONNECTION = "no-connection"  # of a server
    BAD_RESPONSE = "bad-response"
    NO_END = "no-end"
    END_LATE = "end-late"
    STRIKE = "strike"
    # It answered before it was asked, or wrote too much.
    EARLY = "early"
    FLOOD = "flood"
    LONG_LINE = "long-line"
    HELD = "held"  # it kept a pipe between it and the referee locked
    # It has ended, or its output has.
    EXIT = "exit"
    SIGNAL = "signal"
    CLOSED = "closed"
    CANNOT_START = "cannot-start"
    NO_START = "no-start"
    KILL_SLOW = "kill-slow"
    KILL_VERY_SLOW = "kill-very-slow"
    # A limit of its sandbox, or its folder.
    MEMORY = "memory"
    TASKS = "tasks"
    DISK = "disk"
    FOLDER_GONE = "folder-gone"
    FOLDER_MOVED = "folder-moved"
    FOLDER_CLOSED = "folder-closed"
    NEEDS_GONE = "needs-gone"
    FOLDER_NONE = "folder-none"


# The awaited line came, but too late.
CAME_LATE = frozenset({FaultCode.ANSWER_LATE, FaultCode.READY_LATE})


Span = Annotated[float, Meta(ge=0.0, le=1e9)]


class Proof(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What a turn's time consisted of when its player was judged by `fair` or `cpu`, all in seconds but the last.

    `charged` decided, and `limit` is what was allowed; `wall` is what a watch showed, up to the answer or to the last
    moment without one; `cpu` the time that the program, with all that it started, ran on processors, at most: of it,
    `doubt` may have been shortly before this turn. Of the rest, it
    `waited` for a processor, was `stalled` until the machine brought pages of its memory, or waited for what was
    `ours`: the referee's own waits, and what a hypervisor took. What is left it slept. `load` is the machine's load
    average of a minute.
    """

    charged: Span
    limit: Span
    wall: Span
    cpu: Span = 0.0
    waited: Span = 0.0
    stalled: Span = 0.0
    ours: Span = 0.0
    load: Span = 0.0
    doubt: Span = 0.0


class Fault(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One misbehaviour: its kind, in words what exactly happened, and the exit status or signal, if any.

    A `note` is reported but does not count against the player: it was already out, or what it meant was clear, and
    the result is the same. `code` is the `FaultCode` if the fault came from the player's program. `proof` is there if
    it was late by a clock that measures more than wall time.
    """

    kind: FaultKind
    detail: str = ""
    status: int | None = None
    note: bool = False
    code: str = ""
    proof: Proof | None = None
