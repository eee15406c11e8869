"""A robot of Shoot-Em-Up that shoots as often as its gun allows, where an opponent is most likely to be.

How it thinks
-------------
* A gun needs one action without shooting to recharge. So it shoots, takes a step, shoots, takes a step.
* Its steps lead to the nearest corner, and there it stays: a corner is hit along three lines only, a square in the
  middle along eight.
* A hit tells where the opponent was a moment ago, and a robot moves by one square at most. So it shoots back, and
  goes on shooting there until it is hit from elsewhere.
* As long as it was not hit it shoots along the longest lines, one after the other: they cross the most squares.

It draws no lots: the same input always gets the same output. To a D line it answers with what it knows.
"""

import sys

SIZE = 10
DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]


class Robot:
    """What the robot knows in one combat."""

    def __init__(self, x, y):
        self.x, self.y = x, y
        self.is_ready = True  # whether the next shot has power
        self.enemy = None  # the direction from which we were last hit
        self.shots = 0

    def act(self):
        """The next action, as a line."""
        if self.is_ready:
            self.is_ready = False
            self.shots += 1
            return "S {} {}".format(*self.aim())
        self.is_ready = True
        dx, dy = self.step()
        self.x, self.y = self.x + dx, self.y + dy
        return f"M {dx} {dy}"

    def aim(self):
        """The direction to shoot in."""
        if self.enemy is not None and self.squares(*self.enemy) > 0:
            return self.enemy
        longest = max(self.squares(*direction) for direction in DIRECTIONS)
        good = [direction for direction in DIRECTIONS if self.squares(*direction) == longest]
        return good[self.shots % len(good)]

    def squares(self, dx, dy):
        """How many squares a shot crosses."""
        to_edge = {1: (SIZE - 1 - self.x, SIZE - 1 - self.y), -1: (self.x, self.y), 0: (SIZE, SIZE)}
        return min(to_edge[dx][0], to_edge[dy][1])

    def step(self):
        """The step toward the nearest corner; none when it is reached."""
        return self.toward_edge(self.x), self.toward_edge(self.y)

    def toward_edge(self, place):
        """-1, 0 or 1: toward the nearer end of a row or column."""
        if place in (0, SIZE - 1):
            return 0
        return -1 if place < SIZE // 2 else 1


def main():
    """Answer line after line, combat after combat, until the input ends."""
    robot = Robot(0, 0)
    for line in sys.stdin:
        what, *numbers = line.split()
        if what.startswith("D"):
            print(f"/ at {robot.x} {robot.y}, ready: {robot.is_ready}, enemy: {robot.enemy}", flush=True)
            continue
        if what in ("W", "L"):
            continue
        if what == "P":
            robot = Robot(int(numbers[0]), int(numbers[1]))
        elif what == "H":
            robot.enemy = int(numbers[0]), int(numbers[1])
        print(robot.act(), flush=True)


if __name__ == "__main__":
    main()
