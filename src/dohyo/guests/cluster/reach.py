"""A cluster as the place where a contest's matches are played: from the operator's words to an executor."""

from __future__ import annotations

from dohyo.executors.choice import Archives, Elsewhere
from dohyo.executors.messages import Executor
from dohyo.guests.cluster.keys import cluster_access


def reach(address: str, keys: str | None, plain_tcp: bool) -> Elsewhere:
    """The cluster at this address. Raises `OperatorError` if it is no address, or its keys do not fit."""
    access = cluster_access(address, keys, plain_tcp)

    def make(archive_of: Archives, python: str | None) -> Executor:
        from dohyo.guests.cluster.executor import Cluster

        return Cluster(access, archive_of, python)

    return make
