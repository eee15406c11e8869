"""What a bot of aBOTcalypse may know: views, one after the other, as a state of the game's own.

A view is a window on the board; where it is on the board it does not say, but for the edges and the floor in it. So
the bot counts its own steps, and is put right when it sees an edge. In a frame that may be off by some columns
everything else holds: the rules do not know one column from another.

A meteor is seen as a square in each turn. It entered at the top, at a whole column, at a whole angle, and goes on
straight: of the 18,000 ways it may have come, one sight leaves about a hundred, three leave a few.
"""

from __future__ import annotations

from dohyo.games.abotcalypse.board import ALIVE, LAYOUT, MOST_METEORS, POST, TOP, WIDTH
from dohyo.games.abotcalypse.directions import ACROSS, FIRST, UPWARD

REACH = 20  # squares in each direction
MIDDLE = WIDTH // 2  # where a bot is that has not seen an edge, until it does
LONGEST = 72  # turns in which the longest way over the board is over
FOREVER = 1_000_000
NEAR = 12  # columns to either side in which enemies are minded
MOST_ENEMIES = 8


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
    """One view: letters by square, in a frame in which the bot stands at `x`."""

    def __init__(self, view: str, x: int) -> None:
        """`x` is where the bot believes to be; the edges in sight know better."""
        rows = view.split("\n")[::-1]  # the lowest first
        row = next(y for y, row in enumerate(rows) if "s" in row.lower())
        column = rows[row].lower().index("s")
        across = len(rows[0])
        if rows[row][0] == "#":
            x = column - 1
        elif rows[row][-1] == "#":
            x = WIDTH - (across - 1 - column)
        self.x = x
        self.y = row - 1 if rows[0].strip("#") == "" else REACH
        self.left, self.low = x - column, self.y - row
        self.rows = rows
        self.right, self.high = self.left + across - 1, self.low + len(rows) - 1

    def shows(self, x: int, y: int) -> bool:
        """Whether a square is in it."""
        return self.left <= x <= self.right and self.low <= y <= self.high

    def find(self, letters: str) -> list[tuple[int, int]]:
        """The squares in which one of these letters stands, from the floor up, from the left."""
        found = []
        for y, row in enumerate(self.rows, self.low):
            if any(letter in row for letter in letters):
                found += [(x, y) for x, letter in enumerate(row, self.left) if letter in letters]
        return found

    def height(self, x: int) -> int:
        """How many rocks stand in a column, as far as it shows: nothing is taken for granted above it."""
        high = 0
        for y in range(max(0, self.low), min(WIDTH, self.high + 1)):
            if self.rows[y - self.low][x - self.left] in "&SE":
                high = y + 1
        return high


class Sight:
    """The memory of a bot for one game."""

    def __init__(self) -> None:
        self._descents = descents()
        self._last: Window | None = None
        self._step = 0  # columns that the last action should have moved it by
        self._ways: dict[tuple[int, int], list[tuple[int, int, float, float]]] = {}  # (angle, age, x, y) by square
        self._turn = 0  # of this view; too great a number where the game had begun before
        self.calm: dict[tuple[int, int], int] = {}  # turns for which an enemy has stood where it stands

    def told(self, step: int) -> None:
        """The bot goes `step` columns to the right in this turn."""
        self._step = step

    def look(self, view: str) -> Window:
        """Take in the view of the next turn."""
        believed = MIDDLE if self._last is None else self._last.x + self._step
        now = Window(view, believed)
        if self._last is None:
            self._turn = FOREVER if any(letter in view for letter in "@&SE") else 0
        elif now.x != believed:
            self._shift(now.x - believed)
        enemies = now.find("eE")
        self.calm = {at: self.calm.get(at, -1) + 1 for at in enemies}
        self._ways = {at: self._ways_to(at, now) for at in now.find("@")}
        self._last = now
        self._turn += 1
        self._step = 0
        return now

    def _shift(self, by: int) -> None:
        """An edge has shown that all that is remembered lies so many columns further to the right."""
        assert self._last is not None
        self._last.x += by
        self._last.left += by
        self._last.right += by
        self.calm = {(x + by, y): turns for (x, y), turns in self.calm.items()}
        self._ways = {
            (x + by, y): [(angle, age, at + by, up) for angle, age, at, up in ways]
            for (x, y), ways in self._ways.items()
        }

    def _ways_to(self, at: tuple[int, int], now: Window) -> list[tuple[int, int, float, float]]:
        """How the meteor in this square may have come: as it was seen before, else from where nobody saw it."""
        ways = []
        for before in self._ways.values():
            for angle, age, x, y in before:
                x += ACROSS[angle - FIRST]
                y += UPWARD[angle - FIRST]
                if (int(x), int(y)) == at:
                    ways.append((angle, age + 1, x, y))
        return ways or self._unseen_ways(at)

    def _unseen_ways(self, at: tuple[int, int]) -> list[tuple[int, int, float, float]]:
        """How a meteor may have come that was not in the last view."""
        ways = []
        for angle, age, across, y in self._descents[at[1]]:
            start = at[0] - int(across // 1)
            for column in (start - 1, start, start + 1):
                x = column + across
                if int(x) != at[0] or age >= self._turn:
                    continue
                before = (int(x - ACROSS[angle - FIRST]), int(y - UPWARD[angle - FIRST]))
                if age == 0 or self._last is None or not self._last.shows(*before):
                    ways.append((angle, age, x, y))
        return ways

    def meteors(self) -> list[list[tuple[int, int, float, float]]]:
        """For every square with a meteor the ways that it may go: angle, age, and where it is, as doubles."""
        return [ways for ways in self._ways.values() if ways]


def state_of(now: Window, calm, most: int = MOST_ENEMIES):
    """What the view shows as a state of the game, without meteors, with at most so many enemies, the nearest.

    The bot is on the seat in the middle, `bots // 2`: half of the enemies are asked before it. What is out of sight is
    air. The rules do not look at what the living will have died of: `cause` says how long each has stood still.
    """
    s = LAYOUT.new()
    s.rules, s.dealt, s.rolled, s.limit = POST, 1, 1, FOREVER
    for x in range(max(0, now.left), min(WIDTH, now.right + 1)):
        s.height[x] = now.height(x)
    near = [at for at in now.find("eE") if abs(at[0] - now.x) <= NEAR]
    enemies = sorted(near, key=lambda at: (abs(at[0] - now.x) + abs(at[1] - now.y), at))[:most]
    bots = [*enemies[::2], (now.x, now.y), *enemies[1::2]]
    s.bots = len(bots)
    for b, (x, y) in enumerate(bots):
        s.x[b], s.y[b], s.status[b] = x, y, ALIVE
        s.cause[b] = min(calm.get((x, y), 0), 1000)
    return s


def put_meteors(s, ways) -> None:
    """Let these meteors fly, the oldest first: angle, age, x and y of each."""
    chosen = sorted(ways, key=lambda way: -way[1])[:MOST_METEORS]
    s.meteors = len(chosen)
    for m, (angle, _, x, y) in enumerate(chosen):
        s.meteor_angle[m], s.meteor_x[m], s.meteor_y[m] = angle, x, y
