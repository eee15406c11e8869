"""What a program and everything that it started have used of the machine. Linux only; in nanoseconds throughout.

Theory of operation ------------------- There are two numbers: the time that its threads ran on a processor, and the
time that they were ready to run and waited for one. A process's own clock gives the first, and includes threads that
have ended. The scheduler's statistics give the second, for each living thread (the second number of `schedstat`; it
is recorded when the wait is over, so for a thread that waits right now the last wait is missing: `runnable` is for
that).

The members of a program's tree are its descendants and all processes in its session or group. To find them, all of
/proc has to be read, but only if a process or thread was started anywhere since the last time: the kernel shows the
number of the newest. In the usual case, one process with one thread, measuring takes three short reads.

What a member used stays counted when it has ended: either what was seen of it last, or what the kernel reported to
the parent that collected it (in hundredths of a second), whichever is more. Two things are not seen. One is a process
that ends between two looks without being collected by a member (for example because its parent ignores SIGCHLD),
unless a control group counts the whole tree. The other is the waiting of a thread that begins and ends between two
looks. What was seen of an ended thread's waiting stays counted.
"""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import NamedTuple

from dohyo.runner.system import IS_LINUX

TICK = 1_000_000_000 // os.sysconf("SC_CLK_TCK") if IS_LINUX else 0
LOAD, OWN, STAT = "/proc/loadavg", "/proc/thread-self/schedstat", "/proc/stat"
TASKS = "/proc/self/task"
STEAL = 8  # the word of a processor's line there that says how much the hypervisor took
MOST_LOOKS = 1000
MOST_GLANCES = 16  # threads
RECENT = 50_000_000  # nanoseconds for which a reading stays good enough
GONE = (OSError, IndexError, ValueError)  # what reading about a process may raise if it ends in that moment


class Used(NamedTuple):
    """Time on a processor since the program began; for each thread its time on one, and its time waiting for one."""

    ran: int
    threads: Mapping[int, int] = {}
    waits: Mapping[int, int] = {}
    is_alone: bool = False  # whether it is and always was one thread

    @property
    def waited(self) -> int:
        """What all threads waited, added up: at the same moment or not."""
        return sum(self.waits.values())


def missing(mode: str) -> str:
    """What this system lacks to measure in a clock's mode; empty if nothing."""
    if not IS_LINUX:
        return "Linux"
    for path in (LOAD, OWN) if mode == "fair" else (LOAD,):
        if not os.access(path, os.R_OK):
            return path
    return ""


def own_wait() -> int:
    """How long this thread was ready to run and had to wait."""
    return _numbers(OWN)[1]


class OwnTime:
    """How long this process's threads have run, or were ready to run and had to wait; if the system does not show
    waits, only how long they ran."""

    def __init__(self) -> None:
        self._waited: dict[str, int] = {}
        self._total = 0  # what was seen of the waits of all threads, ended ones included

    def __call__(self) -> int:
        """The time up to now."""
        waited: dict[str, int] = {}
        with suppress(OSError):
            for thread in {str(threading.get_native_id()), *os.listdir(TASKS)[:MOST_GLANCES]}:
                with suppress(*GONE):
                    waited[thread] = _numbers(f"{TASKS}/{thread}/schedstat")[1]
        self._total += sum(max(0, now - self._waited.get(thread, now)) for thread, now in waited.items())
        self._waited = waited
        return time.process_time_ns() + self._total


def computed(process: subprocess.Popen[bytes]) -> float:
    """Seconds that a process, its living descendants, and the processes that these have collected have run.

    0 once it is collected itself.
    """
    total, looks, waiting = 0, 0, [process.pid] if process.returncode is None else []
    while waiting and looks < MOST_LOOKS:  # more may be started meanwhile
        looks += 1
        with suppress(*GONE):
            member = waiting.pop()
            total += _clock(member) + sum(int(ticks) for ticks in _status(member)[13:15]) * TICK
            for thread in os.listdir(f"/proc/{member}/task"):
                with open(f"/proc/{member}/task/{thread}/children", "rb", 0) as file:
                    waiting += [int(word) for word in file.read().split()]
    return total / 1_000_000_000


class Thefts:
    """The time that the hypervisor took from each processor of this machine; the kernel counts it as time that
    ran."""

    def __init__(self) -> None:
        self.slept = 0  # nanoseconds that `since` waited so far: not charged to any program either
        self._known: list[int] = []
        self._known_at = -RECENT

    def before(self) -> list[int]:
        """A reading from shortly before now: a new one at the beginning of each turn would cost too much."""
        now = time.monotonic_ns()
        if now - self._known_at >= RECENT:
            self._known, self._known_at = self._look(), now
        return self._known

    def since(self, before: list[int], is_enough: Callable[[int], bool]) -> int:
        """The most that may have been taken from one processor since then. It is reported in ticks, the last one
        late.

        Less than a tick is not reported, so on a machine whose hypervisor takes time, one tick may always be missing.
        If the amount `is_enough`, this returns at once; otherwise it waits for what may still be reported.
        """
        most = self._most(before)
        if not most and not any(before):
            return 0
        if not most and not is_enough(TICK):
            time.sleep(TICK / 1_000_000_000)
            self.slept += TICK
            most = self._most(before)
        return (most + 1) * TICK

    def _most(self, before: list[int]) -> int:
        return max((now - then for now, then in zip(self._look(), before, strict=False)), default=0)

    def _look(self) -> list[int]:
        with suppress(*GONE), open(STAT, "rb") as file:
            processors = [
                line.split() for line in file.read().splitlines() if line[:3] == b"cpu" and line[3:4] != b" "
            ]
            return [int(words[STEAL]) for words in processors]
        return []


class Census:
    """Which processes belong to which program."""

    def __init__(self) -> None:
        self._owner: dict[int, int] = {}  # for each process its program's first one; 0 for processes of no program
        self._newest = b""

    def add(self, program: int) -> None:
        """Count from now on all processes of the program whose first process this is."""
        self._owner[program] = program
        self._newest = b""

    def remove(self, program: int) -> None:
        """Stop counting it."""
        self._owner = {pid: owner for pid, owner in self._owner.items() if owner != program}

    def look(self) -> bytes:
        """Update it; returns a value that stays the same as long as no process was started on this machine."""
        with open(LOAD, "rb", 0) as file:
            newest = file.read(200).split()[-1]
        if newest != self._newest:
            self._newest = newest
            self._count()
        return newest

    def members(self, program: int) -> list[int]:
        """The processes of a program, as they were at the last look."""
        return [pid for pid, owner in self._owner.items() if owner == program]

    def _count(self) -> None:
        living = {int(entry) for entry in os.listdir("/proc") if entry.isdigit()}
        owner = {pid: whose for pid, whose in self._owner.items() if pid in living or pid == whose}
        unknown: dict[int, list[int]] = {}
        for pid in sorted(living - owner.keys()):
            with suppress(*GONE):
                unknown[pid] = [int(word) for word in _status(pid)[1:4]]  # parent, group, session
        found = True
        while found:  # process numbers start again from the beginning: a child's may be smaller than its parent's
            found = False
            for pid, (parent, group, session) in list(unknown.items()):
                whose = owner.get(parent, 0) or self._program(group) or self._program(session)
                if whose:
                    owner[pid], found = whose, True
                    del unknown[pid]
        self._owner = {**owner, **dict.fromkeys(unknown, 0)}

    def _program(self, pid: int) -> int:
        return pid if self._owner.get(pid) == pid else 0


class Tree:
    """One program with everything that it started."""

    def __init__(self, program: int, census: Census, counted: Callable[[], float | None] = lambda: None) -> None:
        """`program` is its first process; it must not be collected before the last look.

        `counted` returns the seconds that all of it ran, if a control group counts even processes that are never
        seen.
        """
        self._program, self._census, self._counted = program, census, counted
        self._ran: dict[int, int] = {}  # by process
        self._waited: dict[int, int] = {}  # by thread
        self._threads: dict[int, int] = {}  # by thread, what it ran, as last recorded
        self._total = 0
        self._unseen = 0  # what processes ran that were never seen
        self._alone_at = b""  # the census's value when it was last seen to be a single thread
        self._living: dict[int, list[int]] = {}  # at the last look, by process: some of its threads
        census.add(program)

    def look(self) -> Used:
        """What it has used so far."""
        word = self._census.look()
        if word == self._alone_at:
            with suppress(*GONE):
                pid = self._program
                self._ran[pid] = _clock(pid)
                self._threads[pid], self._waited[pid] = _numbers(f"/proc/{pid}/schedstat")[:2]
                return self._sum(0, ())
        return self._look_at_all(word)

    def glance(self) -> Used:
        """A lower bound of the same: only the threads of the last look, and if there are many, only some of them.

        It never costs much.
        """
        with suppress(*GONE):
            for pid, threads in self._living.items():
                self._ran[pid] = _clock(pid)
                for thread in threads:
                    self._note(pid, thread)
        return self._sum(0, ())

    def _note(self, pid: int, thread: int) -> None:
        self._threads[thread], self._waited[thread] = _numbers(f"/proc/{pid}/task/{thread}/schedstat")[:2]

    def _look_at_all(self, word: bytes) -> Used:
        counted = int((self._counted() or 0) * 1_000_000_000)  # read first: what runs later must not count as unseen
        members = self._census.members(self._program)
        collected = threads = 0
        living: dict[int, list[int]] = {}
        for pid in members:
            with suppress(*GONE):
                self._ran[pid] = _clock(pid)
                living[pid] = []
                collected += sum(int(ticks) for ticks in _status(pid)[13:15]) * TICK  # of children that it collected
                for thread in os.listdir(f"/proc/{pid}/task"):
                    threads += 1
                    with suppress(*GONE):
                        self._note(pid, int(thread))
                        if threads <= MOST_GLANCES:
                            living[pid].append(int(thread))
        self._living = living
        self._alone_at = word if threads == 1 and len(self._ran) == 1 and not collected else b""
        return self._sum(collected, [pid for pid in self._ran if pid not in living], counted)

    def _sum(self, collected: int, ended: list[int] | tuple[int, ...], counted: int = 0) -> Used:
        of_ended = sum(self._ran[pid] for pid in ended)
        now = sum(self._ran.values()) - of_ended + max(of_ended, collected)
        self._unseen = max(self._unseen, counted - now)
        self._total = max(self._total, now + self._unseen)
        return Used(self._total, dict(self._threads), dict(self._waited), bool(self._alone_at))

    def runnable(self) -> dict[int, int]:
        """The threads that run or wait for a processor now, each with the time that it ran, as last recorded."""
        found = {}
        for pid in self._census.members(self._program):
            with suppress(*GONE):
                for thread in os.listdir(f"/proc/{pid}/task"):
                    with suppress(*GONE):
                        if _status(pid, thread)[0] == b"R":
                            found[int(thread)] = _numbers(f"/proc/{pid}/task/{thread}/schedstat")[0]
        return found

    def is_busy(self) -> bool:
        """Whether a thread runs, waits for a processor, or for a disk."""
        for pid in self._census.members(self._program):
            with suppress(*GONE):
                for thread in os.listdir(f"/proc/{pid}/task"):
                    with suppress(*GONE):
                        if _status(pid, thread)[0] in (b"R", b"D"):
                            return True
        return False

    def close(self) -> None:
        """Stop looking."""
        self._census.remove(self._program)


def _clock(pid: int) -> int:
    """Processor time of a process and all its threads. Raises `OSError` when there is no such process."""
    return time.clock_gettime_ns((~pid << 3) | 2)  # the clock's number as the kernel makes it from the process's


def _numbers(path: str) -> list[int]:
    with open(path, "rb", 0) as file:
        return [int(word) for word in file.read(200).split()]


def _status(pid: int, thread: str = "") -> list[bytes]:
    """The words of `stat` from the state on: state, parent, group, session, ..."""
    with open(f"/proc/{pid}/task/{thread}/stat" if thread else f"/proc/{pid}/stat", "rb", 0) as file:
        # The command's name stands in brackets before them, and may hold anything, spaces and brackets too.
        return file.read(2000).rpartition(b")")[2].split()
