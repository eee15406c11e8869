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

What it thinks is a `policy` in the language of rules, which `dohyo.rl` and `dohyo.search` compile and ask without a
process. So it uses whole numbers and loops only, and looks at a state: the game's own there, here what it has heard.
"""

import sys

SIZE = 10
MOVES = 9  # actions 0 to 8 are steps, 9 to 16 shots
DX = (-1, -1, -1, 0, 0, 0, 1, 1, 1, -1, -1, -1, 0, 0, 1, 1, 1)
DY = (-1, 0, 1, -1, 0, 1, -1, 0, 1, -1, 0, 1, -1, 1, -1, 0, 1)


def flat(function):
    """The mark of functions that Dohyo may compile; the one of `dohyo.core.flat`, without its import."""
    function.__flat__ = True
    return function


@flat
def policy(s, seat, options, count, luck):
    """What the robot on this seat does next, as the number of an action."""
    if s.shot[seat] != 0:  # its gun is empty: a step
        return (toward_edge(s.x[seat]) + 1) * 3 + toward_edge(s.y[seat]) + 1
    if s.told[seat] == 1 and s.hits[seat] > 0:
        for action in range(MOVES, len(DX)):
            is_there = DX[action] == s.hit_x[seat] and DY[action] == s.hit_y[seat]
            if is_there and squares(s.x[seat], s.y[seat], action) > 0:
                return action
    return next_longest(s.x[seat], s.y[seat], 1 + s.turn // 4)  # two of four turns are its own, and one a shot


@flat
def next_longest(x, y, shots):
    """Of the shots that cross the most squares, the one whose turn it is, after so many shots."""
    longest, good = 0, 0
    for action in range(MOVES, len(DX)):
        crossed = squares(x, y, action)
        if crossed > longest:
            longest, good = crossed, 0
        good += crossed == longest
    place = shots % good
    for action in range(MOVES, len(DX)):
        if squares(x, y, action) == longest:
            if place == 0:
                return action
            place -= 1
    return MOVES


@flat
def squares(x, y, action):
    """How many squares a shot crosses."""
    across, down = SIZE, SIZE
    if DX[action] != 0:
        across = SIZE - 1 - x if DX[action] > 0 else x
    if DY[action] != 0:
        down = SIZE - 1 - y if DY[action] > 0 else y
    return min(across, down)


@flat
def toward_edge(place):
    """-1, 0 or 1: toward the nearer end of a row or column."""
    if place == 0 or place == SIZE - 1:
        return 0
    return -1 if place < SIZE // 2 else 1


class Robot:
    """What the robot knows in one combat, under the names that a state has: rows with a place for a single seat."""

    def __init__(self, x, y):
        self.x, self.y = [x], [y]
        self.turn = 0  # of both robots
        self.shot = [0]  # the last action, if that was a shot
        self.told, self.hits = [1], [0]
        self.hit_x, self.hit_y = [0], [0]  # the direction from which we were last hit

    def act(self):
        """The next action, as a line."""
        action = policy(self, 0, None, 0, None)
        self.turn += 2
        self.shot = [0]
        if action >= MOVES:
            self.shot = [action]
            return f"S {DX[action]} {DY[action]}"
        self.x, self.y = [self.x[0] + DX[action]], [self.y[0] + DY[action]]
        return f"M {DX[action]} {DY[action]}"

    def hear_of_hit(self, x, y):
        """We were hit from there."""
        self.hits, self.hit_x, self.hit_y = [self.hits[0] + 1], [x], [y]

    def told_to_operator(self):
        """What we know, as a comment."""
        enemy = (self.hit_x[0], self.hit_y[0]) if self.hits[0] else None
        return f"/ at {self.x[0]} {self.y[0]}, ready: {self.shot == [0]}, enemy: {enemy}"


def main():
    """Answer line after line, combat after combat, until the input ends."""
    robot = Robot(0, 0)
    for line in sys.stdin:
        what, *numbers = line.split()
        if what.startswith("D"):
            print(robot.told_to_operator(), flush=True)
            continue
        if what in ("W", "L"):
            continue
        if what == "P":
            robot = Robot(int(numbers[0]), int(numbers[1]))
        elif what == "H":
            robot.hear_of_hit(int(numbers[0]), int(numbers[1]))
        print(robot.act(), flush=True)


if __name__ == "__main__":
    main()
