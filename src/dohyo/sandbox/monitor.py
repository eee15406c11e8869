"""The monitor: a thread that enforces the limits that the kernel does not enforce for us.

If no control group does so, it kills a program whose processes together take more memory than allowed, or are too
many. It also kills a program that fills a folder on the machine's own disk. With a control group and a private /tmp
there is nothing to watch: then it only opens the sandbox's /tmp once, so that we can see afterwards whether it was
full.
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
FOLDER_TICKS = 5  # one look at a folder for so many looks at processes
REST = 4  # the pause after a look lasts so many times as long: looking must not keep the referee busy
FULL = 64 * 1024  # bytes; a disk with less free space counts as full
FEW_FILES = 128  # open files of all processes; fewer are not looked at
MOST_FILES = 8192  # the same; more are too many, whatever they are: no well-meaning program has so many
IN_A_SOCKET = 208 * 1024  # bytes of unread content that the kernel stores for a socket of the usual size
IN_A_PIPE = 64 * 1024  # the same for a pipe
IN_A_FILE = 1024  # bytes that it needs for a file of a tmpfs, besides the content
PINNED = 1 / 4  # of the disk space that it may use: one loaded and then deleted library is no attack, four are
DELETED = b" (deleted)\n"  # ends a line of `maps` whose file has lost its name
LONGEST_LOOK = 4 << 20  # bytes of `maps`: some forty thousand lines
ONE_LOOK = 256  # bytes of `maps` that take as long to read as a look at one open file


class Monitor:
    """The monitor of one program. `found` is the limit for which the program was killed."""

    def __init__(self, pid: int, limits: Limits, writable: Sequence[Mount], grouped: bool, own_tmp: bool) -> None:
        self.found: FaultKind | None = None
        self._pid = pid
        self._limits = limits
        self._writable = [mount.source for mount in writable]
        self._names = [mount.target for mount in writable]  # the names that the program sees
        self._grouped = grouped
        self._tmp: int | None = None
        self._wants_tmp = own_tmp
        self._ticks = 0
        self._next_look = 0.0  # the next look at folders, by the monotonic clock
        self._next_count = 0.0  # the same for processes
        self._before = sum(size_of(folder) for folder in self._writable) % TOO_MUCH
        self._lock = threading.Lock()
        self.closed = False

    def is_done(self) -> bool:
        """Look once; returns whether nothing is left to watch."""
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
        members, most = tree(self._pid), self._limits.tasks + 2  # two are bubblewrap's own
        if len(members) > most or tasks(members) > most:
            self._kill(FaultKind.TASKS)
        elif self._takes(members) > self._limits.memory:
            self._kill(FaultKind.MEMORY)

    def _takes(self, members: Sequence[int]) -> int:
        """Bytes of memory of these processes, and of the kernel for them; `TOO_MUCH` if counting takes too long."""
        in_all_channels = in_channels(members)
        if in_all_channels == TOO_MUCH:
            return TOO_MUCH
        of_kernel = in_all_channels + in_files(members[1:2])
        return memory(members, self._limits.memory - of_kernel) + of_kernel

    def disk_is_full(self) -> bool:
        """Whether the private /tmp, or a folder that the program may write to, has no space left."""
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
        if self.closed:  # its number may belong to another file by now
            return
        self.found = kind
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._pid, signal.SIGKILL)
        for member in tree(self._pid):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(member, signal.SIGKILL)

    def close(self) -> None:
        """Stop looking. Does not wait for a look at a folder with many files to end: other bots' clocks may run."""
        self.closed = True
        if self._lock.acquire(blocking=False):  # otherwise the thread that is looking closes it afterwards
            try:
                if self._tmp is not None:
                    os.close(self._tmp)
                    self._tmp = None
            finally:
                self._lock.release()


class MonitorThread:
    """The thread that runs all monitors of this process; it does not run while nothing is watched."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._monitors: list[Monitor] = []
        self._thread: threading.Thread | None = None

    def take(self, monitor: Monitor) -> None:
        """Add a monitor. Raises `OSError` if the machine cannot start a thread."""
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
    """Watch process `pid`, which leads its own process group, and all that it starts."""
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
    """`pid` and all its descendants.

    In a sandbox none can leave the tree: orphans become children of process 1 there.
    """
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
    """Bytes of memory that processes take, with the kernel's page tables for them; shared memory is counted once, and
    files read from disk not at all.

    The exact number costs a walk over all their pages, so it is read only if a rough estimate, which is never
    smaller, is above `enough`.
    """
    rough = sum(_told(member, "status", ("VmRSS:", "VmSwap:", "VmPTE:")) for member in members)
    if rough <= enough:
        return rough
    own = sum(_told(member, "smaps_rollup", ("Pss_Anon:", "Pss_Shmem:", "SwapPss:")) for member in members)
    return own + sum(_told(member, "status", ("VmPTE:",)) for member in members)


def _told(pid: int, file: str, names: tuple[str, ...]) -> int:
    """The sum of the lines with these names in a file of a process, in bytes."""
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
    """The folders in /proc that show a process: its first thread, which shows nothing after its end; then others."""
    yield f"/proc/{pid}"
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            if thread != str(pid):
                yield f"/proc/{pid}/task/{thread}"


def in_channels(members: Sequence[int]) -> int:
    """Bytes of kernel memory that processes may take by filling sockets and pipes that are not read (an upper bound:
    the kernel does not show the number). `TOO_MUCH` if looking through all their open files takes too long."""
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
    """Whether processes have more files open than any well-meaning program."""
    count = 0
    for member in members:
        count += len(_files(member))
        if count > MOST_FILES:
            return True
    return False


def without_names(members: Sequence[int], folders: Sequence[str], limit: int, inside: Sequence[str] = ()) -> int:
    """Bytes of deleted files in the folders that processes still have open or mapped.

    `inside` are the folders' names in the sandbox. One mapped page keeps a whole deleted file, and only root can read
    its size: without root rights it counts as `PINNED` of `limit`, or as its mapped bytes if these are more.
    `TOO_MUCH` if looking through everything takes too long.
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
    known = {number for _, number in open_files}  # without the disk: some file systems report two numbers for one
    for (_, number), (path, length) in mapped.items():
        if number not in known:
            try:
                found = os.stat(path)  # of the file itself, not of the mapped part
                total += 0 if found.st_nlink else found.st_blocks * 512
            except OSError:
                total += max(length, int(limit * PINNED))
    return total


def _open_nameless(member: int, sizes: dict[tuple[int, int], int]) -> int:
    """Add the sizes of the deleted files that a process has open; returns how long that took, in bytes of `maps`."""
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
    """Add a path and the mapped bytes of each deleted file that a process has mapped, if its name was `within` the
    folders; returns how long that took, in bytes of `maps`, of which no more than `most` are read.

    The kernel writes the names that the program sees.
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
    """Bytes of kernel memory for files in the sandbox's tmpfs; the limit on their size does not include these."""
    count = 0
    for member in inside:
        for place in ("/tmp", "/dev/shm"):
            with suppress(OSError):
                own = f"/proc/{member}/root{place}"
                if os.stat(own).st_dev != os.stat(place).st_dev:
                    status = os.statvfs(own)
                    count += status.f_files - status.f_ffree
    return count * IN_A_FILE
