"""Wondev Woman, what a bot's class sees, of what `starter.py` describes: heights, units in sight, legal actions."""

from __future__ import annotations

from typing import Any

from dohyo.core import observation
from dohyo.core.observation import all_actions
from dohyo.games.wondev_woman.legality import NO_MOVE
from dohyo.games.wondev_woman.protocol import SIGNS, TEXTS

NOTHING = (all_actions(TEXTS)[NO_MOVE],)
HOLE = -1
HEIGHTS = {sign: height for height, sign in enumerate(SIGNS[:-1].decode())} | {SIGNS[-1:].decode(): HOLE}


class WondevWomanObservation(observation.Observation, frozen=True, kw_only=True):
    """The board: `heights[y][x]` is -1 for a hole, 0 to 3 in play, 4 out of play.

    `own` are the places (x, y) of the seat's units, by number; `enemies` those of the enemies that it sees, none for
    each that it does not see. With no legal action left, `legal_actions` has `NO-MOVE` alone: the seat is out,
    whatever it answers, and the replay calls it so.
    """

    size: int
    units: int
    heights: tuple[tuple[int, ...], ...]
    own: tuple[tuple[int, int], ...]
    enemies: tuple[tuple[int, int] | None, ...]


def observation_of(sent: Any, before: WondevWomanObservation | None, answered: str) -> WondevWomanObservation:
    """The size and the number of units, which were sent in the first turn only; the board, the units, the actions."""
    return WondevWomanObservation(
        lines=sent.lines,
        own_turn=sent.own_turn,
        legal_actions=sent.legal_actions or NOTHING,
        size=sent.size,
        units=sent.units,
        heights=tuple([tuple([HEIGHTS[sign] for sign in row]) for row in sent.rows]),
        own=tuple([(cell.x, cell.y) for cell in sent.own]),
        enemies=tuple([None if cell.x < 0 else (cell.x, cell.y) for cell in sent.enemies]),
    )
