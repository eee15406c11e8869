"""A player of Wondev Woman that searches: it plays what may come next, thousands of times, by the game's own rules.

How it thinks
-------------
In the fog it keeps every pair of cells where the enemies may be (`fog.py`), and searches in some of them at a time.
Two leagues with one unit each look alike: in wood3 who stands on a top at a round's end wins, in wood2 the step onto
it is a point. Until a round with such a step is over it plays to be first, which is good in both; if the match goes
on then, it plays for points.
How good a board is stands in the game's `judge.py`. The search is `dohyo.search`: compiled by the build, from the
first turn on; without a build, or without a compiler, the same in plain Python tries a few dozens of what may come.
"""

import random
from contextlib import suppress

from fog import Fog, with_enemies

from dohyo.games.wondev_woman import GAME
from dohyo.games.wondev_woman.board import HOLE, POINTS, REACH, cell_of, clear, place, sees, set_height, slot_of
from dohyo.games.wondev_woman.judge import value
from dohyo.games.wondev_woman.rules import LAYOUT
from dohyo.search import Search
from dohyo.search.bot import Thinker

FIRST, LIMIT = 1.0, 0.05  # seconds
WORLDS = 40  # that are searched in a turn
LUCK = random.Random(7)


def make(compiled):
    """The search: an action is judged by the board right after it, and the best of them further down."""
    return Search(GAME, 2, compiled=compiled, value=value, ahead=True, horizon=0, explore=0.05)


class Match:
    """What we know of the match."""

    def __init__(self, size, units):
        self.size, self.units = size, units
        self.me = None
        self.points = [0, 0]
        self.rounds = 0
        self.fog = None
        self.foggy = int(units == 2)  # as far as we know

    def see(self, rows, mine, theirs):
        """What we see becomes a state, without the enemies that we do not see, and the worlds that it may be."""
        if self.me is None:
            self.me = 0 if set("".join(rows)) <= {"0", "."} else 1
            self.fog = Fog(self.me)
        now = self._state(rows, mine)
        cells = [unit and cell_of(*unit) for unit in theirs]
        if all(cells) and not all(sees(now, self.me, cell) for cell in cells):
            self.foggy = now.fog = 0  # we see somebody from afar
        scored = self.fog.look(now, cells)
        goes_on = any(self.points) or (scored > 0 and self.me == 0)  # after a round in which somebody made a point
        self.points[1 - self.me] += scored
        now.points[:] = self.points
        now.goal = REACH if self.units == 1 and not goes_on else POINTS
        pairs = self.fog.pairs
        some = LUCK.sample(pairs, min(WORLDS, len(pairs)))
        return now, [with_enemies(now, 1 - self.me, pair) for pair in some]

    def _state(self, rows, mine):
        """The state of which the lines tell."""
        s = LAYOUT.new()
        clear(s)
        for y, row in enumerate(rows):
            for x, height in enumerate(row):
                set_height(s, cell_of(x, y), HOLE if height == "." else int(height))
        for unit, (x, y) in enumerate(mine):
            place(s, slot_of(self.me, unit), cell_of(x, y))
        s.size, s.units, s.mover, s.dealt = self.size, self.units, self.me, 1
        s.rounds, s.turn = self.rounds, 2 * self.rounds + self.me
        s.push, s.fog = int(self.units == 2), self.foggy
        return s

    def play(self, now, action):
        """Remember what our action leads to."""
        after = self.fog.act(now, action)
        self.points[self.me] = after.points[self.me]
        self.rounds += 1


def read_unit():
    """Read where a unit is; None where it is not seen."""
    x, y = map(int, input().split())
    return (x, y) if x >= 0 else None


def main():
    """Play one match."""
    thinker = Thinker(make, LIMIT, FIRST)
    match = None
    while True:
        line = input()
        thinker.begin()
        if match is None:
            match = Match(int(line), int(input()))
            line = input()
        rows = [line] + [input() for _ in range(match.size - 1)]
        mine = [read_unit() for _ in range(match.units)]
        theirs = [read_unit() for _ in range(match.units)]
        actions = [input() for _ in range(int(input()))]
        if not actions:
            print("ACCEPT-DEFEAT no way to go", flush=True)
            continue
        now, worlds = match.see(rows, mine, theirs)
        choice = thinker.choose(worlds[0], match.me, worlds)
        print(f"{GAME.protocol.text(choice.action)} {choice.value:.2f} {choice.playouts}", flush=True)
        match.play(now, choice.action)


if __name__ == "__main__":
    with suppress(EOFError):  # the match is over
        main()
