"""A small game for searches: whoever takes the last stone of a pile wins; with dice, and both at once, if wanted.

A turn takes one to three stones. With `dice`, one or no stone is added after each turn. With `both`, the seats act at
once, and the higher number wins a stone of the pile; five won stones win the game.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from dohyo.core.flat import Layout, flat, uniform
from dohyo.core.game import Chance, Game, Turns
from dohyo.games.drop_block import GAME as OTHER

SEATS = 2
ACTIONS = 4
DICE = 1
EVENTS_A_TURN = 1
CONCESSIONS = ()
LAYOUT = Layout(
    "Piles",
    ("pile", "i4", 0),
    ("mover", "i1", 0),
    ("won", "i1", SEATS),
    ("dice", "i1", 0),
    ("both", "i1", 0),
    ("rolled", "i1", 0),
)
GOAL = 5
REASONS = {1: "piles.won"}


@flat
def needs_dice(s: Any) -> bool:
    """After each turn of a game with dice."""
    return s.dice == 1 and s.rolled == 0


@flat
def roll(s: Any, source: Any, dice: Any) -> int:
    """One stone more, or none."""
    dice[0] = uniform(source, 2)
    return 1


@flat
def deal(s: Any, dice: Any, events: Any) -> None:
    """Add it."""
    s.pile += dice[0]
    s.rolled = 1


@flat
def acts(s: Any, seat: int) -> bool:
    """The mover, or both."""
    return s.both == 1 or s.mover == seat


@flat
def legal(s: Any, seat: int, out: Any) -> int:
    """As many as there are, at most three."""
    count = 0
    for action in range(1, ACTIONS):
        if s.both == 1 or action <= s.pile:
            out[count] = action
            count += 1
    return count


@flat
def is_legal(s: Any, seat: int, action: int) -> bool:
    """Whether there are so many."""
    return 1 <= action < ACTIONS and (s.both == 1 or action <= s.pile)


@flat
def step(s: Any, actions: Any, events: Any) -> None:
    """Take stones."""
    s.rolled = 0
    if s.both == 1:
        if actions[0] > actions[1]:
            s.won[0] += 1
        elif actions[1] > actions[0]:
            s.won[1] += 1
    else:
        s.pile -= actions[s.mover]
        if s.pile == 0:
            s.won[s.mover] = GOAL
        s.mover = 1 - s.mover


@flat
def over(s: Any) -> bool:
    """Whether somebody has won."""
    return s.won[0] >= GOAL or s.won[1] >= GOAL


@flat
def places(s: Any, out: Any) -> int:
    """Who has won more stones is first."""
    for seat in range(SEATS):
        out[seat] = 2 if s.won[seat] < s.won[1 - seat] else 1
    return 1


@flat
def winner(s: Any) -> int:
    """Who has won enough stones."""
    return 0 if s.won[0] >= GOAL else 1 if s.won[1] >= GOAL else -1


@flat
def even(s: Any, seat: int) -> float:
    """A value that knows of one thing: four stones are good for who does not move."""
    if s.pile % 4 == 0:
        return -0.5 if s.mover == seat else 0.5
    return 0.0


@flat
def three(s: Any, seat: int, options: Any, count: int, luck: Any) -> int:
    """A policy: take as much as can be."""
    return options[count - 1]


class Rules:
    """Stands for the module, in `GAME`."""


for _name, _found in list(globals().items()):
    if not _name.startswith("_"):
        setattr(Rules, _name, staticmethod(_found) if callable(_found) and not isinstance(_found, type) else _found)


def game(turns: Turns = Turns.ALTERNATING) -> Game:
    """The game."""
    facts = {"name": "piles", "seats": (2, 2), "turns": turns, "chance": Chance.EVERY_TURN, "rules": Rules}
    return replace(OTHER, possible=lambda state: True, **facts)


def pile(stones: int, **fields: Any) -> Any:
    """A state with so many stones."""
    s = LAYOUT.new()
    s.pile = stones
    s.rolled = 1
    for name, number in fields.items():
        setattr(s, name, number)
    return s
