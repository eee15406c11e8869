"""From where sensei can hit whom: squares from which a rock flies into an enemy's square, and the cheapest to reach.

Whoever stands higher than all others is hit by nobody, so the safest place is also the one to hunt from. A rock falls
by a whole number of squares at each column (what is left of it is cut off), so that not every height will do.
"""

from dohyo.games.abotcalypse.board import ALIVE, CLASSIC, LEFT, RIGHT, WIDTH, holds_rock
from dohyo.games.abotcalypse.rules import DISTANCES, THROW

HIGHEST = 19  # from higher up the floor is out of sight
NEAREST, FARTHEST = 2, 12  # columns between a thrower and its prey
BESIDE = 15  # turns: so much is it worth not to stand within two columns of an enemy
UNDER_FIRE = 5  # turns, for each height on the way up at which the prey can hit us
SLOPE_ONE = -1  # a distance


def lines():
    """By columns away and the height that is hit: from which heights, how far to throw, the heights in between."""
    found = {}
    for high in range(1, HIGHEST + 1):
        for distance in (SLOPE_ONE, *range(1, high)):
            slope = high / distance if distance > 0 else 1
            path = [high]
            for away in range(NEAREST, FARTHEST + 1):
                lower = int(path[-1] - slope)
                if lower < 0:
                    break
                found.setdefault((away, lower), []).append((high, distance, tuple(path)))
                path.append(lower)
    return found


LINES = lines()


def is_free(s, x, direction, path):
    """Whether no rock is in the way of what is thrown from x."""
    if s.rules == CLASSIC:
        return not any(holds_rock(s, x + direction * (i + 1), y) for i, y in enumerate(path))
    return all(s.height[x + direction * (i + 1)] <= y for i, y in enumerate(path))


def cost(s, seat, x, high):
    """About how many turns it takes to get to a square: in the classic rules by flying, else by building."""
    way, rise = abs(x - s.x[seat]), high - s.y[seat]
    if s.rules == CLASSIC:
        return way + abs(rise)
    if way:
        return way + s.y[seat] + max(high, 2 * high - s.height[x])
    return max(rise, 2 * (high - s.height[x])) if rise > 0 else -rise


def danger(s, seat, prey, x, high):
    """Turns that it would be worth to stand elsewhere: because of who is near, and of who hits us on the way up."""
    turns = BESIDE * sum(abs(s.x[b] - x) <= 2 for b in range(s.bots) if b != seat and s.status[b] == ALIVE)
    if x != s.x[seat] or high > s.y[seat]:
        exposed = s.y[prey] - abs(s.x[prey] - x) + 1 - (s.y[seat] if x == s.x[seat] else 0)
        turns += UNDER_FIRE * max(0, exposed)
    return turns


def station(s, seat):
    """The best column and height to hit an enemy from, and the throw; none if there is no enemy that can be hit."""
    best, found = None, None
    for prey in range(s.bots):
        if prey == seat:
            continue
        for away in range(NEAREST, FARTHEST + 1):
            for direction, side in ((-1, LEFT), (1, RIGHT)):
                x = s.x[prey] - direction * away
                if not 0 <= x < WIDTH:
                    continue
                for high, distance, path in LINES.get((away, s.y[prey]), ()):
                    turns = cost(s, seat, x, high)
                    if best is not None and turns >= best:
                        continue
                    turns += danger(s, seat, prey, x, high)
                    if (best is None or turns < best) and is_free(s, x, direction, path):
                        best, found = turns, (x, high, THROW + side * DISTANCES + distance + 1)
    return found
