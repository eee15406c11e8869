"""Opponents for aBOTcalypse's `sensei`: short bots, each one idea, as people hand in to a king of the hill.

Each is a function of the view and of a dictionary that it may keep things in for one game. `survival.py` calls them.
`python zoo.py NAME` plays one as a process a match.
"""

import random
import sys


class Eyes:
    """What a view shows, as squares seen from the bot: `across` to the right, `up` above it."""

    def __init__(self, view):
        self.rows = view.split("\n")[::-1]
        self.y = next(y for y, row in enumerate(self.rows) if "s" in row.lower())
        self.x = self.rows[self.y].lower().index("s")
        self.high = self.y - 1 if self.rows[0].strip("#") == "" else 20

    def at(self, across, up):
        """The letter in a square; air where the view does not reach."""
        x, y = self.x + across, self.y + up
        return self.rows[y][x] if 0 <= y < len(self.rows) and 0 <= x < len(self.rows[y]) else "."

    def find(self, letters):
        """The squares in which these letters stand, the nearest first."""
        found = [
            (x - self.x, y - self.y) for y, row in enumerate(self.rows) for x, c in enumerate(row) if c in letters
        ]
        return sorted(found, key=lambda at: (abs(at[0]) + abs(at[1]), at))

    def stands(self, across, up=0):
        """Whether a rock is in a square."""
        return self.at(across, up) in "&SE"


def side(across):
    """The word for it."""
    return "right" if across > 0 else "left"


def walker(view, kept):
    """Goes left and right, from edge to edge."""
    way = kept.setdefault("way", 1)
    if Eyes(view).at(way, 0) == "#":
        way = kept["way"] = -way
    return f"move {side(way)}"


def jitter(view, kept):
    """Never stands still: to the left or to the right by chance."""
    return kept["chance"].choice(["move left", "move right"])


def tower(view, kept):
    """Goes up, for ever."""
    return "move up" if Eyes(view).stands(0) else "drop down"


def digger(view, kept):
    """A rock on either side and in its own square, then it rests."""
    eyes = Eyes(view)
    if not eyes.stands(-1) and eyes.at(-1, 0) != "#":
        return "drop left"
    if not eyes.stands(1) and eyes.at(1, 0) != "#":
        return "drop right"
    return "rest" if eyes.stands(0) else "drop down"


def blind_builder(view, kept):
    """The same stones in the same order, again and again, whatever it sees."""
    kept["at"] = kept.get("at", -1) + 1
    walls = ["drop left", "drop right", "drop down"]
    order = [*walls, "move up", *walls, "drop up", "move down", "rest"]
    return order[kept["at"] % len(order)]


def gunner(view, kept):
    """Throws at the nearest enemy, wherever it is."""
    enemies = [at for at in Eyes(view).find("eE") if at[0]]
    return f"throw {side(enemies[0][0])} {abs(enemies[0][0])}" if enemies else "rest"


def sniper(view, kept):
    """A tower of eight; from there it throws at any enemy that its rock would reach, as if there were no walls."""
    eyes = Eyes(view)
    if eyes.high < 8:
        return tower(view, kept)
    for across, up in eyes.find("eE"):
        for distance in range(eyes.high):
            y, slope = eyes.high, eyes.high / distance if distance else 1
            for _ in range(abs(across) - 1):
                y = int(y - slope)
            if across and y == eyes.high + up:
                return f"throw {side(across)} {distance}"
    return "rest"


def dodger(view, kept):
    """Goes out of the way of the meteor that it saw come nearer, and rests otherwise."""
    eyes = Eyes(view)
    for across, up in eyes.find("@"):
        if abs(across) <= 2 and 0 <= up <= 5:
            way = -1 if across >= 0 else 1
            return f"move {side(way if eyes.at(way, 0) != '#' else -way)}"
    return "rest"


def hunter(view, kept):
    """Goes to the nearest enemy, and drops a rock on it."""
    for across, up in Eyes(view).find("eE"):
        if 0 < abs(across) <= 2 and abs(up) <= 1:
            return f"drop {side(across)}"
        return f"move {side(across)}" if across else "drop up" if up > 0 else "throw down"
    return "move left" if kept["chance"].random() < 0.5 else "move right"


def coward(view, kept):
    """Goes away from the nearest enemy; where none is near, under a small roof."""
    eyes = Eyes(view)
    enemies = eyes.find("eE")
    if enemies and abs(enemies[0][0]) < 8:
        way = -1 if enemies[0][0] > 0 else 1
        if eyes.at(way, 0) != "#":
            return f"move {side(way)}"
    return digger(view, kept)


def dropper(view, kept):
    """Rocks to the left and to the right, by turns: what comes near dies, and walls grow."""
    kept["left"] = not kept.get("left", False)
    return "drop left" if kept["left"] else "drop right"


def bunker(view, kept):
    """A roof of six with walls of six, mended whenever one is lower."""
    eyes = Eyes(view)
    heights = []
    for across in (-1, 0, 1):
        up = -eyes.high
        while eyes.at(across, up) in "&SE#" and up < 20:
            up += 1
        heights.append(up + eyes.high)
    left, here, right = heights
    if here == eyes.high < 6:
        return "drop down"
    if left < 6 and left <= eyes.high:
        return "drop left"
    if right < 6 and right <= eyes.high:
        return "drop right"
    if min(left, right) < 6 or here < 6:
        return "drop up" if here == eyes.high + 1 and here < 6 else "move up"
    return "move down" if eyes.high > 0 else "rest"


def pillar(view, kept):
    """A tower of fifteen; there it waits in the top rock, and builds again what falls."""
    eyes = Eyes(view)
    if eyes.high >= 15:
        return "rest"
    return "drop up" if eyes.stands(0) and kept["chance"].random() < 0.5 else tower(view, kept)


ZOO = {
    bot.__name__: bot
    for bot in (
        *(walker, jitter, tower, digger, blind_builder, gunner, sniper, dodger, hunter, coward, dropper, bunker),
        pillar,
    )
}


def main():
    """Answer every view with one line."""
    decide, kept, rows = ZOO[sys.argv[1]], {"chance": random.Random()}, []
    for line in sys.stdin:
        if line != "\n":
            rows.append(line)
            continue
        print(decide("".join(rows).rstrip("\n"), kept), flush=True)
        rows = []


if __name__ == "__main__":
    main()
