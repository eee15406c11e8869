"""Who plays a contest's matches: a small port, and its forms.

    here.py   in this process, one match after the other
    pool.py   in local processes, one match at a time in each, each on its share of the cores

An executor takes orders and gives reports, in any order, each as soon as it is there. What it knows of a match is the
order alone, so that it may be played anywhere, and again where a worker was lost. `orders.py` has what travels,
`playing.py` makes a report of an order, `chunks.py` says how many orders travel together. None of them writes
anything down: what came of a match is lost unless the caller keeps it.
"""

from dohyo.app.executors.orders import Executor, MatchOrder, MatchReport

__all__ = ["Executor", "MatchOrder", "MatchReport"]
