"""What is known of a match without a search: points turn by turn, and what the drawing marks."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from dohyo.core.game import Game
from dohyo.core.playback import moments
from dohyo.guests.analysis.facts import facts_of
from dohyo.guests.analysis.sentences import facts_in_words
from dohyo.i18n import ENGLISH, Speaker
from dohyo.series.analysed import Gap, Marked, PointsMade
from tests.laws.matches import every_game, play


def told(rows: list[tuple[float, ...]], winner: int | None = None, marks: dict[int, list[Any]] | None = None) -> Any:
    """The facts of a match with these points before the first turn, and after each; its first turn is number 10."""

    def frame(before: Any, actions: Any, events: Any, after: int, seat: int | None) -> dict[str, Any]:
        return {"highlights": (marks or {}).get(after, [])}

    game: Any = SimpleNamespace(
        name="g", rules=SimpleNamespace(scores=len), score=lambda state, seats: rows[state], frame=frame, catalogue={}
    )
    played: Any = [
        SimpleNamespace(turn=SimpleNamespace(turn=9 + at), before=at - 1, actions=(), events=(), after=at)
        for at in range(1, len(rows))
    ]
    replay: Any = SimpleNamespace(
        header=SimpleNamespace(seats=range(len(rows[0]))), result=SimpleNamespace(winner=winner), played=len(played)
    )
    return facts_of(game, replay, played)


def test_where_the_gap_opened_and_since_when_it_was_there() -> None:
    """The stretch in which most of it opened; the turn from which on the winner was ahead; how often that changed."""
    rows = [(0, 0), (1, 0), (1, 2), *[(1, 2)] * 20, (1, 3), (1, 5), (1, 7), *[(2, 7)] * 20, (3, 7), (3, 7)]
    found = told(rows, winner=1)
    assert (found.leader, found.since, found.changes) == (1, 11, 1)
    (gap,) = found.gaps
    assert gap == Gap(0, 33, 34, 2, 6, 4)
    assert [one.points for one in found.seats] == [3, 7]
    assert found.seats[1].made == (PointsMade(11, 2), PointsMade(33, 2), PointsMade(34, 2))
    assert found.seats[0].made == (PointsMade(10, 1), PointsMade(35, 1), PointsMade(55, 1))
    (sentence,) = [one for one in facts_in_words(found, ["a", "b"], _plain(), ENGLISH) if "fell behind" in one.text]
    assert sentence.text == (
        "a (seat 0) fell behind b (seat 1) the most in turns 33 to 34: before 2 points behind, then 6 points behind, "
        "at the end 4 points behind."
    )
    assert sentence.turn == 33


def test_one_point_is_one_point() -> None:
    """Who is one point behind is not 1 points behind."""
    found = told([(0, 0), (0, 1), *[(0, 1)] * 30, (0, 5)], winner=1)
    sentences = " ".join(one.text for one in facts_in_words(found, ["a", "b"], _plain(), ENGLISH))
    assert "1 point behind" in sentences
    assert "1 points" not in sentences


def test_turns_are_named_only_where_they_stand_out() -> None:
    """Where a point is made in many turns, none of them is the one with the most."""
    found = told([(at, -at if at != 5 else -90) for at in range(9)])
    assert found.seats[0].made == ()
    assert found.seats[0].scoring == 8
    assert found.seats[1].lost == (PointsMade(14, -86),)


@pytest.mark.parametrize("rows", [[(0, 0)] * 9 + [(5, 1)], [(0, 0), (float("nan"), 1), (1, 1)], [(0, 0)]])
def test_nothing_is_said_of_points_that_have_no_course(rows: list[tuple[float, ...]]) -> None:
    """Points that only the end brings, or that are no numbers, say nothing of how it came."""
    found = told(rows)
    assert (found.leader, found.gaps) == (None, ())
    assert all(one.points is None for one in found.seats)


def test_marks_are_counted() -> None:
    """How often what the drawing marks came, and in which turn first and last."""
    found = told([(0, 0)] * 9, marks={3: [["out", 1]], 2: [["hit", 1]], 5: [["hit", 1], ["hit", 0]]})
    assert found.seats[1].marks == (Marked("hit", 2, 11, 14), Marked("out", 1, 12, 12))
    assert found.seats[0].marks == (Marked("hit", 1, 14, 14),)


def _plain() -> Any:
    return SimpleNamespace(name="g", catalogue={})


@every_game
def test_facts_hold_in_every_game(game: Game) -> None:
    """The points are those of the match's end, and every fact is a sentence in both languages."""
    replay = play(game, 5).replay
    played = [one for one in moments(game, replay) if one.turn.moves]
    found = facts_of(game, replay, played)
    seats = len(replay.header.seats)
    for own in found.seats:
        assert own.points is None or own.points == game.score(played[-1].after, seats)[own.seat]
        assert all(one.points > 0 for one in own.made)
        assert all(one.points < 0 for one in own.lost)
    for gap in found.gaps:
        assert gap.after > gap.before
        assert gap.end > 0
    for language in ("en", "ja"):
        for one in facts_in_words(found, [f"bot{seat}" for seat in range(seats)], game, Speaker(language)):
            assert f"bot{one.seat}" in one.text
            assert "{" not in one.text
            assert ".mark." not in one.text
