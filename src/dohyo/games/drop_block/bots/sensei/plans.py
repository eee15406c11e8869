"""How the sensei looks ahead: plans of its own letters, each played out against what it expects of the others.

A plan is a few letters for its next turns; what it leaves open, and what comes after, the careful player answers.
The first trials go through what two letters can bring; later ones change the best plan here and there. The best plan
is kept for the next turn, where it is looked at first: so a long hunt is thought through over many turns.

Written flat (see `dohyo.core.flat`), as `careful` is.
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import Layout, flat, index
from dohyo.games.drop_block.careful import FIELDS, careful, danger
from dohyo.games.drop_block.rules import ACTIONS, BLOCKS, SEATS, over, standing, step
from dohyo.games.drop_block.survival import AIMLESS, SKILLED, survival
from dohyo.games.drop_block.trapping import FIELDS as TRAPPING
from dohyo.games.drop_block.trapping import trap
from dohyo.sim import below

LENGTH = 24  # letters of a plan
BOLD = 12  # of these, how many trials may change
OPEN = -1  # a letter that is left to the careful player
HORIZON = 48  # turns that are played out
AFTER = 12  # turns that are played out after the last letter of a plan, if that is longer
PAIRS = ACTIONS * (ACTIONS + 1)  # first letters with a second one, or an open one
CHANGES = 3  # letters of the best plan that a trial changes, at most
SAMPLES = 4  # times that a plan is played out where somebody is not to be relied upon

# What things are worth. A life is worth the more, the fewer stand.
ALIVE = (0.0, 1.0, 0.55, 0.35, 0.25)  # to stand, by how many do
FALLEN = -0.5  # to have fallen
OUTLIVED = 0.02  # somebody who fell earlier than I
LATER = 0.001  # to fall a turn later, or to drop somebody a turn earlier
RISK = 0.3  # to be caught after my next letter, by somebody reliable who is not expected to try
WILD_RISK = 1.2  # the same where somebody is not to be relied upon
LASTING_RISK = 0.5  # the same at the end of what was played out
DOOMED = 0.08  # an enemy that cannot get away any more
UNSURE = 0.02  # one that would not get away by a random walk

QUIET = 60  # turns without a fall before it gets restless
RESTLESS = 0.001  # how much more, every turn
MAX_RESTLESS = 0.1

CAREFUL, TRAPPER = 0, 1  # how somebody may play: as `careful` answers, or as `trap` does
MODELS = 2
TRUST = 4  # letters that everybody is taken to have answered as expected before the match


# What the sensei thinks with, from turn to turn: one record.
MIND = Layout(
    "Mind",
    ("word", "i8", 0),  # the lots, for `below`
    ("actions", "i8", SEATS),
    ("worth", "f8", 0),  # of the best plan
    *FIELDS[:2],
    ("turn", "i4", 0),  # that the plan begins with
    ("watched", "i4", SEATS),  # how many free letters of a player were seen
    ("expected", "i4", MODELS * SEATS),  # how many of them were what each way to play answers, all players one by one
    *FIELDS[2:4],
    ("doubtful", "i1", 0),  # how somebody is taken to play of whom the answers so far say nothing
    ("plan", "i1", LENGTH),  # the best one so far
    ("trial", "i1", LENGTH),  # the one that is tried
    *FIELDS[4:],
    *TRAPPING,
)


@flat
def try_plans(s: Any, me: int, board: Any, mind: Any, done: int, trials: int) -> None:
    """Go on with the thinking by so many trials after `done` ones. `board` is one more to play on."""
    for trial in range(done, done + trials):
        propose(trial, mind)
        consider(s, me, board, mind, trial == 0)


@flat
def consider(s: Any, me: int, board: Any, mind: Any, first: bool) -> None:
    """Make the trial my plan, if it comes to more, or is the first."""
    value = worth_of_plan(s, me, board, mind) + unrest(s) * below(mind, 1024) / 1024
    if first or value > mind.worth:
        mind.worth = value
        for k in range(LENGTH):
            mind.plan[k] = mind.trial[k]


# --- the others ----------------------------------------------------------------------------------------------------


@flat
def take_note(worlds: Any, count: int, board: Any, mind: Any) -> None:
    """Count who answered what each way to play would have; in its first turn nobody knows which number is the row."""
    for at in range(count - 1):
        s, after = worlds[at], worlds[at + 1]
        p = s.turn % SEATS
        if s.turn >= SEATS and s.row[p] >= 0 and s.stun[p] == 0 and after.row[p] >= 0:
            mind.watched[p] += 1
            for model in range(MODELS):
                copy(board, s)
                mind.actions[p] = answer_as(model, s, p, mind)
                step(board, mind.actions, None)
                mind.expected[index(model, p, SEATS)] += is_same(board, after, p)


@flat
def answer_as(model: int, s: Any, p: int, mind: Any) -> int:
    """What a player answers who plays so."""
    return trap(s, p, mind) if model == TRAPPER else careful(s, p, mind)


@flat
def model_of(p: int, mind: Any) -> int:
    """The way to play that a player's answers so far speak for; `mind.doubtful` where they speak for none."""
    careful_ones, trapping_ones = mind.expected[p], mind.expected[index(TRAPPER, p, SEATS)]
    if careful_ones == trapping_ones:
        return mind.doubtful  # type: ignore[no-any-return]
    return TRAPPER if trapping_ones > careful_ones else CAREFUL


@flat
def copy(into: Any, s: Any) -> None:
    """Make one state equal to another."""
    into.turn = s.turn
    into.limit = s.limit
    into.dealt = s.dealt
    into.idle_on = s.idle_on
    into.column_first = s.column_first
    for p in range(SEATS):
        into.fallen_at[p] = s.fallen_at[p]
        into.row[p] = s.row[p]
        into.column[p] = s.column[p]
        into.facing[p] = s.facing[p]
        into.stun[p] = s.stun[p]
    for b in range(BLOCKS * BLOCKS):
        into.block[b] = s.block[b]


@flat
def is_same(s: Any, other: Any, p: int) -> bool:
    """Whether a player stands as it does on another board."""
    same_square = s.row[p] == other.row[p] and s.column[p] == other.column[p]
    return same_square and s.facing[p] == other.facing[p] and s.stun[p] == other.stun[p]  # type: ignore[no-any-return]


@flat
def is_reliable(s: Any, me: int, mind: Any) -> bool:
    """Whether all others who stand have always answered as expected of them."""
    wild = 0
    for p in range(SEATS):
        wild += p != me and s.row[p] >= 0 and mind.expected[index(model_of(p, mind), p, SEATS)] < mind.watched[p]
    return wild == 0


@flat
def is_doubtful(s: Any, me: int, mind: Any) -> bool:
    """Whether the answers of somebody who stands say nothing of how it plays."""
    doubtful = 0
    for p in range(SEATS):
        equal = mind.expected[p] == mind.expected[index(TRAPPER, p, SEATS)]
        doubtful += p != me and s.row[p] >= 0 and equal
    return doubtful > 0


@flat
def expect(s: Any, p: int, mind: Any) -> int:
    """What to expect of a player: what its way to play answers, as often as it has done so, and any letter else."""
    model, watched = model_of(p, mind), mind.watched[p]
    if below(mind, TRUST + watched) >= TRUST + mind.expected[index(model, p, SEATS)]:
        return below(mind, ACTIONS)
    return answer_as(model, s, p, mind)


# --- plans ---------------------------------------------------------------------------------------------------------


@flat
def take_up(s: Any, mind: Any) -> None:
    """Let the plan begin with this turn."""
    past = (s.turn - mind.turn) // SEATS
    for k in range(LENGTH):
        mind.plan[k] = mind.plan[k + past] if k + past < LENGTH else OPEN
    mind.turn = s.turn


@flat
def propose(trial: int, mind: Any) -> None:
    """Write down the plan to be tried: the last turn's, the careful player's, all pairs of letters, then changes."""
    change = trial == 0 or trial > 1 + PAIRS
    for k in range(LENGTH):
        mind.trial[k] = mind.plan[k] if change else OPEN
    if trial > 1 + PAIRS:
        for _ in range(1 + below(mind, CHANGES)):
            mind.trial[below(mind, BOLD)] = below(mind, ACTIONS + 1) - 1
    elif trial > 1:
        mind.trial[0] = (trial - 2) % ACTIONS
        mind.trial[1] = (trial - 2) // ACTIONS - 1


@flat
def worth_of_plan(s: Any, me: int, board: Any, mind: Any) -> float:
    """What the trial comes to; on average, where somebody is not to be relied upon."""
    if is_reliable(s, me, mind):
        if not is_doubtful(s, me, mind):
            return play_out(s, me, board, mind, RISK)
        mind.doubtful = CAREFUL
        worth = play_out(s, me, board, mind, RISK)
        mind.doubtful = TRAPPER
        return min(worth, play_out(s, me, board, mind, RISK))
    total, luck = 0.0, mind.word
    for sample in range(SAMPLES):
        mind.word = s.turn * SAMPLES + sample  # the same for every plan: it is them that are compared
        below(mind, 2)
        total += play_out(s, me, board, mind, WILD_RISK)
    mind.word = luck
    return total / SAMPLES


@flat
def play_out(s: Any, me: int, now: Any, mind: Any, caution: float) -> float:
    """What the trial comes to, once, played on the board `now`; `caution` weighs the risk of my next letter."""
    copy(now, s)
    mine, risk, falls = 0, 0.0, 0.0
    end = s.turn + turns_of(mind)
    while not over(now) and now.row[me] >= 0 and now.turn < end:
        p = now.turn % SEATS
        letter = mind.trial[mine] if p == me and mine < LENGTH else OPEN
        if letter == OPEN:
            letter = expect(now, p, mind)
        mind.actions[p] = letter
        step(now, mind.actions, None)
        if now.turn <= s.turn + HORIZON:
            falls += LATER * (standing(now) - 1)
        if p == me and mine == 0:
            risk = risk_of(now, me, mind)
        mine += p == me
    if now.row[me] >= 0 and standing(now) == 1:
        return ALIVE[1] - falls
    return outlook(now, me, now.turn - s.turn, mind) - falls - caution * risk


@flat
def turns_of(mind: Any) -> int:
    """How many turns of the trial are played out."""
    letters = LENGTH
    while letters > 0 and mind.trial[letters - 1] == OPEN:
        letters -= 1
    return max(HORIZON, SEATS * letters + AFTER)


@flat
def risk_of(s: Any, me: int, mind: Any) -> float:
    """How likely somebody gets me who attacks now or soon."""
    risk = 0.0
    if s.row[me] >= 0:
        for enemy in range(SEATS):
            if enemy != me and s.row[enemy] >= 0:
                risk += danger(s, me, enemy, mind)
    return risk


@flat
def outlook(s: Any, me: int, turns: int, mind: Any) -> float:
    """How well it stands for me, after so many turns of looking ahead."""
    alive = standing(s)
    if s.row[me] < 0:
        return FALLEN + LATER * turns + OUTLIVED * (SEATS - alive)
    worth = ALIVE[alive] * survival(s, me, SKILLED, mind) - LASTING_RISK * risk_of(s, me, mind)
    for enemy in range(SEATS):
        if enemy != me and s.row[enemy] >= 0:
            worth += DOOMED * (1 - survival(s, enemy, SKILLED, mind))
            worth += UNSURE * (1 - survival(s, enemy, AIMLESS, mind))
    return worth


@flat
def unrest(s: Any) -> float:
    """How much worse than another a plan may be, and be taken all the same: where nobody has fallen for long.

    Careful players would else wait for each other until the last turn.
    """
    since = 0
    for p in range(SEATS):
        if s.row[p] < 0:
            since = max(since, s.fallen_at[p])
    return min(MAX_RESTLESS, RESTLESS * max(0, s.turn - since - QUIET))
