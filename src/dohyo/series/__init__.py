"""Series of matches. Above all a contest, from its file to its standings: ask the format, play, store.

    formats/      who plays whom next, one file each
    ratings/      who is better, and how sure that is
    store/        bots, contests and results, kept
    exports/      the matches as other programs read them
    compare.py    whether a bot improved: the series that `formats/comparison.py` ends; `compare_folder.py` keeps it

A contest can be stopped at any moment and resumed:

    request.py    what the operator asks for, from a TOML file or the command line
    spec.py       the terms that a contest is begun with, and how two sets of terms differ
    session.py    joins the others: begin a contest, go on with it, or only look at it
    roster.py     who takes part: bots become entrants, their archives go into the store; who joins, pauses and leaves
    loop.py       the loop itself: one batch after the other
    results.py    from a match to an order for an executor, from its report to a result and ratings in the store
    standings.py  places, with ratings and faults; how many matches there are in all
    rulings.py    what the operator decides about results later (which result counts: `core/rulings_in_force.py`)

Theory of operation
-------------------
The store decides what has happened. All that the loop knows was read from the store, or is written there before the
loop goes on. The format receives whole batches of stored results, so a contest that was killed resumes at the same
point. A batch is drawn from the entrants at one moment; the transaction that stores the batch checks that their
number is still the same. The files that bots keep are, in every match, those that the store had when the match's
batch began: so the result of a match does not depend on the matches that are played at the same time.
"""
