"""What a batch's first step costs a process: by machine code that ships, by Numba's cache, and compiled.

The goals are 0.5 s of processor time from a wheel, and 5 s for what is compiled.

    python benchmarks/first_step.py [GAME ...] [--shipped-only] [--reward score]

For each game that comes with Dohyo (or those that are named), `BatchMatch(game, 64)` is made and stepped once, each
time by another process: `dohyo.native_code` must have made what ships, as the build of a wheel does. Seconds of
processor time count from the import of `dohyo.games` on, the median of three (compiling: one). Extra `fast`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from statistics import median

from dohyo import classics, games

TIMES = 3
FIRST = """
import sys, time
begun = time.process_time()
from dohyo import games
from dohyo.sim import BatchMatch
batch = BatchMatch(games.find(sys.argv[1]), 64, reward=sys.argv[2])
batch.step(batch.sample())
print(time.process_time() - begun, "numba" in sys.modules)
"""


def first_step(game: str, reward: str, environment: Mapping[str, str]) -> tuple[float, bool]:
    """Processor seconds of one process, and whether it needed Numba."""
    words = [sys.executable, "-c", FIRST, game, reward]
    done = subprocess.run(words, env={**os.environ, **environment}, capture_output=True, text=True, check=True)
    seconds, numba = done.stdout.split()
    return float(seconds), numba == "True"


def measure(game: str, reward: str, shipped_only: bool) -> str:
    """A line about a game."""
    shipped = [first_step(game, reward, {}) for _ in range(TIMES)]
    ours = median(seconds for seconds, _ in shipped)
    line = f"{game:14} {ours:6.2f} s" + (" (it does not ship, and was compiled)" if shipped[0][1] else "")
    if shipped_only:
        return line
    with tempfile.TemporaryDirectory() as folder:
        environment = {"DOHYO_NATIVE": "no", "DOHYO_CACHE": folder}
        compiled, _ = first_step(game, reward, environment)
        kept = median(first_step(game, reward, environment)[0] for _ in range(TIMES))
    return f"{line}   kept by Numba {kept:6.2f} s   compiled {compiled:6.2f} s   {compiled / ours:5.0f} times"


def main() -> None:
    """Print a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--reward", default="place")
    parser.add_argument("--shipped-only", action="store_true", help="compile nothing")
    given = parser.parse_args()
    for game in given.games or (*games.all_games(), *classics.NAMES):
        if given.reward == "place" or games.find(game).rules.scores is not None:
            print(measure(game, given.reward, given.shipped_only), flush=True)


if __name__ == "__main__":
    main()
