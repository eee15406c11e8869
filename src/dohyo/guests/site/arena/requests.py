"""Matches that an author asks for: own bots of any version against bots of a ladder, beside all ratings.

They are nobody's but the author's: no page of a ladder counts or shows them. Those of a ladder that is not there for
the author any more, who has left its class, are not there either: others' bots play in them. What is to be played
follows from the tables: a match of a request that has no result yet. The judge that plays the ladder plays them,
between its batches.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection, Sequence
from time import time
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, func, insert, select, update

from dohyo import games
from dohyo.core.contest import Entrant
from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.arena import own_bots
from dohyo.guests.site.arena.house import house
from dohyo.guests.site.arena.ladders import Ladder, is_for, of_row
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.arena.sight import seen, sight
from dohyo.guests.site.people import limits
from dohyo.guests.site.people.accounts import Person, key_of
from dohyo.guests.site.tables import inserted
from dohyo.guests.site.whole_numbers import whole
from dohyo.series.store.database import Database

MAX_MATCHES = 20  # of a request
MAX_WAITING = 3  # requests of a person
MAX_KEPT = 200  # of a person; the oldest go
MAX_SEED = (1 << 31) - 1 - MAX_MATCHES
MAX_TABLE = 4  # seats of a match, where a game allows several numbers
LATELY = 3600.0  # seconds in which matches count, when it is decided whose come next


class Chosen(msgspec.Struct, frozen=True):
    """Who sits on a seat: the bot's name as it is shown, the number of the entrant, and whether it is one's own."""

    name: str
    entrant: int
    mine: bool


class Played(msgspec.Struct, frozen=True):
    """One match of a request that was played; without a replay it could not be."""

    number: int
    seed: int
    places: tuple[int, ...]
    faults: tuple[tuple[str, ...], ...]
    replay: str
    at: float


class Request(msgspec.Struct, frozen=True):
    """What somebody asked for, and what was played of it so far."""

    id: int
    person: int
    ladder: Ladder
    seats: tuple[Chosen, ...]
    seed: int
    count: int
    at: float
    state: str
    played: tuple[Played, ...] = ()

    @property
    def left(self) -> list[int]:
        """The numbers of the matches that are still to be played."""
        there = {one.number for one in self.played}
        return [number for number in range(self.count) if number not in there]


def seats_of(ladder: Ladder) -> tuple[int, int]:
    """How many seats a match of the ladder's game has: at least, and at most here."""
    fewest, most = games.find(ladder.game).seats
    return fewest, max(fewest, min(MAX_TABLE, most))


def ask(
    database: Database, arena: Arena, ladder: Ladder, person: Person, words: Sequence[str], seed: str, count: str
) -> int:
    """Ask for matches: a word for each seat, NAME or of one's own bots also NAME@VERSION; the request's number.

    Raises `OperatorError` for whatever cannot be played, or may not be seen.
    """
    matches, first = whole(count, 1, MAX_MATCHES), whole(seed, 0, MAX_SEED)
    if matches is None:
        raise OperatorError("serve-matches-count", most=MAX_MATCHES)
    if seed and first is None:
        raise OperatorError("serve-seed-bad", most=MAX_SEED)
    if ladder.terms is not None:
        raise OperatorError("serve-only-ladders")
    if ladder.retired is not None:
        raise OperatorError("serve-ladder-rests")
    chosen = _chosen(database, arena, ladder, person, [word.strip() for word in words if word.strip()])
    limits.take(database, limits.REQUEST, str(person.id))
    row = {
        "person": person.id,
        "ladder": ladder.id,
        "seats": msgspec.json.encode(chosen).decode(),
        "seed": secrets.randbelow(MAX_SEED) if first is None else first,
        "count": matches,
        "at": time(),
        "state": "waiting",
    }

    def act(connection: Connection) -> int:
        requests = tables.requests
        mine = requests.c.person == person.id
        waiting = select(func.count()).where(mine, requests.c.state == "waiting")
        if connection.execute(waiting).scalar_one() >= MAX_WAITING:
            raise OperatorError("serve-requests-wait", most=MAX_WAITING)
        return inserted(connection, requests, row)

    number = database.write(act)
    _forget_oldest(database, person)
    return number


def _chosen(database: Database, arena: Arena, ladder: Ladder, person: Person, words: list[str]) -> list[Chosen]:
    fewest, most = seats_of(ladder)
    if not fewest <= len(words) <= most:
        raise OperatorError("serve-seats-count", fewest=fewest, most=most)
    with seen(arena, ladder, person) as store:
        there = own_bots.entrants_of(store, ladder)
    bots = {key_of(bot.name): bot for bot in own_bots.of_person(database, person) if bot.ladder.id == ladder.id}
    hides = not sight(ladder, person).is_whole
    chosen = []
    for word in words:
        name, at, version = word.partition("@")
        bot = bots.get(key_of(name.strip()))
        if bot is not None:
            chosen.append(_own(bot, version if at else str(bot.plays), _all_entrants(arena, ladder)))
        elif at:
            raise OperatorError("serve-not-your-bot", bot=name[:60])
        else:
            chosen.append(_other(name, there, house(ladder.game) if hides else None))
    if not any(one.mine for one in chosen):
        raise OperatorError("serve-own-bot-needed")
    return chosen


def _all_entrants(arena: Arena, ladder: Ladder) -> list[Entrant]:
    """Everybody who takes part, or did: to find one's own bots, which one knows also while standings are frozen."""
    with arena.opened() as store:
        return own_bots.entrants_of(store, ladder)


def _own(bot: own_bots.OwnBot, version: str, there: list[Entrant]) -> Chosen:
    wanted = next((one for one in bot.entered if str(one.version) == version.strip()), None)
    found = [each for each in there if wanted and (each.name, each.version.digest) == (bot.name, wanted.digest)]
    if wanted is None or not found:
        raise OperatorError("serve-version-of", bot=bot.name)
    return Chosen(f"{bot.name}@{wanted.version}", found[-1].number, True)


def _other(name: str, there: list[Entrant], only: Collection[str] | None) -> Chosen:
    """Somebody else's bot, or a sample bot: the version that plays now. `only`: those that may be asked for."""
    found = [each for each in there if key_of(each.name) == key_of(name) and not each.is_away]
    if not found:
        raise OperatorError("serve-no-bot-called", bot=name[:60])
    if only is not None and found[-1].name not in only:
        raise OperatorError("serve-frozen-bot", bot=found[-1].name)
    return Chosen(found[-1].name, found[-1].number, False)


def _forget_oldest(database: Database, person: Person) -> None:
    requests = tables.requests
    asked = select(requests.c.id).where(requests.c.person == person.id, requests.c.state != "waiting")
    asked = asked.order_by(requests.c.id.desc()).offset(MAX_KEPT)
    for number in database.read(lambda connection: connection.execute(asked).scalars().all()):
        remove(database, person, number)


def remove(database: Database, person: Person, number: int) -> None:
    """Withdraw a request of a person, with what was played of it, and what was found about that.

    A later request may get its number.
    """
    requests, requested, found = tables.requests, tables.requested, tables.analyses

    def act(connection: Connection) -> None:
        mine = requests.c.id == number, requests.c.person == person.id
        if connection.execute(select(requests.c.id).where(*mine).with_for_update()).scalar() is not None:
            connection.execute(delete(found).where(found.c.person == person.id, found.c.request == number))
            connection.execute(delete(requested).where(requested.c.request == number))
            connection.execute(delete(requests).where(*mine))

    database.write(act)


# --- reading


def of_person(database: Database, person: Person, most: int = 30) -> list[Request]:
    """What a person asked for, the newest first, in ladders that are there for him."""
    requests = tables.requests
    asked = _asked().where(requests.c.person == person.id, is_for(person)).order_by(requests.c.id.desc()).limit(most)
    return _read(database, asked)


def find(database: Database, person: Person, number: int) -> Request | None:
    """A request of this person; none if there is none, it is somebody else's, or its ladder is not there for him."""
    requests = tables.requests
    mine = requests.c.id == number, requests.c.person == person.id, is_for(person)
    found = _read(database, _asked().where(*mine))
    return found[0] if found else None


def _asked() -> Any:
    requests, ladders = tables.requests, tables.ladders
    others = (column.label(f"ladder_{column.name}") for column in ladders.c)
    own = [column for column in requests.c if column.name != "ladder"]
    return select(*own, *others).select_from(requests.join(ladders, requests.c.ladder == ladders.c.id))


def _read(database: Database, asked: Any) -> list[Request]:
    def act(connection: Connection) -> list[Request]:
        rows = connection.execute(asked).mappings().all()
        requested = tables.requested
        numbers = [row["id"] for row in rows]
        played: dict[int, list[Any]] = {}
        found = select(requested).where(requested.c.request.in_(numbers)).order_by(requested.c.number)
        for one in connection.execute(found).mappings():
            played.setdefault(one["request"], []).append(one)
        return [_request(row, played.get(row["id"], [])) for row in rows]

    return database.read(act)


def _request(row: Any, played: list[Any]) -> Request:
    return Request(
        row["id"],
        row["person"],
        of_row(row, "ladder_"),
        msgspec.json.decode(row["seats"], type=tuple[Chosen, ...]),
        row["seed"],
        row["count"],
        row["at"],
        row["state"],
        tuple(
            Played(
                one["number"],
                row["seed"] + one["number"],
                tuple(json.loads(one["places"])),
                tuple(map(tuple, json.loads(one["faults"]))),
                one["replay"],
                one["at"],
            )
            for one in played
        ),
    )


# --- the judge's part


def next_waiting(database: Database, ladders: Collection[int]) -> Request | None:
    """The request of which matches are played next, of these ladders; authors take turns."""
    requests = tables.requests
    theirs, requested = tables.requests.alias(), tables.requested
    lately = (
        select(func.count())
        .select_from(theirs.join(requested, requested.c.request == theirs.c.id))
        .where(theirs.c.person == requests.c.person, requested.c.at > time() - LATELY)
    )
    asked = _asked().where(requests.c.state == "waiting", requests.c.ladder.in_(ladders))
    asked = asked.order_by(lately.correlate(requests).scalar_subquery(), requests.c.id).limit(1)
    found = _read(database, asked)
    return found[0] if found else None


def record(database: Database, request: Request, played: Played) -> bool:
    """Store a match that was played, once; whether the request is still there, and had no such match."""
    requests, requested = tables.requests, tables.requested
    row = {
        "request": request.id,
        "number": played.number,
        "places": json.dumps(played.places),
        "faults": json.dumps(played.faults),
        "replay": played.replay,
        "at": played.at,
    }

    def act(connection: Connection) -> bool:
        there = select(requests.c.id).where(*_is_still(request)).with_for_update()
        if connection.execute(there).scalar() is None:
            return False
        own = select(func.count()).select_from(requested).where(requested.c.request == request.id)
        if connection.execute(own.where(requested.c.number == played.number)).scalar_one():
            return False
        connection.execute(insert(requested).values(row))
        if connection.execute(own).scalar_one() >= request.count:
            connection.execute(update(requests).where(requests.c.id == request.id).values(state="done"))
        return True

    return database.write(act)


def fail(database: Database, request: Request) -> None:
    """Note that the rest of a request cannot be played."""
    requests = tables.requests
    failed = update(requests).where(*_is_still(request)).values(state="failed")
    database.write(lambda connection: connection.execute(failed))


def _is_still(request: Request) -> tuple[Any, ...]:
    """What says that this request is there: one that was withdrawn meanwhile may have left its number to another."""
    of = tables.requests.c
    return of.id == request.id, of.person == request.person, of.at == request.at
