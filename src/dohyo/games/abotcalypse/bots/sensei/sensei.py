"""A bot of aBOTcalypse that thinks ahead: what comes of each of its actions, by the game's own rules."""

import random
import sys

from sight import Sight, put_meteors, state_of
from think import BUILD, GO_LEFT, GO_RIGHT, MIND, STAY, judge

from dohyo.games.abotcalypse.board import DOWN, LAYOUT, LEFT, RIGHT, UP
from dohyo.games.abotcalypse.protocol import text
from dohyo.games.abotcalypse.rules import DISTANCES, DROP, MOVE, REST, THROW

DEPTH = 10


class Sensei:
    """The bot's mind for one game."""

    def __init__(self, worlds=16, seed=0, ground=None):
        self.sight = Sight()
        self.worlds = worlds
        self.chance = random.Random(seed)
        self.ground = ground or Plain()

    def decide(self, view):
        """The action for a view."""
        now = self.sight.look(view)
        s = state_of(now, self.sight.calm)
        seat = s.bots // 2
        meteors = self.sight.meteors()
        worlds = []
        for _ in range(self.worlds):
            put_meteors(s, [self.chance.choice(ways) for ways in meteors])
            worlds.append(LAYOUT.copy(s))
        action = self.ground.choose(worlds, seat, self.chance.randrange(1 << 20))
        if action in (MOVE + LEFT, MOVE + RIGHT):
            x = now.x + (1 if action == MOVE + RIGHT else -1)
            self.sight.told(x - now.x if 0 <= x < 100 else 0)
        return text(action)


def plans_of(s, seat):
    """First actions that may be worth something, each with the ways to go on."""
    x, at = s.x[seat], s.y[seat]
    here = s.height[x]
    firsts = [REST]
    if at < here:
        firsts += [MOVE + UP, DROP + UP]
    else:
        firsts.append(DROP + DOWN)
    if at > 0:
        firsts.append(MOVE + DOWN)
    for direction, to in ((LEFT, x - 1), (RIGHT, x + 1)):
        if 0 <= to < 100:
            firsts.append(DROP + direction)
            if at <= s.height[to] + 1:
                firsts.append(MOVE + direction)
    return [first + 1000 * script for first in firsts for script in USED]


USED = (BUILD, STAY, GO_LEFT, GO_RIGHT)
FINAL = 6


def chosen(worlds, seat, luck, judge):
    """The action of the best plan: all plans in a quarter of the worlds, the best of them in the others."""
    plans = plans_of(worlds[0], seat)
    values = [0.0] * len(plans)
    few = max(1, len(worlds) // 4)
    judge(worlds[:few], seat, DEPTH, luck, plans, values)
    best = sorted(range(len(plans)), key=lambda p: -values[p])[:FINAL]
    plans, values = [plans[p] for p in best], [values[p] for p in best]
    judge(worlds[few:], seat, DEPTH, luck + few, plans, values)
    return plans[max(range(len(plans)), key=lambda p: values[p])] % 1000


class Plain:
    def __init__(self):
        self.s = LAYOUT.new()
        self.spare = LAYOUT.new()
        self.mind = MIND.new()

    def choose(self, worlds, seat, luck):
        return chosen(worlds, seat, luck, self.judge)

    def judge(self, worlds, seat, depth, luck, plans, values):
        judge(worlds, self.s, self.spare, self.mind, seat, depth, len(worlds), luck, plans, values)


class Compiled:
    """The same, compiled."""

    def __init__(self):
        import numpy
        import think

        from dohyo.sim.compiled import compile_rules
        from dohyo.sim.records import blank, write

        self.judge_ = compile_rules(think).judge
        self.numpy, self.write = numpy, write
        self.roots = blank(LAYOUT, 64)
        self.s = blank(LAYOUT, 2)
        self.mind = blank(MIND, 1)

    def choose(self, worlds, seat, luck):
        return chosen(worlds, seat, luck, self.judge)

    def judge(self, worlds, seat, depth, luck, plans, values):
        for at, world in enumerate(worlds):
            self.write(LAYOUT, self.roots, at, world)
        out = self.numpy.array(values)
        self.judge_(
            self.roots, self.s[0], self.s[1], self.mind[0], seat, depth, len(worlds), luck, self.numpy.array(plans), out
        )
        values[:] = out.tolist()


def main():
    """Answer every view with one line."""
    mind = Sensei(8)
    rows = []
    for line in sys.stdin:
        if line != "\n":
            rows.append(line)
            continue
        print(mind.decide("".join(rows).rstrip("\n")), flush=True)
        rows = []


if __name__ == "__main__":
    main()
