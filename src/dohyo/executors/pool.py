"""The executor of local processes: one match at a time in each, each on its share of the cores.

Theory of operation
-------------------
A worker is a new process, never a fork of this one, and has one thread: a match's clocks, signals and pinning to
cores are then as exact as those of a single match. It gets orders in advance, for about one second of play, and plays
them one after another; each report comes back when its match is over. So a worker never waits while we store results.

A worker that dies closes its socket, which the pool sees at once. The first of its orders without a report is the one
that killed it. That order and the others are sent again; an order that kills three workers is reported as an error.
What the worker had reported before counts. Reports on their way are read first, so nothing is reported twice.

A worker tries for itself which sandbox works. The orders that it gets say which one works here (`as_chosen`), and it
plays in none that is weaker: a bot that kills it may also kill what the next worker tries.

Signals take effect while the pool waits, and while the caller has a report. Then all workers get a signal to end,
they end their programs, and the pool waits for them. If the pool itself is killed (SIGKILL), the kernel sends that
signal to the workers.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import uuid
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any

from msgspec.structs import replace

from dohyo.executors.messages import MatchOrder, MatchReport, MessageChannel
from dohyo.executors.scheduling import MAX_DEATHS, Dealer, Pending, by_physical_core, core_shares
from dohyo.interrupts import DeferSignals
from dohyo.sandbox import as_chosen
from dohyo.system import disk, interpreter, proc, scheduler, temporary
from dohyo.system.proc import tree

PLAYS = "dohyo.executors.pool_worker"  # what a worker runs, to play matches
MARK = "DOHYO_WORKER"  # in the environment of a worker, and of programs that it starts without a sandbox
MAX_FAILED_STARTS = 3  # workers in a row that end before they are ready
LONGEST_WAIT = 1000  # milliseconds; a signal that arrives just before a wait begins is noticed only when it ends
SOON = 2.0  # seconds in which workers should have ended; then they are told once more
PATIENCE = 10.0  # seconds for workers to end their programs and themselves, before they are killed


class Worker:
    """Our side of one worker process, which runs once it is made; `queue` holds its orders without a report.

    `module` is what it runs, with the arguments of `pool_worker`, and `answers` the type of what it sends.
    """

    def __init__(
        self, name: str, cores: Sequence[int], module: str = PLAYS, answers: Any = str | MatchReport
    ) -> None:
        self.name = name
        self.ready = False
        self.queue: deque[Pending] = deque()
        self._mark = uuid.uuid4().hex
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        self.channel = MessageChannel(ours, answers)
        number = theirs.fileno()
        words = [str(number), name, str(os.getpid()), ",".join(map(str, cores)), self._mark]
        words.append(interpreter.current_folder())
        with theirs:
            temporary.sweep()
            self.process = subprocess.Popen(
                interpreter.module(module, *words),
                cwd=interpreter.FOLDER,
                env={**interpreter.environment(), MARK: self._mark},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=(number,),
                process_group=0,  # Ctrl-C reaches us alone; we end the workers
            )

        # The worker makes it, so that it is removed even if we are killed before.
        self.folder = temporary.path_of("worker", self.process.pid, self._mark)

    def give(self, pending: Sequence[Pending]) -> None:
        """Add orders, to be played after those that it has."""
        self.queue += pending
        self.channel.send([_as_chosen(each.order) for each in pending])

    def terminate(self) -> None:
        """Send it the signal to end its programs and itself."""
        with suppress(ProcessLookupError):
            self.process.terminate()

    def kill(self) -> None:
        """Kill it with all its descendants: one of these may keep it in a call that no signal ends."""
        members = tree(self.process.pid) if proc.IS_LINUX and self.process.returncode is None else []
        self.process.kill()
        for member in members[1:]:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(member, signal.SIGKILL)

    def await_end(self, deadline: float) -> None:
        """Wait until it has ended, kill it at the deadline, remove whatever it left.

        In between it gets the signal again, which ends rules that do not end (`dohyo.interrupts`).
        """
        for seconds, insist in ((SOON, self.terminate), (PATIENCE, self.kill)):
            try:
                self.process.wait(max(0.0, min(seconds, deadline - monotonic())))
                break
            except subprocess.TimeoutExpired:
                insist()
        self.process.wait()
        self.channel.close()
        if self.process.returncode:
            _end_marked(self._mark)
        disk.remove(self.folder)


class Pool(Dealer):
    """Plays matches in worker processes. They start when they are needed, and stay from one `play` to the next.

    By default there is one of the `workers` for each core; `cores` are those that may be used, by default all that
    this process may use. Only the thread that made the pool may use it: when that thread ends, the workers end.
    """

    def __init__(self, workers: int | None = None, cores: Sequence[int] | None = None) -> None:
        own = by_physical_core(sorted(scheduler.cores() if cores is None else cores))
        super().__init__(max(1, len(own) if workers is None else workers))
        self._shares = core_shares(own, self.workers)
        self._running: dict[int, Worker] = {}  # by the number of their share
        self._failed_starts = 0
        self._signals = DeferSignals()
        self._given_up = False

    def play(self, orders: Iterable[MatchOrder]) -> Iterator[MatchReport]:
        """Play all orders; their reports."""
        self._given_up = False
        return super().play(orders)

    def _play(self) -> Iterator[MatchReport]:
        done = False
        with self._signals:
            try:
                while not self._given_up and self._supply():
                    for report in self._take_in():
                        self._signals.open()
                        yield report
                        self._signals.shut()
                done = not self._given_up
            finally:
                if not done:
                    self._end_all()

    def give_up(self) -> None:
        """End what is being played; the iterator of its reports then ends early. Another thread may ask for this."""
        self._given_up = True
        for worker in list(self._running.values()):
            worker.terminate()

    # --- sending orders

    def _supply(self) -> bool:
        """Give every worker something to do, as long as there are orders; whether any report is still to come."""
        for number, share in enumerate(self._shares):
            worker = self._running.get(number)
            given = 0 if worker is None else len(worker.queue)
            size = self._fetch()
            if given > size // 2 or not self._waiting:
                continue
            if worker is None:
                worker = self._running[number] = Worker(str(number), share)
            worker.give(self._deal(size - given))
        return any(worker.queue for worker in self._running.values())

    # --- receiving reports

    def _take_in(self) -> list[MatchReport]:
        """Wait until a worker has sent something, or is gone; the reports."""
        poll = select.poll()
        by_socket = {worker.channel.socket.fileno(): number for number, worker in self._running.items()}
        for descriptor, number in by_socket.items():
            unsent = self._running[number].channel.has_unsent
            poll.register(descriptor, select.POLLIN | (select.POLLOUT if unsent else 0))
        self._signals.open()
        try:
            ready = poll.poll(LONGEST_WAIT)
        finally:
            self._signals.shut()
        reports: list[MatchReport] = []
        for descriptor, what in ready:
            number = by_socket[descriptor]
            if what & select.POLLOUT:
                self._running[number].channel.send()
            if what & ~select.POLLOUT:
                reports += self._listen(number)
        return reports

    def _listen(self, number: int) -> list[MatchReport]:
        """The reports of one worker; if it is gone, its orders are dealt with."""
        worker = self._running[number]
        reports = []
        for message in worker.channel.receive():
            worker.ready = True
            self._failed_starts = 0
            if isinstance(message, MatchReport):
                worker.queue.popleft()  # it plays them in order
                self._chunks.took(message.seconds)
                reports.append(message)
        if not worker.channel.open:
            reports += self._lost(self._running.pop(number))
        return reports

    def _lost(self, worker: Worker) -> list[MatchReport]:
        """A worker is gone: its orders are sent again, except one that has killed too many workers.

        Raises `RuntimeError` when workers do not even start.
        """
        worker.kill()
        worker.await_end(monotonic())
        left, reports = worker.queue, []
        if not worker.ready:
            self._failed_starts += 1
            if self._failed_starts >= MAX_FAILED_STARTS:
                raise RuntimeError(f"workers end at their start, with {worker.process.returncode}")
        elif left:
            left[0].deaths += 1
            if left[0].deaths >= MAX_DEATHS:
                reports.append(left.popleft().given_up(worker.name))
        self._waiting.extendleft(reversed(left))
        return reports

    # --- the end

    def _end_all(self) -> None:
        for worker in self._running.values():
            worker.terminate()
        deadline = monotonic() + PATIENCE
        while self._running:
            self._running.popitem()[1].await_end(deadline)
        self._waiting.clear()

    def close(self) -> None:
        """End whatever runs."""
        self._stop_playing()
        self._end_all()


def _as_chosen(order: MatchOrder) -> MatchOrder:
    """The order, for a worker that plays it in no weaker sandbox than this process would."""
    word = as_chosen(order.sandbox)
    return order if word == order.sandbox else replace(order, sandbox=word)


def _end_marked(mark: str) -> None:
    """Kill the processes with a worker's mark: those that it started without a sandbox and could not end itself."""
    wanted = f"{MARK}={mark}".encode()
    for entry in os.listdir("/proc") if proc.IS_LINUX else ():
        if entry.isdigit():
            with suppress(OSError), open(f"/proc/{entry}/environ", "rb") as file:
                if wanted in file.read().split(b"\0"):
                    os.kill(int(entry), signal.SIGKILL)
