"""What a program in Python calls and the command line has, too: contests and analyses, with their refusals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

import dohyo
from dohyo import doors
from dohyo.core.errors import OperatorError
from dohyo.games import find, is_found, load
from dohyo.series.analysed import Analysis, Chances
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


class Mine(dohyo.Bot):
    """A bot that only this process has."""

    def act(self, observation: dohyo.Observation) -> dohyo.Action:
        """Plays what comes first."""
        return observation.legal_actions[0]


@pytest.mark.parametrize("given", [Mine, Mine()])
def test_a_class_is_no_bot_of_a_contest_or_a_comparison(given: Any, tmp_path: Path) -> None:
    """Other processes start the bots: what to give in its place is said, and nothing is begun."""
    for ask in (
        lambda: dohyo.compare(GAME, given, ["random"]),
        lambda: dohyo.compare(GAME, "random", given),
        lambda: dohyo.contest(GAME, [given, "random"]),
    ):
        with pytest.raises(OperatorError, match=r"'Mine' is no such word: give the bot's file, as \"mybot.py\""):
            ask()
    assert not list(tmp_path.iterdir())


def test_a_game_that_only_this_process_has_is_refused(
    monkeypatch: pytest.MonkeyPatch, root: Path, tmp_path: Path
) -> None:
    """Other processes play, and find games by name: how they find it is said; then the game itself may be given."""
    file = tmp_path / "calls_pig.py"
    file.write_bytes((root / "examples" / "pig.py").read_bytes())
    game = load(file)
    for ask in (lambda: dohyo.compare(game, "random", "random"), lambda: dohyo.contest(game, ["random", "random"])):
        with pytest.raises(OperatorError, match=rf"set DOHYO_GAMES={file} before Python starts") as refused:
            ask()
        assert "Game(" not in str(refused.value)
    monkeypatch.setenv("DOHYO_GAMES", str(file))
    assert is_found(game)
    assert not is_found(msgspec.structs.replace(find(GAME), version=9))
    standings = dohyo.contest(find(GAME), ["climber", "random"], seed=7, sandbox="none")
    assert len(standings.rows) == 2


def test_an_analysis_is_shown_in_one_short_line() -> None:
    """Its numbers may be thousands."""
    one = Chances(1, (0.5, 0.5), (0.4, 0.4), (0.6, 0.6))
    found = Analysis(GAME, "", ("a", "b"), True, 100, (one,) * 500, (), ())
    assert repr(found) == "<Analysis of wondev-woman: turns 500, turning points 0>"
