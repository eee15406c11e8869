"""Recorded matches played again in one compiled loop, which writes what each seat saw, might do and did into arrays.

Theory of operation
-------------------
The rules are the game's own, compiled as for a batch; here they are open names. A replay may come from anybody, and
compiled rules look numbers up in rows without asking whether the row is that long. So the loop plays a turn only as
a match could have played it: the dice are drawn again from the match's seed and have to be the recorded ones, those
who act have to be the recorded ones, and each action has to be legal, or one that the rules accept besides. So no
state is ever met that the rules do not lead to. After each turn the state's checksum has to be the recorded one.

At the first difference the loop leaves the match, and says so in `wrong`. That need not be a forgery: after a fault,
the game's own answer may be no legal action, and a match that continues another one begins in a recorded state.
Whoever calls plays such a match again in plain Python, which looks at each number (`dohyo.core.playback`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from dohyo.core.flat import flat
from dohyo.core.text import checksum

# Left open here, and supplied when it is compiled: the rules' names, those of the observation and of the reward
# (`dohyo.core.rewards`).
RULES = ("acts", "deal", "is_legal", "legal", "needs_dice", "over", "places", "roll", "step", "winner")
acts: Any = None
deal: Any = None
is_legal: Any = None
legal: Any = None
needs_dice: Any = None
over: Any = None
places: Any = None
roll: Any = None
step: Any = None
winner: Any = None
scores: Any = None
reseed: Any = None
observe: Any = None
potentials: Any = None
ACTIONS: Any = None
SIZE: Any = None  # bytes of a packed state
SHAPED: Any = None  # 1 where potentials are
SCORED: Any = None  # 1 where points are


class Recorded(NamedTuple):
    """Recorded matches, one after the other, as columns.

    Those of a match begin in `turns_from` at its number, those of a turn in `dice_from` and `moves_from`; each has
    one item more than there are matches or turns. Numbers are int64 where nothing else is said.
    """

    states: Any  # (matches,) records: where each match begins, and after the loop where it has ended
    packed: Any  # (matches, bytes of a record) uint8: the same memory
    seeds: Any  # (matches,)
    firsts: Any  # (matches,): the number of the first turn
    seats: Any  # (matches,): how many there are; 0 where the loop is not to try the match
    turns_from: Any  # (matches + 1,)
    digests: Any  # (turns,): checksums of the states after them
    dice_from: Any  # (turns + 1,)
    dice: Any
    moves_from: Any  # (turns + 1,)
    movers: Any  # (moves,): seats
    actions: Any  # (moves,)
    rows: Any  # (moves,): the row of the arrays that this move fills; -1 for none
    ends: Any  # (matches, most seats): the row of `finals` for what the seat sees at the end; -1 for none


class Written(NamedTuple):
    """What the loop writes: a row for each wanted move, and what seats see at the end."""

    seen: Any  # (rows, numbers of an observation)
    masks: Any  # (rows, ACTIONS) int8; (0, ACTIONS) where none are wanted
    promised: Any  # (rows,) float64: the potential before the move; (1,) where none is wanted
    finals: Any  # (ends, numbers of an observation)
    endings: Any  # (matches, most seats + 2) int64: places, 0 for no seat; the number of the reason; the winner or -1
    points: Any  # (matches, most seats) float64; 0 for no seat, and in a game without points
    wrong: Any  # (matches,) int64: 1 where a match was left


@flat
def replay_span(
    first: int, last: int, recorded: Recorded, written: Written, sources: Any, scratch: Any, values: Any
) -> None:
    """Play these matches again; `sources`, `scratch` are a record each, `values` (most seats,) is float64."""
    for at in range(first, last):
        written.wrong[at] = replay_one(at, recorded, written, sources[0], scratch[0], values)


@flat
def replay_one(at: int, recorded: Recorded, written: Written, source: Any, buffers: Any, values: Any) -> int:
    """Play one match again; 1 at the first difference from what is recorded, and if it does not end, 0 otherwise."""
    s, packed, digests = recorded.states[at], recorded.packed[at], recorded.digests
    turns_from, moves_from = recorded.turns_from, recorded.moves_from
    seats, begin = recorded.seats[at], turns_from[at]
    if seats == 0:
        return 1
    reseed(source, recorded.seeds[at])
    for turn in range(begin, turns_from[at + 1]):
        if rolls_otherwise(s, turn, recorded.firsts[at] + turn - begin, recorded, source, buffers.dice):
            return 1
        if moves_from[turn] < moves_from[turn + 1]:
            if over(s) or plays_otherwise(s, turn, seats, recorded, buffers):
                return 1
            look(s, turn, seats, recorded, written, buffers, values)
            step(s, buffers.actions, None)
        if checksum(packed, SIZE) != digests[turn]:
            return 1
    for seat in range(seats):
        if recorded.ends[at, seat] >= 0:
            observe(s, seat, written.finals[recorded.ends[at, seat]])
    if not over(s):
        return 1
    conclude(s, seats, written.endings[at], written.points[at], buffers)
    return 0


@flat
def conclude(s: Any, seats: int, ending: Any, points: Any, buffers: Any) -> None:
    """Write how the match has ended."""
    ending[len(points)] = places(s, buffers.ranks)
    ending[len(points) + 1] = winner(s)
    for seat in range(seats):
        ending[seat] = buffers.ranks[seat]
    if SCORED:
        scores(s, buffers.points)
        for seat in range(seats):
            points[seat] = buffers.points[seat]


@flat
def rolls_otherwise(s: Any, turn: int, number: int, recorded: Recorded, source: Any, dice: Any) -> bool:
    """Let the dice move if it is their turn; whether they show something else than what is recorded."""
    start, end = recorded.dice_from[turn], recorded.dice_from[turn + 1]
    if not needs_dice(s):
        return start < end  # type: ignore[no-any-return]
    source.turn = number
    source.draw = 0
    count = roll(s, source, dice)
    if count == 0 or count != end - start:
        return True
    for k in range(count):
        if dice[k] != recorded.dice[start + k]:
            return True
    deal(s, dice, None)
    return False


@flat
def plays_otherwise(s: Any, turn: int, seats: int, recorded: Recorded, buffers: Any) -> bool:
    """Take the turn's actions; whether other seats act, or one of them may not do that."""
    at, end = recorded.moves_from[turn], recorded.moves_from[turn + 1]
    for seat in range(seats):
        buffers.actions[seat] = 0
        if acts(s, seat):
            if at == end or recorded.movers[at] != seat:
                return True
            action = recorded.actions[at]
            if action < 0 or action >= len(buffers.conceded):
                return True
            if not is_legal(s, seat, action) and not buffers.conceded[action]:
                return True
            buffers.actions[seat] = action
            at += 1
    return at != end  # type: ignore[no-any-return]


@flat
def look(s: Any, turn: int, seats: int, recorded: Recorded, written: Written, buffers: Any, values: Any) -> None:
    """Write what those see who are about to move, and what they may do."""
    options = buffers.options
    for at in range(recorded.moves_from[turn], recorded.moves_from[turn + 1]):
        row, seat = recorded.rows[at], recorded.movers[at]
        if row >= 0:
            observe(s, seat, written.seen[row])
            if len(written.masks) > 0:
                for action in range(ACTIONS):
                    written.masks[row, action] = 0
                for k in range(legal(s, seat, options)):
                    written.masks[row, options[k]] = 1
            if SHAPED:
                potentials(s, seats, values, values)
                written.promised[row] = values[seat]
