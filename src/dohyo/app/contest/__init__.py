"""A contest from its file to its standings: ask the format, play, store. Stopped at any moment, it goes on later.

    request.py    what the operator asks for, from a TOML file or the command line
    spec.py       what a contest is begun with, and in what two of them differ
    session.py    all of it put together: begin a contest, go on with it, or only look at it
    roster.py     who takes part: bots become entrants, their archives go into the store; who joins, pauses and leaves
    names.py      what hand-ins are called, by a file of the operator's
    loop.py       the loop itself: a batch after the other
    results.py    from a match to an order for an executor, from its report to a result and ratings in the store
    standings.py  places, with ratings and faults; how many matches there are in all
    export.py     matches as CSV, JSON or headers
    verify.py     whether a store holds what was played

Theory of operation
-------------------
The store is the truth. Whatever the loop knows it has read there, or writes there before it goes on: the format takes
in whole batches of stored results, and so a contest that was killed is at the same point after a new start. A batch
is drawn from the entrants of one moment; that it is stored together with their number is checked in the transaction
that stores it. A match is played in the state that the store had when its batch began (folders that bots keep), so
what comes of it does not depend on who else plays at the same time.
"""
