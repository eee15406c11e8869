"""A ladder as its page shows it: who stands where, and what was played last. Read from the store, quickly.

Theory of operation
-------------------
Places follow what the judge has published: fitting a million results takes seconds, and a page must not. So the order
of all bots changes only when ratings are published, or when somebody joins or leaves. It is kept, with the store's
`Marks` of both, and is made anew when these have changed (`Ranking`). What changes with each result, as how many
matches a bot has won, is read for the lines that are shown and for no others: tallies by their keys, the last matches
by an index.

What was read for a page is kept as well (`_kept`), as long as the database says that nobody has changed anything. All
that is kept is known by the store that it was read from: what somebody may not see is in no store that he is shown
(`sight.py`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import contextmanager
from math import inf
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

import msgspec

from dohyo.core.contest import Entrant, Result
from dohyo.core.rulings_in_force import InForce, Ruling, without_disqualified
from dohyo.guests.site.arena.bot_facts import BotFacts, bot_facts
from dohyo.guests.site.arena.pausing import pauses
from dohyo.i18n import Speaker
from dohyo.series.best import who_is_best
from dohyo.series.ratings.ratings import places
from dohyo.series.standings import TOLD, Row
from dohyo.series.store import Store
from dohyo.series.store.records import Marks, PublishedRating
from dohyo.web.plain.scales import Scale, scale

if TYPE_CHECKING:
    from collections.abc import Iterator

RECENT = 12  # matches
LINES = 100  # of a page
FIRST = 3  # lines on the first page of the site
MAX_RANKINGS = 64  # that are kept
Found = TypeVar("Found")


class Line(msgspec.Struct):
    """One bot's line. Without matches it has no rating; `low` and `high` are none if they say nothing yet.

    `first` and `last` are the places that are possible within the intervals; none before anything is known. A bot
    that is `at_home` plays from its author's machine.
    """

    bot: str
    author: str = ""
    place: int | None = None
    rating: int | None = None
    low: int | None = None
    high: int | None = None
    first: int | None = None
    last: int | None = None
    matches: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    faulty: int = 0
    at_home: bool = False


class Played(msgspec.Struct):
    """One match: its number, and who took part, by seat, with their places."""

    number: int
    bots: list[tuple[str, int]]
    at: float


class LadderPage(msgspec.Struct):
    """What a ladder's page shows: `lines` are of page `page` of `pages`, `own` those of one's own bots on others.

    `paused` are those of one's own bots that pause, `out` says by name by which ruling whose bot ever is
    disqualified: they have no place.

    `best` are those of all bots that may be the best, with one more if there are others; `ends` are the lowest and
    the highest end of all intervals.
    """

    lines: list[Line] = []
    own: list[Line] = []
    paused: list[Line] = []
    recent: list[Played] = []
    bots: int = 0
    played: int = 0
    page: int = 1
    pages: int = 1
    begun: bool = False
    best: list[Line] = []
    ends: tuple[float, float] = (0.0, 0.0)
    out: dict[str, Ruling] = {}

    @property
    def scale(self) -> Scale:
        """On which the intervals of all its lines are drawn."""
        return scale(self.ends)


class BotPage(msgspec.Struct):
    """What a bot's page shows: its line, of how many that have a place, what is known of it, its last matches.

    One that `pauses`, or is disqualified by the ruling `out`, has no place.
    """

    line: Line
    placed: int
    facts: BotFacts
    recent: list[Played]
    pauses: bool = False
    out: Ruling | None = None


class Ranking(msgspec.Struct):
    """All bots of a contest in their order, as long as the store has these marks.

    `order` are the entrants that take part now, the best first; who has no rating yet comes last. `at` says by name
    where a bot is in it, `paused` which entrant of this name pauses, `out` by which ruling it is disqualified, and
    `versions` which ones there are. `best` and
    `ends` as in `LadderPage`.
    """

    marks: Marks
    ruled: int
    entrants: list[Entrant]
    order: list[int]
    lines: dict[int, Line]
    at: dict[str, int]
    paused: dict[str, int]
    out: dict[str, Ruling]
    versions: dict[str, list[int]]
    placed: int
    best: list[Line]
    ends: tuple[float, float]


_RANKINGS: OrderedDict[tuple[str, int], Ranking] = OrderedDict()
_MAKING = Lock()  # of rankings: the second who wants one waits for the first
_KEPT: WeakKeyDictionary[Store, tuple[Any, dict[Any, Any]]] = WeakKeyDictionary()


def ladder_page(store: Store | None, slug: str, page: int = 1, own: Collection[str] = ()) -> LadderPage:
    """A page of a ladder's lines at this moment, and the lines of `own` bots that are on others.

    A page that is not there is the last one, and everything is empty before the judge has begun the ladder.
    """
    with _moment(store) as there:
        contest = _contest(there, slug)
        if there is None or contest is None:
            return LadderPage()
        ranking = ranking_of(there, contest)
        pages = max(1, -(-len(ranking.order) // LINES))
        page = min(max(1, page), pages)
        shown = ranking.order[LINES * (page - 1) : LINES * page]
        others = sorted({ranking.at[name] for name in own if name in ranking.at})
        others = [at for at in others if ranking.order[at] not in {*shown}]
        paused = [ranking.paused[name] for name in sorted(own) if name in ranking.paused]
        return LadderPage(
            _kept(there, ("lines", contest, page), lambda: lines_of(there, contest, ranking, shown)),
            lines_of(there, contest, ranking, [ranking.order[at] for at in others]),
            lines_of(there, contest, ranking, paused),
            _kept(there, ("recent", contest), lambda: recent(there, contest, ranking)),
            len(ranking.order),
            _kept(there, ("played", contest), lambda: count_played(there, contest)),
            page,
            pages,
            bool(ranking.entrants),
            ranking.best,
            ranking.ends,
        )


def first_lines(store: Store | None, slug: str) -> LadderPage:
    """The best few of a ladder, and its counts: for the first page of the site."""
    with _moment(store) as there:
        contest = _contest(there, slug)
        if there is None or contest is None:
            return LadderPage()
        ranking = ranking_of(there, contest)
        first = ranking.order[:FIRST]
        return LadderPage(
            lines=[msgspec.structs.replace(ranking.lines[number]) for number in first],
            bots=len(ranking.order),
            played=_kept(there, ("played", contest), lambda: count_played(there, contest)),
            begun=bool(ranking.entrants),
        )


def all_lines(store: Store | None, slug: str) -> list[Line]:
    """All bots of a ladder in their order, with places and ratings alone; empty before the judge has begun it.

    Those that pause come last, without a place.
    """
    with _moment(store) as there:
        contest = _contest(there, slug)
        if there is None or contest is None:
            return []
        ranking = ranking_of(there, contest)
        pausing = [Line(each.name) for each in ranking.entrants if each.until is None and each.is_away]
        return [*(msgspec.structs.replace(ranking.lines[number]) for number in ranking.order), *pausing]


def bot_page(store: Store | None, slug: str, name: str) -> BotPage | None:
    """A bot that takes part in a ladder at this moment, pauses or is disqualified; none of another name."""
    with _moment(store) as there:
        contest = _contest(there, slug)
        if there is None or contest is None:
            return None
        ranking = ranking_of(there, contest)
        if name in ranking.at:
            now = ranking.order[ranking.at[name]]
        elif name in ranking.paused or (name in ranking.out and name in ranking.versions):
            now = ranking.paused.get(name, ranking.versions[name][-1])
        else:
            return None
        (line,) = lines_of(there, contest, ranking, [now])
        facts = bot_facts(there, contest, ranking.entrants, ranking.versions[name], now)
        played = [match_played(each, ranking.entrants) for each in facts.matches]
        return BotPage(line, ranking.placed, facts, played, name in ranking.paused, ranking.out.get(name))


@contextmanager
def ranked(store: Store | None, slug: str) -> Iterator[tuple[int, Ranking] | None]:
    """A ladder's number in the store and all its bots in their order, at one moment; none before it is begun."""
    with _moment(store) as there:
        contest = _contest(there, slug)
        yield None if there is None or contest is None else (contest, ranking_of(there, contest))


def ranking_of(store: Store, contest: int) -> Ranking:
    """All bots of a contest in their order."""
    marks, ruled = _kept(store, ("marks", contest), lambda: (store.marks(contest), store.count_rulings(contest)))
    key = (str(store.database.address.url), contest)
    with _MAKING:
        found = _RANKINGS.get(key)
        if found is None or (found.marks, found.ruled) != (marks, ruled):
            found = _RANKINGS[key] = _ranking(store, contest, marks, ruled)
        _RANKINGS.move_to_end(key)
        while len(_RANKINGS) > MAX_RANKINGS:
            _RANKINGS.popitem(last=False)
    return found


def lines_of(store: Store, contest: int, ranking: Ranking, entrants: Collection[int]) -> list[Line]:
    """The lines of these entrants, with what they have won and lost until now."""
    names = {number: ranking.entrants[number].name for number in entrants if number not in ranking.lines}
    lines = {
        number: Line(names[number]) if number in names else msgspec.structs.replace(ranking.lines[number])
        for number in entrants
    }
    for tally in store.tallies(contest, entrants) if lines else ():
        line = lines[tally.entrant]
        line.matches += tally.matches
        line.won += tally.beaten
        line.drawn += tally.tied
        line.lost += tally.lost
    for entrant, faulty in store.faulty(contest, entrants).items() if lines else ():
        lines[entrant].faulty = faulty
    return [*lines.values()]


def recent(store: Store, contest: int, ranking: Ranking, entrants: list[int] | None = None) -> list[Played]:
    """The last matches, the newest first: of all, or of some entrants."""
    found = store.last_played(contest, RECENT, entrants)
    return [match_played(result, ranking.entrants) for result in reversed(found)]


def count_played(store: Store, contest: int) -> int:
    """How many matches were played, those that count for nobody too."""
    voided = len(store.voided(contest)) if store.count_set_aside(contest) else 0
    return store.count_played(contest) + voided


def some_lines(store: Store | None, slug: str, begin: int, most: int) -> LadderPage:
    """A ladder's lines from a place in their order on, at most so many, and its counts: for programs."""
    with _moment(store) as there:
        contest = _contest(there, slug)
        if there is None or contest is None:
            return LadderPage()
        ranking = ranking_of(there, contest)
        return LadderPage(
            lines=lines_of(there, contest, ranking, ranking.order[begin : begin + most]),
            bots=len(ranking.order),
            played=_kept(there, ("played", contest), lambda: count_played(there, contest)),
            begun=bool(ranking.entrants),
        )


def some_played(
    store: Store | None, slug: str, most: int, only: str = "", before: int | None = None
) -> tuple[list[Played], int | None]:
    """The matches of a ladder, or those of one bot in it, the newest first: for programs.

    At most so many, with numbers below `before`; and before which one to go on, none if these were the last.
    """
    with _moment(store) as there:
        contest = _contest(there, slug)
        if there is None or contest is None:
            return [], None
        entrants = there.entrants(contest)
        own = [entrant.number for entrant in entrants if entrant.name == only] if only else None
        found = there.last_played(contest, most + 1, own, before=before)
    items = [match_played(result, entrants) for result in reversed(found)]
    return items[:most], items[most - 1].number if len(items) > most else None


def match_played(result: Result, entrants: Sequence[Entrant]) -> Played:
    """A match with the names of the entrants that took part."""
    seats = [entrants[number].name for number in result.fixture.seats]
    return Played(result.fixture.number, list(zip(seats, result.places, strict=True)), result.at)


# --- the order of all


def _ranking(store: Store, contest: int, marks: Marks, ruled: int) -> Ranking:
    whole = store.entrants(contest)
    entrants = without_disqualified(whole, rulings := store.rulings_of_bots(contest))
    lines = {each.number: Line(each.name) for each in entrants if not each.is_away}
    rated = [] if marks.batch is None else store.ratings(contest, marks.batch)[marks.batch]
    order = _placed(lines, rated)
    versions: dict[str, list[int]] = {}
    for each in entrants:
        versions.setdefault(each.name, []).append(each.number)
    at = {lines[number].bot: place for place, number in enumerate(order)}
    out = InForce(rulings).disqualified
    paused = {each.name: each.number for each in whole if pauses(each) and each.name not in out}
    placed = [lines[number] for number in order if lines[number].place is not None]
    maybe = [line for line in placed if line.first == 1]
    best = maybe + [line for line in placed if line.first != 1][:1]
    ends = [end for line in placed for end in (line.low, line.high) if end is not None]
    ends_of_all = (float(min(ends, default=0)), float(max(ends, default=0)))
    return Ranking(marks, ruled, entrants, order, lines, at, paused, out, versions, len(placed), best, ends_of_all)


def _placed(lines: dict[int, Line], ratings: Iterable[PublishedRating]) -> list[int]:
    """Put ratings and places into the lines; the entrants, the best first, and those without a rating last."""
    here = [each for each in ratings if each.entrant in lines]
    keys = {each.entrant: _rate(lines[each.entrant], each) for each in here}
    low = [-inf if each.low is None else each.low for each in here]
    high = [inf if each.high is None else each.high for each in here]
    for each, (first, last) in zip(here, places(low, high, [range(len(here))]), strict=True):
        lines[each.entrant].first, lines[each.entrant].last = first, last
    rated = sorted(keys, key=lambda number: keys[number], reverse=True)
    for at, number in enumerate(rated):
        tied = at and keys[rated[at - 1]] == keys[number]
        lines[number].place = lines[rated[at - 1]].place if tied else at + 1
    return [*rated, *(number for number in lines if number not in keys)]


def _rate(line: Line, rating: PublishedRating) -> tuple[float, float]:
    """Put a rating into a line; by what it is placed: the lower end of the interval, then the rating."""
    line.rating = round(rating.rating)
    low = rating.rating - TOLD if rating.low is None else max(rating.low, rating.rating - TOLD)
    if rating.low is not None and rating.high is not None:
        known = rating.rating - rating.low <= TOLD and rating.high - rating.rating <= TOLD
        line.low, line.high = (round(rating.low), round(rating.high)) if known else (None, None)
    return low, rating.rating


def how_sure(lines: Sequence[Line], speaker: Speaker) -> list[str]:
    """Who may be the best, in a sentence; nothing before there are ratings."""
    rows = [
        Row(
            place=line.place,
            entrant=at,
            bot=line.bot,
            digest="",
            points=0.0,
            low=line.low,
            high=inf if line.high is None else line.high,
            first=line.first,
            last=line.last,
        )
        for at, line in enumerate(lines)
        if line.first is not None
    ]
    return who_is_best(rows, {row.entrant: row.bot for row in rows}, speaker)


# --- what is kept as long as nothing changes


@contextmanager
def _moment(store: Store | None) -> Iterator[Store | None]:
    """The store, to be read as it is at one moment; what was read of an earlier one is forgotten."""
    if store is None:
        yield None
        return
    with store.database.one_moment():
        now = store.database.moment()
        if now is None or store not in _KEPT or _KEPT[store][0] != now:
            _KEPT[store] = now, {}
        yield store


def _kept(store: Store, key: Any, ask: Callable[[], Found]) -> Found:
    """What `ask` has found at this moment, or finds now."""
    known = _KEPT[store][1]
    if key not in known:
        known[key] = ask()
    found: Found = known[key]
    return found


def _contest(store: Store | None, slug: str) -> int | None:
    """The number of a ladder's contest; none before the judge has begun it."""
    if store is None:
        return None
    numbers = _kept(store, "contests", lambda: {contest.name: contest.id for contest in store.contests()})
    return numbers.get(slug)
