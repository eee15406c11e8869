"""Executors play a contest's matches: they take orders and return reports.

Reports come in any order, each as soon as it is ready. An executor decides nothing and stores nothing. The order is
all that it knows about a match, so a match may be played anywhere, and played again if a worker was lost.
`messages.py` has the interface (`Executor`) and all values that travel, `one_match.py` plays an order, `choice.py`
chooses an executor. The executors are `in_process.py` (one match after another, in this process) and `pool.py` with
`pool_worker.py` (local processes); guests bring others, such as a cluster. `version.py` says which source must be the
same wherever matches are played, `scheduling.py` how many orders travel together and which cores a worker gets.
`refereed.py` has the kinds of programs of others that referee matches, which guests bring.
"""

from dohyo.executors.messages import Executor, MatchOrder, MatchReport

__all__ = ["Executor", "MatchOrder", "MatchReport"]
