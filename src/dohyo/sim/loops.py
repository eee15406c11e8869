"""The compiled loops of one game on the processor's cores, and the threads that run them over spans of slots."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

from dohyo.core import flat
from dohyo.core.game import Game, Turns
from dohyo.sim import compiled, records, turns

Policy = Callable[..., int]

SPANS_A_THREAD = 4  # so that a thread whose core is taken away does not hold up the others for long
TURNS_A_SPAN = 500  # fewer cost less than handing them to another thread


class Loops:
    """A game's loops. Those for observations and for policies are compiled when they are first asked for."""

    def __init__(self, game: Game) -> None:
        """Raises `OperatorError` where the extra `fast` is not installed."""
        self._game = game
        self._parts: dict[str, Any] = {name: getattr(game.rules, name) for name in turns.RULES}
        self._parts["reseed"] = getattr(game.rules, "reseed", flat.reseed)
        self._parts["SEATS"] = game.seats[0] if game.seats[0] == game.seats[1] else 0
        self._parts["ALTERNATING"] = int(game.turns is Turns.ALTERNATING)
        loops: list[Callable[..., Any]] = [
            turns.begin_span,
            turns.step_span,
            turns.find_illegal,
            turns.acting_span,
            turns.legal_span,
        ]
        self.begin, self.step, self.find_illegal, self.acting, self.legal = compiled.compile_all(loops, self._parts)
        self._rolls: dict[tuple[Policy, ...], Any] = {}
        self._observe: Any = None

    def roll(self, policies: tuple[Policy, ...]) -> Any:
        """The loop of rollouts by these policies: one for all seats, or one a seat (the last for all that follow).

        Raises `ValueError` for more than can be told apart.
        """
        if policies not in self._rolls:
            parts: dict[str, Any] = {**self._parts, "policy": policies[0]}
            own: list[Callable[..., Any]] = [turns.roll_span]
            if len(policies) > 1:
                if len(policies) > turns.TOLD_APART:
                    raise ValueError(f"at most {turns.TOLD_APART} policies can be told apart by seat")
                parts["policy"] = turns.by_seat
                for seat in range(turns.TOLD_APART):
                    parts[f"policy_{seat}"] = policies[min(seat, len(policies) - 1)]
                own.insert(0, turns.by_seat)
            self._rolls[policies] = compiled.compile_all(own, parts)[-1]
        return self._rolls[policies]

    def observe(self) -> Any:
        """The loop of observations. Raises `ValueError` for a game that does not say what a learner sees."""
        if self._observe is None:
            if self._game.sight is None:
                raise ValueError(f"{self._game.name} does not say what a learner sees: its GAME has no sight")
            (self._observe,) = compiled.compile_all(
                [turns.observe_span], {"observe": self._game.sight.observe, "acts": self._game.rules.acts}
            )
        return self._observe

    def scratch(self, seats: int) -> Any:
        """Rows for one thread, a record array of shape (1,)."""
        rules = self._game.rules
        rows = records.blank(turns.scratch_layout(rules, seats), 1)
        rows["conceded"][0, list(rules.CONCESSIONS)] = 1
        return rows


@cache
def _loops_of(game_identity: int) -> list[Loops]:
    return []


def loops_of(game: Game) -> Loops:
    """The game's loops, compiled once in this process."""
    found = _loops_of(id(game))  # the loops hold the game, so that its identity is never given to another
    if not found:
        found.append(Loops(game))
    return found[0]


class Threads:
    """Runs a loop over the spans of `count` slots, by `threads` threads where that pays."""

    def __init__(self, count: int, threads: int, scratch: Callable[[], Any]) -> None:
        self._count = count
        self._threads = threads
        spans = 1 if threads == 1 else threads * SPANS_A_THREAD
        self._whole = (0, count)
        self._spans = [(count * k // spans, count * (k + 1) // spans) for k in range(spans)]
        self._scratch = [scratch() for _ in self._spans]

    def run(self, loop: Any, arguments: Sequence[Any], turns_a_slot: int = 1, scratch: int | None = None) -> int:
        """Run `loop(first, last, *arguments)` over all slots; the sum of what it returns.

        A thread's own scratch rows take the place number `scratch` among the arguments, where one is given.
        """
        if self._threads == 1 or self._count * turns_a_slot < TURNS_A_SPAN * self._threads:
            return self._one(loop, self._whole, arguments, scratch, 0)
        pool = _pool(self._threads)
        work = [pool.submit(self._one, loop, span, arguments, scratch, k) for k, span in enumerate(self._spans)]
        return sum(part.result() for part in work)

    def _one(self, loop: Any, span: tuple[int, int], arguments: Sequence[Any], scratch: int | None, k: int) -> int:
        if scratch is not None:
            arguments = (*arguments[:scratch], self._scratch[k], *arguments[scratch:])
        return loop(*span, *arguments) or 0


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """So many threads, for all batches of this process."""
    return ThreadPoolExecutor(threads, "dohyo-batch")


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
