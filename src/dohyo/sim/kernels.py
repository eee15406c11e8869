"""The kernels of a batch on a graphics card: each thread plays one slot, as a span of one of the loops in `turns`.

Written in the common language, with names that are supplied when a kernel is compiled: `cuda`, the module; the sizes
and types of scratch rows, which a kernel has to know as constants. Arguments are those of the loop, without its span
and its scratch rows.

A thread's scratch rows are in its local memory, where the same position of all threads of a warp is one line of the
cache. In a rollout the game is there too: with records in an array, each thread of a warp would need a cache line of
its own at every access.

Nothing comes back to the host from a step. What a step finds against the rules it leaves where the host looks later:
see `Found`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from dohyo.core.cheap_random import match_seed, mixed
from dohyo.core.flat import MASK32, flat
from dohyo.sim.turns import (
    Games,
    acting_span,
    begin_span,
    begin_with,
    choose_span,
    clear,
    find_illegal,
    legal_span,
    observe_span,
    promise_span,
    roll_on,
    sample_span,
    shape_span,
    step_span,
)

# Left open here, and supplied when a kernel is compiled.
cuda: Any = None
OPTIONS: Any = None  # how many
DICE: Any = None
SEATS: Any = None
WINS: Any = None  # (1, seats + 1)
NUMBER: Any = None  # types
OPTION: Any = None
MIND: Any = None
DOUBLE: Any = None
STATE: Any = None
SOURCE: Any = None
SLOT: Any = None
CONCEDED: Any = None  # which actions the rules accept although they never offer them
ANSWER: Any = None  # the game's own answer to an illegal action, `FIRST_LEGAL`, or `NO_ANSWER`
OBSERVING: Any = None  # 1 where a step says what is seen
MASKING: Any = None  # 1 where it says what is legal
legal: Any = None  # of the rules

FIRST_LEGAL = -1
NO_ANSWER = -2  # that is known here: the host finds it
JUDGED, ANSWERED, TRUSTED = 0, 1, 2  # what a step does about actions against the rules, see `step`

KERNELS: set[str] = set()  # by module and name; other functions of these modules are called by kernels


class Scratch(NamedTuple):
    """A thread's rows, as `turns.scratch_layout` has them."""

    options: Any
    dice: Any
    actions: Any
    ranks: Any
    points: Any
    conceded: Any
    mind: Any  # (1,) what policies with fields of their own draw from and think in


class Found(NamedTuple):
    """What steps find against the rules, for the host to look at later."""

    counts: Any  # (2,) how many act so in a step that may not be played; 1 if all has stopped for it
    flag: Any  # (1,) in the host's own memory: 1 if something is to be looked at
    taken: Any  # (n, seats) int64: the actions that a step has played, or those of one with wrong ones
    wrong: Any  # (n, seats) bool: whose


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a flat function that a host starts, on a thread for each slot."""
    KERNELS.add(f"{function.__module__}.{function.__qualname__}")
    return flat(function)


@flat
def rows() -> Any:
    """A thread's scratch rows; put in the place of its calls, because a function's local memory ends with it."""
    return Scratch(
        cuda.local.array(OPTIONS, OPTION),
        cuda.local.array(DICE, NUMBER),
        cuda.local.array(SEATS, OPTION),
        cuda.local.array(SEATS, OPTION),
        cuda.local.array(SEATS, DOUBLE),
        CONCEDED,
        cuda.local.array(1, MIND),
    )


@flat
def roomy_luck(slot: Any, buffers: Any) -> Any:
    """As `turns.roomy_luck`."""
    luck = buffers.mind[0]
    luck.word = slot.word
    return luck


ROWS_OF_WINS = 1024  # threads that count into the same row wait for each other


@kernel
def begin(games: Games, which: Any, anew: int) -> None:
    """`turns.begin_span`."""
    at = cuda.grid(1)
    if at < len(games.states):
        begin_span(at, at + 1, games, (rows(),), which, anew)


@kernel
def illegal(games: Games, found: Found, given: Any, trusted: int) -> None:
    """`turns.find_illegal`; what is found is kept. Once all has stopped for that, nothing more is judged."""
    at = cuda.grid(1)
    if at < len(games.states) and found.counts[1] == 0:
        count = find_illegal(at, at + 1, games, (rows(),), given, found.wrong, trusted)
        if count:
            keep(at, given, found.taken)
            cuda.atomic.add(found.counts, 0, count)
            found.flag[0] = 1


@flat
def keep(at: int, given: Any, taken: Any) -> None:
    """Note a slot's actions, one a seat."""
    for seat in range(taken.shape[1]):
        taken[at, seat] = given[at, seat if given.shape[1] > 1 else 0]


@flat
def is_marked(at: int, wrong: Any) -> bool:
    """Whether somebody in this slot has acted against the rules."""
    marked = False
    for seat in range(wrong.shape[1]):
        marked = marked or wrong[at, seat]
    return marked


@flat
def answer_of(s: Any, seat: int, options: Any) -> int:
    """The game's own answer to an illegal action."""
    if ANSWER == FIRST_LEGAL:
        legal(s, seat, options)
        return options[0]  # type: ignore[no-any-return]
    return ANSWER  # type: ignore[no-any-return]


@flat
def judged(at: int, games: Games, found: Found, given: Any, scratch: Any, way: int) -> bool:
    """Whether a slot can be played; unless callers are `TRUSTED`, `found.taken` gets its actions, those against the
    rules replaced by the game's own answers.

    It cannot where callers are trusted and have given what is no action at all: that game stands still then, until
    the host has noticed.
    """
    taken, wrong = found.taken, found.wrong
    if way == TRUSTED and is_marked(at, wrong):
        return False
    count = find_illegal(at, at + 1, games, (scratch,), given, wrong, 1 if way == TRUSTED else 0)
    if count or way == ANSWERED:
        keep(at, given, taken)
    if count and way == TRUSTED:
        found.flag[0] = 1
        return False
    if count:
        for seat in range(wrong.shape[1]):
            if wrong[at, seat]:
                taken[at, seat] = answer_of(games.states[at], seat, scratch.options)
    return True


@kernel
def step(games: Games, found: Found, given: Any, seen: Any, mask: Any, renew: int, way: int) -> None:
    """`turns.step_span`, then `turns.observe_span` into `seen` and `turns.legal_span` into `mask`, where wanted.

    Of actions against the rules, those that `illegal` has found before (`JUDGED`) stop all games, others are
    `ANSWERED` by the game, or `TRUSTED` not to be there.
    """
    at = cuda.grid(1)
    if at >= len(games.states):
        return
    if way == JUDGED and found.counts[0] > 0:
        if at == 0:
            found.counts[1] = 1
        return
    scratch = rows()
    if way != JUDGED and not judged(at, games, found, given, scratch, way):
        clear(at, games)
        return
    each = (scratch,)
    step_span(at, at + 1, games, each, found.taken if way == ANSWERED else given, renew)
    if OBSERVING:
        observe_span(at, at + 1, games, each, seen)
    if MASKING:
        legal_span(at, at + 1, games, each, mask)


@kernel
def promise(games: Games, out: Any) -> None:
    """`turns.promise_span`."""
    at = cuda.grid(1)
    if at < len(games.states):
        promise_span(at, at + 1, games, (rows(),), out)


@kernel
def shape(games: Games, promised: Any, discount: Any) -> None:
    """`turns.shape_span`."""
    at = cuda.grid(1)
    if at < len(games.states):
        shape_span(at, at + 1, games, (rows(),), promised, discount)


@kernel
def roll(games: Games, wins: Any, steps: int) -> None:
    """`turns.roll_span`; the rows of `wins` are shared by all slots.

    The game's copy stands at place 0 of its arrays, and the batch's first word is made such that the seeds there are
    those of this slot: `mixed(0)` is 0, see `luck.match_seed`.
    """
    at = cuda.grid(1)
    if at < len(games.states):
        scratch = rows()
        state = cuda.local.array(1, STATE)
        source = cuda.local.array(1, SOURCE)
        slot = cuda.local.array(1, SLOT)
        own_wins = cuda.local.array(WINS, NUMBER)
        state[0] = games.states[at]
        source[0] = games.sources[at]
        slot[0] = games.slots[at]
        for who in range(SEATS + 1):
            own_wins[0, who] = 0
        low = games.low ^ mixed(at & MASK32)
        own = Games(state, games.blank, source, slot, games.rewards, games.done, low, games.high)
        roll_on(0, own, scratch, own_wins, steps)
        games.states[at] = state[0]
        games.sources[at] = source[0]
        games.slots[at] = slot[0]
        clear(at, games)
        for who in range(SEATS + 1):
            cuda.atomic.add(wins, (at % ROWS_OF_WINS, who), own_wins[0, who])


@kernel
def acting(games: Games, out: Any) -> None:
    """`turns.acting_span`."""
    at = cuda.grid(1)
    if at < len(games.states):
        acting_span(at, at + 1, games, None, out)


@kernel
def mask(games: Games, out: Any) -> None:
    """`turns.legal_span`."""
    at = cuda.grid(1)
    if at < len(games.states):
        legal_span(at, at + 1, games, (rows(),), out)


@kernel
def sample(games: Games, out: Any) -> None:
    """`turns.sample_span`."""
    at = cuda.grid(1)
    if at < len(games.states):
        sample_span(at, at + 1, games, (rows(),), out)


@kernel
def choose(games: Games, seats: Any, out: Any) -> None:
    """`turns.choose_span`."""
    at = cuda.grid(1)
    if at < len(games.states):
        choose_span(at, at + 1, games, (rows(),), seats, out)


@kernel
def observe(games: Games, out: Any) -> None:
    """`turns.observe_span`."""
    at = cuda.grid(1)
    if at < len(games.states):
        observe_span(at, at + 1, games, None, out)


@kernel
def widen(given: Any, out: Any) -> None:
    """Write whole numbers of another type, or that do not lie one after the other, to rows of int64."""
    at = cuda.grid(1)
    if at < len(out):
        for column in range(out.shape[1]):
            out[at, column] = given[at, column]


@kernel
def begin_each(games: Games, seeds: Any) -> None:
    """`turns.begin_each_span`."""
    at = cuda.grid(1)
    if at < len(games.states):
        begin_with(at, games, rows().dice, seeds[at])


@kernel
def name_seeds(games: Games, which: Any, given: Any, out: Any) -> None:
    """Write to `out`, for each of these slots, its match's seed and the number of its game.

    `given` has such a row for each slot, for seeds that were given; other games' numbers are not those of the slots.
    """
    at = cuda.grid(1)
    if at < len(which):
        slot = which[at]
        game = games.slots[slot].game - games.slots[slot].ended
        out[at, 0] = given[slot, 0] if given[slot, 1] == game else match_seed(games.low, games.high, slot, game)
        out[at, 1] = game


@kernel
def move_rows(source: Any, come: Any, out: Any, go: Any) -> None:
    """Copy rows of bytes, a thread each byte: for each k, row `come[k]` of one array to row `go[k]` of the other."""
    at = cuda.grid(1)
    width = source.shape[1]
    if at < len(come) * width:
        k, column = at // width, at % width
        out[go[k], column] = source[come[k], column]
