"""Rollouts and steps of Drop-Block on a graphics card, compared with the card's theoretical maximum.

    python benchmarks/gpu.py [--slots 65536 262144 1048576 4194304] [--steps 1000] [--rounds 5]

Needs a card and numba-cuda (docs/gpu.md). For each number of games: player turns per second of random play, the
median of some rounds after one that does not count, because it compiles. Then turns per second of `step`, with
actions in the card's memory.

Roofline: a rollout reads and writes each game once, so memory is no limit. The limit is the number of instructions
that the card can issue: an emulator of the compiled kernel (`tests/sim/emulator.py`) counted `INSTRUCTIONS` for each
turn, with one game alone. `issue_share` is the part of the card's instructions that this would be. Threads of a warp
wait for each other, so the card executes more: for example, one thread deals a new game while 31 wait.
"""

from __future__ import annotations

import argparse
from statistics import median
from time import perf_counter

import numpy

from dohyo import games
from dohyo.core import flat
from dohyo.sim import BatchMatch, turns
from dohyo.sim.cuda import BLOCK, is_simulated, open_card

INSTRUCTIONS = 418  # a turn of random play, the deals included: 5000 turns, 7 games
ISSUED = 4 * 32  # instructions of threads that a multiprocessor can begin in a cycle


def card() -> dict[str, float]:
    """What is known of the card; prints it too."""
    cuda = open_card()
    device = cuda.get_current_device()
    facts = {"processors": 0.0, "hertz": 0.0, "bytes": 0.0}
    if not is_simulated():
        name = device.name.decode() if isinstance(device.name, bytes) else device.name
        capability = ".".join(map(str, device.compute_capability))
        facts["processors"] = device.MULTIPROCESSOR_COUNT
        facts["hertz"] = device.CLOCK_RATE * 1e3
        facts["bytes"] = 2 * device.MEMORY_CLOCK_RATE * 1e3 * device.GLOBAL_MEMORY_BUS_WIDTH / 8
        driver = ".".join(map(str, cuda.driver.driver.get_version()))
        print(f"card: {name}, compute capability {capability}, driver for CUDA {driver}")
    print(
        f"multiprocessors={facts['processors']:.0f} hertz={facts['hertz']:.3g} "
        f"instructions_a_second={facts['processors'] * facts['hertz'] * ISSUED:.3g} "
        f"memory_bytes_a_second={facts['bytes']:.3g}"
    )
    return facts


def kernel_facts(batch: BatchMatch) -> None:
    """Print what a thread of the rollout's kernel needs."""
    kernel = batch._place.loops.roll((turns.uniform_legal,))
    if not is_simulated():
        registers = max(kernel.get_regs_per_thread().values())
        local = max(kernel.get_local_mem_per_thread().values())
        print(f"registers={registers} local_bytes={local} block={BLOCK}")


def rollouts(slots: int, steps: int, rounds: int) -> float:
    """Turns a second of rollouts."""
    batch = BatchMatch(games.find("drop-block"), slots, seed=1, device="cuda")
    batch.rollout(steps)
    kernel_facts(batch)
    seconds = []
    for _ in range(rounds):
        start = perf_counter()
        batch.rollout(steps)  # waits for the card: its totals come from there
        seconds.append(perf_counter() - start)
    return slots * steps / median(seconds)


def single_steps(slots: int, steps: int, rounds: int, illegal: str) -> float:
    """Turns a second of `step`, with actions on the card."""
    batch = BatchMatch(games.find("drop-block"), slots, seed=1, device="cuda", illegal=illegal)
    cuda = open_card()
    actions = cuda.to_device(numpy.random.default_rng(1).integers(0, 6, slots))
    batch.step(actions)
    seconds = []
    for _ in range(rounds):
        cuda.synchronize()
        start = perf_counter()
        for _ in range(steps):
            batch.step(actions)
        cuda.synchronize()
        seconds.append(perf_counter() - start)
    return slots * steps / median(seconds)


def bytes_a_game() -> int:
    """What a rollout reads of a game, and writes again."""
    rules = games.find("drop-block").rules
    return sum(layout.dtype().itemsize for layout in (rules.LAYOUT, flat.SOURCE, turns.SLOT))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--slots", type=int, nargs="+", default=[65536, 262144, 1048576, 4194304])
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    words = parser.parse_args()
    facts = card()
    most = facts["processors"] * facts["hertz"] * ISSUED
    best = 0.0
    for slots in words.slots:
        rate = rollouts(slots, words.steps, words.rounds)
        traffic = rate / words.steps * 2 * bytes_a_game()
        share = f" issue_share={rate * INSTRUCTIONS / most:.3f}" if most else ""
        share += f" memory_share={traffic / facts['bytes']:.4f}" if facts["bytes"] else ""
        print(f"slots={slots} rollout_turns_a_second={rate:.4g}{share}", flush=True)
        best = max(best, rate)
    for illegal in ("trust", "raise"):
        rate = single_steps(words.slots[0], min(words.steps, 100), words.rounds, illegal)
        print(f"slots={words.slots[0]} illegal={illegal} step_turns_a_second={rate:.4g}")
    print(f"best_rollout_turns_a_second={best:.4g} goal=1e9")


if __name__ == "__main__":
    main()
