"""Positions that are judged for whoever shows a match."""

from __future__ import annotations

import base64

import pytest

from dohyo import games
from dohyo.core.bot_spec import Sample
from dohyo.core.playback import moments
from dohyo.guests.analysis.positions import Position, Positions
from dohyo.match.play import play_match
from dohyo.series.broadcast import judging
from dohyo.series.broadcast.judging import PositionJudge, judging_of

FEW = 200  # playouts


def position(name: str, turn: int) -> Position:
    """The position after so many turns of a match of two."""
    game = games.find(name)
    replay = play_match(game, [Sample("random")] * 2, seed=5, sandbox="none")
    found = list(moments(game, replay))[turn]
    return Position([1, turn], 2, base64.b64encode(game.rules.LAYOUT.pack(found.after)).decode())


def test_chances_add_up_or_are_not_said() -> None:
    """Each seat has its chance; of a match that is over, and where the search is not sure, there is none."""
    judge = Positions(games.find("othello"), compiled=False)
    chances = judge.chances(position("othello", -4), playouts=FEW)
    assert not chances or sum(chances) == pytest.approx(1.0, abs=0.01)
    assert judge.chances(position("othello", -1), playouts=FEW) == []


def test_nobody_waits_for_a_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    """One position at a time is asked for; a process that ends is missed by nobody; without Numba there is none."""
    monkeypatch.setattr(judging.importlib.util, "find_spec", lambda name: None)
    game = games.find("othello")
    assert judging_of(game) is None
    judge = PositionJudge("dohyo.no_such_module", game)
    state = game.new_state({option.name: option.default for option in game.options}, 2)
    judge.ask((1, 2), state, 2)
    assert judge._process is not None
    judge._process.wait()
    while judge._process is not None:
        assert judge.answers() == []
    judge.ask((1, 3), state, 2)
    judge.close()
