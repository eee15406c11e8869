"""The compiled loops of one game on the processor's cores, and the threads that run them over spans of slots."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from copy import copy
from functools import cache
from itertools import pairwise
from typing import Any

from dohyo.core.cheap_random import match_seed
from dohyo.core.flat import flat
from dohyo.core.game import Game, Rules, Turns
from dohyo.core.policies import Field, room_of
from dohyo.core.rewards import Rewards
from dohyo.sim import records, turns
from dohyo.sim.turns import Games
from dohyo.sim.whole_program import CompiledLoop, compile_loops

Policy = Callable[..., int]

SPANS_A_THREAD = 16  # at most, so that a thread that loses its core does not delay the others for long
PLAIN_TURNS = 100_000_000  # of random play in a process: they take as long as it takes to compile them in lanes
TURNS_A_SPAN = 8000  # at least: fewer cost less than handing them to another thread


class RandomPlay:
    """The loop of random play: the plain one, and that of `dohyo.sim.lanes` once it pays to compile it."""

    def __init__(self, plain: CompiledLoop, game: Game, parts: dict[str, Any]) -> None:
        """`parts` stand for the names that the plain loop leaves open."""
        self._plain, self._game, self._parts = plain, game, parts
        self._left = PLAIN_TURNS
        self._found: CompiledLoop | None = None

    def loop(self, turns_ahead: int) -> CompiledLoop:
        """The loop for so many turns that follow."""
        self._left -= turns_ahead
        if self._left > 0:
            return self._plain
        if self._found is None:
            from dohyo.sim.lanes import in_lanes

            self._found = in_lanes(self._plain, self._game, self._parts) or self._plain
        return self._found


class Loops:
    """A game's loops. Those for observations and for policies are compiled when they are first asked for.

    Steps are there in what `paying` returns: `step`, `step_and_look`.
    """

    step: Any
    promise: Any
    shape: Any
    _looks: dict[tuple[bool, bool], Any]
    _pays: dict[str, Any]

    def __init__(self, game: Game) -> None:
        """Raises `OperatorError` where the extra `fast` is not installed."""
        self._game = game
        self._parts = parts_of(game)
        loops: list[Callable[..., Any]] = [
            turns.begin_span,
            turns.begin_each_span,
            turns.find_illegal,
            turns.acting_span,
            turns.legal_span,
            turns.sample_span,
        ]
        found = compile_loops(loops, self._parts)
        self.begin, self.begin_each, self.find_illegal, self.acting, self.legal, self.sample = found
        self._rolls: dict[tuple[Policy, ...], Any] = {}
        self._choices: dict[Policy, Any] = {}
        self._observe: Any = None

    def paying(self, rewards: Rewards) -> Loops:
        """These loops, with those of steps that end in these rewards; `promise` and `shape` are for paid steps."""
        twin = copy(self)
        twin._looks = {}
        twin._pays = {**self._parts, "payoffs": rewards.payoffs}
        (twin.step,) = twin._paid(turns.step_span)
        if rewards.is_shaped:
            promised = {**self._parts, "potentials": rewards.potentials}
            twin.promise, twin.shape = compile_loops([turns.promise_span, turns.shape_span], promised)
        return twin

    def _paid(self, *loops: Callable[..., Any], **more: Any) -> list[Any]:
        return compile_loops(loops, {**self._pays, **more})

    def roll(self, policies: tuple[Policy, ...], turns_ahead: int = 0) -> Any:
        """The loop of rollouts by these policies: one for all seats, or one a seat (the last for all that follow).

        So many turns are to be played by it. Raises what `policy_parts` raises.
        """
        if policies not in self._rolls:
            parts, own = policy_parts(self._game, policies)
            room = room_of(*policies)
            (made,) = compile_loops([turns.roll_span], {**self._parts, **parts}, own, room, apart=True)
            is_random = policies == (turns.uniform_legal,)
            self._rolls[policies] = RandomPlay(made, self._game, {**self._parts, **parts}) if is_random else made
        found = self._rolls[policies]
        return found.loop(turns_ahead) if isinstance(found, RandomPlay) else found

    def choose(self, policy: Policy) -> Any:
        """The loop of a policy's decisions. Raises what `policy_parts` raises."""
        if policy not in self._choices:
            parts, _ = policy_parts(self._game, (policy,))
            (self._choices[policy],) = compile_loops([turns.choose_span], parts, (), room_of(policy))
        return self._choices[policy]

    def step_and_look(self, observing: bool, masking: bool) -> Any:
        """The loop of a step that also says what is seen, or what is legal, or both.

        Raises `ValueError` for an observation of a game that has none.
        """
        if (observing, masking) not in self._looks:
            parts = observation_parts(self._game) if observing else {"observe": nothing_seen}
            (self._looks[observing, masking],) = self._paid(turns.step_and_look_span, **parts)
        return self._looks[observing, masking]

    def observe(self) -> Any:
        """The loop of observations. Raises `ValueError` for a game that does not say what a learner sees."""
        if self._observe is None:
            (self._observe,) = compile_loops([turns.observe_span], observation_parts(self._game))
        return self._observe


def parts_of(game: Game) -> dict[str, Any]:
    """What stands for the rules' names in `turns`, and for its constants."""
    parts: dict[str, Any] = {name: getattr(game.rules, name) for name in turns.RULES}
    parts["reseed"] = game.rules.reseed
    parts["SEATS"] = always(game)
    parts["ACTIONS"] = game.rules.ACTIONS
    parts["ALTERNATING"] = int(game.turns is Turns.ALTERNATING)
    return parts


def pay_parts(rewards: Rewards) -> dict[str, Any]:
    """What stands for the names in `turns` of what is paid."""
    return {"payoffs": rewards.payoffs, "potentials": rewards.potentials}


def always(game: Game) -> int:
    """How many seats always play the game; 0 of one that is played by different numbers."""
    return game.seats[0] if game.seats[0] == game.seats[1] else 0


def policy_parts(
    game: Game, policies: tuple[Policy, ...], roomy_luck: Policy = turns.roomy_luck
) -> tuple[dict[str, Any], list[Policy]]:
    """What stands for the policies' names in `turns`, and the function there that tells seats apart, where needed.

    `roomy_luck` gives policies what they think in, if they want that.

    Raises `TypeError` for a policy that is not flat, `ValueError` for more than can be told apart.
    """
    if not policies or not all(getattr(one, "__flat__", False) for one in policies):
        raise TypeError("a policy is a function that bears the mark `flat` of dohyo.core.flat")
    if policies == (turns.uniform_legal,):
        return any_legal_parts(game), []
    luck_of = roomy_luck if room_of(*policies) else turns.slots_luck
    listed: dict[str, Any] = {"candidates": game.rules.legal, "taken": turns.within, "luck_of": luck_of}
    if len(policies) == 1:
        return {**listed, "policy": policies[0]}, []
    if len(policies) > turns.TOLD_APART:
        raise ValueError(f"at most {turns.TOLD_APART} policies can be told apart by seat")
    parts: dict[str, Any] = {**listed, "policy": turns.by_seat}
    for seat in range(turns.TOLD_APART):
        parts[f"policy_{seat}"] = policies[min(seat, len(policies) - 1)]
    return parts, [turns.by_seat]


def any_legal_parts(game: Game) -> dict[str, Any]:
    """What stands for these names where every legal action is as likely: none is listed that is not taken."""
    listed = {"candidates": game.rules.count_legal, "taken": game.rules.kth_legal, "luck_of": turns.slots_luck}
    return {**listed, "policy": turns.any_place}


@flat
def nothing_seen(s: Any, seat: int, out: Any) -> None:
    """What stands for an observation where none is wanted; it is never called."""


def observation_parts(game: Game) -> dict[str, Any]:
    """What stands for the names in the loop of observations. Raises `ValueError` for one that has none."""
    if game.observation is None:
        raise ValueError(f"{game.name} does not say what a learner sees: its GAME has no observation")
    return {"observe": game.observation.observe, "acts": game.rules.acts, "SEATS": always(game)}


def scratch_rows(rules: Rules, seats: int, room: Sequence[Field] = ()) -> Any:
    """Rows for one thread, a record array of shape (1,); `room` are fields that its policies think in."""
    rows = records.blank(turns.scratch_layout(rules, seats, room), 1)
    rows["conceded"][0, list(rules.CONCESSIONS)] = 1
    return rows


@cache
def made_of(game_identity: int) -> dict[Hashable, tuple[Game, Any]]:
    """What was made for a game in this process, by `once`."""
    return {}


def once(game: Game, key: Hashable, make: Callable[[], Any]) -> Any:
    """What `make` returns for this game and key, made once in this process."""
    found = made_of(id(game))
    if key not in found:
        found[key] = game, make()  # with the game, so that its identity is never given to another
    return found[key][1]


class Cores:
    """Where a batch's games are, and what plays them: arrays in NumPy's memory, and loops over the spans of `count`
    slots, by `threads` threads where that pays."""

    def __init__(self, game: Game, count: int, rewards: Rewards, threads: int, illegal: str, renew: bool) -> None:
        """`illegal` and `renew` are those of `BatchMatch`.

        Raises `OperatorError` where the extra `fast` is not installed.
        """
        loops: Loops = once(game, Loops, lambda: Loops(game))
        self.loops: Loops = once(game, (Loops, rewards.key), lambda: loops.paying(rewards))
        self._rewards = rewards
        self.rows_of_wins = count
        self._game = game
        self._count = count
        self._threads = threads
        self._illegal, self._renew = illegal, renew
        # As wide as the game may ever need: what is compiled for one number of seats then fits every other.
        self._scratch = [scratch_rows(game.rules, game.seats[1]) for _ in range(threads)]
        self._promised = self.zeros((count, rewards.seats if rewards.is_shaped else 0), "f8")
        self._discount = self.array(records.row(rewards.discount))
        self._known = len(self._scratch[0]["conceded"][0])  # numbers below it are actions, or accepted as such
        self._calls: dict[tuple[Any, int], tuple[Any, Any]] = {}  # the loop of each thread, and its rows
        self._wrong = self.zeros((count, rewards.seats), "?")  # who acts against the rules

    def again(self, count: int) -> Cores:
        """Another place like this, for a batch of so many of its game's games."""
        return Cores(self._game, count, self._rewards, self._threads, self._illegal, self._renew)

    # --- running

    def run(self, loop: Any, games: Games, *rest: Any, turns_a_slot: int = 1) -> int:
        """Run `loop(first, last, games, scratch, *rest)` over all slots; the sum of what it returns.

        `scratch` are a thread's own rows; `turns_a_slot` is about how many turns it plays in each slot.
        """
        if isinstance(loop, CompiledLoop) and hasattr(loop, "plain") and self._count < self._threads * loop.together:
            loop = loop.plain  # not every thread had as many as play together
        together, least = getattr(loop, "together", 1), TURNS_A_SPAN * getattr(loop, "times_as_fast", 1)
        spans = min(self._threads * SPANS_A_THREAD, self._count * turns_a_slot // least, self._count)
        if self._threads == 1 or spans < self._threads:
            return self._one(loop, 0, self._count, games, rest, 0)
        bounds = [self._count * k // spans // together * together for k in range(spans)] + [self._count]
        taken = iter(list(pairwise(bounds)))  # each span by whoever comes first
        pool = _pool(self._threads - 1)
        others = [pool.submit(self._some, loop, taken, games, rest, k) for k in range(1, self._threads)]
        try:
            own = self._some(loop, taken, games, rest, 0)
            return own + sum(part.result() for part in others if not part.cancel())  # it may not have begun yet
        finally:  # whatever happened, no thread uses these arrays any more when this returns
            for _ in taken:
                pass
            for part in others:
                part.cancel()
            wait(others)

    def _some(self, loop: Any, taken: Iterator[tuple[int, int]], games: Games, rest: Sequence[Any], k: int) -> int:
        """Run it over spans as long as there are some that nobody has taken; the sum of what it returns."""
        return sum(self._one(loop, first, last, games, rest, k) for first, last in taken)

    def _one(self, loop: Any, first: int, last: int, games: Games, rest: Sequence[Any], k: int) -> int:
        """Run it over one span, as thread number `k`."""
        if (loop, k) not in self._calls:
            is_whole, room = isinstance(loop, CompiledLoop), getattr(loop, "room", ())
            rows = scratch_rows(self._game.rules, self._game.seats[1], room) if room else self._scratch[k]
            self._calls[loop, k] = loop.of_one_thread() if is_whole else loop, rows
        call, rows = self._calls[loop, k]
        return call(first, last, games, rows, *rest) or 0

    def is_within(self, given: Any) -> bool:
        """Whether all these numbers are actions, or are accepted as such."""
        return bool(given.view("u8").max() < self._known)  # negative numbers are large ones there

    def step(self, games: Games, given: Any, seen: Any, mask: Any, answered: Callable[[Any, Any], Any]) -> None:
        """Play a turn in every game, as `BatchMatch.step` says.

        `answered(wrong, given)` replaces actions against the rules by the game's answers, or raises an error.
        """
        trusts = self._illegal == "trust"
        trusted = trusts and self.is_within(given)
        if not trusted and self.run(self.loops.find_illegal, games, given, self._wrong, int(trusts)):
            given = answered(self._wrong, given)
        if seen is not None or mask is not None:
            loop = self.loops.step_and_look(seen is not None, mask is not None)
            self.run(loop, games, given, seen, mask, int(self._renew))
        else:
            self.run(self.loops.step, games, given, int(self._renew))

    def promise(self, games: Games) -> None:
        """Note the potentials of all seats, before a step, where steps are paid."""
        if self._rewards.is_shaped:
            self.run(self.loops.promise, games, self._promised)

    def shape(self, games: Games) -> None:
        """Pay what a step has added to the potentials noted before it, where steps are paid."""
        if self._rewards.is_shaped:
            self.run(self.loops.shape, games, self._promised, self._discount)

    def has_refused(self, wait: bool) -> bool:
        """Whether a step that came back has met an action that it may not play: here it would have raised that."""
        return False

    def seeds_of(self, games: Games, which: Any, given: Any) -> Any:
        """The seeds of the matches in these slots, and the numbers of their games: an array (k, 2).

        `given` has such a row for each slot, for seeds that were given; other games' numbers are not those of the
        slots.
        """
        slots = games.slots[which]
        numbers = slots["game"] - slots["ended"]
        found = records.zeros((len(which), 2), "i8")
        for k, (at, number) in enumerate(zip(which.tolist(), numbers.tolist(), strict=True)):
            is_given = given[at, 1] == number
            found[k] = given[at, 0] if is_given else match_seed(games.low, games.high, at, number), number
        return found

    # --- arrays: a batch asks for them here, because another place has others than NumPy's

    def array(self, values: Any) -> Any:
        """A NumPy array's values, as an array of this place."""
        return records.placed(values)

    def fetch(self, array: Any) -> Any:
        """The values of an array of this place, as one of NumPy."""
        return array

    def zeros(self, shape: tuple[int, ...], kind: str) -> Any:
        """An array of zeros, which JAX can share."""
        return records.zeros(shape, kind)

    def empty(self, shape: tuple[int, ...], kind: str) -> Any:
        """An array that will be filled, which JAX can share."""
        return records.zeros(shape, kind)

    def copy(self, array: Any) -> Any:
        """An array of the same values."""
        return records.copy(array)

    def write(self, array: Any, values: Any) -> None:
        """Give an array other values, in the same memory."""
        array[...] = values

    def take_rows(self, array: Any, come: Any) -> Any:
        """An array of these rows of one."""
        return records.rows(array, come)

    def put_rows(self, array: Any, go: Any, rows: Any) -> None:
        """Write rows to these places of an array."""
        array[go] = rows

    def one(self, array: Any, at: int) -> Any:
        """A NumPy array of one: the record at this place."""
        return array[at : at + 1].copy()

    def put(self, array: Any, at: int, one: Any) -> None:
        """Write a record, in a NumPy array of one, to this place."""
        array[at : at + 1] = one

    def is_array(self, value: Any) -> bool:
        """Whether this is an array in the memory of this place."""
        import numpy

        return isinstance(value, numpy.ndarray)

    def view(self, array: Any) -> Any:
        """An array of somebody's in the memory of this place, as one of ours on the same memory."""
        return array

    def is_whole(self, array: Any) -> bool:
        """Whether it can be written, and its rows lie one after the other."""
        return bool(array.flags.c_contiguous and array.flags.writeable)

    def rows(self, given: Any) -> Any:
        """Whole numbers of a caller, (n,) or (n, k), as rows of int64."""
        import numpy

        return numpy.ascontiguousarray(given.reshape(self._count, -1), numpy.int64)


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """So many threads, for all batches of this process, beside those that call."""
    return ThreadPoolExecutor(threads, "dohyo-batch")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # threads stay behind in the parent


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
