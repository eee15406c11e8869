"""Executors play a contest's matches: they take orders and return reports.

Reports come in any order, each as soon as it is ready. An executor decides nothing and stores nothing. The order is
all that it knows about a match, so a match may be played anywhere, and played again if a worker was lost.
`messages.py` has the interface (`Executor`) and all values that travel, `one_match.py` plays an order, `choice.py`
chooses an executor. The executors are `in_process.py` (one match after another, in this process), `pool.py` with
`pool_worker.py` (local processes) and `cluster.py` (many machines, by Dask). For a cluster, `cluster_processes.py`
starts and watches its processes, `dask_process.py` is one of them, `dask_tasks.py` is what they do for a contest,
`cluster_keys.py` says who may use it, and `version.py` which source must be the same everywhere. `scheduling.py`
says how many orders travel together and which cores a worker gets.
"""

from dohyo.executors.messages import Executor, MatchOrder, MatchReport

__all__ = ["Executor", "MatchOrder", "MatchReport"]
