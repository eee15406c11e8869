"""What a program and everything that it started have used of the machine. Linux only; in nanoseconds throughout.

Theory of operation
-------------------
Two numbers: the time that its threads ran on a processor, and the time that they were ready to run and waited for
one. A process's own clock tells the first, and counts threads that have ended; the scheduler's statistics tell the
second, for each thread that lives (the second number of `schedstat`; it is written down when the wait is over, so of
a thread that waits right now the last wait is missing: `runnable` is for that).

Members of a program's tree are its descendants and whatever is in its session or group. /proc has to be gone through
to find them, but only when a process or thread was started anywhere since the last time: the kernel tells the number
of the newest. In the usual case, one process with one thread, an account is three short reads.

What a member used stays counted when it has ended: what was seen of it last, or what its parent was told when it
collected it (in hundredths of a second), whichever is more. Not seen is who ends between two looks without being
collected by a member (whose parent ignores SIGCHLD, say), but where a control group counts the whole tree; and a
thread's waiting when it begins and ends between two looks. What was seen of an ended thread's waiting stays.

A third number is for how long a program may have waited for pages of memory that the machine was slow to bring.
A program's code and data are pages, and under memory pressure the system drops pages that it can read from the disk
again. The thread that needs one waits, in no call of its own, and no number tells for how long. Known is how many
pages of a program had to be read, by its major page faults, and for how long anything at all waited for the disk or
for memory on this machine (`/proc/pressure`). Both must be there, and the second is the most that it can have been:
what the kernel tells is an average over the processors, so times their number.

A program can make such waits itself: it maps a large file and reads it, or keeps the disk busy meanwhile. So each
page that was read counts as its own time as if the disk were quick (`A_PAGE`), and all that its processes have read
and written by the rate of a slow disk (`RATE`). A program that reads much is charged for it; what is left is the
machine's. A program that reads a file by `read` waits in a call of its own: that is no page, and is charged in full.
A program that hides from us what it reads (`PR_SET_DUMPABLE`), or has more processes than are looked at, is charged
for everything.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import NamedTuple

from dohyo.system.proc import GONE, LOAD, MAX_GLANCES, TICK, clock, numbers, status, threads

AROUND = (b"bwrap", b"sh", b"bash", b"dash")  # programs that only start others
STAT = "/proc/stat"
NICE, POLICY = 16, 38  # words of a thread's `stat`, from the state on
OUR_NICE = os.nice(0)
OUR_POLICY = os.sched_getscheduler(0) & 0xFF if hasattr(os, "sched_getscheduler") else 0  # which bots inherit
STEAL = 8  # the word of a processor's line there that says what was stolen from it
RECENT = 50_000_000  # nanoseconds in which the usual answer to a question does not change

PRESSURE = ("/proc/pressure/io", "/proc/pressure/memory")
A_PAGE = 1_000_000  # nanoseconds that a page which is read from the disk may take, and is charged
RATE = 100_000_000  # bytes a second, of what a program reads and writes itself
FAULTS = 9  # the word of `stat` from the state on: major page faults
NO_CALL = b"-1"  # what `syscall` tells of a thread that waits in no call


class Used(NamedTuple):
    """Time on a processor, since the program began; of each thread its time on one, and its time waiting for one."""

    ran: int
    threads: Mapping[int, int] = {}
    waits: Mapping[int, int] = {}
    is_alone: bool = False  # whether it is one thread, and never was more

    @property
    def waited(self) -> int:
        """What all threads waited, added up: at the same moment or not."""
        return sum(self.waits.values())


class Thefts:
    """What the hypervisor took from each processor of this machine, while others believe that it ran."""

    def __init__(self) -> None:
        self.slept = 0  # nanoseconds that `since` waited so far: nobody's fault either
        self._known: list[int] = []
        self._known_at = -RECENT

    def before(self) -> list[int]:
        """The account at some moment before now, but not long before: a turn's beginning is not to cost more."""
        now = time.monotonic_ns()
        if now - self._known_at >= RECENT:
            self._known, self._known_at = self._look(), now
        return self._known

    def since(self, before: list[int], is_enough: Callable[[int], bool]) -> int:
        """The most that may have been taken from one processor since then: it is told in ticks, the last one late.

        What is less than a tick is not told at all, so that on a machine that is stolen from it may always be one.
        Where that `is_enough`, nothing is waited for; otherwise what may still be told is.
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
        self._owner: dict[int, int] = {}  # of each process its program's first one; 0 for strangers
        self._newest = b""

    def add(self, program: int) -> None:
        """Count from now on whatever belongs to the program with this process."""
        self._owner[program] = program
        self._newest = b""

    def remove(self, program: int) -> None:
        """Count it no longer."""
        self._owner = {pid: owner for pid, owner in self._owner.items() if owner != program}

    def look(self) -> bytes:
        """Bring it up to date; a word that stays the same as long as nothing was started on this machine."""
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
                unknown[pid] = [int(word) for word in status(pid)[1:4]]  # parent, group, session
        found = True
        while found:  # numbers begin anew some day: a child's may be smaller than its parent's
            found = False
            for pid, (parent, group, session) in list(unknown.items()):
                whose = owner.get(parent, 0) or self._program(group) or self._program(session)
                if whose:
                    owner[pid], found = whose, True
                    del unknown[pid]
        self._owner = {**owner, **dict.fromkeys(unknown, 0)}

    def _program(self, pid: int) -> int:
        return pid if self._owner.get(pid) == pid else 0


def abort(program: int) -> None:
    """Send SIGABRT to a program and all that it has started, but for shells and what a sandbox consists of.

    None of them writes a core file. The program must not have been collected.
    """
    import resource

    census = Census()
    census.add(program)
    with suppress(*GONE):
        census.look()
    for pid in census.members(program):
        with suppress(*GONE, PermissionError), open(f"/proc/{pid}/comm", "rb") as file:
            if file.read().strip() not in AROUND:
                resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))
                os.kill(pid, signal.SIGABRT)


class Tree:
    """One program with everything that it started."""

    def __init__(
        self,
        program: int,
        census: Census,
        counted: Callable[[], float | None] = lambda: None,
        stalls: Stalls | None = None,
    ) -> None:
        """`program` is its first process; it must not be collected before the last look.

        `counted` tells the seconds that all of it ran, where somebody counts those who are never seen too. `stalls`
        tell for how long anything on this machine waited for a disk.
        """
        self._stalls = stalls
        self._program, self._census, self._counted = program, census, counted
        self._ran: dict[int, int] = {}  # by process
        self._waited: dict[int, int] = {}  # by thread
        self._threads: dict[int, int] = {}  # by thread, what it ran, as last written down
        self._total = 0
        self._unseen = 0  # what those ran who were never seen
        self._alone_at = b""  # the census's word when it was last seen to be one thread and nothing else
        self._living: dict[int, list[int]] = {}  # at the last look, by process: some of its threads
        census.add(program)

    def look(self) -> Used:
        """What it has used so far."""
        word = self._census.look()
        if word == self._alone_at:
            with suppress(*GONE):
                pid = self._program
                self._ran[pid] = clock(pid)
                self._threads[pid], self._waited[pid] = numbers(f"/proc/{pid}/schedstat")[:2]
                return self._sum(0, ())
        return self._look_at_all(word)

    def glance(self) -> Used:
        """What it has used so far, at least: by the threads of the last look, and of many only some.

        It never costs much.
        """
        with suppress(*GONE):
            for pid, threads in self._living.items():
                self._ran[pid] = clock(pid)
                for thread in threads:
                    self._note(pid, thread)
        return self._sum(0, ())

    def _note(self, pid: int, thread: int) -> None:
        self._threads[thread], self._waited[thread] = numbers(f"/proc/{pid}/task/{thread}/schedstat")[:2]

    def _look_at_all(self, word: bytes) -> Used:
        counted = int((self._counted() or 0) * 1_000_000_000)  # first: what is run meanwhile is nobody unseen's
        members = self._census.members(self._program)
        collected = threads = 0
        living: dict[int, list[int]] = {}
        for pid in members:
            with suppress(*GONE):
                self._ran[pid] = clock(pid)
                living[pid] = []
                collected += sum(int(ticks) for ticks in status(pid)[13:15]) * TICK  # of children that it collected
                for thread in os.listdir(f"/proc/{pid}/task"):
                    threads += 1
                    with suppress(*GONE):
                        self._note(pid, int(thread))
                        if threads <= MAX_GLANCES:
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
        """The threads that run or wait for a processor now, each with the time that it ran, as last written down."""
        found = {}
        for pid, thread, words in threads(self._census.members(self._program)):
            with suppress(*GONE):
                if words[0] == b"R":
                    found[thread] = numbers(f"/proc/{pid}/task/{thread}/schedstat")[0]
        return found

    def pages(self, in_doubt: bool = False) -> Pages:
        """What was read from disks for it so far; whether it waits for that now only if `in_doubt`."""
        return pages(
            self._census.members(self._program), 0 if self._stalls is None else self._stalls.look(), in_doubt
        )

    def is_modest(self) -> bool:
        """Whether a thread of it has put itself behind others: by its niceness, or another policy than ours."""
        return any(
            int(words[NICE]) > OUR_NICE or int(words[POLICY]) != OUR_POLICY
            for _, _, words in threads(self._census.members(self._program))
            if len(words) > POLICY
        )

    def is_busy(self) -> bool:
        """Whether a thread runs, waits for a processor, or for a disk."""
        return any(words[:1] in ([b"R"], [b"D"]) for _, _, words in threads(self._census.members(self._program)))

    def close(self) -> None:
        """Look no more."""
        self._census.remove(self._program)


class Pages(NamedTuple):
    """Of a program's processes: pages that were read for them, and bytes that they read from and wrote to a disk;
    whether one waits for a page now. And for how long anything on the machine `stalled`. `is_whole` says that no
    process of the program hides what it read."""

    faults: int = 0
    bytes: int = 0
    awaits: bool = False
    stalled: int = 0
    is_whole: bool = True


class Stalls:
    """For how long anything on this machine waited for a disk or for memory, in nanoseconds."""

    def __init__(self, processors: int, paths: Sequence[str] = PRESSURE) -> None:
        """An average over so many `processors` is told in the files at `paths`."""
        self._processors, self._paths = processors, paths

    def look(self) -> int:
        """For how long at most, since the machine began; 0 where the system does not tell."""
        total = 0
        for path in self._paths:
            with suppress(*GONE), open(path, "rb", 0) as file:
                total += int(file.read(200).split(b"\n")[0].rpartition(b"total=")[2]) * 1000
        return total * self._processors


def pages(members: Sequence[int], stalled: int = 0, in_doubt: bool = False) -> Pages:
    """What was read for these processes so far, as far as they live; whether they wait only if `in_doubt`."""
    faults = moved = 0
    is_whole = len(members) <= MAX_GLANCES
    for pid in members[:MAX_GLANCES]:
        with suppress(*GONE):
            read = int(status(pid)[FAULTS])
            try:
                moved += bytes_moved(pid)
            except PermissionError:
                is_whole = False
            faults += read
    return Pages(faults, moved, in_doubt and awaits_page(members), stalled, is_whole)


def bytes_moved(pid: int) -> int:
    """How many bytes a process has read from disks and written to them. Raises `OSError` where nobody may know."""
    with open(f"/proc/{pid}/io", "rb", 0) as file:
        told = dict(line.split(b": ") for line in file.read(500).splitlines())
    return int(told[b"read_bytes"]) + int(told[b"write_bytes"])


def awaits_page(members: Sequence[int]) -> bool:
    """Whether a thread of these processes waits now, cannot be woken, and is in no call of its own."""
    # So many of each: with a limit for all together, one process with many threads would hide the others.
    looked = (islice(threads([pid]), MAX_GLANCES) for pid in members[:MAX_GLANCES])
    return any(_awaits_page(pid, thread) for pid, thread, words in chain.from_iterable(looked) if words[:1] == [b"D"])


def _awaits_page(pid: int, thread: int) -> bool:
    """Whether a thread that cannot be woken is in no call of its own."""
    with suppress(*GONE), open(f"/proc/{pid}/task/{thread}/syscall", "rb", 0) as file:
        return file.read(100).split()[0] == NO_CALL
    return False


def not_its_own(before: Pages, now: Pages) -> int:
    """For how many nanoseconds between these moments the program may have waited for pages, not by its own doing."""
    faults, moved = now.faults - before.faults + now.awaits, now.bytes - before.bytes
    if faults <= 0 or not now.is_whole:
        return 0
    return max(0, now.stalled - before.stalled - faults * A_PAGE - max(0, moved) * 1_000_000_000 // RATE)
