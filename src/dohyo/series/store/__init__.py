"""The store: bots, contests and results in a database, replays and archives as files. Append-only.

    store.py            what one does with a store: every method; the other files are its parts
    memory.py           the same for a series that is not kept: no database, no files
    records.py          the values that go in and out, beside those of `core/contest.py`
    address.py          which store is meant, by a path or a URL; files_folder.py: where its files are
    opening.py          whether it is ours; making its tables
    tables.py           the tables; columns.py: what is looked at when a row is read
    sqlite_tables.py    whether a file of SQLite holds our tables and nothing else, in bounded steps
    postgres_tables.py  whether PostgreSQL's tables are as we make them
    database.py         transactions, repeated where a connection breaks; errors.py: its errors as sentences
    lease.py            one writer a contest
    contests.py         contests, versions of bots, who takes part
    matches.py          the schedule, and results, each once; tallies.py: what is counted with them
    streams.py          schedule and results in pieces; lookups.py: what is read in one go
    files.py            replays and archives, by their content
    removals.py         which of them were removed on purpose
    kept_rulings.py     what operators decided about results, kept and made to count
    verify.py           whether a store holds what was written

Theory of operation
-------------------
`open_store` gives a `Store`: a database (SQLite, or PostgreSQL by URL) and content-addressed files beside it.

*Exactly once.* A result belongs to one match of the contest's schedule. It is inserted once or not at all, in one
transaction with all that follows from it: its seats, the kept folders, the running tallies. Inserting it again, after
a crash or because two workers played it, changes nothing; the first one counts.

*Every write may be repeated.* Therefore, if the connection is lost, even during a commit, the same is simply done
again. A write that is not naturally repeatable (a failed attempt) has a unique name that makes it so.

*One writer for each contest.* A lease is a lock that ends with its process, and a number in the contest's row that
grows with each lease. Every transaction of a contest first locks that row and compares the number: a process that has
lost its lease without noticing cannot write.

*Tallies.* The counts that standings need, by entrant and seat and by pair, are updated in the transaction that
inserts a result; so printing a table does not have to count a million rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dohyo.series.store.files import Files
    from dohyo.series.store.store import Store, open_store

__all__ = ["Files", "Store", "open_store"]


if not TYPE_CHECKING:  # who checks types sees the names above, and finds a misspelt one

    def __getattr__(name):
        """What is asked for; imported now: a database's library takes long, and a series in memory needs none."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from dohyo.series.store import files, store

        return getattr(files if name == "Files" else store, name)
