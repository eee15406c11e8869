"""A process of a cluster: Dask's scheduler, or a Dask worker with one thread on its share of the cores.

    python -m dohyo.run.executors.dask_process scheduler PARENT HOST PORT
    python -m dohyo.run.executors.dask_process worker PARENT ADDRESS NAME CORES FOLDER HOST

It writes one line when it is there: the scheduler its address, a worker that it has joined. It ends when it is told
to, when PARENT does, and a worker when its scheduler does.

The scheduler makes no attempts of its own after a worker has died: which match it died of, the contest finds out.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import signal
import sys
from collections.abc import Awaitable
from contextlib import suppress
from typing import Any

from dohyo.run.executors.worker import follow

STATUS = "127.0.0.1:0"  # of a page that Dask always serves; nobody else is to see it
JOINING = "120s"  # for a scheduler to answer; then whoever started this starts another


def main() -> None:
    """Run until the end, whatever it is."""
    role, parent, *words = sys.argv[1:]
    follow(int(parent))
    logging.disable(logging.ERROR)  # a worker that comes or goes is nothing to tell of
    asyncio.run(_until_told(scheduler(*words) if role == "scheduler" else worker(*words)))


async def _until_told(serving: Awaitable[None]) -> None:
    """Serve until a signal comes, then tidy up, undisturbed by a second one."""
    task = asyncio.ensure_future(serving)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, _end, task)
    with suppress(asyncio.CancelledError):
        await task


def _end(task: asyncio.Future[None]) -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, lambda: None)
    task.cancel()


async def scheduler(host: str, port: str) -> None:
    """Dask's scheduler."""
    from distributed import Scheduler

    settings: dict[str, Any] = {"host": host or None, "port": int(port), "dashboard_address": STATUS}
    async with Scheduler(**settings, dashboard=False, allowed_failures=0) as running:
        print(running.address, flush=True)
        await running.finished()


async def worker(address: str, name: str, cores: str, folder: str, host: str) -> None:
    """A Dask worker. What it plays when it has to end is given up."""
    from distributed import Worker

    from dohyo.run.executors import remote
    from dohyo.run.executors.shares import stay_on

    stay_on([int(core) for core in cores.split(",") if core])
    os.makedirs(folder, mode=0o700, exist_ok=True)
    settings: dict[str, Any] = {"nthreads": 1, "name": name, "local_directory": folder, "memory_limit": 0}
    settings |= {"host": host or None, "dashboard_address": STATUS, "death_timeout": JOINING}
    try:
        async with Worker(address, **settings, dashboard=False) as running:
            print("joined", flush=True)
            try:
                await running.finished()
            finally:
                remote.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
