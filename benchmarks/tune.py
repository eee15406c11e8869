"""Whether `dohyo tune` finds the top of a bump that is known, and whether what it says of it is true.

    python benchmarks/tune.py [--runs 100] [--heights 0,60,150,300] [--parameters 1,2,3] [--matches 500] [--final 100]
    python benchmarks/tune.py --methods [--runs 10] [--matches 100,500,2000] [--heights 60,150] [--parameters 1,2,3]
    python benchmarks/tune.py --real [--runs 1] [--matches 500]

In each run the strength of a bot is a bump in its parameters, in Elo: so high at the top and 0 far away, with a top,
widths (15 to 35 % of a range, for each parameter) and defaults that are drawn. The opponent is the bot with its
defaults. Matches are drawn as matches are: the first seat is worth 30 Elo, a seed's deal gives one of the seats a
luck of its own (100 Elo), whoever sits there, and of matches between equals a tenth are draws; a part of the dice is
the seed's, and the same values on the same seed play the same match. The tuning is the real one, with an executor
that draws instead of playing; "true" is the strength that a pair's mean score has, as Elo.

A line of each height and number of parameters shows, of all runs,

    holds     in how many of a hundred the final comparison's 95 % interval holds the true difference
    wide      the mean half of that interval, in Elo
    claim     in how many the 95 % interval of the expected score holds the true score; its mean half, in %
    better    in how many it says that its values are better; wrong: of these, how many are not
    gain      the mean true strength of the values found, less the default's, in Elo, of what there was to gain

With --methods, one line for each way to tune, the same bumps for all: the mean true strength of what each proposes
after so many matches, less the default's. TPE is Optuna's (in an environment that has it), with a trial of one pair,
and of ten; it proposes the best trial. SPSA is as fishtest does it: both sides of a pair are the values with a step
to either side, and it begins at the defaults; with fishtest's own steps (c_end a 20th of the range, r_end 0.002),
meant for ten thousands of matches, and with those that were best of 18 on such bumps at 500 (an 8th, 0.1).

With --real, the bot is a program that plays Wondev Woman at random, or gives up at once: how often, its two
parameters decide. It is tuned with `dohyo tune`'s own pool, and its strength is reckoned from what it does.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from statistics import NormalDist
from time import process_time
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: threads only wait for each other

import numpy as np

from dohyo import games
from dohyo.bots import Bot
from dohyo.core import parameters
from dohyo.executors import MatchOrder, MatchReport
from dohyo.executors.pool import Pool
from dohyo.guests.tune.final import final_comparison, is_default, outcome_of
from dohyo.guests.tune.record import Record, Values
from dohyo.guests.tune.space import Parameter, places_of, values_at
from dohyo.guests.tune.tuning import Terms, Tuning
from dohyo.match.found_bots import find_named
from dohyo.sandbox import choose

DUEL = games.find("wondev-woman")
BUMP = Bot("bump", ("/bump",), "/", "0" * 64, "")
DRAWS = 0.1  # between equals
FIRST, LUCK = 30.0, 100.0  # Elo: of the first seat, and the deviation of what a deal gives one of the seats
SHARED = 0.4  # of a match's dice are its seed's, whatever the values; the same values play the same match again
NORMAL = NormalDist()
FISHTEST = {"r_end": 0.002, "alpha": 0.602, "gamma": 0.101, "steps": 20.0, "settles": 0.1}
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


def odds(elo: float | np.ndarray) -> Any:
    """The expected score of a match by the odds of a difference."""
    return 1 / (1 + 10 ** (-np.asarray(elo) / 400))


def drawn(elo: float, luck: float, dice: random.Random) -> float:
    """A match's score for the first seat, that is so much stronger and has so much luck: 0, one half, or 1."""
    return scored(elo, luck, dice.random())


def scored(elo: float, luck: float, at: float) -> float:
    """A score for the first seat, at a place from 0 to 1 in its distribution: 0, one half, or 1."""
    chance = float(odds(elo + luck))
    draws = DRAWS * 4 * chance * (1 - chance)
    return 1.0 if at < chance - draws / 2 else 0.5 if at < chance + draws / 2 else 0.0


def luck_of(seed: int) -> float:
    """What a seed's deal gives the first seat, whoever sits there."""
    return FIRST + LUCK * random.Random(f"deal {seed}").gauss(0, 1)


@cache
def true_score(elo: float) -> float:
    """The mean score of pairs, over all deals."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(41)
    luck = FIRST + LUCK * nodes
    scores = (odds(elo + luck) + odds(elo - luck)) / 2
    return float((weights * scores).sum() / weights.sum())


def true_elo(elo: float) -> float:
    """What the mean score of pairs is, as Elo."""
    score = true_score(elo)
    return float(400 * np.log10(score / (1 - score)))


class Bump:
    """Strength over parameters from 0 to 1: top, widths and defaults are drawn from `seed`."""

    def __init__(self, seed: int, height: float, count: int) -> None:
        draw = np.random.default_rng(seed)
        self.height = height
        self.top, self.wide = draw.uniform(0.15, 0.85, count), draw.uniform(0.15, 0.35, count)
        self.start = draw.uniform(0, 1, count).round(4)
        self.space = tuple(Parameter(f"p{at}", 0.0, 1.0, default=f"{one:.4g}") for at, one in enumerate(self.start))

    def elo(self, place: Iterable[float]) -> float:
        """The strength at a place, less that of the defaults."""
        return self._high(np.array([*place])) - self._high(self.start)

    def _high(self, place: np.ndarray) -> float:
        away = (place - self.top) / self.wide
        return self.height * float(np.exp(-away @ away / 2))

    @property
    def most(self) -> float:
        """What there is to gain."""
        return true_elo(self.elo(self.top))

    def gain(self, values: Values) -> float:
        """The true strength of values, less the default's."""
        return true_elo(self.elo(places_of(self.space, values)))


class Drawn:
    """An executor that draws each result by the odds of the strengths; the same orders have the same results."""

    workers = 1

    def __init__(self, bump: Bump, seed: int) -> None:
        self.bump, self.seed = bump, seed

    def play(self, orders: Iterable[MatchOrder]) -> Iterator[MatchReport]:
        """The reports of all orders."""
        for order in orders:
            first, second = (self._strength(bot) for bot in order.bots)
            given = [parameters.given(bot.command) for bot in order.bots]
            shared, own = (
                random.Random(f"{self.seed} {order.seed} {what}").gauss(0, 1) for what in (bool(given[0]), given)
            )
            at = NORMAL.cdf(SHARED**0.5 * shared + (1 - SHARED) ** 0.5 * own)
            score = scored(first - second, luck_of(order.seed), at)
            yield MatchReport(order.key, places={1.0: (1, 2), 0.5: (1, 1), 0.0: (2, 1)}[score])

    def _strength(self, bot: Bot) -> float:
        _, values = parameters.parted(bot.command)
        if not values:
            return 0.0
        return self.bump.elo(float(values[f"DOHYO_PARAM_{one.name.upper()}"]) for one in self.bump.space)

    def close(self) -> None:
        """Nothing runs."""

    def __enter__(self) -> Drawn:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing runs."""


# --- what it says, and what is true


def tuned(bump: Bump, seed: int, matches: int, batch: int) -> Tuning:
    """A tuning of this bump, played to its end."""
    terms = Terms(seed=seed, matches=matches, batch=batch)
    tuning = Tuning(DUEL, BUMP, [BUMP], bump.space, terms, Record(None), plays_itself=True)
    for _ in tuning.play(Drawn(bump, seed)):
        pass
    return tuning


def said(bump: Bump, seed: int, matches: int, batch: int, final: int) -> dict[str, float]:
    """What a tuning says at its end, beside the truth."""
    tuning = tuned(bump, seed, matches, batch)
    best = tuning.best
    assert best is not None
    gain = bump.gain(best.values)
    score = true_score(bump.elo(places_of(bump.space, best.values)))
    row = {"gain": gain, "most": bump.most, "claim": abs(score - best.score) <= best.wide, "claim_wide": best.wide}
    comparison = None
    if not is_default(tuning):
        comparison = final_comparison(tuning, best.values, BUMP, final)
        for _ in comparison.play(Drawn(bump, seed)):
            pass
    outcome = outcome_of(tuning, comparison, final)
    row |= {"better": outcome == "better", "wrong": outcome == "better" and gain <= 0}
    if comparison is not None:
        verdict = comparison.known.verdict
        row |= {
            "holds": verdict.elo_low <= gain <= verdict.elo_high,
            "wide": (verdict.elo_high - verdict.elo_low) / 2,
        }
    return row


def numbers(text: str) -> list[int]:
    """Whole numbers with commas between them."""
    return [int(one) for one in text.split(",")]


def simulate(arguments: argparse.Namespace) -> None:
    """Many runs with drawn results: a line for each height, number of parameters and number of matches."""
    for matches in numbers(arguments.matches):
        for height in numbers(arguments.heights):
            for count in numbers(arguments.parameters):
                start, rows = process_time(), []
                for run in range(arguments.seed, arguments.seed + arguments.runs):
                    rows.append(said(Bump(run, height, count), run, matches, arguments.batch, arguments.final))
                told = {
                    name: [row[name] for row in rows if name in row] for name in {**rows[0], "holds": 0, "wide": 0}
                }
                mean = {name: float(np.mean(of)) if of else float("nan") for name, of in told.items()}
                print(
                    f"height {height:3d}  parameters {count}  matches {matches}  runs {len(rows)}: "
                    f"holds {100 * mean['holds']:.0f} of {len(told['holds'])}  wide {mean['wide']:.0f}  "
                    f"claim {100 * mean['claim']:.0f} ({100 * mean['claim_wide']:.0f} %)  "
                    f"better {sum(told['better'])}, wrong {sum(told['wrong'])}  "
                    f"gain {mean['gain']:.0f} of {mean['most']:.0f}  "
                    f"seconds {(process_time() - start) / len(rows):.1f}",
                    flush=True,
                )


# --- beside others


def pairs(bump: Bump, one: Iterable[float], other: Iterable[float], seeds: range, dice: random.Random) -> float:
    """The mean score of one against the other, in a pair of each seed."""
    elo, score = bump.elo(one) - bump.elo(other), 0.0
    for seed in seeds:
        luck = luck_of(seed)
        score += (drawn(elo, luck, dice) + 1 - drawn(-elo, luck, dice)) / 2
    return score / len(seeds)


def by_dohyo(bump: Bump, seed: int, matches: int) -> list[float]:
    """What `dohyo tune` proposes."""
    found = tuned(bump, seed, matches, Terms().batch).found
    assert found is not None
    return places_of(bump.space, found)


def by_tpe(size: int) -> Callable[[Bump, int, int], list[float]]:
    """What Optuna's TPE proposes, with so many pairs a trial."""

    def run(bump: Bump, seed: int, matches: int) -> list[float]:
        import optuna

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        dice, names = random.Random(f"tpe {seed}"), [one.name for one in bump.space]

        def score(trial: Any) -> float:
            place = [trial.suggest_float(name, 0, 1) for name in names]
            first = 1_000_000 * seed + trial.number * size
            return pairs(bump, place, bump.start, range(first, first + size), dice)

        study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=seed))
        study.enqueue_trial(dict(zip(names, bump.start, strict=True)))  # it may know the defaults, as the others do
        study.optimize(score, matches // 2 // size)
        return [study.best_params[name] for name in names]

    return run


def by_spsa(r_end: float, steps: float) -> Callable[[Bump, int, int], list[float]]:
    """What fishtest's SPSA ends with: at the end a step is the range by `steps`, and it goes `r_end` of one."""

    def run(bump: Bump, seed: int, matches: int) -> list[float]:
        dice, draw = random.Random(f"spsa {seed}"), np.random.default_rng(seed)
        alpha, gamma, count = FISHTEST["alpha"], FISHTEST["gamma"], matches // 2
        settles, c_end = FISHTEST["settles"] * count, 1 / steps
        c_first, a_first = c_end * count**gamma, r_end * c_end**2 * (settles + count) ** alpha
        theta = bump.start.copy()
        for at in range(1, count + 1):
            c = c_first / at**gamma
            r = a_first / (settles + at) ** alpha / c**2
            flip = draw.choice([-1.0, 1.0], len(theta))
            sides = [np.clip(theta + side * c * flip, 0, 1) for side in (1, -1)]
            seeds = range(1_000_000 * seed + at, 1_000_000 * seed + at + 1)
            result = 4 * pairs(bump, *sides, seeds, dice) - 2  # wins less losses of a pair
            theta = np.clip(theta + r * c * result * flip, 0, 1)
        return theta.tolist()

    return run


METHODS: dict[str, Callable[[Bump, int, int], list[float]]] = {
    "dohyo tune": by_dohyo,
    "Optuna TPE, a pair a trial": by_tpe(1),
    "Optuna TPE, ten pairs a trial": by_tpe(10),
    "SPSA, fishtest's own steps": by_spsa(FISHTEST["r_end"], FISHTEST["steps"]),
    "SPSA, the best of 18 steps": by_spsa(0.1, 8),
}


def compare(arguments: argparse.Namespace) -> None:
    """Each method on the same bumps: the mean gain, by matches."""
    bumps = [
        Bump(run, height, count)
        for height in numbers(arguments.heights)
        for count in numbers(arguments.parameters)
        for run in range(arguments.seed, arguments.seed + arguments.runs)
    ]
    print(f"{len(bumps)} bumps, to gain: {np.mean([bump.most for bump in bumps]):.0f}")
    for matches in numbers(arguments.matches):
        for name, method in METHODS.items():
            if arguments.only and arguments.only not in name:
                continue
            start = process_time()
            places = [method(bump, seed, matches) for seed, bump in enumerate(bumps)]
            gains = [bump.gain(values_at(bump.space, place)) for bump, place in zip(bumps, places, strict=True)]
            error = np.std(gains) / len(gains) ** 0.5
            by_height = {
                height: [gain for gain, bump in zip(gains, bumps, strict=True) if bump.height == height]
                for height in numbers(arguments.heights)
            }
            parts = "  ".join(f"{height}: {np.mean(own):.0f}" for height, own in by_height.items())
            print(
                f"{matches:5d} matches  {name:30s} gain {np.mean(gains):4.0f} (+- {error:.0f})  {parts}  "
                f"seconds {(process_time() - start) / len(bumps):.1f}",
                flush=True,
            )


# --- with real programs


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
            terms = Terms(seed=run, matches=numbers(arguments.matches)[0], batch=arguments.batch)
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
    reader.add_argument("--heights", default="")
    reader.add_argument("--parameters", default="1,2,3")
    reader.add_argument("--matches", default="")
    reader.add_argument("--final", type=int, default=100)
    reader.add_argument("--batch", type=int, default=10)
    reader.add_argument("--seed", type=int, default=0)
    reader.add_argument("--only", default="")
    reader.add_argument("--methods", action="store_true")
    reader.add_argument("--real", action="store_true")
    arguments = reader.parse_args()
    arguments.runs = arguments.runs or (1 if arguments.real else 10 if arguments.methods else 100)
    arguments.heights = arguments.heights or ("60,150,300" if arguments.methods else "0,60,150,300")
    arguments.matches = arguments.matches or ("100,500,2000" if arguments.methods else "500")
    (play if arguments.real else compare if arguments.methods else simulate)(arguments)


if __name__ == "__main__":
    main()
