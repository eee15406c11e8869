"""A player of Drop-Block that traps: it takes the others' freedom away, and keeps its own.

How it thinks
-------------
A player's freedom is the number of squares on which it can still stand some rounds from now. Freedom 0 means caught.
To count it, all walks are walked at once: the board is a few numbers with a bit a square, and in each round whatever
was reached spreads by a step, but not onto what is gone, and without what falls.

It tries each of the six letters on a copy of the board, and counts after each of them:

* How free is everybody then? An enemy with few squares left is as good as caught: the blocks that fell are gone for
  five rounds, and the next attack closes the cage.
* Can I be caught? By an attack of an enemy, by one that comes a step nearer, or while I am stunned?
* Does my next attack catch an enemy wherever it steps now? And can I still reach one that is stunned?

A little unrest, other in each turn and growing, breaks the peace of two who stand and stare at each other. It draws
no lots: the same board in the same turn gets the same answer. Until somebody has made a step it does not know which
number of a position is the row (the game's `told.py`), and plays the letter that is best for both boards.

The thinking is in the game's `trapping.py`, in the language of rules, so that `dohyo.rl`, searches and the sample bot
`sensei` compile it and ask it without a process. Here is what makes a program of it.
"""

from dohyo.core.flat import Layout
from dohyo.core.policies import flat_in
from dohyo.games.drop_block.told import best_letter, play_by
from dohyo.games.drop_block.trapping import FIELDS, prepare, trap, worth_of

MIND = Layout("Mind", *FIELDS)  # what it thinks in


@flat_in(*FIELDS)
def policy(s, seat, options, count, luck):
    """What it does on this seat, as the number of a letter."""
    return trap(s, seat, luck)


def choose(me, boards):
    """The best letter for player `me`, where each of these boards may be the true one."""
    return best_letter(me, boards, MIND.new(), prepare, worth_of)


if __name__ == "__main__":
    play_by(choose)
