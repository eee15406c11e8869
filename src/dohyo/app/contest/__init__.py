"""A contest from its file to its table: ask the format, play, append; stopped at any moment, it goes on from there.

    spec.py       what a contest is begun with, and in what two of them differ
    asking.py     from a TOML file or the command line to what is asked for
    field.py      who takes part: bots become entrants, their archives go into the store
    changes.py    bots that join, pause, go on and leave while it runs
    orders.py     from a match of the schedule to an order for an executor, and from a report to a result
    appending.py  results into the store as they come
    loop.py       the loop itself
    opening.py    all of it put together: begin a contest, or go on with it
    table.py      the standing, with ratings and faults
    extent.py     how many matches there are in all
    publishing.py ratings written down while it runs
    drawing.py    brackets and hills, from what the store has
    looking.py    a contest to look at, whoever runs it
    export.py     matches as CSV, JSON or headers

Theory of operation
-------------------
The store is the truth. Whatever the loop knows it has read there, or writes there before it goes on: the format takes
in whole batches of stored results, and so a contest that was killed is at the same point after a new start. A batch
is drawn from the entrants of one moment; that it is stored together with their number is checked in the transaction
that stores it. A match is played in the state that the store had when its batch began (folders that bots keep), so
what comes of it does not depend on who else plays at the same time.
"""
