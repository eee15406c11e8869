"""A game in one file that says why an action is not legal."""

from __future__ import annotations

import pytest

from dohyo import laws
from dohyo.core.faults import FaultKind
from dohyo.core.referee import Answer, Referee
from tests.games.test_one_file import EXAMPLES, Write, example, write
from tests.told import detail

__all__ = ["write"]


def test_a_file_says_why_an_action_is_not_legal(write: Write) -> None:
    """`why_illegal` returns a sentence, which the fault has behind the action; a law holds it to the rules."""
    game = example("tic_tac_toe")
    referee = Referee(game, {}, 2, 1)
    referee.submit({0: Answer("4")})
    (move,) = referee.submit({1: Answer("4")}).moves
    assert (move.faults[0].kind, detail(move.faults[0])) == (FaultKind.ILLEGAL, "4: the cell is taken")
    (law,) = (law for law in laws.PLAIN if law.__name__ == "what_is_illegal_is_explained")
    assert laws.hold(game, law)["explained"] > 0
    shown = """

def why_illegal(s, seat, action):
    return "the cell is taken" if s.board[action] == 1 else None
"""
    partly = write((EXAMPLES / "tic_tac_toe.py").read_text() + shown, "partly")
    with pytest.raises(AssertionError, match="some illegal actions have no reason"):
        laws.hold(partly, law)
    always = write(
        (EXAMPLES / "tic_tac_toe.py").read_text() + shown.replace(" if s.board[action] == 1", " if True"), "always"
    )
    with pytest.raises(AssertionError, match="there is a reason against"):
        laws.hold(always, law)
