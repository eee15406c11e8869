"""The kernels of a batch on a graphics card: each thread plays one slot, as a span of one of the loops in `turns`.

Written in the common language, with names that are supplied when a kernel is compiled: `cuda`, the module; the sizes
and types of scratch rows, which a kernel has to know as constants. The first argument is `found`, an array of one
number, for what a loop would return; the others are those of the loop, without its span and its scratch rows.

A thread's scratch rows are in its local memory, where the same position of all threads of a warp is one line of the
cache. In a rollout the game is there too: with records in an array, each thread of a warp would need a cache line of
its own at every access.
"""

from __future__ import annotations

from typing import Any

from dohyo.core.cheap_random import mixed
from dohyo.core.flat import MASK32, flat
from dohyo.sim.turns import (
    acting_span,
    begin_span,
    clear,
    find_illegal,
    legal_span,
    observe_span,
    roll_on,
    sample_span,
    step_span,
)

# Left open here, and supplied when a kernel is compiled.
cuda: Any = None
Scratch: Any = None  # a record of rows, see `turns.scratch_layout`, as a tuple with names
OPTIONS: Any = None  # how many
DICE: Any = None
SEATS: Any = None
WINS: Any = None  # (1, seats + 1)
NUMBER: Any = None  # types
OPTION: Any = None
STATE: Any = None
SOURCE: Any = None
SLOT: Any = None
CONCEDED: Any = None  # which actions the rules accept although they never offer them
GIVEN = (
    "cuda",
    "Scratch",
    "OPTIONS",
    "DICE",
    "SEATS",
    "WINS",
    "NUMBER",
    "OPTION",
    "STATE",
    "SOURCE",
    "SLOT",
    "CONCEDED",
)

ROWS_OF_WINS = 1024  # threads that count into the same row wait for each other


@flat
def begin(
    found: Any,
    which: Any,
    states: Any,
    blank: Any,
    sources: Any,
    slots: Any,
    done: Any,
    rewards: Any,
    low: int,
    high: int,
    anew: int,
) -> None:
    """`turns.begin_span`."""
    at = cuda.grid(1)
    if at < len(states):
        scratch = Scratch(
            cuda.local.array(OPTIONS, OPTION),
            cuda.local.array(DICE, NUMBER),
            cuda.local.array(SEATS, OPTION),
            cuda.local.array(SEATS, OPTION),
            CONCEDED,
        )
        begin_span(at, at + 1, which, states, blank, sources, slots, done, rewards, (scratch,), low, high, anew)


@flat
def illegal(found: Any, states: Any, slots: Any, given: Any, wrong: Any, trusted: int) -> None:
    """`turns.find_illegal`."""
    at = cuda.grid(1)
    if at < len(states):
        scratch = Scratch(
            cuda.local.array(OPTIONS, OPTION),
            cuda.local.array(DICE, NUMBER),
            cuda.local.array(SEATS, OPTION),
            cuda.local.array(SEATS, OPTION),
            CONCEDED,
        )
        count = find_illegal(at, at + 1, states, slots, given, wrong, (scratch,), trusted)
        if count:
            cuda.atomic.add(found, 0, count)


@flat
def step(
    found: Any,
    states: Any,
    blank: Any,
    sources: Any,
    slots: Any,
    given: Any,
    rewards: Any,
    done: Any,
    low: int,
    high: int,
    renew: int,
) -> None:
    """`turns.step_span`."""
    at = cuda.grid(1)
    if at < len(states):
        scratch = Scratch(
            cuda.local.array(OPTIONS, OPTION),
            cuda.local.array(DICE, NUMBER),
            cuda.local.array(SEATS, OPTION),
            cuda.local.array(SEATS, OPTION),
            CONCEDED,
        )
        step_span(at, at + 1, states, blank, sources, slots, given, rewards, done, (scratch,), low, high, renew)


@flat
def roll(
    found: Any,
    states: Any,
    blank: Any,
    sources: Any,
    slots: Any,
    wins: Any,
    done: Any,
    rewards: Any,
    low: int,
    high: int,
    steps: int,
) -> None:
    """`turns.roll_span`; the rows of `wins` are shared by all slots.

    The game's copy stands at place 0 of its arrays, and the batch's first word is made such that the seeds there are
    those of this slot: `mixed(0)` is 0, see `luck.match_seed`.
    """
    at = cuda.grid(1)
    if at < len(states):
        scratch = Scratch(
            cuda.local.array(OPTIONS, OPTION),
            cuda.local.array(DICE, NUMBER),
            cuda.local.array(SEATS, OPTION),
            cuda.local.array(SEATS, OPTION),
            CONCEDED,
        )
        state = cuda.local.array(1, STATE)
        source = cuda.local.array(1, SOURCE)
        slot = cuda.local.array(1, SLOT)
        own_wins = cuda.local.array(WINS, NUMBER)
        state[0] = states[at]
        source[0] = sources[at]
        slot[0] = slots[at]
        for who in range(SEATS + 1):
            own_wins[0, who] = 0
        roll_on(0, state, blank, source, slot, own_wins, scratch, low ^ mixed(at & MASK32), high, steps)
        states[at] = state[0]
        sources[at] = source[0]
        slots[at] = slot[0]
        clear(at, done, rewards)
        for who in range(SEATS + 1):
            cuda.atomic.add(wins, (at % ROWS_OF_WINS, who), own_wins[0, who])


@flat
def acting(found: Any, states: Any, slots: Any, out: Any) -> None:
    """`turns.acting_span`."""
    at = cuda.grid(1)
    if at < len(states):
        acting_span(at, at + 1, states, slots, out)


@flat
def legal(found: Any, states: Any, slots: Any, out: Any, seats: int) -> None:
    """`turns.legal_span`."""
    at = cuda.grid(1)
    if at < len(states):
        scratch = Scratch(
            cuda.local.array(OPTIONS, OPTION),
            cuda.local.array(DICE, NUMBER),
            cuda.local.array(SEATS, OPTION),
            cuda.local.array(SEATS, OPTION),
            CONCEDED,
        )
        legal_span(at, at + 1, states, slots, out, (scratch,), seats)


@flat
def sample(found: Any, states: Any, slots: Any, out: Any, seats: int) -> None:
    """`turns.sample_span`."""
    at = cuda.grid(1)
    if at < len(states):
        scratch = Scratch(
            cuda.local.array(OPTIONS, OPTION),
            cuda.local.array(DICE, NUMBER),
            cuda.local.array(SEATS, OPTION),
            cuda.local.array(SEATS, OPTION),
            CONCEDED,
        )
        sample_span(at, at + 1, states, slots, out, (scratch,), seats)


@flat
def observe(found: Any, states: Any, out: Any, seats: int) -> None:
    """`turns.observe_span`."""
    at = cuda.grid(1)
    if at < len(states):
        observe_span(at, at + 1, states, out, seats)


@flat
def widen(given: Any, out: Any) -> None:
    """Write whole numbers of another type, or that do not lie one after the other, to rows of int64."""
    at = cuda.grid(1)
    if at < len(out):
        for column in range(out.shape[1]):
            out[at, column] = given[at, column]
