"""`dohyo play --times`: two actions are compared by matches that go on after each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dohyo.match.play import play_match
from dohyo.match.replays import replays
from tests.cli.conftest import Type

GAME = "wondev-woman", "climber", "random"


@pytest.fixture
def match(folder: Path) -> str:
    """A replay; in turn 20 seat 0 acts, which climbs."""
    replay = play_match(GAME[0], GAME[1:], seed=3)
    replays.save(replay, folder / "m.replay")
    return "m.replay@20"


def two(match: str) -> tuple[str, str]:
    """The action that was played in that turn, and another legal one."""
    from dohyo import games
    from dohyo.core.playback import moments

    replay = replays.load(match.partition("@")[0])
    game = games.find(replay.header.game)
    moment = next(one for one in moments(game, replay) if one.turn.turn == 20)
    legal = [game.protocol.text(action) for action in game.legal_actions(moment.before, 0)]
    played = moment.turn.moves[0].action
    return f"0={played}", next(f"0={other}" for other in legal if other != played)


def test_both_counts_are_told(typed: Type, match: str) -> None:
    """Each action has its count, of as many matches as were asked for; the same seed gives the same counts."""
    words = ("play", *GAME, "--from", match, "--first", two(match)[0], "--first", two(match)[1], "--times", "3")
    found = json.loads(typed(*words, "--seed", "5", "--json").out)
    assert (found["turn"], found["seat"], found["times"]) == (20, 0, 3)
    assert all(0 <= one["won"] <= 3 for one in found["actions"])
    assert found["low"] <= found["gain"] <= found["high"]
    assert json.loads(typed(*words, "--seed", "5", "--json").out) == found
    status, out, err = typed(*words, "--seed", "5")
    assert (status, err) == (0, "")
    assert out.startswith("From turn 20, seat 0, played on 3 times each, with the same luck:\n")
    assert out.count(" first places, ") == 2


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "--times compares two actions"),
        (("--first", "0=x"), "--times compares two actions"),
        (("--first", "0=x", "--first", "0=x"), "--times compares two actions"),
        (("--first", "0=x", "--first", "0=y", "--first", "0=z"), "--times compares two actions"),
        (("--first", "0=x", "--first", "0=y", "--watch"), "--times plays many matches and keeps none"),
        (("--first", "0=x", "--first", "0=y"), "is not an action"),
    ],
)
def test_what_cannot_be_compared(typed: Type, match: str, words: tuple[str, ...], sentence: str) -> None:
    """One sentence says what is wanted, before anything is played."""
    status, out, err = typed("play", *GAME, "--from", match, *words, "--times", "2")
    assert (status, out) == (2, "")
    assert sentence in err


def test_times_want_a_replay(typed: Type) -> None:
    """Without --from there is nothing to go on from."""
    status, _, err = typed("play", *GAME, "--first", "0=a", "--first", "0=b", "--times", "2")
    assert status == 2
    assert "--from FILE@TURN" in err
