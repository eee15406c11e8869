"""Alpha-beta search as bots call it: a state and a limit in, a choice out. The search itself is in `deepening.py`."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from dohyo.core.flat import flat
from dohyo.core.game import Chance, Game, State, Turns
from dohyo.core.rewards import PLACE, Payoff, rewards_at_end
from dohyo.search import deepening
from dohyo.search.backend import Function, field, parts_of, plain_states, put_field, whole
from dohyo.search.deepening_stack import BEGIN, GLANCE, GO_ON, LAST, MAX_WORLDS, PLIES, SEATS, stack_layout
from dohyo.search.keys import key_of
from dohyo.search.transpositions import table_layout
from dohyo.search.uct import Choice, Searcher


@flat
def no_gain(s: Any, seat: int, action: int) -> float:
    """Nobody has said what an action gains."""
    return 0.0


@flat
def no_identity(s: Any) -> int:
    """Nobody has said which positions are the same."""
    return 0


@flat
def no_skip(s: Any) -> bool:
    """Nobody passes."""
    return False


@flat
def no_key(s: Any, record: Any) -> None:
    """No table is kept."""
    record.a = 0
    record.b = 0


MOST_ENTRIES = 1 << 26  # two gigabytes

NOBODY_SAYS: dict[str, Function] = {"gain": no_gain, "identity": no_identity, "skip": no_skip}


def told_parts(**told: Function | None) -> dict[str, Function]:
    """These functions, or what stands for them where none is given. Raises `ValueError` for one that is not flat."""
    for name, function in told.items():
        if function is not None and not getattr(function, "__flat__", False):
            raise ValueError(f"`{name}` must carry the mark @flat of dohyo.core.flat")
    return {name: NOBODY_SAYS[name] if function is None else function for name, function in told.items()}


class AlphaBeta(Searcher):
    """Alpha-beta by iterative deepening, for games of two seats that take turns, with no dice after the start.

    `value(s, seat)` says how good a state is for a seat: any number below 999,000, and for the other seat the
    negative of it. `depth` turns are looked ahead at most. `width` actions of each position below the root are
    searched, the best by the value right after them (0: all, and so with `gain`; on the last ply always all).
    `slack` is by how much an action may be better than the best in worlds that are still to be searched.

    What follows makes it deeper. `entries`, a power of two, is how many positions a table remembers (0: none), known
    again by all fields of the state, or by a number: `identity(s)` (0 .. 2**62 - 1), the same for positions that are
    the same. With it, a position that comes again on the way counts 0, as a draw: only for games where it is one, or
    where none comes again. `gain(s, seat, action)` is by how much an action changes the value, as far as that is seen
    without playing it; actions are searched in that order. Beyond the horizon, actions that gain `loud` or more are
    followed to their end (0: none); without `gain`, all are played to see that. With `width` 0 the result is still
    that of minimax, over the values that this gives; with `identity` only where no position comes again, as a table
    does not tell on which way it was a draw.

    `late` actions of a position, the best by `value`, are searched as deep as it says, and those behind them one turn
    less deep until one seems to be the best (0: all are). With a `margin`, what a turn changes the value by as a
    rule, much is left out or searched less deep that seems to lead nowhere: actions that come late, positions near
    the horizon that are so far from where they would count, and with `skip` what the mover has well in hand even
    after a pass. `skip(s)` lets the mover pass, whatever the rules say, and is false where that says nothing. So the
    result is no longer exact, but much deeper.

    All these are flat functions. A match that is won counts more than any `value`. With a `reward` but "place"
    (`dohyo.core.rewards`), an end counts half of what the seat gets more than the other, in a game of sum 0 its own
    payoff, and `value` speaks of that.

    All `worlds` are searched, 32 different ones at most: the likeliest first, whose legal actions count. One that is
    there twice counts twice, and an action counts by the mean. A playout is a position that is looked at; each action
    is looked at once in any case. `Choice.visits` is the depth that was searched, and `Choice.options` is empty: of
    the other actions it is known only that they are no better. The same number of positions gives the same choice,
    compiled or not.

    Raises `ValueError` for another kind of game, other `entries`, numbers below 0, and what is not a flat function,
    `OperatorError` for `compiled` without the extra `fast`, and what `dohyo.core.rewards.rewards_at_end` raises.
    """

    bundle_seconds, smallest_bundle = 0.0007, 16

    def __init__(
        self,
        game: Game,
        *,
        value: Function,
        compiled: bool = False,
        depth: int = PLIES,
        width: int = 0,
        slack: float = 1.0,
        reward: Payoff = PLACE,
        gain: Function | None = None,
        loud: float = 0.0,
        identity: Function | None = None,
        skip: Function | None = None,
        entries: int = 0,
        margin: float = 0.0,
        late: int = 0,
    ) -> None:
        if game.turns is not Turns.ALTERNATING or game.chance is Chance.EVERY_TURN:
            raise ValueError(f"{game.name} is not a game of two seats that take turns without dice")
        numbers = {"depth": depth - 1, "width": width, "loud": loud, "margin": margin, "late": late}
        if wrong := [name for name, number in numbers.items() if not number >= 0]:  # nor is a number that is none
            raise ValueError(f"`{wrong[0]}` is too small")
        if entries and (not 2 <= entries <= MOST_ENTRIES or entries & (entries - 1)):
            raise ValueError(f"`entries` is {entries}, and must be 0 or a power of two, at most {MOST_ENTRIES}")
        super().__init__(game, SEATS, compiled)
        rewards = rewards_at_end(game, SEATS, reward)
        parts = parts_of(game, SEATS, value, None, None, rewards=rewards)
        parts |= told_parts(gain=gain, identity=identity, skip=skip)
        parts["key"] = key_of(self._layout) if entries and identity is None else no_key
        self._stack = self._backend.blank(stack_layout(game.rules.ACTIONS), 1)[0]
        told = {"deepest": max(1, min(depth, PLIES)), "width": width, "slack": slack}
        told |= {"by_payoff": int(not rewards.by_place), "by_gain": int(gain is not None)}
        told |= {"by_identity": int(identity is not None), "scouts": int(entries > 0 or margin > 0 or late > 0)}
        told |= {"loud": loud, "margin": margin, "by_skip": int(skip is not None), "late": late}
        for name, number in told.items():
            put_field(self._stack, name, number)
        self._states = self._backend.blank(self._layout, LAST + 2)
        self._table = self._backend.blank(table_layout(entries), 1)[0]
        put_field(self._table, "mask", max(entries - 1, 0))
        self._generation = 0
        self._work = self._backend.over(self._layout, deepening.work, parts)
        self._bundle = 64 if self.compiled else 1
        if self.compiled:  # what is called now is compiled: it does nothing
            put_field(self._stack, "done", 1)
            self._call(GO_ON, self._backend.blank(self._layout, 1), 0)

    def _call(self, task: int, worlds: Any, count: int, most: int = 0) -> int:
        """Let the flat functions do something."""
        return int(self._work(task, worlds, count, self._states, self._stack, self._table, most))

    def _choice(
        self, worlds: Iterable[State], seat: int, options: list[int], end: float, playouts: int | None
    ) -> Choice:
        possible = self._weigh(whole(self._backend, self.game, SEATS, plain_states(self._layout, worlds)))
        row = self._backend.worlds(self._layout, possible)
        self._generation += 1
        put_field(self._table, "generation", self._generation)
        self._call(BEGIN, row, len(possible))
        self._deepen(row, len(possible), end, playouts)
        stack = self._stack
        action = int(field(stack, "action")[int(field(stack, "chosen"))])
        return Choice(action, int(field(stack, "depth")) - 1, float(field(stack, "top")), int(field(stack, "nodes")))

    def values(self, state: State) -> list[tuple[int, float]]:
        """What may be done by whose turn it is, and for each action the value for that seat right after it."""
        count = self._call(GLANCE, self._worlds([state]), 1)
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
            if self._call(GO_ON, worlds, count, some):
                return
            spent = int(field(self._stack, "nodes"))
            if self.compiled:
                self._resize(some, time.monotonic() - start)
