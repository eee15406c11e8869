"""The standings of a contest: the format's own places, and beside them ratings, results and faults."""

from __future__ import annotations

import bisect
import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

import msgspec

from dohyo.core.contest import Entrant, Result
from dohyo.core.errors import OperatorError
from dohyo.core.rulings_in_force import InForce
from dohyo.i18n import Speaker
from dohyo.series.formats import BY_LEAGUE, BY_RATING, BY_SHARE, Format
from dohyo.series.store.records import Contest, Progress, PublishedRating, Tally

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped, unused-ignore]
    import polars

    from dohyo.series.ratings.meetings import Matches
    from dohyo.series.ratings.ratings import Ratings
    from dohyo.series.store import Store

COUNTS = {"won": "beaten", "drawn": "level", "lost": "ahead"}  # in a data frame: they count opponents, not matches
STATES = {
    "pauses": "contest.pauses",
    "left": "contest.left-it",
    "replaced": "contest.replaced",
    "disqualified": "contest.disqualified",
}
OUT = "disqualified"  # a state
GONE = frozenset({"left", "replaced", OUT})  # states of those who no longer play
DIGITS = 6  # behind the point, of points: sums of thirds are 24, not 23.999999999999996
TOLD = 800  # Elo, odds of 100 to 1: an interval's end that is further from its rating means "unknown"


def fails_in_most(faulty: int, matches: int) -> bool:
    """Whether somebody with a fault in `faulty` of its `matches` had one in most of them."""
    return 2 * faulty > matches


class Row(msgspec.Struct, kw_only=True):
    """One bot's line.

    `place`, `points` and `remark` (a key among the sentences, with `at`) come from the format; who holds no place, as
    a disqualified bot, has none. `elo`, its 95 % interval from `low` to `high`, and the possible places `first` to
    `last` within it are none without ratings.
    `faulty` counts matches in which it had a fault; `fails` says whether those are more than half of its matches.
    `won`, `drawn` and `lost` count opponents that were placed after it, with it and before it; `firsts` counts first
    places, shared ones too. `longest` is in seconds, `faults` are by kind. `state` is playing, pauses, left,
    replaced or disqualified.
    """

    place: int | None
    entrant: int
    bot: str
    digest: str
    points: float
    remark: str = ""
    at: int = 0
    elo: float | None = None
    low: float | None = None
    high: float | None = None
    first: int | None = None
    last: int | None = None
    matches: int = 0
    firsts: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    longest: float | None = None
    faults: dict[str, int] = {}
    faulty: int = 0
    state: str = "playing"

    @property
    def share(self) -> float | None:
        """Points a match, from 0 to 1 where points count opponents left behind; none before the first match."""
        return self.points / self.matches if self.matches else None

    @property
    def part_won(self) -> float:
        """The part of its comparisons with others that it has won, from 0 to 1; a draw is half a win."""
        return (self.won + self.drawn / 2) / max(1, self.won + self.drawn + self.lost)

    @property
    def holds_place(self) -> bool:
        """Whether it holds a place among the others: not if it is disqualified, or is away without a match that
        counts."""
        return self.state != OUT and (self.matches > 0 or self.state == "playing")

    @property
    def place_told(self) -> str:
        """Its place as people read it; `-` for one that holds none."""
        return "-" if self.place is None else str(self.place)

    @property
    def fails(self) -> bool:
        """Whether it had a fault in most of its matches."""
        return fails_in_most(self.faulty, self.matches)

    @property
    def told_low(self) -> float | None:
        """The lower end of the interval; none also if it is so far away that it means "unknown"."""
        return None if self.elo is None or self.low is None or self.elo - self.low > TOLD else self.low

    @property
    def told_high(self) -> float | None:
        """The upper end of the interval; none also if it is so far away that it means "unknown"."""
        return None if self.elo is None or self.high is None or self.high - self.elo > TOLD else self.high


def remark(row: Row, speaker: Speaker) -> list[str]:
    """What the format says of a bot, if anything: rounds count from 1 as in the bracket, batches from 0."""
    return [speaker.say(row.remark, at=row.at, round=row.at + 1)] if row.remark else []


def remarks(row: Row, speaker: Speaker) -> str:
    """What the format says of a bot, and whether it pauses, has left or is an older version; empty without either."""
    told = remark(row, speaker)
    told += [speaker.say(STATES[row.state])] if row.state in STATES else []
    return speaker.listed(told)


class Standings(msgspec.Struct, kw_only=True):
    """All lines, best first. `rated` says whether there are ratings; `groups` are bots that no results connect.

    `placed_by` says what decides the places first: points, share (points a match), rounds, league or rating.
    """

    rows: list[Row]
    rated: bool
    groups: list[list[str]] = []
    placed_by: str = "points"

    @overload
    def to_frame(self, library: Literal["pandas"]) -> pandas.DataFrame: ...
    @overload
    def to_frame(self, library: Literal["polars"]) -> polars.DataFrame: ...
    @overload
    def to_frame(self, library: str = "") -> Any: ...
    def to_frame(self, library: str = "") -> Any:
        """A data frame, a row for each bot, the best first; `faults` is how many it had in all.

        `beaten`, `level` and `ahead` count opponents, of whom a match may have several; `firsts` counts matches.
        `library` is pandas or polars, see `docs/notebooks.md`. Raises `OperatorError` where neither is installed.
        """
        from dohyo.series.dataframes import frame, rows_to_columns

        names = [name for name in Row.__struct_fields__ if name not in ("remark", "at")]
        rows = [[getattr(row, name) for name in names] for row in self.rows]
        columns = rows_to_columns([COUNTS.get(name, name) for name in names], rows)
        columns["faults"] = [sum(row.faults.values()) for row in self.rows]
        return frame(columns, library)


def standings_of(store: Store, contest: Contest, format_: Format, entrants: Sequence[Entrant]) -> Standings:
    """The standings by the format, with ratings and counts from all results.

    Results of an unfinished batch count for points only in a format in which they decide no pairing. They always
    count for ratings, and for places that follow from ratings.
    """
    out = InForce(store.rulings_of_bots(contest.id)).disqualified
    so_far: list[Result] = []
    if format_.info.counts_open_batch:
        so_far = list(store.played(contest.id, format_.batch))
    rows = {
        each.entrant: Row(
            place=each.place,
            entrant=each.entrant,
            bot=entrants[each.entrant].version.name,
            digest=entrants[each.entrant].version.digest,
            points=round(each.points, DIGITS),
            remark=each.remark,
            at=each.at,
            state=entrant_state(entrants[each.entrant], entrants, entrants[each.entrant].name in out),
        )
        for each in format_.standing(entrants, so_far)
    }
    _count(rows, store.tallies(contest.id), store.faults(contest.id), store.faulty(contest.id))
    standings = Standings(rows=list(rows.values()), rated=False, placed_by=format_.placed_by)
    _rate(standings, rows, store, contest, format_, entrants)
    if not all(row.holds_place for row in standings.rows):
        _place_last(standings)
    return standings


def _place_last(standings: Standings) -> None:
    """Put those who hold no place below all others, who move up."""
    gone = [row for row in standings.rows if not row.holds_place]
    kept = [row for row in standings.rows if row.holds_place]
    ahead = sorted(row.place for row in gone if row.place is not None)
    for row in kept:
        if row.place is not None:
            row.place -= bisect.bisect_left(ahead, row.place)
    for row in gone:
        row.place = None
    standings.rows = [*kept, *gone]


def ratings_to_publish(
    store: Store, contest: Contest, format_: Format, entrants: Sequence[Entrant]
) -> list[PublishedRating]:
    """The present ratings, to be stored; none of so many bots that they need NumPy, where it is not installed."""
    standings = standings_of(store, contest, format_, entrants)
    if not standings.rated:
        return []
    found = []
    for row in sorted(standings.rows, key=lambda row: row.entrant):
        known = format_.rating(row.entrant)
        mu, sigma = (known.mu, known.sigma) if known is not None else (None, None)
        if row.elo is not None:
            found.append(PublishedRating(row.entrant, row.elo, row.low, row.high, mu, sigma))
    return found


def entrant_state(entrant: Entrant, entrants: Sequence[Entrant], is_out: bool = False) -> str:
    """Whether an entrant of these plays, pauses, has left, was replaced by a newer version, or is disqualified."""
    if is_out:
        return OUT
    if any(other.follows == entrant.number for other in entrants) and entrant.until is not None:
        return "replaced"
    if entrant.until is not None:
        return "left"
    return "pauses" if entrant.absences and entrant.absences[-1][1] is None else "playing"


def _count(
    rows: dict[int, Row], tallies: Sequence[Tally], faults: dict[int, dict[str, int]], faulty: dict[int, int]
) -> None:
    for tally in tallies:
        row = rows[tally.entrant]
        row.matches += tally.matches
        row.firsts += tally.firsts
        row.won += tally.beaten
        row.drawn += tally.tied
        row.lost += tally.lost
        row.longest = max(row.longest or 0.0, tally.longest)
    for entrant, kinds in faults.items():
        rows[entrant].faults = dict(Counter(kinds).most_common())
    for entrant, matches in faulty.items():
        rows[entrant].faulty = matches


def _rate(
    standings: Standings,
    rows: dict[int, Row],
    store: Store,
    contest: Contest,
    format_: Format,
    entrants: Sequence[Entrant],
) -> None:
    """Add the ratings that are fitted to all results; where the format places by ratings, by these."""
    if not any(row.matches for row in rows.values()):
        return
    try:
        found = fitted(store, contest, len(entrants))
    except OperatorError as error:
        if error.key != "needs-numpy":
            raise
        return
    for rating in found.ratings:
        row = rows[rating.number]
        if row.matches:  # otherwise nothing is known of it
            row.elo, row.low, row.high = rating.rating, rating.low, rating.high
    _open_places(rows, found)
    standings.rated = True
    if format_.info.paired:
        _place(standings, has_leagues=format_.info.placed_by == BY_LEAGUE)
    groups = [group for group in found.groups if rows[group[0]].matches]
    if len(groups) > 1:
        standings.groups = [[rows[number].bot for number in group] for group in groups]


def _open_places(rows: dict[int, Row], found: Ratings) -> None:
    """The places that are open by the intervals, among those who hold one."""
    from dohyo.series.ratings.ratings import places

    ratings = [rating for rating in found.ratings if rows[rating.number].holds_place]
    at = {rating.number: index for index, rating in enumerate(ratings)}
    groups = [[at[number] for number in group if number in at] for group in found.groups]
    ranges = places([rating.low for rating in ratings], [rating.high for rating in ratings], groups)
    for rating, (first, last) in zip(ratings, ranges, strict=True):
        if rows[rating.number].matches:
            rows[rating.number].first, rows[rating.number].last = first, last


def _place(standings: Standings, has_leagues: bool) -> None:
    """Place the rows by the lower end of their intervals, within leagues if there are any; that end is the points.

    The end counts as at most `TOLD` below the rating.
    """

    def low(row: Row) -> float:
        return -math.inf if row.low is None or row.elo is None else max(row.low, row.elo - TOLD)

    def key(row: Row) -> tuple[float, float, float]:
        return row.points if has_leagues else 0, low(row), -math.inf if row.elo is None else row.elo

    standings.rows.sort(key=lambda row: row.entrant)
    standings.rows.sort(key=key, reverse=True)
    keys = [key(row) for row in standings.rows]
    for at, row in enumerate(standings.rows):
        row.place = standings.rows[at - 1].place if at and keys[at - 1] == keys[at] else at + 1
    for row in standings.rows:
        if not has_leagues:
            row.points = round(max(0.0, low(row)), DIGITS)


def why_not_by_elo(standings: Standings, names: Mapping[int, str], speaker: Speaker) -> str:
    """Why the order of places differs from the order of Elo, with two bots as the example; empty if it is the same.

    `names` are the bots' names, by entrant. The two are the first neighbours in the standings of whom the one with
    the better place has the lower Elo, as it is shown. Where places are by ratings and there are none, two of whom it
    has won a smaller part of its matches.
    """
    rated = [row for row in standings.rows if row.elo is not None and row.place is not None]
    for row, below in itertools.pairwise(rated):
        if _is_before(row, below) and round(row.elo or 0) < round(below.elo or 0):
            return speaker.say(
                f"contest.order.{standings.placed_by}",
                bot=names[row.entrant],
                bot_place=row.place,
                other=names[below.entrant],
                other_place=below.place,
            )
    return _why_not_by_wins(rated, standings.placed_by, names, speaker)


def _is_before(row: Row, below: Row) -> bool:
    """Whether both hold a place, and the first one a better one."""
    return row.place is not None and below.place is not None and row.place < below.place


def _why_not_by_wins(rated: Sequence[Row], placed_by: str, names: Mapping[int, str], speaker: Speaker) -> str:
    """The same for a bot that has won a smaller part of its matches than the one below it, in the same league."""
    if placed_by not in (BY_RATING, BY_LEAGUE):
        return ""
    for row, below in itertools.pairwise(rated):
        alike = placed_by == BY_RATING or row.points == below.points
        if alike and _is_before(row, below) and row.part_won < below.part_won:
            bots = {"bot": names[row.entrant], "other": names[below.entrant]}
            return speaker.say("contest.order.wins", **bots, bot_place=row.place, other_place=below.place)
    return ""


def share_note(format_: Format) -> str:
    """The key of the sentence that says why places are by points a match."""
    return "contest.by-share" if format_.info.placed_by == BY_SHARE else "contest.by-share-uneven"


def has_untold(standings: Standings) -> bool:
    """Whether an end of an interval is so far away that it is not shown."""
    return any(row.elo is not None and None in (row.told_low, row.told_high) for row in standings.rows)


def fitted(store: Store, contest: Contest, entrants: int) -> Ratings:
    """Ratings fitted to all results. Raises `OperatorError` for so many bots that NumPy is needed, without it."""
    from dohyo.series.ratings.ratings import rate

    return rate(matches_to_rate(store, contest), entrants)


def matches_to_rate(store: Store, contest: Contest) -> list[Matches]:
    """All results as ratings take them, ascending by number."""
    from dohyo.series.ratings.meetings import Matches

    return [Matches(block.width, block.entrants, block.places, block.seeds) for block in store.blocks(contest.id)]


def matches_of(format_: Format, progress: Sequence[Progress], over: bool = False) -> int | None:
    """How many matches the contest has in all; none if that depends on results, or is not known."""
    sizes = [batch.size for batch in progress]
    return sum(sizes) if over else format_.matches_in_all(sizes)
