"""Beam search as bots call it. The search itself is `dohyo.search.beam`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from dohyo.core import flat
from dohyo.core.cheap_random import LUCK, below, mixed
from dohyo.core.flat import MASK32
from dohyo.core.game import Game, State
from dohyo.search import beam
from dohyo.search.backend import Function, PlainBackend, field, parts_of, put_field, whole, workspace_of
from dohyo.search.of_program import backend_of
from dohyo.search.uct import Choice, Option, choice_of, end_of


class Beam:
    """A plan of one seat over `depth` own turns; in each turn the `width` best partial plans are kept.

    `Search` explains `value`, `policy` and `moves`; a good `value` matters more here than there. Others act by
    `policy` between the seat's turns. Plans are made for one world and one roll of the dice after another, until the
    time is up. The search chooses the action that begins the largest number of best plans.

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
    ) -> None:
        if width < 1 or depth < 1:
            raise ValueError("a beam is at least 1 wide and 1 deep")
        self.game, self.seats, self.depth = game, seats, depth
        self._layout = game.rules.LAYOUT
        self._backend = backend_of(compiled)
        self.compiled = not isinstance(self._backend, PlainBackend)  # a build may have given up
        parts = parts_of(game, seats, value, policy, moves)
        self._workspace = workspace_of(self._backend, game, seats, seed, by_places=int(value is None))
        self._luck = LUCK.new()
        self._luck.word = mixed(seed & MASK32)
        self._now, self._next = self._layer(width), self._layer(width)
        self._legal = moves or game.rules.legal
        self._begin: Callable[..., None] = self._backend.over(self._layout, beam.begin, parts)
        self._widen: Callable[..., None] = self._backend.over(self._layout, beam.widen, parts)
        self._widen(
            *self._now, 0, *self._next, *self._workspace, 0
        )  # compiles only: a layer without states has nothing to extend
        self._begin(self._backend.blank(self._layout, 1), 0, *self._now)

    def _layer(self, width: int) -> tuple[Any, Any]:
        """A layer, and its states."""
        return self._backend.blank(beam.layer_layout(width), 1)[0], self._backend.blank(self._layout, width)

    def choose(
        self,
        state: State,
        seat: int,
        *,
        seconds: float | None = None,
        playouts: int | None = None,
        worlds: Iterable[State] | None = None,
        until: float | None = None,
    ) -> Choice:
        """What the seat should do; see `Search.choose`. A playout is a whole plan here.

        An option's visits are the number of best plans that it began, its value is their average value.
        """
        end = end_of(seconds, until, playouts)
        options = flat.row_of(self.game.rules.ACTIONS)
        count = self._legal(state, seat, options) if self.game.rules.acts(state, seat) else 0
        if count == 0:
            raise ValueError(f"seat {seat} has nothing to decide here")
        if count == 1:
            return Choice(options[0], 0, 0.0, 0)
        given = whole(self._backend, self.game, self.seats, [state] if worlds is None else worlds)
        possible = self._backend.worlds(self._layout, given)
        begun: dict[int, list[float]] = {}
        done = 0
        while (playouts is None or done < playouts) and (not done or time.monotonic() < end):
            best = self._plan(possible, seat, end, first=not done)
            if best is not None:
                begun.setdefault(best[0], []).append(best[1])
            done += 1
        found = [Option(action, len(values), sum(values) / len(values)) for action, values in begun.items()]
        return choice_of(found, options[:count], done)

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
        return (int(first[at]), float(value[at])) if first[at] != beam.NONE else None
