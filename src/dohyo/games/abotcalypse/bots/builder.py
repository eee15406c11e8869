"""A bot of aBOTcalypse that builds: a column of rocks around itself, a wall on either side, and then it hides.

Whoever is in the stack, with rocks above, is not hit by what hits those rocks: a hit takes one rock away and harms
only who is at its height or above. So the best place is the floor of a column. The builder does not look at its
enemies; `shelter.py` does.
"""

import sys

WALL = 2  # rocks on either side
ROOF = 3  # rocks in the own column, the one around the bot included


class Ground:
    """What the view shows of the columns around the bot."""

    def __init__(self, view):
        self.rows = view.split("\n")[::-1]  # the lowest first
        self.y = next(y for y, row in enumerate(self.rows) if "s" in row.lower())
        self.x = self.rows[self.y].lower().index("s")

    def square(self, across, up):
        """The letter so many squares from the bot; air where the view does not reach."""
        x, y = self.x + across, self.y + up
        inside = 0 <= y < len(self.rows) and 0 <= x < len(self.rows[y])
        return self.rows[y][x] if inside else "."

    def rises(self, across):
        """How far the column of rocks there reaches over the bot's own height: 0 if it ends just below it.

        The edge of the board is as good as a wall.
        """
        up = 0
        while self.square(across, up) in "&SE#" and self.y + up < len(self.rows):
            up += 1
        return up

    @property
    def elevation(self):
        """Squares between the bot and the floor; a great number when the floor is not in sight."""
        return self.y - 1 if self.rows[0].strip("#") == "" else 99


def decide(view):
    """The next stone, or into hiding: all of it follows from what stands already."""
    ground = Ground(view)
    height = ground.elevation
    roof = height + ground.rises(0)  # the height of the own column
    for direction, across in (("left", -1), ("right", 1)):
        wall = height + ground.rises(across)
        if wall == height < WALL:
            return f"drop {direction}"
    if roof < ROOF:
        if roof == height:
            return "drop down"
        return "drop up" if roof == height + 1 else "move up"
    return "move down" if height > 0 else "rest"


def main():
    """Answer every view with one line."""
    rows = []
    for line in sys.stdin:
        if line != "\n":
            rows.append(line)
            continue
        print(decide("".join(rows).rstrip("\n")), flush=True)
        rows = []


if __name__ == "__main__":
    main()
