"""A ladder as its page shows it: who stands where, and what was played last. Read from the store, quickly.

Places follow what the judge has published: fitting a million results takes seconds, and a page must not.
"""

from __future__ import annotations

import msgspec

from dohyo.core.contest import Entrant, Result
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.arena.sight import seen
from dohyo.guests.site.people.accounts import Person
from dohyo.series.session import ContestView, look
from dohyo.series.standings import TOLD
from dohyo.series.store import Store
from dohyo.series.store.records import PublishedRating

RECENT = 12  # matches


class Line(msgspec.Struct):
    """One bot's line. Without matches it has no rating; `low` and `high` are none if they say nothing yet."""

    bot: str
    author: str
    place: int | None = None
    rating: int | None = None
    low: int | None = None
    high: int | None = None
    matches: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    faulty: int = 0


class Played(msgspec.Struct):
    """One match: its number, and who took part, by seat, with their places."""

    number: int
    bots: list[tuple[str, int]]
    at: float


class LadderPage(msgspec.Struct):
    """What a ladder's page shows."""

    lines: list[Line] = []
    recent: list[Played] = []
    played: int = 0
    begun: bool = False


def ladder_page(
    arena: Arena, ladder: Ladder, person: Person | None, authors: dict[str, str], only: str = ""
) -> LadderPage:
    """A ladder as this person sees it, with the recent matches of `only` one bot if that is wanted.

    An empty one before the judge has begun it.
    """
    with seen(arena, ladder, person) as store:
        if store is None or ladder.slug not in {contest.name for contest in store.contests()}:
            return LadderPage()
        return _page(store, look(store, ladder.slug, results=False), authors, only)


def _page(store: Store, view: ContestView, authors: dict[str, str], only: str) -> LadderPage:
    contest, entrants = view.contest.id, view.entrants
    own = [entrant.number for entrant in entrants if entrant.name == only] if only else None
    recent = store.last_played(contest, RECENT, own)
    return LadderPage(
        _lines(store, view, authors),
        [_played(result, entrants) for result in reversed(recent)],
        view.played,
        bool(entrants),
    )


def _played(result: Result, entrants: list[Entrant]) -> Played:
    seats = [entrants[number].name for number in result.fixture.seats]
    return Played(result.fixture.number, list(zip(seats, result.places, strict=True)), result.at)


def _lines(store: Store, view: ContestView, authors: dict[str, str]) -> list[Line]:
    """Those who take part now, the best first; who has no rating yet comes last."""
    contest = view.contest.id
    lines = {each.number: Line(each.name, authors.get(each.name, "")) for each in view.entrants if not each.is_away}
    for tally in store.tallies(contest):
        if (line := lines.get(tally.entrant)) is not None:
            line.matches += tally.matches
            line.won += tally.beaten
            line.drawn += tally.tied
            line.lost += tally.lost
    for entrant, faulty in store.faulty(contest).items():
        if entrant in lines:
            lines[entrant].faulty = faulty
    keys = {}
    for rating in _published(store, view):
        if rating.entrant in lines:
            keys[rating.entrant] = _rate(lines[rating.entrant], rating)
    rated = sorted(keys, key=lambda number: keys[number], reverse=True)
    for at, number in enumerate(rated):
        tied = at and keys[rated[at - 1]] == keys[number]
        lines[number].place = lines[rated[at - 1]].place if tied else at + 1
    return [*(lines[number] for number in rated), *(line for number, line in lines.items() if number not in keys)]


def _published(store: Store, view: ContestView) -> list[PublishedRating]:
    """The last ratings that were published."""
    for batch in reversed([each.batch for each in view.progress][-20:]):
        if found := store.ratings(view.contest.id, batch).get(batch):
            return found
    return []


def _rate(line: Line, rating: PublishedRating) -> tuple[float, float]:
    """Put a rating into a line; by what it is placed: the lower end of the interval, then the rating."""
    line.rating = round(rating.rating)
    low = rating.rating - TOLD if rating.low is None else max(rating.low, rating.rating - TOLD)
    if rating.low is not None and rating.high is not None:
        known = rating.rating - rating.low <= TOLD and rating.high - rating.rating <= TOLD
        line.low, line.high = (round(rating.low), round(rating.high)) if known else (None, None)
    return low, rating.rating
