"""A player of go that looks one stone ahead: it captures, saves, keeps its eyes, and passes when nothing is left.

How it thinks
-------------
Every legal point is worth the sum of what follows; of the best ones it takes any.

1. Stones that are captured: 12 each. Own stones in atari that have more liberties afterwards: 10 each.
2. Stones of the other's that are in atari afterwards: 3 each. Own ones that are: -8 each.
3. Liberties that the other's chains beside the stone lose, and the stone's own: 1 each. The edge costs 2.

A point within own stones, all four beside it and at most one of the corners the other's, is an eye: never filled.

It is a `policy` in the language of rules: `dohyo.rl` and `dohyo.search` compile it, and ask it without a process. As
the rules do, it has sets of points in two numbers, the upper half of the board and the lower one.
"""

import dohyo
from dohyo.classics.go import (
    PASS,
    SIZE,
    adjacent,
    captured_by,
    connected,
    empty_half,
    lower_of,
    upper_of,
)
from dohyo.core.cheap_random import LUCK, below
from dohyo.core.flat import flat, popcount

ACROSS, UP = (-1, 1, 0, 0, -1, 1, -1, 1), (0, 0, -1, 1, -1, -1, 1, 1)  # the four sides, then the four corners
EMPTY, OFF = 0, 3  # what stands on a point, beside 1 for black and 2 for white


@flat
def policy(s, seat, options, count, luck):
    """One of the best points, each as likely; to pass if there are eyes only."""
    best, most, equal = PASS, -1000, 0
    for k in range(count):
        if options[k] != PASS and not is_eye(s, seat, options[k]):
            found = worth(s, seat, options[k])
            if found > most:
                most, equal = found, 0
            if found == most:
                equal += 1
                if below(luck, equal) == 0:
                    best = options[k]
    return best


@flat
def beside(s, at, way):
    """What stands on a point beside this one: `EMPTY`, a seat's number and 1, or `OFF` beyond the board."""
    row, column = at // SIZE + UP[way], at % SIZE + ACROSS[way]
    return s.board[row * SIZE + column] if 0 <= row < SIZE and 0 <= column < SIZE else OFF


@flat
def is_eye(s, seat, at):
    """Whether to fill the point would only help the other."""
    theirs, corners_off = 0, 0
    for way in range(4):
        if beside(s, at, way) != seat + 1 and beside(s, at, way) != OFF:
            return False
    for way in range(4, 8):
        theirs += beside(s, at, way) == 2 - seat
        corners_off += beside(s, at, way) == OFF
    return theirs <= (0 if corners_off > 0 else 1)


@flat
def worth(s, seat, at):
    """What a stone there is worth."""
    total, saved, is_edge = 0, 0, 0
    own, other = 2 * seat, 2 - 2 * seat
    free, under = empty_half(s, 0), empty_half(s, 1)
    seen, below_seen = 0, 0  # of the chains that were counted
    for way in range(4):
        stone = beside(s, at, way)
        is_edge = 1 if stone == OFF else is_edge
        place = at + ACROSS[way] + SIZE * UP[way]
        if stone != EMPTY and stone != OFF and not (seen & upper_of(place) or below_seen & lower_of(place)):
            first = own if stone == seat + 1 else other
            upper, lower = connected(upper_of(place), lower_of(place), s.stones[first], s.stones[first + 1])
            seen, below_seen = seen | upper, below_seen | lower
            liberties = points_beside(upper, lower, free, under)
            stones = popcount(upper) + popcount(lower)
            if first == other:
                total += 1 + (3 * stones if liberties == 2 else 0)
            elif liberties == 1:
                saved += stones
    taken, taken_below = captured_by(s, seat, at)
    free, under = (free | taken) & ~upper_of(at), (under | taken_below) & ~lower_of(at)
    mine, mine_below = s.stones[own] | upper_of(at), s.stones[own + 1] | lower_of(at)
    upper, lower = connected(upper_of(at), lower_of(at), mine, mine_below)
    liberties = points_beside(upper, lower, free, under)
    total += 10 * saved if liberties > 1 else -8 * (popcount(upper) + popcount(lower))
    return total + 12 * (popcount(taken) + popcount(taken_below)) + min(3, liberties) - 2 * is_edge


@flat
def points_beside(upper, lower, free, under):
    """How many of the points `free`, `under` are beside a set."""
    upper, lower = adjacent(upper, lower)
    return popcount(upper & free) + popcount(lower & under)


class Keen(dohyo.Bot):
    """Takes the best point."""

    def act(self, observation):
        luck = LUCK.new()
        luck.word = self.random.getrandbits(32)
        options = [action.number for action in observation.legal_actions]
        return policy(observation.state(), observation.seat, options, len(options), luck)


if __name__ == "__main__":
    Keen.run()
