"""Alpha-beta search as bots call it: a state and a limit in, a choice out. The search itself is in `deepening.py`."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from dohyo.core import flat
from dohyo.core.game import Chance, Game, State, Turns
from dohyo.search import deepening
from dohyo.search.backend import Function, PlainBackend, field, parts_of, put_field, whole
from dohyo.search.deepening import MAX_WORLDS, PLIES, SEATS
from dohyo.search.of_program import backend_of
from dohyo.search.uct import Choice, end_of

BUNDLE_SECONDS = 0.0007  # how long compiled code runs between two checks of the clock
MAX_IN_A_BUNDLE = 1 << 16


class AlphaBeta:
    """Alpha-beta by iterative deepening, for games of two seats that take turns, with no dice after the start.

    `value(s, seat)` says how good a state is for a seat: any number below a million, and for the other seat the
    negative of it. It is a flat function. `depth` turns are looked ahead at most. `width` actions of each position
    below the root are searched, the best by the value right after them (0: all; on the last ply always all). `slack`
    is by how much an action may be better than the best in worlds that are still to be searched; see `choose`.
    The same number of positions gives the same choice, compiled or not.

    Raises `ValueError` for another kind of game and for what is not a flat function, `OperatorError` for `compiled`
    without the extra `fast`.
    """

    def __init__(
        self,
        game: Game,
        *,
        value: Function,
        compiled: bool = False,
        depth: int = PLIES,
        width: int = 0,
        slack: float = 1.0,
    ) -> None:
        if game.turns is not Turns.ALTERNATING or game.chance is Chance.EVERY_TURN:
            raise ValueError(f"{game.name} is not a game of two seats that take turns without dice")
        self.game = game
        self._layout = game.rules.LAYOUT
        self._backend = backend_of(compiled)
        self.compiled = not isinstance(self._backend, PlainBackend)  # a build may have given up
        parts = parts_of(game, SEATS, value, None, None)
        self._stack = self._backend.blank(deepening.stack_layout(game.rules.ACTIONS), 1)[0]
        told = {"deepest": max(1, min(depth, PLIES)), "width": width, "slack": slack}
        for name, number in told.items():
            put_field(self._stack, name, number)
        self._states = self._backend.blank(self._layout, PLIES + 2)
        self._work = self._backend.over(self._layout, deepening.work, parts)
        self._bundle = 64 if self.compiled else 1
        if self.compiled:  # what is called now is compiled: it does nothing
            put_field(self._stack, "done", 1)
            self._call(deepening.GO_ON, self._backend.blank(self._layout, 1), 0)

    def _call(self, task: int, worlds: Any, count: int, most: int = 0) -> int:
        """Let the flat functions do something."""
        return int(self._work(task, worlds, count, self._states, self._stack, most))

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
        """What the seat should do. The search takes `seconds`, lasts `until` a moment of `time.monotonic`, or looks
        at `playouts` positions, whatever comes first; each action is looked at once in any case.

        `state` is a plain state with what the seat knows; `worlds` are states that may be the true one, the likeliest
        first: `state` alone by default, and 32 different ones at most. One that is there twice counts twice. All are
        searched, and an action counts by the mean. The actions are those that are legal in the first.
        `Choice.visits` is the depth that was searched, `playouts` the number of positions.

        Raises `ValueError` if the seat has nothing to decide, and if no limit is given.
        """
        end = end_of(seconds, until, playouts)
        options = flat.row_of(self.game.rules.ACTIONS)
        count = self.game.rules.legal(state, seat, options) if self.game.rules.acts(state, seat) else 0
        if count == 0:
            raise ValueError(f"seat {seat} has nothing to decide here")
        if count == 1:
            return Choice(options[0], 0, 0.0, 0)
        possible = self._weigh(whole(self._backend, self.game, SEATS, [state] if worlds is None else worlds))
        row = self._backend.worlds(self._layout, possible)
        self._call(deepening.BEGIN, row, len(possible))
        self._deepen(row, len(possible), end, playouts)
        stack = self._stack
        action = int(field(stack, "action")[int(field(stack, "chosen"))])
        return Choice(action, int(field(stack, "depth")) - 1, float(field(stack, "top")), int(field(stack, "nodes")))

    def values(self, state: State) -> list[tuple[int, float]]:
        """What may be done by whose turn it is, and for each action the value for that seat right after it."""
        given = whole(self._backend, self.game, SEATS, [state])
        count = self._call(deepening.GLANCE, self._backend.worlds(self._layout, given), 1)
        listed, key = field(self._stack, "listed"), field(self._stack, "key")
        return [(int(action), float(worth)) for action, worth in zip(listed[:count], key[:count], strict=True)]

    def _weigh(self, worlds: Iterable[State]) -> list[State]:
        """The different ones among the worlds; the stack gets their weights."""
        found: dict[bytes, list[Any]] = {}
        for world in worlds:
            packed = self._layout.pack(world)
            if packed in found or len(found) < MAX_WORLDS:
                found.setdefault(packed, []).append(world)
        if not found:
            raise ValueError("there is no world to search in: `worlds` is empty")
        weight, total = field(self._stack, "weight"), sum(map(len, found.values()))
        for at, alike in enumerate(found.values()):
            weight[at] = len(alike) / total
        return [alike[0] for alike in found.values()]

    def _deepen(self, worlds: Any, count: int, end: float, playouts: int | None) -> None:
        """Go on in bundles, and check the clock in between."""
        spent = int(field(self._stack, "nodes"))
        while playouts is None or spent < playouts:
            start = time.monotonic()
            if start >= end:
                return
            some = min(self._bundle, (playouts or spent + self._bundle) - spent)
            if self._call(deepening.GO_ON, worlds, count, some):
                return
            spent = int(field(self._stack, "nodes"))
            if self.compiled:
                took = time.monotonic() - start
                wanted = int(some * BUNDLE_SECONDS / max(took, 1e-6))
                self._bundle = max(16, min(wanted, 2 * self._bundle, MAX_IN_A_BUNDLE))
