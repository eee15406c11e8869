"""Decisions a second against a sample bot: compiled into a VectorEnv, and as processes, in one run.

python benchmarks/compiled_bots.py [--game shoot-em-up] [--bot gunner] [--seconds 5]

Processes are single environments, as `vectorize` makes them, without a sandbox: the cheapest that a process can be.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy

from dohyo.core.game import usual_seats
from dohyo.rl import VectorEnv, vectorize
from dohyo.rl.observer import find

GAMES = {"compiled": 256, "processes": 2}  # at once
SEED = 1


def decisions_a_second(envs: Any, seconds: float) -> float:
    """Decisions of learners that play at random; the first steps, which may compile, do not count."""
    chance = numpy.random.default_rng(SEED)
    _, info = envs.reset(seed=SEED)
    begin = done = 0.0
    steps = 0
    while steps < 3 or done - begin < seconds:
        masks = numpy.stack(info["action_mask"]) if info["action_mask"].dtype == object else info["action_mask"]
        *_, info = envs.step((chance.random(masks.shape) * masks).argmax(1))
        steps += 1
        done = time.perf_counter()
        begin, steps = (done, 3) if steps == 2 else (begin, steps)
    envs.close()
    return (steps - 3) * envs.num_envs / (done - begin)


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--game", default="shoot-em-up")
    words.add_argument("--bot", default="gunner")
    words.add_argument("--seconds", type=float, default=5.0)
    given = words.parse_args()
    more = {"opponents": [given.bot] * (usual_seats(find(given.game)) - 1), "autoreset_mode": "SameStep"}
    compiled = VectorEnv(given.game, GAMES["compiled"], threads=1, **more)
    processes = vectorize(given.game, GAMES["processes"], clock=60.0, sandbox="none", **more)
    quick, slow = (decisions_a_second(envs, given.seconds) for envs in (compiled, processes))
    print(f"{given.game} {given.bot} compiled={quick:.0f} processes={slow:.0f} ratio={quick / slow:.0f}")


if __name__ == "__main__":
    main()
