"""A bot of aBOTcalypse that builds: a column of rocks around itself, a wall on either side, and then it hides.

Whoever is in the stack, with rocks above, is not hit by what hits those rocks: a hit takes one rock away and harms
only who is at its height or above. So the best place is the floor of a column. The builder does not look at its
enemies; `shelter.py` does.

What it thinks is a `policy` in the language of rules, which `dohyo.rl` and `dohyo.search` compile and ask without a
process. So it uses whole numbers and loops only, and looks at letters by their numbers.
"""

import sys

if __name__ != "__main__":  # who asks the policy has the game; a program begins faster without
    from dohyo.games.abotcalypse.protocol import prompt

WALL = 2  # rocks on either side
ROOF = 3  # rocks in the own column, the one around the bot included
RUNGS = (80,)  # of its ladder (`dohyo.games.policies.ladder_of`): finer ones are as strong as each other
FAR = 99  # squares, further than anything in sight
NEWLINE, AIR, EDGE, ROCK = 10, 46, 35, 38  # letters: . # &
SELF, SELF_ON_ROCK, ENEMY_ON_ROCK = 115, 83, 69  # s S E
WORDS = ("rest", *(f"{action} {way}" for action in ("move", "drop") for way in ("up", "right", "down", "left")))
REST, MOVE_UP, MOVE_RIGHT, MOVE_DOWN, MOVE_LEFT, DROP_UP, DROP_RIGHT, DROP_DOWN, DROP_LEFT = range(len(WORDS))
FIELDS = (  # what it thinks in: the view, the letters of a row with its end, the rows, and where in them the bot is
    ("sight", "i2", 41 * 42),
    ("sight_width", "i8", 0),
    ("sight_rows", "i8", 0),
    ("sight_x", "i8", 0),
    ("sight_y", "i8", 0),  # from below
)


def flat(function):
    """The mark of functions that Dohyo may compile; the one of `dohyo.core.flat`, without its import."""
    function.__flat__ = True
    return function


def flat_in(*room):
    """The mark of one that thinks in fields of its own, in `luck`; the one of `dohyo.core.policies`."""

    def mark(function):
        function.__room__ = room
        return flat(function)

    return mark


@flat_in(*FIELDS)
def policy(s, seat, options, count, luck):
    """What the bot on this seat does, as the number of an action: by its view alone."""
    length = prompt(s, seat, luck.sight)
    width, at = 1, 0
    while luck.sight[width - 1] != NEWLINE:
        width += 1
    while at < length and luck.sight[at] not in (SELF, SELF_ON_ROCK):
        at += 1
    note(luck, length, width, at)
    return act(luck)


@flat
def note(v, length, width, at):
    """Note a view of so many letters, so many of them a row with its end, where the bot is at one of them."""
    v.sight_rows, v.sight_width = (length + 1) // width, width
    v.sight_x, v.sight_y = at % width, v.sight_rows - 1 - at // width


@flat
def act(v):
    """The next stone, or into hiding: all of it follows from what stands already."""
    at = elevation(v)
    roof = at + rises(v, 0)  # the height of the own column
    if at < WALL:
        if rises(v, -1) == 0:
            return DROP_LEFT
        if rises(v, 1) == 0:
            return DROP_RIGHT
    if roof < ROOF:
        if roof == at:
            return DROP_DOWN
        return DROP_UP if roof == at + 1 else MOVE_UP
    return MOVE_DOWN if at > 0 else REST


@flat
def square(v, across, up):
    """The letter so many squares from the bot; air where the view does not reach."""
    x, y = v.sight_x + across, v.sight_y + up
    is_inside = 0 <= y < v.sight_rows and 0 <= x < v.sight_width - 1
    return v.sight[(v.sight_rows - 1 - y) * v.sight_width + x] if is_inside else AIR


@flat
def elevation(v):
    """Squares between the bot and the floor, if that is in sight; else `FAR`."""
    return v.sight_y - 1 if square(v, 0, -v.sight_y) == EDGE else FAR


@flat
def rises(v, across):
    """How far the column of rocks there reaches over the bot's own height: 0 if it ends just below it.

    The edge of the board is as good as a wall.
    """
    up = 0
    while is_wall(square(v, across, up)) and v.sight_y + up < v.sight_rows:
        up += 1
    return up


@flat
def is_wall(letter):
    """Whether a rock is in the square, or the edge."""
    return letter in (ROCK, SELF_ON_ROCK, ENEMY_ON_ROCK, EDGE)


class View:
    """A view as the policy has it, under the names that `luck` has."""

    def __init__(self, text):
        self.sight = text.encode()
        note(self, len(text), text.index("\n") + 1, text.lower().index("s"))


def decide(view):
    """What to do, in words."""
    return WORDS[act(View(view))]


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
