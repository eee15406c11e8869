"""What the operator may choose before a match of Wondev Woman."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dohyo.core.errors import OperatorError
from dohyo.core.options import Option, Value, one_of, whole
from dohyo.games.wondev_woman.board import (
    CELLS,
    HOLE,
    MAX_SIZE,
    MAX_UNITS,
    POINTS,
    REACH,
    SEATS,
    TOP,
    cell_of,
    clear,
    place,
    set_height,
    slot_of,
)
from dohyo.games.wondev_woman.dealing import MAP_SIZE
from dohyo.games.wondev_woman.rules import REASONS, ROUNDS

MIN_ROWS = 5
MIN_OPEN = SEATS * 2  # cells that a unit can stand on, in a grid of one's own: one for every unit of any league

# league: units a player, pushing, fog, goal
LEAGUES = {
    "wood3": (1, 0, 0, REACH),
    "wood2": (1, 0, 0, POINTS),
    "wood1": (2, 1, 0, POINTS),
    "bronze": (2, 1, 1, POINTS),
}
MAPS = ("any", "square", "diamond", "random")  # by number


def read_grid(value: Value) -> list[str]:
    """The board row by row, separated by `/`: digits 0 to 4 for heights, a dot for a hole; or a list of rows."""
    rows = value.split("/") if isinstance(value, str) else list(value)
    if not MIN_ROWS <= len(rows) <= MAX_SIZE or any(len(row) != len(rows) for row in rows):
        raise ValueError
    heights = "".join(rows)
    if set(heights) - set(".01234") or sum(height in "0123" for height in heights) < MIN_OPEN:
        raise ValueError
    return rows


def read_units(value: Value) -> list[list[int]]:
    """The units' cells, `x,y` each, separated by `/`, or a list of pairs.

    All units of the first player come first, then those of the other.
    """
    parts = value.split("/") if isinstance(value, str) else value
    coordinate = whole(0, MAX_SIZE - 1)
    units = []
    for part in parts:
        x, y = part.split(",") if isinstance(part, str) else part
        units.append([coordinate(x), coordinate(y)])
    if not units:
        raise ValueError
    return units


TAKES_UNITS = (
    "X,Y/X,Y/... on different cells of heights 0 to 3 of `grid`, the first player's one or two, then the other's"
)

OPTIONS = (
    Option(
        "league",
        "bronze",
        ", ".join(LEAGUES),
        "which of the contest's leagues, from bronze on alike",
        one_of(*LEAGUES),
    ),
    Option("map", "any", ", ".join(MAPS), "5 x 5 square, 7 x 7 diamond, random 6 x 6, or one of them", one_of(*MAPS)),
    Option(
        "grid",
        None,
        f"{MIN_ROWS} to {MAX_SIZE} rows as long as they are many, parted by /, of 0 to 4 and . for holes",
        "a board of your own, instead of `map`",
        read_grid,
    ),
    Option("units", None, TAKES_UNITS, "where the units start on `grid`, instead of anywhere", read_units),
)


def start(s: Any, setup: Mapping[str, Value], seats: int) -> None:
    """Write a resolved setup into a new state.

    Raises `OperatorError` when the units do not fit the grid or the league.
    """
    s.units, s.push, s.fog, s.goal = LEAGUES[setup["league"]]
    s.map = MAPS.index(setup["map"])
    clear(s)
    if setup["grid"] is not None:
        lay_out(s, setup["grid"])
    if setup["units"] is not None:
        seat_units(s, setup["units"])


def possible(s: Any) -> bool:
    """Whether a match can come to this state: a replay that somebody wrote by hand may hold any numbers.

    What rules look things up by has to be right here: compiled, they do not look whether it is.
    """
    inside = [cell_of(x, y) for x in range(MAX_SIZE) for y in range(MAX_SIZE)]
    heights = {cell: s.height[cell] for cell in inside}
    board = all(HOLE <= height <= TOP + 1 for height in heights.values()) and s.height.count(HOLE) == CELLS - sum(
        height != HOLE for height in heights.values()
    )
    low = all(
        s.low[level] == sum(1 << cell for cell, height in heights.items() if 0 <= height <= level)
        for level in range(TOP + 1)
    )
    kind = (s.units, s.push, s.fog, s.goal) in LEAGUES.values() and 0 <= s.map < len(MAPS)
    flags = all(flag in (0, 1) for flag in (*s.out, *s.told, s.mover, s.dealt))
    course = s.turn >= 0 and 0 <= s.rounds <= ROUNDS and min(s.points) >= 0 and (s.ended == 0 or s.ended in REASONS)
    within = [cell_of(x, y) for x in range(min(s.size, MAX_SIZE)) for y in range(min(s.size, MAX_SIZE))]
    free = sum(0 <= heights[cell] <= TOP for cell in within)
    board = board and all(height == HOLE for cell, height in heights.items() if cell not in within)
    room = free >= SEATS * s.units if s.size else free == s.dealt == 0  # or the deal would look for cells for ever
    return board and low and kind and 0 <= s.size <= MAX_SIZE and flags and course and room and _stand(s, inside)


def _stand(s: Any, inside: Sequence[int]) -> bool:
    """Whether all units stand on cells of their own, if they are on the board, and nobody else."""
    used = [slot_of(p, unit) for p in range(SEATS) for unit in range(s.units)] if s.dealt else []
    cells = [s.at[slot] for slot in used]
    others = [s.at[slot] for slot in range(SEATS * MAX_UNITS) if slot not in used]
    on_board = all(cell in inside and 0 <= s.height[cell] <= TOP for cell in cells)
    apart = len(set(cells)) == len(cells) and s.taken == (sum(1 << cell for cell in cells) if on_board else -1)
    return on_board and apart and not any(others)


def map_name(s: Any) -> str:
    """Which of the maps the match is played on, by its size; nothing where it is another board."""
    return MAPS[MAP_SIZE.index(s.size)] if s.size in MAP_SIZE else ""


def lay_out(s: Any, grid: Sequence[str]) -> None:
    """Take the board from a setup."""
    s.size = len(grid)
    for y, row in enumerate(grid):
        for x, height in enumerate(row):
            set_height(s, cell_of(x, y), HOLE if height == "." else int(height))


def seat_units(s: Any, units: Sequence[Sequence[int]]) -> None:
    """Take the units' cells from a setup."""
    slots = [slot_of(p, unit) for p in range(SEATS) for unit in range(s.units)]
    cells = [cell_of(x, y) for x, y in units]
    if len(cells) != len(slots) or len(set(cells)) < len(cells) or any(not 0 <= s.height[at] <= TOP for at in cells):
        value = "/".join(f"{x},{y}" for x, y in units)
        raise OperatorError("bad-setup-value", key="units", value=value, nearest="", takes=TAKES_UNITS)
    for slot, cell in zip(slots, cells, strict=True):
        place(s, slot, cell)
    s.dealt = 1


def reseat(s: Any) -> None:
    """Make a state ready for new programs, which have been told nothing yet, as when a replay is taken up."""
    s.told[:] = [0] * SEATS
