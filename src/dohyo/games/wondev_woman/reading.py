"""Wondev Woman, what a bot's class sees: the heights, the units that the seat sees, and its legal actions."""

from __future__ import annotations

from collections.abc import Sequence

from dohyo.core import observation
from dohyo.core.observation import Action, all_actions, next_turn
from dohyo.games.wondev_woman.legality import NO_MOVE
from dohyo.games.wondev_woman.protocol import ACTION_OF, TEXTS

ALL = all_actions(TEXTS)
NOTHING = (ALL[NO_MOVE],)
HOLE = "."


class Observation(observation.Observation, frozen=True, kw_only=True):
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


def is_whole(lines: Sequence[str], before: Observation | None) -> bool:
    """Whether there are as many lines as the board, the units and the list of actions need."""
    first = 2 if before is None else 0
    if len(lines) <= first:
        return False
    size, units = _scale(lines, before)
    listed = first + size + 2 * units
    return len(lines) > listed and len(lines) > listed + int(lines[listed])


def read(lines: Sequence[str], before: Observation | None, answered: str) -> Observation:
    """The size and the number of units, in the first turn only; the board, the units, the actions."""
    size, units = _scale(lines, before)
    at = 2 if before is None else 0
    heights = tuple(tuple(-1 if sign == HOLE else int(sign) for sign in line) for line in lines[at : at + size])
    places = [_place(line) for line in lines[at + size : at + size + 2 * units]]
    listed = lines[at + size + 2 * units + 1 :]
    return Observation(
        lines=tuple(lines),
        own_turn=next_turn(before),
        legal_actions=tuple(map(_action, listed)) or NOTHING,
        size=size,
        units=units,
        heights=heights,
        own=tuple((x, y) for x, y in places[:units]),
        enemies=tuple(None if x < 0 else (x, y) for x, y in places[units:]),
    )


def _scale(lines: Sequence[str], before: Observation | None) -> tuple[int, int]:
    """The board's size and the number of units."""
    return (int(lines[0]), int(lines[1])) if before is None else (before.size, before.units)


def _place(line: str) -> tuple[int, int]:
    x, y = line.split()
    return int(x), int(y)


def _action(line: str) -> Action:
    return ALL[ACTION_OF[line]]
