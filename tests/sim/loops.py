"""Compiled loops over arrays of games, around the compiled functions of any game."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numba


class Loops:
    """`deal`, `look`, `step` and `judge`, each a compiled loop over all games.

    `logged` says whether the rules get the records of `events`, or `None`.
    """

    def __init__(self, rules: SimpleNamespace, protocol: SimpleNamespace, logged: bool) -> None:
        self.logged = logged
        self.deal: Any = _deal(rules, logged)
        self.look: Any = _look(rules, protocol)
        self.step: Any = _step(rules, logged)
        self.judge: Any = _judge(rules)


def _deal(rules: SimpleNamespace, logged: bool) -> Any:
    needs_dice, roll, deal = rules.needs_dice, rules.roll, rules.deal

    @numba.njit
    def loop(states: Any, sources: Any, events: Any, over: Any, dice: Any, counts: Any, turn: int) -> None:
        for n in range(len(states)):
            events[n].count = 0
            counts[n] = -1
            if over[n] == 0 and needs_dice(states[n]):
                sources[n].turn = turn
                sources[n].draw = 0
                counts[n] = roll(states[n], sources[n], dice[n])
                deal(states[n], dice[n], events[n] if logged else None)

    return loop


def _look(rules: SimpleNamespace, protocol: SimpleNamespace) -> Any:
    acts, is_over, legal, prompt = rules.acts, rules.over, rules.legal, protocol.prompt

    @numba.njit
    def loop(states: Any, over: Any, options: Any, counts: Any, lengths: Any, texts: Any) -> None:
        for n in range(len(states)):
            over[n] = is_over(states[n])
            for seat in range(counts.shape[1]):
                counts[n, seat] = -1
                if over[n] == 0 and acts(states[n], seat):
                    counts[n, seat] = legal(states[n], seat, options[n, seat])
                    lengths[n, seat] = prompt(states[n], seat, texts[n, seat])

    return loop


def _step(rules: SimpleNamespace, logged: bool) -> Any:
    step = rules.step

    @numba.njit
    def loop(states: Any, events: Any, over: Any, actions: Any) -> None:
        for n in range(len(states)):
            events[n].count = 0
            if over[n] == 0:
                step(states[n], actions[n], events[n] if logged else None)

    return loop


def _judge(rules: SimpleNamespace) -> Any:
    winner, places = rules.winner, rules.places

    @numba.njit
    def loop(states: Any, winners: Any, reasons: Any, out: Any) -> None:
        for n in range(len(states)):
            reasons[n] = places(states[n], out[n])
            winners[n] = winner(states[n])

    return loop
