"""What a program in Python calls and the command line has, too: contests and analyses, with their refusals."""

from __future__ import annotations

from pathlib import Path

import pytest

import dohyo
from dohyo import doors
from dohyo.core.errors import OperatorError
from tests import here

GAME = "wondev-woman"


@pytest.fixture(autouse=True)
def without_processes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Matches are played in this process, in an empty folder."""
    here.read_hand_ins_here(monkeypatch)
    here.play_here(monkeypatch)
    monkeypatch.chdir(tmp_path)


def test_a_contest_is_that_of_the_command(tmp_path: Path) -> None:
    """It is kept in contest.db, goes on with more rounds, and its matches and ratings are read from there."""
    first = dohyo.contest(GAME, ["climber", "random"], seed=7, sandbox="none")
    assert {row.bot for row in first.rows} == {"climber", "random"}
    assert [row.matches for row in first.rows] == [2, 2]
    again = dohyo.contest(GAME, ["climber", "random"], rounds=2, seed=7, sandbox="none")
    assert [row.matches for row in again.rows] == [4, 4]
    assert dohyo.standings("contest.db") == again
    assert len(dohyo.matches(tmp_path / "contest.db", bot="climber")) == 8  # a row for each seat of its matches


def test_who_is_left_out_of_a_contest_is_warned_of(tmp_path: Path) -> None:
    """A hand-in that cannot be used does not end it; a mistake of the caller is an `OperatorError`."""
    folder = tmp_path / "hand-ins"
    folder.mkdir()
    (folder / "empty").mkdir()
    with pytest.warns(UserWarning, match="empty does not take part"):
        standings = dohyo.contest(GAME, ["climber", "random"], folder=folder, sandbox="none")
    assert len(standings.rows) == 2
    with pytest.raises(OperatorError, match="There is no game 'wondev-man'"):
        dohyo.contest("wondev-man", ["climber", "random"], store="other.db")
    assert not (tmp_path / "other.db").exists()


def test_an_analysis_refuses_what_the_command_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    """No time, playouts beside a judge; and without the guest that analyses, that is said."""

    class First(dohyo.Bot):
        """Plays what comes first."""

        def act(self, observation: dohyo.Observation) -> dohyo.Action:
            return observation.legal_actions[0]

    replay = dohyo.play(GAME, [First, First], seed=1, clock=60)
    with pytest.raises(OperatorError) as refused:
        dohyo.analyse(replay, seconds=0)
    assert refused.value.key == "no-time-to-analyse"
    with pytest.raises(OperatorError) as refused:
        dohyo.analyse(replay, by="uci:engine", playouts=10)
    assert refused.value.key == "analysis-by-playouts"
    monkeypatch.setattr(doors, "brought", lambda kind: {})
    with pytest.raises(OperatorError) as refused:
        dohyo.analyse(replay)
    assert refused.value.key == "guest-missing"
