"""The ring: all programs of one match, asked and waited for together. The only place where time passes.

Theory of operation
-------------------
One `poll` watches the output and the standard error of every program, and the input of those that have not read
all of theirs. While some seats are awaited, whatever comes from anybody is taken in, so that nobody blocks on a full
pipe; but only the awaited seats' clocks run.

A seat's clock starts when its input has been written, and is read when its line is complete. That number is judged:
a line that was complete in time counts although the referee was late to look only if the number says so, and the
other way round.
"""

from __future__ import annotations

import os
import select
from collections.abc import Mapping, Sequence
from time import monotonic_ns

from msgspec.structs import replace

from dohyo.core.faults import Fault, FaultKind
from dohyo.core.referee import Answer
from dohyo.play import system
from dohyo.play.program import GRACE, Program

NANO = 1_000_000_000
BLIND_TICK = 5  # milliseconds between looks, where the system has no descriptor for a process's end


class Ring:
    """The programs of a match by seat; a stopped one is none."""

    def __init__(self, programs: Sequence[Program | None]) -> None:
        self.programs = list(programs)
        self._poll = select.poll()
        self._watched: dict[int, tuple[Program, str]] = {}
        self._blind = False  # whether a process's end can come without any descriptor telling
        for program in programs:
            if program is not None:
                self._watch(program, program.stdout, "output", select.POLLIN)
                self._watch(program, program.stderr, "errors", select.POLLIN)

    def await_ready(self, word: str, seconds: float, started: Mapping[int, int]) -> dict[int, Answer]:
        """Wait, for all programs side by side, until each has printed the line `word`; other lines are skipped.

        `started` holds each seat's start on the monotonic clock in nanoseconds. Returns the answers, with a fault
        each, of those that did not within `seconds`; they have been stopped.
        """
        waiting = {seat for seat, program in enumerate(self.programs) if program is not None}
        failed: dict[int, Answer] = {}
        while waiting:
            now = monotonic_ns()
            for seat in sorted(waiting):
                fault = self._ready_fault(seat, word, seconds - (now - started[seat]) / NANO)
                if fault is not None:
                    waiting.discard(seat)
                    if fault.kind is not FaultKind.NOT_READY or fault.detail:
                        failed[seat] = self.stop(seat, fault)  # no seconds: it was never asked
            if waiting:
                first = min(started[seat] for seat in waiting)
                self._take_in(first + int(seconds * NANO) - monotonic_ns())
        return failed

    def _ready_fault(self, seat: int, word: str, left: float) -> Fault | None:
        """None while it is waited for; NOT_READY without detail when it is ready; otherwise what went wrong."""
        program = self.programs[seat]
        assert program is not None
        while (line := program.take_line()) is not None:
            if line.strip() == word:
                return Fault(FaultKind.NOT_READY)
        if program.flooded:
            return Fault(FaultKind.OUTPUT, "more output than anybody reads, before it was ready")
        if not program.stdout_open and (ended := program.how_it_ended()):
            return replace(ended, detail=f"{ended.detail}, before it was ready")
        if left <= 0:
            return self._too_late(program, FaultKind.NOT_READY, f"no line '{word}' in time")
        return None

    def ask(self, prompts: Mapping[int, bytes], limits: Mapping[int, float]) -> dict[int, Answer]:
        """Send every seat its prompt and wait for one line from each, at most `limits[seat]` seconds.

        A seat whose program ended, closed its output, flooded it or was late gets the fault instead of a reply; the
        program then still has to be stopped by the caller, if the rules say so.
        """
        self._take_in(0)
        early = {seat: self._unasked(seat, "a line that nobody had asked for") for seat in prompts}
        start = {}
        for seat, prompt in prompts.items():
            program = self.programs[seat]
            assert program is not None
            program.send(prompt)
            if program.has_unsent:
                self._watch(program, program.stdin, "input", select.POLLOUT)
            else:
                self._unwatch(program.stdin)
            start[seat] = monotonic_ns()
        answers: dict[int, Answer] = {}
        while True:
            now = monotonic_ns()
            for seat in prompts:
                if seat not in answers:
                    answer = self._answer(seat, now - start[seat], limits[seat], early[seat])
                    if answer is not None:
                        answers[seat] = answer
            if len(answers) == len(prompts):
                return answers
            waiting = [start[seat] + int(limits[seat] * NANO) for seat in prompts if seat not in answers]
            self._take_in(min(waiting) - monotonic_ns())

    def stop(self, seat: int, fault: Fault | None = None) -> Answer:
        """End a seat's program; the answer holds the fault and the rest of its standard error."""
        program = self.programs[seat]
        assert program is not None
        self._forget(program)
        program.stop()
        self.programs[seat] = None
        errors, dropped = program.take_errors()
        return Answer(None, () if fault is None else (fault,), None, errors, dropped)

    def close(self, grace: float = GRACE) -> dict[int, Answer]:
        """End all programs: their input is closed, those that are still there after `grace` seconds are killed.

        Returns what each wrote to standard error after its last turn.
        """
        living = {seat: program for seat, program in enumerate(self.programs) if program is not None}
        for program in living.values():
            self._unwatch(program.stdin)
            program.close_input()
        end = monotonic_ns() + int(grace * NANO)
        while any(program.stdout_open or program.stderr_open for program in living.values()):
            left = end - monotonic_ns()
            if left <= 0:
                break
            self._take_in(left)
            for program in living.values():
                while program.take_line() is not None:
                    pass
        return {seat: self.stop(seat) for seat in living}

    def _unasked(self, seat: int, what: str) -> tuple[Fault, ...]:
        """A fault to record for a line too many; the line stays in the queue and counts as a later answer."""
        program = self.programs[seat]
        assert program is not None
        line = program.unasked_line()
        return () if line is None else (Fault(FaultKind.MALFORMED, f"{what}: {line[:80]!r}"),)

    def _answer(self, seat: int, elapsed: int, limit: float, early: tuple[Fault, ...]) -> Answer | None:
        """The seat's answer `elapsed` nanoseconds after it was asked; none while it is waited for."""
        program = self.programs[seat]
        assert program is not None
        late = elapsed >= limit * NANO
        fault: Fault | None = None
        if program.flooded:
            fault = Fault(FaultKind.OUTPUT, "more output than anybody reads")
        elif program.lines and not late:
            reply = program.take_line()
            faults = early + self._unasked(seat, "a second line in the same turn")
            return Answer(reply, faults, round(elapsed / NANO, 6), *program.take_errors())
        elif not program.stdout_open and (ended := program.how_it_ended()):
            fault = ended
        elif late:
            fault = self._too_late(program, FaultKind.TIMEOUT, "no answer in time")
        if fault is None:
            return None
        return Answer(None, (*early, fault), round(elapsed / NANO, 6), *program.take_errors())

    def _too_late(self, program: Program, kind: FaultKind, detail: str) -> Fault:
        """What exactly it was that did not come in time."""
        if ended := program.how_it_ended():  # its output is still open: a descendant has inherited it
            return ended
        if not program.stdout_open:
            return Fault(FaultKind.CLOSED, "closed its standard output and went on running")
        if program.has_unsent:
            return Fault(kind, f"{detail}; it did not read its input")
        if program.partial:
            return Fault(kind, f"{detail}; a line without its newline: {program.partial[:80]!r}")
        return Fault(kind, detail)

    def _take_in(self, nanoseconds: int) -> None:
        """Wait at most so long for anything from anybody, and take it in."""
        wait = max(0, nanoseconds) / 1_000_000
        if self._blind:
            wait = min(wait, BLIND_TICK)
        for descriptor, _ in self._poll.poll(wait):
            program, what = self._watched[descriptor]
            if what == "output":
                program.read_output()
                if not program.stdout_open:
                    self._watch_exit(program)
                if not program.stdout_open or program.flooded:
                    self._unwatch(descriptor)
            elif what == "errors":
                program.read_errors()
                if not program.stderr_open:
                    self._unwatch(descriptor)
            elif what == "input":
                program.send()
                if not program.has_unsent:
                    self._unwatch(descriptor)
            else:
                self._unwatch(descriptor)
                os.close(descriptor)

    def _watch_exit(self, program: Program) -> None:
        """Be woken when a program ends whose output has ended before."""
        descriptor = system.exit_descriptor(program.process)
        if descriptor is None:
            self._blind = True
        else:
            self._watch(program, descriptor, "exit", select.POLLIN)

    def _watch(self, program: Program, descriptor: int, what: str, events: int) -> None:
        self._poll.register(descriptor, events)
        self._watched[descriptor] = (program, what)

    def _unwatch(self, descriptor: int) -> None:
        if self._watched.pop(descriptor, None) is not None:
            self._poll.unregister(descriptor)

    def _forget(self, program: Program) -> None:
        for descriptor, (owner, what) in list(self._watched.items()):
            if owner is program:
                self._unwatch(descriptor)
                if what == "exit":
                    os.close(descriptor)
