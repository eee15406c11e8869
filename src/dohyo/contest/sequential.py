"""Did it improve? A sequential probability ratio test that stops as soon as it knows.

The unit of observation is the cluster: all matches of one seed, with the seats changed about, since these are not
independent. Its score is the mean share of baseline opponents that the candidate stands before (a shared place is
half of one), from 0 to 1. For two seats a cluster is a pair of matches and the score one of 0, 1/4, 1/2, 3/4 and 1:
the pentanomial model of chess testing. Under a Plackett-Luce model without ties the expected score against equal
baselines is 1 / (1 + 10 ** (-Elo / 400)) with any number of seats, so one scale serves all games.

The test is Wald's with the bounds log(beta / (1 - alpha)) and log((1 - beta) / alpha). The distribution of scores is
not known, so each hypothesis speaks through the most likely distribution that has its mean: a generalised test (Li,
Liu and Ying, "Generalized sequential probability ratio test for separate families of hypotheses", Sequential Analysis
33 (2014), 539-563), here over all distributions on the observed scores (Owen's empirical likelihood). With counts n_i
of scores a_i, maximising the sum of n_i log p_i under mean s gives, by a multiplier of Lagrange,

    p_i = (n_i / n) / (1 + m * (a_i - s)),    m the root of the sum of n_i (a_i - s) / (1 + m * (a_i - s)).

A quarter of a cluster each with a score of 0 and of 1 is added to what was seen. Both hypotheses are then always
possible, and a few clusters that happen to agree do not decide: without it the error rates are a tenth above alpha
and beta where a test lasts some twenty clusters; with it they are below, for a few clusters more. With every match
won, the ratio grows by log(s1 / s0) a cluster and no faster.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from dohyo.contest.fixtures import Played
from dohyo.contest.libraries import Floats, np, special
from dohyo.core.errors import OperatorError

ADDED = 0.25
ELO = 400 / math.log(10)
STEPS = 100


class Hypotheses(msgspec.Struct, frozen=True):
    """What is told apart: the candidate is `elo0` points better, or `elo1`.

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
    """The test as a fold over cluster scores, in order. What comes after the decision is not looked at.

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
            values = np.array(sorted({0.0, 1.0, *self.counts}))
            counts = np.array([self.counts.get(float(value), 0) for value in values], dtype=float)
            wanted = (expected(self.hypotheses.elo0), expected(self.hypotheses.elo1))
            self._llr = float(log_likelihood_ratio(values, counts, *wanted))
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
    own = [place for place, seat in zip(places, seats, strict=True) if seat == candidate]
    others = [place for place, seat in zip(places, seats, strict=True) if seat != candidate]
    if not own or not others:
        raise ValueError(f"entrant {candidate} did not play against anybody else in this match")
    won = sum((mine < other) + (mine == other) / 2 for mine in own for other in others)
    return won / (len(own) * len(others))


def cluster_scores(results: Iterable[Played], candidate: int, matches: int) -> Iterator[float]:
    """The scores of the clusters, each of `matches` fixtures in a row with the same seed, from fixture 0 on.

    It ends at the first cluster that lacks results: were those behind it counted, quick matches would count sooner
    than slow ones, and a test that stops when it has seen enough would favour whoever wins quickly.
    """
    clusters: dict[int, list[Played]] = {}
    for played in sorted(results, key=lambda played: played.fixture.number):
        clusters.setdefault(played.fixture.seed, []).append(played)
    following = 0
    for cluster in clusters.values():
        if len(cluster) < matches or cluster[0].fixture.number != following:
            return
        following += matches
        scores = [match_score(played.places, played.fixture.seats, candidate) for played in cluster]
        yield _tidy(math.fsum(scores) / len(scores))


def pentanomial(counts: dict[float, int]) -> tuple[int, int, int, int, int]:
    """How many pairs gave 0, 1/4, 1/2, 3/4 and 1, from `Comparison.counts` of a game for two."""
    lost, quarter, half, most, won = (counts.get(score, 0) for score in (0.0, 0.25, 0.5, 0.75, 1.0))
    return lost, quarter, half, most, won


def log_likelihood_ratio(values: Floats, counts: Floats, score0: float, score1: float) -> Floats:
    """How much likelier the counts are under a mean of `score1` than of `score0`, in natural logarithms.

    `values` (cells,) are the possible scores, ascending from 0 to 1; `counts` is (..., cells), the result (...).
    """
    seen = counts.astype(np.float64)
    seen[..., [0, -1]] += ADDED
    logs = []
    for score in (score0, score1):
        away = values - score
        logs.append((seen * np.log1p(_multiplier(away, seen)[..., None] * away)).sum(axis=-1))
    ratio: Floats = logs[0] - logs[1]
    return ratio


def _multiplier(away: Floats, counts: Floats) -> Floats:
    """Lagrange's multiplier m: see the module. Newton's method, kept between bounds by bisection."""
    low = np.full(counts.shape[:-1], -1 / away[-1])
    high = np.full(counts.shape[:-1], -1 / away[0])
    m = np.zeros(counts.shape[:-1])
    for _ in range(STEPS):
        share = away / (1 + m[..., None] * away)
        slope = (counts * share).sum(axis=-1)
        low, high = np.where(slope > 0, m, low), np.where(slope > 0, high, m)
        there = m + slope / (counts * share * share).sum(axis=-1)
        there = np.where((there > low) & (there < high), there, (low + high) / 2)
        moved = np.abs(there - m).max(initial=0)
        m = there
        if moved < 1e-10:
            break
    return m


def estimate(counts: dict[float, int], sure: float = 0.95) -> tuple[float, float, float, float]:
    """Elo, the ends of its interval, and the likelihood of superiority, from how many clusters had which score.

    Half a cluster won and half a one lost are added, so that all is finite, and wide when little is known. After a
    test that stopped early the Elo is, as ever, somewhat too far on the side where it stopped.
    """
    clusters = sum(counts.values()) + 1
    mean = (math.fsum(score * count for score, count in counts.items()) + 0.5) / clusters
    square = (math.fsum(score * score * count for score, count in counts.items()) + 0.5) / clusters
    error = math.sqrt((square - mean * mean) / clusters)
    elo = ELO * math.log(mean / (1 - mean))
    wide = ELO * error / (mean * (1 - mean)) * float(special.ndtri((1 + sure) / 2))
    return elo, elo - wide, elo + wide, float(special.ndtr((mean - 0.5) / error))


def _tidy(score: float) -> float:
    """Equal scores as equal numbers, however their parts were summed."""
    return min(1.0, max(0.0, round(score, 12)))
