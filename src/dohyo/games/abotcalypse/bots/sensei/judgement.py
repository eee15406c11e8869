"""How sensei judges what it may do: the game's own rules, played on a few turns against enemies that do anything.

All of it is flat (`dohyo.core.flat`): it runs as it is, and compiled.
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import Layout, flat
from dohyo.games.abotcalypse.board import ALIVE, CLASSIC, DOWN, LEFT, MAX_BOTS, RIGHT, UP, WIDTH
from dohyo.games.abotcalypse.judge import build, height_at
from dohyo.games.abotcalypse.rules import DISTANCES, DROP, MOVE, REST, THROW, step, throw

BUILD, GO_LEFT, GO_RIGHT, STAY, HUNT = 0, 1, 2, 3, 4  # how a plan goes on after its first action
SCRIPTS = 5

# What the bot is after stands in a root in place of the meteor to come, which nobody knows: `next_x` is the column to
# go to, `next_angle` the height plus HIGHS times what to do there.
HIGHS = 128
NOWHERE = -1  # a column: hide
KILL = 0.12  # what an enemy's death is worth
HASTE = 0.012  # what a turn is that is saved on the way
SAFE_INSIDE = 2  # squares above the floor: up to there it may go down inside of its tower
HIGHEST = 19  # squares above the floor: from higher up that is out of sight, and the bot may lose count
AT_REST, ON_THE_WAY = 0.06, 0.02  # what is dangerous where no enemy is near

LATE = 0.6  # what a death at the very end of a plan is worth: until then we can think again
AIMS = 500  # times in a thousand, from above
AIMS_LOW = 150
# On who stands beside it, or where it may step to from two squares away; most begin their walls on the left.
DROPS_LEFT, DROPS_RIGHT = 650, 400
NEAR_LEFT, NEAR_RIGHT = 450, 250
DROPS_UP = 600  # on who is above it in its column
DESCENDS = 350
APPROACHES = 250
RESTS = 300
RESTS_ON = 850

MAX_THROWS = 8
MAX_PLANS = 11 * SCRIPTS + MAX_THROWS

PLAYED, TRIED, STATES = (
    0,
    1,
    2,
)  # of the working states: the one that is played on, one to try throws in

put: Any = None  # supplied by the search's rooms: put(states, to, others, at) makes states[to] a copy of others[at]

# What a judgement works on: what every bot does, the plans, and what they have come to.
MIND = Layout(
    "Mind",
    ("action", "i8", MAX_BOTS),
    ("plan", "i8", MAX_PLANS),  # first + 1000 * script
    ("value", "f8", MAX_PLANS),
)


@flat
def chance(luck, turn, bot, most):
    """A number below `most` that follows from the three others alone: all plans meet the same enemies."""
    word = (luck * 40503 + turn * 2057 + bot * 30011 + 12345) & 0x7FFFFFFF
    word = (word ^ (word >> 13)) * 1103515 & 0x7FFFFFFF
    word = (word ^ (word >> 11)) * 48271 & 0x7FFFFFFF
    word = (word ^ (word >> 15)) & 0x7FFFFFFF
    return word % most


@flat
def aimed(s, states, b, seat):
    """The throw with which a bot would kill the one on `seat`, if nothing moved; below 0 when there is none."""
    away = s.x[seat] - s.x[b]
    if away > s.y[b] + 1 or -away > s.y[b] + 1 or away == 0:
        return -1
    direction = RIGHT if away > 0 else LEFT
    for distance in range(s.y[b] if s.y[b] > 0 else 1):
        put(states, TRIED, states, PLAYED)
        spare = states[TRIED]
        throw(spare, b, direction, distance, None)
        if spare.status[seat] != ALIVE:
            return THROW + direction * DISTANCES + distance + 1
    return -1


@flat
def drops_at(s, b, seat, away):
    """How often an enemy drops a rock at the bot on `seat`, which is so many columns, -2 to 2, to the right of it."""
    if away == 0:
        return DROPS_UP if s.y[b] + 1 == s.y[seat] else 0
    if away > 0:
        return DROPS_RIGHT if away == 1 else NEAR_RIGHT
    return DROPS_LEFT if away == -1 else NEAR_LEFT


@flat
def enemy_action(s, states, b, seat, calm, luck, turn):
    """What an enemy does, by chance: who can hit us from above likes to; who stands still likes to go on so."""
    roll = chance(luck, turn, b, 1000)
    if roll < AIMS if s.y[b] > 0 else roll < AIMS_LOW:
        shot = aimed(s, states, b, seat)
        if shot >= 0:
            return shot
    away = s.x[seat] - s.x[b]
    if -2 <= away <= 2 and chance(luck, turn, b + 400, 1000) < drops_at(s, b, seat, away):
        return DROP + (UP if away == 0 else RIGHT if away > 0 else LEFT)
    if calm < 4 and -4 <= away <= 4 and away != 0 and chance(luck, turn, b + 600, 1000) < APPROACHES:
        return MOVE + (RIGHT if away > 0 else LEFT)
    if 0 < s.y[b] < s.height[s.x[b]] and chance(luck, turn, b + 500, 1000) < DESCENDS:
        return MOVE + DOWN
    if roll < RESTS or (calm >= 4 and roll < RESTS_ON):
        return REST
    kind = chance(luck, turn, b + 100, 100)
    if kind < 30:
        way = chance(luck, turn, b + 200, 8)
        if way == 0:
            return MOVE + UP
        if way == 1:
            return MOVE + DOWN
        return MOVE + LEFT if way < 5 else MOVE + RIGHT
    if kind < 65:
        way = chance(luck, turn, b + 200, 8)
        if way == 0:
            return DROP + UP
        if way < 3:
            return DROP + DOWN
        return DROP + LEFT if way < 6 else DROP + RIGHT
    distance = chance(luck, turn, b + 300, s.y[b] + 1 if s.y[b] > 0 else 1)
    way = chance(luck, turn, b + 200, 8)
    if way == 0:
        return THROW + DOWN * DISTANCES + distance + 1
    return THROW + (LEFT if way & 1 else RIGHT) * DISTANCES + distance + 1


@flat
def script_action(s, seat, script, to, high, shot):
    """What a plan does next."""
    if script == BUILD:
        return build(s, seat)
    if script == GO_LEFT:
        return go(s, seat, LEFT, s.x[seat] - 1)
    if script == GO_RIGHT:
        return go(s, seat, RIGHT, s.x[seat] + 1)
    if script == HUNT:
        return hunt(s, seat, to, high, shot)
    return MOVE + DOWN if s.y[seat] > 0 and s.rules != CLASSIC else REST


@flat
def go(s, seat, direction, x):
    """A step to the side, where it is no deep fall."""
    if x < 0 or x >= WIDTH or (s.y[seat] > s.height[x] + 1 and s.rules != CLASSIC):
        return REST
    return MOVE + direction


@flat
def hunt(s, seat, to, high, shot):
    """To a column, there up on rocks to a height, and then a throw; without one into a shelter."""
    if to == NOWHERE:
        return build(s, seat)
    x = s.x[seat]
    at = s.y[seat]
    if s.rules == CLASSIC and at < high:
        return MOVE + UP
    if x != to:
        beside = x + 1 if to > x else x - 1
        if s.rules != CLASSIC and at > s.height[beside] + 1:
            return down(s, seat)
        return MOVE + (RIGHT if to > x else LEFT)
    if at < high:
        return MOVE + UP if at < s.height[x] else DROP + DOWN
    return down(s, seat) if at > high else shot


@flat
def down(s, seat):
    """One square down. By a throw it stays on top of its tower: inside, each hit below would kill it."""
    at = s.y[seat]
    if s.rules != CLASSIC and at > SAFE_INSIDE and at >= s.height[s.x[seat]] - 1:
        return THROW + DOWN * DISTANCES + 1
    return MOVE + DOWN


@flat
def turns_to(s, seat, to, high):
    """About how many turns are left until the bot is there."""
    if to == NOWHERE:
        return 0
    at = s.y[seat]
    way = to - s.x[seat] if to > s.x[seat] else s.x[seat] - to
    rise = high - at
    if s.rules == CLASSIC:
        return way + (rise if rise > 0 else -rise)
    there = s.height[to]
    if way > 0:
        most = 2 * high - there
        return way + at + (most if most > high else high)
    build_up = 2 * (high - there)
    return -rise if rise < 0 else rise if rise > build_up else build_up


@flat
def worth(s, seat, danger):
    """How likely the bot lives on from here, roughly: from what is dangerous at any rate, and enemies near."""
    x = s.x[seat]
    at = s.y[seat]
    roof = s.height[x] - at
    open_part = 1.0
    if roof > 0:
        open_part = 0.75 if roof == 1 else 0.62 if roof == 2 else 0.55 - 0.02 * (roof if roof < 6 else 6)
    for side in range(2):
        wall = height_at(s, x - 1 + 2 * side) - at
        open_part -= 0.05 * (wall if wall < 4 else 4) if wall > 0 else 0.0
    open_part += 0.02 * (at if at < 8 else 8)
    for b in range(s.bots):
        if b != seat and s.status[b] == ALIVE:
            away = s.x[b] - x if s.x[b] > x else x - s.x[b]
            above = s.y[b] - at
            if above < -2:
                danger += 0.1 if away <= 2 else 0.02  # it can take rocks from below, no more
            elif away <= 2:
                danger += 0.4
            elif away <= above + 1:
                danger += 0.25  # its rocks fall by a square a column at least
            else:
                danger += 0.08 / (away - (above if above > 0 else 0))
    if danger > 1.0:
        danger = 1.0
    too_high = at - HIGHEST if at > HIGHEST else 0
    return 1.0 - 0.6 * danger * open_part - 0.05 * too_high


@flat
def play_on(roots, at, states, mind, seat, first, script, depth, luck):
    """Play one plan in one world; what it comes to."""
    put(states, PLAYED, roots, at)
    s = states[PLAYED]
    s.turn = 0
    to = s.next_x
    high = s.next_angle % HIGHS
    shot = s.next_angle // HIGHS
    late = 0.0
    at_first = turns_to(s, seat, to, high)
    for turn in range(depth):
        for b in range(s.bots):
            if b != seat and s.status[b] == ALIVE:
                mind.action[b] = enemy_action(s, states, b, seat, s.cause[b], luck, turn)
        mind.action[seat] = first if turn == 0 else script_action(s, seat, script, to, high, shot)
        s.next_angle = -90
        s.next_x = 0
        step(s, mind.action, None)
        if s.status[seat] != ALIVE:
            return LATE * turn / depth
        if killed(s, seat) == 0:
            late += turns_to(s, seat, to, high) + 1.0 - at_first
    return worth(s, seat, AT_REST if to == NOWHERE else ON_THE_WAY) + KILL * killed(s, seat) - HASTE * late / depth


@flat
def killed(s, seat):
    """How many enemies have died."""
    count = 0
    for b in range(s.bots):
        if b != seat and s.status[b] != ALIVE:
            count += 1
    return count


@flat
def judge(roots, states, mind, seat, depth, start, count, luck, plans):
    """Add to the values of the first `plans` plans what each comes to in the worlds `start` to `start + count`.

    A world is one of the roots, and what enemies do in it. `states` and the actions are written over.
    """
    for world in range(start, start + count):
        at = world % len(roots)
        for p in range(plans):
            first, script = mind.plan[p] % 1000, mind.plan[p] // 1000
            mind.value[p] += play_on(roots, at, states, mind, seat, first, script, depth, luck + world)
