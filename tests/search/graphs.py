"""A game on any small graph, which may lead back to where one was: whoever owns the place moves on along an edge.

The state holds the graph. It counts no turns, so a match may never end; and a seat may move several times in a row.
"""

from __future__ import annotations

import random
from typing import Any

from msgspec.structs import replace

from dohyo.core.flat import Layout, flat
from dohyo.core.game import Chance, Game, Turns
from dohyo.games.drop_block import GAME as OTHER

SEATS = 2
NODES = 12
ACTIONS = 3
CONCESSIONS = ()
LAYOUT = Layout(
    "Graph",
    ("at", "i1", 0),
    ("owner", "i1", NODES),
    ("edge", "i1", (NODES, ACTIONS)),  # -1: none
    ("end", "i1", NODES),  # 0: the match goes on; 1, 2: that seat has won; 3: nobody
)
REASONS = {1: "graph.end"}


@flat
def acts(s: Any, seat: int) -> bool:
    """Who owns the place."""
    return s.owner[s.at] == seat  # type: ignore[no-any-return]


@flat
def legal(s: Any, seat: int, out: Any) -> int:
    """The edges that there are."""
    count = 0
    for action in range(ACTIONS):
        if s.edge[s.at * ACTIONS + action] >= 0:
            out[count] = action
            count += 1
    return count


@flat
def is_legal(s: Any, seat: int, action: int) -> bool:
    """Whether there is one."""
    return 0 <= action < ACTIONS and s.edge[s.at * ACTIONS + action] >= 0


@flat
def step(s: Any, actions: Any, events: Any) -> None:
    """Go along it."""
    s.at = s.edge[s.at * ACTIONS + actions[s.owner[s.at]]]


@flat
def over(s: Any) -> bool:
    """Whether it is an end."""
    return s.end[s.at] != 0  # type: ignore[no-any-return]


@flat
def places(s: Any, out: Any) -> int:
    """As the end says."""
    for seat in range(SEATS):
        out[seat] = 2 if s.end[s.at] == 2 - seat else 1
    return 1


@flat
def winner(s: Any) -> int:
    """As the end says."""
    return s.end[s.at] - 1 if 1 <= s.end[s.at] <= SEATS else -1


class Rules:
    """Stands for the module, in `GAME`."""


for _name, _found in list(globals().items()):
    if not _name.startswith("_"):
        setattr(Rules, _name, staticmethod(_found) if callable(_found) and not isinstance(_found, type) else _found)


def game() -> Game:
    """The game."""
    facts = {"name": "graph", "seats": (2, 2), "turns": Turns.ALTERNATING, "chance": Chance.NEVER, "rules": Rules}
    return replace(OTHER, possible=lambda state: True, **facts)


def drawn(seed: int) -> Any:
    """A graph by chance, the match at its first place."""
    luck = random.Random(seed)
    s = LAYOUT.new()
    for node in range(NODES):
        s.owner[node] = luck.randrange(SEATS)
        s.end[node] = luck.choice((1, 2, 3)) if node >= NODES - luck.choice((3, 4, 5)) else 0
        for action in range(ACTIONS):
            s.edge[node * ACTIONS + action] = luck.randrange(NODES) if action == 0 or luck.random() < 0.6 else -1
    return s


def truth(s: Any) -> list[dict[int, bool | None]]:
    """By place and seat: whether the seat can force a win, whether it is finite that it cannot, or neither.

    By going backwards from the ends: nothing of a search.
    """
    found: list[dict[int, bool | None]] = [{0: None, 1: None} for _ in range(NODES)]
    for node in range(NODES):
        if s.end[node]:
            found[node] = {seat: s.end[node] == seat + 1 for seat in range(SEATS)}
    for _ in range(NODES):
        for node in range(NODES):
            after = [found[to] for to in s.edge[node * ACTIONS : (node + 1) * ACTIONS] if to >= 0]
            for seat in range(SEATS):
                if found[node][seat] is not None:
                    continue
                wanted = s.owner[node] == seat  # what its owner wants it to be
                each = [one[seat] for one in after]
                if wanted in each:
                    found[node][seat] = wanted
                elif all(one is (not wanted) for one in each):
                    found[node][seat] = not wanted
    return found
