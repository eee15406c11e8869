"""Ratings that follow results seed by seed: Weng and Lin's, by which ladders and leagues make matches.

They are computed in the results' order, so the same results in the same order give the same numbers on any machine;
another order gives slightly other ones. They are only for matchmaking: published ratings are fitted to all results at
once (`ratings`), with another scale.

Each bot has a mean `mu` and a deviation `sigma`, at first 25 and 25/3. A match changes them by the method for
Plackett and Luce's model of R. C. Weng and C.-J. Lin, "A Bayesian approximation method for online ranking", Journal
of Machine Learning Research 12 (2011), 267-300 (algorithm 4, with their gamma), and before it a deviation grows a
little, so that nobody's is ever certain. The matches of a seed may come out alike: they count as one, with the mean
of what each of them would change. For display they are put on a scale like Elo's, on which 25 is 1500 and a duel of
two well-known bots is won with the probability of Elo's formula: the model's is 1 / (1 + exp(-difference / (sqrt(2) *
beta))), beta = 25/6, so one unit of mu is 29.5 points.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from dohyo.core.contest import Entrant, Result, level

MU, SIGMA, BETA = 25.0, 25 / 3, 25 / 6
DRIFT = MU / 300  # by so much a deviation grows before a match
LEAST = 1e-4  # of a variance, that a match leaves
CENTRE = 1500.0
POINTS = 400 / math.log(10) / (math.sqrt(2) * BETA)  # Elo points for one unit of mu
NORMAL = 1.959964  # a normal distribution's 97.5 % point


class LadderRating(msgspec.Struct, frozen=True):
    """The rating of one entrant: mean and deviation, and the number of seats that it has played."""

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

    def __init__(self, entrants: Iterable[Entrant] = ()) -> None:
        self._follows: dict[int, int | None] = {}
        self._ratings: dict[int, LadderRating] = {}
        self.enter(entrants)

    def enter(self, entrants: Iterable[Entrant]) -> None:
        """Set entrants that may be new, before their first results. One that was not set has no predecessor."""
        self._follows.update((entrant.number, entrant.follows) for entrant in entrants)

    def take(self, results: Iterable[Result]) -> None:
        """Take in results, in the order given: ascending by the fixture's number in a contest.

        All of a seed's come at once.
        """
        seeds: dict[int, list[Result]] = {}
        for played in results:
            seeds.setdefault(played.fixture.seed, []).append(played)
        for matches in seeds.values():
            self._take(matches)

    def of(self, number: int) -> LadderRating:
        """The rating of an entrant now."""
        return self._ratings.get(number) or LadderRating(self._start(number), SIGMA)

    def _take(self, matches: Sequence[Result]) -> None:
        """Take in what counts as one: the mean of what each of the matches says of a bot."""
        said: dict[int, list[LadderRating]] = {}
        for played in matches:
            seats = played.fixture.seats
            if len(set(seats)) < 2:
                continue  # alone, or only against itself
            before = [self.of(number) for number in seats]
            for number, own in _by_bot(seats, after(before, played.places)).items():
                said.setdefault(number, []).append(own)
        for number, each in said.items():
            mu, sigma = (sum(getattr(own, name) for own in each) / len(each) for name in ("mu", "sigma"))
            seen = self.of(number).seats + sum(own.seats for own in each)
            self._ratings[number] = LadderRating(mu, sigma, seen)

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


class _Team(NamedTuple):
    """What the method knows of a seat: its mean, variance and strength, and its place."""

    mu: float
    variance: float
    strength: float
    place: int


def after(before: Sequence[LadderRating], places: Sequence[int]) -> list[LadderRating]:
    """The ratings of a match's seats after it, by their places (1 the best, equal ones shared).

    Those who share a place for their faults (`level`) lost to the others; nothing follows of one against the other.
    """
    variances = [rating.sigma**2 + DRIFT**2 for rating in before]
    scale = math.sqrt(sum(variance + BETA**2 for variance in variances))
    teams = [
        _Team(rating.mu, variance, math.exp(rating.mu / scale), place)
        for rating, variance, place in zip(before, variances, places, strict=True)
    ]
    left = [sum(other.strength for other in teams if other.place >= own.place) for own in teams]
    tied = [1 + others for others in level(places)]
    counts = [each == places.count(place) for each, place in zip(tied, places, strict=True)]
    found = []
    for at, own in enumerate(teams):
        surprise = certainty = 0.0
        for turn, other in enumerate(teams):
            if other.place <= own.place and counts[turn]:
                share = own.strength / left[turn]
                surprise += ((turn == at) - share) / tied[turn]
                certainty += share * (1 - share) / tied[turn]
        deviation = math.sqrt(own.variance)
        certainty *= deviation / scale * own.variance / scale**2
        mu = own.mu + surprise * own.variance / scale
        found.append(LadderRating(mu, deviation * math.sqrt(max(1 - certainty, LEAST)), 1))
    return found


def _by_bot(seats: Sequence[int], rated: Sequence[LadderRating]) -> dict[int, LadderRating]:
    """By bot what the match says of it; on several seats their mean, with no more certainty than the least."""
    found = {}
    for number in seats:
        own = [rating for rating, seat in zip(rated, seats, strict=True) if seat == number]
        mu = sum(rating.mu for rating in own) / len(own)
        found[number] = LadderRating(mu, max(rating.sigma for rating in own), len(own))
    return found
