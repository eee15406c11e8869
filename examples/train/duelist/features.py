"""What the policy sees of Shoot-Em-Up: 49 numbers within 0 .. 1, all of them known to the robot itself.

Written over a flat state, as the rules are: training runs it compiled over arrays of games, the bot runs it plain
over what it has heard. So both see the same.
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import flat
from dohyo.games.shoot_em_up.rules import ACTIONS, LIVES, MOVES, SEATS, WIDTH, X_OF, Y_OF

CLOCK = 12  # own actions after which the clock that it counts begins anew: guns take two, three lines take six
LONG = 40  # own actions that count as many
HITS_AT = 2 * WIDTH
FROM_AT = HITS_AT + LIVES
CLOCK_AT = FROM_AT + ACTIONS - MOVES
MORE_AT = CLOCK_AT + CLOCK
SIZE = MORE_AT + 6


@flat
def observe(s: Any, seat: int, out: Any) -> None:
    """Fill `out` (SIZE numbers) with what the seat knows."""
    for at in range(SIZE):
        out[at] = 0.0
    told = s.told[seat]
    hits = s.hits[seat] if told == 1 else s.hits[seat] - s.was_hit[seat]
    own_turn = s.turn // SEATS
    x, y = s.x[seat], s.y[seat]
    out[x] = 1.0
    out[WIDTH + y] = 1.0
    out[HITS_AT + min(hits, LIVES - 1)] = 1.0
    if hits > 0:
        for action in range(MOVES, ACTIONS):
            if X_OF[action] == s.hit_x[seat] and Y_OF[action] == s.hit_y[seat]:
                out[FROM_AT + action - MOVES] = 1.0
    out[CLOCK_AT + own_turn % CLOCK] = 1.0
    out[MORE_AT] = 1.0 if s.shot[seat] != 0 else 0.0
    out[MORE_AT + 1] = 1.0 if told == 1 and s.was_hit[seat] == 1 else 0.0
    out[MORE_AT + 2] = min(own_turn, LONG) / LONG
    out[MORE_AT + 3] = 1.0 if x == 0 or x == WIDTH - 1 or y == 0 or y == WIDTH - 1 else 0.0
    out[MORE_AT + 4] = 1.0 if x == y or x + y == WIDTH - 1 else 0.0
    out[MORE_AT + 5] = own_turn % SEATS
