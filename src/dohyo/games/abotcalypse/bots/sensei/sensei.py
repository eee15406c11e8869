"""A bot of aBOTcalypse that thinks ahead: what comes of each of its actions, by the game's own rules."""

import random
import sys

from sight import Sight, put_meteors, state_of
from think import BUILD, GO_LEFT, GO_RIGHT, MIND, STAY, judge

from dohyo.games.abotcalypse.board import DOWN, LAYOUT, LEFT, RIGHT, UP
from dohyo.games.abotcalypse.protocol import text
from dohyo.games.abotcalypse.rules import DISTANCES, DROP, MOVE, REST, THROW

FIRSTS = [REST, *(MOVE + d for d in range(4)), *(DROP + d for d in range(4))]
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
        plans = self.plans()
        values = [0.0] * len(plans)
        for last in (False, True):
            s = state_of(now, last)
            seat = s.bots - 1 if last else 0
            worlds = []
            for _ in range(self.worlds // 2):
                put_meteors(s, [self.chance.choice(ways) for ways in self.sight.meteors()])
                worlds.append(LAYOUT.copy(s))
            calm = [0] * 100
            for b in range(s.bots):
                calm[b] = self.sight.calm.get((s.x[b], s.y[b]), 0)
            luck = self.chance.randrange(1 << 20)
            self.ground.judge(worlds, calm, seat, DEPTH, luck, plans, values)
        best = max(range(len(plans)), key=lambda p: values[p])
        action = plans[best] % 1000
        if action in (MOVE + LEFT, MOVE + RIGHT):
            x = now.x + (1 if action == MOVE + RIGHT else -1)
            self.sight.told(x - now.x if 0 <= x < 100 else 0)
        self.values = values
        return text(action)

    def plans(self):
        """First actions, and how they may go on."""
        return [first + 1000 * script for first in FIRSTS for script in (BUILD, STAY, GO_LEFT, GO_RIGHT)]


class Plain:
    def __init__(self):
        self.s = LAYOUT.new()
        self.spare = LAYOUT.new()
        self.mind = MIND.new()

    def judge(self, worlds, calm, seat, depth, luck, plans, values):
        self.mind.calm[:] = calm
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

    def judge(self, worlds, calm, seat, depth, luck, plans, values):
        for at, world in enumerate(worlds):
            self.write(LAYOUT, self.roots, at, world)
        self.mind[0]["calm"][:] = calm
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
