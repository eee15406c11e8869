"""A robot of Shoot-Em-Up that knows, for every square, how likely its unseen opponent is there, and plans with that.

How it thinks
-------------
* `belief.py` keeps the chances, by the game's own rules: after every line that it reads they are exact, as long as
  the opponent acts at random. `shooter.py` keeps them for an opponent that shoots whenever it can, as programs of
  people do. Which of both it is follows from what is seen: at first it is most likely the random one.
  In the same process the opponent stays the same: who was quiet in one combat is less suspicious in the next.
* It looks a few actions ahead through its plans with `dohyo.search`, and takes the one that loses least often, over
  both opponents; further ahead as long as it may be the one that shoots.
* What comes after them is estimated: `race.py` knows how often duels are lost when little is known of the opponent.

It draws no lots: the same input from its start on always gets the same output, whether the search runs in plain
Python or compiled. It is compiled by the build step, ahead of time, and loaded before the first move; without a build
it is plain. To a D line it answers with what it believes.
"""

import os
import sys
from contextlib import suppress

import belief
from arena_tables import ACTIONS, LINES, MOVES, NONE, SQUARES
from msgspec.structs import replace

from dohyo.core.game import Chance
from dohyo.games.shoot_em_up import GAME
from dohyo.games.shoot_em_up.rules import LIVES, WIDTH, X_OF, Y_OF
from dohyo.search import Beam
from dohyo.search.bot import AHEAD, ONLY_PLAIN, WARM, loaded, warm_up

DEPTH, WIDTH_OF_BEAM = 2, 12
DEEPER, DEEPER_PLAIN = 6, 3  # actions, while the opponent may be the one that shoots; plain Python is slow
SURE = 1e-4  # less doubt than this: it is the text's opponent, most likely

# The game of one player who moves through beliefs.
HUNT = replace(GAME, name="hunt", rules=belief, seats=(1, 1), chance=Chance.NEVER)


def make(compiled):
    """The search for the best plan."""
    return Beam(HUNT, 1, compiled=compiled, value=belief.value, width=WIDTH_OF_BEAM, depth=DEPTH)


class Planner:
    """The best action, by a search that is made already."""

    def __init__(self, beam):
        self.beam = beam

    def action(self, known):
        """The best action, for what is known."""
        self.beam.depth = DEPTH if known.doubt < SURE else self._deeper()
        return self.beam.choose(known, 0, playouts=1).action

    def _deeper(self):
        return DEEPER if self.beam.compiled else DEEPER_PLAIN


class Search(Planner):
    """Plans by what the build has compiled; where it has compiled nothing, shorter plans in plain Python."""

    def __init__(self):
        compiled = loaded(make)
        super().__init__(compiled or make(False))
        self._unsaid = AHEAD if compiled else ONLY_PLAIN

    def action(self, known):
        """The best action, for what is known. With the first one it says on its standard error how it searches."""
        if self._unsaid:
            with suppress(OSError):
                os.write(2, f"{self._unsaid}\n".encode())
            self._unsaid = ""
        return super().action(known)


class Robot:
    """One combat."""

    def __init__(self, search, place, doubt=belief.DOUBT):
        """`doubt`: how likely the opponent is the one that shoots, by what was seen of it before."""
        self._search = search
        self.known = belief.begin(place)
        self.known.doubt = min(doubt, belief.DOUBT)
        self._action = None  # the last one

    def act(self):
        """The next action, as a line."""
        self._action = self._search.action(self.known)
        return f"{'M' if self._action < MOVES else 'S'} {X_OF[self._action]} {Y_OF[self._action]}"

    def hear(self, line):
        """What the opponent's action was to us: a hit along this line, or `NONE`."""
        belief.learn(self.known, self._action, line)

    def say(self):
        """What the robot believes, in words."""
        chances = [0.0] * SQUARES
        for at in range(LIVES * SQUARES):
            chances[at % SQUARES] += self.known.ready[at] + self.known.empty[at]
        best = max(range(SQUARES), key=chances.__getitem__)
        hits = ", ".join(f"{belief.weight(self.known, hits):.3f}" for hits in range(LIVES))
        place = f"{self.known.place % WIDTH} {self.known.place // WIDTH}"
        enemy = f"enemy at {best % WIDTH} {best // WIDTH} ({chances[best]:.3f}), its hits: {hits}"
        return f"/ at {place}, {enemy}; it shoots: {self.known.doubt:.3f}"


LINE_OF = {(X_OF[action], Y_OF[action]): action - MOVES for action in range(MOVES, ACTIONS)}
assert len(LINE_OF) == LINES


def main():
    """Answer line after line, combat after combat, until the input ends."""
    if WARM in sys.argv[1:]:
        warm_up(make)
    search = Search()
    robot = Robot(search, 0)
    for line in sys.stdin:
        what, *numbers = line.split()
        if what.startswith("D"):
            print(robot.say(), flush=True)
            continue
        if what in ("W", "L"):
            continue
        if what == "P":
            x, y = map(int, numbers)
            robot = Robot(search, y * WIDTH + x, robot.known.doubt)
        else:
            robot.hear(LINE_OF[int(numbers[0]), int(numbers[1])] if what == "H" else NONE)
        print(robot.act(), flush=True)


if __name__ == "__main__":
    main()
