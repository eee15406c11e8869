"""What a bot of aBOTcalypse may know: views, one after the other, as states of the game's own.

A view is a window on the board; where on the board it is shows at the edges and the floor only. So the bot counts its
own steps, and is put right when it sees an edge. The rules do not know one column from another, so that in a frame
which is off by some columns everything else holds.

A meteor is seen as a square in each turn. It entered at the top, at a whole column, at a whole angle, and goes on
straight: of the 18,000 ways it may have come, one sight leaves a hundred or so, a few sights one or two.
"""

from dohyo.games.abotcalypse.board import (
    ALIVE,
    CLASSIC,
    HALF,
    LAYOUT,
    MAX_METEORS,
    POST,
    TOP,
    WIDTH,
)
from dohyo.games.abotcalypse.directions import ACROSS, FIRST, UPWARD

REACH = 20  # squares in each direction
MIDDLE = WIDTH // 2  # where a bot is that has not seen an edge, until it does
LONGEST = 72  # turns in which the longest way over the board is over
FOREVER = 1_000_000
NEAR = REACH  # columns to either side in which enemies are minded
MAX_ENEMIES = 8
MAX_CALM = 1000
ASIDE, ABOVE = 2, 6  # columns and rows around the bot that a meteor must come into to be minded
ROCKS = "&SE"


def descents():
    """For each height the ways to be there: an angle, the age, and how far from where it came in, as doubles."""
    at = [[] for _ in range(WIDTH)]
    for angle, (across, up) in enumerate(zip(ACROSS, UPWARD, strict=True), FIRST):
        x, y = 0.0, float(TOP)
        for age in range(LONGEST):
            if abs(x) >= WIDTH or y < 0:
                break
            at[int(y)].append((angle, age, x, y))
            x += across
            y += up
    return at


class Window:
    """One view: letters by square, in the frame of a bot that believes to stand in column `x`, at height `y`."""

    def __init__(self, view, x, y):
        self.rows = rows = view.split("\n")[::-1]  # the lowest first
        row = next(at for at, row in enumerate(rows) if "s" in row.lower())
        column = rows[row].lower().index("s")
        if rows[row][0] == "#":
            x = column - 1
        elif rows[row][-1] == "#":
            x = WIDTH - (len(rows[0]) - 1 - column)
        else:  # no edge is in sight
            x = min(max(x, REACH), WIDTH - 1 - REACH)
        self.x = x
        self.y = row - 1 if rows[0].strip("#") == "" else max(REACH, y)
        self.left, self.low = x - column, self.y - row
        self.right, self.high = self.left + len(rows[0]) - 1, self.low + len(rows) - 1

    def shows(self, x, y):
        """Whether a square is in it."""
        return self.left <= x <= self.right and self.low <= y <= self.high

    def columns(self):
        """The columns of the board that are in it."""
        return range(max(0, self.left), min(WIDTH, self.right + 1))

    def find(self, letters):
        """The squares in which one of these letters stands, from the floor up, from the left."""
        found = []
        for y, row in enumerate(self.rows, self.low):
            if any(letter in row for letter in letters):
                found += [(x, y) for x, letter in enumerate(row, self.left) if letter in letters]
        return found


class Sight:
    """The memory of a bot for one game."""

    def __init__(self):
        self.calm = {}  # by square: turns for which an enemy has stood there
        self.rules = POST  # until something floats
        self._descents = descents()
        self.ways = {}  # by square: how the meteor there may have come, each as angle, age, x and y
        self._last = None
        self._step = self._rise = 0  # columns and rows that the last action should have moved it by
        self._turn = 0  # of this view; a great number where the game had begun before

    def told(self, step, rise=0):
        """The bot goes `step` columns to the right in this turn, and `rise` rows up if it can."""
        self._step, self._rise = step, rise

    def look(self, view):
        """Take in the view of the next turn; what it shows."""
        believed = MIDDLE if self._last is None else self._last.x + self._step
        now = Window(view, believed, 0 if self._last is None else self._last.y + self._rise)
        if self._last is None:
            self._turn = FOREVER if any(letter in view for letter in "@" + ROCKS) else 0
        elif now.x != believed:
            self._shift(now.x - believed)
        self.calm = {at: min(MAX_CALM, self.calm.get(at, -1) + 1) for at in now.find("eE")}
        self.ways = {at: self._ways_to(at, now) for at in now.find("@")}
        self._last, self._step, self._rise = now, 0, 0
        self._turn += 1
        return now

    def _shift(self, by):
        """An edge shows that all that is remembered lies so many columns further to the right."""
        self._last.x += by
        self._last.left += by
        self._last.right += by
        self.calm = {(x + by, y): turns for (x, y), turns in self.calm.items()}
        self.ways = {
            (x + by, y): [(angle, age, at + by, up) for angle, age, at, up in ways]
            for (x, y), ways in self.ways.items()
        }

    def _ways_to(self, at, now):
        """How the meteor in this square may have come: from where one was seen before, else from out of sight."""
        ways = []
        for before in self.ways.values():
            for angle, age, x, y in before:
                across, up = x + ACROSS[angle - FIRST], y + UPWARD[angle - FIRST]
                if (int(across), int(up)) == at:
                    ways.append((angle, age + 1, across, up))
        if ways:
            return ways
        ways = self._all_ways(at)
        return [way for way in ways if way[1] == 0 or not self._saw(way)] or ways

    def _all_ways(self, at):
        """How a meteor may have come to this square at all."""
        ways = []
        for angle, age, across, y in self._descents[at[1]]:
            start = at[0] - int(across // 1)
            if age < self._turn:
                ways += [
                    (angle, age, column + across, y)
                    for column in (start - 1, start, start + 1)
                    if int(column + across) == at[0]
                ]
        return ways

    def _saw(self, way):
        """Whether the last view showed the square that this way came through."""
        angle, _, x, y = way
        before = (int(x - ACROSS[angle - FIRST]), int(y - UPWARD[angle - FIRST]))
        return self._last is not None and self._last.shows(*before)

    def meteors(self, turns):
        """The ways that meteors in sight may go, for each that may come near within so many turns.

        A way is an angle, an age, and where the meteor is, as doubles.
        """
        return [ways for ways in self.ways.values() if any(self._comes_near(way, turns) for way in ways)]

    def _comes_near(self, way, turns):
        """Whether a meteor can be where the bot could be by then."""
        angle, _, x, y = way
        across, up = ACROSS[angle - FIRST], UPWARD[angle - FIRST]
        return any(
            abs(x + turn * across - self._last.x) <= turn + ASIDE and -1 < y + turn * up <= self._last.y + ABOVE
            for turn in range(1, turns + 1)
        )

    def state(self, now, near=NEAR, most=MAX_ENEMIES):
        """What a view shows as a state of the game, without meteors, with the nearest enemies.

        The bot is on the seat in the middle, `bots // 2`: half of the enemies act before it. What is out of sight is
        air. The rules do not ask what the living will die of: `cause` says how long each has stood still.
        """
        s = LAYOUT.new()
        rocks = now.find(ROCKS)
        stones = dict.fromkeys(now.columns(), 0)
        for x, y in rocks:
            stones[x] += 1
            s.height[x] = y + 1
            s.rocks[2 * x + y // HALF] |= 1 << (y % HALF)
        if now.low < 0 and (
            any(s.height[x] != count for x, count in stones.items())
            or any(y > s.height[x] for x, y in now.find("seSE"))
        ):
            self.rules = CLASSIC
        near_by = [at for at in now.find("eE") if abs(at[0] - now.x) <= near]
        enemies = sorted(near_by, key=lambda at: (abs(at[0] - now.x) + abs(at[1] - now.y), at))[:most]
        bots = [*enemies[::2], (now.x, now.y), *enemies[1::2]]
        s.rules, s.dealt, s.rolled, s.limit, s.bots = self.rules, 1, 1, FOREVER, len(bots)
        for b, (x, y) in enumerate(bots):
            s.x[b], s.y[b], s.status[b] = x, y, ALIVE
            s.cause[b] = self.calm.get((x, y), 0)
        return s


def put_meteors(s, ways):
    """Let these meteors fly, the oldest first: angle, age, x and y of each."""
    chosen = sorted(ways, key=lambda way: -way[1])[:MAX_METEORS]
    s.meteors = len(chosen)
    for m, (angle, _, x, y) in enumerate(chosen):
        s.meteor_angle[m], s.meteor_x[m], s.meteor_y[m] = angle, x, y
