"""Whether ratings are what they say: simulated contests of bots of known strength, in every format.

    python benchmarks/rating_coverage.py [--formats ladder ...] [--seats 2 4] [--luck gumbel normal] [--bots 16]
        [--matches 1280] [--contests 40]

Each contest draws strengths from a normal distribution (deviation 174 Elo, or --spread), plays the real format with
luck added to them, and rates the results as `dohyo contest` does. A line tells, over all contests:

    slope     of the ratings against the true Elo, 1 where differences are neither stretched nor shrunk
    even      the same against the Elo of a contest in which everybody meets everybody equally often
    error     the root of the mean square of rating less truth, in Elo
    half      half the mean width of the 95 % intervals, in Elo
    cover     how many of a hundred intervals hold the truth, and +-: how sure that is

With Gumbel's luck the model is exact, and the true Elo is that of the strengths. With normal luck no numbers fit all
odds; true is then what the same fit gives of the same tables played over and over (--again times), with fresh luck.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from dohyo.contest.fixtures import Entrant, Played
from dohyo.contest.formats import all_kinds, find, make
from dohyo.contest.plackett_luce import fit, usual_prior
from dohyo.contest.ratings import ELO, rate
from dohyo.contest.results import Results, as_arrays, choices_of

NORMAL = np.pi / np.sqrt(6)  # the deviation of Gumbel's distribution
SERIES = {"single-elimination": 8, "double-elimination": 5}  # seeds
OPTIONS: dict[str, dict[str, Any]] = {"league": {"bosses": (0, 1, 2)}}


class Figures(NamedTuple):
    """What came of the contests of one kind."""

    matches: float
    slope: float
    even: float
    error: float
    half: float
    cover: float
    unsure: float


def luck_of(name: str, shape: tuple[int, ...], random: np.random.Generator) -> np.ndarray:
    """Luck of that shape, in natural logarithms of odds."""
    return random.gumbel(size=shape) if name == "gumbel" else random.normal(0, NORMAL, shape)


def contest(kind: str, seats: int, matches: int, strengths: np.ndarray, luck: str, seed: int) -> tuple[Results, bool]:
    """The results of about so many matches, and whether the format pairs by strength."""
    random = np.random.default_rng([seed, 1])
    bots = len(strengths)
    if kind == "king-of-the-hill":
        seats = bots
    rounds = SERIES.get(kind, 1 if not find(kind).ends else 100_000)
    rounds = matches if kind == "king-of-the-hill" else rounds
    options = dict(OPTIONS.get(kind, {}))
    if kind == "ladder":
        options["batch"] = max(2, matches // seats // 40)
    made = make(kind, seats=(seats, seats), rounds=rounds, seed=seed, entrants=bots, options=options)
    entrants = [Entrant(number, f"bot {number}") for number in range(bots)]
    played: list[Played] = []
    while len(played) < matches and (fixtures := made.next(entrants)):
        tables = np.array([fixture.seats for fixture in fixtures])
        places = placed(strengths, tables, luck, random).tolist()
        results = [Played(fixture, tuple(row)) for fixture, row in zip(fixtures, places, strict=True)]
        made.take(results)
        played += results
    played = played if kind in SERIES else played[:matches]
    return as_arrays(played), made.paired


def placed(strengths: np.ndarray, tables: np.ndarray, luck: str, random: np.random.Generator) -> np.ndarray:
    """Places (matches, seats) of matches between these."""
    return np.argsort(np.argsort(-(strengths[tables] + luck_of(luck, tables.shape, random)), axis=1), axis=1) + 1


def endless(results: Results, strengths: np.ndarray, luck: str, again: int, even: bool = False) -> np.ndarray:
    """What the fit gives of the same tables over and over; `even`: of so many tables that chance alone makes."""
    random = np.random.default_rng(9)
    tables = np.tile(results.seats, (again, 1))
    if even:
        tables = random.permuted(np.tile(np.arange(len(strengths)), (len(tables), 1)), axis=1)[:, : tables.shape[1]]
    places = placed(strengths, tables, luck, random)
    choices = choices_of(Results(tables, places, np.zeros(len(tables), dtype=np.int64)), len(strengths))
    theta = fit(choices, usual_prior(choices, 1e-3)).theta
    centred: np.ndarray = theta - theta.mean()
    return centred


def measured(kind: str, seats: int, luck: str, asked: argparse.Namespace) -> Figures:
    """The figures of so many contests of one kind."""
    rows = []
    for seed in range(asked.contests):
        random = np.random.default_rng([seed, 0])
        strengths = random.normal(0, asked.spread / ELO, asked.bots)
        strengths -= strengths.mean()
        results, paired = contest(kind, seats, asked.matches, strengths, luck, seed)
        truth = even = strengths
        if luck != "gumbel":
            truth = endless(results, strengths, luck, asked.again)
            even = endless(results, strengths, luck, asked.again, even=True)
        paired = paired and not asked.plain
        table = sorted(rate(results, asked.bots, paired=paired).ratings, key=lambda row: row.number)
        found, low, high = (
            np.array([getattr(row, name) for row in table]) - 1500 for name in ("rating", "low", "high")
        )
        held = (low <= ELO * truth) & (ELO * truth <= high)
        slopes = [np.polyfit(ELO * one, found, 1)[0] for one in (truth, even)]
        error = np.mean((found - ELO * truth) ** 2)
        rows.append([len(results.seats), *slopes, error, np.mean(high - low) / 2, 100 * held.mean()])
    means = np.mean(rows, axis=0)
    means[3] = np.sqrt(means[3])
    unsure = float(np.std(rows, axis=0)[5] / np.sqrt(len(rows)))
    return Figures._make([*means.tolist(), unsure])


def lines(asked: argparse.Namespace) -> Iterator[str]:
    """A line for each kind of contest."""
    for kind in asked.formats:
        for seats in [0] if kind == "king-of-the-hill" else asked.seats:
            if kind == "double-elimination" and seats > 2:
                continue  # it has matches of two alone
            for luck in asked.luck:
                start = perf_counter()
                found = measured(kind, seats, luck, asked)
                yield (
                    f"{kind} seats={seats or asked.bots} luck={luck} matches={found.matches:.0f} "
                    f"slope={found.slope:.3f} even={found.even:.3f} error={found.error:.1f} half={found.half:.0f} "
                    f"cover={found.cover:.1f}+-{found.unsure:.1f} ({perf_counter() - start:.0f} s)"
                )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--formats", nargs="+", default=list(all_kinds()), choices=list(all_kinds()))
    parser.add_argument("--seats", nargs="+", type=int, default=[2, 4])
    parser.add_argument("--luck", nargs="+", default=["gumbel", "normal"], choices=["gumbel", "normal"])
    parser.add_argument("--bots", type=int, default=16)
    parser.add_argument("--matches", type=int, default=1280)
    parser.add_argument("--contests", type=int, default=40)
    parser.add_argument("--spread", type=float, default=ELO, help="deviation of the true strengths, in Elo")
    parser.add_argument(
        "--again", type=int, default=30, help="times that tables are played for the truth with normal luck"
    )
    parser.add_argument("--plain", action="store_true", help="rate as if chance decided who meets")
    for line in lines(parser.parse_args()):
        print(line, flush=True)


if __name__ == "__main__":
    main()
