"""Players that are processes which live for a whole match: they are asked, and waited for, together.

Theory of operation
-------------------
While the referee waits for some seats, the poller reads the output of all, so that no program blocks on a full pipe;
but only the clocks of the awaited seats run.

The clocks start right before the last of the asked seats' inputs is written (as much of each as the pipes take: a
program that does not read gains no time by that), and not after it: on one core the system often lets the program run
before we continue. A seat's clock is read when its line is seen here. That number is judged strictly: a line that
comes after the limit is late. Between the two there is only a write and waiting, so no work of the referee's is
charged. A program that fails is killed at once, but we wait for its end only when everybody has answered.

If a game lets a program continue after it was late, its late answers are dropped when they come, one for each: an
answer never counts for another turn. If such a program never answers one question, each later answer is taken for the
answer to the question before, and this is reported: it cannot be distinguished from a program that is always late.

A program that is late may be asked where it is before it is ended (`Launch.asks_where`): then SIGABRT ends it, upon
which many programs say that on standard error, and SIGKILL comes when everybody has answered and it has had a moment
for it.

If the clock is not plain wall time, each program has a `Stopwatch`, which says how much of that number is charged and
when to look again; with wall time, nothing more is asked of the system. Without pondering, a program is paused from
its answer, or from being ready, until just before its clock starts again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import monotonic_ns, perf_counter_ns
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from dohyo.core.faults import Fault, FaultKind
from dohyo.core.referee import Answer
from dohyo.interrupts import DeferSignals
from dohyo.match import verdict
from dohyo.match.loops import PATIENCE
from dohyo.match.processes.bot_process import NANO, Asides, BotProcess
from dohyo.match.processes.heartbeat import Heartbeat
from dohyo.match.processes.poller import HELD, Poller, await_reading

if TYPE_CHECKING:
    from dohyo.match.processes.stopwatch import Stopwatch, Watches

LATE = (FaultKind.TIMEOUT, FaultKind.NOT_READY)
LAST_WORDS = 2_000_000_000  # nanoseconds for a program to say where it is when its time is over
GRACE = 0.1  # seconds for a program to end by itself when the match is over


class BegunTurn(NamedTuple):
    """A turn that the fast path has begun: the part of the prompt that the pipe did not take, what came, and two
    moments of the clock.

    `now` is when it came; if nothing has come, the program is still thinking. `late` is for how long we could not run
    meanwhile. `asked` is when its pipe had taken the prompt.
    """

    seat: int
    unsent: bytes
    came: bytes
    start: int  # nanoseconds, when the clock started
    now: int
    late: int = 0  # nanoseconds
    asked: int = 0


class TimedProcess:
    """A player whose time is measured: by its stopwatch, or without one by the wall clock."""

    def __init__(self, poller: Poller, watch: Stopwatch | None) -> None:
        """`poller` says by when what it wrote had come."""
        self.watch = watch
        self.start = 0  # when its clock started, and what was excused since
        self.ran: float | None = None  # its processor seconds, once it was stopped
        self.overdue: Fault | None = None  # once it was stopped: the fault that it was slow to end
        self._poller = poller
        self._limit = 0  # nanoseconds

    def _proved(self, fault: Fault) -> Fault:
        """The fault with what its time consisted of, if it was late; without a sure proof the match is set aside."""
        if self.watch is None or fault.kind not in LATE:
            return fault
        if self.watch.is_unsure:
            self._poller.heartbeat.set_aside(self.watch.elapsed)
        return replace(fault, proof=self.watch.proof())

    def _is_late(self, now: int, is_done: bool) -> tuple[bool, bool]:
        """Whether its time is over, and whether only by the wall clock limit behind its own clock."""
        watch = self.watch
        if watch is None:
            return now - self.start >= self._limit, False
        until = self._poller.until(self.start, now, is_done) if watch.is_fair else now
        spared = self._poller.heartbeat.spared
        late = watch.is_late(max(0, until - self.start), is_done, now - until, spared, until)
        return late, watch.by_watch


class PerMatchProcess(TimedProcess):
    """One process that lives for a match: its pipes, its stopwatch, and which of its answers are still to come."""

    def __init__(self, process: BotProcess, poller: Poller, watch: Stopwatch | None) -> None:
        """Watch what it writes from now on. `watch` measures its time; without one, the wall clock does."""
        super().__init__(poller, watch)
        self.process = process
        self.dropped = 0  # late answers to earlier turns that came in this one
        self._was_early = False  # whether one of its lines was there before it was asked
        self._is_asked_where = False
        self._owed = 0  # answers to earlier turns that may still come, too late to count
        poller.add(process)

    def begin(self, limit: float, behind: float) -> None:
        """Start its stopwatch."""
        self._limit = int(limit * NANO)
        if self.watch is not None:
            self.watch.start(limit, behind)

    def prepare(self) -> None:
        """Before it is asked: drop its late answers, and note whether another line of it is there already."""
        self._drop_late()
        self.dropped = 0
        self._was_early = self.process.has_line

    def ask(self, prompt: bytes) -> None:
        """Send it a prompt, as much as the pipe takes now; the rest is sent during the wait."""
        self.start = monotonic_ns()
        self.send(prompt)
        if self.watch is not None:
            self.watch.asked(not self.process.has_unsent, monotonic_ns() - self.start)

    def go_on_with(self, begun: BegunTurn, limit: float, behind: float) -> None:
        """Do the rest of a turn that was begun."""
        self.start, self._limit = begun.start, int(limit * NANO)
        self._poller.note_absent(begun.now)
        if self.watch is not None:
            sent = None if begun.unsent or begun.came else max(0, begun.asked - begun.start)
            elapsed = monotonic_ns() - begun.start
            self.watch.go_on(limit, behind, elapsed, begun.late, sent, lambda: not self.process.has_output_waiting)
        self.dropped, self._was_early = 0, False

    def go_on_sending(self, begun: BegunTurn) -> None:
        """Send the rest of a turn that was begun, and add what came to its output."""
        self.process.take_in(begun.came)
        if begun.came:
            self._poller.take_in(0)
        if begun.unsent:
            self.send(begun.unsent)
        if self.watch is not None:
            self.watch.asked(not self.process.has_unsent)

    def send(self, text: bytes) -> None:
        """Write to it; if its pipe does not take everything yet, watch its input."""
        self.process.send(text)
        self._poller.follow_input(self.process)

    def answer(self, now: int) -> Answer | None:
        """Its answer, its fault, or none while it is awaited.

        A line that was there before it was asked is its answer, as it was for the original referees, with a fault
        beside it. The fault is reported when the line counts, so it does not depend on when the line was seen.
        """
        process, elapsed = self.process, now - self.start
        self._drop_late()
        came = process.has_line
        late, by_watch = self._is_late(now, came or process.flooded or not process.stdout_open)
        if came and not late and not process.flooded:
            reply = self.take_reply()
            faults = (verdict.early(reply),) if self._was_early else ()
            answer = Answer(reply, faults, round(elapsed / NANO, 6), *process.take_asides())
        else:
            awaited = verdict.ANSWER_BEHIND if self.dropped else verdict.ANSWER
            fault = verdict.judge(process, awaited, came, late, by_watch)
            if fault is None:
                return None
            answer = Answer(None, (self._proved(fault),), round(elapsed / NANO, 6))
        return answer if self.watch is None else self.watch.sign(answer)

    def take_reply(self) -> str:
        """Its reply, when a line of it is there."""
        return self.process.take_line() or ""

    def greet(self) -> None:
        """Say what it waits for before it is ready: nothing, if it speaks its game's own protocol."""

    def ready_fault(self, word: str, now: int) -> tuple[bool, Fault | None]:
        """Whether it has printed the line `word`, and the fault; no fault while we wait for it."""
        ready = self.process.is_ready(word)
        late, by_watch = self._is_late(now, ready)
        fault = verdict.judge(self.process, verdict.ready(word), ready, late, by_watch)
        return ready, None if fault is None else self._proved(fault)

    def time_left(self, now: int) -> int:
        """Nanoseconds until it may be late; if its output has ended, until we stop waiting for its end."""
        next_look = self._limit if self.watch is None else self.watch.next_look
        return max(next_look - (now - self.start), self.process.ending)

    def _drop_late(self) -> None:
        """Drop the answers to earlier turns: its next line answers this one."""
        while self._owed and self.process.take_bytes() is not None:
            self._owed -= 1
            self.dropped += 1

    def owe(self) -> None:
        """Note that this turn's answer may still come late; a program that has ended sends no more."""
        self._owed += 1

    def go_on(self) -> Asides:
        """Let it play on after a fault; returns what it wrote besides its answers so far."""
        process = self.process
        if process.flooded:
            process.forget_output()
            self._poller.follow_output(process)
            self._owed = 0
        return process.take_asides()

    @property
    def is_tidy(self) -> bool:
        """Whether nothing of an earlier turn is left over."""
        return not self._owed and self.process.is_tidy

    def pause(self) -> None:
        """Pause its process group."""
        self.process.pause()

    def resume(self) -> None:
        """Let it go on, if it was paused."""
        self.process.resume()

    def kill(self) -> None:
        """Kill its process group."""
        self.process.kill()

    def end_for(self, fault: Fault) -> None:
        """End it for this fault: kill it, or let it say first where it is, if its time was over."""
        if self.process.asks_where and fault.kind in LATE:
            self._is_asked_where = True
            self.process.abort()
        else:
            self.kill()

    def hear(self) -> None:
        """If it was asked where it is, wait a moment for what it says."""
        process, end = self.process, monotonic_ns() + LAST_WORDS
        while self._is_asked_where and process.stderr_open and (left := end - monotonic_ns()) > 0:
            self._poller.take_in(left)

    def stop(self) -> Asides:
        """End its process group; returns the rest of what it wrote besides its answers."""
        process = self.process
        try:
            self._poller.remove(process)
            if self.watch is not None:
                self.watch.close()
        finally:
            self.ran = process.stop()
            self.overdue = process.overdue
        return process.take_asides()

    def release(self) -> tuple[float | None, Asides]:
        """Let go of the process without ending it; the processor seconds of this match, and the rest as by `stop`."""
        self._poller.remove(self.process)
        if self.watch is not None:
            self.watch.close()
        return self.process.end_match()


class PerMatchProcesses:
    """The processes of a match by seat; stopped ones do not count."""

    def __init__(
        self,
        processes: Sequence[BotProcess | None],
        signals: DeferSignals | None = None,
        watches: Watches | None = None,
        pondering: bool = True,
        heartbeat: Heartbeat | None = None,
        made: Callable[[int, BotProcess, Poller, Stopwatch | None], PerMatchProcess] | None = None,
    ) -> None:
        """Take over the processes; `signals` take effect while this waits; `heartbeat` measures the waits.

        `watches` makes a stopwatch for each (none: wall time). Unless `pondering`, a program is paused while it is
        not to move. `made` makes the player on a seat, if it is more than a process that is asked for lines.
        """
        self.ran: dict[int, float | None] = {}  # by seat: its process's processor seconds, once it has been stopped
        self._has_watches = watches is not None
        self._pondering = pondering
        self._overdue: dict[int, Fault] = {}
        self._poller = Poller(signals or DeferSignals(), heartbeat)
        self._heartbeat = self._poller.heartbeat
        given = {seat: watches(one) for seat, one in enumerate(processes) if one is not None} if watches else {}
        make = made or (lambda seat, *of_process: PerMatchProcess(*of_process))
        self._players = [
            None if one is None else make(seat, one, self._poller, given.get(seat))
            for seat, one in enumerate(processes)
        ]

    @property
    def programs(self) -> list[BotProcess | None]:
        """The running processes, by seat."""
        return [None if player is None else player.process for player in self._players]

    def lives(self, seat: int) -> bool:
        """Whether the seat has a process that was not stopped."""
        return self._players[seat] is not None

    # --- before the first turn

    def await_ready(self, word: str, seconds: float, behind: float | None = None) -> dict[int, Answer]:
        """Wait, for all processes side by side, until each has printed the line `word`; other lines are skipped.

        Each has `seconds` from now; with a stopwatch, at most `behind` seconds of wall time. Returns an answer with a
        fault for each that was not ready by then; those have been stopped.
        """
        waiting = {seat: player for seat, player in enumerate(self._players) if player is not None}
        faults: dict[int, Fault] = {}
        for seat, player in list(waiting.items()):
            if player.process.matches:  # it is kept from an earlier match, and has said that it is ready
                del waiting[seat]
                if not self._pondering:
                    player.pause()
        for player in waiting.values():
            player.begin(seconds, behind or seconds)
        for player in waiting.values():
            player.resume()
        now = monotonic_ns()
        for player in waiting.values():
            player.start = now
            player.greet()
        self._heartbeat.start()
        while waiting:
            self._poller.take_in(min(player.time_left(now) for player in waiting.values()))
            now = monotonic_ns()
            for seat, player in list(waiting.items()):
                ready, fault = player.ready_fault(word, now)
                if fault is not None:
                    faults[seat] = fault
                    player.end_for(fault)
                elif ready and not self._pondering:
                    player.pause()
                if ready or fault is not None:
                    del waiting[seat]
        return {seat: self.end(seat, fault) for seat, fault in faults.items()}

    def await_reading(self) -> None:
        """Wait, for a limited time, until all processes are at their first read, if the system can tell."""
        await_reading([program for program in self.programs if program is not None], self._poller)

    # --- a turn

    def ask(
        self,
        prompts: Mapping[int, bytes],
        limits: Mapping[int, float],
        stops: Callable[[Fault], bool],
        behind: Mapping[int, float] | None = None,
        begun: BegunTurn | None = None,
    ) -> dict[int, Answer]:
        """Send every seat its prompt and wait for one line from each, at most `limits[seat]` seconds.

        With stopwatches, at most `behind[seat]` seconds of wall time. `begun` is the turn of a single seat that has
        been asked already.

        A seat whose process ended, closed its output, wrote too much or was late gets the fault instead of a reply.
        If that fault `stops` the player, its process and everything that it started have ended when this returns.
        """
        if begun is None:
            asked = {seat: self.player(seat) for seat in prompts}
            self._address(asked, prompts, limits, behind or limits)
            now = monotonic_ns()
        else:
            asked = {begun.seat: self.player(begun.seat)}
            self._go_on_with(begun, limits[begun.seat], (behind or limits)[begun.seat])
            now = begun.now
        answers: dict[int, Answer] = {}
        waiting = dict(asked)
        while True:
            for seat in list(waiting):
                player = waiting[seat]
                answer = player.answer(now)
                if answer is not None:
                    answers[seat] = answer
                    del waiting[seat]
                    if answer.reply is None and stops(answer.faults[-1]):
                        player.end_for(answer.faults[-1])
                    elif not self._pondering:
                        player.pause()
            if not waiting:
                break
            moment = monotonic_ns()
            self._poller.take_in(min([player.time_left(moment) for player in waiting.values()]))
            if self._poller.held:
                for player in waiting.values():
                    player.start += self._poller.held_by_others(player.process)
            now = monotonic_ns()
        for seat, answer in answers.items():
            if answer.reply is None:
                self._after_fault(seat, asked[seat], answer, stops(answer.faults[-1]))
        return answers

    def _address(
        self,
        asked: Mapping[int, PerMatchProcess],
        prompts: Mapping[int, bytes],
        limits: Mapping[int, float],
        behind: Mapping[int, float],
    ) -> None:
        """Send every seat its prompt, and start their clocks, right before the last of these is sent."""
        self._poller.take_in(0)
        for player in asked.values():
            player.prepare()
        for seat, player in asked.items():
            player.begin(limits[seat], behind[seat])
        if not self._pondering:
            for player in asked.values():
                player.resume()
        self._heartbeat.start()
        start, took, last = 0, 0, None
        for seat, player in asked.items():
            begin = perf_counter_ns()
            player.ask(prompts[seat])
            took = perf_counter_ns() - begin
            start, last = player.start, player
        for player in asked.values():  # if the last one's pipe held us, that is not the others' time
            player.start = start + took if took > HELD and player is not last else start

    def _go_on_with(self, begun: BegunTurn, limit: float, behind: float) -> None:
        """Do the rest of a turn that was begun."""
        player = self.player(begun.seat)
        player.go_on_with(begun, limit, behind)
        self._heartbeat.start(ago=monotonic_ns() - begun.start)
        self._heartbeat.check(2 * PATIENCE, is_poll=False)
        player.go_on_sending(begun)

    def _after_fault(self, seat: int, player: PerMatchProcess, answer: Answer, stops: bool) -> None:
        """Stop a seat that gave no answer, or let it go on; complete its reported fault."""
        player.owe()
        if stops:
            rest = self.stop(seat)
            answer.faults = (*self.overdue(seat), *answer.faults)
        else:
            rest = player.go_on()
        answer.stderr, answer.stderr_dropped, answer.comments, answer.comments_dropped = rest

    def rest(self, seconds: float) -> None:
        """Wait so long between two turns, and read what comes."""
        end = monotonic_ns() + int(seconds * NANO)
        while (left := end - monotonic_ns()) > 0:
            self._poller.take_in(left)

    def mark(self) -> None:
        """Note what all have used, if the clock needs that, before the fast path begins turns."""
        if self._has_watches:
            for player in self._players:
                if player is not None and player.watch is not None:
                    player.watch.mark()

    @property
    def is_tidy(self) -> bool:
        """Whether nothing of an earlier turn is left over for any seat."""
        return all(player.is_tidy for player in self._players if player is not None)

    # --- the end

    def end(self, seat: int, *faults: Fault) -> Answer:
        """End a seat's process, for these faults; returns all that is left to report of it."""
        rest = self.stop(seat)
        return Answer(None, (*self.overdue(seat), *faults), None, *rest)

    def overdue(self, seat: int) -> tuple[Fault, ...]:
        """The fault that the seat's stopped process was slow to end."""
        return (self._overdue[seat],) if seat in self._overdue else ()

    def stop(self, seat: int) -> Asides:
        """End a seat's process and its whole group; returns the rest of what it wrote besides its answers."""
        player = self.player(seat)
        player.hear()
        self._players[seat] = None
        try:
            return player.stop()
        finally:
            self.ran[seat] = player.ran
            if player.overdue is not None:
                self._overdue[seat] = player.overdue

    def release(self, seat: int) -> tuple[BotProcess, Asides]:
        """Let go of a seat's process without ending it, for another match; and the rest of what it wrote in this one
        besides its answers."""
        player = self.player(seat)
        self.ran[seat], asides = player.release()
        self._players[seat] = None
        return player.process, asides

    def await_ends(self, farewell: Callable[[int], bytes], seconds: float = GRACE) -> None:
        """Send all processes their last input, and give them `seconds` to read it and to end by themselves."""
        living = [player.process for player in self._players if player is not None]
        for seat, player in enumerate(self._players):
            if player is not None:
                player.process.look()
                player.process.resume()
                player.send(farewell(seat))
        end = monotonic_ns() + int(seconds * NANO)
        while any(process.stdout_open or process.stderr_open for process in living):
            for process in living:
                if not process.has_unsent:
                    process.close_input()
            left = end - monotonic_ns()
            if left <= 0:
                break
            self._poller.take_in(left)
            for process in living:
                process.forget_output()

    def stop_all(self) -> dict[int, Answer]:
        """End all processes that are left; returns what each wrote to standard error after its last turn."""
        living = {seat: player for seat, player in enumerate(self._players) if player is not None}
        for player in living.values():
            player.kill()
        answers = {}
        problem: Exception | None = None
        for seat in living:
            try:
                answers[seat] = self.end(seat)
            except Exception as error:  # a defect of ours in ending one must not leave the others running
                problem = error
        if problem is not None:
            raise problem
        return answers

    def player(self, seat: int) -> PerMatchProcess:
        """The player on a seat whose process was not stopped."""
        player = self._players[seat]
        assert player is not None
        return player
