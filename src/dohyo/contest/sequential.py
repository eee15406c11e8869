"""Did the bot improve? A sequential probability ratio test that stops as soon as it can decide.

The unit of observation is the cluster: all matches of one seed, with the seats changed about, since these are not
independent. Its score is the mean share of baseline opponents that the candidate stands before (a shared place is
half of one), from 0 to 1. For two seats a cluster is a pair of matches and the score one of 0, 1/4, 1/2, 3/4 and 1:
the pentanomial model of chess testing. Under a Plackett-Luce model without ties the expected score against equal
baselines is 1 / (1 + 10 ** (-Elo / 400)) with any number of seats, so one scale serves all games.

The test is Wald's with the bounds log(beta / (1 - alpha)) and log((1 - beta) / alpha). The distribution of scores is
not known, so each hypothesis is represented by the most likely distribution that has its mean: a generalised test
(Li, Liu and Ying, "Generalized sequential probability ratio test for separate families of hypotheses", Sequential
Analysis 33 (2014), 539-563), here over all distributions on the observed scores (Owen's empirical likelihood). With
counts n_i of scores a_i, maximising the sum of n_i log p_i under mean s gives, by a multiplier of Lagrange,

    p_i = (n_i / n) / (1 + m * (a_i - s)),    m the root of the sum of n_i (a_i - s) / (1 + m * (a_i - s)).

m lies between -1 / (the highest a_i - s) and -1 / (the lowest a_i - s), where the sum has poles. Near a pole
Newton's steps become as short as the distance to it, so the length of a step says nothing there; Brent's method keeps
a bracket round m and stops on the width of that alone.

A quarter of a cluster with score 0, and one with score 1, are added to the observations. Then both hypotheses are
always possible, and a few clusters that happen to agree do not decide: without it the error rates are a tenth above
alpha and beta where a test lasts some twenty clusters; with it they are below, for a few clusters more. With every
match won, the ratio grows by log(s1 / s0) a cluster and no faster.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

import msgspec

from dohyo.contest.libraries import special
from dohyo.core.contest import Result
from dohyo.core.errors import OperatorError

ADDED = 0.25
TINY = 1e-300  # the bracket's width is measured against the root alone
STEPS = 1000  # some ten are taken
ELO = 400 / math.log(10)
MOST_ELO = 4000.0  # far beyond any real comparison; from some 6,000 on a mean score is 1 to the last bit


class Hypotheses(msgspec.Struct, frozen=True):
    """The two hypotheses: the candidate is `elo0` points better, or `elo1`.

    `alpha` is how often at most it may be called better by `elo1` when it is better by `elo0`, `beta` the reverse.
    """

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        """Raises `OperatorError` for hypotheses that are no pair, or error rates that no test can have."""
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise OperatorError("compare-elo-order", elo0=self.elo0, elo1=self.elo1)
        for name, elo in (("elo0", self.elo0), ("elo1", self.elo1)):
            if abs(elo) > MOST_ELO:
                raise OperatorError("compare-elo-far", name=name, elo=elo, most=MOST_ELO)
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise OperatorError("compare-error-rate", name=name, rate=rate)

    @property
    def lower(self) -> float:
        """At this ratio or below, `elo0` is taken."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """At this ratio or above, `elo1` is taken."""
        return math.log((1 - self.beta) / self.alpha)


class Verdict(msgspec.Struct, frozen=True):
    """What the clusters so far say. `better` is the test's decision: elo1 (True), elo0 (False), not yet (None)."""

    clusters: int
    better: bool | None
    llr: float
    lower: float
    upper: float
    elo: float
    elo_low: float
    elo_high: float
    los: float  # likelihood of superiority: the probability that the candidate is better than 0 Elo


class Comparison:
    """The test as a fold over cluster scores, in order. Scores after the decision are ignored.

    So the decision is a function of the scores, however many at a time they come in.
    """

    def __init__(self, hypotheses: Hypotheses) -> None:
        self.hypotheses = hypotheses
        self.counts: dict[float, int] = {}  # how many clusters had which score
        self._llr = 0.0

    def take(self, scores: Iterable[float]) -> Verdict:
        """Take in the next clusters' scores; what is known then. `ValueError` for a score that is not in 0..1."""
        for score in scores:
            if self._better() is not None:
                break
            if not 0 <= score <= 1:
                raise ValueError(f"a score of {score} is not between 0 and 1")
            self.counts[score] = self.counts.get(score, 0) + 1
            wanted = (expected(self.hypotheses.elo0), expected(self.hypotheses.elo1))
            self._llr = log_likelihood_ratio(self.counts, *wanted)
        return self.verdict()

    def verdict(self) -> Verdict:
        """What the clusters so far say."""
        clusters = sum(self.counts.values())
        elo, low, high, los = estimate(self.counts)
        bounds = self.hypotheses.lower, self.hypotheses.upper
        return Verdict(clusters, self._better(), self._llr, *bounds, elo, low, high, los)

    def _better(self) -> bool | None:
        if self._llr >= self.hypotheses.upper:
            return True
        return False if self._llr <= self.hypotheses.lower else None


def expected(elo: float) -> float:
    """The mean score of a candidate that is `elo` points better than its opponents (logistic Elo)."""
    return 1 / (1 + 10 ** (-elo / 400))


def match_score(places: Sequence[int], seats: Sequence[int], candidate: int) -> float:
    """The share of pairs (candidate's seat, other seat) in which the candidate stands before; a shared place is half.

    `seats` are entrants' numbers. `ValueError` for a match that lacks the candidate, or opponents.
    """
    return float(_share(places, seats, candidate))


def _share(places: Sequence[int], seats: Sequence[int], candidate: int) -> Fraction:
    """The match's score, exactly: a cluster's parts add up to the same number in whatever order they are added."""
    own = [place for place, seat in zip(places, seats, strict=True) if seat == candidate]
    others = [place for place, seat in zip(places, seats, strict=True) if seat != candidate]
    if not own or not others:
        raise ValueError(f"entrant {candidate} did not play against anybody else in this match")
    halves = sum(2 * (mine < other) + (mine == other) for mine in own for other in others)
    return Fraction(halves, 2 * len(own) * len(others))


def cluster_scores(results: Iterable[Result], candidate: int, matches: int) -> Iterator[float]:
    """The scores of the clusters, each of `matches` fixtures in a row with the same seed, from fixture 0 on.

    It ends at the first cluster that lacks results: if later ones were counted, quick matches would count sooner than
    slow ones, and the test would favour the bot that wins quickly.
    """
    clusters: dict[int, list[Result]] = {}
    for played in sorted(results, key=lambda played: played.fixture.number):
        clusters.setdefault(played.fixture.seed, []).append(played)
    following = 0
    for cluster in clusters.values():
        if len(cluster) < matches or cluster[0].fixture.number != following:
            return
        following += matches
        shares = [_share(played.places, played.fixture.seats, candidate) for played in cluster]
        yield float(sum(shares) / len(shares))


def pentanomial(counts: dict[float, int]) -> tuple[int, int, int, int, int]:
    """How many pairs gave 0, 1/4, 1/2, 3/4 and 1, from `Comparison.counts` of a game for two."""
    lost, quarter, half, most, won = (counts.get(score, 0) for score in (0.0, 0.25, 0.5, 0.75, 1.0))
    return lost, quarter, half, most, won


def log_likelihood_ratio(counts: Mapping[float, float], score0: float, score1: float) -> float:
    """How much likelier the counts are under a mean of `score1` than of `score0`, in natural logarithms.

    `counts` tells how many clusters had which score, from 0 to 1; the means lie between.
    """
    seen = dict(counts)
    for end in (0.0, 1.0):
        seen[end] = seen.get(end, 0) + ADDED
    cells = sorted(seen.items())
    return _evidence(cells, score0) - _evidence(cells, score1)


def _evidence(cells: Sequence[tuple[float, float]], mean: float) -> float:
    """How much likelier (score, count) in ascending order are without any condition than under this mean."""
    away = [(score - mean, count) for score, count in cells]
    m = _multiplier(away)
    return math.fsum(count * math.log1p(m * apart) for apart, count in away)


def _multiplier(away: Sequence[tuple[float, float]]) -> float:
    """Lagrange's multiplier m (see the module) of scores less the mean, ascending, each with how often it was seen.

    No probability of the likeliest distribution is above 1, so that 1 + m * a_i is at least n_i / n. Half of that at
    both ends gives a bracket that lies clear of the poles, and certainly holds m.
    """
    from scipy import optimize  # type: ignore[import-untyped]  # slow to import, and ratings do without

    total = math.fsum(count for _, count in away)
    (lowest, of_lowest), (highest, of_highest) = away[0], away[-1]
    low, high = (of_highest / (2 * total) - 1) / highest, (of_lowest / (2 * total) - 1) / lowest

    def slope(m: float) -> float:
        return math.fsum(count * apart / (1 + m * apart) for apart, count in away)

    return float(optimize.brentq(slope, low, high, xtol=TINY, maxiter=STEPS))


def estimate(counts: dict[float, int], sure: float = 0.95) -> tuple[float, float, float, float]:
    """Elo, the ends of its interval, and the likelihood of superiority, from how many clusters had which score.

    Half a cluster won and half a one lost are added, so that all is finite, and wide when little is known. After a
    test that stopped early the Elo is always a little too far on the side where it stopped.
    """
    clusters = sum(counts.values()) + 1
    mean = (math.fsum(score * count for score, count in counts.items()) + 0.5) / clusters
    square = (math.fsum(score * score * count for score, count in counts.items()) + 0.5) / clusters
    error = math.sqrt((square - mean * mean) / clusters)
    elo = ELO * math.log(mean / (1 - mean))
    wide = ELO * error / (mean * (1 - mean)) * float(special.ndtri((1 + sure) / 2))
    return elo, elo - wide, elo + wide, float(special.ndtr((mean - 0.5) / error))
