"""Programs for tests, which a test writes itself, and a clock that does not move until a test advances it.

No test here waits for time to pass. A bot that must be in time has a minute. A bot that has to be late hangs for
ever, and either its limit is short, or the players' clock is replaced by one that jumps past the limit as soon as the
event has happened that the test needs.
"""

from __future__ import annotations

import os
import select
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

from dohyo.core.clock import Clock
from dohyo.core.faults import Fault, FaultKind
from dohyo.match.players.per_match import NANO, PerMatchProcesses
from dohyo.match.processes.bot_process import BotProcess
from dohyo.match.processes.launch import Launch
from dohyo.match.processes.stopwatch import stopwatches

LONG = 60.0  # seconds: for a bot that must be in time on any machine
SHORT = 0.05  # seconds: for a bot that hangs for ever
TICK = 0.02  # seconds: a limit on a clock that stands still, so it only says how often anybody looks
PROMPT = b"EOD\n"

PRELUDE = """
import os, signal, sys

def write(descriptor, text):
    rest = text if isinstance(text, bytes) else text.encode()
    while rest:
        rest = rest[os.write(descriptor, rest):]

def say(text):
    write(1, text)

def complain(text):
    write(2, text)

def asked():
    '''Wait for a whole prompt; its lines. The end of the input is the end of the program.'''
    lines = []
    while not lines or lines[-1] != "EOD":
        line = sys.stdin.readline()
        if not line:
            sys.exit()
        lines.append(line.rstrip("\\n"))
    return lines

def hang():
    while True:
        signal.pause()

def tell(path):
    '''Wait until somebody reads this pipe, and let them go on.'''
    with open(path, "w") as pipe:
        pipe.write("on")

def wait_for(path):
    with open(path) as pipe:
        assert pipe.read() == "on"
"""


def stops(fault: Fault) -> bool:
    """What most games say: only a reply that was read and refused lets a program go on."""
    return fault.kind not in (FaultKind.MALFORMED, FaultKind.ILLEGAL)


class Workshop:
    """Makes programs in a folder, and takes care that all of them end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clock = Clock(turn=LONG)  # by which rings measure
        self.pondering = True
        self._made = 0
        self._groups: list[PerMatchProcesses] = []
        self._programs: list[BotProcess] = []

    def launch(self, body: str) -> Launch:
        """How to start a Python program with this text after the prelude."""
        path = self.folder / f"bot{self._made}.py"
        self._made += 1
        path.write_text(PRELUDE + textwrap.dedent(body))
        return Launch((sys.executable, "-I", "-S", str(path)), str(self.folder))

    def pipes(self, *names: str) -> None:
        """Make named pipes, by which programs `tell` and `wait_for` each other or the test."""
        for name in names:
            os.mkfifo(self.folder / name)

    def wait_for(self, name: str) -> None:
        """Wait until a program tells by this pipe."""
        assert (self.folder / name).read_text() == "on"

    def tell(self, name: str) -> None:
        """Let a program go on that waits for this pipe."""
        (self.folder / name).write_text("on")

    def tells(self, name: str) -> bool:
        """The same, if a program waits for it now; whether one does."""
        try:
            pipe = os.open(self.folder / name, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # nobody reads
            return False
        os.write(pipe, b"on")
        os.close(pipe)
        return True

    def start(self, *bodies: str) -> PerMatchProcesses:
        """A ring of started programs."""
        programs: list[BotProcess | None] = []
        for body in bodies:
            launch = self.launch(body)
            program = BotProcess(launch.command, launch.folder)
            self._programs.append(program)
            programs.append(program)
        self._groups.append(PerMatchProcesses(programs, None, stopwatches(self.clock), self.pondering))
        return self._groups[-1]

    def seat(self, *bodies: str) -> PerMatchProcesses:
        """A ring of programs that have said that they are ready."""
        players = self.start(*(f"say('READY\\n')\n{textwrap.dedent(body)}" for body in bodies))
        assert players.await_ready("READY", LONG) == {}
        return players

    def close(self) -> None:
        """End whatever is still there."""
        for players in self._groups:
            players.stop_all()
        for program in self._programs:
            if program.process.returncode is None:
                program.stop()


class Time:
    """A clock that stands at 0, and jumps when something has happened."""

    def __init__(self) -> None:
        self.nanoseconds = 0
        self.looks = 0
        self._jumps: list[tuple[Callable[[], object], float]] = []

    def __call__(self) -> int:
        self.looks += 1
        for jump in list(self._jumps):
            happened, seconds = jump
            if happened():
                self._jumps.remove(jump)
                self.nanoseconds += round(seconds * NANO)
        return self.nanoseconds

    def pass_when(self, happened: Callable[[], object], seconds: float) -> None:
        """Let `seconds` pass at the first look at which `happened()` is true.

        The very next look does not count: it is the one at which a ring's clock starts, and what happened before that
        would be charged to nobody.
        """
        start = self.looks + 1
        self._jumps.append((lambda: self.looks > start and happened(), seconds))

    def pass_after(self, looks: int, seconds: float) -> None:
        """Let `seconds` pass at the look after so many."""
        last = self.looks + looks
        self.pass_when(lambda: self.looks > last, seconds)


def await_output(descriptor: int) -> None:
    """Wait until something lies in a program's pipe, or its end; nothing is read."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    assert poll.poll(LONG * 1000)


def living(players: PerMatchProcesses, seat: int = 0) -> BotProcess:
    """The program on a seat."""
    program = players.programs[seat]
    assert program is not None
    return program
