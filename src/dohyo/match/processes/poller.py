"""Waits for several programs at once, and for their first read; interrupts a read of a single one (`ReadTimer`).

Theory of operation
-------------------
A `Poller` watches the output and the standard error of every program that it is given, the input of those that have
not read all of theirs, and the end of those whose output has ended. It reads what comes, so that no program blocks on
a full pipe. It does not know whose clock runs.

Before the first turn, `await_reading` waits until the programs are at their first read, so that no clock charges for
their start. A program that has started, and was sent nothing yet, waits for its input: none of its threads runs, is
ready to run or waits for a disk, and it uses no processor time. This has to be seen twice in a row, at growing
distances, for the program with everything that it started. A program that does something else first has
`LONGEST_START` for that, in which the waits for a processor of one of its threads do not count, and never more than
`TIMES` as long. A program might wait for something other than its input; then its clock starts
no earlier than it would without this wait. If the system cannot show this (Linux can), there is no wait, and the
first turn includes the rest of the start.
"""

from __future__ import annotations

import os
import select
import signal
import threading
from collections.abc import Iterable
from time import monotonic_ns, sleep
from types import FrameType
from typing import TYPE_CHECKING

from dohyo.interrupts import DeferSignals
from dohyo.match.processes import ending
from dohyo.match.processes.bot_process import BotProcess
from dohyo.match.processes.heartbeat import BEAT, Heartbeat
from dohyo.system import proc

if TYPE_CHECKING:
    from dohyo.match.processes.process_tree import Tree

MILLISECOND = 1_000_000  # nanoseconds
HELD = 5_000_000  # nanoseconds of one call on a program's pipe; a longer one is not charged to other programs
BLIND_TICK = 5  # milliseconds between checks, if the system has no descriptor for a process's end
# Milliseconds. A signal that arrives just before a wait begins is noticed only when the wait ends; so is a standstill
# of the referee.
LONGEST_WAIT = BEAT / 1_000_000
# Before the first turn.
LONGEST_START = 3_000_000_000  # nanoseconds for programs to come to their first read, all side by side
TIMES = 5  # as long at most where they wait for processors meanwhile
FIRST, FARTHEST = 2_000_000, 20_000_000  # nanoseconds between two looks
BREAK = 0.2  # seconds between ticks of a `ReadTimer`
IDLE = 20  # a waiting program runs for less than 1/20 of the time: some language runtimes have timers of their own


class Poller:
    """Watches descriptors of several programs, and waits for them."""

    def __init__(self, signals: DeferSignals, heartbeat: Heartbeat | None = None) -> None:
        """`signals` take effect while this waits; `heartbeat` notices when a wait was too long."""
        self._signals = signals
        self.heartbeat = heartbeat or Heartbeat()
        self._poll = select.poll()
        self._watched: dict[int, tuple[BotProcess, str]] = {}
        self.absent = self._ended = self._since = self._began = self._came_by = 0  # of `monotonic_ns`: see `_note`
        self._handled = self._handling = 0  # nanoseconds since the wait before; since the last one
        self.held: dict[int, int] = {}  # by `id` of a program: how long its pipes held us in the last `take_in`
        self._exits: set[int] = set()  # programs whose end is watched
        self._blind: set[int] = set()  # programs whose end no descriptor shows

    def add(self, program: BotProcess) -> None:
        """Watch a program's output and standard error."""
        # In this order: what a program wrote to standard error before its answer is then seen with it.
        self.follow_output(program)
        self._watch(program, program.stderr, "errors", select.POLLIN)

    def follow_output(self, program: BotProcess) -> None:
        """Watch a program's output, again if it was watched before."""
        self._watch(program, program.stdout, "output", select.POLLIN)

    def follow_input(self, program: BotProcess) -> None:
        """Watch a program's input, as long as not all of it was sent."""
        if program.has_unsent:
            self._watch(program, program.stdin, "input", select.POLLOUT)
        else:
            self._unwatch(program.stdin)

    def follow_exit(self, program: BotProcess) -> None:
        """Watch for a program's end, too; if its output has ended, that is watched anyway."""
        if id(program) in self._exits:
            return
        self._exits.add(id(program))
        descriptor = ending.exit_descriptor(program.process)
        if descriptor is None:
            self._blind.add(id(program))
        else:
            self._watch(program, descriptor, "exit", select.POLLIN)

    def remove(self, program: BotProcess) -> None:
        """Stop watching a program."""
        self._exits.discard(id(program))
        self._blind.discard(id(program))
        for descriptor, (owner, what) in list(self._watched.items()):
            if owner is program:
                self._unwatch(descriptor)
                if what == "exit":
                    os.close(descriptor)

    def take_in(self, nanoseconds: int) -> None:
        """Wait at most so long for anything from any program, and read it."""
        if self.held:
            self.held = {}
        wait = min(max(0, nanoseconds) / 1_000_000, BLIND_TICK if self._blind else LONGEST_WAIT)
        self.heartbeat.go_on()
        self._signals.open()
        begin = monotonic_ns()
        try:
            ready = self._poll.poll(wait)
        finally:
            self._signals.shut()
        self._note(begin, int(wait * 1_000_000), bool(ready))
        self.heartbeat.check(int(wait * 1_000_000))
        for descriptor, _ in ready:
            program, what = self._watched[descriptor]
            begin = monotonic_ns()
            self._use(descriptor, program, what)
            took = monotonic_ns() - begin
            self._handling += took
            if took > HELD:
                self.held[id(program)] = self.held.get(id(program), 0) + took

    def _note(self, begin: int, wait: int, came: bool) -> None:
        """Note by when what came in this wait had come, and until when the rest had not.

        What came, came by `_came_by`; all else had not come by `absent`. Only the wait itself tells
        that: when it is over, this thread may still wait for a processor, for Python's lock that another of our
        threads holds, or for a page, and what comes meanwhile is seen in the next wait.
        """
        now, end = monotonic_ns(), begin + wait
        # The system waits for whole milliseconds. Longer, it was not the wait: what ended it came before its end.
        is_over = now > end + MILLISECOND
        self._since, self._began, self._handled, self._handling = self._ended, begin, self._handling, 0
        self.absent = begin if came else min(now, end)
        # A program may end a wait itself, by a byte: so this wait was one until now, unless it was provably too long.
        self._ended = begin if came and is_over else min(now, end)
        self._came_by = end if is_over else now

    def note_absent(self, now: int) -> None:
        """Other code has waited for the same programs up to this moment, and nothing more had come."""
        self.absent = max(self.absent, now)
        self._ended, self._handling = now, 0

    def came_by(self, start: int, now: int) -> int:
        """By when what the last `take_in` read had come, as far as that is seen, from a program asked at `start`.

        What we did, or waited for, between the wait before and the last one is not in it: it may have come in that.
        What took us long at a program's pipe is in it: that is the program's own doing, or was excused already.
        """
        if not start < self._began < now:  # other code has read it
            return now
        between = self._began - max(self._since, start) - self._handled
        return max(start, min(now, self._came_by) - (between if between > MILLISECOND else 0))

    def excuse(self, nanoseconds: int) -> None:
        """So much since the last wait was taken from all programs' time already."""
        self._handling += nanoseconds

    def until(self, start: int, now: int, is_done: bool) -> int:
        """Until when a program's turn lasts that began at `start`: until it was done, or was seen not to be."""
        return self.came_by(start, now) if is_done else min(now, self.absent)

    def held_by_others(self, program: BotProcess) -> int:
        """For how many nanoseconds the last `take_in` was held by other programs' pipes than this one's."""
        return sum(took for other, took in self.held.items() if other != id(program))

    def _use(self, descriptor: int, program: BotProcess, what: str) -> None:
        """Do what a descriptor is ready for."""
        if what == "output":
            program.read_output()
            if not program.stdout_open or program.flooded:
                self._unwatch(descriptor)
            if not program.stdout_open:
                self.follow_exit(program)
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

    def _watch(self, program: BotProcess, descriptor: int, what: str, events: int) -> None:
        self._poll.register(descriptor, events)
        self._watched[descriptor] = (program, what)

    def _unwatch(self, descriptor: int) -> None:
        if self._watched.pop(descriptor, None) is not None:
            self._poll.unregister(descriptor)


def await_reading(programs: Iterable[BotProcess], poller: Poller) -> None:
    """Return when all programs wait for input, have ended, or time is up; `poller` reads what they write."""
    if proc.missing("fair"):
        return
    from dohyo.match.processes.process_tree import Census, Tree

    census = Census()
    waiting = [(program, Tree(program.process.pid, census)) for program in programs]
    seen: dict[int, tuple[int, int]] = {}  # by process in which nothing ran: when, and its processor time then
    start, distance = monotonic_ns(), FIRST
    while waiting:
        took = monotonic_ns() - start
        waiting = [
            (program, tree)
            for program, tree in waiting
            if not _is_waiting(program, tree, seen) and not _has_had_its_time(tree, took)
        ]
        if not waiting:
            return
        end = monotonic_ns() + min(distance, LONGEST_START)
        while (rest := end - monotonic_ns()) > 0:
            poller.take_in(rest)
        distance = min(2 * distance, FARTHEST)


def _has_had_its_time(tree: Tree, took: int) -> bool:
    """Whether a program that began so long ago has had its time to start, but for what a thread had no processor."""
    if took < LONGEST_START:
        return False
    if took >= TIMES * LONGEST_START or tree.is_modest():  # who is behind others by its own doing waits for itself
        return True
    return took - max(tree.look().waits.values(), default=0) >= LONGEST_START


def await_first_read(pid: int, seconds: float) -> bool:
    """Wait until a process with all that it started waits for its input, at most so long; whether that was seen.

    It is one that nobody reads from, and that was sent nothing. False at once if the system cannot show this.
    """
    if proc.missing("fair"):
        return False
    from dohyo.match.processes.process_tree import Census, Tree

    tree = Tree(pid, Census())
    seen: dict[int, tuple[int, int]] = {}
    end, distance = monotonic_ns() + int(seconds * 1_000_000_000), FIRST
    while not _waits(pid, tree, seen):
        if monotonic_ns() >= end or not os.path.exists(f"/proc/{pid}"):
            return False
        sleep(distance / 1_000_000_000)
        distance = min(2 * distance, FARTHEST)
    return True


def _is_waiting(program: BotProcess, tree: Tree, seen: dict[int, tuple[int, int]]) -> bool:
    """Whether a program waits now and waited at the look before; or has ended."""
    if not program.stdout_open or program.flooded:
        return True
    return _waits(program.process.pid, tree, seen)


def _waits(pid: int, tree: Tree, seen: dict[int, tuple[int, int]]) -> bool:
    """Whether a process waits now and waited at the look before."""
    before, now = seen.pop(pid, None), monotonic_ns()
    ran = tree.look().ran
    if tree.is_busy():
        return False
    seen[pid] = now, ran
    return before is not None and (ran - before[1]) * IDLE < now - before[0]


class ReadTimer:
    """A timer that interrupts a blocking read, so that waiting for one program's line costs one system call, not two.

    It runs from `start` to `stop`; `is_running` says whether there is one.

    A blocking read is the cheapest way to wait, but it has no time limit. So a signal comes at every tick; it
    interrupts the read, and Python repeats the read after the handler has run (PEP 475). When the limit is over, the
    handler makes the descriptor non-blocking: the repeated read then fails at once, and its caller looks at the
    clock. The tick decides only when to look; the time that is judged is measured by the caller.

    A handler that runs late says for how long this thread could not run, whatever it waited for: a processor, a page,
    or Python's lock that another thread holds, which no number of the system tells (`late_since`).

    Only the main thread gets signals, and the process has only one such timer. In other threads, or when other code
    uses the timer, there is no tick, and the caller waits by `poll`.
    """

    def __init__(self, seconds: float = BREAK) -> None:
        """The timer has a tick of so many seconds."""
        self._seconds = seconds
        self.is_running = False
        self.descriptor = -1  # whose read to interrupt
        self.end = 0  # when, on `monotonic_ns`
        self.begun = 0  # the same: when the program that is read from was asked
        self._late = self._ticked = 0  # nanoseconds by which ticks since then came too late; when the last one came

    def start(self) -> None:
        """Start the timer, if no other code uses it."""
        if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
            return
        if signal.getsignal(signal.SIGALRM) is not signal.SIG_DFL or any(signal.getitimer(signal.ITIMER_REAL)):
            return
        signal.signal(signal.SIGALRM, self._break_in)
        signal.setitimer(signal.ITIMER_REAL, self._seconds, self._seconds)
        self.is_running = True

    def stop(self) -> None:
        """Stop the timer, and leave the signal as it was."""
        if self.is_running:
            self.is_running = False
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)

    def late_since(self, begun: int) -> int:
        """For how many nanoseconds this thread could not run in reads since then, as far as ticks have shown."""
        return self._late if self._ticked >= begun else 0

    def _break_in(self, number: int, frame: FrameType | None) -> None:
        if self.descriptor < 0:
            return
        now = monotonic_ns()
        before, self._late = (self._ticked, self._late) if self._ticked >= self.begun else (self.begun, 0)
        self._late += max(0, now - before - int(self._seconds * 1_000_000_000))
        self._ticked = now
        if now >= self.end:
            os.set_blocking(self.descriptor, False)
