"""A contest as its page shows it: places by its format's own rule, its rounds and its bracket.

What is made of a store is kept as long as nothing has changed in it: a class looks at one page.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from threading import Lock
from typing import Any

import msgspec
from msgspec.structs import replace

from dohyo.core.contest import Result
from dohyo.core.rulings_in_force import InForce, Ruling
from dohyo.guests.site.arena import hand_ins
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.arena.sight import seen, sight
from dohyo.guests.site.arena.standings import Line
from dohyo.guests.site.people.accounts import Person
from dohyo.series.formats.brackets import FINAL, MAIN, Bracket, Pairing
from dohyo.series.session import ContestView, MatchNumbers, look
from dohyo.series.standings import TOLD, Row
from dohyo.series.store import Store
from dohyo.series.store.database import Database

KEPT = 64  # pages
OF_CONTEST = ("place", "rating", "low", "high", "matches", "won", "drawn", "lost", "faulty")  # of a line
RECENT = 12  # matches, where the format has no rounds that decide who meets whom
MAX_ROUNDS, MAX_MATCHES = 30, 60  # that are shown


class Place(msgspec.Struct, frozen=True):
    """One bot's line. `points` is what its format counts, `remark` a key of what that says of it, with `at`.

    `out` says why it is disqualified; none if it is not.
    """

    place: int | None
    bot: str
    points: str
    author: str = ""
    remark: str = ""
    at: int = 0
    rating: int | None = None
    low: int | None = None
    high: int | None = None
    matches: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    faulty: int = 0
    out: str | None = None


class Met(msgspec.Struct, frozen=True):
    """One match: its number, and who took part, by seat, with their places."""

    number: int
    bots: list[tuple[str, int]]


class Pair(msgspec.Struct, frozen=True):
    """A pairing of a bracket: names (empty: not known yet), how many opponents each was placed before, matches."""

    bots: list[tuple[str, str, bool]]
    state: str
    matches: list[int]


class Column(msgspec.Struct, frozen=True):
    """A round of a bracket: the key of its name, its number, and its pairings."""

    name: str
    number: int
    pairs: list[Pair]


class ContestPage(msgspec.Struct, frozen=True):
    """What a contest's page shows. `rounds` are the newest first; `all` is how many matches there are, if known.

    `is_whole` says that nothing is hidden from who asks: standings that are frozen tell nothing of who wins.
    """

    places: list[Place] = []
    played: int = 0
    all: int | None = None
    is_begun: bool = False
    is_over: bool = False
    rounds: list[tuple[int, list[Met]]] = []
    recent: list[Met] = []
    sides: list[tuple[str, list[Column]]] = []
    rated: bool = False
    is_whole: bool = True

    @property
    def winners(self) -> list[str]:
        """Who has the first place, once something was played; nobody while results are hidden from who asks."""
        known = self.is_whole and self.played
        return [each.bot for each in self.places if each.place == 1] if known else []


_KEPT: OrderedDict[tuple[Any, ...], ContestPage] = OrderedDict()
_LOCK = Lock()  # of what is kept, never while anything is read
_MAKING: dict[tuple[Any, ...], Lock] = {}  # by contest: the second who wants its page waits for the first


def contest_page(arena: Arena, database: Database, ladder: Ladder, person: Person | None) -> ContestPage:
    """A contest as this person sees it; an empty one before it has begun."""
    page = _contest_page(arena, ladder, person)
    authors = hand_ins.authors(database, ladder, [each.bot for each in page.places], person)
    places = [replace(each, author=authors.get(each.bot, "")) for each in page.places]
    return replace(page, places=places, is_whole=sight(ladder, person).is_whole)


def is_over(arena: Arena, ladder: Ladder, person: Person | None) -> bool:
    """Whether a contest is over as this person sees it: its state alone is read, for lists of many."""
    with seen(arena, ladder, person) as store:
        found = [] if store is None else store.contests()
    return any(each.name == ladder.slug and each.state == "over" for each in found)


def contest_lines(arena: Arena, database: Database, ladder: Ladder, person: Person | None) -> list[Line]:
    """The lines of a contest's bots as this person sees them, in the order and with the places of its format.

    Ratings stand beside them and decide nothing. Who is disqualified is not among them.
    """
    page = contest_page(arena, database, ladder, person)
    return [placed_as(each, Line(each.bot, each.author)) for each in page.places if each.out is None]


def placed_as(place: Place | None, line: Line) -> Line:
    """A bot's line with what a contest's standings say of it, its rating too: they alone decide; none: nothing."""
    if place is None:
        return replace(line, place=None, rating=None, low=None, high=None, first=None, last=None)
    return replace(line, first=None, last=None, **{name: getattr(place, name) for name in OF_CONTEST})


def _contest_page(arena: Arena, ladder: Ladder, person: Person | None) -> ContestPage:
    with seen(arena, ladder, person) as store:
        if store is None or ladder.slug not in {contest.name for contest in store.contests()}:
            return ContestPage()
        contest = store.contest(ladder.slug)
        progress = tuple((each.size, each.played, each.set_aside) for each in store.progress(contest.id))
        rulings, bots = store.count_rulings(contest.id), len(store.entrants(contest.id))
        if not bots:  # it begins at this moment
            return ContestPage()
        key = (store.database.address.url, contest.id, contest.state, progress, rulings, bots)
        with _LOCK:
            making = _MAKING.setdefault(key[:2], Lock())
        with making:
            if (found := _known(key)) is None:
                found = _page(store, look(store, ladder.slug))
                _keep(key, found)
            return found


def _known(key: tuple[Any, ...]) -> ContestPage | None:
    """The page that is kept; none if there is none."""
    with _LOCK:
        if key in _KEPT:
            _KEPT.move_to_end(key)
        return _KEPT.get(key)


def _keep(key: tuple[Any, ...], page: ContestPage) -> None:
    with _LOCK:
        _KEPT[key] = page
        while len(_KEPT) > KEPT:
            _KEPT.popitem(last=False)


def _page(store: Store, view: ContestView) -> ContestPage:
    standings, bracket = view.standings(), view.bracket()
    out = InForce(store.rulings_of_bots(view.contest.id)).disqualified
    sides = [] if bracket is None else _sides(bracket, view, view.match_numbers(bracket))
    is_over = view.contest.state == "over"
    waits = view.format.info.waits
    recent = [] if waits else [_met(each, view) for each in reversed(store.last_played(view.contest.id, RECENT))]
    return ContestPage(
        places=[_place(row, out) for row in standings.rows],
        played=view.played,
        all=None if is_over else view.format.matches_in_all([each.size for each in view.progress]),
        is_begun=bool(view.entrants),
        is_over=is_over,
        rounds=_rounds(store, view) if waits else [],
        recent=recent,
        sides=sides,
        rated=standings.rated,
    )


def _place(row: Row, out: Mapping[str, Ruling]) -> Place:
    known = row.elo is not None and row.low is not None and row.high is not None
    known = known and row.elo - row.low <= TOLD and row.high - row.elo <= TOLD  # type: ignore[operator]
    return Place(
        place=row.place,
        bot=row.bot,
        points=f"{row.points:.2f}".rstrip("0").rstrip("."),
        remark=row.remark,
        at=row.at,
        rating=None if row.elo is None else round(row.elo),
        low=round(row.low) if known and row.low is not None else None,
        high=round(row.high) if known and row.high is not None else None,
        matches=row.matches,
        won=row.won,
        drawn=row.drawn,
        lost=row.lost,
        faulty=row.faulty,
        out=out[row.bot].because if row.bot in out else None,
    )


def _met(result: Result, view: ContestView) -> Met:
    seats = [view.name(number) for number in result.fixture.seats]
    return Met(result.fixture.number, list(zip(seats, result.places, strict=True)))


def _rounds(store: Store, view: ContestView) -> list[tuple[int, list[Met]]]:
    """The last rounds, the newest first, each with its matches."""
    found = []
    for batch in reversed(view.progress[-MAX_ROUNDS:]):
        results = list(store.played(view.contest.id, batch.batch))[-MAX_MATCHES:]
        if results:
            found.append((batch.batch + 1, [_met(each, view) for each in results]))
    return found


def _sides(bracket: Bracket, view: ContestView, numbers: MatchNumbers) -> list[tuple[str, list[Column]]]:
    """The rounds of each side of a bracket."""
    found = []
    for side in bracket.sides():
        columns = []
        for at, each in enumerate(side):
            is_last = at == len(side) - 1 and len(each.pairings) == 1
            name = "bracket.round"
            if each.side == FINAL:
                name = "bracket.finals" if each.number == 1 else "bracket.final-again"
            elif each.side == MAIN and is_last:
                name = "bracket.final"
            pairs = [_pair(pairing, view, numbers) for pairing in each.pairings if pairing.slots]
            columns.append(Column(name, each.number, pairs))
        found.append((side[0].side, columns))
    return found


def _pair(pairing: Pairing, view: ContestView, numbers: MatchNumbers) -> Pair:
    bots = [
        (
            "" if slot.entrant is None else view.name(slot.entrant),
            f"{slot.beaten:g}" if pairing.played else "",
            slot.goes_on,
        )
        for slot in pairing.slots
    ]
    found = [] if pairing.batch is None else numbers.get((pairing.batch, pairing.entrants), [])
    return Pair(bots, pairing.state, found)
