"""A player of Drop-Block that hunts: it walks to where an attack is likely to drop somebody, and strikes there.

How it thinks
-------------
It tries each of the six letters on a copy of the board, judges what may follow, and takes the best. Three questions:

* How likely will my prey fall? `survival` lets it walk at random until all blocks that are loose now have fallen. In
  the middle of a block it is two steps from safety: if the block falls before its second turn, it is lost. From a
  corner it escapes more often.
* Can I be caught? The same function, with my best walk in the place of a random one, says whether I could still get
  away if an enemy attacked me now. There is time for a long hunt, and none for a second life: safety comes first.
* How far is it to the next square to attack from? That leads the way when there is nothing to gain at once.

Until somebody has made a step it does not know which number of a position is the row (the game's `told.py`), and
plays the letter that is best for both boards.

It draws no lots: the same board always gets the same answer.

The thinking is in the game's `careful.py`, in the language of rules, so that `dohyo.rl`, searches and the sample bot
`sensei` compile it and ask it without a process. Here is what makes a program of it. Asked as a `policy`, it knows
which number is the row.
"""

from dohyo.core.flat import Layout
from dohyo.core.policies import flat_in
from dohyo.games.drop_block.careful import FIELDS, careful, measure_steps, worth_of
from dohyo.games.drop_block.told import best_letter, play_by

MIND = Layout("Mind", *FIELDS)  # what it thinks in


@flat_in(*FIELDS)
def policy(s, seat, options, count, luck):
    """What it does on this seat, as the number of a letter."""
    return careful(s, seat, luck)


def choose(me, boards):
    """The best letter for player `me`, where each of these boards may be the true one."""
    return best_letter(me, boards, MIND.new(), measure_steps, worth_of)


if __name__ == "__main__":
    play_by(choose)
