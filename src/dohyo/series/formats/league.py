"""League: a bot that beats the boss of its league is promoted to the next one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dohyo.core.contest import Entrant, Result
from dohyo.core.errors import OperatorError
from dohyo.core.options import Option, from_to, whole
from dohyo.series.formats.base import BY_LEAGUE, TABLE, Format, FormatInfo, Seats, Standing, Terms, rotations
from dohyo.series.formats.matchmaking import Matchmaking
from dohyo.series.formats.named import SEVERAL, bots, number_of
from dohyo.series.formats.points import ranked, tables
from dohyo.series.formats.seeds import Lots
from dohyo.series.ratings.ladder_ratings import LadderRating, LadderRatings

USUAL_TABLE = 2


class League(Format):
    """One league more than there are bosses; everybody starts in the lowest, a new version in its predecessor's.

    `rounds` batches are played. In each, every bot has a table with its boss, and about one with others of its
    league; larger tables are filled up from the league, then from those next to it. A seed, played once from every
    seat, is won against the boss when the bot earns more in it. Who has won `margin` seeds more against its boss than
    it lost, since it came into the league, is promoted. Nobody is relegated; bosses stay.
    """

    info = FormatInfo(
        "league",
        (
            Option("bosses", (), SEVERAL, "each league's boss, the lowest league's first", bots),
            Option("margin", 5, from_to(1, 1000), "seeds to be ahead of the boss", whole(1, 1000)),
            TABLE,
        ),
        joins=True,
        placed_by=BY_LEAGUE,
        paired=True,
    )

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        self.size = terms.table(USUAL_TABLE)
        self.margin: int = terms.options["margin"]
        if not terms.options["bosses"]:
            raise OperatorError("format-bosses")
        self.ratings = LadderRatings()
        self.bosses: list[int] = []
        self.league: dict[int, int] = {}  # by entrant, from 0, the lowest
        self.lead: dict[int, int] = {}  # by entrant: seeds won less seeds lost against the boss of its league
        self._entrants: Sequence[Entrant] = ()

    def enter(self, entrants: Sequence[Entrant]) -> None:
        """Raises `OperatorError` when a boss is none of those who were there at the start."""
        super().enter(entrants)
        self._entrants = sorted(entrants, key=lambda entrant: entrant.number)
        self.ratings.enter(entrants)
        first = [entrant for entrant in entrants if entrant.number < self.terms.entrants]
        self.bosses = [number_of("bosses", named, first) for named in self.terms.options["bosses"]]
        self._admit()

    def _admit(self) -> None:
        """Give a league to everybody who is there in this batch."""
        for entrant in self._entrants:
            number = entrant.number
            if number not in self.league and entrant.since <= self.batch:
                before = -1 if entrant.follows is None else entrant.follows
                boss = number in self.bosses
                self.league[number] = self.bosses.index(number) if boss else self.league.get(before, 0)

    def draw(self, entrants: Sequence[Entrant]) -> Iterable[Sequence[Seats]]:
        """The next batch's tables, from the lowest league up."""
        here = self.here(entrants)
        if self.batch >= self.terms.rounds or len(here) < self.size:
            return []
        lots = Lots(self.terms.seed, self.batch)
        everybody = Matchmaking(here, self.ratings.of, lots)
        drawn: list[Seats] = []  # within a league
        climbing: list[Seats] = []  # against its boss
        for league in range(len(self.bosses) + 1):
            bots = [bot for bot in lots.shuffled(here) if self.league[bot] == league and bot not in self.bosses]
            if league < len(self.bosses) and self.bosses[league] in here:
                against = [self._filled((bot, self.bosses[league]), everybody) for bot in bots]
                climbing.extend(against)
            if len(bots) >= self.size:
                making = Matchmaking(bots, self.ratings.of, lots)
                drawn += making.tables(len(bots) // self.size, self.size)
            elif len(bots) > 1:
                drawn.append(self._filled(tuple(bots), everybody))
        return [rotations(table) for table in drawn + climbing]

    def _filled(self, table: Seats, everybody: Matchmaking) -> Seats:
        """The table, filled up to its size."""
        if len(table) == self.size:
            return everybody.seat(table)
        league = self.league[table[0]]
        others = [bot for bot in everybody.ratings if bot not in table]
        costs = {bot: (abs(self.league[bot] - league), everybody.cost(table[0], bot)) for bot in others}
        near = sorted(others, key=lambda bot: costs[bot])
        return everybody.seat(table + tuple(near[: self.size - len(table)]))

    def rating(self, entrant: int) -> LadderRating:
        """An entrant's rating, by which matches are paired."""
        return self.ratings.of(entrant)

    def learn(self, results: Sequence[Result]) -> None:
        """Ratings, and what was won and lost against bosses, seed by seed."""
        self._admit()
        self.ratings.take(played for played in results if played.places)
        seeds: dict[int, list[Result]] = {}
        for played in results:
            seeds.setdefault(played.fixture.seed, []).append(played)
        for matches in seeds.values():
            for credit in tables(matches).values():
                self._count(credit)

    def _count(self, credit: dict[int, int]) -> None:
        """Who earned more at a table: the bosses, or those who challenge them?"""
        for bot, earned in credit.items():
            league = self.league.get(bot, 0)
            boss = self.bosses[league] if league < len(self.bosses) else bot
            if bot in self.bosses or boss not in credit:
                continue
            lead = self.lead.get(bot, 0) + (earned > credit[boss]) - (earned < credit[boss])
            if lead >= self.margin:
                self.league[bot] = league + 1
                lead = 0
            self.lead[bot] = lead

    def standing(self, entrants: Sequence[Entrant], so_far: Sequence[Result] = ()) -> list[Standing]:
        """By league (counted from 1, the lowest; these are the points), then by the lower end of the rating."""
        self.enter(entrants)
        rows = []
        for entrant in entrants:
            number = entrant.number
            league, rating = self.league.get(number, 0) + 1, self.ratings.of(number)
            remark = "format.boss" if number in self.bosses else "format.league"
            standing = Standing(number, 0, league, rating.seats, (rating.low,), remark, league)
            rows.append(((league, round(rating.low, 6)), standing))
        return ranked(rows)
