"""Ratings that follow results one by one: openskill's Plackett-Luce, by which ladders and leagues make matches.

They are computed result by result in their order, so the same results in the same order give the same numbers on any
machine; another order gives slightly other ones. They are only for matchmaking: published ratings are fitted to all
results at once (`ratings`), with another scale.

Each bot has a mean `mu` and a deviation `sigma` (Weng and Lin, "A Bayesian approximation method for online ranking",
Journal of Machine Learning Research 12 (2011), 267-300), at first 25 and 25/3. For display they are put on a scale
like Elo's, on which 25 is 1500 and a duel of two well-known bots is won with the probability of Elo's formula: the
model's is 1 / (1 + exp(-difference / (sqrt(2) * beta))), beta = 25/6, so one unit of mu is 29.5 points.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from dohyo.core.contest import Entrant, Result
from dohyo.core.errors import OperatorError

MU, SIGMA, BETA = 25.0, 25 / 3, 25 / 6
CENTRE = 1500.0
POINTS = 400 / math.log(10) / (math.sqrt(2) * BETA)  # Elo points for one unit of mu
NORMAL = 1.959964  # a normal distribution's 97.5 % point


class LadderRating(msgspec.Struct, frozen=True):
    """The rating of one entrant: openskill's mean and deviation, and the number of seats that it has played."""

    mu: float
    sigma: float
    seats: int = 0

    @property
    def elo(self) -> float:
        """The mean on the Elo-like scale."""
        return CENTRE + POINTS * (self.mu - MU)

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval, on the Elo-like scale."""
        return self.elo - NORMAL * POINTS * self.sigma

    @property
    def high(self) -> float:
        """The upper end of the 95 % interval, on the Elo-like scale."""
        return self.elo + NORMAL * POINTS * self.sigma


class LadderRatings:
    """The ratings so far. Results are taken in order; reading changes nothing.

    A new version of a bot starts with the mean that its predecessor has when the new version first plays, and with
    the deviation of a new bot.
    """

    def __init__(self, entrants: Sequence[Entrant] = ()) -> None:
        """Raises `OperatorError` where openskill is not installed."""
        self._model = _model()
        self._follows: dict[int, int | None] = {}
        self._ratings: dict[int, LadderRating] = {}
        self.enter(entrants)

    def enter(self, entrants: Iterable[Entrant]) -> None:
        """Set entrants that may be new, before their first results. One that was not set has no predecessor."""
        self._follows.update((entrant.number, entrant.follows) for entrant in entrants)

    def take(self, results: Iterable[Result]) -> None:
        """Take in results, in the order given: ascending by the fixture's number in a contest."""
        for played in results:
            self._take(played)

    def of(self, number: int) -> LadderRating:
        """The rating of an entrant now."""
        return self._ratings.get(number) or LadderRating(self._start(number), SIGMA)

    def _take(self, played: Result) -> None:
        seats = played.fixture.seats
        before = {number: self.of(number) for number in seats}
        if len(before) < 2:
            return  # alone, or only against itself
        teams = [[self._model.rating(mu=before[number].mu, sigma=before[number].sigma)] for number in seats]
        rated = self._model.rate(teams, ranks=[float(place) for place in played.places])
        for number, old in before.items():
            own = [team[0] for team, seat in zip(rated, seats, strict=True) if seat == number]
            # On several seats of one match: the mean of what they say, and no more certainty than the least of them.
            mu = sum(rating.mu for rating in own) / len(own)
            self._ratings[number] = LadderRating(mu, max(rating.sigma for rating in own), old.seats + len(own))

    def _start(self, number: int) -> float:
        """The mean to start from: that of the nearest predecessor that has played."""
        seen = {number}
        before = self._follows.get(number)
        while before is not None and before not in seen:
            if before in self._ratings:
                return self._ratings[before].mu
            seen.add(before)
            before = self._follows.get(before)
        return MU


def _model() -> Any:
    """openskill's model, with its usual parameters. Raises `OperatorError` where it is not installed."""
    try:
        from openskill.models import PlackettLuce
    except ImportError as error:
        raise OperatorError("needs-stats") from error
    return PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA)
