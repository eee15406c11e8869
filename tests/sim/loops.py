"""Compiled loops over arrays of games, around the compiled functions of any game.

What is compiled is kept, as the product's own loops are: once for a game, however many tests and workers play it.
"""

from __future__ import annotations

from typing import Any

from dohyo.core.flat import flat
from dohyo.sim.whole_program import compile_loops

# Left open here, and supplied when it is compiled.
RULES = ("acts", "deal", "legal", "needs_dice", "over", "places", "roll", "step", "winner")
acts: Any = None
deal: Any = None
legal: Any = None
needs_dice: Any = None
over: Any = None
places: Any = None
prompt: Any = None
roll: Any = None
step: Any = None
winner: Any = None
LOGGED: Any = None  # 1 where the rules get the records of `events`, 0 where they get `None`


class Loops:
    """`deal`, `look`, `step` and `judge`, each a compiled loop over all games.

    `logged` says whether the rules get the records of `events`, or `None`.
    """

    def __init__(self, rules: Any, protocol: Any, logged: bool) -> None:
        self.logged = logged
        parts = {name: getattr(rules, name) for name in RULES} | {"prompt": protocol.prompt}
        loops = [deal_all, look_all, step_all, judge_all]
        self.deal, self.look, self.step, self.judge = compile_loops(loops, {**parts, "LOGGED": int(logged)})


@flat
def deal_all(states: Any, sources: Any, events: Any, ended: Any, dice: Any, counts: Any, turn: int) -> None:
    """The dice move where they are to."""
    for n in range(len(states)):
        events[n].count = 0
        counts[n] = -1
        if ended[n] == 0 and needs_dice(states[n]):
            sources[n].turn = turn
            sources[n].draw = 0
            counts[n] = roll(states[n], sources[n], dice[n])
            deal(states[n], dice[n], events[n] if LOGGED else None)


@flat
def look_all(states: Any, ended: Any, options: Any, counts: Any, lengths: Any, texts: Any) -> None:
    """Which games are over, what each seat may do, and what it is sent."""
    for n in range(len(states)):
        ended[n] = over(states[n])
        for seat in range(counts.shape[1]):
            counts[n, seat] = -1
            if ended[n] == 0 and acts(states[n], seat):
                counts[n, seat] = legal(states[n], seat, options[n, seat])
                lengths[n, seat] = prompt(states[n], seat, texts[n, seat])


@flat
def step_all(states: Any, events: Any, ended: Any, actions: Any) -> None:
    """Every game that goes on plays a turn."""
    for n in range(len(states)):
        events[n].count = 0
        if ended[n] == 0:
            step(states[n], actions[n], events[n] if LOGGED else None)


@flat
def judge_all(states: Any, winners: Any, reasons: Any, out: Any) -> None:
    """How the games ended."""
    for n in range(len(states)):
        reasons[n] = places(states[n], out[n])
        winners[n] = winner(states[n])
