"""The executor of many machines: a cluster of Dask distributed, of which this process is a client.

Theory of operation
-------------------
Each of Dask's threads gets one chunk of orders at a time, for about one second of play, as one task; `dask_tasks.py`
says what the worker does with it. All that is known about a match is in the contest's store and in this process,
nothing is only in the cluster. So whatever is lost there is sent again, and a report counts when it has arrived.

The scheduler notices a lost worker and reports it after a number of further attempts (none, with the schedulers that
we start). Nobody can know which match of a chunk killed the worker, nor whether the chunk had begun or was only
waiting there. So all matches of the chunk are suspects from then on: each is sent alone, and only one suspect is
played at a time in the whole cluster, so that no match is counted for what another did. A match that killed three
workers is reported as an error. If the scheduler is lost, the run ends: the operator starts the contest again.
"""

from __future__ import annotations

import hashlib
import logging
import queue
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from time import monotonic
from typing import Any
from uuid import uuid4

import msgspec
from msgspec.structs import replace

from dohyo.bots import Bot
from dohyo.core.errors import OperatorError
from dohyo.executors.choice import Archives, Elsewhere
from dohyo.executors.messages import MatchReport, TaskReply, TaskRequest
from dohyo.executors.scheduling import MAX_DEATHS, Dealer, Pending
from dohyo.executors.version import version, version_of_game
from dohyo.guests.cluster import dask_tasks
from dohyo.guests.cluster.keys import ClusterAccess, check_keys, cluster_access, dask_security
from dohyo.sandbox import as_chosen

CONNECTING = 10.0  # seconds for a scheduler to answer
WORKERLESS = 60.0  # seconds without any worker, before that is an error
LOOK = 1.0  # seconds between two counts of the workers
QUIET = {"distributed.admin.large-graph-warning-threshold": "1 GiB"}  # an archive is a part of a graph


def reach(address: str, keys: str | None, plain_tcp: bool) -> Elsewhere:
    """The cluster at this address. Raises `OperatorError` if it is no address, or its keys do not fit."""
    return partial(Cluster, cluster_access(address, keys, plain_tcp))


class Chunk:
    """Orders that travel together, and the archives that travel with them; whether it may have killed a worker."""

    def __init__(self, pending: list[Pending], suspect: bool = False) -> None:
        self.pending = pending
        self.suspect = suspect
        self.archives: dict[str, bytes] = {}


class Cluster(Dealer):
    """Plays matches on a cluster of Dask. It is connected once it is made.

    `archive_of` gives the archive (`dohyo.bots.archive.pack`) of a bot that plays; it is asked once for each digest.
    `python` is the interpreter for bots in Python.

    Raises `OperatorError` if Dask is not installed, no scheduler answers, or it has other keys. `play` raises it if
    the cluster is lost, has no workers, or has another version.
    """

    def __init__(self, access: ClusterAccess, archive_of: Archives, python: str | None = None) -> None:
        self.address = access.address
        self._access = access
        self._client = _connect(access)
        super().__init__(max(1, self._count()))
        self._archive_of = archive_of
        self._python = python
        self._digests: dict[str, str] = {}  # of archives, by their bots' digests
        self._done: queue.SimpleQueue[Any] = queue.SimpleQueue()  # futures
        self._running: dict[str, tuple[Any, Chunk]] = {}  # future and chunk, by the task's key
        self._again: deque[Chunk] = deque()  # chunks that are sent before those
        self._suspects: deque[Chunk] = deque()  # of one order each; at most one of them is being played
        self._token = ""
        self._looked = self._manned = monotonic()

    def _play(self) -> Iterator[MatchReport]:
        self._token, self._manned = uuid4().hex, monotonic()
        ready: deque[MatchReport] = deque()
        done = False
        try:
            while True:
                self._supply()
                if ready:
                    yield ready.popleft()
                elif not self._running:
                    break
                if self._running:
                    ready += self._take_in(wait=not ready)
            done = True
        finally:
            if not done:
                self._give_up()

    # --- sending orders

    def _supply(self) -> None:
        """Send chunks while there are orders, and threads without a chunk."""
        self._look()
        while len(self._running) < self.workers:
            if self._suspects and not any(chunk.suspect for _, chunk in self._running.values()):
                self._submit(self._suspects.popleft())
                continue
            if not self._again:
                size = self._fetch()
                if not self._waiting:
                    return
                self._again.append(Chunk(self._deal(size)))
            self._submit(self._again.popleft())

    def _submit(self, chunk: Chunk) -> None:
        own = (each.order for each in chunk.pending)
        orders = [replace(order, sandbox=as_chosen(order.sandbox, is_far=True)) for order in own]
        archives = {bot.digest: self._digest(bot) for order in orders for bot in order.bots}
        games = {order.game: version_of_game(order.game) for order in orders}
        content = msgspec.msgpack.encode(TaskRequest(self._token, orders, archives, self._python, games))
        with _losses_as_errors(self._client, self.address):
            key = f"dohyo-{uuid4().hex}"
            future = self._client.submit(
                dask_tasks.play_chunk, version(), content, chunk.archives, key=key, pure=False
            )
            self._running[key] = (future, chunk)
            future.add_done_callback(self._done.put)

    def _digest(self, bot: Bot) -> str:
        if bot.digest not in self._digests:
            self._digests[bot.digest] = hashlib.sha256(self._archive_of(bot)).hexdigest()
        return self._digests[bot.digest]

    # --- receiving reports

    def _take_in(self, wait: bool) -> list[MatchReport]:
        """The reports of a chunk that is done; none if none is done yet."""
        try:
            future = self._done.get(timeout=LOOK) if wait else self._done.get_nowait()
        except queue.Empty:
            return []
        if future.key not in self._running:  # it belongs to a run that was given up
            return []
        _, chunk = self._running.pop(future.key)
        return self._judge(future, chunk)

    def _judge(self, future: Any, chunk: Chunk) -> list[MatchReport]:
        """What follows from a task's end."""
        from distributed import KilledWorker

        try:
            with _losses_as_errors(self._client, self.address):
                worker, theirs, content = future.result()
        except KilledWorker as error:
            return self._killed(chunk, error.allowed_failures + 1)
        if theirs != version():
            raise OperatorError("cluster-other-version", worker=worker, theirs=theirs, ours=version())
        answer = msgspec.msgpack.decode(content, type=TaskReply)
        if answer.lacking:
            self._send_archives(chunk, answer.lacking)
            return []
        for report in answer.reports:
            self._chunks.took(report.seconds)
        told = {report.key for report in answer.reports}
        self._waiting.extendleft(each for each in chunk.pending if each.order.key not in told)
        return answer.reports

    def _send_archives(self, chunk: Chunk, lacking: list[str]) -> None:
        by_digest = {self._digests[bot.digest]: bot for each in chunk.pending for bot in each.order.bots}
        chunk.archives |= {digest: self._archive_of(by_digest[digest]) for digest in lacking}
        (self._suspects if chunk.suspect else self._again).appendleft(chunk)

    def _killed(self, chunk: Chunk, deaths: int) -> list[MatchReport]:
        """`deaths` workers died while they had this chunk."""
        if len(chunk.pending) > 1:
            self._suspects.extend(Chunk([each], suspect=True) for each in chunk.pending)
            return []
        (pending,) = chunk.pending
        pending.deaths += deaths if chunk.suspect else 1  # otherwise it may only have waited
        if pending.deaths < MAX_DEATHS:
            self._suspects.append(Chunk([pending], suspect=True))
            return []
        return [pending.given_up()]

    # --- the cluster

    def _look(self) -> None:
        """Count the workers from time to time. Raises `OperatorError` if there were none for too long."""
        now = monotonic()
        if now - self._looked < LOOK:
            return
        self._looked = now
        found = self._count()
        if found:
            self._chunks.workers, self._manned = found, now
        elif now - self._manned > WORKERLESS:
            words = self._access.words
            raise OperatorError("cluster-no-workers", address=self.address, words=words, seconds=WORKERLESS)

    def _count(self) -> int:
        """Dask's threads, of all workers."""
        with _losses_as_errors(self._client, self.address):
            return sum(self._client.nthreads().values())

    # --- the end

    def _give_up(self) -> None:
        """Make the cluster end what it still plays for us, and wait for that, if the cluster still exists."""
        futures = [future for future, _ in self._running.values()]
        self._running.clear()
        self._waiting.clear()
        self._again.clear()
        self._suspects.clear()
        if futures and self._client.status == "running":
            with suppress(Exception):  # the cluster may be what is broken
                self._client.cancel(futures)
                self._client.run(dask_tasks.give_up, self._token, on_error="ignore")

    def close(self) -> None:
        """End whatever runs for us; the cluster goes on."""
        self._stop_playing()
        try:
            self._client.close()
        except Exception:
            # Dask awaits the task that has connected again, and has that task's error: so it would never be closed.
            self._client._handle_report_task = None
            with suppress(Exception):
                self._client.close()


@contextmanager
def _losses_as_errors(client: Any, address: str) -> Iterator[None]:
    """A block in which the client is used: errors of Dask become an `OperatorError`."""
    from asyncio import CancelledError
    from concurrent.futures import CancelledError as Cancelled

    from distributed import KilledWorker
    from distributed.client import FutureCancelledError

    try:
        yield
    except (KilledWorker, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        lost = client.status != "running"
        if lost or isinstance(error, OSError | CancelledError | Cancelled | FutureCancelledError):
            raise OperatorError("cluster-lost", address=address) from error
        if isinstance(error, ImportError | AttributeError | TypeError) or "deseriali" in str(error):
            reason = " ".join(str(error.__cause__ or error).split())[:200]
            raise OperatorError("cluster-cannot-load", address=address, reason=reason) from error
        raise


def _connect(access: ClusterAccess) -> Any:
    try:
        import dask
        from distributed import Client
    except ImportError as error:
        raise OperatorError("needs-cluster") from error
    for name in [name for name in logging.root.manager.loggerDict if name.split(".")[0] == "distributed"]:
        logging.getLogger(name).setLevel(logging.CRITICAL)  # we report its errors ourselves
    dask.config.set(QUIET)
    check_keys(access)
    settings: dict[str, Any] = {
        "timeout": CONNECTING,
        "set_as_default": False,
        "security": dask_security(access.keys),
    }
    try:
        return Client(access.address, **settings)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        key = "cluster-unreachable" if access.keys is not None else "cluster-unreachable-plain"
        raise OperatorError(key, address=access.address) from error
