"""aBOTcalypse, a turn: all rests, all moves, all drops, all throws, collisions, meteors, and who is left.

Source: the challenge's text, and for the setup `rules=classic` what its controller did. The two rule sets differ in
what an action does (`post.py`, `classic.py`); the order of things is one. Turns count from 1 for whoever is told.

Actions
    0              rest
    1 + d          move in direction d
    5 + d          drop in direction d
    9 + 102 d + k  throw in direction d; the distance is k - 1 (-1 stands for all below 0), 100 for none given
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dohyo.core.flat import emit, flat, uniform
from dohyo.games.abotcalypse.board import (  # noqa: F401 - some are what every game's rules have
    ALIVE,
    BOT_BITS,
    BY_METEOR,
    BY_THROW,
    CLASSIC,
    DOWN,
    EVENTS_A_TURN,
    GONE,
    LAYOUT,
    LEFT,
    MAX_BOTS,
    MAX_METEORS,
    METEOR_BITS,
    RIGHT,
    SHOT,
    TOP,
    UP,
    WIDTH,
    X_STEP,
    sort_by_elevation,
)
from dohyo.games.abotcalypse.classic import clear_the_dead
from dohyo.games.abotcalypse.classic import collide as classic_collide
from dohyo.games.abotcalypse.classic import drop as classic_drop
from dohyo.games.abotcalypse.classic import hit as classic_hit
from dohyo.games.abotcalypse.classic import move as classic_move
from dohyo.games.abotcalypse.directions import ACROSS, ANGLE_BITS, FIRST, UPWARD
from dohyo.games.abotcalypse.post import collide as post_collide
from dohyo.games.abotcalypse.post import drop as post_drop
from dohyo.games.abotcalypse.post import hit as post_hit
from dohyo.games.abotcalypse.post import move as post_move

REST, MOVE, DROP, THROW = 0, 1, 5, 9
DISTANCES = 102
FAR = 100  # the distance of a throw that names none; as good as any that is not below the elevation
ACTIONS = THROW + 4 * DISTANCES
CONCESSIONS: Sequence[int] = tuple(range(ACTIONS))  # whatever can be read can be done; after a fault a bot rests

DICE = MAX_BOTS + 2  # the first roll: a column for each bot; every roll: a meteor's angle and column

SURVIVED, ALL_DEAD, CRASHED = 1, 2, 3
REASONS: Mapping[int, str] = {
    SURVIVED: "abotcalypse.turn-limit",
    ALL_DEAD: "abotcalypse.all-dead",
    CRASHED: "abotcalypse.crashed",
}


# --- the dice ------------------------------------------------------------------------------------------------------


@flat
def needs_dice(s: Any) -> bool:
    """Whether the dice move next: for the start, and before every turn for the meteor that enters in it."""
    return s.rolled == 0 and not over(s)


@flat
def roll(s: Any, source: Any, dice: Any) -> int:
    """Draw distinct columns for all bots if the game begins, then a meteor's angle and column; how many numbers."""
    count = 0
    if s.dealt == 0:
        while count < s.bots:
            dice[count] = uniform(source, WIDTH)
            if is_new(dice, count):
                count += 1
    dice[count] = uniform(source, 180) - 180
    dice[count + 1] = uniform(source, WIDTH)
    return count + 2


@flat
def is_new(dice: Any, at: int) -> bool:
    """Whether the number at `at` is none of those before it."""
    for i in range(at):
        if dice[i] == dice[at]:
            return False
    return True


@flat
def deal(s: Any, dice: Any, events: Any) -> None:
    """Put the bots on the floor if the game begins, and keep the next meteor in mind."""
    at = 0
    if s.dealt == 0:
        for b in range(s.bots):
            s.x[b] = dice[b]
            s.status[b] = ALIVE
        at = s.bots
        s.dealt = 1
    s.next_angle = dice[at]
    s.next_x = dice[at + 1]
    s.rolled = 1


# --- a turn --------------------------------------------------------------------------------------------------------


@flat
def acts(s: Any, seat: int) -> bool:
    """Whether this seat decides: every living bot does."""
    return s.status[seat] == ALIVE  # type: ignore[no-any-return]


@flat
def legal(s: Any, seat: int, out: Any) -> int:
    """Fill `out` with the actions worth naming: throws up and down have no distance, sideways 0 .. 99 or none."""
    return actions_within(out, FAR + 1)


@flat
def count_legal(s: Any, seat: int, notes: Any) -> int:
    """How many `legal` lists."""
    return THROW + 2 + 2 * (FAR + 1)


@flat
def kth_legal(s: Any, seat: int, k: int, notes: Any) -> int:
    """The action at place k of them: throws sideways are listed right, left, by distance."""
    if k < THROW:
        return k
    throw = k - THROW
    if throw < 2:
        return THROW + (UP if throw == 0 else DOWN) * DISTANCES + FAR + 1
    return THROW + (RIGHT if throw & 1 == 0 else LEFT) * DISTANCES + throw // 2


@flat
def actions_within(out: Any, reach: int) -> int:
    """Fill `out` with all actions, but throws sideways of less than `reach` columns alone."""
    for action in range(THROW):
        out[action] = action
    out[THROW] = THROW + UP * DISTANCES + FAR + 1
    out[THROW + 1] = THROW + DOWN * DISTANCES + FAR + 1
    count = THROW + 2
    for distance in range(reach):
        out[count] = THROW + RIGHT * DISTANCES + distance + 1
        out[count + 1] = THROW + LEFT * DISTANCES + distance + 1
        count += 2
    return count


@flat
def is_legal(s: Any, seat: int, action: int) -> bool:
    """Whether the action is worth naming."""
    if action < THROW or action >= ACTIONS:
        return 0 <= action < THROW
    direction = (action - THROW) // DISTANCES
    distance = (action - THROW) % DISTANCES - 1
    return distance == FAR or (distance >= 0 and X_STEP[direction] != 0)


@flat
def step(s: Any, actions: Any, events: Any) -> None:
    """Play one turn; `actions` holds one action a bot, read for the living."""
    sort_by_elevation(s)
    act_all(s, actions, MOVE, DROP, events)
    act_all(s, actions, DROP, THROW, events)
    act_all(s, actions, THROW, ACTIONS, events)
    collide(s, events)
    fly_meteors(s, events)
    s.turn += 1
    s.rolled = 0
    count_out(s)


@flat
def act_all(s: Any, actions: Any, first: int, end: int, events: Any) -> None:
    """All actions from `first` to below `end`, the lowest bot first."""
    for i in range(s.bots):
        b = s.order[i] & BOT_BITS
        if s.status[b] == ALIVE and first <= actions[b] < end:
            act(s, b, actions[b], events)


@flat
def act(s: Any, b: int, action: int, events: Any) -> None:
    """A bot's move, drop or throw."""
    if action >= THROW:
        throw(s, b, (action - THROW) // DISTANCES, (action - THROW) % DISTANCES - 1, events)
    elif action >= DROP:
        if s.rules == CLASSIC:
            classic_drop(s, b, action - DROP, events)
        else:
            post_drop(s, b, action - DROP, events)
    elif s.rules == CLASSIC:
        classic_move(s, b, action - MOVE)
    else:
        post_move(s, b, action - MOVE, events)


@flat
def throw(s: Any, b: int, direction: int, distance: int, events: Any) -> None:
    """One throw; in the classic rules a distance of 0 means down, whatever the direction."""
    emit(events, SHOT, b, direction, distance)
    if s.rules == CLASSIC and distance == 0:
        direction = DOWN
    if direction == DOWN:
        hit(s, s.x[b], s.y[b] - 1, BY_THROW, events)
    elif direction != UP:
        fly(s, b, X_STEP[direction], distance, events)
    elif s.y[b] < TOP and not hit(s, s.x[b], s.y[b] + 1, BY_THROW, events):
        hit(s, s.x[b], s.y[b], BY_THROW, events)


@flat
def fly(s: Any, b: int, x_step: int, distance: int, events: Any) -> None:
    """A rock flies sideways and down in a straight line until it hits, or leaves the board.

    Only the squares at each whole x are looked at; the height there is cut to an integer at each step.
    """
    elevation = s.y[b]
    if distance >= elevation:
        distance = elevation - 1 if elevation > 0 else 0
    slope = 1.0
    if distance > 0:
        slope = elevation / distance
    x = s.x[b] + x_step
    y = elevation
    while not hit(s, x, y, BY_THROW, events):
        x += x_step
        y = int(y - slope)


@flat
def hit(s: Any, x: int, y: int, cause: int, events: Any) -> bool:
    """A shot or a meteor is in a square; whether it ends there."""
    if s.rules == CLASSIC:
        return classic_hit(s, x, y, cause, events)
    return post_hit(s, x, y, cause, events)


@flat
def collide(s: Any, events: Any) -> None:
    """Bots that ended in one square die."""
    if s.rules == CLASSIC:
        classic_collide(s, events)
    else:
        post_collide(s, events)


@flat
def fly_meteors(s: Any, events: Any) -> None:
    """Every meteor steps, a new one enters at the top without stepping; each then hits, the oldest first.

    Each flies straight until it hits or leaves the board.
    """
    left = 0
    for m in range(s.meteors):
        angle = s.meteor_angle[m] - FIRST & ANGLE_BITS
        s.meteor_x[m] += ACROSS[angle]
        s.meteor_y[m] += UPWARD[angle]
    if s.meteors < MAX_METEORS:
        s.meteor_x[s.meteors] = float(s.next_x)
        s.meteor_y[s.meteors] = float(TOP)
        s.meteor_angle[s.meteors] = s.next_angle
        s.meteors += 1
    for m in range(s.meteors):
        if not hit(s, int(s.meteor_x[m]), int(s.meteor_y[m]), BY_METEOR, events):
            s.meteor_x[left] = s.meteor_x[m]
            s.meteor_y[left] = s.meteor_y[m]
            s.meteor_angle[left] = s.meteor_angle[m]
            left = left + 1 & METEOR_BITS
    for m in range(left, s.meteors):
        s.meteor_x[m] = 0.0
        s.meteor_y[m] = 0.0
        s.meteor_angle[m] = 0
    s.meteors = left


@flat
def count_out(s: Any) -> None:
    """Those who died in this turn score its number; in the classic rules a bot below the floor ends the game.

    It does so when the next turn's views are drawn, and after the last turn none are.
    """
    if s.rules == CLASSIC:
        clear_the_dead(s)
    for b in range(s.bots):
        if s.status[b] == GONE and s.score[b] == 0:
            s.score[b] = s.turn
        if s.status[b] == ALIVE and s.y[b] < 0 and s.turn < last_turn(s):
            s.crashed = 1


# --- the end -------------------------------------------------------------------------------------------------------


@flat
def nobody_lives(s: Any) -> bool:
    """Whether all bots are dead."""
    for b in range(s.bots):
        if s.status[b] == ALIVE:
            return False
    return True


@flat
def last_turn(s: Any) -> int:
    """Turns that are played: the controller stopped one short of its limit."""
    return s.limit - 1 if s.rules == CLASSIC else s.limit  # type: ignore[no-any-return]


@flat
def over(s: Any) -> bool:
    """Whether nobody lives, the turns are played, or the classic rules have come to the point where they crash."""
    if s.dealt == 0:
        return False
    return s.turn >= last_turn(s) or s.crashed == 1 or nobody_lives(s)


@flat
def score(s: Any, b: int) -> int:
    """A bot's score: the turn it died in, or for survivors the limit (the turn, after a crash)."""
    if s.status[b] == ALIVE:
        return s.turn if s.crashed == 1 else s.limit  # type: ignore[no-any-return]
    return s.score[b]  # type: ignore[no-any-return]


@flat
def scores(s: Any, out: Any) -> None:
    """Fill `out` with every bot's score."""
    for b in range(s.bots):
        out[b] = score(s, b)


@flat
def places(s: Any, out: Any) -> int:
    """Fill `out` with each bot's place by score, equal ones shared; why the game ended."""
    for b in range(s.bots):
        ahead = 0
        for other in range(s.bots):
            if score(s, other) > score(s, b):
                ahead += 1
        out[b] = 1 + ahead
    if s.crashed == 1:
        return CRASHED
    return ALL_DEAD if nobody_lives(s) else SURVIVED


@flat
def winner(s: Any) -> int:
    """The bot that scored more than all others; nobody when the best is shared."""
    best = 0
    for b in range(s.bots):
        if score(s, b) > score(s, best):
            best = b
    for b in range(s.bots):
        if b != best and score(s, b) == score(s, best):
            return -1
    return best
