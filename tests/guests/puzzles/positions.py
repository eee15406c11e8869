"""Positions of a small connect three, and all that can come of them, by plain recursion."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

from dohyo import games
from dohyo.core.options import resolve
from dohyo.core.referee import Referee
from dohyo.core.replay import Replay
from dohyo.laws.matches import finish
from dohyo.series.puzzles.puzzle import Puzzle

GAME = games.find("connectx")
SETUP = resolve(GAME.options, {"rows": 4, "columns": 4, "inarow": 3})
LAYOUT = GAME.rules.LAYOUT


def drawn(count: int, stones: range, seed: int = 1) -> Iterator[Any]:
    """So many positions after random play, of matches that go on."""
    luck = random.Random(seed)
    found = 0
    while found < count:
        state = GAME.new_state(SETUP, 2)
        for _ in range(luck.choice(stones)):
            if not GAME.rules.over(state):
                seat = state.turn % 2
                GAME.rules.step(state, [luck.choice(list(GAME.legal_actions(state, seat)))] * 2, None)
        if not GAME.rules.over(state):
            found += 1
            yield state


def after(state: Any, action: int) -> Any:
    """The state after an action."""
    copied = LAYOUT.copy(state)
    GAME.rules.step(copied, [action] * 2, None)
    return copied


def worth(state: Any, seat: int, plies: int = 99) -> int:
    """What a seat gets, 1, 0 or -1, if both play as well as can be; what is not over within so many turns is 0."""
    return _worth(LAYOUT.pack(state), seat, plies)


@cache
def _worth(packed: bytes, seat: int, plies: int) -> int:
    state = LAYOUT.unpack(packed)
    if GAME.rules.over(state):
        winner = GAME.rules.winner(state)
        return 0 if winner < 0 else 1 if winner == seat else -1
    if plies == 0:
        return 0
    mover = state.turn % 2
    each = [worth(after(state, action), seat, plies - 1) for action in GAME.legal_actions(state, mover)]
    return max(each) if mover == seat else min(each)


def played(seed: int) -> Replay:
    """A random match of it."""
    referee = Referee(GAME, SETUP, 2, seed)
    return finish(referee, SETUP, seed).replay


def puzzle_of(state: Any, solution: int, **told: Any) -> Puzzle:
    """A puzzle as a file has it."""
    given = {
        "game": "connectx",
        "rules": GAME.version,
        "setup": SETUP,
        "seats": 2,
        "state": LAYOUT.as_dict(state),
        "turn": state.turn,
        "seat": state.turn % 2,
        "solution": str(solution),
        "how": "proven",
    }
    return Puzzle(**(given | told))
