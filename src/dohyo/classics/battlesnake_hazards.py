"""Hazards of Battlesnake: on which maps they are, and where and when more of them come.

The maps are those of the official rules that fit the standard board and put no hazard on another. What is drawn there
is drawn here by the match's own dice: `hazard_choices` says among how many, `bring_hazards` does it.
"""

from dohyo.core.flat import flat

SIZE = 11
CELLS = SIZE * SIZE

# Maps, by the names that the official rules give them. ROYALE and those from SPIRAL on begin without hazards.
STANDARD, ROYALE, INNER_WALL, RINGS, COLUMNS, SPIRAL, SCATTER, GROW_BOX, EXPAND_BOX, EXPAND_SCATTER = range(10)
MAPS = (
    "standard",
    "royale",
    "hz_inner_wall",
    "hz_rings",
    "hz_columns",
    "hz_spiral",
    "hz_scatter",
    "hz_grow_box",
    "hz_expand_box",
    "hz_expand_scatter",
)
EVERY = (0, 25, 0, 0, 0, 3, 2, 12, 20, 2)  # by map: in how many turns hazards come once; royale: what is usual
# By map, where its hazards begin: in rows from the bottom, and in columns, from BEGINS to BEGINS + WIDTH - 1.
BEGINS = (0, 0, 0, 0, 0, 3, 0, 2, 2, 1)
WIDTH = (0, 0, 0, 0, 0, 5, 0, 8, 8, 10)
DAMAGE = 14
MAX_DAMAGE, MAX_EVERY = 100, 100


@flat
def is_always_hazard(number, place):
    """Whether this map has a hazard there from the start."""
    row, column = place // SIZE, place % SIZE
    border = min(row, column, SIZE - 1 - row, SIZE - 1 - column)
    if number == INNER_WALL:
        return border == 1
    if number == RINGS:
        return border == 1 or border == 3
    return number == COLUMNS and row % 2 == 1 and column % 2 == 1


@flat
def hazards_come(s):
    """Whether hazards come before this turn; boxes and what expands begin with turn 1."""
    first = 1 if s.map >= GROW_BOX else s.every
    return s.every > 0 and s.turn >= first and (s.turn - first) % s.every == 0


@flat
def hazard_choices(s):
    """Among how many places or sides the dice choose; 0 where there is no choice."""
    if s.map == ROYALE:
        return 4
    if s.origin == 0 and WIDTH[s.map] > 0:
        return WIDTH[s.map] * WIDTH[s.map]
    count = 0
    if s.map == GROW_BOX:
        for side in range(4):
            count += 1 if can_grow(s, side) else 0
    if s.map == SCATTER or s.map == EXPAND_SCATTER:
        ring = free_ring(s)
        for place in range(CELLS):
            count += 1 if s.hazards[place] == 0 and ring_of(s, place) == ring else 0
    return count


@flat
def can_grow(s, side):
    """Whether the box of hazards does not yet touch the board's left, right, top or bottom border."""
    row, column = (s.origin - 1) // SIZE, (s.origin - 1) % SIZE
    if side < 2:
        return s.reach[side] < (column if side == 0 else SIZE - 1 - column)
    return s.reach[side] < (row if side == 2 else SIZE - 1 - row)


@flat
def ring_of(s, place):
    """How many rings of places lie between this one and the first hazard; 0 for all where these do not matter."""
    if s.map == SCATTER:
        return 0
    down = abs(place // SIZE - (s.origin - 1) // SIZE)
    return max(down, abs(place % SIZE - (s.origin - 1) % SIZE))


@flat
def free_ring(s):
    """The nearest ring that has a place without a hazard."""
    found = SIZE
    for place in range(CELLS):
        if s.hazards[place] == 0:
            found = min(found, ring_of(s, place))
    return found


@flat
def bring_hazards(s, chosen):
    """Put this turn's hazards on the board."""
    if s.map == SCATTER or (s.map == EXPAND_SCATTER and s.origin > 0):
        put_hazard(s, chosen)
        return
    if s.map == ROYALE:
        if s.reach[chosen] < SIZE:
            s.reach[chosen] += 1
    elif s.origin == 0:
        first, width = BEGINS[s.map], WIDTH[s.map]
        s.origin = 1 + (SIZE - 1 - first - chosen // width) * SIZE + first + chosen % width
    elif s.map == GROW_BOX:
        for side in range(4):
            if can_grow(s, side):
                if chosen == 0:
                    s.reach[side] += 1
                    break
                chosen -= 1
    for place in range(CELLS):
        if is_reached(s, place, s.turn):
            s.hazards[place] = 1


@flat
def put_hazard(s, chosen):
    """A hazard on one of the places that it may come to, counted in their order."""
    ring = free_ring(s)
    for place in range(CELLS):
        if s.hazards[place] == 0 and ring_of(s, place) == ring:
            if chosen == 0:
                s.hazards[place] = 1
                break
            chosen -= 1


@flat
def is_reached(s, place, turn):
    """Whether hazards have come to this place before this turn, or earlier."""
    row, column = place // SIZE, place % SIZE
    if s.map == ROYALE:
        beside = column < s.reach[0] or column > SIZE - 1 - s.reach[1]
        return beside or row < s.reach[2] or row > SIZE - 1 - s.reach[3]
    if s.map == SPIRAL:
        return spiral_number(s, place) < turn // s.every
    if s.map == EXPAND_BOX:
        return ring_of(s, place) <= (turn - 1) // s.every
    right, down = column - (s.origin - 1) % SIZE, row - (s.origin - 1) // SIZE
    return -s.reach[0] <= right and right <= s.reach[1] and -s.reach[2] <= down and down <= s.reach[3]


@flat
def spiral_number(s, place):
    """How many places come before this one on the way round the first hazard.

    A ring's way begins to the right of its upper left corner, and goes round with the clock.
    """
    ring = ring_of(s, place)
    up, right = (s.origin - 1) // SIZE - place // SIZE, place % SIZE - (s.origin - 1) % SIZE
    inside = (2 * ring - 1) * (2 * ring - 1) - 1
    if ring == 0:
        return 0
    if up == ring and right > -ring:
        return inside + ring + right
    if right == ring:
        return inside + 3 * ring - up
    return inside + (5 * ring - right if up == -ring else 7 * ring + up)


def fits_map(s):
    """Whether its hazards are those that this map can have by then."""
    every = s.every if s.map == ROYALE and s.every > 0 else EVERY[s.map]
    if s.every != every or (s.map == STANDARD and s.damage != 0):
        return False
    if s.map in (STANDARD, INNER_WALL, RINGS, COLUMNS):
        moves = s.origin > 0 or any(s.reach)
        return not moves and all(s.hazards[at] == is_always_hazard(s.map, at) for at in range(CELLS))
    if s.map in (SCATTER, EXPAND_SCATTER) and s.origin == 0:
        return not any(s.reach) and (s.map == SCATTER or not any(s.hazards))
    if s.map == EXPAND_SCATTER:
        return not any(s.reach)
    if s.origin == 0 and s.map != ROYALE:
        return not any(s.hazards)
    turn = s.turn if s.dealt else s.turn - 1  # those of this turn come with its dice
    return all(s.hazards[at] == is_reached(s, at, turn) for at in range(CELLS))
