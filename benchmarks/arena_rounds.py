"""What combats cost `arena`: `R 1000` with a compiled bot, from the start of the command to its end.

    python benchmarks/arena_rounds.py [--rounds 1000] [--runs 7] [--bot PROGRAM]

The bot is the sample `random.cpp`, built before the clock starts; its combats last longer than those of any good
robot. Every pair of moves is a line to the bot, and a line from it. Besides wall time, the seconds of processor time
are printed: of `arena` itself, with Python's start, and of the bot. Both share one core, so on an idle machine they
add up to the wall time. `floor` is the least time that Python takes for a line to the same bot and one from it, on
one core as well: it shows how fast the machine was at that moment.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import monotonic
from typing import NamedTuple

from dohyo import bots
from dohyo.games.shoot_em_up import GAME
from dohyo.system import scheduler

EXCHANGES = 50_000

# The command `arena`, which at its end tells its own processor time, and that of the programs it has run.
ARENA = """
import atexit, resource, sys
def tell():
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        used = resource.getrusage(who)
        print(used.ru_utime, used.ru_stime, file=sys.stderr)
atexit.register(tell)
sys.argv[0] = "arena"
from dohyo.cli.main import game_program as main
main()
"""


class Run(NamedTuple):
    """Seconds that a run took: by the clock, and of processor time, in the program and for it in the kernel."""

    wall: float
    our_user: float
    our_system: float
    bot_user: float
    bot_system: float


def run(bot: str, rounds: int, sandbox: str) -> tuple[Run, str]:
    """Let the bot play; what it took, and the line that `arena` printed of it."""
    start = monotonic()
    done = subprocess.run(
        [sys.executable, "-P", "-c", ARENA, "--sandbox", sandbox, bot],
        input=f"R {rounds}\n",
        capture_output=True,
        text=True,
        check=False,
    )
    wall = monotonic() - start
    result = done.stdout.splitlines()[-1] if done.stdout else done.stderr.strip()
    if not result.startswith(f"! ROUNDS {rounds} ") or " ERRORS 0 " not in result:
        sys.exit(f"This run measures nothing: {result}")
    return Run(wall, *(float(word) for word in done.stderr.split()[-4:])), result


def floor(command: Sequence[str]) -> float:
    """Microseconds that a line to the bot and one from it take, with nothing done about them."""
    before = scheduler.stay_on_this_core()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, process_group=0) as bot:
        assert bot.stdin is not None
        assert bot.stdout is not None
        to, back = bot.stdin.fileno(), bot.stdout.fileno()
        os.write(to, b"P 5 5\n")
        os.read(back, 100)
        start = monotonic()
        for _ in range(EXCHANGES):
            os.write(to, b"N\n")
            os.read(back, 100)
        taken = monotonic() - start
    scheduler.use_cores(before)
    return taken / EXCHANGES * 1e6


def main() -> None:
    """Read the words, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=1000, help="combats of a run")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--bot", default="random.cpp", help="a program, a source, or a sample bot")
    parser.add_argument("--sandbox", default="auto", help="auto, require or none; the floor has none")
    words = parser.parse_args()
    run(words.bot, 1, words.sandbox)  # builds it
    (bot,) = bots.resolve([words.bot], bots.samples(Path(GAME.folder) / "bots"))
    taken, results, floors = [], [], []
    for _ in range(words.runs):
        one, result = run(words.bot, words.rounds, words.sandbox)
        taken.append(one)
        results.append(result)
        floors.append(floor(bot.command))
    middle = Run(*(median(column) for column in zip(*taken, strict=True)))
    walls = [one.wall for one in taken]
    print(f"{words.bot}: {results[-1]}")
    print(f"arena  user={middle.our_user:.2f} system={middle.our_system:.2f}")
    print(f"bot    user={middle.bot_user:.2f} system={middle.bot_system:.2f}")
    print(f"both   processor={median(sum(one[1:]) for one in taken):.2f}")
    print(f"floor  us={median(floors):.2f} (runs {min(floors):.2f} .. {max(floors):.2f})")
    print(f"wall={middle.wall:.2f} (runs {min(walls):.2f} .. {max(walls):.2f})")


if __name__ == "__main__":
    main()
