"""Several hand-ins examined at once, for `dohyo check`, in processes of their own: each on its share of the cores."""

from __future__ import annotations

import pickle
import select
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from msgspec.structs import replace

from dohyo.cli.check_worker import CheckAnswer, CheckOrder
from dohyo.core import replay_format
from dohyo.executors.pool import LONGEST_WAIT, PATIENCE, Worker
from dohyo.executors.scheduling import by_physical_core, core_shares
from dohyo.interrupts import DeferSignals
from dohyo.system import scheduler

if TYPE_CHECKING:
    from dohyo.bench.check.check import KeepReplay
    from dohyo.bench.check.findings import CheckReport

MODULE = "dohyo.cli.check_worker"


def usual_workers() -> int:
    """How many are examined at once where nobody says: one for two cores, so that a bot and its opponent have one."""
    return max(1, len(scheduler.cores()) // 2)


class Beside:
    """Examines `paths`, up to `workers` at once; a context manager, after which no process is left.

    `order` is that of each hand-in but for its path. What a worker has no report on, or ends at, `here` examines, in
    this process. `keep` gets the replay of a hand-in before its report is returned.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        workers: int,
        order: CheckOrder,
        here: Callable[[Path], CheckReport],
        keep: KeepReplay | None = None,
    ) -> None:
        self._waiting = deque(paths)
        self._order, self._here, self._keep = order, here, keep
        self._shares = core_shares(by_physical_core(sorted(scheduler.cores())), max(1, min(workers, len(paths))))
        self._running: dict[int, Worker] = {}  # by the number of their share
        self._given: dict[int, Path] = {}  # what each examines
        self._done: dict[Path, CheckAnswer] = {}
        self._signals = DeferSignals()

    def __enter__(self) -> Beside:
        return self

    def __exit__(self, *_: object) -> None:
        with self._signals:
            for worker in self._running.values():
                worker.terminate()
            deadline = monotonic() + PATIENCE
            while self._running:
                self._running.popitem()[1].await_end(deadline)

    def examine(self, path: Path) -> CheckReport:
        """The report on one of the paths; others are examined meanwhile."""
        with self._signals:
            while path not in self._done:
                self._supply()
                self._take_in()
        answer = self._done.pop(path)
        if not answer.report:
            return self._here(path)
        if answer.replay and self._keep is not None:
            self._keep(replay_format.decode(answer.replay))
        found: CheckReport = pickle.loads(answer.report)
        return found

    def _supply(self) -> None:
        """Give something to do to each worker that has nothing."""
        for number, share in enumerate(self._shares):
            if number in self._given or not self._waiting:
                continue
            if number not in self._running:
                self._running[number] = Worker(str(number), share, MODULE, str | CheckAnswer)
            path = self._given[number] = self._waiting.popleft()
            self._running[number].channel.send(replace(self._order, path=str(path)))

    def _take_in(self) -> None:
        """Wait until a worker has sent something, or is gone: what it had is then examined here."""
        poll = select.poll()
        by_socket = {worker.channel.socket.fileno(): number for number, worker in self._running.items()}
        for descriptor in by_socket:
            poll.register(descriptor, select.POLLIN)
        self._signals.open()
        try:
            ready = poll.poll(LONGEST_WAIT)
        finally:
            self._signals.shut()
        for number in (by_socket[descriptor] for descriptor, _ in ready):
            worker = self._running[number]
            answers = [message for message in worker.channel.receive() if isinstance(message, CheckAnswer)]
            if not worker.channel.open:
                worker.kill()
                worker.await_end(monotonic())
                del self._running[number]
                answers = answers or [CheckAnswer()]
            for answer in answers:
                if number in self._given:
                    self._done[self._given.pop(number)] = answer
