"""The analysis of a match: chances, what decisions cost, and that a mistake is found."""

from __future__ import annotations

import itertools
import time

import pytest

from dohyo import games
from dohyo.core.judge import Judge
from dohyo.core.referee import Answer
from dohyo.core.replay import Replay
from dohyo.guests.analysis import analysis
from dohyo.guests.analysis.analysis import Analysis, TurningPoint, analyse
from tests.laws import matches

FEW = 400  # playouts
FEWER = 50  # where nothing depends on how good the analysis is


def played(columns: str) -> Replay:
    """A match of connect four: who drops a stone where, in turn."""
    words = iter(columns)
    game = games.find("connect-four")

    def answer(referee, seat, chooser):  # type: ignore[no-untyped-def]
        return Answer(next(words))

    return matches.play(game, 1, answer).replay


@pytest.fixture(scope="module")
def blunder() -> Analysis:
    """Seat 1 lets seat 0 have a fourth stone in column 3, which it could have stopped."""
    return analyse(played("3031323"), playouts=FEW, compiled=False)


def test_a_move_that_lets_the_other_win_is_the_turning_point(blunder: Analysis) -> None:
    """The last decision of the loser is the most expensive one, and the only move that stops it the better one."""
    point = blunder.points[0]
    assert (point.turn, point.seat, point.played, point.better) == (5, 1, "2", "3")
    assert point.left < 0.2 < point.kept


def test_only_what_is_sure_is_a_turning_point(blunder: Analysis) -> None:
    """What a decision cost is more than the search and the game's judge may be wrong by."""
    for point in blunder.points:
        assert point.loss > point.error > Judge().doubt


def test_chances_are_shares(blunder: Analysis) -> None:
    """In each turn the chances add up to one, lie within their bounds, and say in the end who won."""
    assert [one.turn for one in blunder.chances] == list(range(7))
    for one in blunder.chances:
        assert sum(one.chance) == pytest.approx(1)
        assert all(low <= chance <= high for low, chance, high in zip(one.low, one.chance, one.high, strict=True))
    assert blunder.chances[-1].chance[0] > 0.8


def test_the_better_way_is_played_on(blunder: Analysis) -> None:
    """A turning point shows how the match might have gone on, beginning with the better move."""
    line = blunder.points[0].line
    assert line[0].actions == {1: "3"}
    assert [next(iter(turn.actions)) for turn in line] == [1, 0] * (len(line) // 2) + [1] * (len(line) % 2)
    assert len(line) == analysis.LINE


def test_one_seat_s_decisions_only() -> None:
    """With a seat, nobody else's decisions are judged."""
    found = analyse(played("3031323"), playouts=FEWER, seat=0, compiled=False)
    assert {point.seat for point in found.points} <= {0}
    assert found.chances[-1].turn == 6
    assert analyse(played("3031323"), playouts=FEWER, seat=1, compiled=False).chances[-1].turn == 5


def test_the_same_playouts_give_the_same_analysis() -> None:
    """An analysis by playouts has one result, on any number of threads."""
    replay = played("3031323")
    first, second = (analyse(replay, playouts=FEWER, compiled=False, threads=threads) for threads in (1, 2))
    assert first == second


def test_what_is_hidden_is_judged_as_it_was_seen() -> None:
    """In a game that hides something, each decision is judged by what its seat could know."""
    game = games.find("shoot-em-up")
    replay = matches.play(game, 3).replay
    replay.turns = replay.turns[:6]
    found = analyse(replay, playouts=40, compiled=False)
    assert [(one.turn, one.seat) for one in found.seen] == [
        (turn.turn, move.seat) for turn in replay.turns for move in turn.moves
    ]
    assert all(one.worlds >= 1 for one in found.seen)
    assert any(not one.is_true and one.worlds > 1 for one in found.seen)


def test_a_match_without_turns_has_nothing_to_judge() -> None:
    """A replay in which nobody has played yet is analysed, too."""
    replay = played("3031323")
    replay.turns = []
    found = analyse(replay, playouts=FEW, compiled=False)
    assert (found.chances, found.points) == ((), ())


def test_all_of_it_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked for in seconds ends then, finding states and the better ways included, whatever they cost.

    The clock here goes on by a thousandth of a second each time that somebody looks at it.
    """
    looks = itertools.count()
    monkeypatch.setattr(time, "monotonic", lambda: next(looks) / 1000)
    replay = matches.play(games.find("shoot-em-up"), 3).replay
    replay.turns = replay.turns[:4]
    found = analyse(replay, seconds=2, compiled=False, threads=1)
    assert len(found.chances) == len(found.seen) == 4
    assert 1 < next(looks) / 1000 < 2.3


def test_a_position_s_time_is_its_share_of_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time that others did not need is shared by the rest, and when it is over there is none; nobody waits longer."""
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    budget = analysis._Budget(20.0, None, 2)
    assert budget.each(0.5, 40) == pytest.approx(0.5)
    now[0] = 105.0
    assert budget.each(0.5, 10) == pytest.approx(1.0)
    assert budget.each(0.5, 1) == analysis.MOST
    now[0] = 111.0
    assert budget.each(0.5, 10) == 0.0
    assert analysis._Budget(20.0, 100, 2).each(0.5, 10) is None


def test_an_action_that_was_not_tried_is_taken_for_an_average_one() -> None:
    """Where a game's judge leaves actions out, the one that was played is no mistake for that alone."""
    assert analysis.value_of(1, {1: (0.5, 10), 2: (-0.5, 2)}) == 0.5
    assert analysis.value_of(3, {1: (0.5, 10), 2: (-0.5, 2)}) == 0.0


def test_a_chance_that_stays_open_is_told_once() -> None:
    """The same better action of a seat in turn after turn is one turning point, the most expensive one."""

    def point(turn: int, seat: int, better: str, left: float) -> TurningPoint:
        return TurningPoint(turn, seat, "U", better, 0.9, left, 0.1)

    points = [point(12, 0, "A", 0.1), point(8, 0, "A", 0.2), point(12, 1, "A", 0.3), point(10, 0, "D", 0.4)]
    again = point(40, 0, "A", 0.5)
    turns = [list(range(0, 60, 2))] * 2
    assert analysis.without_repeats([*points, again], turns) == (points[0], *points[2:], again)
