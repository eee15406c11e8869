"""Rollouts by a kernel as it was compiled for a card, in an emulator, held against those of a CPU.

    python -m tests.sim.emulated STEPS GAME FILE [KEY=NUMBER ...]    the PTX of the game's kernel `roll`, a setup

Says how many instructions a turn took.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy

from dohyo.games import find
from dohyo.sim import BatchMatch, kernels
from dohyo.sim.kernels import ROWS_OF_WINS
from tests.sim.emulator import Machine

SLOTS = 2


def play(name: str, text: str, steps: int, setup: dict[str, int]) -> None:
    """Roll out every slot of a batch on both; raise `AssertionError` where they differ."""
    game = find(name)
    batch = BatchMatch(game, SLOTS, 3, setup, threads=1)
    wins = numpy.zeros((ROWS_OF_WINS, batch.seats + 1), numpy.int64)
    arrays = (batch.states, batch._blank, batch._sources, batch._slots, wins, batch.done, batch.rewards())
    machine = Machine(text)
    placed = [machine.array(array) for array in arrays]
    rest = [*batch._words, steps]
    for slot in range(SLOTS):
        machine.run(slot, [*(number for array in placed for number in array), *rest])
    totals = batch.rollout(steps)
    for array, (_, _, _, _, at, *_) in zip(arrays, placed, strict=True):
        after = numpy.frombuffer(machine.memory, array.dtype, array.size, at).reshape(array.shape)
        if array is wins:
            assert after.sum(axis=0).tolist() == [*totals.wins, totals.draws], name
        elif array is batch.states:
            for n in range(SLOTS):
                fields = game.rules.LAYOUT.size
                assert after[n].tobytes()[:fields] == array[n].tobytes()[:fields], (name, n)
        else:
            assert after.tobytes() == array.tobytes(), name
    count = sum(machine.executed.values()) / (steps * SLOTS)
    most = ", ".join(f"{kind} {number / (steps * SLOTS):.0f}" for kind, number in machine.executed.most_common(9))
    print(f"{name} agrees, games {totals.games}, instructions a turn {count:.0f}: {most}")


def step(name: str, text: str, steps: int, setup: dict[str, int]) -> None:
    """Step every slot of a batch on both by legal actions; raise `AssertionError` where anything differs."""
    game = find(name)
    batch = BatchMatch(game, SLOTS, 3, setup, threads=1)
    machine = Machine(text)
    given = numpy.zeros((SLOTS, 1), numpy.int64)
    counts, taken = numpy.zeros(2, numpy.int64), numpy.zeros((SLOTS, batch.seats), numpy.int64)
    seen, mask = batch.observe().reshape(SLOTS, batch.seats, -1), batch.legal()
    own = (batch.states, batch._blank, batch._sources, batch._slots)
    arrays = (counts, counts[:1].copy(), *own, given, taken, batch._wrong, batch.rewards(), batch.done, seen, mask)
    placed = [machine.array(array) for array in arrays]
    for _ in range(steps):
        actions = batch.sample()
        at = placed[6][4]
        machine.memory[at : at + given.nbytes] = actions.tobytes()
        at = placed[5][4]  # its sample drew from the slots' random numbers
        machine.memory[at : at + batch._slots.nbytes] = batch._slots.tobytes()
        for slot in range(SLOTS):
            rest = [*batch._words, 1, kernels.ANSWERED]
            machine.run(slot, [*(number for array in placed for number in array), *rest])
        batch.step(actions)
        after = [(batch.states, 2), (batch._slots, 5), (batch.rewards(), 9), (batch.done, 10)]
        for array, k in (*after, (batch.observe(), 11), (batch.legal(), 12)):
            at = placed[k][4]
            assert machine.memory[at : at + array.nbytes] == array.tobytes(), (name, k)
    print(name, "steps agree")


if __name__ == "__main__":
    most, each, file, *setup = sys.argv[1:]
    pairs = [word.split("=") for word in setup]
    run = play if Path(file).stem == "roll" else step
    run(each, Path(file).read_text(encoding="ascii"), int(most), {key: int(value) for key, value in pairs})
