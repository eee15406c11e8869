"""Which executor a contest gets: local processes, or a cluster if one is named."""

from __future__ import annotations

from collections.abc import Callable

from dohyo.app.executors.cluster_keys import ClusterAccess
from dohyo.app.executors.messages import Executor
from dohyo.bots import Bot


def executor_for(
    workers: int | None, cluster: ClusterAccess | None, archive_of: Callable[[Bot], bytes], python: str | None = None
) -> Executor:
    """A pool with the given number of workers (none: one for each core), or this cluster.

    `archive_of` gives what the author of a bot handed in, as `dohyo.bots.archive.pack` packs it; `python` is the
    interpreter for bots in Python. Only a cluster needs both, because its machines build the bots themselves.
    Raises `OperatorError` if the cluster cannot be used.
    """
    if cluster is None:
        from dohyo.app.executors.pool import Pool

        return Pool(workers)
    from dohyo.app.executors.cluster import Cluster

    return Cluster(cluster, archive_of, python)
