"""Players that are processes which live for one turn: the prompt is the last argument, the whole output the answer.

Theory of operation
-------------------
A seat's program is started when it is asked, with the prompt as one more argument, nothing to read, and its own
folder to keep files in. It is done when its output has ended and its process too, as the original controller waited
for it. As many run side by side as there are cores, and each has its own clock: it starts when the process has been
started, and is read when the poller sees the end of it. A program that is late is killed at once, with its whole
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
from typing import TYPE_CHECKING

from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.core.referee import Answer
from dohyo.core.replay import Move
from dohyo.interrupts import DeferSignals
from dohyo.runner import system, verdict
from dohyo.runner.bot_process import BotProcess, BoundedTail, launched
from dohyo.runner.heartbeat import Heartbeat
from dohyo.runner.launch import Launch
from dohyo.runner.player import NANO, Asides, Player
from dohyo.runner.poller import Poller

if TYPE_CHECKING:
    from dohyo.runner.stopwatch import Stopwatch, Watches

TURN = "DOHYO_TURN"  # a bot that draws lots and lives for a turn makes its numbers from this and DOHYO_SEED
SOON = 0.002  # seconds in which what was killed is gone, as a rule
LOOK = 5_000_000  # nanoseconds between looks at what is slow to go, while somebody waits for its place
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
OWN = stat.S_IRUSR | stat.S_IXUSR
LOG = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
LONGEST_LOG = 16 * 1024 * 1024  # bytes; from there on the author's log only grows by what the program itself writes


class PerTurnProcess(Player):
    """One seat whose program is started for each turn; between turns it has no process."""

    def __init__(self, launch: Launch, poller: Poller, comment: str, watches: Watches | None) -> None:
        """`launch` tells how it is started; `watches` makes a stopwatch for each process."""
        self.launch = launch
        self.start = 0  # when its clock started
        self.doomed: Fault | None = None  # why it has been killed
        self._poller = poller
        self._comment = comment
        self._watches = watches
        self._process: BotProcess | None = None
        self._watch: Stopwatch | None = None
        self._errors = BoundedTail()
        self._limit = self._behind = 0.0
        self._seconds = 0.0
        self._folder = opened(launch.folder) if launch.log else None

    @property
    def process(self) -> BotProcess:
        """The process of this turn."""
        assert self._process is not None
        return self._process

    def begin(self, limit: float, behind: float) -> None:
        """Its next process has so much time."""
        self._limit, self._behind = limit, behind

    def ask(self, prompt: bytes, turn: int) -> Answer | None:
        """Start its process; an answer only when that fails."""
        launch = self.launch
        if launch.log and (trouble := trouble_with(launch.folder, self._folder)):
            return Answer(None, (trouble,))
        words = (*launch.command, os.fsdecode(prompt))
        environment = {**(os.environ if launch.environment is None else launch.environment), TURN: str(turn)}
        process = launched(launch, self._comment, words, environment, self._errors)
        if isinstance(process, Fault):
            return Answer(None, (process,))
        with ExitStack() as undo:
            undo.callback(process.stop)
            watch = None if self._watches is None else self._watches(process)
            if watch is not None:
                undo.callback(watch.close)
                watch.start(self._limit, self._behind)
                watch.asked(is_whole=True)  # its input is an argument
            self._process, self._watch = process, watch
            self.doomed, self._seconds = None, 0.0
            self.start = monotonic_ns()
            undo.pop_all()
        process.close_input()
        self._poller.add(process)
        self._poller.follow_exit(process)
        return None

    def answer(self, now: int) -> Answer | None:
        """Its answer, or what came in its place; none while it is awaited. It is killed when that is due."""
        process = self.process
        if self.doomed is None:
            self._seconds = round((now - self.start) / NANO, 6)
            late, by_watch = self._is_late(now - self.start)
            self.doomed = verdict.judge(process, verdict.END_OF_TURN, False, late, by_watch)
            if self.doomed is not None:
                process.kill()
        ended = process.how_it_ended()
        if ended is None or (self.doomed is None and process.stdout_open):
            return None
        said = self._said(ended)
        return said if self._watch is None else self._watch.sign(said)

    def _is_late(self, elapsed: int) -> tuple[bool, bool]:
        """Whether its time is over, and whether only by the watch behind its own clock."""
        if self._watch is None:
            return elapsed >= int(self._limit * NANO), False
        process = self.process
        late = self._watch.is_late(elapsed, process.flooded or not process.stdout_open)
        return late, self._watch.by_watch

    def time_left(self, now: int) -> int:
        """Nanoseconds until it may be late; where its output has ended, its end is awaited longer."""
        next_look = int(self._limit * NANO) if self._watch is None else self._watch.next_look
        left = self.start + next_look - now
        return left if self.process.stdout_open else max(left, self.process.ending)

    def _said(self, ended: Fault) -> Answer:
        """What it said, now that it is done. A failure beside an answer is told and changes nothing."""
        failed = self.doomed or (ended if ended.kind is FaultKind.KILLED or ended.status else None)
        faults = () if failed is None else (failed,)
        said = self.process.take_all()
        if failed is not None and (self.doomed is not None or not said.strip()):
            return Answer(None, faults, self._seconds)
        return Answer(said.strip("\n"), faults, self._seconds)

    def pause(self) -> None:
        """Nothing: it has no process between turns."""

    def resume(self) -> None:
        """Nothing: see `pause`."""

    def kill(self) -> None:
        """Kill its process group, and watch it no longer; `stop` waits for its end."""
        with ExitStack() as ends:
            ends.callback(self.process.kill)
            if self._watch is not None:
                ends.callback(self._watch.close)
            self._poller.remove(self.process)

    def stop(self) -> Asides:
        """Wait until its process, which was killed, is gone; what it wrote besides."""
        process = self.process
        ran = process.stop()
        self.ran = None if ran is None else (self.ran or 0.0) + ran
        self.overdue = process.overdue
        return self.take_asides()

    def take_asides(self) -> Asides:
        """What it wrote besides."""
        return self.process.take_asides()

    def add_to_log(self, turn: int, move: Move) -> None:
        """Add to its author's log, if it has one, what it complained of in a turn, and what was wrong."""
        if self._folder is None:
            return
        told = [f"[dohyo] turn {turn}: {fault.kind.value}: {fault.detail}\n" for fault in move.faults]
        if text := move.stderr + ("\n" if move.stderr and move.stderr[-1] != "\n" else "") + "".join(told):
            append(self._folder, self.launch.log, text.encode("utf-8", "replace"))

    def close(self) -> None:
        """It is asked no more."""
        folder, self._folder = self._folder, None
        if folder is not None:
            os.close(folder)


class PerTurnProcesses:
    """The seats whose programs live for one turn."""

    def __init__(
        self,
        launches: Mapping[int, Launch],
        signals: DeferSignals,
        comment: str = "",
        watches: Watches | None = None,
        heartbeat: Heartbeat | None = None,
    ) -> None:
        """`launches` tells how each seat's program is started; `signals` take effect while they are awaited.

        `watches` makes a stopwatch for each process (none: the clock is a plain watch). `heartbeat` looks after the
        waiting.
        """
        self._poller = Poller(signals, heartbeat)
        self._players = {
            seat: PerTurnProcess(launch, self._poller, comment, watches) for seat, launch in launches.items()
        }
        self._running: dict[int, PerTurnProcess] = {}
        self._dying: dict[int, PerTurnProcess] = {}  # their answers are known
        self._are_waiting = False  # whether somebody waits for a place

    def __contains__(self, seat: int) -> bool:
        """Whether the seat's program lives for a turn."""
        return seat in self._players

    @property
    def ran(self) -> dict[int, float | None]:
        """By seat: processor seconds that its processes took so far."""
        return {seat: player.ran for seat, player in self._players.items()}

    def ask(
        self,
        turn: int,
        prompts: Mapping[int, bytes],
        limits: Mapping[int, float],
        behind: Mapping[int, float] | None = None,
    ) -> dict[int, Answer]:
        """Run one process for every seat asked, at most `limits[seat]` seconds; all of them are gone afterwards.

        With stopwatches, it is at most `behind[seat]` by the watch. Each finds the number of the turn in its
        environment, beside what `launches` says.
        """
        waiting = list(prompts)[::-1]
        at_once = max(1, len(system.cores()))
        answers: dict[int, Answer] = {}
        self._poller.heartbeat.start()
        while waiting or self._running or self._dying:
            while waiting and len(self._running) + len(self._dying) < at_once:
                seat = waiting.pop()
                self._players[seat].begin(limits[seat], (behind or limits)[seat])
                if (failed := self._start(seat, turn, prompts[seat])) is not None:
                    answers[seat] = failed
            self._are_waiting = bool(waiting)
            if self._running:
                self._poller.heartbeat.resume()
                self._poller.take_in(self._time_left())
                answers.update(self._collect())
            self._bury(answers)
        return answers

    def _start(self, seat: int, turn: int, prompt: bytes) -> Answer | None:
        """Start the seat's process; an answer only when that fails."""
        failed = self._players[seat].ask(prompt, turn)
        if failed is None:
            self._running[seat] = self._players[seat]
        return failed

    def _bury(self, answers: Mapping[int, Answer]) -> None:
        """Clear away those that are gone; where nobody's clock runs, wait for the others. Nobody is charged."""
        start = monotonic_ns()
        for seat in [*self._dying]:
            if not self._running or math.isfinite(system.collect(self._dying[seat].process.process, SOON)):
                self._stop(seat, answers[seat])
        took = monotonic_ns() - start
        for player in self._running.values():
            player.start += took

    def _time_left(self) -> int:
        """Nanoseconds until the first of those that run is late; one that has been killed is only awaited."""
        now = monotonic_ns()
        left = min(
            [player.time_left(now) for player in self._running.values() if player.doomed is None], default=NANO
        )
        return min(left, LOOK) if self._dying and self._are_waiting else left

    def _collect(self) -> dict[int, Answer]:
        """The answers of those that are done; they are killed, and so is what they have left."""
        now = monotonic_ns()  # once: ending one process must not make the others late
        answers = {}
        for seat, player in list(self._running.items()):
            answer = player.answer(now)
            if answer is not None:
                answers[seat] = answer
                self._end(seat)
        return answers

    def _end(self, seat: int) -> None:
        """Kill a process; `_stop` waits for its end."""
        player = self._dying[seat] = self._running.pop(seat)
        player.kill()

    def _stop(self, seat: int, answer: Answer | None = None) -> None:
        """Wait until a process that was killed is gone, and complete its answer; void where that takes too long."""
        player = self._dying.pop(seat)
        rest = player.stop()
        if answer is None:
            return
        answer.stderr, answer.stderr_dropped, answer.comments, answer.comments_dropped = rest
        if player.overdue is not None:
            answer.reply, answer.faults = None, (*answer.faults, player.overdue)

    def stop_all(self) -> None:
        """End all that still run (after an exception, an interrupt say); nothing can be asked afterwards."""
        with ExitStack() as ends:  # a defect of ours with one must not keep the others from ending
            for player in self._players.values():
                ends.callback(player.close)
            for seat in {**self._running, **self._dying}:
                ends.callback(self._stop, seat)
            for seat in self._running:  # first: all are killed before the first is waited for
                ends.callback(self._end, seat)

    def log(self, turn: int, moves: Iterable[Move]) -> None:
        """Add to the logs of the seats that have one what their programs complained of, and what was wrong."""
        for move in moves:
            if (player := self._players.get(move.seat)) is not None:
                player.add_to_log(turn, move)


def opened(path: str) -> int | None:
    """A descriptor of a folder; none where it is none any more, by what its program did in another match."""
    try:
        return os.open(path, FOLDER)
    except OSError:
        return None


def trouble_with(path: str, folder: int | None) -> Fault | None:
    """What its program has done to the folder that is open, and was at `path`; none when it can be started there.

    It may have put another one there, or a link, or have taken from its owner, that is us, the right to go there.
    """
    try:
        found = os.lstat(path)
        if folder is None or not os.path.samestat(found, os.fstat(folder)):
            return Fault(FaultKind.FILES, "its folder is not where it was", code=FaultCode.FOLDER_MOVED)
    except OSError:
        return Fault(FaultKind.FILES, "its folder is gone", code=FaultCode.FOLDER_GONE)
    if found.st_mode & OWN == OWN:
        return None
    return Fault(FaultKind.FILES, "it has closed its own folder", code=FaultCode.FOLDER_CLOSED)


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
