"""Rollouts and steps of Drop-Block on a graphics card, compared with the card's theoretical maximum.

    python benchmarks/gpu.py [--slots 65536 ...] [--steps 1000] [--rounds 3] [--seconds 180] [--check]

Needs a card and numba-cuda (docs/gpu.md). Numbers of games rise up to half of the card's memory. For each: player
turns per second of random play inside one kernel; of `sample` and `step`, a kernel each; and of a step that also says
what the mover sees and may do: the median of some rounds, each of a second at most, after one that compiles. Then,
for the first number, steps with checked actions, and with PyTorch a step recorded as a CUDA graph. No size is begun
after `--seconds`. `--check` first runs the tests that need a card, as programs, side by side; it stops where one
fails.

Roofline: a rollout reads and writes each game once, so memory is no limit. The limit is the number of instructions
that the card can issue: an emulator of the compiled kernel (`tests/sim/emulator.py`) counted `INSTRUCTIONS` for each
turn, with one game alone. `issue_share` is the part of the card's instructions that this would be. Threads of a warp
wait for each other, so the card executes more: for example, one thread deals a new game while 31 wait.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy

from dohyo import games
from dohyo.core import flat
from dohyo.sim import BatchMatch, turns
from dohyo.sim.cuda import BLOCK, is_simulated, open_card

INSTRUCTIONS = 418  # a turn of random play, the deals included: 5000 turns, 7 games
ISSUED = 4 * 32  # instructions of threads that a multiprocessor can begin in a cycle
SLOTS = tuple(4**k for k in range(8, 14))  # 65536 to 67 million; the largest that half the memory allows comes last
ROUND = 1.0  # seconds, at most
ROOT = Path(__file__).resolve().parent.parent
CHECKS = (
    *(f"tests.sim.on_card 100 12 {game}" for game in ("drop-block", "shoot-em-up", "wondev-woman", "abotcalypse")),
    "tests.rl.on_card 100 24",
)
CHECKED = 240.0  # seconds that they may take


def card() -> dict[str, float]:
    """What is known of the card; prints it too."""
    cuda = open_card()
    device = cuda.get_current_device()
    facts = {"processors": 0.0, "hertz": 0.0, "bytes": 0.0, "memory": 0.0}
    if not is_simulated():
        name = device.name.decode() if isinstance(device.name, bytes) else device.name
        capability = ".".join(map(str, device.compute_capability))
        facts["processors"] = device.MULTIPROCESSOR_COUNT
        facts["hertz"] = getattr(device, "CLOCK_RATE", 0) * 1e3  # newer versions of CUDA may not say it
        width = getattr(device, "GLOBAL_MEMORY_BUS_WIDTH", 0)
        facts["bytes"] = 2 * getattr(device, "MEMORY_CLOCK_RATE", 0) * 1e3 * width / 8
        facts["memory"] = cuda.current_context().get_memory_info().total
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
    kernel = batch.place.loops.roll((turns.uniform_legal,))
    if not is_simulated():
        registers = max(kernel.get_regs_per_thread().values())
        local = max(kernel.get_local_mem_per_thread().values())
        print(f"registers={registers} local_bytes={local} block={BLOCK}")


def check() -> bool:
    """Run the tests that need a card, all at once; whether all have passed."""
    began = perf_counter()
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", "")])
    running = [
        subprocess.Popen([sys.executable, "-m", *words.split()], cwd=ROOT, env={**os.environ, "PYTHONPATH": path})
        for words in CHECKS
    ]
    passed = True
    for words, process in zip(CHECKS, running, strict=True):
        try:
            code = process.wait(max(1.0, CHECKED - (perf_counter() - began)))
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
        print(f"check: {words}: {'passed' if code == 0 else f'FAILED ({code})'}", flush=True)
        passed = passed and code == 0
    print(f"checks took {perf_counter() - began:.0f} s", flush=True)
    return passed


def timed(play: Callable[[int], None], steps: int, rounds: int) -> float:
    """Steps a second of `play(steps)`, which starts them; so many that a round takes a second at most."""
    cuda = open_card()
    play(1)  # compiles
    cuda.synchronize()
    start = perf_counter()
    play(2)
    cuda.synchronize()
    steps = max(1, min(steps, int(ROUND / max(1e-9, (perf_counter() - start) / 2))))
    seconds = []
    for _ in range(rounds):
        start = perf_counter()
        play(steps)
        cuda.synchronize()
        seconds.append(perf_counter() - start)
    return steps / median(seconds)


def rollouts(batch: BatchMatch, steps: int, rounds: int) -> float:
    """Turns a second of rollouts."""
    batch.rollout(2)
    start = perf_counter()
    batch.rollout(20)  # waits for the card: its totals come from there
    steps = max(20, min(steps, int(20 * ROUND / (perf_counter() - start))))
    seconds = []
    for _ in range(rounds):
        start = perf_counter()
        batch.rollout(steps)
        seconds.append(perf_counter() - start)
    return batch.n * steps / median(seconds)


def single_steps(batch: BatchMatch, steps: int, rounds: int, looks: bool) -> float:
    """Turns a second of `sample` and `step`, with what the mover sees and may do if wanted."""
    actions = batch.sample()
    more = {"observe": batch.observe(mover=True), "legal": batch.legal(mover=True)} if looks else {}

    def play(count: int) -> None:
        for _ in range(count):
            batch.sample(actions)
            batch.step(actions, **more)

    return batch.n * timed(play, steps, rounds)


def graph_steps(slots: int, steps: int, rounds: int) -> float:
    """The same, recorded as one CUDA graph by PyTorch, in tensors of its own."""
    import torch

    game = games.find("drop-block")
    assert game.observation is not None
    batch = BatchMatch(game, slots, 1, illegal="trust", device="cuda", stream=torch.cuda.current_stream)
    planes = (len(game.observation.PLANES), *game.observation.SHAPE)
    seen = torch.zeros((slots, *planes), dtype=torch.int8, device="cuda")
    mask = torch.zeros((slots, game.rules.ACTIONS), dtype=torch.bool, device="cuda")
    actions = torch.zeros(slots, dtype=torch.int64, device="cuda")

    def turn() -> None:
        batch.sample(actions)
        batch.step(actions, observe=seen, legal=mask)

    with torch.cuda.stream(side := torch.cuda.Stream()):
        turn()
    side.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        turn()

    def play(count: int) -> None:
        for _ in range(count):
            graph.replay()

    return slots * timed(play, steps, rounds)


def bytes_a_game(looks: bool = False) -> int:
    """What a batch keeps of a game in the card's memory; with `looks`, also a row of what is seen and may be done."""
    game = games.find("drop-block")
    rules, sight = game.rules, game.observation
    assert sight is not None
    kept = sum(layout.dtype().itemsize for layout in (rules.LAYOUT, flat.SOURCE, turns.SLOT))
    kept += game.seats[0] * (4 + 1 + 8) + 1 + 8  # rewards, marks, actions that were played; done; actions
    row = len(sight.PLANES) * int(numpy.prod(sight.SHAPE)) + rules.ACTIONS
    return kept + (row if looks else 0)


def sizes(wanted: list[int] | None) -> list[int]:
    """Numbers of games: those that were asked for, or rising ones up to half of the card's memory."""
    if wanted:
        return wanted
    most = open_card().current_context().get_memory_info().total // 2 // bytes_a_game()
    return [*(slots for slots in SLOTS if slots < most), int(most)]


def measure(slots: int, words: Any, facts: dict[str, float]) -> float:
    """Print the figures for so many games; the best of them."""
    batch = BatchMatch(games.find("drop-block"), slots, seed=1, device="cuda", illegal="trust")
    rate = rollouts(batch, words.steps, words.rounds)
    kernel_facts(batch)
    most = facts["processors"] * facts["hertz"] * ISSUED
    share = f" issue_share={rate * INSTRUCTIONS / most:.3f}" if most else ""
    print(f"slots={slots} rollout_turns_a_second={rate:.4g}{share}", flush=True)
    bare = single_steps(batch, words.steps, words.rounds, looks=False)
    print(f"slots={slots} step_turns_a_second={bare:.4g}", flush=True)
    total = facts["memory"]
    if not total or slots * bytes_a_game(looks=True) <= total / 2:
        seen = single_steps(batch, words.steps, words.rounds, looks=True)
        print(f"slots={slots} observed_step_turns_a_second={seen:.4g}", flush=True)
    return rate


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--slots", type=int, nargs="+")
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--check", action="store_true")
    words = parser.parse_args()
    facts = card()
    if words.check and not check():
        sys.exit(1)
    began, best = perf_counter(), 0.0
    counts = sizes(words.slots)
    for slots in counts:
        if perf_counter() - began > words.seconds:
            print(f"slots={slots} left out: {words.seconds:.0f} s are over")
            continue
        best = max(best, measure(slots, words, facts))
    for illegal in ("raise", "fault"):
        batch = BatchMatch(games.find("drop-block"), counts[0], seed=1, device="cuda", illegal=illegal)
        rate = single_steps(batch, words.steps, words.rounds, looks=True)
        print(f"slots={counts[0]} illegal={illegal} observed_step_turns_a_second={rate:.4g}", flush=True)
    if find_spec("torch") and not is_simulated():
        rate = graph_steps(counts[0], words.steps, words.rounds)
        print(f"slots={counts[0]} graph observed_step_turns_a_second={rate:.4g}", flush=True)
    print(f"best_rollout_turns_a_second={best:.4g} goal=1e9 reached={best >= 1e9}")


if __name__ == "__main__":
    main()
