"""Wondev Woman: going out, and the two kinds of end."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

from dohyo.core.flat import row_of
from dohyo.games.wondev_woman import GAME, rules
from dohyo.games.wondev_woman.board import SEATS, set_height
from dohyo.games.wondev_woman.legality import GIVE_UP, NO_MOVE, OUT
from dohyo.games.wondev_woman.outcome import CATALOGUE, seat_outcome
from dohyo.i18n import Message
from dohyo.sim import records
from tests.games.wondev_woman.boards import action, board, final, leave, listed, play
from tests.sim.whole_modules import compile_rules

PLATEAU = "33333/33333/33333/33333/33333"
THERE = "MOVE&BUILD 0 E W"
BACK = "MOVE&BUILD 0 W E"


def result(s: Any) -> tuple[list[int], int, str]:
    """Places, the winner, and why it ended."""
    places = row_of(2)
    reason = rules.places(s, places)
    return places, rules.winner(s), rules.REASONS[reason]


# --- points


def test_players_alternate_and_a_round_is_both() -> None:
    """Player 0 begins; a round is counted when both have acted."""
    s = board()
    assert (s.mover, s.rounds) == (0, 0)
    play(s, "MOVE&BUILD 0 E W")
    assert (s.mover, s.rounds) == (1, 0)
    play(s, "MOVE&BUILD 0 W E")
    assert (s.mover, s.rounds) == (0, 1)


def test_player_that_is_out_is_skipped_and_keeps_its_points() -> None:
    """With more points, or equal ones, the other plays on alone, and each of its turns ends a round."""
    s = board("33333/33333/00000/00000/00000")
    play(s, THERE, BACK)  # 1 : 0
    leave(s)
    assert (s.mover, s.rounds, rules.over(s), list(s.points)) == (1, 1, False, [1, 0])
    s = board()
    leave(s)
    assert (s.mover, s.rounds, rules.over(s)) == (1, 0, False)
    play(s, "MOVE&BUILD 0 W E")
    assert (s.mover, s.rounds) == (1, 1)
    play(s, "MOVE&BUILD 0 W E")
    assert (s.mover, s.rounds, final(s)) == (1, 2, [0, 0])


def test_second_player_out_leaves_the_first_alone() -> None:
    """When player 1 goes out with equal points, the round is whole; player 0 moves on until it is ahead."""
    s = board("00000/00000/33333/33333/33333", "0,0/4,1")
    play(s, "MOVE&BUILD 0 E W")
    leave(s)
    assert (s.mover, s.rounds, rules.over(s)) == (0, 1, False)
    play(s, "MOVE&BUILD 0 W E")
    assert (s.mover, s.rounds, rules.over(s)) == (0, 2, False)
    for level in (1, 2):
        set_height(s, s.at[0] + 1, level)
        play(s, "MOVE&BUILD 0 E W")
    assert not rules.over(s)
    set_height(s, s.at[0] + 1, 3)
    play(s, "MOVE&BUILD 0 E W")
    assert (s.rounds, final(s), rules.over(s)) == (5, [1, 0], True)


@pytest.mark.parametrize("action", [GIVE_UP, NO_MOVE, 258])
def test_match_ends_at_once_when_the_one_that_is_left_is_ahead(action: int) -> None:
    """A player with fewer points that goes out ends the match; that round is not counted."""
    s = board("33000/00000/00000/00000/00000", "0,0/4,4")
    play(s, THERE)
    rules.step(s, [action] * 2, None)
    assert rules.over(s)
    assert (s.rounds, final(s)) == (0, [1, 0])
    assert result(s) == ([1, 2], 0, "wondev-woman.ahead")
    assert not rules.acts(s, 0)
    assert not rules.acts(s, 1)


def test_match_ends_at_the_round_in_which_the_one_that_is_left_gets_ahead() -> None:
    """Alone, a player plays until it has strictly more points; the round in which it gets them is counted."""
    s = board(PLATEAU, "0,0/4,4")
    leave(s)
    assert not rules.over(s)
    play(s, BACK)
    assert rules.over(s)
    assert (s.rounds, final(s)) == (1, [0, 1])
    assert result(s) == ([2, 1], 1, "wondev-woman.ahead")


def test_equal_points_are_not_ahead() -> None:
    """With the points of the one that is out, the other has to go on."""
    s = board("23333/33333/33333/33333/33333", "0,0/3,3")
    play(s, THERE, "MOVE&BUILD 0 E N")  # 1 : 1
    leave(s)
    assert (s.rounds, rules.over(s)) == (1, False)
    play(s, "MOVE&BUILD 0 W N")
    assert rules.over(s)
    assert (s.rounds, final(s)) == (2, [1, 2])


def test_both_out_ends_the_match() -> None:
    """The second to go out ends it, and that round is not counted; more points win, equal ones are a draw."""
    s = board()
    leave(s)
    leave(s)
    assert rules.over(s)
    assert s.rounds == 0
    assert result(s) == ([1, 1], -1, "wondev-woman.both-out")
    s = board("33333/33333/00000/00000/00000", "0,0/4,4")
    play(s, THERE, BACK)  # 1 : 0
    leave(s)
    assert not rules.over(s)
    leave(s)
    assert (s.rounds, final(s)) == (1, [1, 0])
    assert result(s) == ([1, 2], 0, "wondev-woman.both-out")


def test_round_limit_ends_the_match() -> None:
    """After 200 whole rounds the points decide; also when one has been alone for long."""
    s = board()
    s.rounds = 199
    play(s, "MOVE&BUILD 0 E W")
    assert not rules.over(s)
    play(s, "MOVE&BUILD 0 W E")
    assert result(s) == ([1, 1], -1, "wondev-woman.round-limit")
    assert s.rounds == 200
    s = board(units="0,0/4,4")
    s.points[:] = [3, 1]
    leave(s)
    s.rounds = 199
    play(s, "MOVE&BUILD 0 W E")
    assert result(s) == ([1, 2], 0, "wondev-woman.round-limit")


def test_player_without_a_legal_action_is_asked_and_goes_out() -> None:
    """Walled in, a player is still to move; having no move takes it out."""
    s = board("02000/22000/00000/00000/00000", "0,0/4,4")
    assert listed(s) == []
    assert list(GAME.legal_actions(s, 0)) == [NO_MOVE]
    assert rules.acts(s, 0)
    rules.step(s, [NO_MOVE] * 2, None)
    assert s.out[0] == 1


# --- the race of the third wood league


def test_first_to_stand_on_level_3_wins_at_the_end_of_the_round() -> None:
    """Player 1 always gets its answer; whoever stands on height 3 then has won."""
    s = board("23000/00000/00000/00000/00000", "0,0/4,4", "wood3")
    play(s, "MOVE&BUILD 0 E S")
    assert not rules.over(s)
    assert s.mover == 1
    play(s, "MOVE&BUILD 0 W E")
    assert (s.rounds, final(s)) == (1, [1, 0])
    assert result(s) == ([1, 2], 0, "wondev-woman.reached")
    s = board("00000/00000/00000/00000/00032", "0,0/4,4", "wood3")
    play(s, "MOVE&BUILD 0 E S", "MOVE&BUILD 0 W N")
    assert result(s) == ([2, 1], 1, "wondev-woman.reached")


def test_both_on_level_3_is_a_draw() -> None:
    """Player 1 may still catch up in the same round: [1, 1]."""
    s = board("23000/00000/00000/00000/00032", "0,0/4,4", "wood3")
    play(s, "MOVE&BUILD 0 E S", "MOVE&BUILD 0 W N")
    assert rules.over(s)
    assert (final(s), result(s)) == ([1, 1], ([1, 1], -1, "wondev-woman.reached"))


def test_going_out_ends_the_race_at_once_and_loses() -> None:
    """After player 0 is out, player 1 is not asked, and wins with 0; out counts -1; the round is not counted."""
    s = board(league="wood3")
    leave(s)
    assert rules.over(s)
    assert (s.rounds, final(s)) == (0, [-1, 0])
    assert result(s) == ([2, 1], 1, "wondev-woman.left-alone")
    assert not rules.acts(s, 1)
    s = board("23000/00000/00000/00000/00000", "0,0/4,4", "wood3")
    play(s, "MOVE&BUILD 0 E S")
    assert final(s) == [0, 0]
    leave(s)
    assert (s.rounds, final(s)) == (0, [0, -1])
    assert result(s) == ([1, 2], 0, "wondev-woman.left-alone")
    assert seat_outcome(s, 0).key == "wondev-woman.below"


@pytest.mark.process
def test_compiled_rules_count_a_step_onto_height_3_at_a_round_s_end_only() -> None:
    """The same functions over a record say the same scores as over a state: in the round, after it, after a fault."""
    compiled = compile_rules(rules)
    for replies, expected in (((), [0, 0]), ((OUT,), [0, -1]), ((action("MOVE&BUILD 0 W E"),), [1, 0])):
        batch = records.blank(rules.LAYOUT, 1)
        records.write(rules.LAYOUT, batch, 0, board("23000/00000/00000/00000/00000", "0,0/4,4", "wood3"))
        for reply in (action("MOVE&BUILD 0 E S"), *replies):
            compiled.step(batch[0], numpy.array([reply] * SEATS), None)
        scores = numpy.zeros(SEATS, numpy.int64)
        compiled.scores(batch[0], scores)
        assert scores.tolist() == expected == final(records.read(rules.LAYOUT, batch, 0))


def test_race_without_a_winner_is_a_draw() -> None:
    """200 rounds in which nobody stands on height 3 at the end: [0, 0]."""
    s = board(league="wood3")
    s.rounds = 199
    play(s, "MOVE&BUILD 0 E W", "MOVE&BUILD 0 W E")
    assert (final(s), result(s)) == ([0, 0], ([1, 1], -1, "wondev-woman.round-limit"))


# --- in words


def test_every_end_and_fate_has_words() -> None:
    """Why a match ended and what became of each player stand in the game's table of words."""
    assert set(rules.REASONS.values()) <= set(CATALOGUE["en"])
    for league in ("wood3", "wood2"):
        s = board(league=league)
        assert seat_outcome(s, 1).key in CATALOGUE["en"]
        leave(s)
        assert [seat_outcome(s, seat).key in CATALOGUE["en"] for seat in (0, 1)] == [True, True]
    assert GAME.seat_outcome(board(), 0) == Message("wondev-woman.stayed", {"score": 0})
