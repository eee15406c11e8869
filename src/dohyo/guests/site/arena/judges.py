"""The judges of a site, of which there may be several, on several machines: who lives, and who plays which ladder.

A judge says from time to time that it is there. Who has not done so for a while is lost: what it had begun with is
another one's then. Each ladder is played by one judge, which all work out alike from who is there; a judge that comes
or goes moves as few ladders as possible.
"""

from __future__ import annotations

from time import time
from zlib import crc32

from sqlalchemy import Connection, delete, insert, select, text, update

from dohyo.guests.site import tables
from dohyo.series.store.database import Database

LOST = 60.0  # seconds of silence after which a judge is no more
FORGOTTEN = 7 * 86_400.0  # seconds after which its row goes


def moment(connection: Connection) -> float:
    """The time by the one clock that all judges share."""
    if connection.dialect.name == "postgresql":
        return float(connection.execute(text("SELECT extract(epoch FROM clock_timestamp())")).scalar_one())
    return time()


def tell(database: Database, name: str, host: str) -> None:
    """Say that this judge is there."""
    judges = tables.judges

    def act(connection: Connection) -> None:
        now = moment(connection)
        known = connection.execute(update(judges).where(judges.c.name == name).values(seen=now, host=host))
        if known.rowcount == 0:
            connection.execute(insert(judges).values(name=name, host=host, seen=now))
            connection.execute(delete(judges).where(judges.c.seen < now - FORGOTTEN))

    database.write(act)


def leave(database: Database, name: str) -> None:
    """Say that this judge is there no more: the others need not wait for it."""
    database.write(lambda connection: connection.execute(delete(tables.judges).where(tables.judges.c.name == name)))


def living(database: Database) -> list[tuple[str, str]]:
    """The judges that are there, each with its host, by their names."""
    judges = tables.judges

    def ask(connection: Connection) -> list[tuple[str, str]]:
        asked = select(judges.c.name, judges.c.host).where(judges.c.seen > moment(connection) - LOST)
        return [(name, host) for name, host in connection.execute(asked.order_by(judges.c.name)).all()]

    return database.read(ask)


def player_of(ladder: int, names: list[str]) -> str | None:
    """Which of these judges plays a ladder; none if there are none."""
    return max(names, key=lambda name: crc32(f"{name} {ladder}".encode()), default=None)
