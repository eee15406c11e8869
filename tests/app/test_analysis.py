"""The analysis of a match: chances, what decisions cost, and that a mistake is found."""

from __future__ import annotations

import pytest

from dohyo import games
from dohyo.app import analysis
from dohyo.app.analysis import Analysis, analyse, chance_of, chances_of
from dohyo.core.replay import Replay
from tests.laws import matches

FEW = 400  # playouts


def played(columns: str) -> Replay:
    """A match of connect four: who drops a stone where, in turn."""
    words = iter(columns)
    game = games.find("connect-four")

    def answer(referee, seat, chooser):  # type: ignore[no-untyped-def]
        return matches.Answer(next(words))

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
    found = analyse(played("3031323"), playouts=FEW, seat=0, compiled=False)
    assert {point.seat for point in found.points} <= {0}
    assert found.chances[-1].turn == 6
    assert analyse(played("3031323"), playouts=FEW, seat=1, compiled=False).chances[-1].turn == 5


def test_the_same_playouts_give_the_same_analysis() -> None:
    """An analysis by playouts has one result, on any number of threads."""
    replay = played("3031323")
    first, second = (analyse(replay, playouts=FEW, compiled=False, threads=threads) for threads in (1, 2))
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


def test_few_playouts_are_not_certain() -> None:
    """A share of 0 or 1 in a few playouts has a wide interval, in many a narrow one."""
    for share in (0.0, 1.0):
        assert analysis.sampling(share, 8) > 0.15
        assert analysis.sampling(share, 100_000) < 0.001
    assert analysis.sampling(0.5, 1000) == pytest.approx(0.026, abs=0.001)


def test_shares_become_chances() -> None:
    """Chances of a few seats add up to one; sharper ones lie farther apart, and equal ones stay equal."""
    assert chances_of([0.0, 0.0], 2.0) == (0.5, 0.5)
    assert chances_of([-0.5] * 4, 3.0) == (0.25,) * 4
    flat, sharp = chances_of([0.2, -0.2], 1.0), chances_of([0.2, -0.2], 2.0)
    assert 0.5 < flat[0] < sharp[0]
    assert sum(sharp) == pytest.approx(1)
    assert chance_of(0.2, 2, 1.0) == pytest.approx(flat[0])
