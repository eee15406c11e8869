"""Did the bot improve? A sequential test that stops as soon as it can decide, soonest where the answer is obvious.

The unit of observation is the cluster: all matches of one seed, with the seats changed about, since these are not
independent. Its score is the mean share of baseline opponents that the candidate stands before (a shared place is
half of one), from 0 to 1. For two seats a cluster is a pair of matches and the score one of 0, 1/4, 1/2, 3/4 and 1:
the pentanomial model of chess testing. Under a Plackett-Luce model without ties the expected score against equal
baselines is 1 / (1 + 10 ** (-Elo / 400)) with any number of seats, so one scale serves all games.

Two claims are tested side by side: "it is not more than elo0 better" and "it is elo1 better or more". Somebody who
holds the first one, that the mean score is at most s0, would take any bet at fair odds on the score of the next
cluster. We bet against it with a stake of 1, over and over: a share m of what we have wins m * (score - s0). If the
claim is true, what we have does not grow on average, whatever the distribution of scores is and however we choose m
from what was seen before. By Ville's inequality it then ever exceeds 1 / alpha with a probability of at most alpha.
So with 1 / alpha the claim is rejected: the candidate is better. The other claim is tested in the same way, with
beta. That bound is exact: for any number of matches, however often somebody looks. (Waudby-Smith and Ramdas,
"Estimating means of bounded random variables by betting", Journal of the Royal Statistical Society B 86 (2024), 1-27;
Ville, "Etude critique de la notion de collectif", 1939.)

How much is bet decides how soon it is known, not how often it is wrong. Half of the stake is aimed at the other of
the two differences: for a small one the share that lets it grow fastest is (s1 - s0) / (variance + (s1 - s0) ** 2),
with the variance as observed so far. The other half is divided equally among shares fixed in advance, from nearly all
of what may be bet downwards: one of them grows fast if the difference is larger than asked for.
docs/decisions/0016 has what was rejected, and what it costs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

import msgspec

from dohyo.core.contest import Result
from dohyo.core.errors import OperatorError

AIMED = 0.5  # of the stake; the rest is bet on larger differences
SHARES = tuple(0.9 / 2**halved for halved in range(6))  # of the most that may be bet, for that rest
MAX_SHARE = 0.95  # of the most that may be bet: one lost cluster never takes all
NORMAL = 1.959963984540054  # standard errors to either side of the mean: 95 % of a normal distribution
ELO = 400 / math.log(10)
UNSURE = 0.05  # how often a bound from clusters that all agree may be wrong
FEWEST = 10  # clusters, before anybody is told how many are still to come
MAX_ELO = 4000.0  # far beyond any real comparison; from some 6,000 on a mean score is 1 to the last bit


class Hypotheses(msgspec.Struct, frozen=True):
    """The two claims: the candidate is not more than `elo0` points better; it is `elo1` points better, or more.

    `alpha` is how often at most it may be called better when the first one is true, `beta` how often it may be called
    not better when the second one is.
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
            if abs(elo) > MAX_ELO:
                raise OperatorError("compare-elo-far", name=name, elo=elo, most=MAX_ELO)
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise OperatorError("compare-error-rate", name=name, rate=rate)

    @property
    def lower(self) -> float:
        """At this `llr` or below, the candidate is called not better."""
        return math.log(self.beta)

    @property
    def upper(self) -> float:
        """At this `llr` or above, it is called better."""
        return -math.log(self.alpha)


class Verdict(msgspec.Struct, frozen=True):
    """What the clusters so far say. `better` is the test's decision: yes, no, or not yet (None).

    `llr` is the natural logarithm of what the bets against one of the two claims have become, of that which is
    nearer to its rejection: above 0 they are those against "not better", below 0 (with the sign turned) those against
    "better by `elo1`". `more` is how many clusters are still to come if they are like those so far; none if that
    cannot be told. Without hypotheses `llr` is 0 and its bounds are infinite.
    """

    clusters: int
    better: bool | None
    llr: float
    lower: float
    upper: float
    elo: float
    elo_low: float
    elo_high: float
    los: float  # likelihood of superiority: the probability that the candidate is better than 0 Elo
    more: int | None = None


class Bets:
    """A stake of 1, bet on scores above `claimed`, which somebody claims to be at least their mean.

    It grows if the mean is higher, fastest if it is `aimed` or far above; both lie between 0 and 1.
    """

    def __init__(self, claimed: float, aimed: float) -> None:
        self._claimed, self._apart = claimed, aimed - claimed
        self._logs = [0.0] * len(SHARES)
        self._aimed = 0.0
        self._clusters, self._mean, self._square = 1.0, 0.5, 0.5  # as if one cluster had been half won, half lost

    def take(self, score: float) -> None:
        """The next cluster's score."""
        won = score / self._claimed - 1  # of the most that may be bet
        for at, share in enumerate(SHARES):
            self._logs[at] += math.log1p(share * won)
        variance = max(0.0, self._square - self._mean**2)
        wanted = self._apart * self._claimed / (variance + self._apart**2)
        self._aimed += math.log1p(min(MAX_SHARE, wanted) * won)
        self._clusters += 1
        self._mean += (score - self._mean) / self._clusters
        self._square += (score * score - self._square) / self._clusters

    @property
    def log(self) -> float:
        """The natural logarithm of what the stake has become."""
        rest = (1 - AIMED) / len(SHARES)
        parts = [math.log(AIMED) + self._aimed, *(math.log(rest) + log for log in self._logs)]
        most = max(parts)
        return most + math.log(math.fsum(math.exp(part - most) for part in parts))


class Comparison:
    """The test as a fold over cluster scores, in order. Scores after the decision are ignored.

    So the decision is a function of the scores, however many at a time they come in.
    """

    def __init__(self, hypotheses: Hypotheses | None) -> None:
        """Without hypotheses there is no test: it never decides, and only the estimate is known."""
        self.counts: dict[float, int] = {}  # how many clusters had which score
        self._hypotheses = hypotheses
        wanted = hypotheses or Hypotheses()
        self._low, self._high = expected(wanted.elo0), expected(wanted.elo1)  # without a test nothing is bet
        self._better, self._not_better = Bets(self._low, self._high), Bets(1 - self._high, 1 - self._low)

    def take(self, scores: Iterable[float]) -> Verdict:
        """Take in the next clusters' scores; what is known then. `ValueError` for a score that is not in 0..1."""
        for score in scores:
            if self._decision() is not None:
                break
            if not 0 <= score <= 1:
                raise ValueError(f"a score of {score} is not between 0 and 1")
            self.counts[score] = self.counts.get(score, 0) + 1
            if self._hypotheses is not None:
                self._better.take(score)
                self._not_better.take(1 - score)
        return self.verdict()

    def verdict(self) -> Verdict:
        """What the clusters so far say."""
        clusters, wanted = sum(self.counts.values()), self._hypotheses
        estimated = estimate(self.counts)
        if wanted is None:
            return Verdict(clusters, None, 0.0, -math.inf, math.inf, *estimated)
        better, not_better = self._better.log, self._not_better.log
        is_above = better / wanted.upper >= -not_better / wanted.lower
        llr, more = better if is_above else -not_better, self._still_to_come(wanted)
        return Verdict(clusters, self._decision(), llr, wanted.lower, wanted.upper, *estimated, more)

    def _decision(self) -> bool | None:
        wanted = self._hypotheses
        if wanted is None:
            return None
        if self._better.log >= wanted.upper:
            return True
        return False if -self._not_better.log <= wanted.lower else None

    def _still_to_come(self, wanted: Hypotheses) -> int | None:
        """How many clusters there will be until the decision, if scores go on as they are.

        Bets of the best size grow by (mean - claimed) ** 2 / (2 * variance) a cluster.
        """
        clusters = sum(self.counts.values())
        if clusters < FEWEST or self._decision() is not None:
            return None
        mean, error = mean_and_error(self.counts)
        variance = error * error * (clusters + 1)
        ways = []
        for bets, lead, goal in (
            (self._better, mean - self._low, wanted.upper),
            (self._not_better, self._high - mean, -wanted.lower),
        ):
            if lead > 0:
                ways.append((goal - bets.log) * 2 * (variance + lead * lead) / (lead * lead))
        return math.ceil(min(ways)) if ways else None


def expected(elo: float) -> float:
    """The mean score of a candidate that is `elo` points better than its opponents (logistic Elo)."""
    return 1 / (1 + 10 ** (-elo / 400))


def match_score(places: Sequence[int], seats: Sequence[int], candidate: int) -> Fraction:
    """The share of pairs (candidate's seat, other seat) in which the candidate stands before; a shared place is half.

    It is exact: a cluster's parts add up to the same number in whatever order they are added. `seats` are entrants'
    numbers. `ValueError` for a match that lacks the candidate, or opponents.
    """
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
        shares = [match_score(played.places, played.fixture.seats, candidate) for played in cluster]
        yield float(sum(shares) / len(shares))


def pentanomial(counts: dict[float, int]) -> tuple[int, int, int, int, int]:
    """How many pairs gave 0, 1/4, 1/2, 3/4 and 1, from `Comparison.counts` of a game for two."""
    lost, quarter, half, most, won = (counts.get(score, 0) for score in (0.0, 0.25, 0.5, 0.75, 1.0))
    return lost, quarter, half, most, won


def mean_and_error(counts: dict[float, int]) -> tuple[float, float]:
    """The mean score and its standard error, from how many clusters had which score.

    Half a cluster won and half a one lost are added, so that all is finite, and wide when little is known.
    """
    clusters = sum(counts.values()) + 1
    mean = (math.fsum(score * count for score, count in counts.items()) + 0.5) / clusters
    square = (math.fsum(score * score * count for score, count in counts.items()) + 0.5) / clusters
    return mean, math.sqrt((square - mean * mean) / clusters)


def share(counts: dict[float, int]) -> tuple[float, float, float]:
    """The mean score as observed (one half of none), and the ends of its 95 % interval, each from 0 to 1.

    The interval is Wilson's; where one side has scored all, the end that is known, as of the Elo.
    """
    clusters = sum(counts.values())
    if (all_of_it := unanimous(counts)) is not None:
        least = UNSURE ** (1 / clusters)
        return (1.0, least, 1.0) if all_of_it else (0.0, 0.0, 1 - least)
    if not clusters:
        return 0.5, 0.0, 1.0
    seen = math.fsum(score * count for score, count in counts.items()) / clusters
    variance = math.fsum((score - seen) ** 2 * count for score, count in counts.items()) / clusters
    return seen, *wilson(clusters, seen, variance)


def wilson(count: int, mean: float, variance: float) -> tuple[float, float]:
    """The ends of the 95 % interval of a mean of `count` scores (at least one) from 0 to 1, with their variance.

    Of scores that are all 0 or 1 it is Wilson's interval of a share. Source: Wilson, "Probable inference, the law of
    succession, and statistical inference", Journal of the American Statistical Association 22 (1927), 209-212.
    """
    more = NORMAL * NORMAL / count
    middle = (mean + more / 2) / (1 + more)
    half = math.sqrt(more * (variance + more / 4)) / (1 + more)
    return max(0.0, middle - half), min(1.0, middle + half)


def estimate(counts: dict[float, int]) -> tuple[float, float, float, float]:
    """Elo, the ends of its 95 % interval, and the likelihood of superiority, from how many clusters had which score.

    After a test that stopped early the Elo is always a little too far on the side where it stopped. Where one side
    has scored all, the Elo is infinite, and of the interval only the end on the other side is known: no weaker bot
    would have done so in more than 5 % of all tries. The likelihood is never greater than so many clusters that
    are all won can show: that of a mean above one half if any mean was as likely before.
    """
    mean, error = mean_and_error(counts)
    clusters = sum(counts.values())
    least = 0.5 ** (clusters + 1)
    los = min(max(0.5 * math.erfc((0.5 - mean) / (error * math.sqrt(2))), least), 1 - least)
    if (all_of_it := unanimous(counts)) is not None:
        sure = UNSURE ** (1 / clusters)
        low = ELO * math.log(sure / (1 - sure))
        return (math.inf, low, math.inf, los) if all_of_it else (-math.inf, -math.inf, -low, los)
    elo = ELO * math.log(mean / (1 - mean))
    wide = ELO * error / (mean * (1 - mean)) * NORMAL
    return elo, elo - wide, elo + wide, los


def unanimous(counts: dict[float, int]) -> bool | None:
    """Whether every cluster was won whole (yes), or lost whole (no); none of both, or there is none: None."""
    seen = {score for score, count in counts.items() if count}
    return True if seen == {1.0} else False if seen == {0.0} else None
