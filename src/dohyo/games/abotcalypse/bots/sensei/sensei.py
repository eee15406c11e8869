"""A bot of aBOTcalypse that plays on in its mind: what comes of each of its actions, by the game's own rules.

How it thinks
-------------
* From a view it makes states of the game (`sight.py`). Which way a meteor goes it works out from where it was seen:
  none that is in sight comes as a surprise, and from the edge of the view one needs ten turns.
* Whoever lives to the end shares it with all others who do, so it hunts: it works out the square, the cheapest to
  reach, from which a rock flies into an enemy's (`hunting.py`). High up, nobody below can hit it.
* A plan is a first action, and a way to go on: to that square, into a shelter, left, right, or stay (`judgement.py`).
  Each is played for ten turns in the same worlds, in which enemies do by chance what enemies do: they throw at whom
  they can hit, drop rocks on whom is near, walk about. All plans are tried in a few worlds, the best of them in more.
* The judgement is compiled by the build, ahead of time, and loaded before the first turn (`dohyo.search.bot`).
* Where nothing can come near it builds, without a thought.
"""

import random
import sys
import time

from hunting import SLOPE_ONE, station
from judgement import (
    BUILD,
    GO_LEFT,
    GO_RIGHT,
    HIGHS,
    HUNT,
    MAX_THROWS,
    MIND,
    NOWHERE,
    STATES,
    STAY,
    hunt,
    judge,
)
from sight import Sight, put_meteors

from dohyo.games.abotcalypse import GAME
from dohyo.games.abotcalypse.board import ALIVE, CLASSIC, DOWN, LAYOUT, LEFT, RIGHT, UP, WIDTH
from dohyo.games.abotcalypse.rules import DISTANCES, DROP, MOVE, REST, THROW, throw
from dohyo.search import Choice
from dohyo.search.backend import backend_of, field
from dohyo.search.bot import Thinker

FIRST, LIMIT = 0.6, 0.05  # seconds, of 1 and 0.1: the machine may be busy
SKIES = 6  # ways that the meteors in sight may go, all together
WORLDS = 32  # in which plans are tried: a sky, and what enemies do
FEW = 8  # of them, in which all plans are
FINAL = 6  # plans that are tried in the others
DEPTH = 10  # turns
CROWD = 6  # bots in sight, itself included: among more it hides
ALOFT = 14  # squares above the floor: where it flies, in the classic rules


class Foresight:
    """Finds the best plan's first action. It is what `Thinker` asks, in place of a tree search."""

    game = GAME

    def __init__(self, compiled, worlds=WORLDS):
        """With `compiled`, it takes seconds where nothing was compiled before."""
        self._worlds = worlds
        self._luck = 0
        self._compiled = compiled
        self._backend = backend_of(compiled)
        self._states = self._backend.blank(LAYOUT, STATES)
        self._mind = self._backend.blank(MIND, 1)[0]
        self._judge = self._backend.over(LAYOUT, judge, {})
        state = LAYOUT.new()
        state.bots = 1
        if compiled:
            self._play(self._backend.worlds(LAYOUT, [state]), 0, 0, 0, [], [])  # compiles, plays nothing

    def choose(self, state, seat, *, seconds=None, playouts=None, worlds=None, until=None):
        """The action for who sits on `seat`, found in these worlds until a moment of `time.monotonic`."""
        plans = plans_of(state, seat)
        roots = self._backend.worlds(LAYOUT, [state] if worlds is None else worlds)
        self._luck = (self._luck + self._worlds) % (1 << 20)
        values = [0.0] * len(plans)
        done = 0
        most = self._worlds if state.bots > 1 else len(roots)  # without enemies only the skies differ
        while done < most and (done == 0 or until is None or time.monotonic() < until):
            if done == FEW:
                best = sorted(range(len(plans)), key=lambda p: -values[p])[:FINAL]
                plans, values = [plans[p] for p in best], [values[p] for p in best]
            count = min(most, FEW if done < FEW else most) - done if self._compiled else 1
            self._play(roots, seat, done, count, plans, values)
            done += count
        best = max(range(len(plans)), key=lambda p: values[p])
        return Choice(plans[best] % 1000, done, 2 * values[best] / done - 1, done * len(plans))

    def _play(self, roots, seat, start, count, plans, values):
        """Add to the plans' values what they come to in so many worlds more."""
        plan, value = field(self._mind, "plan"), field(self._mind, "value")
        for p in range(len(plans)):
            plan[p], value[p] = plans[p], values[p]
        self._judge(roots, self._states, self._mind, seat, DEPTH, start, count, self._luck, len(plans))
        values[:] = map(float, value[: len(plans)])


def plans_of(s, seat):
    """First actions that may be worth something, each with the ways to go on, as first + 1000 * script."""
    x, at = s.x[seat], s.y[seat]
    floats = s.rules == CLASSIC
    firsts = [REST]
    if floats or at < s.height[x]:
        firsts += [MOVE + UP, DROP + UP]
    if floats or at >= s.height[x]:
        firsts.append(DROP + DOWN)
    if at > 0:
        firsts.append(MOVE + DOWN)
    for direction, to in ((LEFT, x - 1), (RIGHT, x + 1)):
        if 0 <= to < WIDTH:
            firsts.append(DROP + direction)
            if floats or at <= s.height[to] + 1:  # a deeper fall kills
                firsts.append(MOVE + direction)
    if any(s.x[b] == x and s.y[b] < at for b in range(s.bots)):
        firsts.append(THROW + DOWN * DISTANCES + 1)
    hunts = hunt(s, seat, s.next_x, s.next_angle % HIGHS, s.next_angle // HIGHS)
    if hunts not in firsts:
        firsts.append(hunts)
    ways = [first + 1000 * script for first in firsts for script in (BUILD, STAY, GO_LEFT, GO_RIGHT, HUNT)]
    return ways + [throw + 1000 * HUNT for throw in throws_of(s, seat)]


def throws_of(s, seat):
    """The throws that kill somebody, if nobody moves."""
    found = []
    for direction in (LEFT, RIGHT):
        for distance in (SLOPE_ONE, *range(1, s.y[seat])):
            tried = LAYOUT.copy(s)
            throw(tried, seat, direction, distance, None)
            if tried.status[seat] == ALIVE and sum(tried.status) < sum(s.status):
                found.append(THROW + direction * DISTANCES + distance + 1)
    return found[:MAX_THROWS]


class Sensei:
    """The bot in one game. `thinks` has the method `choose` of a `Thinker`."""

    def __init__(self, thinks, seed=0):
        self.sight = Sight()
        self._thinks = thinks
        self._chance = random.Random(seed)
        self._asked = False  # which rules hold
        self._swept = [False, False]
        self._edge = WIDTH - 1  # where it goes while nobody is in sight

    def decide(self, view):
        """The action for a view."""
        now = self.sight.look(view)
        s = self.sight.state(now)
        s.next_x, high, shot = self._aim(now, s)
        s.next_angle = high + HIGHS * shot
        worlds = list(self._skies(s))
        if not self._asked and s.bots == 1 and s.meteors == 0 and s.y[0] == s.height[s.x[0]] == 0:
            self._asked, action = True, MOVE + UP  # in the classic rules it stays in the air
        elif s.bots == 1 and s.meteors == 0:
            action = hunt(s, 0, s.next_x, s.next_angle % HIGHS, REST)
        else:
            action = self._thinks.choose(worlds[0], s.bots // 2, worlds=worlds).action
        to = now.x + {MOVE + LEFT: -1, MOVE + RIGHT: 1}.get(action, 0)
        self.sight.told(to - now.x if 0 <= to < WIDTH else 0, {MOVE + UP: 1, MOVE + DOWN: -1}.get(action, 0))
        return GAME.protocol.text(action)

    def _aim(self, now, s):
        """Where to go, a column and a height, and what to do there.

        It is where somebody can be hit; where nobody is that can be, along the board until both edges were seen, for
        then nobody is left.
        """
        found = station(s, s.bots // 2) if s.bots <= CROWD else None
        if found is not None:
            self._swept = [False, False]
            return found
        if s.bots > CROWD:
            return NOWHERE, 0, REST
        if now.left < 0:
            self._swept[0], self._edge = True, WIDTH - 1
        if now.right >= WIDTH:
            self._swept[1], self._edge = True, 0
        return (NOWHERE if all(self._swept) else self._edge), (ALOFT if s.rules == CLASSIC else 0), REST

    def _skies(self, s):
        """The state under some of the skies that there may be."""
        meteors = self.sight.meteors(DEPTH)
        for _ in range(SKIES if any(len(ways) > 1 for ways in meteors) else 1):
            put_meteors(s, [self._chance.choice(ways) for ways in meteors])
            yield LAYOUT.copy(s)


def main():
    """Answer every view with one line."""
    thinker = Thinker(Foresight, LIMIT, FIRST)
    sensei = Sensei(thinker)
    rows = []
    for line in sys.stdin:
        if not rows:
            thinker.begin()
        if line != "\n":
            rows.append(line)
            continue
        print(sensei.decide("".join(rows).rstrip("\n")), flush=True)
        rows = []


if __name__ == "__main__":
    main()
