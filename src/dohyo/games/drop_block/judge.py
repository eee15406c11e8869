"""How `dohyo analyse` judges a position of Drop-Block: all go on as careful players, who now and then slip.

After some turns it counts who still stands when all that is loose has fallen. Those who do are taken to be equals
from then on. Beside that, a tree says what players could do who see every attack and every way out.
"""

from __future__ import annotations

from typing import Any

from dohyo.core.cheap_random import below
from dohyo.core.flat import flat
from dohyo.core.judge import Judge
from dohyo.games.drop_block.careful import FIELDS, careful
from dohyo.games.drop_block.rules import ACTIONS, NOTHING, SEATS, legal
from dohyo.games.drop_block.survival import AIMLESS, SKILLED, survival

EXPLORE = 0.2  # the values are good: little has to be tried that looks bad
SLIPS = 5  # of 100 letters are any letter
HORIZON = 40  # turns that are played on: an attack of now has dropped whom it can, and the next one has begun
CARE = 0.95  # how much of a player's chance is that of its best walk; the rest is that of a random one
SETS = 1 << SEATS  # of players


@flat
def lasting(s: Any, p: int, scratch: Any) -> float:
    """How likely a player lives through what is loose now."""
    if s.row[p] < 0:
        return 0.0
    best = survival(s, p, SKILLED, scratch)
    if best <= 0.0:
        return 0.0
    return CARE * best + (1 - CARE) * survival(s, p, AIMLESS, scratch)


@flat
def rate(s: Any, scratch: Any) -> None:
    """Fill `scratch.result` with twice each player's share of the first place, less 1."""
    standing = 0
    for p in range(SEATS):
        standing += s.row[p] >= 0
        scratch.lasts[p] = lasting(s, p, scratch)
        scratch.result[p] = -1.0
    for left in range(SETS):  # who of them may be left
        likely = 1.0
        count = 0
        for p in range(SEATS):
            if left >> p & 1:
                likely *= scratch.lasts[p]
                count += 1
            else:
                likely *= 1.0 - scratch.lasts[p]
        if likely > 0.0:
            for p in range(SEATS):
                if left >> p & 1:
                    scratch.result[p] += 2.0 * likely / count
                elif count == 0 and s.row[p] >= 0:
                    scratch.result[p] += 2.0 * likely / standing


@flat
def policy(s: Any, seat: int, options: Any, count: int, luck: Any) -> int:
    """What a careful player answers, now and then any letter."""
    if count == 1:
        return NOTHING
    if below(luck, 100) < SLIPS:
        return below(luck, ACTIONS)
    return careful(s, seat, luck)


@flat
def moves(s: Any, seat: int, out: Any) -> int:
    """Fill `out` with what makes a difference: nothing does for who has fallen, or is stunned."""
    if s.row[seat] < 0 or s.stun[seat] > 0:
        out[0] = NOTHING
        return 1
    return legal(s, seat, out)


def judge() -> Judge:
    """How `dohyo analyse` judges a position of this game."""
    room = (("lasts", "f8", SEATS), *FIELDS)
    return Judge(
        rate=rate,
        policy=policy,
        moves=moves,
        room=room,
        apart=True,
        horizon=HORIZON,
        ahead=True,
        explore=EXPLORE,
        sharpness=0.8,
    )
