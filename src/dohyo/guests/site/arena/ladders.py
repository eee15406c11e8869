"""The ladders of a site: each is a contest of the format `ladder` in its store, which begins with sample bots."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from time import time
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, or_, select, true, update

from dohyo import clean, games
from dohyo.core.errors import OperatorError
from dohyo.core.game import Information
from dohyo.guests.site import tables
from dohyo.guests.site.arena.house import house
from dohyo.guests.site.arena.terms import Played, Terms, read_terms, write_terms
from dohyo.guests.site.people.accounts import Person, key_of
from dohyo.guests.site.people.audit import audit
from dohyo.guests.site.tables import inserted
from dohyo.series.store.database import Database

LONGEST_TITLE = 60
MAX_LADDERS = 100  # of one game
UNTIL_OVER = 1 << 30  # turns: more than a match has


class Ladder(msgspec.Struct, frozen=True):
    """A ladder: `slug` is its name in addresses and in the store, `trouble` why it is not played.

    From the moment `frozen` on what was reached later is hidden, until it is `revealed`; `arena/sight.py` says from
    whom. A `retired` one is kept and can be read, and is not played. It is for the class `group` alone, by its
    number; none: for everybody. With `pseudonyms` 1, authors' names are for themselves and organisers. With `distant`
    1, bots that stay at home play in it, too. A contest has `terms`; what is `played` is known of a ladder, too.
    """

    id: int
    slug: str
    title: str
    game: str
    trouble: str = ""
    frozen: float | None = None
    revealed: float | None = None
    retired: float | None = None
    group: int | None = None
    pseudonyms: int = 0
    distant: int = 0
    played: Played = Played()

    @property
    def terms(self) -> Terms | None:
        """What was said of a contest; none of a ladder."""
        return self.played if isinstance(self.played, Terms) else None

    @property
    def delay(self) -> int:
        """How many turns later than it is played a match is shown.

        A bot that stays at home could watch what the other seat has, so a game with secrets is shown once it is over.
        """
        if self.terms is not None:
            return self.terms.delay
        is_secret = self.distant and games.find(self.game).information is Information.IMPERFECT
        return UNTIL_OVER if is_secret else 0

    @property
    def series(self) -> str:
        """What the files of its live matches begin with, see `dohyo.executors.told`."""
        return f"ladder-{self.id}"

    def takes_hand_ins(self, now: float) -> bool:
        """Whether anybody may hand in at this moment: a contest while it is open, a ladder always."""
        return self.retired is None and (self.terms is None or self.terms.phase(now) == "open")

    def may_be_left(self, now: float) -> bool:
        """Whether a bot may leave at this moment: who takes part in a contest that has begun stays."""
        return self.terms is None or self.terms.phase(now) not in ("playing", "over")

    def is_frozen(self, now: float) -> bool:
        """Whether results are hidden at this moment."""
        if self.frozen is None or now < self.frozen:
            return False
        return self.revealed is None or self.revealed < self.frozen


def make(
    database: Database,
    by: Person,
    game: str,
    title: str = "",
    group: int | None = None,
    played: Played | None = None,
) -> Ladder:
    """Make a ladder of a game, a contest if what is `played` has a contest's terms.

    The names of its sample bots are nobody else's from then on. Without a title it has the game's, with a number
    where that is taken. Raises `OperatorError` for an unknown game, for a title that cannot be shown or is another
    one's, and for a class that is gone.
    """
    found = games.find(game)
    wanted = shown_title(title) or found.title
    first = re.sub(r"[^a-z0-9]+", "-", found.name.lower()).strip("-") or "ladder"

    now = time()

    def act(connection: Connection) -> Ladder:
        ladders = tables.ladders
        same = select(ladders).where(
            ladders.c.by == by.id, ladders.c.since == now, ladders.c.title.startswith(wanted, autoescape=True)
        )
        if (known := connection.execute(same).mappings().first()) is not None:
            return of_row(known)  # the connection broke after it was made, and it is asked for again
        taken = {*connection.execute(select(ladders.c.slug).where(ladders.c.game == found.name)).scalars()}
        if len(taken) >= MAX_LADDERS:
            raise OperatorError("serve-ladders-many", game=found.title)
        slugs = (first, *(f"{first}-{number}" for number in range(2, MAX_LADDERS + 2)))
        slug = next(slug for slug in slugs if slug not in taken)
        _title_of(connection, group)
        told = wanted if wanted != found.title else _numbered(connection, wanted)
        _check_title(connection, told)
        row = {"slug": slug, "title": told, "game": found.name, "by": by.id, "since": now, "trouble": ""}
        if group is not None:
            row["group"] = group
        if played is not None and (stored := write_terms(played)) is not None:
            row["terms"] = stored
        made = inserted(connection, ladders, row)
        for name in house(found.name):
            own = {"ladder": made, "person": by.id, "name": name, "key": key_of(name), "house": 1}
            inserted(connection, tables.bots, own)
        audit(connection, by, "contest" if isinstance(played, Terms) else "ladder", {"ladder": slug, "title": told})
        return Ladder(made, slug, told, found.name, group=group, played=played or Played())

    return database.write(act)


def every(database: Database) -> list[Ladder]:
    """Every ladder, the oldest first, whoever it is for: for the judge."""
    asked = select(tables.ladders).order_by(tables.ladders.c.id)
    return [of_row(row) for row in database.read(lambda connection: connection.execute(asked).mappings().all())]


def all_of(database: Database, person: Person | None) -> list[Ladder]:
    """Every ladder that is there for this person (none: a visitor), the oldest first."""
    asked = select(tables.ladders).where(is_for(person)).order_by(tables.ladders.c.id)
    return [of_row(row) for row in database.read(lambda connection: connection.execute(asked).mappings().all())]


def find(database: Database, slug: str, person: Person | None) -> Ladder | None:
    """The ladder of this name in addresses; none if there is none for this person (none: a visitor)."""
    asked = select(tables.ladders).where(tables.ladders.c.slug == slug, is_for(person))
    row = database.read(lambda connection: connection.execute(asked).mappings().first())
    return None if row is None else of_row(row)


def as_now(database: Database, ladder: Ladder) -> Ladder | None:
    """The ladder as it is at this moment, whoever it is for: for the judge; none if it is gone."""
    asked = select(tables.ladders).where(tables.ladders.c.id == ladder.id)
    row = database.read(lambda connection: connection.execute(asked).mappings().first())
    return None if row is None else of_row(row)


def is_for(person: Person | None) -> ColumnElement[bool]:
    """Whether a row of the table of ladders is there for somebody: one for a class alone is not for others."""
    group, students = tables.ladders.c.group, tables.students
    if person is None:
        return group.is_(None)
    if person.is_organiser:
        return true()
    return or_(group.is_(None), group.in_(select(students.c.group).where(students.c.person == person.id)))


def give_to(database: Database, by: Person, ladder: Ladder, group: int | None) -> None:
    """Let a ladder be for a class alone, or for everybody again. Raises `OperatorError` for a class that is gone."""

    def act(connection: Connection) -> None:
        title = _title_of(connection, group)
        connection.execute(update(tables.ladders).where(tables.ladders.c.id == ladder.id).values(group=group))
        what = "ladder-everybody" if group is None else "ladder-class"
        audit(connection, by, what, {"ladder": ladder.slug, "class": title})

    database.write(act)


def hide_authors(database: Database, by: Person, ladder: Ladder, *, hidden: bool) -> None:
    """Show pseudonyms instead of authors' names, or the names again."""

    def act(connection: Connection) -> None:
        values = {"pseudonyms": int(hidden)}
        connection.execute(update(tables.ladders).where(tables.ladders.c.id == ladder.id).values(values))
        audit(connection, by, "pseudonyms" if hidden else "no-pseudonyms", {"ladder": ladder.slug})

    database.write(act)


def take_distant(database: Database, by: Person, ladder: Ladder, *, taken: bool) -> None:
    """Let bots that stay at home play in a ladder, or no more of them."""

    def act(connection: Connection) -> None:
        values = {"distant": int(taken and ladder.terms is None)}
        connection.execute(update(tables.ladders).where(tables.ladders.c.id == ladder.id).values(values))
        audit(connection, by, "distant" if taken else "no-distant", {"ladder": ladder.slug})

    database.write(act)


def _title_of(connection: Connection, group: int | None) -> str:
    """The title of a class, empty for none. Raises `OperatorError` where it is gone."""
    if group is None:
        return ""
    title = connection.execute(select(tables.groups.c.title).where(tables.groups.c.id == group)).scalar()
    if title is None:
        raise OperatorError("serve-class-gone")
    return str(title)


def _titles(connection: Connection, but: int | None = None) -> set[str]:
    """The titles of all that is not retired, `but` one, as they are compared."""
    of = tables.ladders.c
    asked = select(of.title).where(of.retired.is_(None), of.id != (-1 if but is None else but))
    return {key_of(title) for title in connection.execute(asked).scalars()}


def _numbered(connection: Connection, title: str) -> str:
    """A title that nobody has: this one, or with the next number that is free."""
    taken = _titles(connection)
    several = (title, *(f"{title} {number}" for number in range(2, len(taken) + 3)))
    return next(each for each in several if key_of(each) not in taken)


def _check_title(connection: Connection, title: str, but: int | None = None) -> None:
    """Raise `OperatorError` for a title that a ladder or a contest has, `but` one: nobody could tell them apart."""
    if key_of(title) in _titles(connection, but):
        raise OperatorError("serve-title-taken", title=title)


def note_trouble(database: Database, ladder: Ladder, trouble: str) -> None:
    """Note why a ladder is not played; empty if it is again."""
    ladders = tables.ladders
    told = clean.line(trouble, 500)
    database.write(
        lambda connection: connection.execute(
            update(ladders).where(ladders.c.id == ladder.id, ladders.c.trouble != told).values(trouble=told)
        )
    )


def change(
    database: Database, by: Person, ladder: Ladder, what: str, decide: Callable[[Ladder], Mapping[str, Any]]
) -> None:
    """Change columns of a ladder, to what is decided by its row as it is now; `what` says the log.

    Raises `OperatorError` where it would have another one's title.
    """
    ladders, now = tables.ladders, time()

    def act(connection: Connection) -> None:
        row = connection.execute(select(ladders).where(ladders.c.id == ladder.id)).mappings().one()
        values = dict(decide(of_row(row)))
        if "title" in values or values.get("retired", now) is None:
            _check_title(connection, values.get("title", row["title"]), ladder.id)
        if isinstance(values.get("terms"), Terms):
            values["terms"] = write_terms(values["terms"])
        connection.execute(update(ladders).where(ladders.c.id == ladder.id).values(values))
        audit(connection, by, what, {"ladder": ladder.slug, "title": values.get("title", ladder.title)})

    database.write(act)


def shown_title(title: str) -> str:
    """A title as it is shown; empty for one without letters. Raises `OperatorError` for a long one."""
    told = " ".join(clean.line(title, LONGEST_TITLE + 1).split())
    if len(told) > LONGEST_TITLE:
        raise OperatorError("serve-title-long", most=LONGEST_TITLE)
    return told


def freeze(database: Database, by: Person, ladder: Ladder, at: float | None) -> None:
    """Hide from moment `at` on what is reached later; none takes a freeze back, or reveals everything."""
    ladders = tables.ladders
    now = time()

    def act(connection: Connection) -> None:
        row = connection.execute(select(ladders).where(ladders.c.id == ladder.id)).mappings().one()
        if at is None:
            is_on = of_row(row).is_frozen(now)
            values: dict[str, float | None] = {"revealed": now} if is_on else {"frozen": None, "revealed": None}
            audit(connection, by, "reveal" if is_on else "no-freeze", {"ladder": ladder.slug})
        else:
            values = {"frozen": at, "revealed": None}
            told = datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC")
            audit(connection, by, "freeze" if at <= now else "freeze-later", {"ladder": ladder.slug, "at": told})
        connection.execute(update(ladders).where(ladders.c.id == ladder.id).values(values))

    database.write(act)


NAMES = tuple("terms" if name == "played" else name for name in Ladder.__struct_fields__)  # of columns


def of_row(row: Any, prefix: str = "") -> Ladder:
    """The ladder of a row, whose columns have names that begin with the `prefix`."""
    found = {name: row[prefix + name] for name in NAMES}
    return Ladder(played=read_terms(found.pop("terms")), **found)
