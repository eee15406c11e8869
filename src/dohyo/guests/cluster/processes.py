"""The processes of a cluster on this machine: a scheduler, workers, or both, supervised until they have to end."""

from __future__ import annotations

import os
import select
import socket
import subprocess
import time
import uuid
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic

from dohyo.core.errors import OperatorError
from dohyo.executors.scheduling import by_physical_core, core_shares
from dohyo.guests.cluster.keys import ClusterAccess, check_keys
from dohyo.system import disk, interpreter, scheduler, temporary

PATIENCE = 30.0  # seconds for processes to end, before they are killed
LOOKS, PAUSE = 100, 0.05  # for a folder to be removed; seconds between them
MAX_FAILED_STARTS = 3  # workers in a row that end before they have joined


class ClusterProcess:
    """One process: a scheduler or a worker. What it writes can be read from `said`, which closes when it ends."""

    def __init__(self, role: str, words: Sequence[str]) -> None:
        self.role = role
        self.words = words
        self.line = b""
        mark = uuid.uuid4().hex
        own = (role, str(os.getpid()), mark, interpreter.current_folder())
        self._popen = subprocess.Popen(
            interpreter.module("dohyo.guests.cluster.dask_process", *own, *words),
            cwd=interpreter.FOLDER,
            env=interpreter.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            process_group=0,  # Ctrl-C reaches us alone; we end the others
        )
        self._folder = temporary.path_of("cluster", self._popen.pid, mark)  # the process makes it itself
        assert self._popen.stdout is not None
        self.said = self._popen.stdout

    def listen(self) -> bool:
        """Read what it writes, once there is something; whether it still runs."""
        content = os.read(self.said.fileno(), 1 << 16)
        self.line += content
        return bool(content)

    def terminate(self) -> None:
        """Send it the signal to end."""
        with suppress(ProcessLookupError):
            self._popen.terminate()

    def await_end(self, deadline: float) -> None:
        """Wait until it has ended, kill it at the deadline, remove what it left. May be called twice."""
        try:
            self._popen.wait(max(0.0, deadline - monotonic()))
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()
        self.said.close()
        for _ in range(LOOKS):
            disk.remove(self._folder)
            if not os.path.lexists(self._folder):
                break
            time.sleep(PAUSE)  # it was killed; programs that it had started are ending and remove their own files


class ClusterProcesses:
    """A context manager: when it ends, all processes end, and the matches that they play are given up.

    The thread that starts them must live as long as they do.
    """

    def __init__(self) -> None:
        self._access: ClusterAccess | None = None
        self._processes: list[ClusterProcess] = []
        self._failed_starts = 0

    def start_scheduler(self, host: str, port: int, keys: str | None) -> ClusterAccess:
        """Start a scheduler that listens there; its address. An empty `host` means all addresses of this machine.

        `keys` is the folder with its keys; none for plain TCP.

        Raises `OperatorError` if it does not start.
        """
        _need_dask()
        process = ClusterProcess("scheduler", [host, str(port), keys or ""])
        self._processes.append(process)
        while b"\n" not in process.line:
            if not process.listen():
                raise OperatorError("cluster-port", host=host or "*", port=port)
        return ClusterAccess(process.line.decode().split()[0], keys)

    def start_workers(self, access: ClusterAccess, number: int | None, host: str = "") -> int:
        """Start workers (none: one for each core) for a scheduler, each on its share of the cores; how many."""
        _need_dask()
        check_keys(access)
        self._access = access
        own = by_physical_core(sorted(scheduler.cores()))
        wanted = len(own) if number is None else number
        if wanted < 1:
            raise OperatorError("cluster-workers", given=wanted)
        for at, share in enumerate(core_shares(own, wanted)):
            self._start_worker(f"{socket.gethostname()}-{os.getpid()}-{at}", ",".join(map(str, share)), host)
        return wanted

    def _start_worker(self, name: str, cores: str, host: str) -> None:
        assert self._access is not None
        self._processes.append(
            ClusterProcess("worker", [self._access.address, name, cores, host, self._access.keys or ""])
        )

    def watch(self) -> None:
        """Start a worker again whenever one ends, for ever.

        Raises `OperatorError` when the scheduler ends, or workers do not even start.
        """
        while True:
            self.watch_once()

    def watch_once(self) -> None:
        """Wait until a process says something, or ends."""
        by_descriptor = {process.said.fileno(): process for process in self._processes}
        poll = select.poll()
        for descriptor in by_descriptor:
            poll.register(descriptor, select.POLLIN)
        for descriptor, _ in poll.poll():
            process = by_descriptor[descriptor]
            if process.listen():
                self._failed_starts = 0
            else:
                self._replace(process)

    def _replace(self, process: ClusterProcess) -> None:
        process.await_end(monotonic())
        self._processes.remove(process)  # not earlier: after an interrupt it still has to be waited for
        if process.role == "scheduler":
            raise OperatorError("cluster-scheduler-ended")
        if not process.line:
            self._failed_starts += 1
            if self._failed_starts >= MAX_FAILED_STARTS:
                raise OperatorError("cluster-worker-ends", address=process.words[0])
        _, name, cores, host, _ = process.words
        self._start_worker(name, cores, host)

    def __enter__(self) -> ClusterProcesses:
        return self

    def __exit__(self, *_: object) -> None:
        # Workers first: they sign off at the scheduler.
        deadline = monotonic() + PATIENCE
        for role in ("worker", "scheduler"):
            ending = [process for process in self._processes if process.role == role]
            for process in ending:
                process.terminate()
            for process in ending:
                process.await_end(deadline)
        self._processes.clear()


def _need_dask() -> None:
    from importlib.util import find_spec

    if find_spec("distributed") is None:
        raise OperatorError("needs-cluster")
