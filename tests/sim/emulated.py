"""Rollouts by a kernel as it was compiled for a card, in an emulator, held against those of a CPU.

    python -m tests.sim.emulated STEPS GAME FILE [KEY=NUMBER ...]    the PTX of the game's kernel `roll`, a setup

Says how many instructions a turn took.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy

from dohyo.games import find
from dohyo.sim import BatchMatch, kernels
from dohyo.sim.kernels import ROWS_OF_WINS
from tests.sim.emulator import Machine

SLOTS = 2


def placed(machine: Machine, record: Any) -> Any:
    """A record with the words of each field as a kernel takes them; arrays are in the machine's memory then."""
    return type(record)(*(machine.array(part) if isinstance(part, numpy.ndarray) else [part] for part in record))


def words(*records: Any) -> list[int]:
    """All words of these records and arrays, in order."""
    return [word for record in records for part in record for word in part]


def play(name: str, text: str, steps: int, setup: dict[str, int]) -> None:
    """Roll out every slot of a batch on both; raise `AssertionError` where they differ."""
    game = find(name)
    batch = BatchMatch(game, SLOTS, 3, setup, threads=1)
    wins = numpy.zeros((ROWS_OF_WINS, batch.seats + 1), numpy.int64)
    machine = Machine(text)
    games, counted = placed(machine, batch.games), machine.array(wins)
    for slot in range(SLOTS):
        machine.run(slot, [*words(games, [counted]), steps])
    totals = batch.rollout(steps)
    after = content(machine, counted, wins)
    assert after.sum(axis=0).tolist() == [*totals.wins, totals.draws], name
    for field, array in batch.games._asdict().items():
        if not isinstance(array, numpy.ndarray):
            continue
        after = content(machine, getattr(games, field), array)
        if field == "states":
            for n in range(SLOTS):
                fields = game.rules.LAYOUT.size
                assert after[n].tobytes()[:fields] == array[n].tobytes()[:fields], (name, n)
        else:
            assert after.tobytes() == array.tobytes(), (name, field)
    count = sum(machine.executed.values()) / (steps * SLOTS)
    most = ", ".join(f"{kind} {number / (steps * SLOTS):.0f}" for kind, number in machine.executed.most_common(9))
    print(f"{name} agrees, games {totals.games}, instructions a turn {count:.0f}: {most}")


def content(machine: Machine, place: list[int], like: Any) -> Any:
    """An array of the machine's memory, of another one's form; of its words the fifth is its address."""
    return numpy.frombuffer(machine.memory, like.dtype, like.size, place[4]).reshape(like.shape)


def step(name: str, text: str, steps: int, setup: dict[str, int]) -> None:
    """Step every slot of a batch on both by legal actions; raise `AssertionError` where anything differs."""
    game = find(name)
    batch = BatchMatch(game, SLOTS, 3, setup, threads=1)
    machine = Machine(text)
    found = kernels.Found(
        counts=numpy.zeros(2, numpy.int64),
        flag=numpy.zeros(1, numpy.int64),
        taken=numpy.zeros((SLOTS, batch.seats), numpy.int64),
        wrong=numpy.zeros((SLOTS, batch.seats), numpy.bool_),
    )
    games = placed(machine, batch.games)
    given, seen, mask = (
        machine.array(array)
        for array in (
            numpy.zeros((SLOTS, 1), numpy.int64),
            batch.observe().reshape(SLOTS, batch.seats, -1),
            batch.legal(),
        )
    )
    arguments = [*words(games, placed(machine, found), [given, seen, mask]), 1, kernels.ANSWERED]
    for _ in range(steps):
        actions = batch.sample()
        # The sample drew from the slots' random numbers.
        for place, array in ((given, actions), (games.slots, batch.games.slots)):
            machine.memory[place[4] : place[4] + array.nbytes] = array.tobytes()
        for slot in range(SLOTS):
            machine.run(slot, arguments)
        batch.step(actions)
        for field in ("states", "slots", "rewards", "done"):
            array = getattr(batch.games, field)
            assert content(machine, getattr(games, field), array).tobytes() == array.tobytes(), (name, field)
        for place, array in ((seen, batch.observe()), (mask, batch.legal())):
            assert content(machine, place, array).tobytes() == array.tobytes(), name
    print(name, "steps agree")


if __name__ == "__main__":
    most, each, file, *setup = sys.argv[1:]
    pairs = [word.split("=") for word in setup]
    run = play if Path(file).stem == "roll" else step
    run(each, Path(file).read_text(encoding="ascii"), int(most), {key: int(value) for key, value in pairs})
