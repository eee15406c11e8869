"""Contests: a ladder with terms. Who may hand in and when, and who plays at the start."""

from __future__ import annotations

from collections.abc import Mapping
from time import time

from sqlalchemy import Connection, delete, func, insert, select

from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.arena import ladders
from dohyo.guests.site.arena.contest_form import is_word
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.terms import Terms
from dohyo.guests.site.people import limits
from dohyo.guests.site.people.accounts import Person, key_of
from dohyo.guests.site.people.audit import audit
from dohyo.series.store.database import Database


def make(
    database: Database,
    by: Person,
    game: str,
    title: str,
    terms: Terms,
    listed: Mapping[str, str],
    group: int | None = None,
) -> Ladder:
    """Make a contest, with who is on its list. Raises `OperatorError` as `ladders.make` does."""
    made = ladders.make(database, by, game, title, group, terms)
    if listed:
        write_list(database, by, made, listed)
    return made


def write_list(database: Database, by: Person, ladder: Ladder, listed: Mapping[str, str]) -> None:
    """Let these people be on a contest's list, and nobody else."""
    entries = tables.entries

    def act(connection: Connection) -> None:
        connection.execute(delete(entries).where(entries.c.ladder == ladder.id))
        rows = [{"ladder": ladder.id, "key": key, "name": name} for key, name in listed.items()]
        if rows:
            connection.execute(insert(entries), rows)
        audit(connection, by, "list", {"ladder": ladder.slug, "count": len(rows)})

    database.write(act)


def listed(database: Database, ladder: Ladder) -> list[str]:
    """Who is on a contest's list, or has said its word."""
    entries = tables.entries
    asked = select(entries.c.name).where(entries.c.ladder == ladder.id).order_by(entries.c.key)
    return list(database.read(lambda connection: connection.execute(asked).scalars().all()))


def join(database: Database, ladder: Ladder, person: Person, word: str) -> None:
    """Let a person enter who knows the word. Raises `OperatorError` for another word, and after too many tries."""
    limits.take(database, limits.WORD, f"{ladder.id} {person.id}")
    if ladder.terms is None or not is_word(ladder.terms, word):
        raise OperatorError("serve-word-wrong")

    def act(connection: Connection) -> None:
        if not _is_listed(connection, ladder, person):
            row = {"ladder": ladder.id, "key": key_of(person.name), "name": person.name}
            connection.execute(insert(tables.entries).values(row))

    database.write(act)
    limits.forgive(database, limits.WORD, f"{ladder.id} {person.id}")


def may_enter(database: Database, ladder: Ladder, person: Person) -> bool:
    """Whether a person is among those who may hand in to a contest, at whatever time."""
    return database.read(lambda connection: _may_enter(connection, ladder, person))


def _may_enter(connection: Connection, ladder: Ladder, person: Person) -> bool:
    return ladder.terms is None or ladder.terms.entry == "all" or _is_listed(connection, ladder, person)


def _is_listed(connection: Connection, ladder: Ladder, person: Person) -> bool:
    entries = tables.entries
    asked = select(func.count()).where(entries.c.ladder == ladder.id, entries.c.key == key_of(person.name))
    return bool(connection.execute(asked).scalar_one())


def check_entry(connection: Connection, ladder: Ladder, person: Person) -> None:
    """Raise `OperatorError` where a person may not hand in now, by the row of the ladder as it is."""
    row = connection.execute(select(tables.ladders).where(tables.ladders.c.id == ladder.id)).mappings().one()
    now, own = time(), ladders.of_row(row)
    if own.retired is not None:
        raise OperatorError("serve-retired")
    if own.terms is None:
        return
    phase = own.terms.phase(now)
    if phase != "open":
        raise OperatorError("serve-not-open" if phase == "announced" else "serve-closed")
    if not _may_enter(connection, own, person):
        if own.terms.entry == "word":
            raise OperatorError("serve-word-needed", page=f"/ladders/{own.slug}#hand-in")
        raise OperatorError("serve-not-listed")


def most_bots(ladder: Ladder, usual: int) -> int:
    """How many bots one person may have."""
    return usual if ladder.terms is None else ladder.terms.each


# --- the judge's part


def unexamined(database: Database, ladder: Ladder) -> int:
    """How many hand-ins of a contest are still to be examined."""
    hand_ins, bots = tables.hand_ins, tables.bots
    asked = (
        select(func.count())
        .select_from(hand_ins.join(bots, hand_ins.c.bot == bots.c.id))
        .where(bots.c.ladder == ladder.id, hand_ins.c.state.in_(("waiting", "examined")))
    )
    return int(database.read(lambda connection: connection.execute(asked).scalar_one()))
