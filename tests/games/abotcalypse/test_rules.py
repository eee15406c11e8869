"""aBOTcalypse under `post`: gravity, drops, throws, meteors, collisions, and the end."""

from __future__ import annotations

import hashlib
import random
import struct

import pytest

from dohyo.core.flat import row_of
from dohyo.core.options import resolve
from dohyo.core.referee import Answer, Referee
from dohyo.games.abotcalypse import GAME, rules
from dohyo.games.abotcalypse.board import BY_COLLISION, BY_FALL, BY_METEOR, BY_ROCK, BY_THROW
from dohyo.games.abotcalypse.directions import ACROSS, UPWARD
from dohyo.games.abotcalypse.frame import frame
from tests.games.abotcalypse.boards import board, heights, nothing_floats, play, where

# --- moves


@pytest.mark.parametrize(
    ("start", "column", "reply", "end"),
    [
        ((5, 0), 0, "move up", (5, 0)),
        ((5, 2), 2, "move up", (5, 2)),
        ((5, 1), 3, "move up", (5, 2)),
        ((5, 2), 3, "move up", (5, 3)),
        ((5, 3), 3, "move down", (5, 2)),
        ((5, 0), 3, "move down", (5, 0)),
        ((5, 0), 0, "move right", (6, 0)),
        ((5, 0), 0, "move left", (4, 0)),
        ((5, 1), 1, "move right", (6, 0)),
    ],
)
def test_bot_moves(start: tuple[int, int], column: int, reply: str, end: tuple[int, int]) -> None:
    """Up only inside a stack, down without a fall, sideways onto the next column; a step down by one harms nobody."""
    s = board(start, x5=column)
    play(s, reply)
    assert where(s, 0) == end


@pytest.mark.parametrize(("x", "reply"), [(0, "move left"), (99, "move right")])
def test_bot_stays_on_the_board(x: int, reply: str) -> None:
    """A move off the board does nothing."""
    s = board((x, 0))
    play(s, reply, meteor=(-90, 50))
    assert where(s, 0) == (x, 0)


def test_sideways_into_a_stack_keeps_the_height() -> None:
    """Who walks into a stack, or onto its top at the own height, stays at its own height."""
    s = board((5, 2), (7, 2), x5=2, x6=4, x7=2, x8=2)
    play(s, "move right", "move right")
    assert (where(s, 0), where(s, 1)) == ((6, 2), (8, 2))


def test_fall_of_more_than_one_kills() -> None:
    """A fall by two squares kills, and so dies who is met in the landing square; the cause of each is told."""
    s = board((5, 2), (6, 0), x5=2)
    play(s, "move right")
    assert (where(s, 0), where(s, 1)) == (None, None)
    assert (s.cause[0], s.cause[1]) == (BY_FALL, BY_COLLISION)


# --- drops


def test_drop_down_puts_a_rock_into_the_own_square() -> None:
    """Down: a rock into the own square if it holds none; harms nobody, and the bot is then inside its stack."""
    s = board((5, 0))
    play(s, "drop down")
    assert (where(s, 0), heights(s)) == ((5, 0), {5: 1})
    play(s, "drop down")
    assert (where(s, 0), heights(s)) == ((5, 0), {5: 1})


@pytest.mark.parametrize(("height", "rocks"), [(0, 1), (1, 2), (3, 3)])
def test_drop_sideways(height: int, rocks: int) -> None:
    """Sideways a rock falls onto the column, or goes nowhere where the square holds one; bots it meets die."""
    y = min(height, 1)
    s = board((5, 1), (6, y), x5=1, **({"x6": height} if height else {}))
    play(s, "drop right")
    assert heights(s) == {5: 1, 6: rocks}
    assert where(s, 0) == (5, 1)
    assert (where(s, 1), s.cause[1]) == (None, BY_ROCK)


def test_drop_up() -> None:
    """Up from the top the rock falls back, stays, and kills the dropper; in the stack only who stands there dies."""
    s = board((5, 0))
    play(s, "drop up")
    assert (where(s, 0), heights(s), s.cause[0]) == (None, {5: 1}, BY_ROCK)
    s = board((5, 0), (5, 1), x5=1)
    play(s, "drop up")
    assert (where(s, 0), where(s, 1), heights(s)) == ((5, 0), None, {5: 2})
    s = board((5, 0), (5, 1), x5=3)
    play(s, "drop up")
    assert (where(s, 0), where(s, 1), heights(s)) == ((5, 0), None, {5: 3})


# --- throws


def test_throw_down_takes_the_rock_below() -> None:
    """Down from the top: the rock is gone, bots in it die, the thrower comes down by one; on the floor nothing."""
    s = board((5, 2), (5, 1), x5=2)
    play(s, "throw down")
    assert (where(s, 0), where(s, 1), heights(s)) == ((5, 1), None, {5: 1})
    s = board((5, 0), (5, 1), x5=1)
    play(s, "throw down")
    assert (where(s, 0), heights(s)) == ((5, 0), {5: 1})


def test_throw_up_comes_back() -> None:
    """Up from the top: the shot comes back and kills the thrower."""
    s = board((5, 0))
    play(s, "throw up")
    assert (where(s, 0), s.cause[0]) == (None, BY_THROW)


@pytest.mark.parametrize(
    ("reply", "victims"),
    [
        ("throw right", {2}),
        ("throw right 9", {2}),
        ("throw right 2", {2}),
        ("throw right 1", {1}),
        ("throw right 0", {3}),
        ("throw left", set()),
        ("throw right -5", {3}),
    ],
)
def test_throw_flies_straight(reply: str, victims: set[int]) -> None:
    """From (11, 4) the slope is 4/d, 1 for a distance of 0 or less; none, or one of 4 or more, counts as 3."""
    s = board((10, 4), (12, 0), (13, 0), (15, 0), x10=4)
    targets = {1: (12, 0), 2: (13, 0), 3: (15, 0)}
    play(s, reply)
    dead = {b for b in targets if where(s, b) is None}
    assert dead == victims


def test_hit_in_a_stack_brings_down_what_is_above() -> None:
    """Hit at y: bots there die, those between it and the top rock too; at the top rock and on top they come down."""
    s = board((4, 1), (5, 0), (5, 1), (5, 2), (5, 3), (5, 4), x4=1, x5=4)
    play(s, "throw right 0")
    assert heights(s) == {4: 1, 5: 3}
    assert [where(s, b) for b in range(1, 6)] == [(5, 0), None, None, (5, 2), (5, 3)]
    assert (s.cause[2], s.cause[3]) == (BY_THROW, BY_ROCK)


# --- meteors


def test_meteor_directions_are_the_doubles_of_the_contest_s_recordings() -> None:
    """Their cosines and sines are the same to the last bit, on every machine."""
    packed = struct.pack("<360d", *ACROSS, *UPWARD)
    digest = "5e94166bbe6a2f24ebdd1224e8e7310ac4df2d80514fb1f8e34f1fdfdd94e3e3"
    assert hashlib.sha256(packed).hexdigest() == digest


def test_meteor_enters_at_the_top_and_steps_from_the_next_turn() -> None:
    """A new meteor stands at (x, 99) in its first turn, and then goes two squares a turn."""
    s = board((5, 0))
    play(s, meteor=(-90, 50))
    assert (s.meteor_x[0], s.meteor_y[0]) == (50.0, 99.0)
    play(s)
    assert s.meteor_x[0] == pytest.approx(50.0)
    assert s.meteor_y[0] == 97.0


def test_meteor_kills_who_stands_where_it_is() -> None:
    """A meteor in a bot's square kills it and is gone; the column below stays."""
    s = board((50, 99), (5, 0), x50=99)
    play(s, meteor=(-90, 50))
    assert (where(s, 0), s.cause[0], s.meteors) == (None, BY_METEOR, 0)
    assert heights(s) == {50: 99}


# --- collisions, scores, the end


def test_bots_in_one_square_die_and_swapping_is_safe() -> None:
    """Only final squares count: two that meet die, two that swap places do not."""
    s = board((5, 0), (7, 0), (20, 0), (21, 0))
    play(s, "move right", "move left", "move right", "move left")
    assert [where(s, b) for b in range(4)] == [None, None, (21, 0), (20, 0)]
    assert s.cause[0] == s.cause[1] == BY_COLLISION


def test_moves_come_before_drops_and_drops_before_throws() -> None:
    """Who walks away in this turn is hit by no drop; who is killed by a drop throws no more."""
    s = board((5, 0), (6, 0))
    play(s, "drop right", "move right")
    assert (where(s, 1), heights(s)) == ((7, 0), {6: 1})
    s = board((5, 0), (6, 0), (7, 0))
    play(s, "drop right", "throw right")
    assert (where(s, 1), where(s, 2)) == (None, (7, 0))


def test_scores_are_the_turn_of_death_or_the_limit() -> None:
    """Who dies scores the turn's number, who survives the limit; the game ends when nobody lives."""
    s = board((5, 0), (50, 0))
    play(s, "throw up")
    scores = row_of(2)
    rules.scores(s, scores)
    assert scores == [1, 500]
    assert not rules.over(s)
    play(s, "rest", "throw up")
    rules.scores(s, scores)
    assert scores == [1, 2]
    assert rules.over(s)


# --- gravity, as a law


def test_nothing_ever_floats() -> None:
    """Over random play no bot ever stands above its column's top, and no column leaves 0 .. 100."""
    died = 0
    for seed in range(30):
        dice = random.Random(seed)
        setup = resolve(GAME.options, {"turns": 150})
        referee = Referee(GAME, setup, dice.choice([1, 5, 30, 100]), seed)
        while not referee.over:
            replies = {b: dice.choice(ANYTHING) for b in referee.pending()}
            referee.submit({b: Answer(reply) for b, reply in replies.items()})
            assert nothing_floats(referee.state), (seed, referee.turn)
        died += sum(1 for cause in referee.state.cause if cause)
    assert died > 100


ANYTHING = [
    *["rest"] * 4,
    *["drop down", "move up"] * 6,
    *[f"{what} {way}" for what in ("move", "drop", "throw") for way in ("up", "down", "left", "right")],
    "throw left 3",
    "throw right 0",
]


def test_climber_reaches_the_top_and_stops_there() -> None:
    """Who builds under itself comes to the top row; there `move up` and `drop up` do nothing."""
    s = board((50, 99), x50=100)
    play(s, "move up")
    assert where(s, 0) == (50, 99)
    play(s, "drop up")
    assert (where(s, 0), heights(s)) == ((50, 99), {50: 100})


@pytest.mark.parametrize(
    ("turns", "reason", "scores"), [(3, "abotcalypse.crashed", [1, 1]), (2, "abotcalypse.turn-limit", [2, 2])]
)
def test_below_the_floor_ends_the_game_when_views_are_drawn(turns: int, reason: str, scores: list[int]) -> None:
    """In the classic rules a bot below the floor crashes the next turn's views; the last turn has no next."""
    setup = resolve(GAME.options, {"rules": "classic", "turns": turns, "columns": "5,50"})
    s = GAME.new_state(setup, 2)
    rules.deal(s, [-90, 99], None)
    s.y[0] = -1  # where only what falls on a bot brings it
    rules.step(s, [rules.REST, rules.REST], None)
    assert rules.over(s)
    places = [0, 0]
    assert rules.REASONS[rules.places(s, places)] == reason
    assert list(GAME.score(s, 2)) == scores


def test_what_a_bot_is_not_told_is_named() -> None:
    """As a bot sees it, every other one's actions and words are hidden; seen by everybody, nothing is."""
    s = GAME.new_state(resolve(GAME.options, {"columns": "5,50,99"}), 3)
    assert frame(s, [0, 0, 0], [], s)["hidden"] == []
    assert frame(s, [0, 0, 0], [], s, 1)["hidden"] == [0, 2]
