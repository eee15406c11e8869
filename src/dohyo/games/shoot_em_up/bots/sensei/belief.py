"""Where the unseen opponent may be, how often it was hit, and whether its gun is ready: a Bayes filter.

Theory of operation
-------------------
We know two opponents: the text's random one, and one that shoots whenever it can (`shooter.py`). `doubt` is how
likely it is the second; each thing that we see changes that by Bayes' rule. If it is the random one, all that we know
is a probability for each of 600 states: 100 squares, 0 to 2 hits, a gun that is ready or empty. Our own square, gun
and hits we know.

    our shot        whoever stands on its line has one more hit; who has a third one is dead, and we would have won:
                    that we have not, we learn as well
    its action      any of those that leave it on the board, equally likely
    N or H          what did not happen is struck out. Of a hit we learn the line, that the gun was ready and is empty

The same functions are the rules of a game for one player, who moves through beliefs (`step` and what stands below
it): `dohyo.search` can look ahead in it. There, every hit that we may take ends in a guess of what it costs, and the
search goes on with the other case; so nothing is left to chance, and no rare event is missed.

All is written in the common language of rules, with tables that the rules made: it runs plain and compiled.
"""

import shooter
from arena_tables import AFTER, LENGTH, LINE, LINES, LONGEST, NONE, SQUARES, STEPS, STEPS_FROM, WAYS, reached
from race import AFRESH, FROM_HERE, UNIT, at_race
from shooter import CASES, UNEXPECTED, loses, spare, suffer

from dohyo.core.flat import Layout, flat
from dohyo.games.shoot_em_up.rules import ACTIONS, LIVES, MOVES, WIDTH

DOUBT, MIN_DOUBT = 0.004, 1e-7  # that it is a shooter: at the start, and whatever we saw
STATES = LIVES * SQUARES
SHOTS = LINES  # of the opponent's actions: it may shoot anywhere

LAYOUT = Layout(
    "ShootEmUpBelief",
    # How likely the opponent is on a square, at hits * SQUARES + square. Their sum is the chance of all that the
    # search has assumed on the way here; 1 in what we know.
    ("ready", "f8", STATES),  # with its gun ready
    ("empty", "f8", STATES),
    ("was_ready", "f8", STATES),  # before its last action; room to work in otherwise
    ("lost", "f8", 0),  # in a search: the chance to have lost by now, with what hits on the way will cost
    # The other opponent: how likely it is that one at all, and its cases (see `shooter`).
    ("doubt", "f8", 0),
    ("lost_to_it", "f8", 0),  # as `lost`, if it is that one
    ("mass", "f8", CASES),  # how likely a case is; in a search, as far as it goes on
    ("cases", "i4", 0),
    ("square", "i1", CASES),
    ("wounds", "i1", CASES),
    ("gun", "i1", CASES),  # 1: ready
    ("aim", "i1", CASES),  # the line that it was last hit from
    ("habit", "i1", CASES),
    ("place", "i1", 0),  # our square
    ("shot", "i1", 0),  # 1: our last action was a shot, so the next one has no power
    ("hits", "i1", 0),  # on us
    ("over", "i1", 0),
)


def begin(place):
    """What is known at the start: our square."""
    s = LAYOUT.new()
    s.place = place
    for square in range(SQUARES):
        s.ready[square] = 1 / SQUARES
    s.doubt = DOUBT
    shooter.expect(s, range(SQUARES), (0, 1), (1, 0, 0))
    return s


# --- what happens --------------------------------------------------------------------------------------------------


@flat
def act(s, action):
    """Our own action. A shot with power raises the hits of who stands there; who is dead goes."""
    if action < MOVES:
        s.place = AFTER[s.place * ACTIONS + action]
        s.shot = 0
        return
    if s.shot == 0:
        suffer(s, action - MOVES)
        line = s.place * LINES + action - MOVES
        for i in range(LENGTH[line]):
            square = LINE[line * LONGEST + i]
            for hits in range(LIVES - 1, 0, -1):
                s.ready[hits * SQUARES + square] = s.ready[(hits - 1) * SQUARES + square]
                s.empty[hits * SQUARES + square] = s.empty[(hits - 1) * SQUARES + square]
            s.ready[square] = 0.0
            s.empty[square] = 0.0
    s.shot = 1


@flat
def answer(s):
    """The opponent's action, whatever it may be."""
    for i in range(STATES):
        s.was_ready[i] = s.ready[i]
        s.empty[i] = (s.ready[i] + s.empty[i]) / WAYS[i % SQUARES]  # by each of its actions
        s.ready[i] = 0.0
    for hits in range(LIVES):
        for square in range(SQUARES):
            at = hits * SQUARES + square
            for i in range(STEPS_FROM[square]):
                s.ready[hits * SQUARES + STEPS[square * MOVES + i]] += s.empty[at]
            s.empty[at] *= SHOTS


@flat
def strike_out(s, line):
    """After its action: it was no hit along this line of ours."""
    for i in range(LENGTH[s.place * LINES + line]):
        square = LINE[(s.place * LINES + line) * LONGEST + i]
        for hits in range(LIVES):
            at = hits * SQUARES + square
            s.empty[at] = max(0.0, s.empty[at] - s.was_ready[at] / WAYS[square])


@flat
def keep_only(s, line):
    """After its action: it was a hit along this line of ours."""
    for i in range(STATES):
        s.ready[i] = 0.0
        s.empty[i] = 0.0
    for i in range(LENGTH[s.place * LINES + line]):
        square = LINE[(s.place * LINES + line) * LONGEST + i]
        for hits in range(LIVES):
            at = hits * SQUARES + square
            s.empty[at] = s.was_ready[at] / WAYS[square]
    s.hits += 1


@flat
def weight(s, hits):
    """How likely the opponent has so many hits."""
    found = 0.0
    for at in range(hits * SQUARES, (hits + 1) * SQUARES):
        found += s.ready[at] + s.empty[at]
    return found


# --- what we learn -------------------------------------------------------------------------------------------------


def learn(s, action, line):
    """Take in a pair of actions: ours, and what we were told of the opponent's, the line of a hit or `NONE`.

    If that could not have happened, the opponent is another than we believe (or had the first move): then it may be
    anywhere, or anywhere on that line.
    """
    act(s, action)
    before = [weight(s, hits) for hits in range(LIVES)]
    answer(s)
    as_shooter = shooter.hear(s, line)
    if line == NONE:
        for other in range(LINES):
            strike_out(s, other)
    else:
        keep_only(s, line)
    at_random = sum(weight(s, hits) for hits in range(LIVES))
    if at_random <= 0.0:
        anywhere(s, line, before)
    if as_shooter <= 0.0:
        where = reached(s.place, line) or range(SQUARES)
        shooter.expect(s, where, (0,) if line != NONE else (0, 1), before)
    other = s.doubt * max(as_shooter, UNEXPECTED)
    s.doubt = other / (other + (1 - s.doubt) * max(at_random, UNEXPECTED))
    s.doubt = min(max(s.doubt, MIN_DOUBT), 1 - MIN_DOUBT)
    total = sum(weight(s, hits) for hits in range(LIVES))
    for at in range(STATES):
        s.ready[at] /= total
        s.empty[at] /= total


def anywhere(s, line, before):
    """Forget where the opponent is, but not how often it was hit."""
    for hits in range(LIVES):
        for square in reached(s.place, line) or range(SQUARES):
            s.empty[hits * SQUARES + square] = before[hits] + 1e-6


# --- the rules of the game of beliefs, for a search ----------------------------------------------------------------

REASONS = {}


@flat
def acts(s, seat):
    """The one player always does."""
    return True


@flat
def is_legal(s, seat, action):
    """Whether an action may be sensible: a move on the board, a shot that has power and crosses a square."""
    if action < MOVES:
        return AFTER[s.place * ACTIONS + action] != NONE
    return s.shot == 0 and LENGTH[s.place * LINES + action - MOVES] > 0


@flat
def legal(s, seat, out):
    """Fill `out` with the actions that may be sensible."""
    count = 0
    for action in range(ACTIONS):
        if is_legal(s, seat, action):
            out[count] = action
            count += 1
    return count


@flat
def step(s, actions, events):
    """A pair of actions after which we were not hit; what the hits cost that we might have taken is added up."""
    act(s, actions[0])
    answer(s)
    s.lost_to_it += spare(s)
    for line in range(LINES):
        for i in range(LENGTH[s.place * LINES + line]):
            square = LINE[(s.place * LINES + line) * LONGEST + i]
            for hits in range(LIVES):
                chance = s.was_ready[hits * SQUARES + square] / WAYS[square]
                if s.hits == LIVES - 1:
                    s.lost += chance
                else:
                    s.lost += chance * (FROM_HERE[at_race(s.place, s.shot, s.hits + 1, hits)] / UNIT)
        strike_out(s, line)


@flat
def value(s, seat):
    """How good a belief is: 1 less twice the chance to lose from there, as `race` guesses it."""
    lost = s.lost
    for hits in range(LIVES):
        lost += weight(s, hits) * (AFRESH[at_race(s.place, s.shot, s.hits, hits)] / UNIT)
    return 1.0 - 2.0 * ((1.0 - s.doubt) * lost + s.doubt * (s.lost_to_it + loses(s)))


@flat
def over(s):
    """Never: a beam has an end of its own."""
    return s.over == 1


@flat
def winner(s):
    """Nobody."""
    return -1


@flat
def places(s, out):
    """The one player's place."""
    out[0] = 1
    return 0


assert WIDTH * WIDTH == SQUARES
