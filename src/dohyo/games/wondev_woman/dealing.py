"""Wondev Woman, the deal: a map, and a cell for each unit.

Maps are drawn as masks with one bit for each cell, because a few shifts then test whether all cells are connected.
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import absolute, flat, popcount, uniform
from dohyo.games.wondev_woman.board import (
    HOLE,
    MAX_SIZE,
    MAX_UNITS,
    SEATS,
    TOP,
    cell_of,
    place,
    set_height,
    slot_of,
)

ANY_MAP, SQUARE, DIAMOND, RANDOM = 0, 1, 2, 3
MAPS = 3
MAP_SIZE = (0, 5, 7, 6)  # by map
MIN_CELLS = 25  # of a random map; up to nine more are wanted
MAX_DRAWS = 1000
MASK_ROW = 8  # bits for a row in a map's mask: bit 8 * y + x; the eighth column is always empty

DICE = 1 + MAX_SIZE + 2 * SEATS * MAX_UNITS  # the deal: the size, a bit mask a row, x and y of each unit


@flat
def needs_dice(s: Any) -> bool:
    """Whether the dice are to move next: once, for the map and the units, unless the setup places them."""
    return s.dealt == 0  # type: ignore[no-any-return]


@flat
def roll(s: Any, source: Any, dice: Any) -> int:
    """Draw the deal into `dice`; how many numbers it has.

    First the size and a mask for each row, unless the setup brought a map; then x and y of each unit.
    """
    count = 0
    if s.size == 0:
        chosen = s.map if s.map != ANY_MAP else 1 + uniform(source, MAPS)
        cells = draw_map(chosen, source)
        count = put_map(MAP_SIZE[chosen], cells, dice)
    else:
        cells = cells_in_play(s)
    return draw_spawns(s, cells, source, dice, count)


@flat
def draw_map(chosen: int, source: Any) -> int:
    """The cells of a map, as a mask; only the random one needs the dice."""
    if chosen == RANDOM:
        return draw_random_map(source)
    cells = 0
    size = MAP_SIZE[chosen]
    for y in range(size):
        for x in range(size):
            if chosen == SQUARE or absolute(x - 3) + absolute(y - 3) <= 3:
                cells |= bit(x, y)
    return cells


@flat
def draw_random_map(source: Any) -> int:
    """Add random cells, each with its mirror, until there are enough and all are connected."""
    size = MAP_SIZE[RANDOM]
    wanted = MIN_CELLS + uniform(source, 10)
    cells = 0
    draws = 0
    while draws < MAX_DRAWS and (popcount(cells) < wanted or not is_connected(cells)):
        x = uniform(source, size)
        y = uniform(source, size)
        cells |= bit(x, y) | bit(size - 1 - x, y)
        draws += 1
    return cells


@flat
def bit(x: int, y: int) -> int:
    """The cell's bit in a map's mask."""
    return 1 << (MASK_ROW * y + x)


@flat
def is_connected(cells: int) -> bool:
    """Whether every cell of a mask can be reached from every other by steps in the eight directions.

    One cell spreads to its neighbours, all at once by shifts, until nothing is added.
    """
    reached = 0
    spread = cells & -cells  # the lowest bit
    while spread != reached:
        reached = spread
        rows = reached | reached << 1 | reached >> 1
        spread = (rows | rows << MASK_ROW | rows >> MASK_ROW) & cells
    return reached == cells


@flat
def put_map(size: int, cells: int, dice: Any) -> int:
    """Write the size, and a mask for each row, into `dice`; how many numbers."""
    dice[0] = size
    for y in range(size):
        dice[1 + y] = (cells >> (MASK_ROW * y)) & 127
    return 1 + size


@flat
def cells_in_play(s: Any) -> int:
    """The cells of the state's own map that a unit can stand on, as a mask."""
    cells = 0
    for y in range(s.size):
        for x in range(s.size):
            if 0 <= s.height[cell_of(x, y)] <= TOP:
                cells |= bit(x, y)
    return cells


@flat
def draw_spawns(s: Any, cells: int, source: Any, dice: Any, count: int) -> int:
    """Give each unit a cell of its own, all equally likely: x and y into `dice` from `count` on."""
    for _ in range(SEATS * s.units):
        x = uniform(source, MAX_SIZE)
        y = uniform(source, MAX_SIZE)
        while cells & bit(x, y) == 0:
            x = uniform(source, MAX_SIZE)
            y = uniform(source, MAX_SIZE)
        cells ^= bit(x, y)
        dice[count] = x
        dice[count + 1] = y
        count += 2
    return count


@flat
def deal(s: Any, dice: Any, events: Any) -> None:
    """Lay out the map, if there is none yet, and put the units where the dice say."""
    count = 0
    if s.size == 0:
        s.size = dice[0]
        for y in range(s.size):
            for x in range(s.size):
                set_height(s, cell_of(x, y), 0 if dice[1 + y] & (1 << x) else HOLE)
        count = 1 + s.size
    for p in range(SEATS):
        for unit in range(s.units):
            place(s, slot_of(p, unit), cell_of(dice[count], dice[count + 1]))
            count += 2
    s.dealt = 1
