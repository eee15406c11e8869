"""The ring: all programs of one match, asked and waited for together. The only place where time passes.

Theory of operation
-------------------
While some seats are awaited, whatever comes from anybody is taken in (by the lookout), so that nobody blocks on a
full pipe; but only the awaited seats' clocks run.

The clocks start right before the last of the asked seats' inputs is written (as much of each as the pipes take: a
program that does not read gains no time by that), and not after it: on one core the system likes to let the program
run before it lets us go on. A seat's clock is read when the ring sees its line. That number is judged, strictly: a
line that comes after the limit is late. Nothing but a write and waiting lies between the two, so that no work of the
referee's is charged: a program that fails is killed at once, but its end is awaited only when everybody has answered.

Where a game lets a program go on that was late, its late answers are dropped when they come, one for each: no answer
ever counts for another turn. A program that leaves a question unanswered for good is therefore behind from then on,
and told so: nobody could tell it from one that is always late.

Where the clock is more than a watch, each program has a `Stopwatch`, which says how much of that number is charged
and when to look again; with a plain one nothing more is asked of the system. Without pondering, a program is stopped
from its answer, or its being ready, until it is asked again, just before its clock starts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import monotonic_ns
from typing import NamedTuple

from msgspec.structs import replace

from dohyo.core.faults import Fault, FaultKind
from dohyo.core.referee import Answer
from dohyo.interrupts import Shield
from dohyo.runner.beginning import await_reading
from dohyo.runner.fastpath.kernel import PATIENCE
from dohyo.runner.heartbeat import Heartbeat
from dohyo.runner.lookout import Lookout
from dohyo.runner.program import QUOTED, Program
from dohyo.runner.stopwatch import BY_WATCH, Stopwatch, Watches

NANO = 1_000_000_000
Asides = tuple[str, int, str, int]  # as `Program.take_asides` tells them
EARLY = "a line too many in an earlier turn, {!r}, counts as this turn's answer (debugging goes to standard error)"
BEHIND = "no answer in time; the line that came was the late answer to an earlier turn, and was dropped"
GRACE = 0.1  # seconds for a program to end by itself when the match is over


def early(reply: str) -> Fault:
    """What stands beside an answer that was there before its question."""
    return Fault(FaultKind.MALFORMED, EARLY.format(reply[:QUOTED]))


class Begun(NamedTuple):
    """A turn that somebody else has begun: what the pipe did not take of the prompt, what came, and two of the
    clock's moments.

    `now` is when it came; where nothing has, the program is still thinking.
    """

    seat: int
    unsent: bytes
    came: bytes
    start: int  # nanoseconds, when the clock started
    now: int


class Ring:
    """The programs of a match by seat; a stopped one is none."""

    def __init__(
        self,
        programs: Sequence[Program | None],
        shield: Shield | None = None,
        watches: Watches | None = None,
        pondering: bool = True,
        heartbeat: Heartbeat | None = None,
    ) -> None:
        """Take the programs over; `shield` is opened to signals while the ring waits, which `heartbeat` looks after.

        `watches` makes a stopwatch for each (none: the clock is a plain watch). Unless `pondering`, programs that are
        not to move are paused.
        """
        self.programs = list(programs)
        self.ran: dict[int, float | None] = {}  # by seat: what its program took, once it has been stopped
        self._watches: dict[int, Stopwatch] = {}
        if watches is not None:
            self._watches = {seat: watches(program) for seat, program in enumerate(programs) if program is not None}
        self._pondering = pondering
        self._owed = [0] * len(self.programs)  # answers to earlier turns that may still come, too late to count
        self._dropped = [0] * len(self.programs)  # of these, those that came in this turn
        self._overdue: list[Fault | None] = [None] * len(self.programs)
        self._lookout = Lookout(shield or Shield(), heartbeat)
        self._heartbeat = self._lookout.heartbeat
        for program in programs:
            if program is not None:
                self._lookout.add(program)

    # --- before the first turn

    def await_ready(self, word: str, seconds: float, behind: float | None = None) -> dict[int, Answer]:
        """Wait, for all programs side by side, until each has printed the line `word`; other lines are skipped.

        Everybody has `seconds` from now, by a stopwatch at most `behind` by the watch. Returns the answers, with a
        fault each, of those that were not ready by then; they have been stopped.
        """
        limit = int(seconds * NANO)
        waiting = {seat for seat, program in enumerate(self.programs) if program is not None}
        faults: dict[int, Fault] = {}
        self._begin(dict.fromkeys(waiting, seconds), dict.fromkeys(waiting, behind or seconds))
        start = now = monotonic_ns()
        self._heartbeat.start()
        while waiting:
            self._lookout.take_in(min(self._rest(seat, seconds, now - start) for seat in waiting))
            now = monotonic_ns()
            for seat in sorted(waiting):
                program = self._program(seat)
                ready = program.is_ready(word)
                late = self._watches[seat].is_late(now - start, ready) if self._watches else now - start >= limit
                fault = None if ready and not late else self._ready_fault(program, word, ready, late)
                if fault is not None:
                    faults[seat] = fault
                    program.kill()
                if ready or fault is not None:
                    waiting.discard(seat)
                    if not self._pondering:
                        program.pause()
        return {seat: self.end(seat, fault) for seat, fault in faults.items()}

    def _ready_fault(self, program: Program, word: str, ready: bool, late: bool) -> Fault | None:
        """What is wrong with a program that is not ready in time; none while it is waited for."""
        if ready:
            return program.verdict(Fault(FaultKind.NOT_READY, f"the line '{word}' came too late"))
        if program.flooded:
            return Fault(FaultKind.OUTPUT, "more output than anybody reads, before it was ready")
        ended = program.how_it_ended() if late or not program.stdout_open else None
        if ended is not None:
            return replace(ended, detail=f"{ended.detail}, before it was ready")
        if not late or program.ending:
            return None
        return self._too_late(program, FaultKind.NOT_READY, f"no line '{word}' in time")

    def await_reading(self) -> None:
        """Let all programs come to their first read, where the system can tell, for a while at most."""
        await_reading([program for program in self.programs if program is not None], self._lookout)

    # --- a turn

    def ask(
        self,
        prompts: Mapping[int, bytes],
        limits: Mapping[int, float],
        stops: Callable[[Fault], bool],
        behind: Mapping[int, float] | None = None,
        begun: Begun | None = None,
    ) -> dict[int, Answer]:
        """Send every seat its prompt and wait for one line from each, at most `limits[seat]` seconds.

        With stopwatches, it is at most `behind[seat]` by the watch. `begun` tells of a single seat that has been
        asked already.

        A seat whose program ended, closed its output, flooded it or was late gets the fault instead of a reply. If
        that fault `stops` the player, its program and whatever it started are gone when this returns.
        """
        if begun is None:
            waited, start = self._address(prompts, limits, behind or limits)
            now = monotonic_ns()
        else:
            waited = {begun.seat: False}
            self._go_on_with(begun, limits[begun.seat], (behind or limits)[begun.seat])
            start, now = begun.start, begun.now
        answers: dict[int, Answer] = {}
        while True:
            for seat in prompts:
                if seat not in answers:
                    answer = self._answer(seat, now - start, limits[seat], waited[seat])
                    if answer is not None:
                        answers[seat] = answer
                        if answer.reply is None and stops(answer.faults[-1]):
                            self._program(seat).kill()
                        elif not self._pondering:
                            self._program(seat).pause()
            if len(answers) == len(prompts):
                break
            left = [seat for seat in prompts if seat not in answers]
            elapsed = monotonic_ns() - start
            self._lookout.take_in(min(self._rest(seat, limits[seat], elapsed) for seat in left))
            now = monotonic_ns()
        for seat, answer in answers.items():
            if answer.reply is None:
                self._owed[seat] += 1  # whatever it was late by; who has ended sends no more
                if stops(answer.faults[-1]):
                    rest = self.stop(seat)
                    answer.faults = (*self.overdue(seat), *answer.faults)
                else:
                    rest = self._go_on(seat)
                answer.stderr, answer.stderr_dropped, answer.comments, answer.comments_dropped = rest
        return answers

    def _address(
        self, prompts: Mapping[int, bytes], limits: Mapping[int, float], behind: Mapping[int, float]
    ) -> tuple[dict[int, bool], int]:
        """Send every seat its prompt; whether a line of each was there already, and when their clocks started."""
        self._lookout.take_in(0)
        for seat in prompts:
            self._drop_late(seat)
            self._dropped[seat] = 0
        early = {seat: self._program(seat).has_line for seat in prompts}
        if self._watches or not self._pondering:
            self._begin({seat: limits[seat] for seat in prompts}, behind)
        start = 0
        self._heartbeat.start()
        for seat, prompt in prompts.items():
            start = monotonic_ns()
            self._send(self._program(seat), prompt)
            if self._watches:
                self._watches[seat].asked(not self._program(seat).has_unsent)
        return early, start

    def mark(self) -> None:
        """Note what all have used, where the clock asks for that: somebody else is to begin turns."""
        for seat, watch in self._watches.items():
            if self.programs[seat] is not None:
                watch.mark()

    def _go_on_with(self, begun: Begun, limit: float, behind: float) -> None:
        """Do what is left to do of a turn that was begun."""
        program = self._program(begun.seat)
        if self._watches:
            self._watches[begun.seat].go_on(limit, behind, monotonic_ns() - begun.start)
        self._dropped[begun.seat] = 0
        self._heartbeat.start(ago=monotonic_ns() - begun.start)
        self._heartbeat.check(2 * PATIENCE)
        program.take_in(begun.came)
        if begun.came:
            self._lookout.take_in(0)
        if begun.unsent:
            self._send(program, begun.unsent)
        if self._watches:
            self._watches[begun.seat].asked(not program.has_unsent)

    @property
    def is_tidy(self) -> bool:
        """Whether nothing of an earlier turn is left over with any program."""
        return not any(self._owed) and all(program.is_tidy for program in self.programs if program is not None)

    def _go_on(self, seat: int) -> Asides:
        """Let a program play on after a fault; what it wrote besides so far."""
        program = self._program(seat)
        if program.flooded:
            program.forget_output()
            self._lookout.follow_output(program)
            self._owed[seat] = 0
        return program.take_asides()

    def _drop_late(self, seat: int) -> None:
        """Drop the answers to earlier turns: the seat's next line answers this one."""
        program = self._program(seat)
        while self._owed[seat] and program.take_bytes() is not None:
            self._owed[seat] -= 1
            self._dropped[seat] += 1

    def _send(self, program: Program, prompt: bytes) -> None:
        """Write a prompt, and be woken for what the pipe does not take yet."""
        program.send(prompt)
        self._lookout.follow_input(program)

    def _answer(self, seat: int, elapsed: int, limit: float, was_early: bool) -> Answer | None:
        """The seat's answer `elapsed` nanoseconds after it was asked; none while it is waited for.

        A line that was there `early`, before the seat was asked, is its answer, as it was for the original referees,
        and a fault stands beside it: told where the line counts, it does not hang on when somebody looked.
        """
        program = self._program(seat)
        self._drop_late(seat)
        if self._watches:
            is_done = program.has_line or program.flooded or not program.stdout_open
            late = self._watches[seat].is_late(elapsed, is_done)
        else:
            late = elapsed >= limit * NANO
        fault: Fault | None = None
        if program.flooded:
            fault = Fault(FaultKind.OUTPUT, "more output than anybody reads")
        elif program.has_line and not late:
            reply = program.take_line()
            faults = (early(reply or ""),) if was_early else ()
            answer = Answer(reply, faults, round(elapsed / NANO, 6), *program.take_asides())
            return self._watches[seat].sign(answer) if self._watches else answer
        elif program.has_line:
            fault = program.verdict(Fault(FaultKind.TIMEOUT, "the answer came too late" + self._by_watch(seat)))
        elif not program.stdout_open and (ended := program.how_it_ended()):
            fault = replace(ended, detail=ended.detail + self._unfinished_line(program))
        elif late and not program.ending:
            detail = BEHIND if self._dropped[seat] else "no answer in time"
            fault = self._too_late(program, FaultKind.TIMEOUT, detail + self._by_watch(seat))
        if fault is None:
            return None
        answer = Answer(None, (fault,), round(elapsed / NANO, 6))
        return self._watches[seat].sign(answer) if self._watches else answer

    # --- the time, by whatever clock

    def _begin(self, limits: Mapping[int, float], behind: Mapping[int, float]) -> None:
        """These seats are to move: their stopwatches start, and nobody of them is paused any more."""
        for seat in limits:
            if self._watches:
                self._watches[seat].start(limits[seat], behind[seat])
        for seat in limits:
            self._program(seat).resume()

    def _rest(self, seat: int, limit: float, elapsed: int) -> int:
        """Nanoseconds until a seat may be late first that was asked `elapsed` nanoseconds ago.

        Where its output has ended: until its end is awaited no more.
        """
        next_look = self._watches[seat].next_look if self._watches else int(limit * NANO)
        return max(next_look - elapsed, self._program(seat).ending)

    def _by_watch(self, seat: int) -> str:
        """For a fault's detail: by which of its clocks it was late."""
        return BY_WATCH if self._watches and self._watches[seat].by_watch else ""

    def _too_late(self, program: Program, kind: FaultKind, detail: str) -> Fault:
        """What exactly it was that did not come in time."""
        if ended := program.how_it_ended():
            keeps = "; a process that it started keeps its output open" if program.stdout_open else ""
            return replace(ended, detail=ended.detail + keeps)
        if not program.stdout_open:
            detail = "closed its standard output and went on running"
            return program.verdict(Fault(FaultKind.CLOSED, detail + self._unfinished_line(program)))
        unread = "; it did not read its input" if program.has_unsent else ""
        return program.verdict(Fault(kind, detail + unread + self._unfinished_line(program)))

    def _unfinished_line(self, program: Program) -> str:
        return f"; a line without its newline: {program.partial!r}" if program.partial else ""

    # --- the end

    def end(self, seat: int, *faults: Fault) -> Answer:
        """End a seat's program, for these faults; all that is left to tell of it."""
        rest = self.stop(seat)
        return Answer(None, (*self.overdue(seat), *faults), None, *rest)

    def overdue(self, seat: int) -> tuple[Fault, ...]:
        """That the seat's program, which was stopped, had been slow to end."""
        fault = self._overdue[seat]
        return () if fault is None else (fault,)

    def stop(self, seat: int) -> Asides:
        """End a seat's program and its whole process group; the rest of what it wrote besides."""
        program = self._program(seat)
        try:
            self._lookout.remove(program)
            if self._watches:
                self._watches[seat].close()
        finally:
            self.programs[seat] = None
            self.ran[seat] = program.stop()
            self._overdue[seat] = program.overdue
        return program.take_asides()

    def await_ends(self, farewell: Callable[[int], bytes], seconds: float = GRACE) -> None:
        """Send all programs their last input, and give them `seconds` to read it and to end by themselves."""
        living = [program for program in self.programs if program is not None]
        for seat, program in enumerate(self.programs):
            if program is not None:
                program.look()
                program.resume()
                self._send(program, farewell(seat))
        end = monotonic_ns() + int(seconds * NANO)
        while any(program.stdout_open or program.stderr_open for program in living):
            for program in living:
                if not program.has_unsent:
                    program.close_input()
            left = end - monotonic_ns()
            if left <= 0:
                break
            self._lookout.take_in(left)
            for program in living:
                program.forget_output()

    def stop_all(self) -> dict[int, Answer]:
        """End all programs that are left; what each wrote to standard error after its last turn."""
        living = [seat for seat, program in enumerate(self.programs) if program is not None]
        for seat in living:
            self._program(seat).kill()
        answers = {}
        problem: Exception | None = None
        for seat in living:
            try:
                answers[seat] = self.end(seat)
            except Exception as error:  # a defect of ours with one must not keep the others from ending
                problem = error
        if problem is not None:
            raise problem
        return answers

    def _program(self, seat: int) -> Program:
        program = self.programs[seat]
        assert program is not None
        return program
