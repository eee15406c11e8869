"""What a Dask worker does for a contest: it builds missing bots, and plays matches in a separate process.

Theory of operation
-------------------
Dask runs its tasks in threads. A match needs a process with one thread, for its signals, clocks and pinning to cores.
So each of Dask's threads has a pool of one worker process, which is kept from task to task; the thread only waits for
it. If a match kills that process, the pool deals with it, and Dask's worker goes on.

An order names each bot by the archive that its author handed in. Archives are kept on this machine's disk under the
digest of their bytes. If one is missing, the chunk is not played: the reply names the missing archives, and the chunk
is sent again with them.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec.structs import replace

from dohyo import games
from dohyo.bots import Bot, archive
from dohyo.bots.cache import location
from dohyo.core import parameters
from dohyo.core.errors import HandInError, OperatorError
from dohyo.executors.messages import MatchOrder, MatchReport, TaskReply, TaskRequest
from dohyo.executors.pool import Pool
from dohyo.executors.scheduling import by_physical_core, core_shares
from dohyo.executors.version import version, version_of_game
from dohyo.match.found_bots import find_bots
from dohyo.match.sandboxing import sandbox_of
from dohyo.system import cache_mark, scheduler

FOLDER = "parcels"  # in the cache; what is stored keeps its name
PATIENCE = 15.0  # seconds for a match that is given up to end


class WorkerSlot:
    """The place where one of Dask's threads has its matches played."""

    def __init__(self, cores: list[int]) -> None:
        self.pool = Pool(1, cores)
        self.token = ""  # of what is being played
        self.idle = threading.Event()
        self.idle.set()

    def play(self, orders: list[MatchOrder], token: str) -> list[MatchReport]:
        """The reports; only some of them if the token was given up."""
        self.token = token
        self.idle.clear()
        try:
            # Giving up a token: first mark it, then look for slots that have it. Here the order is reversed.
            return [] if token in _given_up else list(self.pool.play(orders))
        finally:
            self.idle.set()


_slots: dict[int, WorkerSlot] = {}  # by thread
_given_up: set[str] = set()
_bots: dict[tuple[str, str, str | None], Bot] = {}  # built, by game, archive and interpreter
_lock = threading.Lock()


def play_chunk(ours: str, content: bytes, archives: dict[str, bytes]) -> tuple[str, str, bytes]:
    """Play a task's orders. Returns this worker's name, its version, and the reply, empty if the versions differ.

    `ours` is the version of the sender of the request; `archives` are those that were missing, by digest.
    """
    from distributed import get_worker

    worker = get_worker()
    name = str(worker.name)
    if version() != ours:
        return name, version(), b""
    request = msgspec.msgpack.decode(content, type=TaskRequest)
    for digest, packed in archives.items():
        _put(digest, packed)
    lacking = [digest for digest in set(request.archives.values()) if _get(digest) is None]
    if lacking:
        return name, ours, msgspec.msgpack.encode(TaskReply(name, [], sorted(lacking)))
    orders, reports = _with_own_bots(request, name)
    played = _slot(worker.state.nthreads).play(orders, request.token) if orders else []
    reports += [replace(report, worker=name) for report in played]
    return name, ours, msgspec.msgpack.encode(TaskReply(name, reports))


def give_up(token: str) -> None:
    """End all matches of a token, wait for their end, and play none of it from now on."""
    _given_up.add(token)
    _end(slot for slot in list(_slots.values()) if slot.token == token)


def close() -> None:
    """End all matches, and the processes that play them."""
    for slot in list(_slots.values()):
        _given_up.add(slot.token)
    _end(_slots.values())
    for slot in _slots.values():
        slot.pool.close()


def _end(slots: Iterable[WorkerSlot]) -> None:
    ended = list(slots)
    for slot in ended:
        if not slot.idle.is_set():
            slot.pool.give_up()
    for slot in ended:
        slot.idle.wait(PATIENCE)


def _slot(threads: int) -> WorkerSlot:
    """The slot of this thread, on its share of the cores that this process may use."""
    here = threading.get_ident()
    with _lock:
        if here not in _slots:
            own = core_shares(by_physical_core(sorted(scheduler.cores())), threads)
            _slots[here] = WorkerSlot(own[len(_slots) % threads])
        return _slots[here]


# --- bots


def _with_own_bots(request: TaskRequest, worker: str) -> tuple[list[MatchOrder], list[MatchReport]]:
    """The orders with bots of this machine, and reports for those whose bots are not available here."""
    orders, reports = [], []
    for order in request.orders:
        try:
            _check_game(order.game, request, worker)
            own = tuple(_bot(bot, order, request, worker) for bot in order.bots)
        except OperatorError as error:
            reports.append(MatchReport(order.key, error=f"{worker}: {error.say()}", worker=worker, mend=True))
        else:
            orders.append(replace(order, bots=own))
    return orders, reports


def _check_game(name: str, request: TaskRequest, worker: str) -> None:
    """Raise `OperatorError` if the game is not installed here, or differs from the one of the contest's machine."""
    if request.games.get(name, "") != version_of_game(name):
        raise OperatorError("cluster-game-differs", game=name, worker=worker)


def _bot(theirs: Bot, order: MatchOrder, request: TaskRequest, worker: str) -> Bot:
    """The bot, built from its archive, under the name that it has there. Raises `OperatorError`."""
    if theirs.unusable:
        return theirs
    key = (order.game, request.archives[theirs.digest], request.python)
    with _lock:  # threads beside this one may need the same
        if key not in _bots:
            try:
                packed = archive.unpack_ours(_get(key[1]) or b"")
                (_bots[key],) = find_bots(games.find(order.game), [packed], request.python, sandbox_of(order.sandbox))
            except HandInError as error:  # its author's doing: it takes part, and does not start
                _bots[key] = theirs.without_start(error)
    own = _bots[key]
    if own.unusable:
        return replace(own, name=theirs.name)
    if own.digest != theirs.digest:
        raise OperatorError("cluster-bot-differs", bot=theirs.name, worker=worker)
    return replace(own, name=theirs.name).given(parameters.given(theirs.command))  # they are no part of the archive


def _path(digest: str) -> Path:
    return location() / FOLDER / digest


def _get(digest: str) -> bytes | None:
    """An archive from this machine's disk; none if it is missing or incomplete."""
    try:
        content = _path(digest).read_bytes()
    except OSError:
        return None
    return content if hashlib.sha256(content).hexdigest() == digest else None


def _put(digest: str, content: bytes) -> None:
    """Keep an archive; it appears completely or not at all."""
    path = _path(digest)
    cache_mark.mark(location())
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{secrets.token_hex(8)}")
    try:
        beside.write_bytes(content)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
