"""A process of a cluster: Dask's scheduler, or a Dask worker with one thread on its share of the cores.

    python -P -m dohyo.guests.cluster.dask_process scheduler PARENT MARK HERE HOST PORT KEYS
    python -P -m dohyo.guests.cluster.dask_process worker PARENT MARK HERE ADDRESS NAME CORES HOST KEYS

MARK names the folder that it makes for temporary files; HERE is PARENT's current folder; KEYS is the folder with the
cluster's keys, or empty for plain TCP. The process writes one line when it is ready: a scheduler its address, a
worker that it has joined. It ends at a signal, and when PARENT ends; a worker also ends with its scheduler.

The scheduler makes no attempts of its own after a worker has died: the contest finds out which match killed it.

It listens on one port, and asks whoever connects there for the cluster's keys, before it takes anything from them.
Dask's server of pages, which asks nobody and takes 100 MB from each, is closed before the process says that it is
ready. Who begins and does not end the exchange of keys is cut off.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import tempfile
from collections.abc import Coroutine
from contextlib import suppress
from types import FrameType
from typing import Any

import dask

from dohyo.executors.pool_worker import follow, ignore_signals
from dohyo.guests.cluster.keys import dask_security
from dohyo.system import disk, interpreter, temporary

STATUS = "127.0.0.1:0"  # of the server of pages that Dask always starts, until we close it
HANDSHAKE = 10.0  # seconds for whoever connects to show the cluster's keys: strangers' connections do not stay
# Dask looks at itself a hundred times a second, which nobody here reads: an idle process took 2 % of a core for it.
QUIET = {"distributed.worker.profile.enabled": False, "distributed.admin.tick.interval": "1s"}
JOINING = "120s"  # for a scheduler to answer; afterwards the parent starts another worker


def main() -> None:
    """Run until the process has to end, for whatever reason."""
    role, parent, mark, here, *words = sys.argv[1:]
    folder = temporary.path_of("cluster", os.getpid(), mark)
    try:
        try:
            follow(int(parent))
            interpreter.enter(here)
            os.mkdir(folder, 0o700)
            os.environ["TMPDIR"] = tempfile.tempdir = folder  # for matches here as well: it is removed with the rest
            logging.disable(logging.ERROR)  # a worker that joins or leaves need not be reported
            dask.config.set({f"distributed.{role}.http.routes": [], **QUIET})  # no pages: they require no key
            asyncio.run(_until_told(scheduler(*words) if role == "scheduler" else worker(*words)))
        finally:
            ignore_signals()
    except KeyboardInterrupt:
        pass
    finally:
        disk.remove(folder)


async def _until_told(serving: Coroutine[Any, Any, None]) -> None:
    """Serve until a signal comes, then clean up; a second signal does not interrupt that."""
    task = asyncio.ensure_future(serving)
    loop = asyncio.get_running_loop()

    def end(number: int, frame: FrameType | None) -> None:
        ignore_signals()
        loop.call_soon_threadsafe(task.cancel)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, end)
    bound_handshakes()
    with suppress(asyncio.CancelledError):
        await task


def bound_handshakes() -> None:
    """Let nobody who has no keys keep a connection of this process for longer than `HANDSHAKE`.

    Dask waits for ever, so one stranger could take up all the descriptors that a process may have.
    """
    from distributed.comm import tcp

    theirs: Any = tcp.TLSListener._prepare_stream

    async def prepare(self: Any, stream: Any, address: Any) -> Any:
        try:
            async with asyncio.timeout(HANDSHAKE):
                return await theirs(self, stream, address)
        except TimeoutError:
            stream.close()
            return None

    tcp.TLSListener._prepare_stream = prepare  # type: ignore[method-assign]


async def scheduler(host: str, port: str, keys: str) -> None:
    """Dask's scheduler."""
    from distributed import Scheduler

    settings: dict[str, Any] = {"host": host or None, "port": int(port), "dashboard_address": STATUS}
    settings |= {"security": dask_security(keys or None), "protocol": "tls" if keys else "tcp"}
    try:
        running = await Scheduler(**settings, dashboard=False, allowed_failures=0)
    except (OSError, RuntimeError):  # it cannot listen there; the parent sees that no address came
        return
    async with running:
        running.http_server.stop()
        print(running.address, flush=True)
        await running.finished()


async def worker(address: str, name: str, cores: str, host: str, keys: str) -> None:
    """A Dask worker. A match that it plays when it has to end is given up."""
    from distributed import Worker

    from dohyo.executors.scheduling import pin_to
    from dohyo.executors.version import version
    from dohyo.guests.cluster import dask_tasks

    pin_to([int(core) for core in cores.split(",") if core])
    version()  # of the code that is imported now, not of what the files hold later
    settings: dict[str, Any] = {"nthreads": 1, "name": name, "memory_limit": 0, "host": host or None}
    settings |= {"dashboard_address": STATUS, "death_timeout": JOINING, "security": dask_security(keys or None)}
    async with Worker(address, **settings, dashboard=False) as running:
        running.http_server.stop()
        print("joined", flush=True)
        try:
            await running.finished()
        finally:
            dask_tasks.close()


if __name__ == "__main__":
    main()
