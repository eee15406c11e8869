"""A bot of aBOTcalypse that lives long: it digs in on the floor under a roof of rocks, and kills who comes too near.

How it thinks
-------------
* A hit takes one rock out of a column, and harms only bots at its height or above. So nothing that hits the roof
  harms a bot on the floor below it. Meteors go two squares a turn, so that one may pass the topmost rock: the roof is
  thicker than that, and so are the walls, for those that come from the side.
* Rocks stop no bot: an enemy walks through a wall at its own height, into our square, and both die. But moves come
  before drops, and a rock that is dropped sideways kills who is there. So it drops one to where an enemy stands, or
  may come to stand in this turn.
* So it builds where it is quiet: as long as its roof is not done it walks away from enemies.
* A roof grows from its top only. The bot climbs up in its column, builds, and goes down again; and it does so only
  when too little is left, and no enemy is near, since whoever is up there can be hit.

What it thinks is a `policy` in the language of rules, which `dohyo.rl` and `dohyo.search` compile and ask without a
process. So it uses whole numbers and loops only, and looks at letters by their numbers.
"""

import sys

if __name__ != "__main__":  # who asks the policy has the game; a program begins faster without
    from dohyo.games.abotcalypse.protocol import prompt

TALL = 4  # rocks in the own column when it is done
ENOUGH = 3  # on the floor it only builds when fewer are left
WALL = 4  # rocks on either side when they are done
WALL_ENOUGH = 3
NEAR = 2  # squares within which an enemy is watched
FAR = 99  # squares, further than anything in sight
QUIET = 9  # squares to the next enemy, where it begins to build
NEWLINE, AIR, EDGE, ROCK, METEOR = 10, 46, 35, 38, 64  # letters: . # & @
SELF, ENEMY, SELF_ON_ROCK, ENEMY_ON_ROCK = 115, 101, 83, 69  # s e S E
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
    """Look for a quiet place, else defend it, else build what is missing, else hide."""
    found = leave(v)
    if found == REST:
        found = defend(v)
    if found == REST:
        found = build(v)
    return MOVE_DOWN if found == REST and elevation(v) > 0 else found


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
def height(v, across):
    """How many rocks stand in a column, where the floor is in sight; beyond the edge, any number."""
    if square(v, across, 0) == EDGE:
        return FAR
    up = -elevation(v)
    while is_rock(square(v, across, up)) and v.sight_y + up < v.sight_rows:
        up += 1
    return up + elevation(v)


@flat
def is_rock(letter):
    """Whether a rock is in the square, or a meteor, which may hide one."""
    return letter in (ROCK, SELF_ON_ROCK, ENEMY_ON_ROCK, METEOR)


@flat
def is_enemy(v, across, up):
    """Whether an enemy is in the square."""
    return square(v, across, up) in (ENEMY, ENEMY_ON_ROCK)


@flat
def leave(v):
    """Away from enemies while there is nothing to lose; rest when they are on both sides, or none is near."""
    if elevation(v) > 0 or height(v, 0) >= ENOUGH:
        return REST
    left, right = FAR, FAR
    for at in range(v.sight_rows * v.sight_width - 1):
        if v.sight[at] in (ENEMY, ENEMY_ON_ROCK):
            across = at % v.sight_width - v.sight_x
            if across < 0:
                left = min(left, -across)
            elif across > 0:
                right = min(right, across)
    if min(left, right) > QUIET or max(left, right) <= QUIET + 2:  # so that it does not go to and fro
        return REST
    across = 1 if left < right else -1
    if square(v, across, 0) == EDGE:
        return REST
    return MOVE_RIGHT if across > 0 else MOVE_LEFT


@flat
def defend(v):
    """Drop a rock where an enemy is, or where it may step in this turn, the nearest first; rest when none is near."""
    for aside in range(1, NEAR + 1):
        if is_enemy(v, -aside, 0):
            return DROP_LEFT
        if is_enemy(v, aside, 0):
            return DROP_RIGHT
    has_roof = height(v, 0) > elevation(v)
    if has_roof and is_enemy(v, 0, 1):
        return DROP_UP
    for up in range(-1, 2, 2):
        if is_enemy(v, -1, up):
            return DROP_LEFT
        if is_enemy(v, 1, up):
            return DROP_RIGHT
    return DROP_UP if has_roof and is_enemy(v, 0, 2) else REST


@flat
def build(v):
    """The next stone, or the next step up to where it can be laid; rest when all stands."""
    here, left, right = height(v, 0), height(v, -1), height(v, 1)
    at = elevation(v)
    if at == FAR:  # the floor is out of sight: down first
        return REST
    if at == 0 and here >= ENOUGH and min(left, right) >= WALL_ENOUGH:
        return REST
    if here == at and at < TALL:
        return DROP_DOWN
    if left < WALL and left <= at:
        return DROP_LEFT
    if right < WALL and right <= at:
        return DROP_RIGHT
    if here < TALL:
        return DROP_UP if here == at + 1 else MOVE_UP
    return MOVE_UP if min(left, right) < WALL else REST


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
