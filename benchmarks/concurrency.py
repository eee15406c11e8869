"""How many matches per second the pool plays with 1, 2, 4 ... workers, up to twice as many as there are cores.

    python benchmarks/concurrency.py [GAME] [--rounds 7] [--seconds 2] [--sandbox none] [--setup KEY=VALUE ...]

Real programs: four times the bot in C that only answers (`c/echo_bot.c`) in Drop-Block, or the sample `random.cpp`
twice in Shoot-Em-Up. Each worker stays on its share of the cores, with the bots of its match; one worker is given one
core here (alone in a contest it would get them all), so that `ratio_2` says what a second core with a second worker
gains. Rounds alternate between the numbers of workers, and between the cores of the single worker, because a
machine's speed drifts; a round plays matches for about the given number of seconds, after a few that are not counted.
`ratio_N` is the median of the rounds' ratios to one worker.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import monotonic
from typing import Any

from dohyo import bots, games
from dohyo.bots import Bot
from dohyo.executors import MatchOrder
from dohyo.executors.pool import Pool

SOURCES = Path(__file__).parent / "c"
CASES: dict[str, dict[str, Any]] = {"drop-block": {"turns": 200}, "shoot-em-up": {}}
WARM_UP = 4  # matches for each worker, which are not counted


def seat(game: str, folder: Path) -> tuple[Bot, ...]:
    """The bots of a match."""
    if game == "shoot-em-up":
        return tuple(bots.resolve(["random.cpp"] * 2, bots.samples(Path(games.find(game).folder) / "bots")))
    compiler = next((found for name in ("cc", "gcc", "clang") if (found := shutil.which(name))), None)
    if compiler is None:
        sys.exit("A C compiler is needed (in Debian: apt install gcc libc6-dev).")
    program = folder / "echo_bot"
    subprocess.run([compiler, "-O2", "-o", program, SOURCES / "echo_bot.c"], check=True)
    return tuple(bots.resolve([str(program)] * 4))


def orders(base: MatchOrder, number: int) -> Iterator[MatchOrder]:
    """So many matches, each with a seed of its own."""
    for seed in range(number):
        yield MatchOrder(str(seed), base.game, base.bots, seed, base.setup, base.clock, base.sandbox)


def rate(base: MatchOrder, workers: int, cores: list[int], seconds: float) -> float:
    """Matches a second."""
    with Pool(workers, cores) as pool:
        warm = [report.seconds for report in pool.play(orders(base, WARM_UP * workers))]
        number = max(2 * workers, int(workers * seconds / median(warm)))
        start = monotonic()
        for report in pool.play(orders(base, number)):
            if report.error or report.faults:
                sys.exit(f"This run measures nothing: {report.error or report.faults}")
        return number / (monotonic() - start)


def main() -> None:
    """Read the words, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="drop-block", choices=sorted(CASES), metavar="GAME")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=2.0, help="of matches for each number of workers in a round")
    parser.add_argument("--sandbox", default="none", help="auto, require or none")
    parser.add_argument("--setup", action="append", default=[], metavar="KEY=VALUE")
    words = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))
    counts = [1]
    while counts[-1] < 2 * len(cores):
        counts.append(2 * counts[-1])
    setup = {**CASES[words.game], **dict(word.split("=", 1) for word in words.setup)}
    rates: dict[int, list[float]] = {count: [] for count in counts}
    with tempfile.TemporaryDirectory() as folder:
        base = MatchOrder("", words.game, seat(words.game, Path(folder)), 0, setup, None, words.sandbox)
        for number in range(words.rounds):
            turned = cores[number % len(cores) :] + cores[: number % len(cores)]
            for count in counts:
                rates[count].append(rate(base, count, turned[: max(1, min(count, len(cores)))], words.seconds))
    print(f"{words.game}: {len(base.bots)} C bots, setup {setup}, sandbox {words.sandbox}, {len(cores)} cores")
    for count in counts:
        found = rates[count]
        print(f"workers={count} matches/s={median(found):.1f} (rounds {min(found):.1f} .. {max(found):.1f})")
    for count in counts[1:]:
        print(f"ratio_{count}={median(more / one for more, one in zip(rates[count], rates[1], strict=True)):.2f}")


if __name__ == "__main__":
    main()
