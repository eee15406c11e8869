"""The other opponent that we believe in: a robot which shoots whenever its gun is ready, as a person would write it.

It walks to the nearest corner, or stays where it began; in every second action it shoots, back along the line from
which it was last hit, or else along any line, a long one more often. What it does next is known but for the line of a
shot. So a belief is a row of cases, each with a chance: where it is, its hits, its gun, where it was hit from. A case
becomes one case after each action, and no more of them are ever needed than at the start.

With the text's opponent and this one we are seldom wrong about a third kind: whoever hits us more often than chance
allows is taken for this one.
"""

from arena_tables import LENGTH, LINES, NONE, SQUARES, toward_corner

from dohyo.core.flat import flat
from dohyo.games.shoot_em_up.rules import LIVES, WIDTH

WALKS, STAYS = 0, 1  # its habits
HABITS = 2
CASES = HABITS * 2 * SQUARES
WALKERS = 0.75  # how many of them walk
BACK = 0.9  # how often it shoots back along the line that it was hit from
UNEXPECTED = 1e-4  # the chance of what neither opponent does
MILLION = 1_000_000

# How likely we lose to it, in millionths: by hits on us (3: lost), hits on it. From duels with such a robot.
LOSES = (
    *(240_000, 110_000, 40_000),
    *(420_000, 230_000, 90_000),
    *(700_000, 480_000, 230_000),
    *(MILLION, MILLION, MILLION),
)
FAR = 0.06  # how much more likely, for each step that we are from a line to it
AWAY = 0.015  # and from the robot


# The square after its step, at habit * SQUARES + square.
STEP = (*(toward_corner(square) for square in range(SQUARES)), *range(SQUARES))

# How often a shot goes along a line when it does not know where we are, in millionths, at square * LINES + line.
AIMS = tuple(
    LENGTH[square * LINES + line] ** 2 * MILLION // sum(LENGTH[square * LINES + other] ** 2 for other in range(LINES))
    for square in range(SQUARES)
    for line in range(LINES)
)


@flat
def line_between(square, other):
    """The line of a shot from one square that hits the other; `NONE` if there is none."""
    across = other % WIDTH - square % WIDTH
    down = other // WIDTH - square // WIDTH
    if (across == 0 and down == 0) or (across != 0 and down != 0 and across != down and across != -down):
        return NONE
    to_x = 1 if across > 0 else -1 if across < 0 else 0
    to_y = 1 if down > 0 else -1 if down < 0 else 0
    at = (to_x + 1) * 3 + to_y + 1
    return at - 1 if at > 4 else at


def expect(s, squares, guns, chance):
    """Believe that it is on any of these squares with any of these guns, and `chance` likely has so many hits."""
    s.cases = 0
    for habit in range(HABITS):
        share = WALKERS if habit == WALKS else 1 - WALKERS
        for square in squares:
            for gun in guns:
                at = s.cases
                s.mass[at] = share / (len(squares) * len(guns))
                s.square[at], s.gun[at], s.habit[at], s.aim[at] = square, gun, habit, NONE
                s.wounds[at] = max(range(LIVES), key=chance.__getitem__)
                s.cases += 1


@flat
def suffer(s, line):
    """Our shot with power along this line: who stands there has one more hit, and shoots back from now on."""
    for i in range(s.cases):
        if line_between(s.place, s.square[i]) == line:
            s.wounds[i] += 1
            s.aim[i] = LINES - 1 - line
            if s.wounds[i] == LIVES:
                s.mass[i] = 0.0


@flat
def chance_of_hit(s, i):
    """How likely the next shot of a case hits us."""
    line = line_between(s.square[i], s.place)
    if s.gun[i] == 0 or line == NONE:
        return 0.0
    blind = AIMS[s.square[i] * LINES + line] / MILLION
    if s.aim[i] == NONE or LENGTH[s.square[i] * LINES + s.aim[i]] == 0:
        return blind
    return (1 - BACK) * blind + (BACK if s.aim[i] == line else 0.0)


@flat
def go_on(s, i):
    """Its action in a case: a shot if the gun is ready, else a step."""
    if s.gun[i] == 1:
        s.gun[i] = 0
    else:
        s.gun[i] = 1
        s.square[i] = STEP[s.habit[i] * SQUARES + s.square[i]]


@flat
def spare(s):
    """Its action, which did not hit us; what a hit would have cost. Cases that are over are left out."""
    cost = 0.0
    count = 0
    for i in range(s.cases):
        if s.mass[i] > 0.0:
            hit = chance_of_hit(s, i) * s.mass[i]
            if hit > 0.0:
                cost += hit * (LOSES[(s.hits + 1) * LIVES + s.wounds[i]] / MILLION)
            s.mass[count] = s.mass[i] - hit
            s.square[count] = s.square[i]
            s.wounds[count] = s.wounds[i]
            s.gun[count] = s.gun[i]
            s.aim[count] = s.aim[i]
            s.habit[count] = s.habit[i]
            go_on(s, count)
            count += 1
    s.cases = count
    return cost


@flat
def loses(s):
    """How likely we lose in the cases that are left: more, the longer it takes until we can shoot at it."""
    lost = 0.0
    for i in range(s.cases):
        across = s.square[i] % WIDTH - s.place % WIDTH
        down = s.square[i] // WIDTH - s.place // WIDTH
        across = across if across >= 0 else -across
        down = down if down >= 0 else -down
        near, far = min(across, down), max(across, down)
        steps = min(near, (far - near + 1) // 2) + 0.5 * s.shot
        found = LOSES[s.hits * LIVES + s.wounds[i]] / MILLION * (1.0 + FAR * steps + AWAY * far)
        lost += s.mass[i] * found
    return lost


def hear(s, line):
    """Take in its action: a hit along this line of ours, or `NONE`. How likely that was, of all that it may do."""
    for i in range(s.cases):
        hit = chance_of_hit(s, i) if line == NONE or line_between(s.place, s.square[i]) == line else 0.0
        s.mass[i] *= 1 - hit if line == NONE else hit
        go_on(s, i)
    seen = sum(s.mass[: s.cases])
    if seen > 0.0:
        merge(s, seen)
    return seen


def merge(s, total):
    """Make one case of those that are alike; their chances sum up to 1."""
    found = {}
    for i in range(s.cases):
        if s.mass[i] > 1e-6 * total:
            habit = STAYS if STEP[s.square[i]] == s.square[i] else s.habit[i]  # it is where it walked to
            case = (s.square[i], s.wounds[i], s.gun[i], s.aim[i], habit)
            found[case] = found.get(case, 0.0) + s.mass[i]
    kept = sum(found.values())
    s.cases = len(found)
    for i, (case, mass) in enumerate(found.items()):
        s.square[i], s.wounds[i], s.gun[i], s.aim[i], s.habit[i] = case
        s.mass[i] = mass / kept
