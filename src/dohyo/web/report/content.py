"""What a report shows of a contest: everything is read from the store here, and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from dohyo.app.contest.damage import reporting_damage
from dohyo.app.contest.drawing import Numbers, bracket_of, hill_of, numbers_of
from dohyo.app.contest.looking import Seen
from dohyo.app.contest.table import Row, Table, results
from dohyo.contest.formats.brackets import Bracket
from dohyo.contest.formats.hills import Hill
from dohyo.contest.ladder_ratings import LadderRating
from dohyo.core.errors import OperatorError
from dohyo.core.game import State
from dohyo.core.referee import Referee
from dohyo.i18n import say
from dohyo.store.records import Aside, Match, Pair, Rating, Result, Tally

FEW = 3  # batches: fewer make no picture
PARTS = 10  # of the matches, after each of which ratings are fitted
MOST_DEALT = 3000  # seeds: to deal each of more again would take long
MOST_FITTED = 200_000  # matches: of more that would take long
MOST_LATEST = 100  # bots whose latest matches are shown
LATEST = 8  # of these
SAME = 1e-6  # Elo
GONE = frozenset({"left", "replaced"})  # states of those who do not play any more


class Share(msgspec.Struct, frozen=True):
    """How somebody fared against others: how often before, beside and behind them."""

    beaten: int = 0
    tied: int = 0
    lost: int = 0

    @property
    def all(self) -> int:
        """How many comparisons these are."""
        return self.beaten + self.tied + self.lost

    @property
    def value(self) -> float | None:
        """The share of points, from 0 to 1, a tie being half of one; none where nothing was played."""
        return (self.beaten + self.tied / 2) / self.all if self.all else None

    def __add__(self, other: Share) -> Share:
        return Share(self.beaten + other.beaten, self.tied + other.tied, self.lost + other.lost)

    @property
    def turned(self) -> Share:
        """The same as the others see it."""
        return Share(self.lost, self.tied, self.beaten)


class History(msgspec.Struct, frozen=True):
    """Ratings as they went: by entrant, after which batch, or after how many matches."""

    by_batch: bool = True
    moments: tuple[tuple[int, dict[int, float]], ...] = ()


class Ground(msgspec.Struct):
    """What was played on one map: how many matches, and each entrant's share."""

    matches: int = 0
    shares: dict[int, Share] = {}


class Content(msgspec.Struct):
    """A contest for a page. `rows` are the standing's, best first; names and shares are by entrant's number.

    `versions` are the numbers of those versions of which a bot has several, from 1.
    `present` are the rows of those who have neither left nor been replaced: only one of them can be the best.

    `bracket` and `hill` are what the format has of these; `numbers` tells which matches the bracket's pairings are.
    `latest` are the last matches of the first bots, ascending. `links` lead to more about an entrant: to its latest
    matches, or to its page, where the report is a part of a site; `pages` are those of matches.

    `limits` are the seconds for the first turn and for every other, where that is all there is to it.
    """

    seen: Seen
    table: Table
    versions: dict[int, int]
    names: dict[int, str]
    pairs: dict[tuple[int, int], Share]
    seats: dict[tuple[int, int], Share]
    grounds: dict[str, Ground]
    history: History
    aside: list[Aside]
    limits: tuple[float, float] | None
    bracket: Bracket | None = None
    numbers: Numbers = {}
    hill: Hill | None = None
    latest: dict[int, list[tuple[Match, Result]]] = {}
    links: dict[int, str] = {}
    pages: dict[int, str] = {}

    @property
    def rows(self) -> list[Row]:
        """The lines of the standing."""
        return self.table.rows

    @property
    def present(self) -> list[Row]:
        """The lines of those who still play, or pause."""
        return [row for row in self.rows if row.state not in GONE]

    @property
    def played(self) -> int:
        """Matches with a result."""
        return sum(batch.played for batch in self.seen.progress)

    @property
    def scheduled(self) -> int:
        """Matches that are known by now, played or not."""
        return sum(batch.size for batch in self.seen.progress)

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


def content(seen: Seen, language: str = "en") -> Content:
    """Everything that the page shows; versions of a bot are told apart in `language`."""
    with reporting_damage(seen.store):
        return _content(seen, language)


def _content(seen: Seen, language: str) -> Content:
    store, contest = seen.store, seen.contest.id
    table = seen.standing()
    versions = _versions(table.rows)
    bracket = bracket_of(seen)
    shown = [row.entrant for row in table.rows[:MOST_LATEST] if row.matches]
    latest = {entrant: store.last_played(contest, LATEST, [entrant]) for entrant in shown}
    return Content(
        seen=seen,
        table=table,
        versions=versions,
        names=_names(table.rows, versions, language),
        pairs=_pairs(store.pairs(contest)),
        seats=_seats(store.tallies(contest)),
        grounds=_grounds(seen),
        history=_history(seen),
        aside=store.set_aside(contest),
        limits=_limits(seen),
        bracket=bracket,
        numbers={} if bracket is None else numbers_of(seen, bracket),
        hill=hill_of(seen),
        latest=latest,
        links={entrant: f"#bot-{entrant}" for entrant in latest},
    )


def _versions(rows: Sequence[Row]) -> dict[int, int]:
    """The numbers of versions, in the order in which they entered, of bots that have several."""
    entered: dict[str, list[int]] = {}
    for row in sorted(rows, key=lambda row: row.entrant):
        entered.setdefault(row.bot, []).append(row.entrant)
    several = (own for own in entered.values() if len(own) > 1)
    return {entrant: number for own in several for number, entrant in enumerate(own, 1)}


def _names(rows: Sequence[Row], versions: dict[int, int], language: str) -> dict[int, str]:
    """What bots are called, each version with its number."""
    names = {row.entrant: row.bot for row in rows}
    for entrant, number in versions.items():
        names[entrant] = say("report.version", language, bot=names[entrant], number=number)
    return names


def _pairs(found: Sequence[Pair]) -> dict[tuple[int, int], Share]:
    """How each fared against each other, both ways round."""
    shares = {}
    for pair in found:
        share = Share(pair.beaten, pair.tied, pair.lost)
        shares[pair.entrant, pair.other] = share
        shares[pair.other, pair.entrant] = share.turned
    return shares


def _seats(found: Sequence[Tally]) -> dict[tuple[int, int], Share]:
    """How each fared on each seat."""
    return {(tally.entrant, tally.seat): Share(tally.beaten, tally.tied, tally.lost) for tally in found}


def _grounds(seen: Seen) -> dict[str, Ground]:
    """How bots fared on each map in the first matches, where the dice choose one: seed and setup tell which."""
    names: dict[int, str] = {}
    found: dict[str, Ground] = {}
    for match, result in seen.store.played(seen.contest.id):
        if match.seed not in names:
            if len(names) >= MOST_DEALT:
                break
            names[match.seed] = seen.game.map_name(_dealt(seen, match))
        if not names[match.seed]:
            return {}
        ground = found.setdefault(names[match.seed], Ground())
        ground.matches += 1
        for entrant, place in zip(match.seats, result.places, strict=True):
            tied, lost = result.places.count(place) - 1, sum(other < place for other in result.places)
            share = Share(len(match.seats) - 1 - tied - lost, tied, lost)
            ground.shares[entrant] = ground.shares.get(entrant, Share()) + share
    return dict(sorted(found.items()))


def _dealt(seen: Seen, match: Match) -> State:
    """The state in which a match begins."""
    return Referee(seen.game, seen.spec.setup, len(match.seats), match.seed).state


def _history(seen: Seen) -> History:
    """The ratings that were published after batches; where these are few, fitted to the first matches of all."""
    published = {
        batch: found for batch, found in seen.store.ratings(seen.contest.id).items() if not _of_matchmaking(found)
    }
    if len(published) >= FEW:
        moments = [(batch, {each.entrant: each.rating for each in found}) for batch, found in published.items()]
        return History(True, tuple(moments))
    try:
        return History(False, tuple(_fitted(seen)))
    except OperatorError as error:
        if error.key != "needs-stats":
            raise
        return History()


def _of_matchmaking(found: Sequence[Rating]) -> bool:
    """Whether these are what matches are made by: of an older Dohyo, which published that, on another scale."""
    known = [each for each in found if each.mu is not None]
    return bool(known) and all(abs(LadderRating(each.mu or 0.0, 0.0).elo - each.rating) < SAME for each in known)


def _fitted(seen: Seen) -> Iterator[tuple[int, dict[int, float]]]:
    """Ratings after each tenth of the matches, in the order of the schedule; of those who had played."""
    from dohyo.contest.ratings import rate

    known = results(seen.store, seen.contest)
    matches = len(known.clusters)
    if not len(seen.entries) <= matches <= MOST_FITTED:
        return
    for part in range(1, PARTS + 1):
        count = matches * part // PARTS
        first = type(known)(*(array[:count] for array in known))
        ratings = rate(first, len(seen.entries), samples=0, paired=seen.fold.paired).ratings
        yield count, {each.number: each.rating for each in ratings if each.matches}


def _limits(seen: Seen) -> tuple[float, float] | None:
    """The seconds for the first turn and for every other; none where bots have limits of their own, or reserves."""
    clock = seen.spec.clock
    if clock is None:
        if seen.game.lifetimes:
            return None
        clock = next(iter(seen.game.clocks.values()))
    return None if clock.has_reserve or clock.mode == "cpu" else (clock.limit(True), clock.limit(False))
