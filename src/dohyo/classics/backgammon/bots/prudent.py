"""A player of backgammon that looks at each checker's move by itself: its hits, the blots and points that it makes.

How it thinks
-------------
A position is worth the sum of what follows; of all legal moves it takes the one to the best position.

1. Each pip that is still to go costs 1, and each of the other's gains 1: so a hit is worth what it throws back.
2. A point that is made, with two checkers or more, gains 4, one in the home board 7.
3. A blot costs what the other gains by hitting it, times the chance of a shot.

It is a `policy` in the language of rules: `dohyo.rl` and `dohyo.search` compile it, and ask it without a process.
"""

import dohyo
from dohyo.core.flat import flat

BAR = 25
RUNGS = (50, 80)  # of its ladder (`dohyo.games.policies.ladder_of`): the dice hide finer ones
SHOTS = (0, 11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3)  # rolls of 36 that hit, by the distance


@flat
def policy(s, seat, options, count, luck):
    """The first of the moves to the best position."""
    best, most = options[0], -1e9
    for k in range(count if count > 1 else 0):  # the only one may be to pass
        found = worth(s, seat, options[k] % BAR + 1, options[k] // BAR + 1)
        if found > most:
            best, most = options[k], found
    return best


@flat
def checkers_at(s, seat, point):
    """A seat's checkers on one of its own points, or on the bar."""
    if point == BAR:
        return s.bar[seat]
    from_first = point if seat == 0 else BAR - point
    checkers = s.board[from_first - 13 if from_first > 12 else 24 - from_first]
    return max(0, checkers if seat == 0 else -checkers)


@flat
def worth(s, seat, origin, die):
    """How good the position is after this move, for whoever makes it."""
    target = max(0, origin - die)  # 0: it is borne off
    total = 0.0
    for point in range(1, BAR + 1):
        total += point * theirs_after(s, seat, point, target) - point * mine_after(s, seat, point, origin, target)
    for point in range(1, BAR):
        mine = mine_after(s, seat, point, origin, target)
        if mine > 1:
            total += 7 if point < 7 else 4
        if mine == 1:
            total -= danger(s, seat, point, target) * (BAR - point + 4)
    return total


@flat
def mine_after(s, seat, point, origin, target):
    """Own checkers on a point after the move."""
    return checkers_at(s, seat, point) + (point == target) - (point == origin)


@flat
def theirs_after(s, seat, point, target):
    """The other's checkers on one of its points after the move: one may have been hit."""
    other = 1 - seat
    is_hit = target > 0 and checkers_at(s, other, BAR - target) > 0
    return checkers_at(s, other, point) - (is_hit and point == BAR - target) + (is_hit and point == BAR)


@flat
def danger(s, seat, blot, target):
    """How likely a blot is hit, by the other's checkers that are still to pass it."""
    shots = 0
    for point in range(BAR - blot + 1, BAR + 1):
        if theirs_after(s, seat, point, target) > 0:
            away = blot - (BAR - point)
            shots += SHOTS[away] if away < len(SHOTS) else 1
    return min(1.0, shots / 36)


class Prudent(dohyo.Bot):
    """Takes the move to the best position."""

    def act(self, observation):
        options = [action.number for action in observation.legal_actions]
        return policy(observation.state(), observation.seat, options, len(options), None)


if __name__ == "__main__":
    Prudent.run()
