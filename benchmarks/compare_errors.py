"""How often `dohyo compare` is wrong, with racers of known strength.

    python benchmarks/compare_errors.py [--tests 300] [--seats 2 3 4 8] [--elo1 100] [--baselines 1] [--grid 0]
    python benchmarks/compare_errors.py --kinds [KIND ...] [--elos -50 0 5 10 20 50 100 200 400] [--elo1 10]

Each test is one run of the command itself, from its words to its exit status. But its bots are looked up once for all
tests, and its matches are not played but drawn: every player's luck has a Gumbel distribution, which gives a
Plackett-Luce model, and for half of the seeds every player has the same luck in all matches of the seed. With
`--grid 0.5` the sum of luck and strength is rounded to halves, so that many players share a place; strengths are then
chosen so that the mean score is still that of `--elo1` points.

`seats_4_false_better` is the share of tests that called a candidate better although it is as strong as its baselines,
`seats_4_false_not_better` the share that called one not better although it is better by `elo1`; 0.05 each is allowed.
`rounds` is the mean number of rounds.

With `--kinds` it is the test alone that is run, on pairs of a game for two that come out as `PAIRS` says, tilted
until the candidate is better by each of `--elos`: how often it is called better, how often not better, after how
many pairs on average, and how often the interval at the end held the truth. Without a KIND: all of them.
"""

from __future__ import annotations

import argparse
import io
import itertools
import json
import math
import random
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any

from scipy import optimize

from dohyo.cli import main as command
from dohyo.executors import MatchOrder, MatchReport, pool
from dohyo.match import found_bots
from dohyo.series.sequential import Comparison, Hypotheses, expected, match_score

CANDIDATE, BASELINES = "shelter", ("builder", "random", "rest")  # nobody starts them
CALIBRATING = 20_000  # matches
CELLS = (0.0, 0.25, 0.5, 0.75, 1.0)
# How the pairs of two equal bots come out: in a game where seats matter little, where the first seat nearly always
# wins, where one seed decides both matches, and where next to everything is a draw.
PAIRS = {
    "usual": (0.05, 0.2, 0.5, 0.2, 0.05),
    "first-seat-wins": (0.02, 0.03, 0.9, 0.03, 0.02),
    "all-or-nothing": (0.5, 0.0, 0.0, 0.0, 0.5),
    "drawn": (0.005, 0.07, 0.85, 0.07, 0.005),
}
FOUND: dict[tuple[str, ...], Any] = {}


class Racers:
    """An executor whose matches are drawn; the candidate is better by `strength`, a natural logarithm."""

    def __init__(self, strength: float, grid: float) -> None:
        self.strength, self.grid = strength, grid

    def play(self, orders: Iterable[MatchOrder]) -> Iterator[MatchReport]:
        """A report for each order, in their order."""
        for order in orders:
            own = [bot.name for bot in order.bots].index(CANDIDATE)
            of_seed = random.Random(order.seed)
            alike = of_seed.random() < 0.5
            places = self.places(len(order.bots), of_seed if alike else random.Random(f"{order.seed} {order.key}"))
            yield MatchReport(order.key, places=places[-own:] + places[:-own] if own else places)

    def places(self, seats: int, dice: random.Random) -> tuple[int, ...]:
        """Everybody's place, the candidate's first."""
        results = [-math.log(-math.log(dice.random() or 0.5)) for _ in range(seats)]
        results[0] += self.strength
        if self.grid:
            results = [round(result / self.grid) for result in results]
        return tuple(1 + sum(other > result for other in results) for result in results)

    def close(self) -> None:
        """Nothing runs."""

    def __enter__(self) -> Racers:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing runs."""


def strength_of(elo: float, seats: int, grid: float) -> float:
    """The strength whose mean score is that of `elo` points."""
    if not grid:
        return elo * math.log(10) / 400

    def missing(strength: float) -> float:
        dice, racers = random.Random(1), Racers(strength, grid)
        seated = (0, *[1] * (seats - 1))
        scores = (match_score(racers.places(seats, dice), seated, 0) for _ in range(CALIBRATING))
        return math.fsum(scores) / CALIBRATING - expected(elo)

    return float(optimize.brentq(missing, -0.5, 5, xtol=1e-3)) if elo else 0.0


@contextmanager
def replaced(racers: Racers) -> Iterator[None]:
    """Within it, the command's matches are drawn by those racers, and bots of the same words are not found twice."""
    real_pool, real_find = pool.Pool, found_bots.find_named

    def find(game: Any, specs: Any, python: Any, sandbox: Any, setup: Any = None) -> Any:
        words = (game.name, *specs)
        if words not in FOUND:
            FOUND[words] = real_find(game, specs, python, sandbox, setup=setup)
        return FOUND[words]

    pool.Pool, found_bots.find_named = lambda _workers: racers, find  # type: ignore[assignment,misc]
    try:
        yield
    finally:
        pool.Pool, found_bots.find_named = real_pool, real_find  # type: ignore[misc]


def compared(racers: Racers, seats: int, baselines: int, elo1: float, seed: int) -> dict[str, Any]:
    """What one run of the command says, with those racers' matches."""
    game, words = ("abotcalypse", ["--seats", str(seats), "--elo1", str(elo1), "--seed", str(seed), "--trust"])
    with replaced(racers), redirect_stdout(io.StringIO()) as said:
        status = command.run(["compare", game, CANDIDATE, *BASELINES[:baselines], *words, "--json"])
    told: dict[str, Any] = json.loads(said.getvalue())
    if status != {"better": 0, "not-better": 1}[told["decision"]]:
        raise RuntimeError(f"exit status {status} for {told['decision']}")
    return told


def tilted(kind: str, elo: float) -> list[float]:
    """The shares of a kind of pairs, tilted until their mean score is that of `elo` points."""

    def weighed(tilt: float) -> list[float]:
        weights = [share * math.exp(tilt * cell) for share, cell in zip(PAIRS[kind], CELLS, strict=True)]
        return [weight / math.fsum(weights) for weight in weights]

    def missing(tilt: float) -> float:
        return math.fsum(share * cell for share, cell in zip(weighed(tilt), CELLS, strict=True)) - expected(elo)

    return weighed(float(optimize.brentq(missing, -60, 60)))


def figures_of_kinds(asked: argparse.Namespace) -> Iterator[tuple[str, float]]:
    """Each figure's name and value, of the test alone."""
    for kind, elo in itertools.product(asked.kinds or PAIRS, asked.elos):
        dice, shares = random.Random(f"{kind} {elo}"), tilted(kind, elo)
        told = []
        for _ in range(asked.tests):
            scores = (score for _ in itertools.count() for score in dice.choices(CELLS, shares, k=50))
            told.append(Comparison(Hypotheses(0, asked.elo1)).take(scores))
        name = f"{kind.replace('-', '_')}_{elo:+g}"
        yield f"{name}_better", sum(one.better is True for one in told) / asked.tests
        yield f"{name}_not_better", sum(one.better is False for one in told) / asked.tests
        yield f"{name}_pairs", sum(one.clusters for one in told) / asked.tests
        yield f"{name}_held", sum(one.elo_low <= elo <= one.elo_high for one in told) / asked.tests


def figures(asked: argparse.Namespace) -> Iterator[tuple[str, float]]:
    """Each figure's name and value."""
    for seats in asked.seats:
        for elo, wrong in ((0.0, "better"), (asked.elo1, "not-better")):
            racers = Racers(strength_of(elo, seats, asked.grid), asked.grid)
            told = [compared(racers, seats, asked.baselines, asked.elo1, seed) for seed in range(asked.tests)]
            name = f"seats_{seats}_false_{wrong.replace('-', '_')}"
            yield name, sum(one["decision"] == wrong for one in told) / asked.tests
            yield f"{name}_rounds", sum(one["pairs"] for one in told) / asked.tests


def main() -> None:
    """Print the figures, one a line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tests", type=int, default=300)
    parser.add_argument("--seats", type=int, nargs="+", default=[2, 3, 4, 8])
    parser.add_argument("--elo1", type=float, help="100, or with --kinds 10")
    parser.add_argument("--kinds", nargs="*", choices=PAIRS, metavar="KIND", help=", ".join(PAIRS))
    parser.add_argument("--elos", type=float, nargs="+", default=[-50, 0, 5, 10, 20, 50, 100, 200, 400])
    parser.add_argument("--baselines", type=int, choices=range(1, len(BASELINES) + 1), default=1)
    parser.add_argument("--grid", type=float, default=0.0, help="round results to this, so that places are shared")
    asked = parser.parse_args()
    asked.elo1 = asked.elo1 or (100.0 if asked.kinds is None else 10.0)
    for name, value in figures(asked) if asked.kinds is None else figures_of_kinds(asked):
        print(f"{name}={value:.3f}", flush=True)


if __name__ == "__main__":
    main()
