"""Commands that games provide (`arena`, `koth`), as pure state machines: lines in, requests out.

Theory of operation
-------------------
A machine is a generator. It yields requests and is sent their answers; the code that runs it, which is a guest's
(`docs/doors.md`), reads lines, prints, and owns the processes. So a machine can be tested with a script instead of a
process.

A game's `Command` says which arguments its machine gets, and therefore which requests it may make.

With a program and its arguments (`Takes.PROGRAM`); the operator's lines come from standard input:

    request             answer
    ReadLine()          the next line of the operator's input without its newline; None at its end
    Print(line)         nothing
    Start()             nothing; a Fault when the program cannot be started
    Send(line)          nothing (a program that no longer reads will show it at the next Receive)
    Receive(seconds)    the program's next line; a Fault when there is none, and why
                        (with a line for the program first: Receive(seconds, line))
    CloseInput()        nothing; the program's input has ended, what it still writes can be received
    Stop()              nothing; the program is ended now, and what it had written is forgotten

With a folder of bots and options (`Takes.FOLDER`):

    request                             answer
    Entrants()                          the folder's bots, built, each an Entrant; in order of their files' names
    Examine(name, setup)                sentences about what is wrong with this bot; none of them when nothing is
    Play(names, number, seed, setup)    what came of the match, a Played; None when it was interrupted: to end soon
    Message(key, values)                nothing; it is said in the operator's language
    Print(line)                         nothing
    Keep(name, text)                    nothing; a file among the results, written whole, in the place of an older one

The bots' own files last from one Play to the next. A machine that cannot go on raises `OperatorError`.

Lines are text in which bytes that are not UTF-8 stand as lone surrogates ("surrogateescape"), so that what comes in
goes out the same.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Generator, Mapping
from typing import Any

import msgspec

from dohyo.core.faults import FaultKind
from dohyo.core.options import Option, Value
from dohyo.i18n import Catalogue, Message


class Print(msgspec.Struct, frozen=True):
    """A line for the operator."""

    line: str


# --- with a program


class ReadLine(msgspec.Struct, frozen=True):
    """Asks for the operator's next line."""


class Start(msgspec.Struct, frozen=True):
    """Asks to start the program."""


class Send(msgspec.Struct, frozen=True):
    """A line for the program."""

    line: str


class Receive(msgspec.Struct, frozen=True):
    """Asks for a line from the program, within so many seconds; the line `after` is sent first, if there is one."""

    seconds: float
    after: str | None = None


class CloseInput(msgspec.Struct, frozen=True):
    """Asks to close the program's input."""


class Stop(msgspec.Struct, frozen=True):
    """Asks to end the program."""


# --- with a folder of bots


class Entrants(msgspec.Struct, frozen=True):
    """Asks for the folder's bots."""


class Entrant(msgspec.Struct, frozen=True):
    """One bot of the folder: its name, which is unique; if it cannot play, a sentence that says why.

    `log` is what its build printed, line by line, if the build failed.
    """

    name: str
    refusal: str = ""
    log: tuple[str, ...] = ()


class Examine(msgspec.Struct, frozen=True):
    """Asks to try out a bot before it counts, in a match of this setup."""

    name: str
    setup: Mapping[str, Value]


class Play(msgspec.Struct, frozen=True):
    """Asks for a match: the bots by name, one for each seat; its number in the contest, from 1; seed and setup."""

    names: tuple[str, ...]
    number: int
    seed: int
    setup: Mapping[str, Value]


class Lapse(msgspec.Struct, frozen=True):
    """A bot's fault: in which turn of the replay, of which kind, and whether it had written an answer."""

    bot: str
    turn: int
    kind: FaultKind
    answered: bool


class Played(msgspec.Struct, frozen=True):
    """The result of a match: for each bot its points and the key of its outcome; and every fault in order of turns.

    `disturbed` is for how many seconds Dohyo itself stood still in the last of several attempts: if it is not 0, a
    late bot may not be to blame, and the match should not count.
    """

    scores: Mapping[str, float]
    fates: Mapping[str, str]
    lapses: tuple[Lapse, ...] = ()
    disturbed: float = 0.0


class Keep(msgspec.Struct, frozen=True):
    """A file for the operator."""

    name: str
    text: str


OfProgram = ReadLine | Print | Start | Send | Receive | CloseInput | Stop
OfFolder = Entrants | Examine | Play | Message | Print | Keep
Request = OfProgram | OfFolder
Machine = Generator[Request, Any, int]  # returns the exit status


class Takes(enum.Enum):
    """The arguments that a game's command takes."""

    PROGRAM = "a program and its arguments"  # its machine is made by machine()
    FOLDER = "a folder of bots"  # its machine is made by machine(seed, options by name)


class Command(msgspec.Struct, frozen=True):
    """A command of a game: its name, what it is for, its machine, and its arguments.

    If it takes a program, all further words are the program's arguments. If it takes a folder, `options` are the
    command's own options, each one letter or a word; `clock` is the game's preset that it uses by default;
    `catalogue` holds its sentences, usually together with the game's.
    """

    name: str
    about: str
    machine: Callable[..., Machine]
    takes: Takes = Takes.PROGRAM
    options: tuple[Option, ...] = ()
    clock: str | None = None
    catalogue: Catalogue = msgspec.field(default_factory=dict)
