"""Frees the referee from a program that keeps one of its pipes locked, and sees when this whole process stood still.

Theory of operation
-------------------
A pipe has one lock in the kernel, for both of its ends. Who writes to it, or reads from it, holds that lock, and a
program can make that last: by splice(2) from a socket on which nothing ever comes, or by write(2) from memory whose
pages come slowly. Meanwhile our own `read` of that pipe sleeps, and no signal wakes it. Sockets have no such lock,
but a turn through them takes 3.5 microseconds more; a process between the program and us takes more still.

So the pipes stay, and a thread of this process looks at the threads that read, every `TICK`. The kernel says of a
thread what it waits for: a thread that cannot be woken, in a call on one of the program's pipes, at two looks one
after the other, is held by that program. Then the program's process group is stopped: the lock is free a few
milliseconds later, because what holds it is either woken by that, or no longer slowed by the program's other
threads. As soon as the referee goes on, the program may, too: it has gained nothing, because its clock went on. If
that happens `MAX_HOLDS` times, or if it does not help, the program is killed, and whatever else has that pipe open
(without a sandbox, a process can leave its group); and the program's fault says why.

A program can also hold a lock for less time than a look can see. So whoever waits for several programs measures each
of its own calls on their pipes (`Poller.held`), and no other program is charged for that.

The same thread is a witness. If the whole process was stopped, or the machine slept, this thread stood still as well;
if only the referee's thread stood still, in a call on a program's pipe, it was that program (`stood_still`).

This costs nothing in a turn. The thread sleeps for good while this process has no programs. Linux only: on other
systems no sandbox lets strangers' programs run.

What the referee makes of a standstill is in `heartbeat.py`.
"""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple, Protocol

from dohyo.system import proc, scheduler
from dohyo.system.proc import GONE, IS_LINUX, end_users, pipe_of, status

NANO = 1_000_000_000
TICK = 0.05  # seconds between two looks
AGAIN = 0.01  # seconds from a look that sees a hold to the one that confirms it
FREED = 0.001  # seconds between looks at whether stopping a program has helped
PATIENCE = 5.0  # seconds for which stopping may take to help: a page that comes from a busy disk is nobody's fault
MAX_HOLDS = 100  # of one program; an innocent one whose pages come slowly has a few
USUAL = 20_000_000  # nanoseconds by which a look, or the end of a wait, is late on any machine
MEMORY = 64  # standstills that are remembered, each as one span
CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)  # goes on while the machine sleeps
UNINTERRUPTIBLE = b"D"  # the state of a thread that no signal wakes


class Held(Protocol):
    """A program with pipes that we use: what the watchdog needs of it."""

    holds: int  # how often it held us, provably
    is_ended_for_holding: bool  # whether it was killed for that

    @property
    def group(self) -> int:
        """The number of its process group; 0 once that may be another's."""

    @property
    def is_paused(self) -> bool:
        """Whether it is stopped on purpose, and must not go on by itself."""


class PipedProcess:
    """A process in a group of its own that is never paused, as the watchdog needs it."""

    is_paused = False

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self.holds = 0
        self.is_ended_for_holding = False

    @property
    def group(self) -> int:
        """The number of its process group; 0 once it was collected."""
        return 0 if self._process.returncode is not None else self._process.pid


class Watch(NamedTuple):
    """What is watched: a program, its pipes' descriptors here, how the system calls them, the threads that use them.

    Once we have closed what a program no longer reads, another program's pipe may get that descriptor.
    """

    program: Held
    descriptors: frozenset[int]
    pipes: frozenset[str]
    threads: tuple[int, ...]


class Blocked(NamedTuple):
    """A thread that no signal wakes: the descriptor that its call is about (or a word below), and the call."""

    descriptor: int
    call: bytes


NO_PIPE = -1  # in the place of the descriptor: it waits for something else
SOME_PIPE = -2  # this kernel does not say for which pipe it waits


def now() -> int:
    """Nanoseconds of a clock that also counts while the machine sleeps."""
    return time.clock_gettime_ns(CLOCK)


class Watchdog:
    """The thread of one process, started with its first program."""

    def __init__(self, look: Callable[[int], Blocked | None] | None = None) -> None:
        """`look` says of a thread by its number what it waits for, if no signal wakes it."""
        self._look = look or blocked
        self._begin()

    def _begin(self) -> None:
        """Watch nothing: at the beginning, and in a process that was forked off."""
        self._watched: dict[int, Watch] = {}
        self._lock = threading.Lock()
        self._has_some = threading.Event()
        self._thread: threading.Thread | None = None
        self._ticked = now()
        self._sees_waits = not proc.missing("fair")
        self._waited = 0  # for how long the thread has waited for a processor
        self._stalls: deque[tuple[int, int]] = deque(maxlen=MEMORY)  # when nothing of this process ran, or we waited

    def after_fork(self) -> None:
        """Begin anew in a child of this process: the thread is not there, and nobody will let go of the lock."""
        self._begin()

    def watch(self, program: Held, descriptors: Sequence[int], *more_threads: int) -> None:
        """Watch a program, whose pipes this thread and `more_threads` use, until `forget`.

        Raises `OSError` where the system has no room for a thread.
        """
        if not IS_LINUX:
            return
        threads = (threading.get_native_id(), *more_threads)
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="dohyo-watchdog", daemon=True)
                try:
                    self._thread.start()
                except RuntimeError as error:  # Python's way to say it
                    raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN)) from error
            pipes = frozenset(map(pipe_of, descriptors))
            self._watched[id(program)] = Watch(program, frozenset(descriptors), pipes, threads)
            if not self._has_some.is_set():
                self._ticked = now()
                self._has_some.set()

    def also(self, program: Held, thread: int) -> None:
        """Another thread uses the program's pipes, too."""
        with self._lock:
            if (known := self._watched.get(id(program))) is not None:
                self._watched[id(program)] = known._replace(threads=(*known.threads, thread))

    def forget_pipe(self, program: Held, descriptor: int) -> None:
        """A pipe of the program's was closed: the number may be another file's by now, or another program's pipe."""
        with self._lock:
            if (known := self._watched.get(id(program))) is not None:
                self._watched[id(program)] = known._replace(descriptors=known.descriptors - {descriptor})

    def forget(self, program: Held) -> None:
        """The program has ended, and so have its pipes."""
        with self._lock:
            self._watched.pop(id(program), None)
            if not self._watched:
                self._has_some.clear()

    def stood_still(self, since: int, until: int) -> int:
        """For how many nanoseconds between two moments (of `now`) this whole process stood still, as far as seen.

        So did the thread that reads, where it could not be woken and waited for none of the programs.
        """
        late = self._ticked + int(TICK * NANO) + USUAL
        spans = [*self._stalls, *([(late, until)] if late < until else [])]
        return sum(max(0, min(end, until) - max(begin, since)) for begin, end in spans)

    # --- in the thread

    def _run(self) -> None:
        with suppress(AttributeError):  # signals belong to the threads that work
            signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        scheduler.take_short_turns()
        while True:
            self._has_some.wait()
            self._note_stall(0.0)  # between two sleeps, too
            time.sleep(TICK)
            self._note_stall(TICK)
            with suppress(OSError):  # whatever ends while it is looked at
                self.look()

    def _note_stall(self, planned: float) -> None:
        """Note if more time has gone by than was planned, and not because other threads had the processor."""
        waited, self._waited = self._waited, proc.own_wait() if self._sees_waits else 0
        before, moment = self._ticked, now()
        over = moment - before - int(planned * NANO) - (self._waited - waited)
        if over > USUAL and self._has_some.is_set():
            self._stalls.append((moment - over, moment))
        self._ticked = moment

    def look(self) -> None:
        """Look once at all that use programs' pipes; free those that are held."""
        with self._lock:
            watched = list(self._watched.values())
        suspects = {thread: seen for thread in _threads(watched) if (seen := self._look(thread)) is not None}
        if not suspects:
            return
        begin = now()
        time.sleep(AGAIN)
        for thread, seen in suspects.items():
            if self._look(thread) != seen:
                continue
            holders = _holders([one for one in watched if thread in one.threads], seen.descriptor)
            if not holders:
                self._stalls.append((begin - int(TICK * NANO), now()))
            for holder in holders:
                if self._look(thread) == seen:
                    self._free(holder, thread, seen)
        self._ticked = now()

    def _free(self, watch: Watch, thread: int, seen: Blocked) -> None:
        """Stop the program that holds this thread until the thread goes on; kill it if it has done that too often."""
        program = watch.program
        if seen.descriptor == SOME_PIPE:  # it may be another one's: nobody is blamed
            self._stop_until_freed(watch, thread, seen, AGAIN)
            return
        program.holds += 1
        if program.holds > MAX_HOLDS or not self._stop_until_freed(watch, thread, seen):
            program.is_ended_for_holding = True
            self._signal(program, signal.SIGKILL)
            if self._look(thread) == seen:
                end_users(watch.pipes)

    def _stop_until_freed(self, watch: Watch, thread: int, seen: Blocked, patience: float | None = None) -> bool:
        """Stop the program until that has helped, at most so many seconds; returns whether it has."""
        program = watch.program
        self._signal(program, signal.SIGSTOP)
        try:
            end = time.monotonic() + (PATIENCE if patience is None else patience)
            while self._look(thread) == seen:
                if time.monotonic() >= end:
                    return False
                time.sleep(FREED)
                self._ticked = now()  # this thread goes on, and says so: the program holds us, and not the machine
            return True
        finally:
            is_settled = False
            while not is_settled:  # the referee goes on by now, and may pause the program or let it go on
                paused = program.is_paused
                self._signal(program, signal.SIGSTOP if paused else signal.SIGCONT)
                is_settled = program.is_paused == paused

    def _signal(self, program: Held, number: int) -> None:
        """Signal the program's group, if it is still watched."""
        with self._lock, suppress(ProcessLookupError, PermissionError):
            if id(program) in self._watched and program.group:
                os.killpg(program.group, number)


def _holders(watched: Sequence[Watch], descriptor: int) -> list[Watch]:
    """Whose pipe a thread waits for by this descriptor: whose it is now, or was, if it waits while it closes it.

    All of them, where the kernel does not say which pipe it is.
    """
    if descriptor == SOME_PIPE:
        return list(watched)
    opened = pipe_of(descriptor)
    by_name = [one for one in watched if opened and opened in one.pipes]
    return by_name or [one for one in watched if descriptor in one.descriptors]


def _threads(watched: Sequence[Watch]) -> list[int]:
    return list(dict.fromkeys(thread for one in watched for thread in one.threads))


def blocked(thread: int) -> Blocked | None:
    """What a thread of this process waits for, if no signal can wake it; none otherwise, and when in doubt."""
    place = f"/proc/self/task/{thread}"
    try:
        if status("self", thread)[0] != UNINTERRUPTIBLE:
            return None
        with suppress(OSError), open(f"{place}/syscall", "rb", 0) as file:
            call = file.read(500)
            words = call.split()  # the call's number, its six arguments, two addresses; of a page fault only three
            return Blocked(int(words[1], 16) if len(words) > 7 else NO_PIPE, call)
        with open(f"{place}/wchan", "rb", 0) as file:  # the name of the kernel's function in which it waits
            call = file.read(200)
        return Blocked(SOME_PIPE if b"pipe" in call else NO_PIPE, call)
    except GONE:
        return None


WATCHDOG = Watchdog()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=WATCHDOG.after_fork)
