"""A player of Drop-Block that does what a small network says, which PPO has trained. Python alone, no libraries.

`weights.json` holds the network's layers, each as {"weight": a row for each output, "bias": a number for each}.
"""

import json
from math import tanh
from operator import mul
from pathlib import Path

from features import SIZE, observe

from dohyo.games.drop_block.protocol import LETTERS
from dohyo.games.drop_block.rules import BLOCKS, LAYOUT, SEATS


class Network:
    """Layers of weighted sums with tanh between them."""

    def __init__(self, path):
        self.layers = [(layer["weight"], layer["bias"]) for layer in json.loads(path.read_text())]

    def scores(self, values):
        """The last layer's sums: a number for each action."""
        for at, (weight, bias) in enumerate(self.layers):
            if at > 0:
                values = [tanh(value) for value in values]
            values = [sum(map(mul, row, values), constant) for row, constant in zip(weight, bias, strict=True)]
        return values

    def choose(self, state, seat):
        """The action that scores most."""
        seen = [0.0] * SIZE
        observe(state, seat, seen)
        scores = self.scores(seen)
        return scores.index(max(scores))


def read_state():
    """Read a turn's 13 lines: my seat, and what the rules call a state."""
    seat, state = int(input()), LAYOUT.new()
    state.turn = int(input())
    state.block = [int(block) for _ in range(BLOCKS) for block in input().split()]
    for p in range(SEATS):
        row, column, facing, stun = input().split()
        state.row[p], state.column[p], state.stun[p] = int(row), int(column), int(stun)
        state.facing[p] = LETTERS.index(facing)
    input()  # the word EOD ends the turn's input
    return seat, state


def main():
    """Answer turn after turn until the match is over."""
    network = Network(Path(__file__).with_name("weights.json"))
    print("READY", flush=True)
    try:
        while True:
            seat, state = read_state()
            print(LETTERS[network.choose(state, seat)], flush=True)
    except EOFError:
        pass


if __name__ == "__main__":
    main()
