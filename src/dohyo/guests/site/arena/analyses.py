"""Why a match went as it did: authors ask, the judge analyses, and the author alone sees what was found."""

from __future__ import annotations

from collections.abc import Collection
from time import time
from typing import Any

import msgspec
from sqlalchemy import Connection, func, select, update

from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.arena.ladders import Ladder, of_row
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.arena.replays import MAX_REPLAY
from dohyo.guests.site.arena.sight import seen
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.people import accounts, limits
from dohyo.guests.site.people.accounts import Person
from dohyo.guests.site.tables import inserted
from dohyo.series.store.database import Database

MAX_WAITING = 3  # of a person
LATELY = 3600.0  # seconds in which what was asked for and done counts, when it is decided whose comes next
MAX_FOUND = 16 << 20  # bytes


class Analysis(msgspec.Struct, frozen=True):
    """An analysis that somebody asked for: of match `number` of a ladder, or of a request of that person's.

    `state` is waiting, done, none, or late: the time was over. `found` names the file with what the viewer shows,
    `note` is a sentence.
    """

    id: int
    person: int
    ladder: Ladder
    request: int
    match: int
    language: str
    state: str
    found: str
    note: str
    at: float = 0.0


def find(database: Database, person: Person, ladder: Ladder, request: int, match: int) -> Analysis | None:
    """The analysis of a match that this person asked for; none if there is none."""
    of = tables.analyses
    mine = of.c.person == person.id, of.c.ladder == ladder.id, of.c.request == request, of.c.match == match
    return _one(database, _asked().where(*mine))


def shown(site: SiteFolder, found: Analysis | None) -> list[dict[str, Any]]:
    """What the viewer shows of it; nothing where there is nothing."""
    if found is None or not found.found:
        return []
    told: list[dict[str, Any]] = msgspec.json.decode(site.files().get(found.found, MAX_FOUND))
    return told


def ask(database: Database, person: Person, ladder: Ladder, request: int, match: int, language: str) -> None:
    """Ask for the analysis of a match that this person may see; one that there is already stays, unless it was late.

    Raises `OperatorError` where too many wait.
    """
    known = find(database, person, ladder, request, match)
    if known is not None and known.state != "late":
        return
    limits.take(database, limits.REQUEST, str(person.id))
    row = {
        "person": person.id,
        "ladder": ladder.id,
        "request": request,
        "match": match,
        "language": language,
        "at": time(),
        "state": "waiting",
        "found": "",
        "note": "",
    }

    def act(connection: Connection) -> None:
        of = tables.analyses
        mine = select(func.count()).where(of.c.person == person.id)
        if connection.execute(mine.where(of.c.state == "waiting")).scalar_one() >= MAX_WAITING:
            raise OperatorError("serve-analyses-wait", most=MAX_WAITING)
        same = of.c.person == person.id, of.c.ladder == ladder.id, of.c.request == request, of.c.match == match
        again = update(of).where(*same, of.c.state == "late").values(state="waiting", language=language)
        if not connection.execute(select(func.count()).where(*same)).scalar_one():
            inserted(connection, of, row)
        else:
            connection.execute(again)

    database.write(act)


def _asked() -> Any:
    of, ladders = tables.analyses, tables.ladders
    own = [column for column in of.c if column.name != "ladder"]
    others = (column.label(f"ladder_{column.name}") for column in ladders.c)
    return select(*own, *others).select_from(of.join(ladders, of.c.ladder == ladders.c.id))


def _one(database: Database, asked: Any) -> Analysis | None:
    row = database.read(lambda connection: connection.execute(asked.limit(1)).mappings().first())
    if row is None:
        return None
    ladder = of_row(row, "ladder_")
    names = [name for name in Analysis.__struct_fields__ if name != "ladder"]
    return Analysis(ladder=ladder, **{name: row[name] for name in names})


# --- the judge's part


def next_waiting(database: Database, ladders: Collection[int]) -> Analysis | None:
    """The next analysis, of these ladders; authors take turns: who had fewer done lately comes first."""
    of, theirs = tables.analyses, tables.analyses.alias()
    done = theirs.c.person == of.c.person, theirs.c.state != "waiting", theirs.c.at > time() - LATELY
    lately = select(func.count()).select_from(theirs).where(*done).correlate(of).scalar_subquery()
    asked = _asked().where(of.c.state == "waiting", of.c.ladder.in_(ladders))
    return _one(database, asked.order_by(lately, of.c.id))


def replay_of(database: Database, site: SiteFolder, arena: Arena, wanted: Analysis) -> bytes | None:
    """The replay that is to be analysed, encoded; none if it is gone, or is not to be seen by who asked."""
    if wanted.request:
        of, requests = tables.requested, tables.requests
        asked = select(of.c.replay).join(requests, of.c.request == requests.c.id)
        asked = asked.where(requests.c.person == wanted.person)  # it may be another's of that number by now
        asked = asked.where(of.c.request == wanted.request, of.c.number == wanted.match)
        digest = database.read(lambda connection: connection.execute(asked).scalar())
        return None if digest is None else site.files().get(digest, MAX_REPLAY)
    person = accounts.of_number(database, wanted.person)
    with seen(arena, wanted.ladder, person) as store:
        if store is None:
            return None
        try:
            replay = store.result(store.contest(wanted.ladder.slug), wanted.match).replay
        except OperatorError as error:
            if error.key in ("store-no-match", "store-no-contest"):
                return None
            raise
        return None if replay is None else store.files.get(replay, MAX_REPLAY)


def finish(database: Database, wanted: Analysis, state: str, found: str = "", note: str = "") -> None:
    """Store what was found; nothing where nobody waits for it any more, and another has its number."""
    of = tables.analyses
    values = {"state": state, "found": found, "note": note}
    same = of.c.id == wanted.id, of.c.person == wanted.person, of.c.at == wanted.at
    done = update(of).where(*same).values(values)
    database.write(lambda connection: connection.execute(done))
