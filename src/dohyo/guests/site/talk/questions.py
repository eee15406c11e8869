"""Questions at a ladder: an author asks the organisers alone; they answer him alone, or everybody."""

from __future__ import annotations

from time import time
from typing import Any

import msgspec
from sqlalchemy import Connection, func, or_, select, update

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.arena.ladders import Ladder, is_for
from dohyo.guests.site.people import limits
from dohyo.guests.site.people.accounts import Person
from dohyo.guests.site.people.audit import audit
from dohyo.guests.site.tables import inserted
from dohyo.series.store.database import Database

LONGEST = 2000  # characters
SHOWN = 100
MAX_OPEN = 10  # questions of one person at a ladder that wait: others' must not be hidden behind them


class Question(msgspec.Struct, frozen=True):
    """A question: `author` is empty for who may not know it. `answered` is none before there is an answer."""

    id: int
    text: str
    at: float
    author: str
    is_own: bool
    answer: str
    answered: float | None
    public: bool


def ask(database: Database, person: Person, ladder: Ladder, text: str) -> None:
    """Ask the organisers. Raises `OperatorError` for an empty or a long text, and where too many wait."""
    told = clean.block(text).strip()
    if not told or len(told) > LONGEST:
        raise OperatorError("serve-text-long", most=LONGEST)
    limits.take(database, limits.QUESTION, str(person.id))
    row = {"ladder": ladder.id, "person": person.id, "text": told, "at": time(), "answer": "", "public": 0}

    def act(connection: Connection) -> None:
        of = tables.questions.c
        mine = of.ladder == ladder.id, of.person == person.id, of.answered.is_(None)
        if connection.execute(select(func.count()).where(*mine)).scalar_one() >= MAX_OPEN:
            raise OperatorError("serve-questions-wait", most=MAX_OPEN)
        inserted(connection, tables.questions, row)

    database.write(act)


def answer(database: Database, by: Person, ladder: Ladder, number: int, text: str, *, public: bool) -> bool:
    """Answer a question, or answer it anew; whether there is such a question. Raises `OperatorError` as `ask`."""
    told = clean.block(text).strip()
    if not told or len(told) > LONGEST:
        raise OperatorError("serve-text-long", most=LONGEST)

    def act(connection: Connection) -> bool:
        questions = tables.questions
        changed = connection.execute(
            update(questions)
            .where(questions.c.id == number, questions.c.ladder == ladder.id)
            .values(answer=told, answered=time(), public=int(public), read=None)
        )
        if changed.rowcount:
            about = {"ladder": ladder.slug, "text": " ".join(told.split())[:80]}
            audit(connection, by, "answer-all" if public else "answer", about)
        return bool(changed.rowcount)

    return database.write(act)


def shown(database: Database, person: Person | None, ladder: Ladder) -> list[Question]:
    """The questions that this person may read, the newest first: his own, and those that were answered to all.

    An organiser reads all, those without an answer first.
    """
    questions, people = tables.questions, tables.people
    own = [questions.c[name] for name in ("id", "person", "text", "at", "answer", "answered", "public")]
    joined = questions.join(people, questions.c.person == people.c.id)
    asked = select(*own, people.c.name.label("author")).select_from(joined).where(questions.c.ladder == ladder.id)
    is_organiser = person is not None and person.is_organiser
    if not is_organiser:
        number = -1 if person is None else person.id
        asked = asked.where(or_(questions.c.public == 1, questions.c.person == number))
    asked = asked.order_by(questions.c.answered.is_not(None), questions.c.id.desc()).limit(SHOWN)
    rows: Any = database.read(lambda connection: connection.execute(asked).mappings().all())
    return [
        Question(
            **{name: row[name] for name in ("id", "text", "at", "answer", "answered")},
            author=row["author"] if is_organiser else "",
            is_own=person is not None and row["person"] == person.id,
            public=bool(row["public"]),
        )
        for row in rows
    ]


class Waiting(msgspec.Struct, frozen=True):
    """What waits to be read: so many `answers` to one's own questions, or questions to be answered; the first one at
    the ladder `slug`.
    """

    slug: str
    count: int
    answers: bool


def waiting(database: Database, person: Person) -> Waiting | None:
    """What waits for somebody: questions for an organiser, answers not yet read for an author; none if nothing."""
    of, there = tables.questions.c, tables.ladders.c
    asked = select(there.slug).select_from(tables.questions.join(tables.ladders, of.ladder == there.id))
    asked = asked.where(is_for(person)).order_by(of.id).limit(SHOWN)
    if person.is_organiser:
        asked = asked.where(of.answered.is_(None), there.retired.is_(None))
    else:
        asked = asked.where(of.person == person.id, of.answered.is_not(None), of.read.is_(None))
    slugs = database.read(lambda connection: connection.execute(asked).scalars().all())
    return Waiting(slugs[0], len(slugs), not person.is_organiser) if slugs else None


def note_read(database: Database, person: Person, ladder: Ladder) -> None:
    """Note that somebody has read the answers to the own questions at a ladder."""
    of = tables.questions.c
    mine = of.person == person.id, of.ladder == ladder.id, of.answered.is_not(None), of.read.is_(None)
    done = update(tables.questions).where(*mine).values(read=time())
    if database.read(lambda connection: connection.execute(select(of.id).where(*mine).limit(1)).first()) is not None:
        database.write(lambda connection: connection.execute(done))


def count_open(database: Database, ladder: Ladder) -> int:
    """How many questions wait for an answer."""
    questions = tables.questions
    asked = select(func.count()).where(questions.c.ladder == ladder.id, questions.c.answered.is_(None))
    return int(database.read(lambda connection: connection.execute(asked).scalar_one()))
