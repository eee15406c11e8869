"""Matches that end by the scores of engines: as the operator's rule says, and as a replay proves."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

import dohyo
from dohyo import games
from dohyo.classics.chess_notation.adjudication import of_setup, score_of
from dohyo.core import playback
from dohyo.core.adjudication import DRAW, RESIGN
from dohyo.core.errors import OperatorError, ReplayError
from dohyo.core.replay import Move, Replay, Turn
from dohyo.core.replay_format import decode, encode
from dohyo.match.telling.summary import summarise
from tests.guests.engines.test_engines import END, First, engine, finds_dohyo, moves, play

__all__ = ["finds_dohyo"]  # a fixture

pytestmark = pytest.mark.process
CHESS = games.find("chess")


def says(score: str) -> str:
    """The engine that tells this score in each turn."""
    return engine("", "", f"'{score}'")


def test_an_engine_that_says_that_it_is_lost() -> None:
    """It loses with its third such move; the replay has the rule and the scores, and verifies."""
    replay = play(says("cp -500"), First(), setup={"opening": END, "resign": "3/400"})
    result = replay.result
    assert (result.adjudicated, result.reason_key, result.winner, result.places) == (True, RESIGN, 1, (2, 1))
    assert [len(moves(replay, seat)) for seat in range(2)] == [3, 2]
    assert replay.header.setup["resign"] == "3/400"
    assert "draw" not in replay.header.setup
    assert dohyo.verify(decode(encode(replay))) == 5
    text = (CHESS.pgn or str)(replay)
    assert '[Termination "adjudication"]' in text
    assert '[Result "0-1"]' in text
    assert "operator's rule" in result.reason
    assert [seat.fate.key for seat in summarise(replay).seats] == ["fate.lost", "fate.won"]


def test_both_say_that_it_is_level() -> None:
    """A draw, not before the move that the rule names."""
    replay = play(says("cp 12"), says("cp -20"), setup={"opening": END, "draw": "63/2/20"})
    result = replay.result
    assert (result.adjudicated, result.reason_key, result.winner, result.places) == (True, DRAW, None, (1, 1))
    assert len(replay.turns) == 8  # the match began with move 60, and move 63 has been played
    assert dohyo.verify(replay) == 8


def test_a_mate_counts_and_both_must_say_so() -> None:
    """`both` needs the other side's word; of a class that tells nothing there is none."""
    lost = says("mate -3")
    replay = play(lost, says("cp 900"), setup={"opening": END, "resign": "2/400/both"})
    assert (replay.result.reason_key, replay.result.winner) == (RESIGN, 1)
    replay = play(lost, First(), setup={"opening": END, "resign": "2/400/both", "draw": "0/1/50"})
    assert not replay.result.adjudicated
    assert dohyo.verify(replay) > 6


def test_a_replay_with_other_scores_is_no_such_match() -> None:
    """Without one of the scores, without the rule, with another winner, or with a turn behind the end."""
    replay = play(says("cp -500"), First(), setup={"opening": END, "resign": "2/400"})

    def other(turns: list[Turn], **more: object) -> Replay:
        result = replace(replay.result, **{k: v for k, v in more.items() if k != "setup"})
        header = replace(replay.header, setup=more.get("setup", replay.header.setup))
        return Replay(header, turns, result)

    turns = list(replay.turns)
    silent = replace(turns[0], moves=(replace(turns[0].moves[0], comments=""),))
    for forged in (
        other([silent, *turns[1:]]),
        other(turns, setup={"opening": END}),
        other(turns, setup={"opening": END, "resign": "1/400"}),
        other(turns, winner=0, places=(1, 2)),
        other(turns, adjudicated=False),
        other(turns, reason_key=DRAW, winner=None, places=(1, 1)),
        other(turns[:-1]),
    ):
        with pytest.raises(ReplayError):
            playback.verify(CHESS, forged)
    assert playback.verify(CHESS, other(turns)) == len(turns)


@pytest.mark.parametrize("value", ["", "3", "0/400", "3/400/all", "3/-4", "٣/400", 3])
def test_a_rule_that_is_none(value: object) -> None:
    """It is one sentence, before the match."""
    with pytest.raises(OperatorError) as error:
        play(First(), First(), setup={"resign": value})
    assert error.value.key == "bad-setup-value"


def test_the_last_score_counts() -> None:
    """Of several the last; what an engine says in `info string` is none."""
    assert score_of("info depth 1 score cp 5 pv e2e4\ninfo depth 2 score cp -7 upperbound\n") == -7
    assert score_of("info string score cp 900\nhello\n") is None
    assert (score_of("info score mate 3") or 0) > 10**5
    assert (score_of("info score mate -3") or 0) < -(10**5)


def test_a_move_that_resets() -> None:
    """A pawn's move begins the count of a draw again; a score of the other sign that of a loss."""
    state = CHESS.new_state({"opening": END}, 2)
    judge = of_setup({"draw": "0/2/20", "resign": "2/100"})
    assert judge is not None

    def told(seat: int, score: int, halfmoves: int) -> object:
        state.halfmove_clock = halfmoves
        return judge.after(state, Turn(0, (), (Move(seat, "", comments=f"info score cp {score}"),)))

    assert [told(0, 0, 5), told(1, 0, 6), told(0, 0, 0), told(1, 0, 1), told(0, 0, 2)] == [None] * 5
    assert told(1, 0, 3) == (DRAW, None)
    assert [told(0, -100, 4), told(1, 300, 5), told(0, 10, 6), told(0, -100, 7)] == [None] * 4
    assert told(0, -200, 8) == (RESIGN, 1)
