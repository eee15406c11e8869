"""What the sensei does with a turn: it tries plans, and then searches for a way to catch those whom it knows.

One flat function, so that what both ways of thinking call is compiled once.
"""

from __future__ import annotations

from typing import Any

from beam import NEW, STUCK, hunt
from plans import OPEN, take_note, take_up, try_plans

from dohyo.core.flat import flat
from dohyo.games.drop_block.careful import careful
from dohyo.games.drop_block.rules import NOTHING


@flat
def think(
    worlds: Any, count: int, me: int, board: Any, pool: Any, beam: Any, mind: Any, done: int, trials: int, layers: int
) -> int:
    """Go on by so many trials after `done` ones, and by so many layers of the beam; the best letter so far.

    `worlds` holds the `count` boards since my last turn, each before somebody's turn, now's the last one. `board` and
    `pool` are more to play on. There is another layer to search unless `beam.state` says that there is none.
    """
    s = worlds[count - 1]
    if s.row[me] < 0 or s.stun[me] > 0:
        beam.state = STUCK
        return NOTHING
    if done == 0 and layers == 0:
        take_note(worlds, count, board, mind)
        take_up(s, mind)
        beam.state = NEW
    try_plans(s, me, board, mind, done, trials)
    for _ in range(layers):
        hunt(s, me, board, pool, beam, mind)
    return mind.plan[0] if mind.plan[0] != OPEN else careful(s, me, mind)
