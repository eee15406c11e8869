"""Programs that games bring along (`arena`, `koth`), as pure machines: lines in, requests out.

Theory of operation
-------------------
A machine is a generator. It yields requests and is sent their answers; whoever runs it (`dohyo.app`) reads the lines,
prints, and keeps the processes. So a machine can be tested with a script instead of a process.

A game's `Command` says what its machine is called with, and so which requests it may make.

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
    Tell(key, details)                  nothing; a sentence from the table of words, in the operator's language
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
from dohyo.i18n import Catalogue


class Print(msgspec.Struct, frozen=True):
    """A line for the operator."""

    line: str


# --- with a program


class ReadLine(msgspec.Struct, frozen=True):
    """The operator's next line is wanted."""


class Start(msgspec.Struct, frozen=True):
    """The program is to be started."""


class Send(msgspec.Struct, frozen=True):
    """A line for the program."""

    line: str


class Receive(msgspec.Struct, frozen=True):
    """A line from the program is wanted, within so many seconds; `after` this line has been sent, if there is one."""

    seconds: float
    after: str | None = None


class CloseInput(msgspec.Struct, frozen=True):
    """The program's input ends."""


class Stop(msgspec.Struct, frozen=True):
    """The program is to be ended."""


# --- with a folder of bots


class Entrants(msgspec.Struct, frozen=True):
    """The folder's bots are wanted."""


class Entrant(msgspec.Struct, frozen=True):
    """One bot of the folder: its name, which no other bears; a sentence when it cannot play, and why.

    `log` is what its build printed, line by line, where that is why.
    """

    name: str
    refusal: str = ""
    log: tuple[str, ...] = ()


class Examine(msgspec.Struct, frozen=True):
    """A bot is to be tried out before it counts, in a match of this setup."""

    name: str
    setup: Mapping[str, Value]


class Play(msgspec.Struct, frozen=True):
    """A match is to be played: the bots by name, one a seat; its number in the contest, from 1; seed and setup."""

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
    """What came of a match: each bot's points, the key of what became of it, and every fault in order of turns.

    `disturbed` is for how many seconds Dohyo itself stood still, at the last of several attempts: where it is not 0,
    who was late may not be to blame, and the match should count for nobody.
    """

    scores: Mapping[str, float]
    fates: Mapping[str, str]
    lapses: tuple[Lapse, ...] = ()
    disturbed: float = 0.0


class Tell(msgspec.Struct, frozen=True):
    """A sentence for the operator: its key, and what fills its places. A `Tell` among those is said first."""

    key: str
    details: Mapping[str, object]


class Keep(msgspec.Struct, frozen=True):
    """A file for the operator."""

    name: str
    text: str


def tell(key: str, **details: object) -> Tell:
    """A sentence for the operator, as `OperatorError` is made."""
    return Tell(key, details)


OfProgram = ReadLine | Print | Start | Send | Receive | CloseInput | Stop
OfFolder = Entrants | Examine | Play | Tell | Print | Keep
Request = OfProgram | OfFolder
Machine = Generator[Request, Any, int]  # returns the exit status


class Takes(enum.Enum):
    """What a program of a game's own is called with."""

    PROGRAM = "a program and its arguments"  # its machine is made by machine()
    FOLDER = "a folder of bots"  # its machine is made by machine(seed, options by name)


class Command(msgspec.Struct, frozen=True):
    """A program of a game's own: its name, what it is for, its machine, and what it is called with.

    With a program, whatever else is written belongs to that. With a folder, `options` are the command's own choices,
    one letter or a word each; `clock` is the preset of the game that it plays with unless the operator says
    otherwise; `catalogue` holds its sentences, usually beside the game's.
    """

    name: str
    about: str
    machine: Callable[..., Machine]
    takes: Takes = Takes.PROGRAM
    options: tuple[Option, ...] = ()
    clock: str | None = None
    catalogue: Catalogue = msgspec.field(default_factory=dict)
