"""Whether `dohyo tune` ends near the top of a bump that is known: simulated results, or real programs.

    python benchmarks/tune.py [--runs 100] [--height 300] [--matches 500] [--parameters 2] [--batch 10] [--seed 0]
    python benchmarks/tune.py --real [--runs 1] [--matches 500]

In each run the strength of a bot is a bump in its parameters, in Elo: `height` at the top and 0 far away, with a top
and widths (15 to 35 % of a range, for each parameter) and defaults that are drawn. The opponent is the bot with its
defaults. Results are drawn by Elo's odds, with up to 10 % of draws between equals. The tuning is the real one, with
an executor that draws instead of playing. A line shows of all runs

    within    in how many of a hundred the values found are within 10 % of the top: strength at least 0.9 of `height`
    median, lowest   of that strength, as a part of `height`
    seconds   of the processor for a run: what choosing costs

With --real, the bot is a program that plays Wondev Woman at random, or gives up at once: how often, its two
parameters decide. It is tuned with `dohyo tune`'s own pool, and its strength is reckoned from what it does.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import process_time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: threads only wait for each other

import numpy as np

from dohyo import games
from dohyo.bots import Bot
from dohyo.core import parameters
from dohyo.executors import MatchOrder, MatchReport
from dohyo.executors.pool import Pool
from dohyo.guests.tune.record import Record, Values
from dohyo.guests.tune.space import Parameter, places_of
from dohyo.guests.tune.tuning import Terms, Tuning
from dohyo.match.found_bots import find_named
from dohyo.sandbox import choose

DUEL = games.find("wondev-woman")
NEAR = 0.9  # of the top
DRAWS = 0.1  # between equals
BOT = """
import math, os, random
depth, risk = (float(os.environ.get(f"DOHYO_PARAM_{{name}}", least)) for name, least in (("DEPTH", 0), ("RISK", 0)))
away = ((depth - {top[0]}) / {wide[0]}) ** 2 + ((risk - {top[1]}) / {wide[1]}) ** 2
dice = random.Random(int(os.environ["DOHYO_SEED"]))
plays = dice.random() < {least} + {more} * math.exp(-away / 2)
size, units = int(input()), int(input())
try:
    while True:
        for _ in range(size + 2 * units):
            input()
        actions = [input() for _ in range(int(input()))]
        print(dice.choice(actions) if plays and actions else "ACCEPT-DEFEAT", flush=True)
except EOFError:
    pass
"""
LEAST, MORE = 0.2, 0.7


class Bump:
    """Strength over parameters from 0 to 1: top, widths and defaults are drawn from `seed`."""

    def __init__(self, seed: int, height: float, count: int) -> None:
        draw = np.random.default_rng(seed)
        self.height = height
        self.top, self.wide = draw.uniform(0.15, 0.85, count), draw.uniform(0.15, 0.35, count)
        defaults = draw.uniform(0, 1, count)
        self.space = tuple(Parameter(f"p{at}", 0.0, 1.0, default=f"{one:.4g}") for at, one in enumerate(defaults))

    def share(self, values: Values) -> float:
        """The strength with these values, as a part of the top's."""
        away = (np.array(places_of(self.space, values)) - self.top) / self.wide
        return float(np.exp(-away @ away / 2))

    @property
    def default(self) -> float:
        """The strength of the defaults, in Elo."""
        return self.height * self.share({one.name: one.default for one in self.space})


class Drawn:
    """An executor that draws each result by the odds of the strengths; the same orders have the same results."""

    workers = 1

    def __init__(self, bump: Bump, seed: int) -> None:
        self.bump, self.seed = bump, seed

    def play(self, orders: Iterable[MatchOrder]) -> Iterator[MatchReport]:
        """The reports of all orders."""
        for order in orders:
            dice = random.Random(f"{self.seed} {order.key}")
            first, second = (self._strength(bot) for bot in order.bots)
            chance = 1 / (1 + 10 ** ((second - first) / 400))
            draws = DRAWS * 4 * chance * (1 - chance)
            drawn = dice.random()
            places = (1, 2) if drawn < chance - draws / 2 else (1, 1) if drawn < chance + draws / 2 else (2, 1)
            yield MatchReport(order.key, places=places)

    def _strength(self, bot: Bot) -> float:
        _, values = parameters.parted(bot.command)
        if not values:
            return self.bump.default
        return self.bump.height * self.bump.share({one.name: values[f"DOHYO_PARAM_{one.name.upper()}"]
                                                   for one in self.bump.space})  # fmt: skip

    def close(self) -> None:
        """Nothing runs."""

    def __enter__(self) -> Drawn:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing runs."""


def tuned(bump: Bump, seed: int, matches: int, batch: int) -> float:
    """The strength, as a part of the top's, of what a tuning of this bump ends with."""
    bot = Bot("bump", ("/bump",), "/", "0" * 64, "")
    terms = Terms(seed=seed, matches=matches, batch=batch)
    tuning = Tuning(DUEL, bot, [bot], bump.space, terms, Record(None))
    for _ in tuning.play(Drawn(bump, seed)):
        pass
    assert tuning.best is not None
    return bump.share(tuning.best.values)


def simulate(arguments: argparse.Namespace) -> None:
    """Many runs with drawn results."""
    shares, start = [], process_time()
    for run in range(arguments.seed, arguments.seed + arguments.runs):
        bump = Bump(run, arguments.height, arguments.parameters)
        shares.append(tuned(bump, run, arguments.matches, arguments.batch))
        if sys.stderr.isatty():
            print(f"\r{len(shares)} of {arguments.runs}", end="", file=sys.stderr)
    within = 100 * np.mean([share >= NEAR for share in shares])
    print(
        f"height {arguments.height:g}  parameters {arguments.parameters}  matches {arguments.matches}  "
        f"batch {arguments.batch}  runs {len(shares)}: within {within:.0f}  median {np.median(shares):.3f}  "
        f"lowest {min(shares):.3f}  seconds {(process_time() - start) / len(shares):.1f}"
    )


def play(arguments: argparse.Namespace) -> None:
    """Runs with real programs, in the pool."""
    for run in range(arguments.seed, arguments.seed + arguments.runs):
        draw = np.random.default_rng(run)
        top, wide = draw.uniform(0.3, 0.85, 2).round(3), draw.uniform(0.15, 0.35, 2).round(3)
        space = (Parameter("depth", 0.0, 1.0), Parameter("risk", 0.0, 1.0))
        with tempfile.TemporaryDirectory() as folder, Pool() as pool:
            path = Path(folder) / "bump.py"
            path.write_text(BOT.format(top=top.tolist(), wide=wide.tolist(), least=LEAST, more=MORE))
            (bot,) = find_named(DUEL, [str(path)], None, choose("auto"))
            terms = Terms(seed=run, matches=arguments.matches, batch=arguments.batch)
            tuning = Tuning(DUEL, bot, [bot], space, terms, Record(None))
            for _ in tuning.play(pool):
                pass
        assert tuning.best is not None
        away = (np.array(places_of(space, tuning.best.values)) - top) / wide
        share = float(np.exp(-away @ away / 2))
        print(f"run {run}: top {top.tolist()}  found {tuning.best.values}  strength {share:.3f} of the top")


def main() -> None:
    """Run the benchmark."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--runs", type=int, default=0)
    reader.add_argument("--height", type=float, default=300.0)
    reader.add_argument("--matches", type=int, default=500)
    reader.add_argument("--parameters", type=int, default=2)
    reader.add_argument("--batch", type=int, default=10)
    reader.add_argument("--seed", type=int, default=0)
    reader.add_argument("--real", action="store_true")
    arguments = reader.parse_args()
    arguments.runs = arguments.runs or (1 if arguments.real else 100)
    (play if arguments.real else simulate)(arguments)


if __name__ == "__main__":
    main()
