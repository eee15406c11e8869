"""Sites of a wanted size, made quickly: people, bots, hand-ins, a ladder with its results. For `web.py`, `scale.py`.

Everything is written by the functions that the site itself uses, many rows at a time. A result's replay is left out.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterator
from pathlib import Path
from time import time
from typing import Any

from sqlalchemy import insert

from dohyo.core.contest import Entrant, Fixture, Result, Version
from dohyo.guests.site import tables
from dohyo.guests.site.arena import ladders
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.people.accounts import ORGANISER, Person, key_of
from dohyo.guests.site.tables import inserted, open_site
from dohyo.series.formats.seeds import Seeds
from dohyo.series.spec import Spec, as_stored
from dohyo.series.store import Store, open_store
from dohyo.series.store.database import Database
from dohyo.series.store.records import PublishedRating

GAME = "shoot-em-up"
BATCH = 8  # matches: four tables of two, as the site's judge plays them
BULK = 10_000  # results in one transaction
SEED = 1
SEEDS = Seeds(SEED)
NEAR = 40  # places: who meets whom on a ladder


def site_of(folder: Path, store: str = "") -> tuple[SiteFolder, Database]:
    """A new site's folder, and its database; in PostgreSQL with a `store`, which is a URL."""
    site = SiteFolder(folder, store)
    lock = site.take()
    assert lock is not None
    lock.release()
    return site, open_site(site.site)


def opened(site: SiteFolder) -> Store:
    """The store of a site's matches."""
    return open_store(site.arena, create=True, files=site.home / "arena.db.files")


def full_ladder(site: SiteFolder, database: Database, bots: int, results: int) -> str:
    """A ladder with so many bots and results; its name in addresses."""
    ladder = ladders.make(database, organiser(database), GAME, "Full")
    names = [f"bot {number}" for number in range(bots)]
    database.write(lambda connection: _hand_in(connection, ladder.id, names))
    with opened(site) as store:
        contest = begun(store, ladder.slug)
        enter(store, contest, names)
        fill(store, contest, bots, 0, results)
        publish(store, contest, bots, -(-results // BATCH) - 1)
    return ladder.slug


def begun(store: Store, slug: str) -> int:
    """A ladder's contest, begun as by the judge, with nobody in it."""
    spec = Spec(
        game=GAME,
        format="ladder",
        rounds=1,
        seed=1,
        setup={},
        options={"batch": 4, "table": 0},
        bots=(),
        sandbox="none",
    )
    return store.begin(slug, GAME, as_stored(spec), 0.0).id


def organiser(database: Database) -> Person:
    """Somebody who may make ladders, without a password that anybody knows."""
    name = f"organiser {secrets.token_hex(4)}"
    row = {"name": name, "key": key_of(name), "password": "", "role": ORGANISER, "since": time()}
    return Person(database.write(lambda connection: inserted(connection, tables.people, row)), name, ORGANISER)


def _hand_in(connection: Any, ladder: int, names: list[str]) -> None:
    """An author for every ten bots, and one hand-in of each."""
    for first in range(0, len(names), 10):
        name = f"author {ladder}-{first // 10}"
        row = {"name": name, "key": key_of(name), "password": "", "role": "author", "since": 0.0}
        person = inserted(connection, tables.people, row)
        for bot in names[first : first + 10]:
            row = {"ladder": ladder, "person": person, "name": bot, "key": key_of(bot)}
            own = inserted(connection, tables.bots, row)
            values = {"bot": own, "version": 1, "filename": "bot.py", "file": "0" * 64, "at": 0.0, "state": "entered"}
            connection.execute(
                insert(tables.hand_ins).values(**values, found='{"fit":true}', done=0.0, ticket=secrets.token_hex(8))
            )


def enter(store: Store, contest: int, names: list[str]) -> None:
    """Let bots of these names enter, a few thousand in a transaction."""
    for first in range(0, len(names), BULK):
        some = names[first : first + BULK]
        entries = [Entrant(at, Version(name, f"{at:064x}")) for at, name in enumerate(some, first)]
        store.enter(contest, entries, 0.0)


def drawn(bots: int, first: int, count: int) -> Iterator[Fixture]:
    """So many duels between bots that stand near each other, each pair from both seats, in the judge's batches."""
    for number in range(first, first + count):
        draw = random.Random(number // 2)
        one = draw.randrange(bots)
        other = (one + 1 + draw.randrange(min(NEAR, bots - 1))) % bots
        seats = (one, other) if number % 2 else (other, one)
        yield Fixture(number // BATCH, number, seats, SEEDS.of(number // 2))


def result(fixture: Fixture, at: float) -> Result:
    """A result: the lower number is the better bot, mostly."""
    draw = random.Random(fixture.number)
    first = (fixture.seats[0] < fixture.seats[1]) == (draw.random() < 0.8)
    places = (1, 2) if first else (2, 1)
    scores = (1.0, 0.0) if first else (0.0, 1.0)
    return Result(fixture, places, scores, (), (0.01, 0.01), at=at, seconds=0.1, host="here", worker="here")


def fill(store: Store, contest: int, bots: int, first: int, count: int) -> None:
    """Schedule and record so many duels."""
    for start in range(first, first + count, BULK):
        fixtures = [*drawn(bots, start, min(BULK, first + count - start))]
        store.schedule(contest, fixtures)
        store.record(contest, [result(each, float(each.number)) for each in fixtures])


def publish(store: Store, contest: int, bots: int, batch: int) -> None:
    """Ratings as the judge publishes them after a batch."""
    rated = [PublishedRating(n, 2000.0 - n / 10, 1950.0 - n / 10, 2050.0 - n / 10, 25.0, 1.0) for n in range(bots)]
    store.rate(contest, batch, rated)
