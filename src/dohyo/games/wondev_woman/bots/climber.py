"""A player of Wondev Woman that climbs: it looks at what each of its legal actions would lead to, and takes the best.

How it thinks
-------------
A board is as good as what its units can do next. `outlook` says that for one unit: how high it stands, how many cells
it can step to and how high those are, and best of all, whether it could step onto a top, which is a point. The
worth of a board is the outlook of its own units, less that of the enemies it sees.

So it builds stairs for itself, carries them away from others, pushes enemies off their towers, and stays where it
can move: a player that cannot move is out. It draws no lots: the same turn always gets the same answer.
"""

from contextlib import suppress

TOP = 3  # the highest level to stand on; who moves there scores, whatever is built higher is out of play
STEPS = {
    "N": (0, -1),
    "NE": (1, -1),
    "E": (1, 0),
    "SE": (1, 1),
    "S": (0, 1),
    "SW": (-1, 1),
    "W": (-1, 0),
    "NW": (-1, -1),
}

# What counts, in points.
STANDING = (0, 0.2, 0.5, 0.6)  # by the level on which a unit stands
STEP = (0.04, 0.08, 0.15, 0.4)  # each cell that it can step to, by that cell's level
STUCK = 3  # a unit that can step nowhere
ENEMY = 0.7  # the outlook of an enemy, beside that of an own unit


class Board:
    """The cells in play with their heights, and where the units are; `play` makes the board that follows."""

    def __init__(self, heights, mine, theirs):
        self.heights, self.mine, self.theirs = heights, mine, theirs

    def play(self, action):
        """The board after an action of ours, and the points that it brings."""
        kind, unit, first, second = action.split()
        heights, mine, theirs = dict(self.heights), self.mine[:], self.theirs[:]
        there = step(mine[int(unit)], first)
        beyond = step(there, second)
        if kind == "PUSH&BUILD":
            theirs[theirs.index(there)] = beyond
            heights[there] += 1
            return Board(heights, mine, theirs), 0
        mine[int(unit)] = there
        heights[beyond] += 1
        return Board(heights, mine, theirs), int(heights[there] == TOP)

    def outlook(self, unit):
        """How good it is to be this unit, in points."""
        level = self.heights[unit]
        others = self.mine + self.theirs
        cells = [cell for cell in (step(unit, direction) for direction in STEPS) if cell not in others]
        levels = [self.heights[cell] for cell in cells if self.heights.get(cell, 9) <= min(level + 1, TOP)]
        if not levels:
            return -STUCK
        return STANDING[level] + sum(STEP[height] for height in levels)

    def worth(self):
        """How good the board is for us, in points."""
        return sum(map(self.outlook, self.mine)) - ENEMY * sum(map(self.outlook, self.theirs))


def step(cell, direction):
    """The cell beside this one."""
    return cell[0] + STEPS[direction][0], cell[1] + STEPS[direction][1]


def choose(board, actions):
    """The action after which points and board together are worth most."""
    if not actions:
        return "ACCEPT-DEFEAT no way to go"

    def worth(action):
        after, points = board.play(action)
        return points + after.worth()

    best = max(actions, key=worth)
    return f"{best} {worth(best):.1f}"  # what stands behind the action is shown to those who watch


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
