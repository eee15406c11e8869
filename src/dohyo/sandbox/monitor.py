"""The monitor: a thread that looks after what the kernel does not limit for us.

It kills a program whose processes together take more memory, or are more, than allowed, where no control group does
that; and one that fills a folder on the machine's own disk. A control group and a private /tmp need no watching:
then all that it does is to hold the sandbox's /tmp open once, so that one can tell afterwards whether it was full.
"""

from __future__ import annotations

import errno
import os
import signal
import stat
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from time import monotonic

from dohyo.core.faults import FaultKind
from dohyo.core.sandbox import Mount
from dohyo.sandbox.limits import Limits
from dohyo.system.disk import TOO_MUCH, size_of

TICK = 0.02  # seconds between two looks
FOLDER_TICKS = 5  # looks at processes for one at a folder
REST = 4  # times as long as a look took, until the next: nobody keeps the referee busy with looking
FULL = 64 * 1024  # bytes that are left on a disk that is full
FEW_FILES = 128  # open files of all processes, that are not worth a look
MOST_FILES = 8192  # the same, of which one need not know what they are: no program has so many for a good purpose
IN_A_SOCKET = 208 * 1024  # bytes that the kernel keeps of what nobody reads from a socket of the usual size
IN_A_PIPE = 64 * 1024  # the same of a pipe
IN_A_FILE = 1024  # bytes that it keeps for a file of a tmpfs, beside what is in it
PINNED = 1 / 4  # of the disk that it may have: a library that is loaded and then removed is no attack, four are
DELETED = b" (deleted)\n"  # ends a line of `maps` whose file has lost its name
LONGEST_LOOK = 4 << 20  # bytes of `maps`: some forty thousand lines
ONE_LOOK = 256  # of those, that looking at one open file takes as long as


class Monitor:
    """One program's monitor. `found` is what it was killed for."""

    def __init__(self, pid: int, limits: Limits, writable: Sequence[Mount], grouped: bool, own_tmp: bool) -> None:
        self.found: FaultKind | None = None
        self._pid = pid
        self._limits = limits
        self._writable = [mount.source for mount in writable]
        self._names = [mount.target for mount in writable]  # by which the program knows them
        self._grouped = grouped
        self._tmp: int | None = None
        self._wants_tmp = own_tmp
        self._ticks = 0
        self._next_look = 0.0  # at folders, by the monotonic clock
        self._next_count = 0.0  # the same, at processes
        self._before = sum(size_of(folder) for folder in self._writable) % TOO_MUCH
        self._lock = threading.Lock()
        self.closed = False

    def is_done(self) -> bool:
        """Look once; whether nothing is left to be looked at."""
        with self._lock:
            done = self.closed or self._look()
        if self.closed:
            self.close()
        return done

    def _look(self) -> bool:
        if self.found is not None:
            return True
        if self._wants_tmp and self._tmp is None:
            self._tmp = private_tmp(self._pid)
        if not self._grouped and (began := monotonic()) >= self._next_count:
            self._look_at_processes()
            self._next_count = monotonic() + (monotonic() - began) * REST
        self._ticks += 1
        if self._writable and self._ticks % FOLDER_TICKS == 0 and monotonic() >= self._next_look:
            began = monotonic()
            if self._grouped and has_too_many_files(tree(self._pid)):
                self._kill(FaultKind.MEMORY)
            elif self._folders_are_full():
                self._kill(FaultKind.DISK)
            self._next_look = monotonic() + (monotonic() - began) * REST
        idle = self._grouped and not self._writable and (self._tmp is not None or not self._wants_tmp)
        return idle or not os.path.exists(f"/proc/{self._pid}")

    def _look_at_processes(self) -> None:
        members, most = tree(self._pid), self._limits.tasks + 2  # two of bubblewrap's
        if len(members) > most or tasks(members) > most:
            self._kill(FaultKind.TASKS)
        elif self._takes(members) > self._limits.memory:
            self._kill(FaultKind.MEMORY)

    def _takes(self, members: Sequence[int]) -> int:
        """Bytes of memory, their own and the kernel's for them; `TOO_MUCH` where it takes too long to count them."""
        in_all_channels = in_channels(members)
        if in_all_channels == TOO_MUCH:
            return TOO_MUCH
        of_kernel = in_all_channels + in_files(members[1:2])
        return memory(members, self._limits.memory - of_kernel) + of_kernel

    def disk_is_full(self) -> bool:
        """Whether the private /tmp, or a folder that the program may write to, has no room left."""
        if self._tmp is not None:
            with suppress(OSError):
                status = os.fstatvfs(self._tmp)
                if status.f_bfree * status.f_frsize < FULL:
                    return True
        return bool(self._writable) and self._folders_are_full()

    def _folders_are_full(self) -> bool:
        grown = sum(size_of(folder) for folder in self._writable) - self._before
        if grown <= self._limits.disk - FULL:
            grown += without_names(tree(self._pid), self._writable, self._limits.disk, self._names)
        return grown > self._limits.disk - FULL

    def _kill(self, kind: FaultKind) -> None:
        if self.closed:  # its number may be another's by now
            return
        self.found = kind
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._pid, signal.SIGKILL)
        for member in tree(self._pid):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(member, signal.SIGKILL)

    def close(self) -> None:
        """Look no more. Does not wait for a look at a folder of many files to end: others' clocks may run."""
        self.closed = True
        if self._lock.acquire(blocking=False):  # otherwise, who looks closes it afterwards
            try:
                if self._tmp is not None:
                    os.close(self._tmp)
                    self._tmp = None
            finally:
                self._lock.release()


class MonitorThread:
    """The thread that looks after all monitors of this process; there is none while nobody is watched."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._monitors: list[Monitor] = []
        self._thread: threading.Thread | None = None

    def take(self, monitor: Monitor) -> None:
        """Look after one more. Raises `OSError` where the machine has no room for a thread."""
        with self.lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._look, name="dohyo-monitor", daemon=True)
                try:
                    self._thread.start()
                except RuntimeError as error:
                    raise OSError(errno.EAGAIN, str(error)) from error
            self._monitors.append(monitor)

    def _look(self) -> None:
        pause = threading.Event()
        while True:
            pause.wait(TICK)
            with self.lock:
                monitors = list(self._monitors)
            done = [monitor for monitor in monitors if monitor.is_done()]
            with self.lock:
                self._monitors = [monitor for monitor in self._monitors if monitor not in done]
                if not self._monitors:
                    self._thread = None
                    return


MONITOR_THREAD = MonitorThread()


def start_monitor(pid: int, limits: Limits, writable: Sequence[Mount], *, grouped: bool, own_tmp: bool) -> Monitor:
    """Watch over process `pid`, which leads a group of its own, and all that it starts."""
    monitor = Monitor(pid, limits, writable, grouped, own_tmp)
    MONITOR_THREAD.take(monitor)
    return monitor


def private_tmp(pid: int) -> int | None:
    """A descriptor for the /tmp of the sandbox whose bubblewrap is `pid`; none before it is made."""
    for child in children(pid):
        with suppress(OSError):
            descriptor = os.open(f"/proc/{child}/root/tmp", os.O_RDONLY | os.O_DIRECTORY | os.O_NONBLOCK)
            if os.fstat(descriptor).st_dev != os.stat("/tmp").st_dev:
                return descriptor
            os.close(descriptor)
    return None


def children(pid: int) -> list[int]:
    """The processes that `pid` has started and that have not been collected."""
    found: list[int] = []
    with suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError), open(f"/proc/{pid}/task/{task}/children") as file:
                found += [int(word) for word in file.read().split()]
    return found


def tree(pid: int) -> list[int]:
    """`pid` and all its descendants. In a sandbox none can leave it: orphans fall to process 1 there."""
    found = [pid]
    for member in found:
        found += children(member)
    return found


def tasks(members: Sequence[int]) -> int:
    """Processes and threads."""
    count = 0
    for member in members:
        with suppress(OSError):
            count += len(os.listdir(f"/proc/{member}/task"))
    return count


def memory(members: Sequence[int], enough: int = 0) -> int:
    """Bytes of memory that processes take, and the kernel for their tables of pages; what several share is counted
    once, and files read from disk not at all.

    The exact number costs a walk over all their pages, so it is asked for only when a rough one, which is never
    smaller, is above `enough`.
    """
    rough = sum(_told(member, "status", ("VmRSS:", "VmSwap:", "VmPTE:")) for member in members)
    if rough <= enough:
        return rough
    own = sum(_told(member, "smaps_rollup", ("Pss_Anon:", "Pss_Shmem:", "SwapPss:")) for member in members)
    return own + sum(_told(member, "status", ("VmPTE:",)) for member in members)


def _told(pid: int, file: str, names: tuple[str, ...]) -> int:
    """The sum of what lines with these names tell in a file of a process, in bytes."""
    for place in _places(pid):
        with suppress(OSError, ValueError, IndexError), open(f"{place}/{file}", errors="replace") as lines:
            if found := [int(line.split()[1]) for line in lines if line.startswith(names)]:
                return sum(found) * 1024
    return 0


def _files(pid: int) -> list[str]:
    """The paths of a process's open files."""
    for place in _places(pid):
        with suppress(OSError):
            if names := os.listdir(f"{place}/fd"):
                return [f"{place}/fd/{name}" for name in names]
    return []


def _places(pid: int) -> Iterator[str]:
    """Where the system shows a process: at its first thread, which shows nothing once it has ended; then others."""
    yield f"/proc/{pid}"
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            if thread != str(pid):
                yield f"/proc/{pid}/task/{thread}"


def in_channels(members: Sequence[int]) -> int:
    """Bytes that processes may take of the kernel by filling sockets and pipes that nobody reads: it does not say how
    many. `TOO_MUCH` where it takes too long to look through all their open files."""
    if has_too_many_files(members):
        return TOO_MUCH
    files = [file for member in members for file in _files(member)]
    if len(files) <= FEW_FILES:
        return 0
    names = set()
    for path in files:
        with suppress(OSError):
            names.add(os.readlink(path))
    return sum(IN_A_SOCKET * name.startswith("socket:") + IN_A_PIPE * name.startswith("pipe:") for name in names)


def has_too_many_files(members: Sequence[int]) -> bool:
    """Whether processes have more files open than any program has for a good purpose."""
    count = 0
    for member in members:
        count += len(_files(member))
        if count > MOST_FILES:
            return True
    return False


def without_names(members: Sequence[int], folders: Sequence[str], limit: int, inside: Sequence[str] = ()) -> int:
    """Bytes of files in the folders that have no name any more, and that processes have open or mapped.

    `inside` are the folders' names in the sandbox. One mapped page keeps a whole file, of which only root
    is told the size: to others it counts as `PINNED` of `limit`, or as what is mapped of it if that is more.
    `TOO_MUCH` where it takes too long to look through it all.
    """
    disks = set()
    for folder in folders:
        with suppress(OSError):
            disks.add(os.stat(folder).st_dev)
    paths = {path for folder in folders for path in (folder, os.path.realpath(folder))} | set(inside)
    within = tuple(os.fsencode(path).replace(b"\n", b"\\012") + b"/" for path in paths)  # as `maps` writes it
    open_files: dict[tuple[int, int], int] = {}
    mapped: dict[tuple[bytes, int], tuple[str, int]] = {}
    left = LONGEST_LOOK
    for member in members:
        left -= _open_nameless(member, open_files)
        left -= _mapped_nameless(member, within, left, mapped)
        if left <= 0:
            return TOO_MUCH
    total = sum(size for (device, _), size in open_files.items() if device in disks)
    known = {number for _, number in open_files}  # not by the disk: some file systems tell two numbers for one
    for (_, number), (path, length) in mapped.items():
        if number not in known:
            try:
                found = os.stat(path)  # of the file, and not of what is mapped
                total += 0 if found.st_nlink else found.st_blocks * 512
            except OSError:
                total += max(length, int(limit * PINNED))
    return total


def _open_nameless(member: int, sizes: dict[tuple[int, int], int]) -> int:
    """Add the sizes of the nameless files that a process has open; how long that took, in bytes of `maps`."""
    files = _files(member)
    for file in files:
        with suppress(OSError):
            found = os.stat(file)
            if not found.st_nlink and stat.S_ISREG(found.st_mode):
                sizes[found.st_dev, found.st_ino] = found.st_blocks * 512
    return len(files) * ONE_LOOK


def _mapped_nameless(
    member: int, within: tuple[bytes, ...], most: int, mapped: dict[tuple[bytes, int], tuple[str, int]]
) -> int:
    """Add a path and the mapped bytes of each nameless file that a process has mapped, if its name lay `within`
    folders; how long that took, in bytes of `maps`, of which no more than `most` are read.

    The kernel writes the names by which the program knows its files.
    """
    took = 0
    for place in _places(member):
        with suppress(OSError), open(f"{place}/maps", "rb") as maps:
            for line in maps:
                took += len(line)
                if line.endswith(DELETED):  # addresses, rights, place in the file, disk, file, its name
                    addresses, _, _, device, number, name = line.split(maxsplit=5)
                    if name.startswith(within):
                        took += ONE_LOOK
                        start, end = (int(word, 16) for word in addresses.split(b"-"))
                        path = f"/proc/{member}/map_files/{start:x}-{end:x}"
                        length = max(end - start, mapped.get((device, int(number)), (path, 0))[1])
                        mapped[device, int(number)] = (path, length)
                if took > most:
                    break
        if took:
            break
    return took


def in_files(inside: Sequence[int]) -> int:
    """Bytes that the kernel keeps for files in the sandbox's memory; the limit on their size does not count those."""
    count = 0
    for member in inside:
        for place in ("/tmp", "/dev/shm"):
            with suppress(OSError):
                own = f"/proc/{member}/root{place}"
                if os.stat(own).st_dev != os.stat(place).st_dev:
                    status = os.statvfs(own)
                    count += status.f_files - status.f_ffree
    return count * IN_A_FILE
