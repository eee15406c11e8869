"""Turns of a batch: what happens to one game in its slot, and loops over a span of slots.

Theory of operation
-------------------
A batch is a few arrays of equal length, in one record (`Games`); item i of each belongs to slot i, in which one game
follows the other. A function here that changes a slot gets that record and the slot's number. A loop on a CPU calls
it for each slot of a span, a GPU for each of its threads. All are written in the common language of
`dohyo.core.flat`. They leave the rules' names open: those are supplied when they are compiled. Scratch rows that the
rules fill come from the caller, one record for each thread, because nothing here allocates. They are in a record of
NumPy's, because Numba counts the references to an array whenever it is passed on; for the same reason a loop takes
what it needs out of `Games` before it begins.

Every loop takes first its span, the games, and the scratch rows of its thread, whether it needs them or not.

When a game ends, the next one begins in the same step, unless the batch has to stop there (`renew` 0).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from dohyo.core.cheap_random import LUCK, below, match_seed, mixed
from dohyo.core.flat import MASK32, Layout, flat, put_bits
from dohyo.core.policies import Field
from dohyo.sim.records import put_record

# The rules' names that are left open here, and supplied when it is compiled.
RULES = (
    "acts",
    "count_legal",
    "deal",
    "is_legal",
    "kth_legal",
    "legal",
    "needs_dice",
    "over",
    "places",
    "roll",
    "step",
    "winner",
)
acts: Any = None
count_legal: Any = None
deal: Any = None
is_legal: Any = None
kth_legal: Any = None
legal: Any = None
needs_dice: Any = None
over: Any = None
places: Any = None
roll: Any = None
step: Any = None
winner: Any = None
reseed: Any = None  # of `dohyo.core.flat`, or the game's own
payoffs: Any = None  # (s, seats, ranks, out), of `dohyo.core.rewards`, as is
potentials: Any = None
observe: Any = None  # of the game's observation
ACTIONS: Any = None
ALTERNATING: Any = None  # 1 where one seat acts in a turn
SEATS: Any = None  # of a game that is always played by so many; 0 of one that is not
# How an action is found: `candidates` fills a row and counts, the policy answers, `taken` makes an action of that.
candidates: Any = None  # (s, seat, options) -> count
policy: Any = None  # (s, seat, options, count, luck) -> action, or what `taken` makes one of
taken: Any = None  # (s, seat, answer, options) -> action
luck_of: Any = None  # (slot, buffers) -> what the policy draws from, and thinks in
policy_0: Any = None
policy_1: Any = None
policy_2: Any = None
policy_3: Any = None


class Games(NamedTuple):
    """A batch's games, as loops and kernels take them: arrays of `n` slots, and the batch's seed in two words."""

    states: Any  # (n,) records: the games' states
    blank: Any  # (1,) the state in which every game begins
    sources: Any  # (n,) records: where its dice come from
    slots: Any  # (n,) records: what the batch itself keeps, see `SLOT`
    rewards: Any  # (n, seats) float32: what the last step brought
    done: Any  # (n,) bool: which games have ended in the last step
    low: int
    high: int


SLOT = Layout(
    "Slot",
    ("word", "i8", 0),  # what the policies' random numbers go on from
    ("game", "i8", 0),  # the number of the game in this slot, from 0
    ("turn", "i8", 0),  # turns of this game so far
    ("ended", "i8", 0),  # 1: it is over, and waits for `begin`
)


def scratch_layout(rules: Any, seats: int, room: Sequence[Field] = ()) -> Layout:
    """Rows that the rules fill: legal actions, dice, a turn's actions, places, what these are worth.

    `conceded` marks actions that the rules accept although they never offer them. `room` are fields of policies.
    """
    accepted = max(rules.ACTIONS - 1, *rules.CONCESSIONS, -1) + 1
    return _layout_of(rules.ACTIONS, accepted, rules.DICE, seats, tuple(room))


@cache  # one takes longer to make than some hundred turns to play
def _layout_of(actions: int, accepted: int, dice: int, seats: int, room: tuple[Field, ...]) -> Layout:
    return Layout(
        "Scratch",
        ("points", "f8", seats),
        ("options", "i8", actions),
        ("dice", "i8", max(1, dice)),
        ("actions", "i8", seats),
        ("ranks", "i8", seats),
        ("conceded", "i1", accepted),
        *((*LUCK.fields, *room) if room else ()),
    )


OF_POLICIES = 0x706F6C69  # keeps their numbers apart from those of the dice
FEW = 32  # actions of a game that are faster asked for one by one than listed
TOGETHER = 64  # slots that a step plays before it looks at them
TOLD_APART = 4  # places that can have different policies; all further ones share the last one


# --- one slot ------------------------------------------------------------------------------------------------------


@flat
def begin(at: int, games: Games, dice: Any) -> None:
    """Begin the slot's game anew, with the seed of its number; all chance in it comes from that."""
    begin_with(at, games, dice, match_seed(games.low, games.high, at, games.slots[at].game))


@flat
def begin_with(at: int, games: Games, dice: Any, seed: int) -> None:
    """Begin the slot's game anew, with this seed."""
    put_record(games.states, at, games.blank, 0)
    begin_blank(games.states[at], games.sources[at], games.slots[at], dice, seed)


@flat
def begin_blank(s: Any, source: Any, slot: Any, dice: Any, seed: int) -> None:
    """Let a game begin with this seed, whose state is the blank one."""
    slot.turn = 0
    slot.ended = 0
    slot.word = mixed(mixed((seed & MASK32) ^ OF_POLICIES) ^ seed >> 32)
    reseed(source, seed)
    if needs_dice(s):
        let_dice_move(s, source, slot, dice)


@flat
def let_dice_move(s: Any, source: Any, slot: Any, dice: Any) -> None:
    """Let the dice move, which is their turn."""
    source.turn = slot.turn
    source.draw = 0
    roll(s, source, dice)
    deal(s, dice, None)


@flat
def play(s: Any, source: Any, slot: Any, dice: Any, actions: Any) -> bool:
    """Play one turn with these actions, one a seat; whether the game is over with it."""
    step(s, actions, None)
    slot.turn += 1
    if needs_dice(s):
        let_dice_move(s, source, slot, dice)
    return over(s)  # type: ignore[no-any-return]


@flat
def clear(at: int, games: Games) -> None:
    """No game has ended in this slot."""
    games.done[at] = False
    for seat in range(games.rewards.shape[1]):
        games.rewards[at, seat] = 0.0


@flat
def is_allowed(s: Any, seat: int, action: int, scratch: Any, trusted: int) -> bool:
    """Whether the rules accept this action from the seat; whether it is one at all, where the caller is `trusted`."""
    if action < 0 or action >= len(scratch.conceded):
        return False
    if trusted or scratch.conceded[action]:
        return True
    return is_legal(s, seat, action)  # type: ignore[no-any-return]


@flat
def within(s: Any, seat: int, action: int, options: Any) -> int:
    """What a policy has chosen, or the first legal action in the place of a number that is no action at all."""
    return action if 0 <= action < len(options) else options[0]


@flat
def any_place(s: Any, seat: int, options: Any, count: int, luck: Any) -> int:
    """A place from 0 .. count-1, drawn as `uniform_legal` draws it, for a game that finds the action there itself."""
    return below(luck, count)


@flat
def with_movers(actions: Any, mover: int, action: int) -> Any:
    """A turn's actions, of which only the mover's is read."""
    actions[mover] = action
    return actions


@flat
def uniform_legal(s: Any, seat: int, options: Any, count: int, luck: Any) -> int:
    """The policy of random play: each of the `count` legal actions in `options` is as likely as the others."""
    return options[below(luck, count)]  # type: ignore[no-any-return]


@flat
def slots_luck(slot: Any, buffers: Any) -> Any:
    """What policies draw from that think in no fields of their own: the slot itself."""
    return slot


@flat
def roomy_luck(slot: Any, buffers: Any) -> Any:
    """What others draw from and think in: their thread's rows, which draw on from the slot's word."""
    buffers.word = slot.word
    return buffers


@flat
def keep_luck(slot: Any, luck: Any) -> None:
    """Let the slot's numbers go on behind those that a policy has drawn."""
    slot.word = luck.word


@flat
def by_seat(s: Any, seat: int, options: Any, count: int, luck: Any) -> int:
    """The policy of a table at which not all play alike."""
    return by_place(seat, s, seat, options, count, luck)


@flat
def by_place(place: int, s: Any, seat: int, options: Any, count: int, luck: Any) -> int:
    """What a seat does where policies are told apart: by seats, or by how far behind a learner they sit."""
    if place == 0:
        return policy_0(s, seat, options, count, luck)  # type: ignore[no-any-return]
    if place == 1:
        return policy_1(s, seat, options, count, luck)  # type: ignore[no-any-return]
    if place == 2:
        return policy_2(s, seat, options, count, luck)  # type: ignore[no-any-return]
    return policy_3(s, seat, options, count, luck)  # type: ignore[no-any-return]


# --- spans of slots ------------------------------------------------------------------------------------------------

# A slot's number is never negative. Where that is plain to see, as in a loop that begins at 0 or more, compiled code
# does not ask at each access whether to count from an array's end: a tenth of a small game's step.


@flat
def begin_span(first: int, last: int, games: Games, scratch: Any, which: Any, anew: int) -> None:
    """Begin new games in the slots that `which` names; with `anew` each slot's first."""
    slots = games.slots
    for at in range(first, last):
        if which[at]:
            if anew:
                slots[at].game = 0
            elif slots[at].ended == 0:
                slots[at].game += 1
            clear(at, games)
            begin(at, games, scratch[0].dice)


@flat
def begin_each_span(first: int, last: int, games: Games, scratch: Any, seeds: Any) -> None:
    """Begin the game of each slot with its given seed."""
    for at in range(first, last):
        begin_with(at, games, scratch[0].dice, seeds[at])


@flat
def find_illegal(first: int, last: int, games: Games, scratch: Any, given: Any, wrong: Any, trusted: int) -> int:
    """Note in `wrong` (a row a slot, a place a seat) who acts against the rules; how many do.

    `given` has a row of actions a slot: one a seat, or a single one, the mover's.
    """
    states, slots = games.states, games.slots
    found = 0
    for at in range(first, last):
        for seat in range(wrong.shape[1]):
            wrong[at, seat] = False
            if slots[at].ended == 0 and acts(states[at], seat):
                action = given[at, seat if given.shape[1] > 1 else 0]
                if not is_allowed(states[at], seat, action, scratch[0], trusted):
                    wrong[at, seat] = True
                    found += 1
    return found


@flat
def step_span(first: int, last: int, games: Games, scratch: Any, given: Any, renew: int) -> None:
    """Play a turn in every slot whose game goes on; what ends are worth is in `rewards`, what has ended in `done`."""
    states, sources, slots = games.states, games.sources, games.slots
    rewards, done = games.rewards, games.done
    seats = SEATS if SEATS > 0 else rewards.shape[1]
    buffers = scratch[0]
    at = first if first > 0 else 0
    while at < last:
        done[at] = False
        for seat in range(seats):
            rewards[at, seat] = 0.0
            buffers.actions[seat] = given[at, seat if given.shape[1] > 1 else 0]
        if slots[at].ended == 0 and play(states[at], sources[at], slots[at], buffers.dice, buffers.actions):
            done[at] = True
            places(states[at], buffers.ranks)
            payoffs(states[at], seats, buffers.ranks, buffers.points)
            for seat in range(seats):
                rewards[at, seat] = buffers.points[seat]
            slots[at].game += 1
            slots[at].ended = 1
            if renew:
                begin(at, games, buffers.dice)
        at += 1


@flat
def promise_span(first: int, last: int, games: Games, scratch: Any, out: Any) -> None:
    """Write to `out`, a row a slot, the potential of each seat; 0 where the game is over."""
    states, slots = games.states, games.slots
    seats, buffers = games.rewards.shape[1], scratch[0]
    for at in range(first, last):
        if slots[at].ended == 0:
            potentials(states[at], seats, buffers.ranks, buffers.points)
        for seat in range(seats):
            out[at, seat] = buffers.points[seat] if slots[at].ended == 0 else 0.0


@flat
def shape_span(first: int, last: int, games: Games, scratch: Any, promised: Any, discount: Any) -> None:
    """Add to the rewards of a step by how much it has raised the potentials, which were `promised` before it.

    A game that has ended with it has the potential 0, whatever plays in its slot now. `discount` is a row of one.
    """
    states, slots, rewards = games.states, games.slots, games.rewards
    seats, buffers = rewards.shape[1], scratch[0]
    for at in range(first, last):
        goes_on = slots[at].ended == 0 and not games.done[at]
        if goes_on:
            potentials(states[at], seats, buffers.ranks, buffers.points)
        for seat in range(seats):
            now = discount[0] * buffers.points[seat] if goes_on else 0.0
            rewards[at, seat] += now - promised[at, seat]


@flat
def sample_span(first: int, last: int, games: Games, scratch: Any, out: Any) -> None:
    """Write to `out`, a row a slot, an action of each seat that acts, or of the mover alone; 0 where nobody acts.

    Each legal action is as likely as the others, drawn as a rollout without a policy draws it.
    """
    states, slots = games.states, games.slots
    options = scratch[0].options
    seats = SEATS if SEATS > 0 else games.rewards.shape[1]
    at = first if first > 0 else 0
    while at < last:
        for column in range(out.shape[1]):
            seat = column if out.shape[1] == seats else mover_of(states[at], seats)
            action = 0
            if slots[at].ended == 0 and acts(states[at], seat):
                k = below(slots[at], count_legal(states[at], seat, options))
                action = kth_legal(states[at], seat, k, options)
            out[at, column] = action
        at += 1


@flat
def mover_of(s: Any, seats: int) -> int:
    """The seat that acts, in a game in which one does; without a branch, because a processor cannot predict it."""
    mover = 0
    for seat in range(1, seats):
        mover = seat if acts(s, seat) else mover
    return mover


@flat
def choose_span(first: int, last: int, games: Games, scratch: Any, seats: Any, out: Any) -> None:
    """Write to `out` what the policy does on the seat that `seats` says of each slot; nothing where that is -1."""
    states, slots = games.states, games.slots
    options = scratch[0].options
    for at in range(first, last):
        if seats[at] >= 0:
            count = candidates(states[at], seats[at], options)
            luck = luck_of(slots[at], scratch[0])
            action = policy(states[at], seats[at], options, count, luck)
            keep_luck(slots[at], luck)
            out[at] = taken(states[at], seats[at], action, options)


@flat
def acting_span(first: int, last: int, games: Games, scratch: Any, out: Any) -> None:
    """Note in `out` (a row a slot) which seats must act."""
    states, slots = games.states, games.slots
    for at in range(first, last):
        for seat in range(out.shape[1]):
            out[at, seat] = slots[at].ended == 0 and acts(states[at], seat)


@flat
def legal_span(first: int, last: int, games: Games, scratch: Any, out: Any) -> None:
    """Note in `out` (a table a slot) which actions are legal, in a row a seat, or in a single one for the mover.

    Nothing is for a seat that need not act.
    """
    states, slots = games.states, games.slots
    seats = SEATS if SEATS > 0 else games.rewards.shape[1]
    options = scratch[0].options
    at = first if first > 0 else 0
    while at < last:
        for row in range(out.shape[1]):
            seat = row if out.shape[1] == seats else mover_of(states[at], seats)
            asked = slots[at].ended == 0 and acts(states[at], seat)
            if ACTIONS <= FEW:
                bits = 0
                for action in range(ACTIONS):
                    bits |= (1 if is_legal(states[at], seat, action) else 0) << action
                put_bits(bits if asked else 0, 0, 0, 1, 1, ACTIONS, out[at, row], 0)
            else:
                for action in range(ACTIONS):
                    out[at, row, action] = False
                if asked:
                    for k in range(legal(states[at], seat, options)):
                        out[at, row, options[k]] = True
        at += 1


@flat
def observe_span(first: int, last: int, games: Games, scratch: Any, out: Any) -> None:
    """Write to `out` (a table a slot) what each seat sees, in a row a seat, or in a single one for the mover.

    Where nobody moves any more, that row stays as it was.
    """
    states = games.states
    seats = SEATS if SEATS > 0 else games.rewards.shape[1]
    at = first if first > 0 else 0
    while at < last:
        for row in range(out.shape[1]):
            seat = row if out.shape[1] == seats else mover_of(states[at], seats)
            if out.shape[1] == seats or acts(states[at], seat):
                observe(states[at], seat, out[at, row])
        at += 1


@flat
def step_and_look_span(
    first: int, last: int, games: Games, scratch: Any, given: Any, seen: Any, mask: Any, renew: int
) -> None:
    """`step_span`, then `observe_span` into `seen` and `legal_span` into `mask`, unless they are `None`.

    A few slots at a time, so that they are still in the cache, and that handing arrays on costs little.
    """
    for start in range(first, last, TOGETHER):
        end = start + TOGETHER if start + TOGETHER < last else last
        step_span(start, end, games, scratch, given, renew)
        if seen is not None:
            observe_span(start, end, games, scratch, seen)
        if mask is not None:
            legal_span(start, end, games, scratch, mask)


@flat
def roll_span(first: int, last: int, games: Games, scratch: Any, wins: Any, steps: int) -> None:
    """Play so many turns in every slot as the policy says; `wins` counts games by winner, the last by nobody."""
    for at in range(first, last):
        clear(at, games)
        roll_on(at, games, scratch[0], wins, steps)


@flat
def roll_on(at: int, games: Games, buffers: Any, wins: Any, steps: int) -> None:
    """Play so many turns in one slot."""
    seats = SEATS if SEATS > 0 else wins.shape[1] - 1  # a number that is known beforehand unrolls the loop below
    s, source, slot = games.states[at], games.sources[at], games.slots[at]
    options, dice, actions = buffers.options, buffers.dice, buffers.actions
    if slot.ended == 1:
        begin(at, games, dice)
    mover = 0
    for _ in range(steps):
        if ALTERNATING:
            if SEATS == 2:
                mover = mover_of(s, seats)
            else:  # it is mostly the next one
                while not acts(s, mover):
                    mover = mover + 1 if mover + 1 < seats else 0
            count = candidates(s, mover, options)
            luck = luck_of(slot, buffers)
            action = taken(s, mover, policy(s, mover, options, count, luck), options)
            keep_luck(slot, luck)
            step(s, with_movers(actions, mover, action), None)
        else:
            for seat in range(seats):
                if acts(s, seat):
                    count = candidates(s, seat, options)
                    luck = luck_of(slot, buffers)
                    actions[seat] = taken(s, seat, policy(s, seat, options, count, luck), options)
                    keep_luck(slot, luck)
            step(s, actions, None)  # as `play` does; a call would cost a quarter of the turn
        slot.turn += 1
        if needs_dice(s):
            let_dice_move(s, source, slot, dice)
        if over(s):
            wins[at, winner(s)] += 1  # -1, nobody, is the last
            slot.game += 1
            begin(at, games, dice)
