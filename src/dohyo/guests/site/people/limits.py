"""How often something may be tried: passwords, new accounts, hand-ins. A restart forgets nothing of it."""

from __future__ import annotations

from time import time

import msgspec
from sqlalchemy import Connection, delete, func, insert, select

from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.series.store.database import Database


class Limit(msgspec.Struct, frozen=True):
    """At most so many tries in so many seconds."""

    name: str
    most: int
    seconds: float


# A class of students sits behind one address: what counts by address is generous.
SIGN_IN = Limit("sign-in", 10, 600.0)  # one name from one address
SIGN_IN_FROM = Limit("sign-in-from", 300, 600.0)  # all names from one address
SIGN_UP_FROM = Limit("sign-up-from", 200, 3600.0)
HAND_IN = Limit("hand-in", 60, 3600.0)  # of one person
PASSWORD = Limit("password", 10, 600.0)  # one person's own, asked for before something that cannot be undone
EXPORT = Limit("export", 10, 3600.0)  # of one person
REQUEST = Limit("request", 30, 3600.0)  # of one person: matches that are asked for, analyses
PLAY = Limit("play", 30, 3600.0)  # of one person: matches that it begins to play
HINT = Limit("hint", 60, 3600.0)  # of one person
SOLVE = Limit("solve", 200, 600.0)  # of one person: what it asks of puzzles
SOLVE_FROM = Limit("solve-from", 2000, 600.0)  # of all visitors from one address
QUESTION = Limit("question", 20, 3600.0)  # of one person
WORD = Limit("word", 20, 3600.0)  # of a contest, said by one person
ALL = (
    QUESTION,
    SOLVE,
    SOLVE_FROM,
    SIGN_IN,
    SIGN_IN_FROM,
    SIGN_UP_FROM,
    HAND_IN,
    PASSWORD,
    EXPORT,
    REQUEST,
    WORD,
    PLAY,
    HINT,
)


def take(database: Database, limit: Limit, who: str) -> None:
    """Note one more try of `who`. Raises `OperatorError` if there were too many already; that try is not noted."""

    def act(connection: Connection) -> bool:
        at, what = tables.attempts.c.at, tables.attempts.c.what
        now, named = time(), f"{limit.name} {who}"
        connection.execute(delete(tables.attempts).where(what == named, at < now - limit.seconds))
        tried = connection.execute(select(func.count()).where(what == named)).scalar_one()
        if tried >= limit.most:
            return False
        connection.execute(insert(tables.attempts).values(what=named, at=now))
        return True

    if not database.write(act):
        raise OperatorError("serve-too-often", minutes=round(limit.seconds / 60))


def forgive(database: Database, limit: Limit, who: str) -> None:
    """Forget the tries of somebody who has shown to be the right one."""
    tried = delete(tables.attempts).where(tables.attempts.c.what == f"{limit.name} {who}")
    database.write(lambda connection: connection.execute(tried))


def sweep(database: Database) -> None:
    """Forget tries that count no more."""
    longest = max(limit.seconds for limit in ALL)
    database.write(
        lambda connection: connection.execute(delete(tables.attempts).where(tables.attempts.c.at < time() - longest))
    )
