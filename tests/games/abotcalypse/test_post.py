"""aBOTcalypse under `post`, where several things happen in one turn, and at the board's borders."""

from __future__ import annotations

from typing import Any

import pytest

from dohyo.core.flat import row_of
from dohyo.games.abotcalypse import GAME, rules
from dohyo.games.abotcalypse.board import BY_COLLISION, BY_FALL, BY_METEOR, BY_ROCK, BY_THROW, DROPPED, HIT
from tests.games.abotcalypse.boards import board, heights, play, where

FAR_OFF = (-180, 0)  # a meteor that goes nowhere near


def fly(s: Any, *meteors: tuple[float, float, int]) -> None:
    """Put meteors (x, y, angle) on the board, the oldest first; they step once before they hit."""
    for m, (x, y, angle) in enumerate(meteors):
        s.meteor_x[m], s.meteor_y[m], s.meteor_angle[m] = x, y, angle
    s.meteors = len(meteors)


# --- the order of a turn


def test_lowest_acts_first_by_where_it_decided() -> None:
    """Of two that throw, the lower one is first whatever its number; who is killed by it is skipped."""
    s = board((5, 1), (6, 0), (7, 0), x5=3)
    play(s, "throw right", "throw left", meteor=FAR_OFF)
    assert [where(s, b) for b in range(3)] == [None, (6, 0), (7, 0)]


def test_equal_heights_act_in_bot_order() -> None:
    """Of two on the floor that drop on each other, the first in the list lives."""
    s = board((6, 0), (5, 0))
    play(s, "drop left", "drop right", meteor=FAR_OFF)
    assert (where(s, 0), where(s, 1), heights(s)) == ((6, 0), None, {5: 1})


def test_order_is_not_sorted_again_when_bots_come_down() -> None:
    """Who decided higher acts later, even if a throw has brought it below another by then."""
    s = board((5, 0), (6, 2), (9, 1), (10, 1), x6=2, x9=1, x10=1)
    # Bot 0 (height 0) brings bot 1 down to 1, bot 2 (height 1) still throws before it.
    events = play(s, "throw right", "throw down", "throw down", meteor=FAR_OFF)
    assert [event[1:3] for event in events if event[0] == HIT] == [(6, 0), (9, 0), (6, 0)]
    assert (where(s, 1), heights(s)) == ((6, 0), {10: 1})


def test_what_the_dead_had_dropped_stands() -> None:
    """A bot that dropped a rock and is then killed by a throw leaves the rock where it is."""
    s = board((5, 0), (7, 1), x7=1)
    play(s, "drop left", "throw left 0", meteor=FAR_OFF)
    assert (where(s, 0), s.cause[0], heights(s)) == (None, BY_THROW, {4: 1, 7: 1})


def test_throw_starts_where_the_thrower_is_by_then() -> None:
    """A thrower that was brought down by one throws from there."""
    s = board((5, 0), (6, 2), (8, 0), (9, 0), x6=2)
    play(s, "throw right", "throw right 0", meteor=FAR_OFF)
    # From (6, 1) the squares are (7, 1) and (8, 0); from (6, 2) it would be (7, 2), (8, 1) and (9, 0).
    assert (where(s, 1), where(s, 2), where(s, 3)) == ((6, 1), None, (9, 0))


# --- falls


def test_fall_by_one_takes_along_whom_it_meets() -> None:
    """A fall of one square harms nobody by itself; who stays in the landing square dies with the one that fell."""
    s = board((5, 1), (6, 0), x5=1)
    play(s, "move right", meteor=FAR_OFF)
    assert (where(s, 0), where(s, 1), s.cause[0], s.cause[1]) == (None, None, BY_COLLISION, BY_COLLISION)


def test_body_of_the_fallen_harms_only_who_is_there_at_the_collisions() -> None:
    """Who has come into the square of a fall dies, who leaves it in the same turn lives; the body does not stay."""
    s = board((5, 3), (7, 0), (6, 0), x5=3)
    play(s, "move right", "move left", "move left", meteor=FAR_OFF)
    assert [where(s, b) for b in range(3)] == [None, None, (5, 0)]
    assert (s.cause[0], s.cause[1]) == (BY_FALL, BY_COLLISION)
    play(s, "rest", "rest", "move right", meteor=FAR_OFF)
    assert where(s, 2) == (6, 0)


def test_each_coming_down_is_a_fall_of_its_own() -> None:
    """Two hits on one column in a turn bring the bot on top down by two squares, and it lives."""
    s = board((5, 3), (4, 0), (6, 0), x5=3)
    play(s, "rest", "throw right", "throw left", meteor=FAR_OFF)
    assert (where(s, 0), heights(s)) == ((5, 1), {5: 1})


# --- drops and throws on all who are in a square


def test_all_in_the_square_die() -> None:
    """Drops, shots and meteors kill every bot that is in the square at that moment."""
    s = board((5, 0), (6, 0), (7, 0), (8, 0))
    play(s, "drop right", "rest", "move left", meteor=FAR_OFF)
    assert (s.cause[1], s.cause[2]) == (BY_ROCK, BY_ROCK)
    s = board((5, 0), (6, 0), (7, 0))
    play(s, "throw right", "rest", "move left", meteor=FAR_OFF)
    assert (s.cause[1], s.cause[2]) == (BY_THROW, BY_THROW)


def test_two_in_a_square_still_act() -> None:
    """Until the collisions, bots that share a square act: what one of them throws hits, then both die."""
    s = board((5, 0), (7, 0), (8, 0), (6, 0))
    play(s, "rest", "move left", "rest", "throw left", meteor=FAR_OFF)
    assert (where(s, 0), where(s, 1), where(s, 3)) == (None, None, None)
    assert (s.cause[0], s.cause[1], s.cause[3]) == (BY_THROW, BY_COLLISION, BY_COLLISION)


def test_drop_from_the_top_kills_all_in_the_own_square() -> None:
    """A rock that falls back on the dropper also kills who has come into its square."""
    s = board((5, 0), (6, 0))
    play(s, "drop up", "move left", meteor=FAR_OFF)
    assert (s.cause[0], s.cause[1], heights(s)) == (BY_ROCK, BY_ROCK, {5: 1})


def test_drop_falls_to_the_top_of_the_column() -> None:
    """Dropped sideways from high above, a rock lands on the column, and kills who is on top, not who is in it."""
    s = board((5, 6), (6, 2), (6, 1), x5=6, x6=2)
    events = play(s, "drop right", meteor=FAR_OFF)
    assert (where(s, 1), where(s, 2), s.height[6]) == (None, (6, 1), 3)
    assert [event[1:3] for event in events if event[0] == DROPPED] == [(6, 2)]


@pytest.mark.parametrize("reply", ["drop left", "throw left", "throw left 3", "move left"])
def test_nothing_goes_over_the_edge(reply: str) -> None:
    """Beside the board's edge a drop or a throw outwards does nothing."""
    s = board((0, 4), x0=4)
    play(s, reply, meteor=(-90, 50))
    assert (where(s, 0), heights(s)) == ((0, 4), {0: 4})


def test_throw_passes_rocks_between_its_squares() -> None:
    """A throw is looked for in one square a column, and passes the rocks that its line would cross between them."""
    s = board((5, 9), (9, 0), x5=9, x6=9, x7=6, x8=3)
    play(s, "throw right 3", meteor=FAR_OFF)
    assert (where(s, 1), heights(s)) == (None, {5: 9, 6: 9, 7: 6, 8: 3})
    s = board((5, 9), (9, 0), x5=9, x6=9, x7=7, x8=3)
    play(s, "throw right 3", meteor=FAR_OFF)
    assert (where(s, 1), heights(s)) == ((9, 0), {5: 9, 6: 9, 7: 6, 8: 3})


def test_throw_up_in_the_stack() -> None:
    """It hits the rock above; with no rock and nobody above it hits the own square, and the thrower dies."""
    s = board((5, 0), (5, 1), (5, 3), x5=3)
    play(s, "throw up", meteor=FAR_OFF)
    assert [where(s, b) for b in range(3)] == [(5, 0), None, (5, 2)]
    s = board((5, 2), x5=3)
    play(s, "throw up", meteor=FAR_OFF)
    assert (where(s, 0), s.cause[0], heights(s)) == (None, BY_THROW, {5: 2})
    s = board((5, 2), (5, 3), x5=3)
    play(s, "throw up", meteor=FAR_OFF)
    assert (where(s, 0), where(s, 1), heights(s)) == ((5, 2), None, {5: 3})


def test_throw_up_from_the_top_kills_all_in_the_square() -> None:
    """The shot that comes back kills the thrower and whoever has come into its square; the column stays."""
    s = board((5, 2), (6, 2), x5=2, x6=2)
    play(s, "throw up", "move left", meteor=FAR_OFF)
    assert (s.cause[0], s.cause[1], heights(s)) == (BY_THROW, BY_THROW, {5: 2, 6: 2})


def test_throw_down_in_the_stack() -> None:
    """It hits the rock below: at the top rock the thrower comes down, deeper the rocks come down on it."""
    s = board((5, 2), x5=3)
    play(s, "throw down", meteor=FAR_OFF)
    assert (where(s, 0), heights(s)) == ((5, 1), {5: 2})
    s = board((5, 1), x5=3)
    play(s, "throw down", meteor=FAR_OFF)
    assert (where(s, 0), s.cause[0], heights(s)) == (None, BY_ROCK, {5: 2})


# --- the top of the board


def test_top_row() -> None:
    """In the top row a throw upwards does nothing; a rock may still go into the own square, then it is full."""
    s = board((50, 99), x50=99)
    play(s, "throw up", meteor=FAR_OFF)
    assert (where(s, 0), heights(s)) == ((50, 99), {50: 99})
    play(s, "drop up", meteor=FAR_OFF)
    assert (where(s, 0), heights(s)) == ((50, 99), {50: 99})
    play(s, "drop down", meteor=FAR_OFF)
    assert (where(s, 0), heights(s)) == ((50, 99), {50: 100})
    play(s, "drop down", meteor=FAR_OFF)
    assert heights(s) == {50: 100}


# --- meteors


def test_meteor_hits_the_square_it_comes_to_in_a_stack() -> None:
    """Its first square in a stack may be below the top rock: there the bot dies, above it one comes down."""
    s = board((50, 2), (50, 4), (50, 0), x50=4)
    fly(s, (50.0, 4.0, -90))
    play(s, meteor=FAR_OFF)
    assert [where(s, b) for b in range(3)] == [None, (50, 3), (50, 0)]
    assert (s.cause[0], s.height[50], s.meteors) == (BY_METEOR, 3, 1)


def test_meteors_hit_one_after_the_other() -> None:
    """The oldest first, and a later one of the turn meets the column that the first one left."""
    s = board((50, 1), (51, 0), x50=1)
    fly(s, (50.0, 2.0, -90), (50.0, 2.0, -90), (50.0, 3.0, -90))
    play(s, meteor=FAR_OFF)
    # The first takes the rock and the bot comes down; the second kills it; the third finds only air.
    assert (where(s, 0), s.cause[0], heights(s)) == (None, BY_METEOR, {})
    assert [s.meteor_y[m] for m in range(s.meteors)] == [1.0, 99.0]


def test_meteors_do_not_meet_and_may_be_stepped_onto() -> None:
    """Two in one square fly on; a bot that steps onto one before it moves on is safe."""
    s = board((50, 0), (10, 0))
    fly(s, (51.0, 0.0, -180), (51.0, 20.0, -90), (51.0, 20.0, -90))
    play(s, "move right", meteor=FAR_OFF)
    assert where(s, 0) == (51, 0)
    assert [(s.meteor_x[m], s.meteor_y[m]) for m in (1, 2)] == [(pytest.approx(51.0), 18.0)] * 2
    assert s.meteors == 4


def test_half_a_square_outside_is_still_square_0() -> None:
    """Squares are cut towards 0: at x = -0.5 or y = -0.5 a meteor is on the board, and hits."""
    s = board((0, 0), (50, 0))
    fly(s, (1.5, 0.5, -180), (50.0, 1.5, -90))
    play(s, meteor=(-90, 70))
    assert (s.cause[0], s.cause[1]) == (BY_METEOR, BY_METEOR)
    s = board((5, 0))
    fly(s, (1.5, 9.5, -180), (0.9, 9.5, -180))
    play(s, meteor=(-90, 70))
    assert [s.meteor_x[m] for m in range(s.meteors)] == [-0.5, 70.0]


# --- the end


def test_single_survivor_plays_on_to_the_limit() -> None:
    """One bot left plays on; who dies in the last turn and who survives it both score the limit."""
    s = board((5, 0), (50, 0), (70, 0))
    s.limit = 3
    play(s, "throw up", "rest", "throw up", meteor=FAR_OFF)
    assert not rules.over(s)
    play(s, meteor=FAR_OFF)
    assert not rules.over(s)
    play(s, "rest", "throw up", meteor=FAR_OFF)
    assert rules.over(s)
    scores = row_of(3)
    rules.scores(s, scores)
    assert scores == [1, 3, 1]
    s = board((5, 0), (50, 0))
    s.limit = 1
    play(s, "throw up", meteor=FAR_OFF)
    scores = row_of(2)
    rules.scores(s, scores)
    assert (scores, rules.over(s)) == ([1, 1], True)


# --- what is seen


def test_view_is_drawn_before_the_turn_for_all() -> None:
    """Meteors lie over bots and rocks, and what is on the board is drawn before the turn; the next meteor is not."""
    s = board((50, 0), (52, 1), x52=1, x53=1)
    fly(s, (52.0, 1.0, -90), (53.9, 0.9, -90))
    row = GAME.prompt(s, 0).decode().split("\n")[-2]
    above = GAME.prompt(s, 0).decode().split("\n")[-3]
    assert (row[20:24], above[20:24]) == ("s.&@", "..@.")
    rules.deal(s, [-90, 50], None)
    assert GAME.prompt(s, 0).decode().split("\n")[-2] == row
