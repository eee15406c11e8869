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
import threading
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic, thread_time

from dohyo.core.faults import FaultKind
from dohyo.core.sandbox import Limits, Mount
from dohyo.system.proc import children, tree

THREAD = "dohyo-monitor"  # how the thread is called
TICK = 0.02  # seconds between two looks
FIRST_TICK = 0.002  # the same while a sandbox is being made: a short program's /tmp is gone when the program ends
FIRST_TICKS = 100  # so many of those at most
FOLDER_TICKS = 5  # looks at processes for one at a folder
REST = 4  # times the processor time of a look, until the next: nobody keeps the referee busy with looking
FULL = 64 * 1024  # bytes that are left on a disk that is full


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
        self._next_look = 0.0  # at folders, by the monotonic clock
        self._next_count = 0.0  # the same, at processes
        if not grouped or self._writable:  # imported now: not while the program's time runs
            from dohyo.sandbox import process_counts  # noqa: F401
        self._before = 0
        if self._writable:
            from dohyo.system.disk import TOO_MUCH

            self._before = self._on_disk() % TOO_MUCH
        self._lock = threading.Lock()
        self.closed = False

    @property
    def is_starting(self) -> bool:
        """Whether the sandbox's /tmp is still being made."""
        return self._wants_tmp and self._tmp is None and self._ticks < FIRST_TICKS

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
        if not self._grouped and monotonic() >= self._next_count:
            began = thread_time()
            self._look_at_processes()
            self._next_count = monotonic() + (thread_time() - began) * REST
        self._ticks += 1
        if self._writable and self._ticks % FOLDER_TICKS == 0 and monotonic() >= self._next_look:
            began = thread_time()
            if self._holds_too_many_files():
                self._kill(FaultKind.MEMORY)
            elif self._folders_are_full():
                # Looking through too many open files counts as a full folder: many may have been opened meanwhile.
                self._kill(FaultKind.MEMORY if self._holds_too_many_files() else FaultKind.DISK)
            self._next_look = monotonic() + (thread_time() - began) * REST
        idle = self._grouped and not self._writable and (self._tmp is not None or not self._wants_tmp)
        return idle or not os.path.exists(f"/proc/{self._pid}")

    def _look_at_processes(self) -> None:
        from dohyo.sandbox.process_counts import tasks

        members, most = tree(self._pid), self._limits.tasks + 2  # two of bubblewrap's
        if len(members) > most or tasks(members) > most:
            self._kill(FaultKind.TASKS)
        elif self._takes(members) > self._limits.memory:
            self._kill(FaultKind.MEMORY)

    def _takes(self, members: Sequence[int]) -> int:
        """Bytes of memory, their own and the kernel's for them; `TOO_MUCH` where it takes too long to count them."""
        from dohyo.sandbox.process_counts import in_channels, in_files, memory
        from dohyo.system.disk import TOO_MUCH

        in_all_channels = in_channels(members)
        if in_all_channels == TOO_MUCH:
            return TOO_MUCH
        of_kernel = in_all_channels + in_files(members[1:2])
        return memory(members, self._limits.memory - of_kernel) + of_kernel

    def _holds_too_many_files(self) -> bool:
        from dohyo.sandbox.process_counts import has_too_many_files

        return has_too_many_files(tree(self._pid))

    def disk_is_full(self) -> bool:
        """Whether the private /tmp, or a folder that the program may write to, has no space left."""
        if self._tmp is not None:
            with suppress(OSError):
                status = os.fstatvfs(self._tmp)
                if status.f_bfree * status.f_frsize < FULL:
                    return True
        return bool(self._writable) and self._folders_are_full()

    def _folders_are_full(self) -> bool:
        grown = self._on_disk(self._before + self._limits.disk) - self._before
        if grown <= self._limits.disk - FULL:
            from dohyo.sandbox.process_counts import without_names

            grown += without_names(tree(self._pid), self._writable, self._limits.disk, self._names)
        return grown > self._limits.disk - FULL

    def _on_disk(self, enough: int | None = None) -> int:
        """Bytes of the folders that the program may write to, up to `enough`; none where there are none."""
        if not self._writable:
            return 0
        from dohyo.system.disk import TOO_MUCH, size_of

        return sum(size_of(folder, TOO_MUCH if enough is None else enough) for folder in self._writable)

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
        self.begin()

    def begin(self) -> None:
        """Watch nothing: at the beginning, and in a child of this process, where nobody will let go of the lock."""
        self.lock = threading.Lock()
        self._monitors: list[Monitor] = []
        self._thread: threading.Thread | None = None
        self._new = threading.Event()

    def take(self, monitor: Monitor) -> None:
        """Add a monitor. Raises `OSError` if the machine cannot start a thread."""
        with self.lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._look, name=THREAD, daemon=True)
                try:
                    self._thread.start()
                except RuntimeError as error:
                    raise OSError(errno.EAGAIN, str(error)) from error
            self._monitors.append(monitor)
        self._new.set()

    def _look(self) -> None:
        while True:
            with self.lock:
                starting = any(monitor.is_starting for monitor in self._monitors)
            self._new.wait(FIRST_TICK if starting else TICK)
            self._new.clear()
            with self.lock:
                monitors = list(self._monitors)
            done = [monitor for monitor in monitors if monitor.is_done()]
            with self.lock:
                self._monitors = [monitor for monitor in self._monitors if monitor not in done]
                if not self._monitors:
                    self._thread = None
                    return


MONITOR_THREAD = MonitorThread()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=MONITOR_THREAD.begin)


def start_monitor(pid: int, limits: Limits, writable: Sequence[Mount], *, grouped: bool, own_tmp: bool) -> Monitor:
    """Watch process `pid`, which leads its own process group, and all that it starts."""
    monitor = Monitor(pid, limits, writable, grouped, own_tmp)
    MONITOR_THREAD.take(monitor)
    return monitor


def private_tmp(pid: int) -> int | None:
    """A descriptor for the /tmp of the sandbox whose bubblewrap is `pid`; none before it is made.

    While it still has our root, its /tmp is where bubblewrap is only preparing another.
    """
    for child in children(pid):
        with suppress(OSError):
            if os.path.samestat(os.stat(f"/proc/{child}/root"), os.stat("/")):
                continue
            descriptor = os.open(f"/proc/{child}/root/tmp", os.O_RDONLY | os.O_DIRECTORY | os.O_NONBLOCK)
            if os.fstat(descriptor).st_dev != os.stat("/tmp").st_dev:
                return descriptor
            os.close(descriptor)
    return None
