"""Players that are processes which live for one turn: the prompt is the last argument, the whole output the answer.

Theory of operation
-------------------
A seat's program is started when the seat is asked, with the prompt as one more argument, no input, and its own folder
for files. It is done when both its output and its process have ended, as in the original controller. As many
processes run at the same time as there are cores. Each has its own clock, which starts when the process has been
started, or, in a sandbox, when the program itself begins in it: on a busy machine the kernel lets the making of a
sandbox wait, in ways that no number tells. It is read when the poller sees the program's end. A program that is late
is killed at once, with its whole group; the next one starts when it has ended. Processes that are slow to end are
waited for only when no clock runs any more: otherwise a bot that forks many processes could cost the others time. If
even that takes long, the bot's answer is void.

Beside the replay there is the author's log (`errlog.txt`): after a turn, what the program wrote to standard error and
what was wrong with its answer are added to that file. The program may write there too.
"""

from __future__ import annotations

import math
import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from time import monotonic_ns
from typing import TYPE_CHECKING

from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.core.referee import Answer
from dohyo.core.replay import Move, Turn
from dohyo.i18n import ENGLISH
from dohyo.interrupts import DeferSignals
from dohyo.match import verdict
from dohyo.match.players.per_match import TimedProcess
from dohyo.match.players.player import Group, MatchContext
from dohyo.match.processes import ending
from dohyo.match.processes.bot_process import NANO, Asides, BotProcess, BoundedTail, launched
from dohyo.match.processes.heartbeat import Heartbeat
from dohyo.match.processes.launch import Launch
from dohyo.match.processes.poller import Poller
from dohyo.system import scheduler

if TYPE_CHECKING:
    from dohyo.match.processes.stopwatch import Watches

TURN = "DOHYO_TURN"  # a bot that is started for each turn makes its random numbers from this and DOHYO_SEED
SOON = 0.002  # seconds in which a killed process has usually ended
BRIEF = 1_000_000  # nanoseconds that the collecting of answers may take at everybody's cost
MAKING = 2_000_000  # nanoseconds between looks at a sandbox that is being made
LONGEST_MAKING = 10_000_000_000  # nanoseconds beyond all limits in which a sandbox is made
LOOK = 5_000_000  # nanoseconds between checks of a process that is slow to end, while another waits to start
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
OWN = stat.S_IRUSR | stat.S_IXUSR
LOG = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
LONGEST_LOG = 16 * 1024 * 1024  # bytes; from this size on, only the program itself makes the author's log larger


class PerTurnProcess(TimedProcess):
    """One seat whose program is started for each turn; between turns it has no process."""

    def __init__(self, launch: Launch, poller: Poller, comment: str, watches: Watches | None) -> None:
        """`launch` says how it is started; `watches` makes a stopwatch for each process."""
        super().__init__(poller, None)
        self.launch = launch
        self._started = 0  # when its process was started
        self._looked = 0  # when its sandbox was last seen not to be made yet
        self._has_begun = False  # whether its sandbox is known to be made
        self.doomed: Fault | None = None  # why it has been killed
        self._comment = comment
        self._watches = watches
        self._process: BotProcess | None = None
        self._errors = BoundedTail()
        self._seconds_allowed = 0.0, 0.0  # by its own clock, and by the wall clock
        self._seconds = 0.0
        self._when_gone: tuple[bool, bool] | None = None  # whether it was late, where its output is still open
        self._folder = opened(launch.folder) if launch.log else None

    @property
    def process(self) -> BotProcess:
        """The process of this turn."""
        assert self._process is not None
        return self._process

    @property
    def is_fair(self) -> bool:
        """Whether only what nobody could see is taken from its time."""
        return self.watch is not None and self.watch.is_fair

    def begin(self, limit: float, behind: float) -> None:
        """Its next process has `limit` seconds, and `behind` seconds of wall time."""
        self._seconds_allowed, self._limit = (limit, behind), int(limit * NANO)

    def ask(self, prompt: bytes, turn: int) -> Answer | None:
        """Start its process; returns an answer only if that fails."""
        launch = self.launch
        if launch.log and not launch.unusable and (trouble := trouble_with(launch.folder, self._folder)):
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
                watch.start(*self._seconds_allowed, is_first=True)
                watch.asked(is_whole=True)  # its input is an argument
            self._process, self.watch = process, watch
            self.doomed, self._seconds, self._when_gone = None, 0.0, None
            self.start = self._started = self._looked = monotonic_ns()
            self._has_begun = False
            self._note_its_beginning()
            process.close_input()
            undo.callback(self._poller.remove, process)
            self._poller.add(process)
            self._poller.follow_exit(process)
            undo.pop_all()
        return None

    def answer(self, now: int) -> Answer | None:
        """Its answer, or its fault; none while it is awaited. This kills it when it is late."""
        process = self.process
        if self.doomed is None:
            late, by_watch = self._judged_once(now)
            self.doomed = verdict.judge(process, verdict.END_OF_TURN, False, late, by_watch)
            if self.doomed is not None:
                if self._has_begun:
                    self.doomed = self._proved(self.doomed)
                process.kill()
            elif late:
                return None  # it may end at any moment: the next look says that it was late
        ended = process.how_it_ended()
        if ended is None or (self.doomed is None and process.stdout_open):
            return None
        said = self._said(ended)
        return said if self.watch is None else self.watch.sign(said)

    def _judged_once(self, now: int) -> tuple[bool, bool]:
        """Whether it is late, and whether only by the watch; found once where it has ended, its output open."""
        if self._when_gone is not None:
            return (True, False) if self.process.is_gone and not self.process.ending else self._when_gone
        self._note_its_beginning()
        self._seconds = round(max(0, now - self.start) / NANO, 6)
        is_gone = self.process.is_gone
        found = self._is_over(now, is_gone)
        if is_gone:
            self._when_gone = found
        return found

    def _note_its_beginning(self) -> None:
        """Let its clock start when the program itself begins; until then, at each look, it starts anew.

        So nothing that the making of its sandbox has used or waited for is the program's, but for what came since the
        last look; and none of our own excuses since its beginning is lost.
        """
        at = monotonic_ns()
        if self._has_begun:
            return
        if self.process.began() is None and (self.watch is None or self.watch.start_again(self._begins)):
            self.start = self._looked = at
            return
        began = max(self._looked, self.process.began() or 0)
        self.start = began + min(self.start - self._looked, max(0, at - began))
        self._has_begun = True

    def _begins(self) -> bool:
        return self.process.began() is not None

    def _is_over(self, now: int, is_gone: bool) -> tuple[bool, bool]:
        """Whether its time is over, and whether only by the wall clock limit behind its own clock.

        A sandbox that is not made long after the limit is not the program's fault: the match is set aside.
        """
        if not self._has_begun:
            late = not is_gone and now - self._started >= max(self._seconds_allowed) * NANO + LONGEST_MAKING
            if late:
                self._poller.heartbeat.set_aside(now - self._started)
            return late, False
        return self._is_late(now, self.process.flooded or not self.process.stdout_open or is_gone)

    def time_left(self, now: int) -> int:
        """Nanoseconds until it may be late; if its output has ended, we wait longer for its end."""
        if not self._has_begun:  # nothing wakes us when its sandbox is made
            return MAKING
        next_look = self._limit if self.watch is None else self.watch.next_look
        left = self.start + next_look - now
        return max(left, self.process.ending)

    def _said(self, ended: Fault) -> Answer:
        """Its answer, now that it is done. A failure beside an answer is reported and changes nothing."""
        failed = self.doomed or (ended if ended.kind is not FaultKind.EXITED or ended.status else None)
        faults = () if failed is None else (failed,)
        said = self.process.take_all()
        if failed is not None and (self.doomed is not None or not said.strip()):
            return Answer(None, faults, self._seconds)
        return Answer(said.strip("\n"), faults, self._seconds)

    def kill(self) -> None:
        """Kill its process group, and watch it no longer; `stop` waits for its end."""
        with ExitStack() as ends:
            ends.callback(self.process.kill)
            if self.watch is not None:
                ends.callback(self.watch.close)
            self._poller.remove(self.process)

    def stop(self) -> Asides:
        """Wait until its killed process has ended; returns what it wrote besides its answer."""
        process = self.process
        ran = process.stop()
        self.ran = None if ran is None else (self.ran or 0.0) + ran
        self.overdue = process.overdue
        return process.take_asides()

    def add_to_log(self, turn: int, move: Move) -> None:
        """Append to its author's log, if it has one, its standard error of a turn, and its fault."""
        if self._folder is None:
            return
        told = [f"[dohyo] turn {turn}: {fault.kind.value}: {ENGLISH.say_any(fault.told)}\n" for fault in move.faults]
        if text := move.stderr + ("\n" if move.stderr and move.stderr[-1] != "\n" else "") + "".join(told):
            append(self._folder, self.launch.log, text.encode("utf-8", "replace"))

    def close(self) -> None:
        """It will not be asked again."""
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
        """`launches` says how each seat's program is started; `signals` take effect during waits.

        `watches` makes a stopwatch for each process (none: wall time). `heartbeat` measures the waits.
        """
        self._poller = Poller(signals, heartbeat)
        self._players = {
            seat: PerTurnProcess(launch, self._poller, comment, watches) for seat, launch in launches.items()
        }
        self._running: dict[int, PerTurnProcess] = {}
        self._dying: dict[int, PerTurnProcess] = {}  # their answers are known
        self._are_waiting = False  # whether a seat waits for a place

    @property
    def ran(self) -> dict[int, float | None]:
        """By seat: the processor seconds of its processes so far."""
        return {seat: player.ran for seat, player in self._players.items()}

    def ask(
        self,
        turn: int,
        prompts: Mapping[int, bytes],
        limits: Mapping[int, float],
        behind: Mapping[int, float] | None = None,
    ) -> dict[int, Answer]:
        """Run one process for every seat asked, at most `limits[seat]` seconds; all of them have ended afterwards.

        With stopwatches, at most `behind[seat]` seconds of wall time. The number of the turn is in the environment of
        each, together with what `launches` says.
        """
        waiting = list(prompts)[::-1]
        at_once = max(1, len(scheduler.cores()))
        answers: dict[int, Answer] = {}
        self._poller.heartbeat.start()
        while waiting or self._running or self._dying:
            while waiting and len(self._running) + len(self._dying) < at_once:
                seat = waiting.pop()
                self._players[seat].begin(limits[seat], (behind or limits)[seat])
                begin, others = monotonic_ns(), [each for each in self._running.values() if not each.is_fair]
                if (failed := self._start(seat, turn, prompts[seat])) is not None:
                    answers[seat] = failed
                if others:  # they may have ended meanwhile, and nobody looks; by `fair` that is told by our waits
                    self._excuse(others, monotonic_ns() - begin)
            self._are_waiting = bool(waiting)
            if self._running:
                self._poller.heartbeat.resume()
                self._poller.take_in(self._time_left())
                if self._poller.held:
                    for player in self._running.values():
                        player.start += self._poller.held_by_others(player.process)
                answers.update(self._collect())
            self._bury(answers)
        return answers

    def _start(self, seat: int, turn: int, prompt: bytes) -> Answer | None:
        """Start the seat's process; returns an answer only if that fails."""
        failed = self._players[seat].ask(prompt, turn)
        if failed is None:
            self._running[seat] = self._players[seat]
        return failed

    def _bury(self, answers: Mapping[int, Answer]) -> None:
        """Remove killed processes that have ended; if no clock runs, wait for the others.

        No seat is charged for this.
        """
        start = monotonic_ns()
        for seat in [*self._dying]:
            if not self._running or math.isfinite(ending.collect(self._dying[seat].process.process, SOON)):
                self._stop(seat, answers[seat])
        self._excuse(self._running.values(), monotonic_ns() - start)

    def _excuse(self, players: Iterable[PerTurnProcess], took: int) -> None:
        """Take what we did between two waits from these players' time."""
        self._poller.excuse(took)
        for player in players:
            player.start += took

    def _time_left(self) -> int:
        """Nanoseconds until the first running process is late; one that has been killed is only waited for."""
        now = monotonic_ns()
        left = min(
            [player.time_left(now) for player in self._running.values() if player.doomed is None], default=NANO
        )
        return min(left, LOOK) if self._dying and self._are_waiting else left

    def _collect(self) -> dict[int, Answer]:
        """The answers of those that are done; they are killed, with all processes that they left behind."""
        now = monotonic_ns()  # once: ending one process must not make the others late
        answers = {}
        for seat, player in list(self._running.items()):
            answer = player.answer(now)
            if answer is not None:
                answers[seat] = answer
                self._end(seat)
        if (took := monotonic_ns() - now) > BRIEF:  # a verdict measures the folder of who failed
            self._excuse(self._running.values(), took)
        return answers

    def _end(self, seat: int) -> None:
        """Kill a process; `_stop` waits for its end."""
        player = self._dying[seat] = self._running.pop(seat)
        player.kill()

    def _stop(self, seat: int, answer: Answer | None = None) -> None:
        """Wait until a killed process has ended, and complete its answer, which is void if that takes too long."""
        player = self._dying.pop(seat)
        rest = player.stop()
        if answer is None:
            return
        answer.stderr, answer.stderr_dropped, answer.comments, answer.comments_dropped = rest
        if player.overdue is not None:
            answer.reply, answer.faults = None, (*answer.faults, player.overdue)

    def stop_all(self) -> None:
        """End all that still run (after an exception, for example an interrupt); nothing can be asked afterwards."""
        with ExitStack() as ends:  # a defect of ours in ending one must not leave the others running
            for player in self._players.values():
                ends.callback(player.close)
            for seat in {**self._running, **self._dying}:
                ends.callback(self._stop, seat)
            for seat in self._running:  # first: all are killed before the first is waited for
                ends.callback(self._end, seat)

    def log(self, turn: int, moves: Iterable[Move]) -> None:
        """Append to the logs of the seats that have one their programs' standard error, and their faults."""
        for move in moves:
            if (player := self._players.get(move.seat)) is not None:
                player.add_to_log(turn, move)


class TurnPrograms(Group):
    """The group of players whose programs live for one turn."""

    def __init__(self, launches: Mapping[int, Launch], context: MatchContext) -> None:
        """`launches` by seat."""
        self.seats = frozenset(launches)
        self._referee = context.referee
        comment = context.referee.game.comment
        self._processes = PerTurnProcesses(launches, context.signals, comment, context.watches, context.heartbeat)

    @property
    def ran(self) -> Mapping[int, float | None]:  # type: ignore[override]
        """By seat: the processor seconds of its processes so far."""
        return self._processes.ran

    def ask(
        self, seats: Sequence[int], limits: Mapping[int, float], behind: Mapping[int, float]
    ) -> dict[int, Answer]:
        """Run one process for every seat."""
        referee = self._referee
        return self._processes.ask(referee.turn, {seat: referee.prompt(seat) for seat in seats}, limits, behind)

    def see(self, turn: Turn) -> None:
        """Write the authors' logs."""
        self._processes.log(turn.turn, turn.moves)

    def stop_all(self) -> dict[int, Answer]:
        """End all that still run."""
        self._processes.stop_all()
        return {}


def opened(path: str) -> int | None:
    """A descriptor of a folder; none if it is no folder any more, because its program changed it in another match."""
    try:
        return os.open(path, FOLDER)
    except OSError:
        return None


def trouble_with(path: str, folder: int | None) -> Fault | None:
    """The damage that a program has done to its folder, open here and first at `path`; none if it can start there.

    It may have put another folder or a link there, or have removed the right of its owner (us) to enter it.
    """
    try:
        found = os.lstat(path)
        if folder is None or not os.path.samestat(found, os.fstat(folder)):
            return Fault(FaultKind.FILES, FaultCode.FOLDER_MOVED)
    except OSError:
        return Fault(FaultKind.FILES, FaultCode.FOLDER_GONE)
    if found.st_mode & OWN == OWN:
        return None
    return Fault(FaultKind.FILES, FaultCode.FOLDER_CLOSED)


def append(folder: int, name: str, text: bytes) -> None:
    """Append to a file that a stranger's program can change: never through a link, never where it would block.

    What cannot be written is lost; the replay holds the same.
    """
    with suppress(OSError):
        file = os.open(name, LOG, 0o644, dir_fd=folder)
        try:
            status = os.fstat(file)
            if stat.S_ISREG(status.st_mode) and status.st_nlink == 1 and status.st_size < LONGEST_LOG:
                os.write(file, text)
        finally:
            os.close(file)
