"""A player of backgammon that looks at each checker's move by itself: its hits, the blots and points that it makes.

How it thinks
-------------
A position is worth the sum of what follows; of all legal moves it takes the one to the best position.

1. Each pip that is still to go costs 1, and each of the other's gains 1: so a hit is worth what it throws back.
2. A point that is made, with two checkers or more, gains 4, one in the home board 7.
3. A blot costs what the other gains by hitting it, times the chance of a shot.
"""

import dohyo

BAR = 25
SHOTS = (0, 11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3)  # rolls of 36 that hit, by the distance


def checkers_of(observation, seat):
    """A seat's checkers by its own points: 0 those that are off, 25 those on the bar."""
    board = [*observation.board[1][::-1], *observation.board[0]]  # by seat 0's points, from 1
    checkers = [count if seat == 0 else -count for count in (board if seat == 0 else board[::-1])]
    return [observation.off[seat], *(max(0, count) for count in checkers), observation.bar[seat]]


def worth(mine, theirs):
    """How good a position is for whoever has just moved."""
    total = sum(point * count for point, count in enumerate(theirs)) - sum(p * count for p, count in enumerate(mine))
    for point in range(1, BAR):
        if mine[point] > 1:
            total += 7 if point < 7 else 4
        if mine[point] == 1:
            ahead = [point - (BAR - p) for p in range(1, BAR + 1) if theirs[p] and BAR - p < point]
            chance = min(1.0, sum(SHOTS[away] if away < len(SHOTS) else 1 for away in ahead) / 36)
            total -= chance * (BAR - point + 4)
    return total


def moved(word, mine, theirs):
    """Both seats' checkers after a move such as 13/7, bar/20 or 4/off(6)."""
    origin, target = word.split("(")[0].split("/")
    origin, target = (BAR if origin == "bar" else int(origin)), (0 if target == "off" else int(target))
    mine, theirs = list(mine), list(theirs)
    mine[origin] -= 1
    mine[target] += 1
    if target and theirs[BAR - target]:
        theirs[BAR - target] -= 1
        theirs[BAR] += 1
    return mine, theirs


class Prudent(dohyo.Bot):
    """Takes the move to the best position."""

    def act(self, observation):
        mine, theirs = (checkers_of(observation, seat) for seat in (observation.seat, 1 - observation.seat))
        legal = observation.legal_actions
        if len(legal) == 1:
            return legal[0]
        return max(legal, key=lambda word: worth(*moved(word, mine, theirs)))


if __name__ == "__main__":
    Prudent.run()
