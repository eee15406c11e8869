"""A player of Wondev Woman that climbs: it looks at what each of its legal actions would lead to, and takes the best.

How it thinks
-------------
A board is as good as what its units can do next. `outlook` says that for one unit: how high it stands, how many cells
it can step to and how high those are, and best of all, whether it could step onto a top, which is a point. The
worth of a board is the outlook of its own units, less that of the enemies it sees.

So it builds stairs for itself, carries them away from others, pushes enemies off their towers, and stays where it
can move: a player that cannot move is out. It draws no lots: the same turn always gets the same answer.

What it thinks is a `policy` in the language of rules, which `dohyo.rl` and `dohyo.search` compile and ask without a
process. So it uses whole numbers and loops only, and looks at a state: the game's own there, here what it has read.
"""

from contextlib import suppress

TOP = 3  # the highest level to stand on; who moves there scores, whatever is built higher is out of play
WIDTH, CELLS = 8, 63  # a cell's number is (y + 1) * WIDTH + x
HOLE, UNSEEN = -1, -100  # a height; the cell of an enemy in the fog
NAMES = ("E", "N", "NE", "NW", "S", "SE", "SW", "W")  # the directions
STEP = (1, -WIDTH, 1 - WIDTH, -1 - WIDTH, WIDTH, WIDTH + 1, WIDTH - 1, -1)
DIRECTIONS = len(NAMES)
UNIT, PUSH, ACTIONS = 64, 128, 256  # in an action's number: push * 128 + unit * 64 + direction * 8 + second direction

# What counts, in hundredths of a point.
STANDING = (0, 20, 50, 60)  # by the level on which a unit stands
STEPS = (4, 8, 15, 40)  # each cell that it can step to, by that cell's level
STUCK = -300  # a unit that can step nowhere
OWN, ENEMY = 10, 7  # the outlook of an own unit, and of an enemy: so a board is told in thousandths
POINT = 1000


def flat(function):
    """The mark of functions that Dohyo may compile; the one of `dohyo.core.flat`, without its import."""
    function.__flat__ = True
    return function


@flat
def policy(s, seat, options, count, luck):
    """The action after which points and board together are worth most, the first of several; by its number."""
    seen = units_seen(s, seat)
    best, most = options[0], -ACTIONS * POINT
    for k in range(count):
        if options[k] < ACTIONS:  # what is no action of a unit's stands alone
            found = worth(s, seat, seen, options[k])
            if found > most:
                best, most = options[k], found
    return best


@flat
def units_seen(s, seat):
    """The units that the player sees (in the fog: beside its own) as bits: unit u of seat p is bit 2 * p + u."""
    seen = 0
    for unit in range(s.units):
        seen |= 1 << 2 * seat + unit
        for enemy in range(s.units):
            away = s.at[2 * (1 - seat) + enemy] - s.at[2 * seat + unit]
            is_beside = s.fog == 0
            for way in range(DIRECTIONS):
                is_beside = is_beside or away == STEP[way]
            if is_beside:
                seen |= 1 << 2 * (1 - seat) + enemy
    return seen


@flat
def worth(s, seat, seen, action):
    """How good it is to do this, in thousandths of a point: the points that it brings, and the board after it."""
    moved = 2 * seat + action // UNIT % 2  # the unit that will be somewhere else
    there = s.at[moved] + STEP[action % UNIT // DIRECTIONS]
    beyond = there + STEP[action % DIRECTIONS]
    goes, built = there, beyond
    total = POINT if action < PUSH and s.height[there] == TOP else 0
    if action >= PUSH:
        moved = 2 * (1 - seat)
        if s.at[moved] != there:
            moved += 1
        goes, built = beyond, there
    for unit in range(s.units):
        total += OWN * outlook(s, seen, 2 * seat + unit, moved, goes, built)
        if seen >> 2 * (1 - seat) + unit & 1:
            total -= ENEMY * outlook(s, seen, 2 * (1 - seat) + unit, moved, goes, built)
    return total


@flat
def outlook(s, seen, unit, moved, goes, built):
    """How good it is to be this unit, in hundredths of a point, after `moved` went and a cell was built on."""
    here = goes if unit == moved else s.at[unit]
    level = s.height[here] + (here == built)
    ways, total = 0, STANDING[level]
    for way in range(DIRECTIONS):
        cell = here + STEP[way]
        height = s.height[cell] + (cell == built) if 0 <= cell < CELLS else HOLE
        if HOLE < height <= min(level + 1, TOP) and not is_taken(s, seen, cell, moved, goes):
            ways += 1
            total += STEPS[height]
    return total if ways > 0 else STUCK


@flat
def is_taken(s, seen, cell, moved, goes):
    """Whether a unit in sight stands on this cell, after `moved` went."""
    units = 0
    for unit in range(4):
        units += seen >> unit & 1 and cell == (goes if unit == moved else s.at[unit])
    return units > 0


class Board:
    """What was read, under the names that a state has; our seat is 0 here."""

    def __init__(self, heights, mine, theirs):
        """`heights` of cells (x, y), without the holes; where our units are, and the enemies in sight."""
        self.units = len(mine)
        self.fog = int(len(theirs) < len(mine))
        self.height = [HOLE] * CELLS
        for cell, height in heights.items():
            self.height[number_of(cell)] = height
        self.at = [UNSEEN] * 4
        for unit, cell in enumerate(mine):
            self.at[unit] = number_of(cell)
        for unit, cell in enumerate(theirs):
            self.at[2 + unit] = number_of(cell)


def number_of(cell):
    """The number of a cell (x, y)."""
    x, y = cell
    return (y + 1) * WIDTH + x


def read_action(text):
    """The number of an action."""
    kind, unit, first, second = text.split()
    ways = NAMES.index(first) * DIRECTIONS + NAMES.index(second)
    return (kind == "PUSH&BUILD") * PUSH + int(unit) * UNIT + ways


def choose(board, actions):
    """The best of these actions, and behind it what it is worth, for those who watch."""
    if not actions:
        return "ACCEPT-DEFEAT no way to go"
    options = [read_action(action) for action in actions]
    best = policy(board, 0, options, len(options), None)
    return f"{actions[options.index(best)]} {worth(board, 0, units_seen(board, 0), best) / POINT:.1f}"


def read_unit():
    """Read where a unit is."""
    x, y = input().split()
    return int(x), int(y)


def read_turn(size, units):
    """Read what a turn begins with: the board, and the legal actions."""
    rows = [input() for _ in range(size)]
    heights = {(x, y): int(height) for y, row in enumerate(rows) for x, height in enumerate(row) if height != "."}
    mine = [read_unit() for _ in range(units)]
    theirs = [read_unit() for _ in range(units)]
    actions = [input() for _ in range(int(input()))]
    return Board(heights, mine, [unit for unit in theirs if unit != (-1, -1)]), actions


def main():
    """Play one match."""
    size, units = int(input()), int(input())  # once, before the first turn
    while True:
        print(choose(*read_turn(size, units)), flush=True)


if __name__ == "__main__":
    with suppress(EOFError):  # the match is over
        main()
