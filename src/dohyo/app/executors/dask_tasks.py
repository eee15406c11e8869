"""What a Dask worker does for a contest: bots that it lacks are built, matches are played in a process of its own.

Theory of operation
-------------------
Dask runs its tasks in threads. A match wants a process with one thread, as its signals, clocks and pins need it. So
each of Dask's threads has a pool of one worker, which stays from task to task; the thread does nothing but wait for
it. Who kills that process is dealt with by the pool, and Dask's worker lives on.

An order names its bots by what their authors handed in. Such an archive is kept on this machine's disk by the digest
of its bytes. A chunk of which one is lacking is not played: the reply says what is lacking, and the chunk comes
again with it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from dohyo.app.executors.messages import MatchOrder, MatchReport, TaskRequest
    from dohyo.bots import Bot

FOLDER = "parcels"  # in the cache; what is stored keeps its name
PATIENCE = 15.0  # seconds for a match that is given up to end


class WorkerSlot:
    """Where one of Dask's threads has its matches played."""

    def __init__(self, cores: list[int]) -> None:
        from dohyo.app.executors.pool import Pool

        self.pool = Pool(1, cores)
        self.token = ""  # of what is being played
        self.idle = threading.Event()
        self.idle.set()

    def play(self, orders: list[MatchOrder], token: str) -> list[MatchReport]:
        """The reports; some of them only, where the token was given up."""
        self.token = token
        self.idle.clear()
        try:
            # Who gives up a token first says so, and then looks for slots that have it; here it is the other way.
            return [] if token in _given_up else list(self.pool.play(orders))
        finally:
            self.idle.set()


_slots: dict[int, WorkerSlot] = {}  # by thread
_given_up: set[str] = set()
_bots: dict[tuple[str, str, str | None], Bot] = {}  # built, by game, archive and interpreter
_lock = threading.Lock()


def play_chunk(ours: str, content: bytes, archives: dict[str, bytes]) -> tuple[str, str, bytes]:
    """Play a task's orders. This worker's name, its version, and the reply: an empty one where the versions differ.

    `ours` is the version of who sends the request; `archives` are those that were lacking, by digest.
    """
    import msgspec
    from distributed import get_worker

    from dohyo.app.executors.messages import TaskReply, TaskRequest
    from dohyo.app.executors.version import version

    worker = get_worker()
    name = str(worker.name)
    if version() != ours:
        return name, version(), b""
    request = msgspec.msgpack.decode(content, type=TaskRequest)
    for digest, archive in archives.items():
        _put(digest, archive)
    lacking = [digest for digest in set(request.archives.values()) if _get(digest) is None]
    if lacking:
        return name, ours, msgspec.msgpack.encode(TaskReply(name, [], sorted(lacking)))
    orders, reports = _with_own_bots(request, name)
    played = _slot(worker.state.nthreads).play(orders, request.token) if orders else []
    reports += [msgspec.structs.replace(report, worker=name) for report in played]
    return name, ours, msgspec.msgpack.encode(TaskReply(name, reports))


def give_up(token: str) -> None:
    """End all matches of a token, and play none from now on; waits for their end."""
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
    from dohyo.app.executors.scheduling import by_physical_core, core_shares
    from dohyo.runner import system

    here = threading.get_ident()
    with _lock:
        if here not in _slots:
            own = core_shares(by_physical_core(sorted(system.cores())), threads)
            _slots[here] = WorkerSlot(own[len(_slots) % threads])
        return _slots[here]


# --- bots


def _with_own_bots(request: TaskRequest, worker: str) -> tuple[list[MatchOrder], list[MatchReport]]:
    """The orders with bots of this machine, and reports of those whose bots cannot be had here."""
    from msgspec.structs import replace

    from dohyo.app.executors.messages import MatchReport
    from dohyo.core.errors import OperatorError

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
    """Raise `OperatorError` where the game is not here, or not the same as where the contest is."""
    from dohyo.app.executors.version import version_of_game
    from dohyo.core.errors import OperatorError

    if request.games.get(name, "") != version_of_game(name):
        raise OperatorError("cluster-game-differs", game=name, worker=worker)


def _bot(theirs: Bot, order: MatchOrder, request: TaskRequest, worker: str) -> Bot:
    """The bot, built from its archive, under the name that it has there. Raises `OperatorError`."""
    from msgspec.structs import replace

    from dohyo import games
    from dohyo.app.play import find_bots
    from dohyo.app.sandboxing import sandbox_of
    from dohyo.bots import archive
    from dohyo.core.errors import OperatorError

    key = (order.game, request.archives[theirs.digest], request.python)
    with _lock:  # threads beside this one may need the same
        if key not in _bots:
            word = archive.unpack(_get(key[1]) or b"")
            (_bots[key],) = find_bots(games.find(order.game), [word], request.python, sandbox_of(order.sandbox))
    own = _bots[key]
    if own.digest != theirs.digest:
        raise OperatorError("cluster-bot-differs", bot=theirs.name, worker=worker)
    return replace(own, name=theirs.name)


def _path(digest: str) -> Path:
    from dohyo.bots.cache import location

    return location() / FOLDER / digest


def _get(digest: str) -> bytes | None:
    """An archive that is here; none where it is not, or is not whole."""
    import hashlib

    try:
        content = _path(digest).read_bytes()
    except OSError:
        return None
    return content if hashlib.sha256(content).hexdigest() == digest else None


def _put(digest: str, content: bytes) -> None:
    """Keep an archive; it appears whole or not at all."""
    import secrets

    path = _path(digest)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{secrets.token_hex(8)}")
    try:
        beside.write_bytes(content)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
