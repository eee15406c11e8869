"""Whether ratings' intervals hold the truth: simulated contests of bots of known strength, by the real formats.

    python benchmarks/rating_coverage.py [--full] [--only WORD ...] [--contests 10]

A contest's matches have luck of their own; but on a share `corr` of the seeds a bot's luck is the same in every
match, whatever its seat: a map that favours one bot's style. Each contest draws strengths from a normal distribution,
plays the format, and rates the results as `dohyo contest` does. The truth is defined as in Elo: the strengths that
give the odds of all pairs, with equal weight for each pair. With Gumbel luck these are the strengths that were drawn.
Normal luck has the deviation that comes nearest to Elo's odds; of it, the nearest strengths by likelihood are the
truth. Who enters later has a strength of its own, and so has a new version. A line shows:

    cover     how many of a hundred 95 % intervals hold the truth, and +-: the 95 % interval of that number
    best      in how many of a hundred contests the true best of those that still play may be the best by the ratings
    slope     of the ratings against the true Elo, 1 where differences are neither stretched nor shrunk
    error     the root mean square of rating minus truth, in Elo
    half      half the median width of the intervals, in Elo

Usually few contests are played, to see that it runs; `--full` plays 200 a row. `--only` takes the rows whose names
hold one of the words.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from time import process_time
from typing import Any, NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from scipy.special import expit, ndtr

from dohyo.core.contest import Entrant, Fixture, Result, Version
from dohyo.series.formats import find, make
from dohyo.series.ratings.meetings import matches_of
from dohyo.series.ratings.ratings import CENTRE, ELO, rate

NORMAL = 1.702 / np.sqrt(2)  # with it a pair's odds are Elo's to one in a hundred
OPTIONS: dict[str, dict[str, Any]] = {"league": {"bosses": (0, 1, 2)}}
SERIES = {"single-elimination": 8, "double-elimination": 5}  # seeds
FULL = 200  # contests a row


class Row(NamedTuple):
    """One kind of contest: bots, the deviation of their strengths in Elo, and how it is played."""

    name: str
    format: str = "ladder"
    bots: int = 12
    spread: float = 174
    corr: float = 0.0
    seats: int = 2
    batch: int = 8
    matches: int = 640
    luck: str = "gumbel"
    changes: bool = False  # bots come, go, and are replaced by new versions


ROWS = (
    Row("17 Elo, corr 0.3, batch 4", spread=17, corr=0.3, batch=4),
    Row("87 Elo, corr 1", spread=87, corr=1),
    Row("174 Elo, corr 1", corr=1),
    Row("equal, corr 1", spread=0, corr=1),
    Row("four seats, equal, corr 1", spread=0, corr=1, seats=4),
    Row("30 bots, 17 Elo, corr 1, 5,000", bots=30, spread=17, corr=1, batch=64, matches=5000),
    Row("equal, corr 0", spread=0),
    Row("equal, corr 0.3", spread=0, corr=0.3),
    Row("174 Elo, corr 0"),
    Row("174 Elo, corr 0.3", corr=0.3),
    Row("350 Elo, corr 1", spread=350, corr=1),
    Row("three seats, 87 Elo, corr 1", spread=87, corr=1, seats=3),
    Row("three seats, equal, corr 0.3", spread=0, corr=0.3, seats=3),
    Row("four seats, 174 Elo, corr 0", seats=4),
    Row("four seats, 174 Elo, corr 1", seats=4, corr=1),
    Row("young, 87 Elo, corr 1, 120", spread=87, corr=1, matches=120),
    Row("young, 174 Elo, corr 0, 120", matches=120),
    Row("young, four seats, equal, corr 1, 240", spread=0, corr=1, seats=4, matches=240),
    Row("old, 87 Elo, corr 1, 2,560", spread=87, corr=1, batch=32, matches=2560),
    Row("old, four seats, 17 Elo, corr 0.3, 2,560", spread=17, corr=0.3, seats=4, batch=32, matches=2560),
    Row("changing, 87 Elo, corr 0.3", spread=87, corr=0.3, changes=True),
    Row("changing, equal, corr 1", spread=0, corr=1, changes=True),
    Row("changing, four seats, 174 Elo, corr 1", seats=4, corr=1, changes=True),
    Row("normal luck, 174 Elo, corr 1", corr=1, luck="normal"),
    Row("round-robin, equal, corr 1", "round-robin", spread=0, corr=1, matches=660),
    Row("round-robin, 174 Elo, corr 0.3", "round-robin", corr=0.3, matches=660),
    Row("round-robin, four seats, 174 Elo, corr 1", "round-robin", seats=4, corr=1, matches=672),
    Row("round-robin, 174 Elo, corr 0, 132", "round-robin", matches=132),
    Row("swiss, equal, corr 1", "swiss", spread=0, corr=1),
    Row("swiss, 174 Elo, corr 0.3", "swiss", corr=0.3),
    Row("swiss, four seats, 87 Elo, corr 1", "swiss", spread=87, seats=4, corr=1),
    Row("league, 174 Elo, corr 0", "league"),
    Row("league, 87 Elo, corr 1", "league", spread=87, corr=1),
    Row("gauntlet, 174 Elo, corr 1", "gauntlet", corr=1),
    Row("king-of-the-hill, 174 Elo, corr 0", "king-of-the-hill", bots=6),
    Row("single-elimination, 174 Elo, corr 0", "single-elimination"),
    Row("double-elimination, 174 Elo, corr 0", "double-elimination"),
)


class Figures(NamedTuple):
    """What came of one contest."""

    cover: float
    best: float
    slope: float
    error: float
    half: float


class Luck:
    """Luck of the matches of one contest, in natural logarithms of odds."""

    def __init__(self, row: Row, seed: int) -> None:
        self._row = row
        self._random = np.random.default_rng([seed, 1])
        self._same: dict[int, dict[int, float] | None] = {}

    def places(self, strengths: np.ndarray, fixture: Fixture) -> tuple[int, ...]:
        """The places of a match's seats."""
        if fixture.seed not in self._same:
            self._same[fixture.seed] = {} if self._random.random() < self._row.corr else None
        same = self._same[fixture.seed]
        drawn = self._drawn(len(fixture.seats))
        if same is not None:
            drawn = [same.setdefault(bot, own) for bot, own in zip(fixture.seats, drawn, strict=True)]
        found = [float(strengths[bot]) + own for bot, own in zip(fixture.seats, drawn, strict=True)]
        return tuple(1 + sum(other > own for other in found) for own in found)

    def _drawn(self, count: int) -> list[float]:
        random = self._random
        drawn = random.gumbel(size=count) if self._row.luck == "gumbel" else random.normal(0, NORMAL, count)
        numbers: list[float] = drawn.tolist()
        return numbers


def entrants_of(row: Row, batches: int) -> list[Entrant]:
    """Who takes part when. Where bots change: two come, two go, and two are replaced, one after the other."""
    found = [Entrant(number, Version(f"bot {number}", "")) for number in range(row.bots)]
    if not row.changes:
        return found
    quarter, half = max(1, batches // 4), max(1, batches // 2)
    for number in (0, 1):
        found[number] = Entrant(number, found[number].version, until=half)
    for number in (2, 3):
        found[number] = Entrant(number, found[number].version, until=quarter)
    found += [Entrant(row.bots + at, Version(f"new {at}", ""), since=quarter) for at in (0, 1)]
    found += [Entrant(row.bots + at, found[at].version, since=quarter, follows=at) for at in (2, 3)]
    return found


def contest(row: Row, strengths: np.ndarray, seed: int, entrants: list[Entrant]) -> list[Result]:
    """The results of about so many matches."""
    info = find(row.format).info
    rounds = row.matches if info.seats_all else SERIES.get(row.format, 100_000 if info.ends else 1)
    options = {**OPTIONS.get(row.format, {}), **({} if info.ends else {"batch": row.batch})}
    seats = row.bots if info.seats_all else row.seats
    made = make(row.format, seats=(seats, seats), rounds=rounds, seed=seed, entrants=row.bots, options=options)
    luck, played = Luck(row, seed), list[Result]()
    while len(played) < row.matches:
        there = [each for each in entrants if each.since <= made.batch]
        if not (fixtures := made.next(there)):
            break
        results = [Result(fixture, luck.places(strengths, fixture)) for fixture in fixtures]
        made.take(results)
        played += results
    return played if row.format in SERIES else played[: row.matches]


def promised(strengths: np.ndarray, luck: str) -> np.ndarray:
    """The strengths that come nearest to the odds of all pairs, by Newton's method."""
    theta = strengths - strengths.mean()
    if luck == "gumbel":
        return theta
    odds = ndtr(np.subtract.outer(strengths, strengths) / NORMAL / np.sqrt(2))
    for _ in range(50):
        found = expit(np.subtract.outer(theta, theta))
        curvature = -found * (1 - found)
        np.fill_diagonal(curvature, 0)
        np.fill_diagonal(curvature, -curvature.sum(axis=1))
        theta = theta + np.linalg.solve(curvature + 1 / len(theta), (odds - found).sum(axis=1))
    return theta


def one(row: Row, seed: int) -> Figures:
    """The figures of one contest."""
    entrants = entrants_of(row, row.matches // (row.batch * row.seats))
    strengths = np.random.default_rng([seed, 0]).normal(0, 1, len(entrants)) * row.spread / ELO
    table = rate(matches_of(contest(row, strengths, seed, entrants)), len(entrants)).ratings
    rows = sorted(table, key=lambda rated: rated.number)
    rating, low, high = (
        np.array([getattr(each, name) for each in rows]) - CENTRE for name in ("rating", "low", "high")
    )
    truth = ELO * promised(strengths, row.luck)
    here = np.array([not each.is_away for each in entrants])
    best = here & (truth >= truth[here].max() - 1e-9)  # several, where all are equal
    return Figures(
        100 * float(np.mean((low <= truth) & (truth <= high))),
        100 * float(np.mean(high[best] >= low[here].max())),
        float(np.polyfit(truth, rating, 1)[0]) if row.spread else np.nan,
        float(np.mean((rating - truth) ** 2)),
        float(np.median(high - low) / 2),
    )


def line(row: Row, contests: int) -> str:
    """What came of so many contests, as a line."""
    start = process_time()
    found = np.array([one(row, seed) for seed in range(contests)])
    means = found.mean(axis=0)
    unsure = 1.96 * found[:, 0].std() / np.sqrt(contests)
    slope = f"{means[2]:.2f}" if row.spread else "-"
    return (
        f"{row.name:45} cover={means[0]:.1f}+-{unsure:.1f} best={means[1]:.1f} slope={slope} "
        f"error={np.sqrt(means[3]):.0f} half={means[4]:.0f} contests={contests} cpu={process_time() - start:.0f}s"
    )


def lines(contests: int, only: list[str]) -> Iterator[str]:
    """A line for each row."""
    for row in ROWS:
        if not only or any(word in row.name for word in only):
            yield line(row, contests)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help=f"{FULL} contests a row")
    parser.add_argument("--contests", type=int, help="a row")
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="rows whose names hold one of these")
    asked = parser.parse_args()
    for told in lines(asked.contests or (FULL if asked.full else 4), asked.only):
        print(told, flush=True)


if __name__ == "__main__":
    main()
