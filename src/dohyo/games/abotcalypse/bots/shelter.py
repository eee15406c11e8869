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
"""

import sys

TALL = 4  # rocks in the own column when it is done
ENOUGH = 3  # on the floor it only builds when fewer are left
WALL = 4  # rocks on either side when they are done
WALL_ENOUGH = 3
NEAR = 2  # squares within which an enemy is watched
FAR = 99  # squares, further than anything in sight
QUIET = 9  # squares to the next enemy, where it begins to build


class Ground:
    """What the view shows, as squares seen from the bot: `across` to the right, `up` above it."""

    def __init__(self, view):
        self.rows = view.split("\n")[::-1]  # the lowest first
        self.y = next(y for y, row in enumerate(self.rows) if "s" in row.lower())
        self.x = self.rows[self.y].lower().index("s")
        # Squares between the bot and the floor, if that is in sight.
        self.elevation = self.y - 1 if self.rows[0].strip("#") == "" else FAR

    def square(self, across, up):
        """The letter in a square; air where the view does not reach."""
        x, y = self.x + across, self.y + up
        return self.rows[y][x] if 0 <= y < len(self.rows) and 0 <= x < len(self.rows[y]) else "."

    def height(self, across):
        """How many rocks stand in a column, where the floor is in sight; beyond the edge, any number."""
        up = -self.elevation
        while self.square(across, up) in "&SE@" and self.y + up < len(self.rows):
            up += 1
        return FAR if self.square(across, 0) == "#" else up + self.elevation

    def enemies(self):
        """Where enemies are in sight, the nearest first."""
        found = [
            (x - self.x, y - self.y)
            for y, row in enumerate(self.rows)
            if "e" in row.lower()
            for x, letter in enumerate(row)
            if letter in "eE"
        ]
        return sorted(found, key=lambda enemy: abs(enemy[0]) + abs(enemy[1]))


def decide(view):
    """Look for a quiet place, else defend it, else build what is missing, else hide."""
    ground = Ground(view)
    return leave(ground) or defend(ground) or build(ground) or ("move down" if ground.elevation > 0 else "rest")


def leave(ground):
    """Away from enemies while there is nothing to lose; nothing when they are on both sides, or none is near."""
    if ground.elevation > 0 or ground.height(0) >= ENOUGH:
        return None
    enemies = ground.enemies()
    left = min((-across for across, _ in enemies if across < 0), default=FAR)
    right = min((across for across, _ in enemies if across > 0), default=FAR)
    if min(left, right) > QUIET or max(left, right) <= QUIET + 2:  # so that it does not go to and fro
        return None
    direction, across = ("right", 1) if left < right else ("left", -1)
    return None if ground.square(across, 0) == "#" else f"move {direction}"


def defend(ground):
    """Drop a rock where an enemy is, or where it may step in this turn; nothing when none is near."""
    enemies = [(across, up) for across, up in ground.enemies() if max(abs(across), abs(up)) <= NEAR]
    for across, up in enemies:
        if up == 0 and 0 < abs(across) <= 2:
            return "drop right" if across > 0 else "drop left"
    for across, up in enemies:
        if abs(across) == 1 and abs(up) == 1:
            return "drop right" if across > 0 else "drop left"
        if across == 0 and up in (1, 2) and ground.height(0) > ground.elevation:
            return "drop up"
    return None


def build(ground):
    """The next stone, or the next step up to where it can be laid; nothing when all stands."""
    here, left, right = ground.height(0), ground.height(-1), ground.height(1)
    at = ground.elevation
    if at == FAR:  # the floor is out of sight: down first
        return None
    if at == 0 and here >= ENOUGH and min(left, right) >= WALL_ENOUGH:
        return None
    if here == at and at < TALL:
        return "drop down"
    for direction, wall in (("left", left), ("right", right)):
        if wall < WALL and wall <= at:
            return f"drop {direction}"
    if here < TALL:
        return "drop up" if here == at + 1 else "move up"
    return "move up" if min(left, right) < WALL else None


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
