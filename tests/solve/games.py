"""Small games that are solved here: random ones, rock-paper-scissors, and Goofspiel with three cards."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from dohyo import games
from dohyo.core.flat import Layout, uniform
from dohyo.core.game import Chance, Game, Turns
from dohyo.core.text import put

EXAMPLES = Path(__file__).parents[2] / "examples"
LAYOUT = Layout("Node", ("node", "i4", 0))
ACTIONS = 2
SCISSORS = '''"""Rock-paper-scissors: all at once, one time."""
from dohyo.core.flat import Layout
ACTIONS = 3
TURNS = "simultaneous"
LAYOUT = Layout("Hands", ("shown", "i1", 2), ("ended", "i1", 0))
HIDDEN = {"shown": "others"}
def is_legal(s, seat, action): return 0 <= action <= 2
def step(s, actions, events):
    s.shown[0], s.shown[1] = actions[0] + 1, actions[1] + 1
    s.ended = 1
def score(s, seat):
    ahead = (s.shown[seat] - s.shown[1 - seat]) % 3
    return (2 if s.shown[seat] == 1 else 1) if ahead == 1 else (-2 if s.shown[1 - seat] == 1 else -1) if ahead else 0
def possible(s): return (s.ended == 0) == (0 in s.shown) and all(0 <= each <= 3 for each in s.shown)
'''


class Nodes:
    """A random tree: by node its kind (a seat, -1 for the dice, -2 for an end), children, labels and payoffs."""

    def __init__(self, seed: int, seats: int, depth: int) -> None:
        self.seats, self._chance = seats, random.Random(seed)
        self.kind: list[int] = []
        self.children: list[list[int]] = []
        self.label: list[int] = []
        self.payoff: list[list[float]] = []
        self._grow(depth)

    def _grow(self, depth: int) -> int:
        node, chance = len(self.kind), self._chance
        kind = -2 if depth == 0 or chance.random() < 0.1 else chance.randrange(-1, self.seats)
        self.kind.append(kind)
        self.label.append(chance.randrange(2))
        self.children.append([])
        first = chance.randrange(-9, 10)
        two = [first, -first]
        self.payoff.append(two if self.seats == 2 else [chance.randrange(-9, 10) for _ in range(self.seats)])
        count = 0 if kind == -2 else chance.randrange(2, 4) if kind == -1 else ACTIONS
        self.children[node] = [self._grow(depth - 1) for _ in range(count)]
        return node


def random_game(seed: int, seats: int = 2, depth: int = 4) -> tuple[Game, Nodes]:
    """A game over a random tree, in which seats are told a node's label alone."""
    nodes = Nodes(seed, seats, depth)
    rules = SimpleNamespace(**_rules(nodes))
    protocol = SimpleNamespace(PROMPT_BYTES=9, prompt=lambda s, seat, buffer: put(buffer, 0, nodes.label[s.node]))
    return (
        Game(
            name="random-tree",
            seats=(seats, seats),
            rules=rules,
            protocol=protocol,
            folder=Path(),
            chance=Chance.EVERY_TURN,
            turns=Turns.ALTERNATING,
        ),
        nodes,
    )


def _rules(nodes: Nodes) -> dict[str, Any]:
    def needs_dice(s: Any) -> bool:
        return nodes.kind[s.node] == -1

    def deal(s: Any, dice: Any, events: Any) -> None:
        s.node = nodes.children[s.node][dice[0]]

    def legal(s: Any, seat: int, out: Any) -> int:
        out[0], out[1] = 0, 1
        return ACTIONS

    def step(s: Any, actions: Any, events: Any) -> None:
        s.node = nodes.children[s.node][actions[nodes.kind[s.node]]]

    def scores(s: Any, out: Any) -> None:
        out[: nodes.seats] = nodes.payoff[s.node]

    def places(s: Any, out: Any) -> int:
        out[: nodes.seats] = [1] * nodes.seats
        return 1

    known: dict[str, Callable[..., Any]] = {"needs_dice": needs_dice, "deal": deal, "legal": legal, "step": step}
    known |= {"scores": scores, "places": places, "acts": lambda s, seat: nodes.kind[s.node] == seat}
    known |= {"over": lambda s: nodes.kind[s.node] == -2, "winner": lambda s: -1, "roll": _roll_of(nodes)}
    known |= {"is_legal": lambda s, seat, action: 0 <= action < ACTIONS}
    return {**known, "LAYOUT": LAYOUT, "ACTIONS": ACTIONS, "DICE": 1, "REASONS": {1: "reason.over"}}


def _roll_of(nodes: Nodes) -> Callable[..., int]:
    def roll(s: Any, source: Any, dice: Any) -> int:
        dice[0] = uniform(source, len(nodes.children[s.node]))
        return 1

    return roll


def of_file(text: str, name: str, folder: Path) -> Iterator[Game]:
    """The game of such a file of rules, which is forgotten afterwards."""
    file = folder / f"{name}.py"
    file.write_text(text)
    yield games.load(file)
    sys.modules.pop(name, None)


def goofspiel_of_three() -> str:
    """The example Goofspiel with three cards."""
    return (EXAMPLES / "goofspiel.py").read_text().replace("CARDS = 6", "CARDS = 3")
