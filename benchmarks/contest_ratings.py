"""What ratings cost: the fits, with and without intervals, of many results from a known truth.

    python benchmarks/contest_ratings.py [--runs 5] [--intervals] [--share 1.0]

`fit_four_seats_s` is for 50 bots and 10,000 matches of four seats, `fit_duels_s` for 1,000 bots and 1,000,000 duels
of paired seeds: from seats, places and seeds to the fitted strengths, the middle one of the runs. Of each `_cpu_s` is
the processor time, of all threads. With `--intervals` also the whole published table of either, and `table_plain_s`,
that of 100 bots and 5,000 duels without NumPy. The correlation with the truth shows that the fits found something.
`--share 0.01` takes a hundredth of the bots and of the matches: to see that it runs.
"""

from __future__ import annotations

import argparse
from array import array
from collections.abc import Callable, Iterator
from statistics import median
from time import perf_counter, process_time
from typing import Any

import numpy as np

from dohyo.series.ratings import ratings
from dohyo.series.ratings.arrays import ArrayReckoner
from dohyo.series.ratings.bradley_terry import fit
from dohyo.series.ratings.meetings import Matches
from dohyo.series.ratings.plain import PlainReckoner


def drawn(bots: int, matches: int, seats: int, each: int) -> tuple[np.ndarray, list[Matches]]:
    """Strengths, and matches of a Plackett-Luce model with them, `each` of a seed among the same bots."""
    random = np.random.default_rng(1)
    strengths = random.normal(0, 1, bots)
    tables = random.integers(0, bots, (matches // each, seats))
    while (twice := (np.diff(np.sort(tables, axis=1)) == 0).any(axis=1)).any():
        tables[twice] = random.integers(0, bots, (int(twice.sum()), seats))
    tables = np.repeat(tables, each, axis=0)
    order = np.argsort(-(strengths[tables] + random.gumbel(size=tables.shape)), axis=1)
    seeds = np.repeat(np.arange(matches // each), each)
    parts = (array(kind, part.astype(kind).tobytes()) for kind, part in (
        ("i", tables.ravel()), ("i", (order.argsort(axis=1) + 1).ravel()), ("q", seeds)))  # fmt: skip
    return strengths, [Matches(seats, *parts)]


def timed(what: Callable[[], Any], runs: int) -> tuple[float, float, Any]:
    """The middle of the seconds by the clock and of processor time, and what came out."""
    walls, processors, found = [], [], None
    for _ in range(runs):
        wall, processor = perf_counter(), process_time()
        found = what()
        walls.append(perf_counter() - wall)
        processors.append(process_time() - processor)
    return median(walls), median(processors), found


def strengths_of(results: list[Matches], bots: int) -> np.ndarray:
    """The fitted strengths."""
    return np.array(fit(ArrayReckoner(results, bots)).theta)


def table_without_numpy(results: list[Matches], bots: int) -> None:
    """The whole table in plain Python."""
    made, ratings.reckoner_of = ratings.reckoner_of, PlainReckoner
    try:
        ratings.rate(results, bots)
    finally:
        ratings.reckoner_of = made


def figures(runs: int, with_intervals: bool = False, share: float = 1.0) -> Iterator[tuple[str, float]]:
    """Each figure's name and value."""
    cases = (("four_seats", 50, 10_000, 4, 4, runs), ("duels", 1_000, 1_000_000, 2, 2, min(runs, 3)))
    for name, all_bots, all_matches, seats, each, times in cases:
        bots, matches = max(seats, int(all_bots * share)), max(each, int(all_matches * share))
        strengths, results = drawn(bots, matches, seats, each)
        wall, processor, found = timed(lambda bots=bots, results=results: strengths_of(results, bots), times)
        yield f"fit_{name}_s", wall
        yield f"fit_{name}_cpu_s", processor
        yield f"fit_{name}_correlation", float(np.corrcoef(found, strengths)[0, 1])
        if with_intervals:
            wall, processor, _ = timed(lambda bots=bots, results=results: ratings.rate(results, bots), times)
            yield f"table_{name}_s", wall
            yield f"table_{name}_cpu_s", processor
    if with_intervals:
        bots = max(2, int(100 * share))
        _, results = drawn(bots, max(2, int(5_000 * share)), 2, 2)
        wall, processor, _ = timed(lambda: table_without_numpy(results, bots), min(runs, 3))
        yield "table_plain_s", wall
        yield "table_plain_cpu_s", processor


def main() -> None:
    """Print the figures, one a line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--intervals", action="store_true", help="the published table with its intervals too")
    parser.add_argument("--share", type=float, default=1.0, help="of the bots and matches, to try it out")
    asked = parser.parse_args()
    for name, value in figures(asked.runs, asked.intervals, asked.share):
        print(f"{name}={value:.3f}", flush=True)


if __name__ == "__main__":
    main()
