"""How a bot can misbehave. A fault is a value: the game's rules answer it, nobody catches it."""

from __future__ import annotations

import enum

import msgspec


class FaultKind(enum.StrEnum):
    """Every way a bot can fail its turn; no two of them are ever mixed up."""

    NOT_READY = "not-ready"  # it never said that it is ready, within the time for that
    TIMEOUT = "timeout"  # no complete reply within the time limit
    EXITED = "exited"  # the process ended by itself; `status` is its exit status
    KILLED = "killed"  # a signal ended the process; `status` is the signal's number
    CLOSED = "closed"  # it closed its standard output and lives on
    MALFORMED = "malformed"  # the reply cannot be read
    ILLEGAL = "illegal"  # the reply can be read, but the rules do not allow it
    OUTPUT = "output"  # it wrote more than anybody would read
    MEMORY = "memory"  # it went over its memory limit
    TASKS = "tasks"  # it started more processes or threads than allowed
    DISK = "disk"  # it filled its disk
    FILES = "files"  # its own folder is gone, closed, or another one: it has done that itself
    NOT_ENDED = "not-ended"  # it, or what it had started, went on for long after it had been killed


# What is no more than a note where the player is out already: its answers do not count any more.
OF_ANSWERS = frozenset(
    {
        *(FaultKind.TIMEOUT, FaultKind.EXITED, FaultKind.KILLED, FaultKind.CLOSED),
        *(FaultKind.MALFORMED, FaultKind.ILLEGAL),
    }
)


class Fault(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One misbehaviour: its kind, in words what exactly happened, and the exit status or signal if there is one.

    A `note` is told and held against nobody: the player was out already, and the result is the same.
    """

    kind: FaultKind
    detail: str = ""
    status: int | None = None
    note: bool = False
