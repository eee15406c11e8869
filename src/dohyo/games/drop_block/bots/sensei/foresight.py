"""How the sensei looks ahead: plans of its own letters, each played out against careful players."""

from __future__ import annotations

from typing import Any, NamedTuple

from careful import Room, careful, copy, danger, survival

from dohyo.core.flat import flat
from dohyo.games.drop_block.rules import ACTIONS, ATTACK, NOTHING, SEATS, over, standing, step

LENGTH = 12  # letters of a plan
RISK = 0.3
CAREFUL = -1  # a letter that is left to the careful player
HORIZON = 48  # turns that are played out

ALIVE = (0.0, 1.0, 0.55, 0.35, 0.25)  # what it is worth to stand, by how many do


class Mind(NamedTuple):
    """What the sensei thinks with."""

    room: Room
    now: Any  # a state to play plans on
    actions: Any  # SEATS numbers
    plan: Any  # LENGTH letters: the best plan so far
    trial: Any  # LENGTH letters: the one that is tried
    chance: Any  # one number: the state of the lots
    value: Any  # one number: what the best plan is worth


@flat
def draw(mind: Mind, n: int) -> int:
    """A number from 0 to n - 1; a linear congruence is random enough here."""
    mind.chance[0] = (mind.chance[0] * 1103515245 + 12345) & 0x7FFFFFFF
    return (mind.chance[0] >> 8) % n


@flat
def play_out(s: Any, me: int, plan: Any, horizon: int, mind: Mind) -> float:
    """What a plan comes to, against careful players."""
    now = mind.now
    copy(now, s)
    mine = 0
    risk = 0.0
    early = 0
    while not over(now) and now.row[me] >= 0 and now.turn < s.turn + horizon:
        p = now.turn % SEATS
        if p == me and mine < LENGTH and plan[mine] != CAREFUL:
            mind.actions[p] = plan[mine]
        else:
            mind.actions[p] = careful(now, p, mind.room)
        mine += p == me
        step(now, mind.actions, None)
        early += standing(now) - 1
        if mine == 1 and p == me:
            for enemy in range(SEATS):
                if enemy != me and now.row[enemy] >= 0 and now.row[me] >= 0:
                    risk += danger(now, me, enemy, mind.room)
    worth = outlook(now, me, now.turn - s.turn, mind) - 0.001 * early
    if now.row[me] >= 0 and standing(now) == 1:
        return worth
    return worth - RISK * risk



@flat
def outlook(s: Any, me: int, turns: int, mind: Mind) -> float:
    """How well it stands for me, after so many turns of looking ahead."""
    alive = standing(s)
    if s.row[me] < 0:
        return -0.5 + 0.001 * turns + 0.02 * (SEATS - alive)
    if alive == 1:
        return 1.0
    worth = ALIVE[alive] * survival(s, me, True, mind.room)
    for enemy in range(SEATS):
        if enemy != me and s.row[enemy] >= 0:
            worth -= 0.5 * danger(s, me, enemy, mind.room)
            worth += 0.08 * (1 - survival(s, enemy, True, mind.room))
            worth += 0.02 * (1 - survival(s, enemy, False, mind.room))
    return worth


@flat
def unrest(s: Any) -> float:
    """How much a plan may be worse than another and be played all the same: where nothing has happened for long."""
    since = 0
    for p in range(SEATS):
        if s.row[p] < 0:
            since = max(since, s.fallen_at[p])
    return min(0.1, 0.001 * max(0, s.turn - since - 60))


@flat
def consider(s: Any, me: int, mind: Mind, horizon: int) -> None:
    """Play the trial out, and keep it if it is the best so far."""
    value = play_out(s, me, mind.trial, horizon, mind)
    value += unrest(s) * draw(mind, 1000) / 1000
    if value > mind.value[0]:
        mind.value[0] = value
        for k in range(LENGTH):
            mind.plan[k] = mind.trial[k]


@flat
def think(s: Any, me: int, mind: Mind, trials: int, horizon: int) -> int:
    """The best letter found after so many plans."""
    if s.row[me] < 0:
        return NOTHING
    mind.value[0] = -1e9
    for k in range(LENGTH):
        mind.trial[k] = mind.plan[k]
    consider(s, me, mind, horizon)
    for trial in range(trials):
        if trial < 1 + ACTIONS * ACTIONS:
            for k in range(LENGTH):
                mind.trial[k] = CAREFUL
            if trial > 0:
                mind.trial[0] = (trial - 1) // ACTIONS
                mind.trial[1] = (trial - 1) % ACTIONS
        else:
            for k in range(LENGTH):
                mind.trial[k] = mind.plan[k]
            for _ in range(1 + draw(mind, 3)):
                mind.trial[draw(mind, LENGTH)] = draw(mind, ACTIONS + 1) - 1
        consider(s, me, mind, horizon)
    answer = mind.plan[0] if mind.plan[0] != CAREFUL else careful(s, me, mind.room)
    for k in range(LENGTH - 1):
        mind.plan[k] = mind.plan[k + 1]
    mind.plan[LENGTH - 1] = CAREFUL
    return answer
