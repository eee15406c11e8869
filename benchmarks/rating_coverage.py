"""Whether ratings and their intervals are right: simulated contests of bots of known strength, in every format.

    python benchmarks/rating_coverage.py [--formats ladder ...] [--seats 2 4] [--luck gumbel normal] [--bots 12]
        [--matches 640] [--contests 1000] [--within 1] [--workers 1]

Each contest draws strengths from a normal distribution (deviation 174 Elo, or --spread), plays the real format with
luck added to them, and rates the results as `dohyo contest` does. The truth is defined as in Elo: the strengths that
give the odds of all pairs, with equal weight for each pair. With Gumbel luck these are the strengths that were drawn.
Normal luck has the deviation that comes nearest to Elo's odds. No strengths give all its odds exactly; the nearest by
likelihood are the truth. A line shows:

    slope     of the ratings against the true Elo, 1 where differences are neither stretched nor shrunk
    error     the root mean square of rating minus truth, in Elo
    half      half the median width of the 95 % intervals, in Elo
    cover     how many of a hundred intervals hold the truth, and +-: the 95 % interval of that number
    met       the same, when the odds of a pair count for the truth as often as the pair met
    drawn     the same, with the strengths that were drawn as truth

Contests are added until the first +- is --within, at most --contests.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # workers are the parallelism

import numpy as np
from scipy.special import expit, ndtr

from dohyo.contest.bradley_terry import fit, usual_prior
from dohyo.contest.formats import all_formats, find, make
from dohyo.contest.ratings import ELO, rate
from dohyo.contest.result_arrays import ResultArrays, as_arrays, pairs_of
from dohyo.core.contest import Entrant, Result, Version

NORMAL = 1.702 / np.sqrt(2)  # with it a pair's odds are Elo's to one in a hundred
SERIES = {"single-elimination": 8, "double-elimination": 5}  # seeds
OPTIONS: dict[str, dict[str, Any]] = {"league": {"bosses": (0, 1, 2)}}
SURE = 1.96
FEWEST = 40  # contests, before their spread is trusted
ALL = 10**6  # what odds count for against a prior


class Figures(NamedTuple):
    """What came of the contests of one kind."""

    matches: float
    slope: float
    error: float
    half: float
    cover: float
    met: float
    drawn: float
    unsure: float
    contests: int


def luck_of(name: str, shape: tuple[int, ...], random: np.random.Generator) -> np.ndarray:
    """Luck of that shape, in natural logarithms of odds."""
    return random.gumbel(size=shape) if name == "gumbel" else random.normal(0, NORMAL, shape)


def contest(
    kind: str, seats: int, matches: int, strengths: np.ndarray, luck: str, seed: int
) -> tuple[ResultArrays, bool]:
    """The results of about so many matches, and whether the format pairs by strength."""
    random = np.random.default_rng([seed, 1])
    bots = len(strengths)
    info = find(kind).info
    if info.seats_all:
        seats = bots
    rounds = matches if info.seats_all else SERIES.get(kind, 100_000 if info.ends else 1)
    options = dict(OPTIONS.get(kind, {}))
    if not info.ends:
        options["batch"] = max(2, matches // seats // 40)
    made = make(kind, seats=(seats, seats), rounds=rounds, seed=seed, entrants=bots, options=options)
    entrants = [Entrant(number, Version(f"bot {number}", "")) for number in range(bots)]
    played: list[Result] = []
    while len(played) < matches and (fixtures := made.next(entrants)):
        tables = np.array([fixture.seats for fixture in fixtures])
        places = placed(strengths, tables, luck, random).tolist()
        results = [Result(fixture, tuple(row)) for fixture, row in zip(fixtures, places, strict=True)]
        made.take(results)
        played += results
    played = played if kind in SERIES else played[:matches]
    return as_arrays(played), info.paired


def placed(strengths: np.ndarray, tables: np.ndarray, luck: str, random: np.random.Generator) -> np.ndarray:
    """Places (matches, seats) of matches between these."""
    return np.argsort(np.argsort(-(strengths[tables] + luck_of(luck, tables.shape, random)), axis=1), axis=1) + 1


def promised(strengths: np.ndarray, luck: str, met: ResultArrays | None = None) -> np.ndarray:
    """The strengths that come nearest to the odds of all pairs, or of those that met as often as they did."""
    bots = len(strengths)
    if met is None:
        tables = np.array([(one, other) for one in range(bots) for other in range(one)])
        met = ResultArrays(tables, np.tile([1, 2], (len(tables), 1)), np.zeros(len(tables), dtype=np.int64))
    pairs = pairs_of(met, bots)
    count = pairs.weighed(np.ones((pairs.outcomes.shape[1], 1))).sum(axis=0)
    apart = strengths[pairs.first] - strengths[pairs.second]
    odds = (expit(apart) if luck == "gumbel" else ndtr(apart / NORMAL / np.sqrt(2)))[:, None]
    outcomes = ALL * np.stack([count * odds, 0 * count, count * (1 - odds)])
    theta = fit(pairs, outcomes, usual_prior()).theta(pairs)[:, 0]
    centred: np.ndarray = theta - theta.mean()
    return centred


def one(kind: str, seats: int, luck: str, asked: argparse.Namespace, seed: int) -> list[float]:
    """The figures of one contest."""
    random = np.random.default_rng([seed, 0])
    strengths = random.normal(0, asked.spread / ELO, asked.bots)
    strengths -= strengths.mean()
    results, paired = contest(kind, seats, asked.matches, strengths, luck, seed)
    table = sorted(
        rate(results, asked.bots, seed=seed, paired=paired and not asked.plain).ratings, key=lambda row: row.number
    )
    found, low, high = (np.array([getattr(row, name) for row in table]) - 1500 for name in ("rating", "low", "high"))
    truth, as_met = (ELO * promised(strengths, luck, met) for met in (None, results))
    slope = np.polyfit(truth, found, 1)[0]
    held = [100 * np.mean((low <= true) & (true <= high)) for true in (truth, as_met, ELO * strengths)]
    return [len(results.seats), slope, np.mean((found - truth) ** 2), np.median(high - low) / 2, *held]


def measured(kind: str, seats: int, luck: str, asked: argparse.Namespace, pool: Any = None) -> Figures:
    """The figures of contests of one kind, as many as it takes."""
    rows: list[list[float]] = []
    unsure = np.inf
    while len(rows) < asked.contests and unsure > asked.within:
        seeds = range(len(rows), min(asked.contests, len(rows) + FEWEST))
        rows += (pool.imap if pool else map)(partial(one, kind, seats, luck, asked), seeds)
        unsure = SURE * float(np.std(rows, axis=0)[4] / np.sqrt(len(rows)))
    means = np.mean(rows, axis=0)
    means[2] = np.sqrt(means[2])
    return Figures._make([*means.tolist(), unsure, len(rows)])


def told(kind: str, seats: int, luck: str, found: Figures) -> str:
    """Figures as a line."""
    return (
        f"{kind} seats={seats} luck={luck} matches={found.matches:.0f} slope={found.slope:.3f} "
        f"error={found.error:.1f} half={found.half:.0f} cover={found.cover:.1f}+-{found.unsure:.1f} "
        f"met={found.met:.1f} drawn={found.drawn:.1f} contests={found.contests}"
    )


def lines(asked: argparse.Namespace, pool: Any = None) -> Iterator[str]:
    """A line for each kind of contest."""
    for kind in asked.formats:
        for seats in [0] if find(kind).info.seats_all else asked.seats:
            if kind == "double-elimination" and seats > 2:
                continue  # it has matches of two alone
            for luck in asked.luck:
                yield told(kind, seats or asked.bots, luck, measured(kind, seats, luck, asked, pool))


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--formats", nargs="+", default=list(all_formats()), choices=list(all_formats()))
    parser.add_argument("--seats", nargs="+", type=int, default=[2, 4])
    parser.add_argument("--luck", nargs="+", default=["gumbel", "normal"], choices=["gumbel", "normal"])
    parser.add_argument("--bots", type=int, default=12)
    parser.add_argument("--matches", type=int, default=640)
    parser.add_argument("--contests", type=int, default=1000, help="at most")
    parser.add_argument("--within", type=float, default=1.0, help="how sure a coverage has to be")
    parser.add_argument("--spread", type=float, default=ELO, help="deviation of the true strengths, in Elo")
    parser.add_argument("--plain", action="store_true", help="rate as if chance decided who meets")
    parser.add_argument("--workers", type=int, default=1)
    asked = parser.parse_args()
    with multiprocessing.Pool(asked.workers) as pool:
        for line in lines(asked, pool):
            print(line, flush=True)


if __name__ == "__main__":
    main()
