"""A robot of Shoot-Em-Up that does what a small network says, which PPO has trained. Python alone, no libraries.

`weights.json` holds the network's layers, each as {"weight": a row for each output, "bias": a number for each}. Where
nothing is seen, always the same would be found out: it draws its actions, each as often as the network says.
"""

import json
import os
import random
import sys
from math import exp, tanh
from operator import mul
from pathlib import Path

from features import SIZE, observe

from dohyo.games.shoot_em_up.protocol import text
from dohyo.games.shoot_em_up.rules import LAYOUT, MOVES, SEATS, X_OF, Y_OF

chance = random.Random(os.environ.get("DOHYO_SEED"))


class Network:
    """Layers of weighted sums with tanh between them."""

    def __init__(self, path):
        self.layers = [(layer["weight"], layer["bias"]) for layer in json.loads(path.read_text())]

    def draw(self, values):
        """An action, by the last layer's sums."""
        for at, (weight, bias) in enumerate(self.layers):
            if at > 0:
                values = [tanh(value) for value in values]
            values = [sum(map(mul, row, values), constant) for row, constant in zip(weight, bias, strict=True)]
        return chance.choices(range(len(values)), [exp(value - max(values)) for value in values])[0]


class Robot:
    """What the robot knows in one combat, as a state of the rules in which it has the first seat."""

    def __init__(self, x, y):
        self.state = LAYOUT.new()
        self.state.x[0], self.state.y[0] = x, y

    def hear(self, hit):
        """We were hit from there, or not."""
        self.state.was_hit[0] = int(hit is not None)
        if hit is not None:
            self.state.hits[0] += 1
            self.state.hit_x[0], self.state.hit_y[0] = hit

    def act(self, network):
        """The next action, as a line."""
        s, seen = self.state, [0.0] * SIZE
        observe(s, 0, seen)
        action = network.draw(seen)
        s.turn += SEATS
        s.told[0] = 1
        s.shot[0] = action if action >= MOVES else 0
        if action < MOVES:
            s.x[0], s.y[0] = s.x[0] + X_OF[action], s.y[0] + Y_OF[action]
        return text(action)


def main():
    """Answer line after line, combat after combat, until the input ends."""
    network, robot = Network(Path(__file__).with_name("weights.json")), None
    for line in sys.stdin:
        what, *numbers = line.split()
        if what == "P":
            robot = Robot(*map(int, numbers))
        elif what in ("N", "H"):
            robot.hear(tuple(map(int, numbers)) if what == "H" else None)
        else:
            continue
        print(robot.act(network), flush=True)


if __name__ == "__main__":
    main()
