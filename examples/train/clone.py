"""Learn to play as a recorded bot: python clone.py REPLAYS [--bot hunter] [--out cloned] [--epochs 25] [--seed 0]

Behaviour cloning: of each decision of the bot in these replays (files, a folder, or a contest's store), a small
network learns which action it chose. A tenth of the matches is held out: how often network and bot agree there is
printed, beside the share of the most frequent action. It becomes a bot, as by `export.py`. NumPy alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy
from export import export
from matches import GAME
from trained.features import OWN, STUN

import dohyo.data

HELD_OUT = 0.1  # of the matches
HIDDEN = (96, 64)
AT_ONCE = 512  # decisions between two updates
RATE, FIRST, SECOND, TINY = 2e-3, 0.9, 0.999, 1e-8  # Adam's


class Network:
    """Layers of weighted sums with tanh between them, trained by Adam (Kingma and Ba, 2015) to name an action."""

    def __init__(self, sizes: Sequence[int], seed: int) -> None:
        self._chance = numpy.random.default_rng(seed)
        self.layers = [
            [self._chance.normal(0, into**-0.5, (out, into)).astype("f4"), numpy.zeros(out, "f4")]
            for into, out in pairwise(sizes)
        ]
        self._moments = [[numpy.zeros((2, *part.shape), "f4") for part in layer] for layer in self.layers]
        self._steps = 0

    def values(self, seen: Any) -> list[Any]:
        """What goes into each layer, and the scores of all actions at the end."""
        found = [seen]
        for at, (weight, bias) in enumerate(self.layers):
            sums = found[-1] @ weight.T + bias
            found.append(sums if at == len(self.layers) - 1 else numpy.tanh(sums))
        return found

    def choose(self, seen: Any) -> Any:
        """The action that scores most, of each row."""
        return self.values(seen)[-1].argmax(axis=1)

    def epoch(self, seen: Any, actions: Any, rate: float) -> None:
        """Go through all decisions once, in another order each time."""
        order = self._chance.permutation(len(actions))
        for start in range(0, len(order), AT_ONCE):
            rows = order[start : start + AT_ONCE]
            self._update(seen[rows], actions[rows], rate)

    def _update(self, seen: Any, actions: Any, rate: float) -> None:
        """A step down the cross-entropy of these decisions."""
        values = self.values(seen)
        odds = numpy.exp(values[-1] - values[-1].max(axis=1, keepdims=True))
        slope = odds / odds.sum(axis=1, keepdims=True)
        slope[numpy.arange(len(actions)), actions] -= 1
        slope /= len(actions)
        self._steps += 1
        for at in reversed(range(len(self.layers))):
            before = slope @ self.layers[at][0] * (1 - values[at] ** 2) if at else slope
            for part, change in enumerate((slope.T @ values[at], slope.sum(axis=0))):
                moments = self._moments[at][part]
                moments[0] += (1 - FIRST) * (change - moments[0])
                moments[1] += (1 - SECOND) * (change**2 - moments[1])
                mean, spread = moments[0] / (1 - FIRST**self._steps), moments[1] / (1 - SECOND**self._steps)
                self.layers[at][part] -= rate * mean / (numpy.sqrt(spread) + TINY)
            slope = before


def that_count(found: dohyo.data.Decisions) -> tuple[Any, Any]:
    """What was seen, and what was done, where it could change anything: not by who has fallen, or cannot move."""
    free = found.observations[:, :OWN].any(axis=1) & (found.observations[:, STUN] == 0)
    return found.observations[free], found.actions[free]


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("replays", nargs="+")
    words.add_argument("--bot", nargs="+", default=["hunter"], help="names of the bot in these matches")
    words.add_argument("--out", type=Path, default=Path("cloned"))
    words.add_argument("--epochs", type=int, default=25)
    words.add_argument("--seed", type=int, default=0)
    given = words.parse_args()
    found = dohyo.data.load(given.replays, game=GAME, bots=given.bot, masks=False)
    held, rest = found.split(max(HELD_OUT, 1 / len(found.matches)), given.seed)
    seen, actions = that_count(rest)
    new, right = that_count(held)
    print(f"{len(actions)} decisions to learn from, {len(right)} in other matches to be tried on")
    if not len(actions) or not len(right):
        words.error("too little to learn from: there have to be some matches of this bot")
    network = Network((seen.shape[1], *HIDDEN, GAME.rules.ACTIONS), given.seed)
    for number in range(given.epochs):
        network.epoch(seen, actions, RATE * (1 - number / given.epochs))
    usual = numpy.bincount(actions).argmax()
    agreed, always = (float((chosen == right).mean()) for chosen in (network.choose(new), usual))
    print(f"agrees in {agreed:.1%} of the new decisions; the most frequent action is {always:.1%} of them")
    *hidden, last = (SimpleNamespace(weight=weight, bias=bias) for weight, bias in network.layers)
    policy = SimpleNamespace(mlp_extractor=SimpleNamespace(policy_net=hidden), action_net=last)
    export(SimpleNamespace(policy=policy), given.out)
    print(f"{given.out} is a bot: dohyo play drop-block {given.out} hunter random random")


if __name__ == "__main__":
    main()
