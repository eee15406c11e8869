"""Who plays a contest's matches: the executors, which take orders and give reports.

Reports come in any order, each as soon as it is there. An executor decides nothing and writes nothing down. All that
it knows of a match is the order, so a match may be played anywhere, and again where a worker was lost. `messages.py`
has the interface (`Executor`) and all that travels, `one_match.py` plays an order, `choice.py` chooses an executor.
The executors are `in_process.py` (one match after another, here), `pool.py` with `pool_worker.py` (local processes)
and `cluster.py` (many machines, by Dask). On a cluster `cluster_processes.py` starts and watches its processes,
`dask_process.py` is one of them, `dask_tasks.py` is what they do for a contest, `cluster_keys.py` says who may use
it, and `version.py` which source must be the same everywhere. `scheduling.py` says how many orders travel together
and which cores a worker gets.
"""

from dohyo.app.executors.messages import Executor, MatchOrder, MatchReport

__all__ = ["Executor", "MatchOrder", "MatchReport"]
