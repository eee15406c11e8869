"""Matches that people have played against bots here: nobody's but theirs, beside all ratings."""

from __future__ import annotations

import json
from time import time

import msgspec
from sqlalchemy import Connection, delete, select

from dohyo.core.replay import Replay
from dohyo.guests.site import tables
from dohyo.guests.site.people import leaving
from dohyo.guests.site.people.accounts import Person
from dohyo.guests.site.tables import inserted
from dohyo.series.store.database import Database

MAX_KEPT = 100  # of a person; the oldest go


class Play(msgspec.Struct, frozen=True):
    """One match: who sat where, which seats were the person's, places (none: it was left), and the replay's file."""

    id: int
    person: int
    game: str
    seats: tuple[str, ...]
    mine: tuple[int, ...]
    places: tuple[int, ...]
    replay: str
    at: float


def record(database: Database, person: int, replay: Replay, mine: tuple[int, ...], digest: str) -> int:
    """Keep a match of a person; its number, 0 of somebody who is gone. The oldest go where there are many."""
    row = {
        "person": person,
        "game": replay.header.game,
        "seats": json.dumps([seat.name for seat in replay.header.seats]),
        "mine": json.dumps(mine),
        "places": json.dumps(replay.result.places),
        "replay": digest,
        "at": time(),
    }
    plays = tables.plays

    def act(connection: Connection) -> int:
        if leaving.has_left(connection, person):
            return 0
        number = inserted(connection, plays, row)
        old = select(plays.c.id).where(plays.c.person == person).order_by(plays.c.id.desc()).offset(MAX_KEPT)
        gone = connection.execute(old).scalars().all()
        if gone:
            connection.execute(delete(plays).where(plays.c.id.in_(gone)))
        return number

    return database.write(act)


def of_person(database: Database, person: Person, most: int = MAX_KEPT) -> list[Play]:
    """A person's matches, the newest first."""
    plays = tables.plays
    asked = select(plays).where(plays.c.person == person.id).order_by(plays.c.id.desc()).limit(most)
    rows = database.read(lambda connection: connection.execute(asked).mappings().all())
    return [
        Play(
            row["id"],
            row["person"],
            row["game"],
            tuple(json.loads(row["seats"])),
            tuple(json.loads(row["mine"])),
            tuple(json.loads(row["places"])),
            row["replay"],
            row["at"],
        )
        for row in rows
    ]


def find(database: Database, person: Person, number: int) -> Play | None:
    """A match of this person; none if there is none, or it is somebody else's."""
    return next((one for one in of_person(database, person) if one.id == number), None)


def remove(database: Database, person: Person, number: int) -> None:
    """Forget a match of a person."""
    plays = tables.plays
    gone = delete(plays).where(plays.c.id == number, plays.c.person == person.id)
    database.write(lambda connection: connection.execute(gone))
