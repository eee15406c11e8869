"""Shoot-Em-Up, what a bot's class sees: its own robot, and whether it was hit; nothing of the other robot.

A program is told its square only once. From then on the square follows from what it answered.
"""

from __future__ import annotations

from typing import Any

from dohyo.core import observation
from dohyo.core.observation import all_actions
from dohyo.games.shoot_em_up.protocol import text
from dohyo.games.shoot_em_up.rules import ACTIONS, MOVES, WIDTH, X_OF, Y_OF

ALL = all_actions(tuple(map(text, range(ACTIONS))))
NUMBERS: dict[str, int] = {action: action.number for action in ALL}
PLACE, HIT = "P", "H"


class ShootEmUpObservation(observation.Observation, frozen=True, kw_only=True):
    """The seat's robot: its column from the left, its row from above, both 0 to 9, and what it knows of hits.

    `hits` is how often it was hit, as far as it was told; `hit_from` the step (to the right, down) toward the robot
    that has hit it since its last action, none if it was not; `has_power` whether a shot would have power now.
    """

    x: int
    y: int
    hits: int
    hit_from: tuple[int, int] | None
    has_power: bool

    def stays_on_board(self, action: str) -> bool:
        """Whether this action leaves the robot on the board; a robot that leaves it is dead."""
        x, y, _ = _after(self, action)
        return 0 <= x < WIDTH and 0 <= y < WIDTH


def observation_of(sent: Any, before: ShootEmUpObservation | None, answered: str) -> ShootEmUpObservation:
    """Where the robot starts, or what happened since its last action."""
    if sent.kind == PLACE or before is None:
        x, y, has_power, hits = sent.x, sent.y, True, 0
    else:
        x, y, has_power = _after(before, answered)
        hits = before.hits + (sent.kind == HIT)
    return ShootEmUpObservation(
        lines=sent.lines,
        own_turn=sent.own_turn,
        legal_actions=ALL,
        x=x,
        y=y,
        hits=hits,
        hit_from=(sent.dx, sent.dy) if sent.kind == HIT else None,
        has_power=has_power,
    )


def _after(seen: ShootEmUpObservation, answered: str) -> tuple[int, int, bool]:
    """Where the robot is after an answer, and whether the next shot has power."""
    action = NUMBERS.get(answered)
    if action is None or action >= MOVES:  # a shot; with anything but an action the combat is lost
        return seen.x, seen.y, False
    return seen.x + X_OF[action], seen.y + Y_OF[action], True
