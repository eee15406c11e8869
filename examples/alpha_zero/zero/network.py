"""The network, in NumPy: what it sees of a board, and what it makes of that. Training and the bot both use this file.

It sees the board's own geometry: which stones are where, how many stones of one player's each of the 69 rows of four
holds that the other has not blocked, where a fourth stone would make four, and which cells are next in their columns.
Nothing says what is good: that is learned.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy

Array = numpy.ndarray[Any, Any]
ROWS, COLUMNS = 6, 7
CELLS = ROWS * COLUMNS
ACTIONS = COLUMNS + 1  # the last one gives up, and is never legal
NAMES = ("w1", "b1", "w2", "b2", "wp", "bp", "wv", "bv")
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def lines() -> Array:
    """1 where a cell is part of a row of four: (cells, lines), float32."""
    found = []
    for row in range(ROWS):
        for column in range(COLUMNS):
            for down, right in DIRECTIONS:
                cells = [(row + i * down, column + i * right) for i in range(4)]
                if all(0 <= r < ROWS and 0 <= c < COLUMNS for r, c in cells):
                    found.append([r * COLUMNS + c for r, c in cells])
    table = numpy.zeros((CELLS, len(found)), numpy.float32)
    for line, cells_of in enumerate(found):
        table[cells_of, line] = 1
    return table


LINES = lines()
INPUTS = 2 * CELLS + 1 + 6 * LINES.shape[1] + 3 * CELLS


def features(observations: Array) -> Array:
    """What the network sees (boards, INPUTS), float32, of observations (boards, 2, 6, 7): own stones, the other's."""
    stones = observations.reshape(len(observations), 2, CELLS).astype(numpy.float32)
    mine, theirs = stones[:, 0], stones[:, 1]
    own, other = mine @ LINES, theirs @ LINES
    free = 1 - mine - theirs
    second = (mine.sum(axis=1) < theirs.sum(axis=1))[:, None]  # who has fewer stones moves second
    parts = [mine, theirs, second]
    for counts, blocked in ((own, other), (other, own)):
        alone = numpy.where(blocked == 0, counts, 0)
        parts += [alone == 1, alone == 2, alone == 3]
        parts.append(((alone == 3).astype(numpy.float32) @ LINES.T > 0) * free)
    board = free.reshape(-1, ROWS, COLUMNS)
    below = numpy.concatenate([board[:, 1:], numpy.zeros_like(board[:, :1])], axis=1)  # the floor is not free
    parts.append((board * (1 - below)).reshape(-1, CELLS))
    return numpy.concatenate(parts, axis=1, dtype=numpy.float32)


class Network:
    """Two layers, and above them a policy (logits of all actions) and a value of the seat that sees the board."""

    def __init__(self, weights: dict[str, Array]) -> None:
        self.weights = {name: weights[name].astype(numpy.float32) for name in NAMES}

    def __call__(self, observations: Array, masks: Array) -> tuple[Array, Array]:
        """Logits (boards, 8) and values (boards,): what `dohyo.search.puct.PUCT` asks for."""
        w = self.weights
        first = numpy.maximum(features(observations) @ w["w1"] + w["b1"], 0)
        second = numpy.maximum(first @ w["w2"] + w["b2"], 0)
        return second @ w["wp"] + w["bp"], numpy.tanh(second @ w["wv"] + w["bv"])[:, 0]

    def save(self, path: Path) -> None:
        """Write the weights, with 16 bits for each."""
        numpy.savez_compressed(path, **{name: array.astype(numpy.float16) for name, array in self.weights.items()})  # type: ignore[arg-type]


def load(path: Path) -> Network:
    """The network of a file of weights."""
    with numpy.load(path, allow_pickle=False) as weights:
        return Network(dict(weights))


def blank(hidden: tuple[int, int] = (256, 128), seed: int = 0) -> Network:
    """A network that knows nothing."""
    chance = numpy.random.default_rng(seed)
    first, second = hidden
    shapes = {"w1": (INPUTS, first), "w2": (first, second), "wp": (second, ACTIONS), "wv": (second, 1)}
    weights: dict[str, Array] = {}
    for name, (inputs, outputs) in shapes.items():
        scale = numpy.sqrt(2 / inputs) if name in ("w1", "w2") else 0.01
        weights[name] = chance.normal(0, scale, (inputs, outputs))
        weights["b" + name[1]] = numpy.zeros(outputs)
    return Network(weights)
