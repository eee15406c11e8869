"""What a duel is worth when little is known: the chance to lose it, for a search to judge its ends by.

We walk to the nearest corner and shoot whenever the gun is ready; the opponent acts at random. Two clocks run against
each other: its hits on us, ours on it. The guess is exact but for one thing: the opponent is met anywhere, each time
afresh, as often as a random walk is there in the long run. Only after a hit, which tells the line that it stands on,
our next shots along that line tell more often; how much more, and for how long, is worked out in a corner.
"""

from arena_tables import ACTIONS, LINES, MOVES, SQUARES, STEPS, STEPS_FROM, WAYS, reached, toward_corner

from dohyo.core.flat import flat
from dohyo.games.shoot_em_up.rules import LIVES, WIDTH

UNIT = 1_000_000_000_000  # of a chance, so that tables hold integers
AGES = 12  # pairs of actions after which a hit tells nothing any more

# Where a random walk is in the long run: as often as there are ways out of a square (and in; each is as likely).
OFTEN = [ways / sum(WAYS) for ways in WAYS]
READY = MOVES / ACTIONS  # how often its last action was no shot, so that its gun is ready


def steps_to_corner(square):
    """How many steps it takes to the nearest corner."""
    x, y = square % WIDTH, square // WIDTH
    return max(min(x, WIDTH - 1 - x), min(y, WIDTH - 1 - y))


def shares_after_a_hit():
    """How often the best shot from a corner hits, by the pairs of actions since a hit that came from there."""
    shares = [0.0] * AGES
    lines = [line for line in range(LINES) if reached(0, line)]
    chances = {line: sum(OFTEN[square] / WAYS[square] for square in reached(0, line)) for line in lines}
    for line in lines:
        where = [0.0] * SQUARES
        for square in reached(0, line):
            where[square] = OFTEN[square] / WAYS[square] / chances[line]
        for age in range(AGES):
            best = max(sum(where[square] for square in reached(0, other)) for other in lines)
            shares[age] += best * chances[line] / sum(chances.values())
            where = walked(where)
    return shares


def walked(where):
    """Where the opponent is after one action more."""
    found = [0.0] * SQUARES
    for square, chance in enumerate(where):
        found[square] += chance * LINES / WAYS[square]
        for i in range(STEPS_FROM[square]):
            found[STEPS[square * MOVES + i]] += chance / WAYS[square]
    return found


def race():
    """The chance to lose, by (square, whether our last action was a shot, hits on us, hits on it, age).

    The age is the pairs of actions since we were last hit. All but the oldest of a corner's depend on others that are
    known before; the oldest on each other, in a ring of two.
    """
    shares = shares_after_a_hit()
    exposed = [
        sum(OFTEN[other] * READY / WAYS[other] for line in range(LINES) for other in reached(square, line))
        for square in range(SQUARES)
    ]
    found = {}
    for ours in range(LIVES - 1, -1, -1):
        for its in range(LIVES - 1, -1, -1):
            for square in sorted(range(SQUARES), key=steps_to_corner):
                for age in range(AGES - 1, -1, -1):
                    cell = Cell(found, square, ours, its, min(age + 1, AGES - 1))
                    share = shares[age] if age < AGES - 1 else best_share(square)
                    if age == AGES - 1 and steps_to_corner(square) == 0:
                        cell.ring(share, exposed[square])
                    else:
                        found[square, 1, ours, its, age] = cell.walk(exposed[toward_corner(square)])
                        found[square, 0, ours, its, age] = cell.shoot(share, exposed[square])
    return found


def best_share(square):
    """How often the best shot from a square hits an opponent that may be anywhere."""
    return max(sum(OFTEN[other] for other in reached(square, line)) for line in range(LINES))


class Cell:
    """A place in the race, `later` the age after the next pair of actions."""

    def __init__(self, found, square, ours, its, later):
        self.found, self.square, self.ours, self.its, self.later = found, square, ours, its, later
        self.home = toward_corner(square)

    def shoot(self, share, exposed):
        """The chance to lose when we shoot now."""
        missed = self._answered(self.square, 1, self.its, exposed)
        if self.its == LIVES - 1:
            return (1 - share) * missed
        return (1 - share) * missed + share * self._answered(self.square, 1, self.its + 1, exposed)

    def walk(self, exposed):
        """The chance to lose when we walk on, or stay."""
        return self._answered(self.home, 0, self.its, exposed)

    def ring(self, share, exposed):
        """Both of them, in a corner and long after a hit, where one leads to the other and back."""
        empty, ready = ((self.square, shot, self.ours, self.its, AGES - 1) for shot in (1, 0))
        self.found[empty] = self.found[ready] = 0.0
        once = self.shoot(share, exposed)  # from the ready gun, if the empty one were worth nothing
        back = self.walk(exposed)
        on = (1 - share) * (1 - exposed)
        self.found[ready] = (once + on * back) / (1 - on * (1 - exposed))
        self.found[empty] = back + (1 - exposed) * self.found[ready]

    def _answered(self, square, shot, its, exposed):
        """The chance to lose before the opponent answers."""
        hit = 1.0 if self.ours == LIVES - 1 else self.found[square, shot, self.ours + 1, its, 0]
        return exposed * hit + (1 - exposed) * self.found[square, shot, self.ours, its, self.later]


@flat
def at_race(square, shot, ours, its):
    """The place in the tables below: our square, whether we have just shot, hits on us, hits on it."""
    return ((square * 2 + shot) * LIVES + ours) * LIVES + its


def table(found, age):
    """The chances of one age, as integers."""
    order = [(square, shot) for square in range(SQUARES) for shot in (0, 1)]
    keys = [(*front, ours, its, age) for front in order for ours in range(LIVES) for its in range(LIVES)]
    return tuple(round(found[key] * UNIT) for key in keys)


_found = race()
AFRESH = table(_found, AGES - 1)  # nothing is known of where it is
FROM_HERE = table(_found, 0)  # it has just hit us
