"""A player of Wondev Woman that searches: alpha-beta by the game's own rules, over 100,000 boards a turn.

How it thinks
-------------
In the fog it keeps every pair of cells where the enemies may be, and how likely each is for an enemy that plays well
(`fog.py`). It searches in the likeliest of these worlds, and takes what is best in their mean.
Two leagues with one unit each look alike: in wood3 who stands on a top at a round's end wins, in wood2 the step onto
it is a point. Until a round with such a step is over it plays to be first, which is good in both; if the match goes
on then, it plays for points.
How good a board is stands in `evaluation.py`. The search is `dohyo.search.AlphaBeta`: compiled by the build, from the
first turn on; without a build, or without a compiler, the same in plain Python looks at a few hundred boards.
"""

import os
from contextlib import suppress

from evaluation import value
from fog import Fog, with_enemies

from dohyo.games.wondev_woman import GAME
from dohyo.games.wondev_woman.board import HOLE, POINTS, REACH, cell_of, clear, place, sees, set_height, slot_of
from dohyo.games.wondev_woman.rules import LAYOUT
from dohyo.search import AlphaBeta
from dohyo.search.bot import Thinker
from dohyo.search.turn_clock import MODE, SPARING

FIRST, LIMIT = 1.0, 0.05  # seconds
SHARE, SPARED_SHARE = 0.75, 0.85  # of them, at most; and where it costs nothing to wait for a processor
WIDTH, SLACK, LATE, ENTRIES, MARGIN = 12, 1.0, 4, 1 << 15, 0.5  # see `AlphaBeta`
WORLDS = 2  # that are searched in a turn
COUNTS = 20  # times that a world comes which is certain

SEARCHES = []  # the last one is this process's own


def make(compiled):
    """The search."""
    told = {"width": WIDTH, "slack": SLACK, "late": LATE, "entries": ENTRIES, "margin": MARGIN}
    SEARCHES.append(AlphaBeta(GAME, value=value, compiled=compiled, **told))
    return SEARCHES[-1]


def judged(state):
    """What may be done in a state, and what each is worth right after it; for the fog."""
    return SEARCHES[-1].values(state)


class Match:
    """What we know of the match."""

    def __init__(self, size, units, judged=None):
        self.size, self.units = size, units
        self.judged = judged
        self.me = None
        self.points = [0, 0]
        self.rounds = 0
        self.fog = None
        self.foggy = int(units == 2)  # as far as we know

    def see(self, rows, mine, theirs):
        """What we see becomes a state, without the enemies that we do not see, and the worlds that it may be."""
        if self.me is None:
            self.me = 0 if set("".join(rows)) <= {"0", "."} else 1
            self.fog = Fog(self.me, self.judged)
        now = self._state(rows, mine)
        cells = [unit and cell_of(*unit) for unit in theirs]
        if all(cells) and not all(sees(now, self.me, cell) for cell in cells):
            self.foggy = now.fog = 0  # we see somebody from afar
        scored = self.fog.look(now, cells)
        goes_on = any(self.points) or (scored > 0 and self.me == 0)  # after a round in which somebody made a point
        self.points[1 - self.me] += scored
        now.points[:] = self.points
        now.goal = REACH if self.units == 1 and not goes_on else POINTS
        worlds = []
        for pair, likely in self.fog.likeliest(WORLDS):
            worlds += [with_enemies(now, 1 - self.me, pair)] * max(1, round(COUNTS * likely))
        return now, worlds

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
    thinker = Thinker(make, LIMIT, FIRST, SPARED_SHARE if os.environ.get(MODE) in SPARING else SHARE)
    match = None
    while True:
        line = input()
        thinker.begin()
        if match is None:
            match = Match(int(line), int(input()), judged if SEARCHES[-1].compiled else None)
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
        print(f"{GAME.protocol.text(choice.action)} {choice.value:.2f} depth {choice.visits}", flush=True)
        match.play(now, choice.action)


if __name__ == "__main__":
    with suppress(EOFError):  # the match is over
        main()
