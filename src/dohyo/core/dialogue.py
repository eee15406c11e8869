"""Programs that games bring along (`arena`, `koth`), as pure machines: lines in, requests out.

Theory of operation
-------------------
A machine is a generator. It yields requests and is sent their answers; whoever runs it (`dohyo.run`) reads the lines,
prints, and keeps the processes. So a machine can be tested with a script instead of a process.

    request             answer
    ReadLine()          the next line of the operator's input without its newline; None at its end
    Print(line)         nothing
    Start()             nothing; a Fault when the program cannot be started
    Send(line)          nothing (a program that no longer reads will show it at the next Receive)
    Receive(seconds)    the program's next line; a Fault when there is none, and why
    CloseInput()        nothing; the program's input has ended, what it still writes can be received
    Stop()              nothing; the program is ended now, and what it had written is forgotten

Lines are text in which bytes that are not UTF-8 stand as lone surrogates ("surrogateescape"), so that what comes in
goes out the same.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

import msgspec

from dohyo.core.faults import Fault


class ReadLine(msgspec.Struct, frozen=True):
    """The operator's next line is wanted."""


class Print(msgspec.Struct, frozen=True):
    """A line for the operator."""

    line: str


class Start(msgspec.Struct, frozen=True):
    """The program is to be started."""


class Send(msgspec.Struct, frozen=True):
    """A line for the program."""

    line: str


class Receive(msgspec.Struct, frozen=True):
    """A line from the program is wanted, within so many seconds."""

    seconds: float


class CloseInput(msgspec.Struct, frozen=True):
    """The program's input ends."""


class Stop(msgspec.Struct, frozen=True):
    """The program is to be ended."""


Request = ReadLine | Print | Start | Send | Receive | CloseInput | Stop
Answer = str | Fault | None
Machine = Generator[Request, Any, int]  # returns the exit status


class Command(msgspec.Struct, frozen=True):
    """A program of a game's own: its name, what it is for, and its machine.

    It is called with a program and that program's arguments, and reads the operator's lines from standard input.
    """

    name: str
    about: str
    machine: Callable[[], Machine]
