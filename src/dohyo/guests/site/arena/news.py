"""What is new: who leads a ladder, which versions came, when a contest opens, closes and begins.

For feeds: as a visitor without an account sees it.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from datetime import UTC, datetime
from threading import Lock
from time import monotonic, time
from weakref import WeakKeyDictionary

import msgspec
from sqlalchemy import select

from dohyo.core.contest import Entrant
from dohyo.guests.site import tables
from dohyo.guests.site.arena import hand_ins
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.arena.sight import seen, sight
from dohyo.guests.site.arena.standings import ranked
from dohyo.series.standings import TOLD
from dohyo.series.store import Store
from dohyo.series.store.database import Database

MOST = 50  # pieces of news of a ladder, and of the site
SAMPLES = 24  # batches after which is looked who leads
AMONG = 5  # of the best, the first that takes part leads
KEPT = 60.0  # seconds for which the news of a ladder stay
MAX_LADDERS = 50  # whose news are in the site's feed: the newest ones


class News(msgspec.Struct, frozen=True):
    """One piece of news, whose `name` tells it from all others of its ladder.

    `kind` is leader or version, or what a contest does: opens, closes, starts, ends; then it is about no bot.
    """

    kind: str
    name: str
    at: float
    ladder: Ladder
    bot: str = ""
    author: str = ""
    number: int = 0


_FOUND: WeakKeyDictionary[Arena, dict[tuple[int, int], tuple[float, list[News]]]] = WeakKeyDictionary()
_LOOKING = Lock()


def news_of_site(database: Database, arena: Arena, ladders: Sequence[Ladder]) -> list[News]:
    """The news of these ladders, the newest first."""
    found = [each for ladder in ladders[-MAX_LADDERS:] for each in news_of(database, arena, ladder)]
    return sorted(found, key=lambda each: each.at, reverse=True)[:MOST]


def news_of(database: Database, arena: Arena, ladder: Ladder) -> list[News]:
    """The news of a ladder, the newest first, looked for once a minute."""
    until = sight(ladder, None).until
    with _LOOKING:
        known, key = _FOUND.setdefault(arena, {}), (ladder.id, ladder.pseudonyms)
        end, found = known.get(key, (0.0, []))
        if monotonic() >= end:
            found = _look(database, arena, ladder)
            known[key] = monotonic() + KEPT, found
    shown = [each for each in found if until is None or each.at <= until]
    ended = any(each.kind == "ends" for each in found)  # by its last match, shown or not
    told = [each for each in _moments(ladder) if each.kind != "ends" or not ended]
    return sorted([*shown, *told], key=lambda each: each.at, reverse=True)[:MOST]


def _moments(ladder: Ladder) -> list[News]:
    """What a contest's terms say, as far as it has come to pass."""
    if ladder.terms is None:
        return []
    terms, now = ladder.terms, time()
    moments = {"opens": terms.opens, "closes": terms.closes, "starts": terms.starts, "ends": terms.ends}
    return [
        News(kind, f"{kind}/{round(at)}", at, ladder) for kind, at in moments.items() if at is not None and at <= now
    ]


def _look(database: Database, arena: Arena, ladder: Ladder) -> list[News]:
    with seen(arena, ladder, None) as store, ranked(store, ladder.slug) as there:
        if store is None or there is None:
            return []
        contest, ranking = there
        # In a contest its format says who leads, not the ratings.
        leaders = _leaders(store, contest, ranking.entrants) if ladder.terms is None else []
        over = _over(store, ladder)
    versions = _versions(database, ladder, ranking.at)
    authors = hand_ins.authors(database, ladder, {bot for bot, _ in leaders} | {bot for bot, _, _ in versions})
    found = [News("leader", f"leader/{_day(at)}/{bot}", at, ladder, bot, authors.get(bot, "")) for bot, at in leaders]
    found += [News("ends", f"ends/{round(at)}", at, ladder) for at in over]
    for bot, number, at in versions:
        found.append(News("version", f"version/{number}/{bot}", at, ladder, bot, authors.get(bot, ""), number))
    return found


def _leaders(store: Store, contest: int, entrants: Sequence[Entrant]) -> list[tuple[str, float]]:
    """Who took the lead and when, by the ratings after some batches; nobody twice on the same day."""
    count = store.count_batches(contest)
    found: dict[tuple[str, str], float] = {}
    last = ""
    for batch in [*range(count - 1, -1, -max(1, count // SAMPLES))][::-1]:
        best = (entrants[number] for number in store.leaders(contest, batch, AMONG, TOLD))
        leader = next((each.name for each in best if each.plays_in(batch)), last)
        at = store.reached(contest, batch) if leader != last else None
        if at is not None:
            found.setdefault((leader, _day(at)), at)
            last = leader
    return [(leader, at) for (leader, _), at in found.items()]


def _over(store: Store, ladder: Ladder) -> list[float]:
    """When the last match of a contest that is over ended; nothing of one that is not, and of a ladder."""
    if ladder.terms is None or (contest := store.contest(ladder.slug)).state != "over":
        return []
    moments = (store.reached(contest.id, batch) for batch in range(store.count_batches(contest.id))[::-1])
    last = next((at for at in moments if at is not None), None)
    return [] if last is None else [last]


def _day(at: float) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d}"


def _versions(database: Database, ladder: Ladder, playing: Container[str]) -> list[tuple[str, int, float]]:
    """The versions that came last, of bots that play: name, version, and when it came."""
    of, bots = tables.hand_ins.c, tables.bots.c
    asked = select(bots.name, of.version, of.done).select_from(tables.hand_ins.join(tables.bots, of.bot == bots.id))
    asked = asked.where(bots.ladder == ladder.id, of.state == "entered").order_by(of.id.desc()).limit(MOST)
    rows = database.read(lambda connection: connection.execute(asked).all())
    return [(bot, number, float(at or 0.0)) for bot, number, at in rows if bot in playing]
