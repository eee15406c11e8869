"""What a report shows of a contest: everything is read from the store here, and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from dohyo.core.contest import Fixture, Result, level
from dohyo.core.errors import OperatorError
from dohyo.core.game import State
from dohyo.core.referee import Referee
from dohyo.i18n import ENGLISH, Speaker
from dohyo.series.best import present
from dohyo.series.fault_reasons import FaultReason, fault_reasons
from dohyo.series.formats.brackets import Bracket
from dohyo.series.formats.hills import Hill
from dohyo.series.rulings import Book
from dohyo.series.session import ContestView, MatchNumbers
from dohyo.series.spec import reporting_damage
from dohyo.series.standings import Row, Standings, matches_to_rate
from dohyo.series.store.records import Aside, PairTally, Tally
from dohyo.series.versions import shown_names, version_numbers

FEW = 3  # batches: fewer are not enough for a chart
PARTS = 10  # of the matches; ratings are fitted after each
MAX_DEALT = 3000  # seeds: dealing more of them again would take too long
MAX_FITTED = 200_000  # matches: fitting more of them would take too long
MAX_LATEST = 100  # bots whose latest matches are shown
LATEST = 8  # of these


class Share(msgspec.Struct, frozen=True):
    """Somebody's results against others: how often it was placed before them, with them and after them."""

    beaten: int = 0
    tied: int = 0
    lost: int = 0

    @property
    def all(self) -> int:
        """How many comparisons these are."""
        return self.beaten + self.tied + self.lost

    @property
    def value(self) -> float | None:
        """The share of points, from 0 to 1; a tie is half a point; none if nothing was played."""
        return (self.beaten + self.tied / 2) / self.all if self.all else None

    def __add__(self, other: Share) -> Share:
        return Share(self.beaten + other.beaten, self.tied + other.tied, self.lost + other.lost)

    @property
    def turned(self) -> Share:
        """The share of the others."""
        return Share(self.lost, self.tied, self.beaten)


class History(msgspec.Struct, frozen=True):
    """Ratings over time: by entrant, after which batch, or after how many matches."""

    by_batch: bool = True
    moments: tuple[tuple[int, dict[int, float]], ...] = ()


class Ground(msgspec.Struct):
    """What was played on one map: how many matches, and each entrant's share."""

    matches: int = 0
    shares: dict[int, Share] = {}


class Content(msgspec.Struct):
    """A contest for a page. `rows` are those of the standings, best first; names and shares are by entrant's number.

    `versions` are the numbers of versions, from 1, for bots that have several.
    `present` are the rows of those who have neither left nor been replaced: only one of them can be the best.

    `bracket` and `hill` come from the format, if it has them; `numbers` says which matches the bracket's pairings
    are. `book` has what was ruled, `voided` counts matches that were played and count for nobody. `missed` are
    matches that were passed over, as a bot left, paused or is disqualified. `latest` are the last matches of the
    first bots, ascending. `links` lead to more about an entrant: to its latest matches, or to its page in a site;
    `pages` are the pages of matches.

    `limits` are the seconds for the first turn and for every other turn, if the clock has nothing else. `reasons` say
    why bots fail. `hand_ins` says whether the page tells which hand-ins were omitted, and which have the same
    content: that is for whoever holds the contest. `title` stands above the page; if empty, the names of the game and
    the contest.
    """

    view: ContestView
    standings: Standings
    versions: dict[int, int]
    names: dict[int, str]
    pairs: dict[tuple[int, int], Share]
    seats: dict[tuple[int, int], Share]
    grounds: dict[str, Ground]
    history: History
    aside: list[Aside]
    missed: list[Aside]
    limits: tuple[float, float] | None
    book: Book
    voided: int = 0
    bracket: Bracket | None = None
    numbers: MatchNumbers = {}
    hill: Hill | None = None
    latest: dict[int, list[Result]] = {}
    links: dict[int, str] = {}
    pages: dict[int, str] = {}
    reasons: list[FaultReason] = []
    hand_ins: bool = False
    title: str = ""

    @property
    def rows(self) -> list[Row]:
        """The lines of the standings."""
        return self.standings.rows

    @property
    def present(self) -> list[Row]:
        """The lines of those who still play, or pause."""
        return present(self.rows)

    @property
    def counting(self) -> int:
        """Matches whose results count."""
        return sum(batch.played for batch in self.view.progress)

    @property
    def scheduled(self) -> int:
        """Matches that are known so far, played or not."""
        return sum(batch.size for batch in self.view.progress)

    @property
    def are_duels(self) -> bool:
        """Whether every match had two seats."""
        return all(row.won + row.drawn + row.lost == row.matches for row in self.rows)

    @property
    def kinds(self) -> list[str]:
        """The kinds of faults that occurred, the most frequent first."""
        counts: Counter[str] = Counter()
        for row in self.rows:
            counts.update(row.faults)
        return sorted(counts, key=lambda kind: (-counts[kind], kind))


def content(view: ContestView, speaker: Speaker = ENGLISH) -> Content:
    """Everything that the page shows; versions of a bot are told apart by `speaker`."""
    with reporting_damage(view.store):
        return _content(view, speaker)


def _content(view: ContestView, speaker: Speaker) -> Content:
    store, contest = view.store, view.contest.id
    standings = view.standings()
    bots = [(row.entrant, row.bot) for row in standings.rows]
    bracket = view.bracket()
    asides, missed = view.asides()
    shown = [row.entrant for row in standings.rows[:MAX_LATEST] if row.matches]
    latest = {entrant: store.last_played(contest, LATEST, [entrant]) for entrant in shown}
    return Content(
        view=view,
        standings=standings,
        versions=version_numbers(bots),
        names=shown_names(bots, speaker, str),
        pairs=_pairs(store.pairs(contest)),
        seats=_seats(store.tallies(contest)),
        grounds=_grounds(view),
        history=_history(view),
        aside=asides,
        missed=missed,
        limits=_limits(view),
        book=Book(view),
        voided=view.voided,
        bracket=bracket,
        numbers={} if bracket is None else view.match_numbers(bracket),
        hill=view.hill(),
        latest=latest,
        links={entrant: f"#bot-{entrant}" for entrant in latest},
        reasons=fault_reasons(view),
    )


def _pairs(found: Sequence[PairTally]) -> dict[tuple[int, int], Share]:
    """The results of each against each other, in both directions."""
    shares = {}
    for pair in found:
        share = Share(pair.beaten, pair.tied, pair.lost)
        shares[pair.entrant, pair.other] = share
        shares[pair.other, pair.entrant] = share.turned
    return shares


def _seats(found: Sequence[Tally]) -> dict[tuple[int, int], Share]:
    """The results of each on each seat."""
    return {(tally.entrant, tally.seat): Share(tally.beaten, tally.tied, tally.lost) for tally in found}


def _grounds(view: ContestView) -> dict[str, Ground]:
    """The results on each map in the first matches, if the dice choose the map: seed and setup say which."""
    if view.game.referee is not None:
        return {}
    names: dict[int, str] = {}
    found: dict[str, Ground] = {}
    for result in view.store.played(view.contest.id):
        match = result.fixture
        if match.seed not in names:
            if len(names) >= MAX_DEALT:
                break
            names[match.seed] = view.game.map_name(_dealt(view, match))
        if not names[match.seed]:
            return {}
        ground = found.setdefault(names[match.seed], Ground())
        ground.matches += 1
        places = result.places
        for entrant, place, tied in zip(match.seats, places, level(places), strict=True):
            beaten, lost = sum(place < other for other in places), sum(other < place for other in places)
            share = Share(beaten, tied, lost)
            ground.shares[entrant] = ground.shares.get(entrant, Share()) + share
    return dict(sorted(found.items()))


def _dealt(view: ContestView, match: Fixture) -> State:
    """The state in which a match begins."""
    return Referee(view.game, view.spec.setup, len(match.seats), match.seed).state


def _history(view: ContestView) -> History:
    """The ratings that were published after batches; if these are few, ratings fitted to parts of the matches."""
    published = view.store.ratings(view.contest.id)
    if len(published) >= FEW:
        moments = [(batch, {each.entrant: each.rating for each in found}) for batch, found in published.items()]
        return History(True, tuple(moments))
    try:
        return History(False, tuple(_fitted(view)))
    except OperatorError as error:
        if error.key != "needs-numpy":
            raise
        return History()


def _fitted(view: ContestView) -> Iterator[tuple[int, dict[int, float]]]:
    """Ratings after each tenth of the matches, in the order of the schedule, for those who had played."""
    from dohyo.series.ratings.meetings import first_of
    from dohyo.series.ratings.ratings import rate

    known = matches_to_rate(view.store, view.contest)
    matches = sum(len(block.seeds) for block in known)
    if not len(view.entrants) <= matches <= MAX_FITTED:
        return
    for part in range(1, PARTS + 1):
        count = matches * part // PARTS
        ratings = rate(first_of(known, count), len(view.entrants), has_intervals=False).ratings
        yield count, {each.number: each.rating for each in ratings if each.matches}


def _limits(view: ContestView) -> tuple[float, float] | None:
    """The seconds for the first turn and for every other; none if bots have limits of their own, or a time bank."""
    clock = view.spec.clock
    if clock is None:
        if view.game.lifetimes or view.game.referee is not None:
            return None
        clock = next(iter(view.game.clocks.values()))
    return None if clock.has_reserve or clock.mode == "cpu" else (clock.limit(True), clock.limit(False))
