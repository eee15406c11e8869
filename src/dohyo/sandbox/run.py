"""A sandboxed run: a sandbox made for one start of a program, and what is known when the program has ended."""

from __future__ import annotations

import os
import signal
import stat
from collections.abc import Callable, Mapping, Sequence
from time import monotonic_ns, time_ns

from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.core.sandbox import Limits, Mount, SandboxError
from dohyo.i18n import ENGLISH
from dohyo.sandbox.cgroups import Group
from dohyo.sandbox.monitor import Monitor, start_monitor

OWN = stat.S_IRUSR | stat.S_IXUSR
ENTERED = 2  # bytes in the file of that name, once the program's own command is started
SHELLS_ADD = 128  # added to a signal's number, if a program's exit status says how another one ended
# The faults that may be caused by a limit. Others, such as a wrong answer, are the bot's own.
CONSEQUENCES = frozenset(
    {FaultKind.EXITED, FaultKind.KILLED, FaultKind.TIMEOUT, FaultKind.CLOSED, FaultKind.NOT_READY}
)


class BoxedRun:
    """One process in one of our sandboxes. See `dohyo.core.sandbox.SandboxedRun`.

    `files` are descriptors that `close` closes; the first belongs to a file that has `ENTERED` bytes once the
    program's own command was started. `writable` are folders that it may write to, `shown` the paths that it sees.
    `tmp` is a folder for temporary files on the machine's own disk, which `close` removes; without it the sandbox has
    its own. `try_with` tests whether another sandbox like this one can be entered, by a command that does nothing,
    with the program's own words as arguments (True) or without them.
    """

    def __init__(
        self,
        command: tuple[str, ...],
        environment: Mapping[str, str],
        folder: str,
        limits: Limits,
        *,
        files: Sequence[int],
        group: Group | None,
        writable: Sequence[Mount] = (),
        shown: Sequence[Mount] = (),
        tmp: str = "",
        try_with: Callable[[bool], bool] | None = None,
    ) -> None:
        self.command = command
        self.environment: Mapping[str, str] | None = environment
        self.folder = folder
        self._limits = limits
        self._files = list(files)
        self._group = group
        self._writable = tuple(writable)
        # A mount inside a folder that it may write to needs an existing file or folder there.
        own = tuple(mount.source for mount in writable)
        within = tuple(mount.target.rstrip("/") + "/" for mount in writable)
        self._shown = (*own, *(mount.source for mount in shown if mount.target.startswith(within)))
        self._own = own
        self._tmp = tmp
        self._try_with = try_with
        self._monitor: Monitor | None = None
        self._began: int | None = None
        self._words_at_fault: bool | None = None

    @property
    def ends_together(self) -> bool:
        """Whether all that the program has started ends with it, by the kernel's hand: so it is in bubblewrap."""
        return not self._tmp

    def started(self, pid: int) -> None:
        """Start watching what the kernel does not limit, and the private disk."""
        grouped = self._group is not None
        self._monitor = start_monitor(pid, self._limits, self._writable, grouped=grouped, own_tmp=not self._tmp)

    def verdict(self, fault: Fault) -> Fault:
        """The limit that the program reached, if that may have caused its failure; otherwise how it really ended."""
        if fault.kind not in CONSEQUENCES:
            return fault
        if fault.kind is FaultKind.EXITED and fault.status is not None and not self.was_entered():
            if trouble := self._spoilt():
                return Fault(FaultKind.FILES, trouble, also=(fault.happened, *fault.also))
            if self._are_words_at_fault():
                also = (fault.happened, *fault.also)
                return Fault(fault.kind, FaultCode.NO_START, status=fault.status, also=also)
            limit = self._ran_out_of(fault)  # reached before the program itself began
            how = ENGLISH.say(fault.told)
            raise SandboxError(f"the sandbox could not be made: {how}{f' ({limit.value})' if limit else ''}")
        fault = self._as_signal(fault)
        kind = self._ran_out_of(fault)
        if kind is None:
            return fault
        also = (fault.happened, *fault.also) if fault.code else fault.also
        return Fault(kind, FaultCode(kind), self._limit_of(kind), fault.status, also=also)

    def _spoilt(self) -> FaultCode | None:
        """What the program did to its folders in an earlier run, so that no sandbox can be made with them."""
        for path in self._shown:
            try:
                mode = os.lstat(path).st_mode
            except OSError:
                return FaultCode.NEEDS_GONE
            if path in self._own and not (stat.S_ISDIR(mode) and mode & OWN == OWN):
                return FaultCode.FOLDER_NONE
        return None

    def _are_words_at_fault(self) -> bool:
        """Whether no sandbox can be made for the program's own words, though one can be made without them.

        Both are tried, so that a bot is not blamed for a failure that happened once (for example while another
        program took the machine's memory).
        """
        if self._words_at_fault is None:
            tried = self._try_with
            self._words_at_fault = tried is not None and not tried(True) and tried(False)
        return self._words_at_fault

    def was_entered(self) -> bool:
        """Whether the program's own command was started."""
        return self.began() is not None

    def began(self) -> int | None:
        """When the program's own command was started, on `monotonic_ns`; none while it was not.

        What wrote to the file gave it this time, whenever we come to look. (Kernels before 6.13 know it to a tick of
        theirs, 10 ms at most, and it may be so much too early.)
        """
        if self._began is None and self._files:
            file = os.fstat(self._files[0])
            if file.st_size >= ENTERED:
                # We may lose the processor between the two clocks: in this order that is never the program's loss.
                ago = time_ns() - file.st_mtime_ns  # negative where somebody has set the machine's clock back
                now = monotonic_ns()
                self._began = min(now, now - ago)
        return self._began

    def _as_signal(self, fault: Fault) -> Fault:
        """Bubblewrap ends with 128 + n where the program ended by signal n."""
        number = (fault.status or 0) - SHELLS_ADD
        if fault.kind is not FaultKind.EXITED or self._tmp or number <= 0:
            return fault
        if number not in list(signal.Signals):
            return fault
        return Fault(FaultKind.KILLED, FaultCode.SIGNAL, status=number)

    def _ran_out_of(self, fault: Fault) -> FaultKind | None:
        if self._monitor is not None and self._monitor.found is not None:
            return self._monitor.found
        if self._group is not None and self._group.ran_out_of_memory():
            return FaultKind.MEMORY
        if fault.kind is FaultKind.KILLED and fault.status == signal.SIGXFSZ:
            return FaultKind.DISK
        if self._monitor is not None and self._monitor.disk_is_full():
            return FaultKind.DISK
        if self._group is not None and self._group.ran_out_of_tasks():
            return FaultKind.TASKS
        return None

    def _limit_of(self, kind: FaultKind) -> dict[str, int]:
        limits = self._limits
        if kind is FaultKind.TASKS:
            return {"tasks": limits.tasks}
        return {"size": (limits.memory if kind is FaultKind.MEMORY else limits.disk) >> 20}

    def processor_seconds(self) -> float | None:
        """Processor seconds of the program and all that it started so far; none if not counted."""
        return None if self._group is None else self._group.processor_seconds()

    def close(self) -> None:
        """Release everything."""
        if self._monitor is not None:
            self._monitor.close()
        if self._group is not None:
            self._group.remove()
        self.began()
        while self._files:
            os.close(self._files.pop())
        if self._tmp:
            from dohyo.system import disk

            disk.remove(self._tmp)
