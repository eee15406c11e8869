"""An analysis as the page shows it: for everybody's view, and for each seat that did not see everything."""

from __future__ import annotations

from dohyo import games
from dohyo.app.analysis import analyse
from dohyo.web.chances import shown
from tests.app.test_analysis import played
from tests.laws import matches


def test_every_position_has_its_chances() -> None:
    """The first entry is the position before the first turn; the last one is the result."""
    replay, game = played("3031323"), games.find("connect-four")
    (view,) = shown(analyse(replay, playouts=400, compiled=False), game, replay, "en")
    assert (view["seat"], len(view["chances"])) == (None, 8)
    assert view["chances"][-1] == [[1.0, 1.0, 1.0], [0.0, 0.0, 0.0]]
    assert all(0 <= low <= chance <= high <= 1 for row in view["chances"] for chance, low, high in row)
    assert {"turn", "seat", "text", "action"} == set(view["points"][0])


def test_a_seat_is_shown_what_it_could_think() -> None:
    """In a seat's own view there are its own chances alone, where it acted, and its own turning points."""
    game = games.find("shoot-em-up")
    replay = matches.play(game, 3).replay
    replay.turns = replay.turns[:6]
    found = analyse(replay, playouts=40, compiled=False)
    everybody, *seats = shown(found, game, replay, "en")
    assert everybody["seat"] is None
    assert [view["seat"] for view in seats] == [0, 1]
    for view in seats:
        for row, turn in zip(view["chances"], replay.turns, strict=False):
            acted = view["seat"] in [move.seat for move in turn.moves]
            assert (row is not None) == acted
            assert not acted or [at for at, one in enumerate(row) if one] == [view["seat"]]
        assert {point["seat"] for point in view["points"]} <= {view["seat"]}
