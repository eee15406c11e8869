"""Where a contest's matches are played: by processes of this machine, or elsewhere, if the operator says so."""

from __future__ import annotations

from collections.abc import Callable

from dohyo.bots import Bot
from dohyo.executors.messages import Executor

Archives = Callable[[Bot], bytes]
"""What the author of a bot handed in, as `dohyo.bots.archive.pack` packs it."""

Elsewhere = Callable[[Archives, str | None], Executor]
"""An executor of other machines, made of what packs bots, which they build themselves, and of the interpreter for
bots in Python. Raises `OperatorError` if they cannot be reached.
"""


def elsewhere(address: str | None, keys: str | None, plain_tcp: bool) -> Elsewhere | None:
    """Where else matches are played, by the words for a cluster; none if there are none.

    Raises `OperatorError` for words that do not fit, or where no guest plays on a cluster.
    """
    from dohyo import doors
    from dohyo.core.errors import OperatorError

    if address is not None:
        place: Elsewhere = doors.load(doors.find("executors", "cluster"))(address, keys, plain_tcp)
        return place
    if keys is not None or plain_tcp:
        raise OperatorError("cluster-words-alone")
    return None


def executor_for(
    workers: int | None, place: Elsewhere | None, archive_of: Archives, python: str | None = None
) -> Executor:
    """A pool with the given number of workers (none: one for each core), or what plays elsewhere."""
    if place is None:
        from dohyo.executors.pool import Pool

        return Pool(workers)
    return place(archive_of, python)
