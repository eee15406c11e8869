"""Ladder: bots with similar ratings meet, until the contest is stopped; bots may join and leave while it runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dohyo.core.contest import Entrant, Result
from dohyo.core.options import Option, from_to, whole
from dohyo.series.formats.base import BY_RATING, TABLE, Format, FormatInfo, Seats, Standing, Terms, rotations
from dohyo.series.formats.matchmaking import Matchmaking
from dohyo.series.formats.points import ranked
from dohyo.series.formats.seeds import Lots
from dohyo.series.ratings.ladder_ratings import LadderRating, LadderRatings

USUAL_TABLE = 4


class Ladder(Format):
    """A batch has `batch` tables, each of which plays its seed once from every seat. It has no rounds.

    Who meets whom follows ratings that take results in seed by seed: bots that cannot be told apart. A new version
    starts from its predecessor's mean and with the widest interval, and plays up to four times as often as others.
    Published are not these ratings, but those fitted to all results (`dohyo.series.standings`).
    """

    info = FormatInfo(
        "ladder",
        (Option("batch", 64, from_to(1, 100000), "tables a batch", whole(1, 100_000)), TABLE),
        joins=True,
        ends=False,
        waits=False,
        placed_by=BY_RATING,
        paired=True,
    )

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        self.size = terms.table(USUAL_TABLE)
        self.ratings = LadderRatings()

    def enter(self, entrants: Sequence[Entrant]) -> None:
        """Set the entrants; an entrant's first rating depends on its predecessor."""
        super().enter(entrants)
        self.ratings.enter(entrants)

    def draw(self, entrants: Sequence[Entrant]) -> Iterable[Sequence[Seats]]:
        """The next batch's tables."""
        lots = Lots(self.terms.seed, self.batch)
        making = Matchmaking(self.here(entrants), self.ratings.of, lots)
        return [rotations(table) for table in making.tables(self.terms.options["batch"], self.size)]

    def rating(self, entrant: int) -> LadderRating:
        """An entrant's rating, by which matches are paired."""
        return self.ratings.of(entrant)

    def learn(self, results: Sequence[Result]) -> None:
        """Take in results; matches without one are ignored."""
        self.ratings.take(played for played in results if played.places)

    def standing(self, entrants: Sequence[Entrant], so_far: Sequence[Result] = ()) -> list[Standing]:
        """By the lower end of the interval that matches are made by, then by its mean; points are the former."""
        self.enter(entrants)
        rows = []
        for entrant in entrants:
            rating = self.ratings.of(entrant.number)
            standing = Standing(entrant.number, 0, rating.low, rating.seats, (rating.elo,))
            rows.append(((round(rating.low, 6), round(rating.elo, 6)), standing))
        return ranked(rows)
