"""A bot that fails again and again pauses by itself, so that others do not play in vain. It follows from the store.

What counts are its last matches, as it is now: a new version, or one that somebody lets play again, begins anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from time import time

from sqlalchemy import Connection, select

from dohyo.core.contest import Entrant, Result
from dohyo.core.faults import FaultKind
from dohyo.guests.site import tables
from dohyo.guests.site.arena.ladders import Ladder, of_row
from dohyo.guests.site.hooks import outbox
from dohyo.guests.site.people.accounts import key_of
from dohyo.guests.site.people.audit import audit
from dohyo.series import taking_part
from dohyo.series.results import Silent
from dohyo.series.store import Store
from dohyo.series.store.database import Database
from dohyo.series.store.records import Contest

IN_A_ROW = 5  # matches in which a bot failed
FAILS = frozenset(
    {
        FaultKind.NOT_READY,
        FaultKind.TIMEOUT,
        FaultKind.EXITED,
        FaultKind.KILLED,
        FaultKind.CLOSED,
        FaultKind.NO_CONNECTION,
        FaultKind.MEMORY,
        FaultKind.NOT_ENDED,
    }
)


class Failures(Silent):
    """Notes who failed in the matches of a batch."""

    def __init__(self) -> None:
        self.numbers: set[int] = set()

    def on_result(self, result: Result) -> None:
        """A result was stored."""
        self.numbers.update(failed(result))


def pauses(entrant: Entrant) -> bool:
    """Whether an entrant pauses now."""
    return entrant.until is None and bool(entrant.absences) and entrant.absences[-1][1] is None


def failing(store: Store, contest: Contest, entrant: Entrant) -> list[int]:
    """The last matches of an entrant if it failed in each of them, so many as are enough; otherwise none."""
    back = max((end for _, end in entrant.absences if end is not None), default=0)
    found = store.last_played(contest.id, IN_A_ROW, [entrant.number])
    if len(found) < IN_A_ROW or any(each.fixture.batch < back for each in found):
        return []
    return [each.fixture.number for each in found] if all(_failed(each, entrant) for each in found) else []


def pause_failing(store: Store, contest: Contest, numbers: Iterable[int]) -> list[str]:
    """Let those of these entrants pause that fail again and again; their names."""
    paused = []
    entrants = store.entrants(contest.id)
    for number in sorted(set(numbers)):
        entrant = entrants[number]
        if not entrant.is_away and failing(store, contest, entrant):
            taking_part.pause(store, contest, entrant.name)
            paused.append(entrant.name)
    return paused


def note(database: Database, ladder: Ladder, bot: str) -> None:
    """Write to the log that a bot pauses since it failed again and again, and tell the webhooks of its author.

    While standings are frozen its author is not told: that it failed is a result.
    """
    about = {"ladder": ladder.slug, "bot": bot}

    def act(connection: Connection) -> None:
        audit(connection, None, "paused", about)
        bots, ladders = tables.bots.c, tables.ladders
        asked = select(bots.person).where(bots.ladder == ladder.id, bots.key == key_of(bot), bots.house == 0)
        author = connection.execute(asked).scalar()
        now = connection.execute(select(ladders).where(ladders.c.id == ladder.id)).mappings().one()
        if author is not None and not of_row(now).is_frozen(time()):
            outbox.note(connection, author, "bot.paused", about)

    database.write(act)


def failed(result: Result) -> list[int]:
    """Who failed in a match: its time was over, or its process ended."""
    faults = result.faults or ((),) * len(result.fixture.seats)
    return [number for number, own in zip(result.fixture.seats, faults, strict=True) if not FAILS.isdisjoint(own)]


def _failed(result: Result, entrant: Entrant) -> bool:
    return entrant.number in failed(result)
