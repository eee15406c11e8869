"""An analysis as the page shows it: for everybody's view, and for each seat that did not see everything."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import msgspec
import pytest

from dohyo import games
from dohyo.guests.analysis.analysis import analyse
from dohyo.guests.analysis.chances import line_of, played_line, shown
from dohyo.i18n import Speaker
from dohyo.series.analysed import Analysis, Chances, LineTurn, SeatChance, TurningPoint
from dohyo.series.onward import Onward
from dohyo.web import content
from tests.guests.analysis.test_analysis import LOST, Greedy, played
from tests.laws import matches
from tests.web.applied import apply


def test_every_position_has_its_chances() -> None:
    """The first entry is the position before the first turn; the last one is the result."""
    replay, game = played(LOST), games.find("connect-four")
    found = analyse(replay, playouts=400, compiled=False, plays_on=Onward(Greedy(), False))
    (view,) = shown(found, game, replay, Speaker("en"))
    assert (view["seat"], len(view["chances"])) == (None, 8)
    assert view["chances"][-1] == [[1.0, 1.0, 1.0], [0.0, 0.0, 0.0]]
    assert all(0 <= low <= chance <= high <= 1 for row in view["chances"] for chance, low, high in row)
    assert {"turn", "seat", "text", "action", "lost", "line"} == set(view["points"][0])
    assert 0 < view["points"][0]["lost"] <= 1


def test_a_seat_is_shown_what_it_could_think() -> None:
    """In a seat's own view there are its own chances alone, where it acted, and its own turning points."""
    game = games.find("shoot-em-up")
    replay = matches.play(game, 3).replay
    replay.turns = replay.turns[:6]
    found = analyse(replay, playouts=40, compiled=False)
    fitting = {(one.seat, one.turn) for one in found.seen if not one.is_true}
    assert {seat for seat, _ in fitting} == {0, 1}
    everybody, *seats = shown(found, game, replay, Speaker("en"))
    assert everybody["seat"] is None
    assert [view["seat"] for view in seats] == [0, 1]
    for view in seats:
        for row, turn in zip(view["chances"], replay.turns, strict=False):
            fits = (view["seat"], turn.turn) in fitting
            assert (row is not None) == fits
            assert not fits or [at for at, one in enumerate(row) if one] == [view["seat"]]
        assert {point["seat"] for point in view["points"]} <= {view["seat"]}


def test_a_seat_is_shown_nothing_of_the_true_state() -> None:
    """Decisions for which no states were found were judged from the true one: only everybody's view has these."""
    game = games.find("shoot-em-up")
    replay = matches.play(game, 3).replay
    chances = tuple(Chances(turn, (0.5, 0.5), (0.4, 0.4), (0.6, 0.6)) for turn in range(3))
    seen = tuple(SeatChance(turn, 0, 0.5, 0.4, 0.6, 1, turn == 1) for turn in range(3))
    points = tuple(TurningPoint(turn, 0, "", "", 0.5, 0.4, 0.0) for turn in (0, 1))
    found = Analysis(game.name, "", ("a", "b"), False, 9, chances, seen, points)
    everybody, own = shown(found, game, replay, Speaker("en"))
    assert [point["turn"] for point in everybody["points"]] == [0, 1]
    assert [point["turn"] for point in own["points"]] == [0]
    assert [row is not None for row in own["chances"][:3]] == [True, False, True]


def test_kinds_of_chances_are_told_apart() -> None:
    """Where not everything is seen, the curve, each decision and a seat's own view say what they are judged by."""
    game = games.find("shoot-em-up")
    replay = matches.play(game, 3).replay
    chances = tuple(Chances(turn, (0.5, 0.5), (0.4, 0.4), (0.6, 0.6)) for turn in range(3))
    seen = tuple(SeatChance(turn, 0, 0.5, 0.4, 0.6, 1, turn == 1) for turn in range(3))
    points = tuple(TurningPoint(turn, 0, "", "", 0.5, 0.4, 0.0) for turn in (0, 1))
    found = Analysis(game.name, "", ("a", "b"), False, 9, chances, seen, points)
    everybody, own = shown(found, game, replay, Speaker("en"))
    assert [everybody["basis"], own["basis"]] == ["true state", "as the seat saw it"]
    assert [point["basis"][:10] for point in everybody["points"]] == ["as the sea", "true state"]
    assert [point["basis"] for point in own["points"]] == ["as the seat saw it"]
    assert "Two kinds of chance" in everybody["points_note"]
    (alone,) = shown(msgspec.structs.replace(found, seen=()), game, replay, Speaker("en"))
    assert "basis" not in {*alone, *alone["points"][0]}
    assert alone["points_note"].startswith("Nobody was at hand to play on")


def frames_of(view: dict[str, Any]) -> list[Any]:
    """The frames that a page makes of a view, or of a line."""
    told = msgspec.json.decode(msgspec.json.encode(view))
    return list(accumulate(told["changes"], apply, initial=told["first"]))


@pytest.mark.parametrize("name", ["drop-block", "wondev-woman", "shoot-em-up", "abotcalypse", "connect-four"])
def test_a_line_is_played_by_the_rules(name: str) -> None:
    """A line of the moves and dice of the match itself has the match's own frames, in every view."""
    game = games.find(name)
    replay = next(replay for seed in range(99) if len((replay := matches.play(game, seed).replay).turns) > 6)
    start = len(replay.turns) // 3
    turns = [turn for turn in replay.turns[start : start + 5] if turn.moves]
    dice = [*(turn.dice for turn in turns[1:]), ()]
    line = [
        LineTurn({move.seat: move.action for move in turn.moves}, fallen)
        for turn, fallen in zip(turns, dice, strict=True)
    ]
    point = TurningPoint(turns[0].turn, turns[0].moves[0].seat, "", "", 0.5, 0.4, 0.0, tuple(line))
    moments = played_line(game, replay, point)
    for view in content.content(game, replay)["views"]:
        varied = frames_of(line_of(game, moments, view["seat"]))
        assert varied == frames_of(view)[start + 1 : start + 1 + len(turns)]


def test_a_line_is_of_the_true_state() -> None:
    """The page of one seat has its turning points, but no better line where the game hides something."""
    for name, has_line in (("shoot-em-up", False), ("connect-four", True)):
        game = games.find(name)
        replay = matches.play(game, 3).replay
        point = {"turn": 0, "seat": 0, "text": "", "line": {"first": {}, "changes": [], "turns": []}}
        judged = [{"seat": seat, "chances": [], "points": [point]} for seat in (None, 0)]
        told = content.content(game, replay, analysis=judged[:1] if has_line else judged, seat=0)
        assert [(one["seat"], "line" in one["points"][0]) for one in told["analysis"]] == [(0, has_line)]
