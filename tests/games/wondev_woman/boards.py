"""Small boards and short ways to play on them, for the tests of Wondev Woman."""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import row_of
from dohyo.core.options import resolve
from dohyo.games.wondev_woman import GAME
from dohyo.games.wondev_woman.board import SEATS, cell_of, x_of, y_of
from dohyo.games.wondev_woman.legality import ACTIONS, OUT, list_actions

FLAT = "00000/00000/00000/00000/00000"


def board(grid: str = FLAT, units: str = "0,0/4,4", league: str = "wood2") -> Any:
    """A state with that board and those units, player 0 to move."""
    return GAME.new_state(resolve(GAME.options, {"league": league, "grid": grid, "units": units}), SEATS)


def with_fog(grid: str = FLAT, units: str = "0,0/0,4/4,4/4,0") -> Any:
    """The same in the bronze league: two units a player, pushing and fog."""
    return board(grid, units, "bronze")


def action(text: str) -> int:
    """The number of an action."""
    found = GAME.protocol.read(text)
    assert found is not None, text
    return found


def listed(s: Any, seat: int = 0) -> list[str]:
    """The actions that a seat is sent."""
    numbers = row_of(ACTIONS)
    return [GAME.protocol.text(number) for number in numbers[: list_actions(s, seat, numbers)]]


def play(s: Any, *actions: str) -> list[tuple[int, int, int, int]]:
    """Let the players act in turn; what happened in the last of these turns."""
    from dohyo.core.flat import read_events

    happened = []
    for text in actions:
        assert not GAME.rules.over(s), text
        events = GAME.new_events()
        GAME.rules.step(s, [action(text)] * SEATS, events)
        happened = read_events(events)
    return happened


def leave(s: Any) -> None:
    """The mover goes out by a fault."""
    GAME.rules.step(s, [OUT] * SEATS, None)


def height(s: Any, x: int, y: int) -> int:
    """How high a cell is."""
    return int(s.height[cell_of(x, y)])


def where(s: Any, seat: int, unit: int = 0) -> tuple[int, int]:
    """The cell of a unit as (x, y)."""
    cell = s.at[2 * seat + unit]
    return x_of(cell), y_of(cell)


def final(s: Any) -> list[int]:
    """The players' scores."""
    scores = row_of(SEATS)
    GAME.rules.scores(s, scores)
    return scores


def prompt(s: Any, seat: int = 0) -> list[str]:
    """What a seat is sent, line by line."""
    return GAME.prompt(s, seat).decode().splitlines()
