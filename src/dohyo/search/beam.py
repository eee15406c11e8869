"""Beam search: one seat's plan over several of its own turns.

A layer holds the `width` best states after a number of own turns, and for each the first action of its plan. The next
layer is made from it: for every option of every state, the others act by their policy, with dice of the search's own.
The search does not look for the others' best actions: `dohyo.search.tree` does that. Its functions are written in the
rules' common language.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from dohyo.core.cheap_random import LUCK, below, mixed
from dohyo.core.flat import MASK32, Layout, flat
from dohyo.core.game import Game, State
from dohyo.core.policies import room_of
from dohyo.core.rewards import PLACE, Payoff, rewards_at_end
from dohyo.search.backend import Function, field, parts_of, put_field, workspace_of
from dohyo.search.playout import AHEAD, go_on, worth
from dohyo.search.uct import Choice, Option, Searcher, choice_of

acts: Any = None
legal: Any = None
over: Any = None
policy: Any = None
candidates: Any = None
taken: Any = None
put: Any = None

NONE = -1
PATIENCE = 64  # turns of others between two own ones, at most: a seat that never acts again would wait for ever


def layer_layout(width: int) -> Layout:
    """The fields of a layer; its states are a row beside it."""
    return Layout(
        "Layer",
        ("count", "i8", 0),  # how many states there are
        ("worst", "i8", 0),  # the place of the worst
        ("first", "i8", width),  # by state: the action that the plan begins with
        ("value", "f8", width),  # by state: how good it is for the seat
    )


@flat
def begin(worlds: Any, at: int, layer: Any, own: Any) -> None:
    """Make a layer of one world alone, before the plan's first action."""
    layer.count = 0
    layer.worst = 0
    put(own, 0, worlds, at)
    layer.first[0] = NONE
    layer.value[0] = 0.0
    layer.count = 1


@flat
def widen(
    before: Any, befores: Any, at: int, after: Any, afters: Any, states: Any, source: Any, scratch: Any, seat: int
) -> None:
    """Put what can follow on one state of a layer into the next layer; `befores` and `afters` are their states."""
    if at >= before.count:
        return
    count = 0
    if not over(befores[at]) and acts(befores[at], seat):
        count = legal(befores[at], seat, scratch.own)
    for i in range(count):
        put(states, AHEAD, befores, at)
        s = states[AHEAD]
        play_own_turn(s, source, scratch, seat, scratch.own[i])
        first = before.first[at]
        if first == NONE:
            first = scratch.own[i]
        keep(after, afters, states, first, worth(s, seat, scratch))
    if count == 0 and before.first[at] != NONE:  # the plan ends here, and is as good as it is
        put(states, AHEAD, befores, at)
        keep(after, afters, states, before.first[at], before.value[at])


@flat
def play_own_turn(s: Any, source: Any, scratch: Any, seat: int, action: int) -> None:
    """Play the seat's action, and what others do until it acts again."""
    answer(s, scratch, seat)
    scratch.actions[seat] = action
    go_on(s, source, scratch)
    for _ in range(PATIENCE):
        if over(s) or acts(s, seat):
            break
        answer(s, scratch, seat)
        go_on(s, source, scratch)


@flat
def answer(s: Any, scratch: Any, seat: int) -> None:
    """Lay down the others' actions, by their policy."""
    for other in range(scratch.seats):
        if other != seat and acts(s, other):
            count = candidates(s, other, scratch.options)
            said = policy(s, other, scratch.options, count, scratch)
            scratch.actions[other] = taken(s, other, said, scratch.options)


@flat
def keep(layer: Any, own: Any, states: Any, first: int, worth_it: float) -> None:
    """Take the state that lies ahead into a layer, if there is room, or it is better than the worst there."""
    at = layer.count
    if at == 0:
        layer.worst = 0
    if at < len(layer.value):
        layer.count = at + 1
    elif worth_it > layer.value[layer.worst]:
        at = layer.worst
    else:
        return
    put(own, at, states, AHEAD)
    layer.first[at] = first
    layer.value[at] = worth_it
    worst = 0
    for i in range(layer.count):
        if layer.value[i] < layer.value[worst]:
            worst = i
    layer.worst = worst


class Beam(Searcher):
    """A plan of one seat over `depth` own turns; in each turn the `width` best partial plans are kept.

    `Search` explains `value`, `policy`, `moves` and `reward`; a good `value` matters more here than there. Others act
    by `policy` between the seat's turns. Plans are made for one world and one roll of the dice after another, until
    the time is up. The search chooses the action that begins the largest number of best plans. A playout is a whole
    plan; an option's visits are the number of best plans that it began, its value is their average value.

    Raises what `Search` raises.
    """

    def __init__(
        self,
        game: Game,
        seats: int,
        *,
        compiled: bool = False,
        value: Function | None = None,
        policy: Function | None = None,
        moves: Function | None = None,
        width: int = 16,
        depth: int = 6,
        seed: int = 0,
        reward: Payoff = PLACE,
    ) -> None:
        if width < 1 or depth < 1:
            raise ValueError("a beam is at least 1 wide and 1 deep")
        super().__init__(game, seats, compiled, moves)
        self.depth = depth
        parts = parts_of(game, seats, value, policy, moves, rewards=rewards_at_end(game, seats, reward))
        by_places = int(value is None)
        self._workspace = workspace_of(self._backend, game, seats, seed, room=room_of(policy), by_places=by_places)
        self._luck = LUCK.new()
        self._luck.word = mixed(seed & MASK32)
        self._now, self._next = self._layer(width), self._layer(width)
        self._begin: Callable[..., None] = self._backend.over(self._layout, begin, parts)
        self._widen: Callable[..., None] = self._backend.over(self._layout, widen, parts)
        self._widen(
            *self._now, 0, *self._next, *self._workspace, 0
        )  # compiles only: a layer without states has nothing to extend
        self._begin(self._backend.blank(self._layout, 1), 0, *self._now)

    def _layer(self, width: int) -> tuple[Any, Any]:
        """A layer, and its states."""
        return self._backend.blank(layer_layout(width), 1)[0], self._backend.blank(self._layout, width)

    def _choice(
        self, worlds: Iterable[State], seat: int, options: list[int], end: float, playouts: int | None
    ) -> Choice:
        possible = self._worlds(worlds)
        begun: dict[int, list[float]] = {}
        done = 0
        while (playouts is None or done < playouts) and (not done or time.monotonic() < end):
            best = self._plan(possible, seat, end, first=not done)
            if best is not None:
                begun.setdefault(best[0], []).append(best[1])
            done += 1
        found = [Option(action, len(values), sum(values) / len(values)) for action, values in begun.items()]
        return choice_of(found, options, done)

    def _plan(self, worlds: Any, seat: int, end: float, first: bool) -> tuple[int, float] | None:
        """The first action and the value of the best plan; none if the time was up, unless it is the first plan."""
        self._begin(worlds, below(self._luck, len(worlds)), *self._now)
        for layer in range(self.depth):
            put_field(self._next[0], "count", 0)
            for at in range(int(field(self._now[0], "count"))):
                if time.monotonic() >= end and not (first and layer == 0):
                    return self._best() if first else None
                self._widen(*self._now, at, *self._next, *self._workspace, seat)
            if field(self._next[0], "count") == 0:
                break
            self._now, self._next = self._next, self._now
        return self._best()

    def _best(self) -> tuple[int, float] | None:
        """The best plan of the last complete layer."""
        layer = self._now[0]
        value, first = field(layer, "value"), field(layer, "first")
        at = max(range(int(field(layer, "count"))), key=lambda place: float(value[place]))
        return (int(first[at]), float(value[at])) if first[at] != NONE else None
