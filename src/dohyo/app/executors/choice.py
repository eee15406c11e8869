"""Which executor a contest gets: local processes, or a cluster where one is named."""

from __future__ import annotations

from collections.abc import Callable

from dohyo.app.executors.cluster_keys import ClusterAccess
from dohyo.app.executors.messages import Executor
from dohyo.bots import Bot


def executor_for(
    workers: int | None, cluster: ClusterAccess | None, archive_of: Callable[[Bot], bytes], python: str | None = None
) -> Executor:
    """A pool of so many workers (none: one a core), or this cluster.

    `archive_of` gives what the author of a bot handed in, as `dohyo.bots.archive.pack` packs it; `python` is the
    interpreter for bots in Python. Both are for a cluster alone, whose machines build bots themselves.
    Raises `OperatorError` where the cluster cannot be used.
    """
    if cluster is None:
        from dohyo.app.executors.pool import Pool

        return Pool(workers)
    from dohyo.app.executors.cluster import Cluster

    return Cluster(cluster, archive_of, python)
