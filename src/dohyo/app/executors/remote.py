"""What a Dask worker does for a contest: bots that it lacks are built, matches are played in a process of its own.

Theory of operation
-------------------
Dask runs its tasks in threads. A match wants a process with one thread, as its signals, clocks and pins need it. So
each of Dask's threads has a pool of one worker, which stays from task to task; the thread does nothing but wait for
it. Who kills that process is dealt with by the pool, and Dask's worker lives on.

An order names its bots by what their authors handed in. Such an archive is kept on this machine's disk by the digest
of its bytes. A chunk of which one is lacking is not played: the answer says what is lacking, and the chunk comes
again with it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from dohyo.app.executors.orders import MatchOrder, MatchReport
    from dohyo.app.executors.parcels import Parcel
    from dohyo.bots import Bot

FOLDER = "parcels"  # in the cache
PATIENCE = 15.0  # seconds for a match that is given up to end


class Seat:
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
            # Who gives up a token first says so, and then looks for seats that have it; here it is the other way.
            return [] if token in _given_up else list(self.pool.play(orders))
        finally:
            self.idle.set()


_seats: dict[int, Seat] = {}  # by thread
_given_up: set[str] = set()
_bots: dict[tuple[str, str, str | None], Bot] = {}  # built, by game, archive and interpreter
_lock = threading.Lock()


def play_chunk(ours: str, content: bytes, archives: dict[str, bytes]) -> tuple[str, str, bytes]:
    """Play a parcel. This worker's name, its version, and the answer: an empty one where the versions differ.

    `ours` is the version of who sends the parcel; `archives` are those that were lacking, by digest.
    """
    import msgspec
    from distributed import get_worker

    from dohyo.app.executors.parcels import Answer, Parcel, version

    worker = get_worker()
    name = str(worker.name)
    if version() != ours:
        return name, version(), b""
    parcel = msgspec.msgpack.decode(content, type=Parcel)
    for digest, archive in archives.items():
        _put(digest, archive)
    lacking = [digest for digest in set(parcel.archives.values()) if _get(digest) is None]
    if lacking:
        return name, ours, msgspec.msgpack.encode(Answer(name, [], sorted(lacking)))
    orders, reports = _settle(parcel, name)
    played = _seat(worker.state.nthreads).play(orders, parcel.token) if orders else []
    reports += [msgspec.structs.replace(report, worker=name) for report in played]
    return name, ours, msgspec.msgpack.encode(Answer(name, reports))


def give_up(token: str) -> None:
    """End all matches of a token, and play none from now on; waits for their end."""
    _given_up.add(token)
    _end(seat for seat in list(_seats.values()) if seat.token == token)


def close() -> None:
    """End all matches, and the processes that play them."""
    for seat in list(_seats.values()):
        _given_up.add(seat.token)
    _end(_seats.values())
    for seat in _seats.values():
        seat.pool.close()


def _end(seats: Iterable[Seat]) -> None:
    ended = list(seats)
    for seat in ended:
        if not seat.idle.is_set():
            seat.pool.give_up()
    for seat in ended:
        seat.idle.wait(PATIENCE)


def _seat(threads: int) -> Seat:
    """The seat of this thread, on its share of the cores that this process may use."""
    from dohyo.app.executors.shares import by_neighbourhood, shares
    from dohyo.runner import system

    here = threading.get_ident()
    with _lock:
        if here not in _seats:
            own = shares(by_neighbourhood(sorted(system.cores())), threads)
            _seats[here] = Seat(own[len(_seats) % threads])
        return _seats[here]


# --- bots


def _settle(parcel: Parcel, worker: str) -> tuple[list[MatchOrder], list[MatchReport]]:
    """The orders with bots of this machine, and reports of those whose bots cannot be had here."""
    from msgspec.structs import replace

    from dohyo.app.executors.orders import MatchReport
    from dohyo.core.errors import OperatorError

    orders, reports = [], []
    for order in parcel.orders:
        try:
            own = tuple(_bot(bot, order, parcel, worker) for bot in order.bots)
        except OperatorError as error:
            reports.append(MatchReport(order.key, error=f"{worker}: {error.say()}", worker=worker, mend=True))
        else:
            orders.append(replace(order, bots=own))
    return orders, reports


def _bot(theirs: Bot, order: MatchOrder, parcel: Parcel, worker: str) -> Bot:
    """The bot, built from its archive, under the name that it has there. Raises `OperatorError`."""
    from msgspec.structs import replace

    from dohyo import games
    from dohyo.app.housing import box_of
    from dohyo.app.play import find_bots
    from dohyo.bots import archive
    from dohyo.core.errors import OperatorError

    key = (order.game, parcel.archives[theirs.digest], parcel.python)
    with _lock:  # threads beside this one may need the same
        if key not in _bots:
            word = archive.unpack(_get(key[1]) or b"")
            (_bots[key],) = find_bots(games.find(order.game), [word], parcel.python, box_of(order.sandbox))
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
