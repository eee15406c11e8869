"""Kernels for one seat of each game, a learner's: all that happens between two of its decisions, in one start.

As `one_seat`, whose loops these call, on a graphics card, with what a vector environment adds: an episode that ends
is told and gives way to the next one, without the host. Opponents are policies inside the kernel `play`; or networks,
which the host asks between the kernels `receive`, `see`, `answer`, `turn`, `finish` and `look`, without waiting.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from dohyo.core.cheap_random import match_seed
from dohyo.core.flat import Layout, flat
from dohyo.sim.kernels import answer_of, kernel, rows
from dohyo.sim.one_seat import lead_in_span, mask_span, until_asked
from dohyo.sim.turns import Games, begin, is_allowed, mover_of
from dohyo.sim.turns import play as play_turn

# Names that are left open here, and supplied when it is compiled.
cuda: Any = None
acts: Any = None
observe: Any = None
places: Any = None
payoffs: Any = None
potentials: Any = None
scores: Any = None
DISCOUNT: Any = None
SHAPED: Any = None  # 1 where each step pays what it adds to a potential
SCORED: Any = None  # 1 in a game with points
ACTIONS: Any = None
ALTERNATING: Any = None
SEATS: Any = None
INSIDE: Any = None  # 1 where opponents are policies that play inside
SIZE: Any = None  # numbers in what a seat sees

NEXT_STEP, SAME_STEP, DISABLED = 0, 1, 2  # when an episode that has ended gives way, as Gymnasium calls it
NOT_PLAYABLE, NEVER_ASKED = 1, 2  # why an episode is stuck

EPISODE = Layout(
    "Episode",
    ("steps", "i8", 0),  # the learner's decisions in this match
    ("left", "i8", 0),  # 1: it has an action that was not played yet
    ("action", "i8", 0),
    ("promised", "f8", 0),  # the learner's potential when it decided
    ("closed", "i8", 0),  # 1: the match has ended in this step
    ("over", "i8", 0),  # 1: that was told; it waits for the next match
    ("fresh", "i8", 0),  # 1: the match has begun in this step
    ("stuck", "i8", 0),  # why nothing moves here until the host has noticed; 0: it does
)


class Learners(NamedTuple):
    """The seats that the caller plays, one a slot, and what is kept of them."""

    seats: Any  # (n,)
    episodes: Any  # (n,) records, see `EPISODE`
    flag: Any  # 1: the host has to look here
    everywhere: Any  # (n,) of True


class StepResults(NamedTuple):
    """What a step tells, and what it is told by."""

    rewards: Any  # (n,)
    ends: Any  # (3, n) bool: terminated, truncated, either
    ranks: Any  # (n, seats): places of a match that has ended
    points: Any  # (n, seats): its points, in a game with some
    reasons: Any  # (n,)
    seen: Any  # (n, SIZE)
    mask: Any  # (n, ACTIONS)
    seeds: Any  # (n,)
    known: Any  # (n, 2) seeds that were given, and of which game
    last: Any  # what was seen, and could be done, when an episode ended that gave way to the next one
    last_mask: Any


# --- what happens to one game ---------------------------------------------------------------------------------------


@flat
def take_action(at: int, games: Games, learners: Learners, given: Any, scratch: Any, faulty: int) -> None:
    """Take the learner's action, if it is asked; the game's own answer in the place of an illegal one if `faulty`."""
    s, episode, seat = games.states[at], learners.episodes[at], learners.seats[at]
    if SHAPED and games.slots[at].ended == 0:
        episode.promised = potential_of(s, seat, scratch)
    if episode.over or episode.stuck or episode.closed or not acts(s, seat):
        return
    action = given[at]
    is_action = 0 <= action < ACTIONS
    episode.action = action
    if is_action and is_allowed(s, seat, action, scratch, 0):
        episode.left = 1
    elif is_action and faulty:
        episode.action = answer_of(s, seat, scratch.options)
        episode.left = 1
    else:
        episode.stuck = NOT_PLAYABLE
        learners.flag[0] = 1


@flat
def potential_of(s: Any, seat: int, scratch: Any) -> float:
    """What a state promises to a seat."""
    potentials(s, SEATS, scratch.ranks, scratch.points)
    return scratch.points[seat]  # type: ignore[no-any-return]


@flat
def mask_of(at: int, games: Games, learners: Learners, mask: Any, scratch: Any) -> None:
    """Write what the learner may do."""
    mask_span(at, at + 1, games, (scratch,), learners.seats, mask)


@flat
def tell(
    at: int, is_over: bool, games: Games, learners: Learners, told: StepResults, scratch: Any, most_steps: int
) -> None:
    """Say how the step has ended."""
    s, episode, learner = games.states[at], learners.episodes[at], learners.seats[at]
    told.rewards[at] = 0.0
    for k in range(3):
        told.ends[k, at] = False
    told.reasons[at] = 0
    for seat in range(SEATS):
        told.ranks[at, seat] = 0
        told.points[at, seat] = 0.0
    if episode.over or episode.stuck:
        return
    episode.steps += 1
    if SHAPED:
        now = 0.0 if is_over else DISCOUNT * potential_of(s, learner, scratch)
        told.rewards[at] = now - episode.promised
    if is_over:
        told.ends[0, at] = True
        tell_end(at, games, learners, told, scratch)
    elif most_steps > 0 and episode.steps >= most_steps:
        told.ends[1, at] = True
        mask_of(at, games, learners, told.mask, scratch)  # what could have been done
    else:
        return
    told.ends[2, at] = True
    episode.over = 1
    games.slots[at].game += 1
    games.slots[at].ended = 1


@flat
def tell_end(at: int, games: Games, learners: Learners, told: StepResults, scratch: Any) -> None:
    """Say how a match has ended, and add what that is worth."""
    s = games.states[at]
    told.reasons[at] = places(s, scratch.ranks)
    payoffs(s, SEATS, scratch.ranks, scratch.points)
    told.rewards[at] += scratch.points[learners.seats[at]]
    if SCORED:
        scores(s, scratch.points)
    for seat in range(SEATS):
        told.ranks[at, seat] = scratch.ranks[seat]
        if SCORED:
            told.points[at, seat] = scratch.points[seat]


@flat
def lead_in(at: int, games: Games, learners: Learners, scratch: Any) -> None:
    """A match has begun: note that, and where opponents are inside, play on until the learner is asked."""
    episode = learners.episodes[at]
    episode.over = 0
    episode.steps = 0
    episode.left = 0
    episode.closed = 0
    episode.fresh = 1
    if INSIDE and lead_in_span(at, at + 1, games, (scratch,), learners.everywhere, learners.seats):
        episode.stuck = NEVER_ASKED
        learners.flag[0] = 1


@flat
def show(at: int, games: Games, learners: Learners, told: StepResults, scratch: Any) -> None:
    """Write what the learner sees and may do, and its match's seed."""
    observe(games.states[at], learners.seats[at], told.seen[at])
    mask_of(at, games, learners, told.mask, scratch)
    game = games.slots[at].game - games.slots[at].ended
    known = told.known[at, 1] == game
    told.seeds[at] = told.known[at, 0] if known else match_seed(games.low, games.high, at, game)


@flat
def finish_one(
    at: int,
    was_over: int,
    is_over: bool,
    games: Games,
    learners: Learners,
    told: StepResults,
    scratch: Any,
    most_steps: int,
    way: int,
) -> None:
    """What follows in a slot when all have moved: the step is told, and the next match may begin."""
    learners.episodes[at].fresh = 0
    tell(at, is_over, games, learners, told, scratch, most_steps)
    if was_over == 0:
        if told.ends[1, at]:
            observe(games.states[at], learners.seats[at], told.seen[at])
        else:
            show(at, games, learners, told, scratch)
    if way == SAME_STEP and told.ends[2, at]:
        for k in range(SIZE):
            told.last[at, k] = told.seen[at, k]
        for k in range(ACTIONS):
            told.last_mask[at, k] = told.mask[at, k]
    if (way == SAME_STEP and told.ends[2, at]) or (way == NEXT_STEP and was_over):
        begin(at, games, scratch.dice)
        lead_in(at, games, learners, scratch)
        if INSIDE:
            show(at, games, learners, told, scratch)


# --- kernels ------------------------------------------------------------------------------------------------------


@kernel
def play(
    games: Games, learners: Learners, told: StepResults, given: Any, most_steps: int, faulty: int, way: int
) -> None:
    """A whole step, opponents included."""
    at = cuda.grid(1)
    if at >= len(games.states):
        return
    scratch = rows()
    episode = learners.episodes[at]
    was_over = episode.over
    is_over = False
    take_action(at, games, learners, given, scratch, faulty)
    if episode.left:
        episode.left = 0
        is_over = until_asked(at, games, scratch, SEATS, learners.seats[at], episode.action, 1)
    finish_one(at, was_over, is_over, games, learners, told, scratch, most_steps, way)


@kernel
def open_matches(games: Games, learners: Learners, told: StepResults, which: Any) -> None:
    """In slots of `which` the batch has begun a match."""
    at = cuda.grid(1)
    if at < len(games.states) and which[at]:
        scratch = rows()
        learners.episodes[at].stuck = 0
        lead_in(at, games, learners, scratch)
        if INSIDE:
            show(at, games, learners, told, scratch)


# --- kernels between which networks are asked ----------------------------------------------------------------------


@flat
def plays_on(at: int, games: Games, learners: Learners) -> bool:
    """Whether there is something to play in this slot before the learner is asked."""
    episode = learners.episodes[at]
    if episode.over or episode.stuck or episode.closed or games.slots[at].ended:
        return False
    return episode.left == 1 or not acts(games.states[at], learners.seats[at])


@kernel
def receive(games: Games, learners: Learners, given: Any, was_over: Any, faulty: int) -> None:
    """The learner's actions come in."""
    at = cuda.grid(1)
    if at < len(games.states):
        was_over[at] = learners.episodes[at].over
        learners.episodes[at].fresh = 0
        take_action(at, games, learners, given, rows(), faulty)


@flat
def seat_of(at: int, place: int, games: Games, learners: Learners) -> int:
    """The seat so many places behind the learner's; with -1 the mover's."""
    return mover_of(games.states[at], SEATS) if place < 0 else (learners.seats[at] + 1 + place) % SEATS


@kernel
def see(games: Games, learners: Learners, seats: Any, seen: Any, mask: Any, place: int) -> None:
    """Write what an opponent sees and may do, and to `seats` which one it is, or -1 where none is asked.

    There, all actions stand as allowed: a network that draws one of them must not fail.
    """
    at = cuda.grid(1)
    if at >= len(games.states):
        return
    seat = seat_of(at, place, games, learners)
    is_asked = plays_on(at, games, learners) and seat != learners.seats[at] and acts(games.states[at], seat)
    seats[at] = seat if is_asked else -1
    if is_asked:
        observe(games.states[at], seat, seen[at])
        mask_span(at, at + 1, games, (rows(),), seats, mask)
    else:
        for action in range(ACTIONS):
            mask[at, action] = 1


@kernel
def answer(learners: Learners, seats: Any, answers: Any, proposed: Any, place: int) -> None:
    """Note the answers of one that plays the seat so many places behind the learner's; with -1 all seats."""
    at = cuda.grid(1)
    if at < len(seats) and seats[at] >= 0 and (place < 0 or (learners.seats[at] + 1 + place) % SEATS == seats[at]):
        proposed[at, seats[at]] = answers[at]


@kernel
def turn(games: Games, learners: Learners, proposed: Any, learners_alone: int) -> None:
    """Play one turn where something is to be played; only those of learners, if they are `learners_alone`."""
    at = cuda.grid(1)
    if at >= len(games.states) or not plays_on(at, games, learners):
        return
    s, slot, episode, learner = games.states[at], games.slots[at], learners.episodes[at], learners.seats[at]
    if learners_alone and episode.left == 0:
        return
    scratch = rows()
    for seat in range(SEATS):
        if acts(s, seat):
            action = episode.action if seat == learner else proposed[at, seat]
            if seat != learner and not is_allowed(s, seat, action, scratch, 0):
                action = answer_of(s, seat, scratch.options)
            scratch.actions[seat] = action
    episode.left = 0
    if play_turn(s, games.sources[at], slot, scratch.dice, scratch.actions):
        if episode.fresh:
            slot.game += 1
            begin(at, games, scratch.dice)
        else:
            episode.closed = 1


@kernel
def finish(games: Games, learners: Learners, told: StepResults, was_over: Any, most_steps: int, way: int) -> None:
    """All have moved."""
    at = cuda.grid(1)
    if at >= len(games.states):
        return
    is_over = learners.episodes[at].closed == 1
    learners.episodes[at].closed = 0
    finish_one(at, was_over[at], is_over, games, learners, told, rows(), most_steps, way)


@kernel
def look(games: Games, learners: Learners, told: StepResults) -> None:
    """Show what learners see in matches that have begun."""
    at = cuda.grid(1)
    if at < len(games.states) and learners.episodes[at].fresh:
        show(at, games, learners, told, rows())


@kernel
def scale_rows(seen: Any, scale: Any, out: Any) -> None:
    """Write each number of `seen` (n, size) times that of `scale` (size,) to `out`: a thread each."""
    at = cuda.grid(1)
    size = len(scale)
    if at < len(seen) * size:
        out[at // size, at % size] = seen[at // size, at % size] * scale[at % size]
