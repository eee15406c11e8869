"""What is proven: in each position of a small game the puzzle is what plain recursion finds, or nothing is said."""

from __future__ import annotations

import time

import pytest

from dohyo.guests.puzzles import proving
from dohyo.guests.puzzles.proving import Prover
from tests.guests.puzzles.positions import GAME, after, drawn, worth

LONG = 600.0  # seconds that nobody needs


def wins_at_once(state) -> bool:  # type: ignore[no-untyped-def]
    """Whether the seat to move can win in this turn."""
    return any(worth(after(state, one), state.turn % 2, 0) == 1 for one in GAME.legal_actions(state, state.turn % 2))


def test_a_puzzle_is_the_only_winning_action() -> None:
    """Whatever recursion says: one action alone wins, and not at once; what each other one comes to, is right."""
    prover, seen = Prover(GAME, compiled=False), 0
    for state in drawn(60, range(5, 11)):
        seat = state.turn % 2
        legal = list(GAME.legal_actions(state, seat))
        each = {action: worth(after(state, action), seat) for action in legal}
        found = prover.look(state, time.monotonic() + LONG)
        wins = [action for action, value in each.items() if value == 1]
        is_puzzle = len(legal) > 1 and len(wins) == 1 and not wins_at_once(state)
        assert (found is not None) == is_puzzle
        if found is not None:
            seen += 1
            assert found.solution == wins[0]
            assert {int(one.action): one.result for one in found.others} == {
                action: "draw" if value == 0 else "loss" for action, value in each.items() if action != wins[0]
            }
    assert seen >= 3


def test_a_reply_takes_the_win() -> None:
    """The answer that is told to an action that gives the win away leaves no more than what is said."""
    prover, seen = Prover(GAME, compiled=False), 0
    for state in drawn(60, range(5, 11), seed=2):
        found = prover.look(state, time.monotonic() + LONG)
        for one in () if found is None else found.others:
            if one.reply:
                seen += 1
                left = worth(after(after(state, int(one.action)), int(one.reply)), state.turn % 2)
                assert left == (0 if one.result == "draw" else -1)
    assert seen >= 3


def test_a_win_within_some_turns_is_the_only_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing can be proven to the end: one action wins within so many turns, and no other in two more."""
    monkeypatch.setattr(proving, "POSITIONS", (0, 0))
    monkeypatch.setattr(proving, "WITHIN", (3,))
    prover, seen = Prover(GAME, compiled=False), 0
    for state in drawn(150, range(3, 9), seed=3):
        seat = state.turn % 2
        found = prover.look(state, time.monotonic() + LONG)
        if found is None:
            continue
        seen += 1
        assert found.within == 3
        for action in GAME.legal_actions(state, seat):
            within = [worth(after(state, action), seat, plies) == 1 for plies in (2, 4)]
            assert within == ([True, True] if action == found.solution else [False, False])
    assert seen >= 3


def test_nothing_is_said_where_the_time_is_over() -> None:
    """A position that cannot be looked at any more is no puzzle."""
    prover = Prover(GAME, compiled=False)
    assert all(prover.look(state, time.monotonic() - 1) is None for state in drawn(5, range(2, 4)))
    assert prover.is_unclear
