"""A player of Drop-Block that looks ahead: it plays out plans of its own against what it expects of the others.

How it thinks
-------------
It takes the others for careful players (the game's `careful.py`; just so does `hunter` think) or for trappers
(`trapping.py`), whichever their answers speak for, and for as careless as they turn out to be then. It tries plans of
a dozen letters (`plans.py`), and plays each out for twelve rounds, by the game's own rules. While all others answer
as expected, it searches further, for letters that catch them in the end (`beam.py`). Compiled, that is thousands of
its opponents' thoughts in a turn; until the compiled form is loaded, and where there is no compiler, it answers as a
careful player itself. So it does, on both boards that may be meant, until it knows which number of a position is the
row (`watching.py`).
"""

import time
from contextlib import suppress

from beam import BEAM, GOING_ON, NEW, TRIED, WIDTH
from plans import LENGTH, MIND
from thinking import think
from watching import LINES, Match

from dohyo.games.drop_block import GAME
from dohyo.games.drop_block.careful import measure_steps, worth_of
from dohyo.games.drop_block.protocol import READY
from dohyo.games.drop_block.rules import LAYOUT, NOBODY, NOTHING, SEATS
from dohyo.games.drop_block.told import best_letter
from dohyo.search.backend import backend_of, field
from dohyo.search.bot import Thinker
from dohyo.search.uct import Choice, end_of

LOADING = 0.5  # seconds of the one before READY in which the compiled form may be loaded
LONGEST = 0.2  # seconds a turn: it needs no more where the clock allows it
TRIALS = 60  # plans a turn; more do not win more, and a busy machine leaves time for no more
BUNDLE = 4  # between two looks at the clock


class Foresight:
    """The search: `thinking.think` on one substrate, remembering its plan from turn to turn."""

    def __init__(self, compiled):
        self.game, self.compiled = GAME, compiled
        self._backend = backend_of(compiled)
        self._board = self._backend.blank(LAYOUT, 1)[0]
        mind = MIND.new()
        mind.turn = -LENGTH * SEATS  # long ago: there is no plan yet
        self._mind = self._backend.worlds(MIND, [mind])[0]
        self._pool = self._backend.blank(LAYOUT, WIDTH + TRIED)
        self._beam = self._backend.blank(BEAM, 1)[0]
        self._think = self._backend.over(LAYOUT, think, {})
        if compiled:
            nobody = LAYOUT.new()
            nobody.row[:] = [NOBODY] * SEATS
            self._go_on(self._backend.worlds(LAYOUT, [nobody]), 0)  # compiles, thinks of nothing

    def choose(self, state, seat, *, seconds=None, playouts=None, worlds=None, until=None):
        """What the seat should do. `worlds`: the boards since its last turn, each before somebody's, now's the last.

        Plain, it only looks at the board as it is, and answers as a careful player.
        """
        if not self.compiled:
            return Choice(self._go_on([state], seat), 0, 0.0, 0)
        end = min(end_of(seconds, until, playouts), time.monotonic() + LONGEST)
        most = TRIALS if playouts is None else playouts
        boards = self._backend.worlds(LAYOUT, [state] if worlds is None else worlds)
        best, done = self._go_on(boards, seat, 0, 1), 1
        while done < most and time.monotonic() < end:
            best = self._go_on(boards, seat, done, BUNDLE)
            done += BUNDLE
        while playouts is None and field(self._beam, "state") in (NEW, GOING_ON) and time.monotonic() < end:
            best = self._go_on(boards, seat, done, layers=1)
        return Choice(int(best), done, float(field(self._mind, "worth")), done)

    def _go_on(self, boards, seat, done=0, trials=0, layers=0):
        """The letter after so many more trials and layers; see `think`."""
        return int(
            self._think(
                boards, len(boards), seat, self._board, self._pool, self._beam, self._mind, done, trials, layers
            )
        )


def read_turn():
    """Read the rest of the 13 lines that a turn begins with, as lists of words."""
    return [input().split() for _ in range(LINES - 1)]


def main():
    """Answer turn after turn until the match is over."""
    thinker = Thinker(Foresight)
    thinker.wait(LOADING)
    match = Match()
    print(READY, flush=True)
    while True:
        lines = [input().split()]
        thinker.begin()
        lines += read_turn()
        boards = match.see(lines)
        now, me = boards[-1], match.me
        action = NOTHING  # where whatever I say changes nothing
        if match.other:
            action = best_letter(me, [now, match.other], MIND.new(), measure_steps, worth_of)
        elif now.row[me] >= 0 and now.stun[me] == 0:
            action = thinker.choose(now, me, boards).action
        match.answered = action
        print(GAME.protocol.text(action), flush=True)


if __name__ == "__main__":
    with suppress(EOFError):  # the match is over
        main()
