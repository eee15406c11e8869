"""Errands: programs that live for one turn. What one is asked is its last argument, its whole output is the answer.

Theory of operation
-------------------
A seat's program is started when it is asked, with the prompt as one more argument, nothing to read, and its own
folder to keep files in. It is done when its output has ended and its process too, as the original controller waited
for it. As many run side by side as there are cores, and each has its own clock: it starts when the process has been
started, and is read when the lookout sees the end of it. A program that is late is killed at once, with its whole
group; its place is taken by the next when it is gone. What is slow to die is waited for when nobody's clock runs any
more: by a fork of forks, a bot could cost the others their time. If even that takes long, its answer is void.

Beside the replay there is the author's log (`errlog.txt`): after a turn, what the program wrote to standard error and
what was wrong with its answer are added to that file. The program may write there too.
"""

from __future__ import annotations

import math
import os
import stat
from collections.abc import Iterable, Mapping
from contextlib import ExitStack, suppress
from time import monotonic_ns

from dohyo.core.errors import OperatorError
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.referee import Answer
from dohyo.core.replay import Move
from dohyo.interrupts import Shield
from dohyo.runner import system
from dohyo.runner.heartbeat import Heartbeat
from dohyo.runner.kept import Kept
from dohyo.runner.launch import NO_ROOM, Launch
from dohyo.runner.lookout import Lookout
from dohyo.runner.program import Program
from dohyo.runner.stopwatch import BY_WATCH, Stopwatch, Watches

NANO = 1_000_000_000
TURN = "DOHYO_TURN"  # a bot that draws lots and lives for a turn makes its numbers from this and DOHYO_SEED
SOON = 0.002  # seconds in which what was killed is gone, as a rule
LOOK = 5_000_000  # nanoseconds between looks at what is slow to go, while somebody waits for its place
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
OWN = stat.S_IRUSR | stat.S_IXUSR
LOG = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
LONGEST_LOG = 16 * 1024 * 1024  # bytes; from there on the author's log only grows by what the program itself writes


class Errand:
    """One program's run for one turn."""

    def __init__(self, program: Program, limit: float, behind: float, watch: Stopwatch | None) -> None:
        self.program = program
        self.watch = watch
        if watch is not None:
            watch.start(limit, behind)
            watch.asked(is_whole=True)  # its input is an argument
        self.start = monotonic_ns()
        self._limit = int(limit * NANO)
        self.doomed: Fault | None = None  # why it has been killed
        self.seconds = 0.0

    def is_done(self, now: int) -> bool:
        """Whether its answer, or what came in its place, is known; kills it when that is due."""
        program = self.program
        if self.doomed is None:
            self.seconds = round((now - self.start) / NANO, 6)
            late = self._is_late(now - self.start)
            if program.flooded:
                self._doom(Fault(FaultKind.OUTPUT, "more output than anybody reads"))
            elif late and not program.ending:
                self._doom(self._too_late())
        ended = program.how_it_ended()
        return ended is not None and (self.doomed is not None or not program.stdout_open)

    @property
    def next_look(self) -> int:
        """When it may be late, as a moment of the clock; where its output has ended, its end is awaited longer."""
        late = self.start + (self._limit if self.watch is None else self.watch.next_look)
        return late if self.program.stdout_open else max(late, monotonic_ns() + self.program.ending)

    def _is_late(self, elapsed: int) -> bool:
        if self.watch is None:
            return elapsed >= self._limit
        program = self.program
        return self.watch.is_late(elapsed, program.flooded or not program.stdout_open)

    def _doom(self, fault: Fault) -> None:
        self.doomed = fault
        self.program.kill()

    def _too_late(self) -> Fault:
        ended = self.program.how_it_ended()
        if not self.program.stdout_open:
            if ended is not None:
                return self.program.verdict(Fault(FaultKind.TIMEOUT, "its process ended too late"))
            return self.program.verdict(Fault(FaultKind.CLOSED, "closed its standard output and went on running"))
        if ended is not None:
            return Fault(ended.kind, f"{ended.detail}; a process that it started keeps its output open", ended.status)
        by_watch = BY_WATCH if self.watch is not None and self.watch.by_watch else ""
        return self.program.verdict(Fault(FaultKind.TIMEOUT, "its process did not end in time" + by_watch))

    def answer(self) -> Answer:
        """What it said, once it is done, with all that was measured."""
        return self._said() if self.watch is None else self.watch.sign(self._said())

    def _said(self) -> Answer:
        """A failure beside an answer is told and changes nothing."""
        program = self.program
        ended = self.doomed or program.how_it_ended()
        failed = ended is not None and (ended is self.doomed or ended.kind is FaultKind.KILLED or bool(ended.status))
        faults = (ended,) if failed and ended is not None else ()
        said = program.take_all()
        if faults and (self.doomed is not None or not said.strip()):
            return Answer(None, faults, self.seconds)
        return Answer(said.strip("\n"), faults, self.seconds)


class Errands:
    """The seats whose programs live for one turn."""

    def __init__(
        self,
        launches: Mapping[int, Launch],
        shield: Shield,
        comment: str = "",
        watches: Watches | None = None,
        heartbeat: Heartbeat | None = None,
    ) -> None:
        """`launches` tells how each seat's program is started; `shield` is opened while they are awaited.

        `watches` makes a stopwatch for each program (none: the clock is a plain watch). `heartbeat` looks after the
        waiting.
        """
        self.launches = dict(launches)
        self.ran: dict[int, float | None] = {}  # by seat: what its programs took so far
        self._watches = watches
        self._behind: Mapping[int, float] = {}
        self._comment = comment
        self._lookout = Lookout(shield, heartbeat)
        self._errors = {seat: Kept() for seat in launches}
        self._folders = {seat: opened(launch.folder) for seat, launch in launches.items() if launch.log}
        self._running: dict[int, Errand] = {}
        self._dying: dict[int, Errand] = {}  # their answers are known
        self._are_waiting = False  # whether somebody waits for a place

    def ask(
        self,
        turn: int,
        prompts: Mapping[int, bytes],
        limits: Mapping[int, float],
        behind: Mapping[int, float] | None = None,
    ) -> dict[int, Answer]:
        """Run one program for every seat asked, at most `limits[seat]` seconds; all of them are gone afterwards.

        With stopwatches, it is at most `behind[seat]` by the watch. Each finds the number of the turn in its
        environment, beside what `launches` says.
        """
        self._behind = behind or limits
        waiting = list(prompts)[::-1]
        at_once = max(1, len(system.cores()))
        answers: dict[int, Answer] = {}
        self._lookout.heartbeat.start()
        while waiting or self._running or self._dying:
            while waiting and len(self._running) + len(self._dying) < at_once:
                seat = waiting.pop()
                if (failed := self._start(seat, turn, prompts[seat], limits[seat])) is not None:
                    answers[seat] = failed
            self._are_waiting = bool(waiting)
            if self._running:
                self._lookout.heartbeat.resume()
                self._lookout.take_in(self._time_left())
                answers.update(self._collect())
            self._bury(answers)
        return answers

    def _bury(self, answers: Mapping[int, Answer]) -> None:
        """Clear away those that are gone; where nobody's clock runs, wait for the others. Nobody is charged."""
        start = monotonic_ns()
        for seat in [*self._dying]:
            if not self._running or math.isfinite(system.collect(self._dying[seat].program.process, SOON)):
                self._stop(seat, answers[seat])
        took = monotonic_ns() - start
        for errand in self._running.values():
            errand.start += took

    def _start(self, seat: int, turn: int, prompt: bytes, limit: float) -> Answer | None:
        """Start the seat's program; an answer only when that fails."""
        launch = self.launches[seat]
        if seat in self._folders and (trouble := trouble_with(launch.folder, self._folders[seat])):
            return Answer(None, (Fault(FaultKind.FILES, trouble),))
        words = (*launch.command, os.fsdecode(prompt))
        environment = {**(os.environ if launch.environment is None else launch.environment), TURN: str(turn)}
        try:
            errors, sandbox_factory = self._errors[seat], launch.sandbox_factory
            program = Program(
                words, launch.folder, environment, self._comment, errors=errors, sandbox_factory=sandbox_factory
            )
        except OSError as error:
            if error.errno in NO_ROOM:
                raise OperatorError("no-room-for-programs", reason=error.strerror) from error
            return Answer(None, (Fault(FaultKind.EXITED, f"could not be started: {error.strerror}"),))
        with ExitStack() as undo:
            undo.callback(program.stop)
            watch = None if self._watches is None else self._watches(program)
            if watch is not None:
                undo.callback(watch.close)
            self._running[seat] = Errand(program, limit, self._behind[seat], watch)
            undo.pop_all()
        program.close_input()
        self._lookout.add(program)
        self._lookout.follow_exit(program)
        return None

    def _time_left(self) -> int:
        """Nanoseconds until the first of those that run is late; one that has been killed is only awaited."""
        ends = [errand.next_look for errand in self._running.values() if errand.doomed is None]
        left = min(ends) - monotonic_ns() if ends else NANO
        return min(left, LOOK) if self._dying and self._are_waiting else left

    def _collect(self) -> dict[int, Answer]:
        """The answers of those that are done; they are killed, and so is what they have left."""
        now = monotonic_ns()  # once: ending one program must not make the others late
        answers = {}
        for seat, errand in list(self._running.items()):
            if errand.is_done(now):
                answers[seat] = errand.answer()
                self._end(seat)
        return answers

    def _end(self, seat: int) -> None:
        """Kill a program; `_stop` waits for its end."""
        errand = self._dying[seat] = self._running.pop(seat)
        with ExitStack() as ends:
            ends.callback(errand.program.kill)
            if errand.watch is not None:
                ends.callback(errand.watch.close)
            self._lookout.remove(errand.program)

    def _stop(self, seat: int, answer: Answer | None = None) -> None:
        """Wait until a program that was killed is gone, and complete its answer; void where that takes too long."""
        program = self._dying.pop(seat).program
        ran = program.stop()
        self.ran[seat] = None if ran is None else (self.ran.get(seat) or 0.0) + ran
        if answer is None:
            return
        answer.stderr, answer.stderr_dropped, answer.comments, answer.comments_dropped = program.take_asides()
        if program.overdue is not None:
            answer.reply, answer.faults = None, (*answer.faults, program.overdue)

    def stop_all(self) -> None:
        """End all that still run (after an exception, an interrupt say); nothing can be asked afterwards."""
        while self._folders:
            if (folder := self._folders.popitem()[1]) is not None:
                os.close(folder)
        with ExitStack() as ends:  # a defect of ours with one must not keep the others from ending
            for seat in {**self._running, **self._dying}:
                ends.callback(self._stop, seat)
            for seat in self._running:  # first: all are killed before the first is waited for
                ends.callback(self._end, seat)

    # --- the authors' logs

    def log(self, turn: int, moves: Iterable[Move]) -> None:
        """Add to the logs of the seats that have one what their programs complained of, and what was wrong."""
        for move in moves:
            launch, folder = self.launches.get(move.seat), self._folders.get(move.seat)
            if launch is None or folder is None:
                continue
            told = [f"[dohyo] turn {turn}: {fault.kind.value}: {fault.detail}\n" for fault in move.faults]
            if text := move.stderr + ("\n" if move.stderr and move.stderr[-1] != "\n" else "") + "".join(told):
                append(folder, launch.log, text.encode("utf-8", "replace"))


def opened(path: str) -> int | None:
    """A descriptor of a folder; none where it is none any more, by what its program did in another match."""
    try:
        return os.open(path, FOLDER)
    except OSError:
        return None


def trouble_with(path: str, folder: int | None) -> str:
    """What its program has done to the folder that is open, and was at `path`; empty when it can be started there.

    It may have put another one there, or a link, or have taken from its owner, that is us, the right to go there.
    """
    try:
        found = os.lstat(path)
        if folder is None or not os.path.samestat(found, os.fstat(folder)):
            return "its folder is not where it was"
    except OSError:
        return "its folder is gone"
    return "" if found.st_mode & OWN == OWN else "it has closed its own folder"


def append(folder: int, name: str, text: bytes) -> None:
    """Add to a file that a stranger's program has in its hands: never through a link, never where it would block.

    What cannot be written is lost, since the same stands in the replay.
    """
    with suppress(OSError):
        file = os.open(name, LOG, 0o644, dir_fd=folder)
        try:
            status = os.fstat(file)
            if stat.S_ISREG(status.st_mode) and status.st_nlink == 1 and status.st_size < LONGEST_LOG:
                os.write(file, text)
        finally:
            os.close(file)
