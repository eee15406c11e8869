"""What a bot probably meant by a line that is no action, and why an action is not legal."""

from __future__ import annotations

from typing import Any

import pytest

from dohyo import games
from dohyo.bench.check.diagnosis import diagnose_line
from dohyo.bench.check.findings import Finding
from dohyo.core.options import resolve
from dohyo.core.referee import Referee
from dohyo.i18n import Speaker


def state_of(game: str, **setup: object) -> Any:
    """The state before the first turn of a match, and the game."""
    found = games.find(game)
    return found, Referee(found, resolve(found.options, setup, found.catalogue), found.seats[0], 1).state


def finding(game: str, line: str, **setup: object) -> Finding:
    """What is wrong with a line of seat 0 in the first turn."""
    found, state = state_of(game, **setup)
    wrong = diagnose_line(found, state, 0, line.encode())
    assert isinstance(wrong, Finding)
    return wrong


@pytest.mark.parametrize(
    ("game", "line", "meant"),
    [
        ("drop-block", "u", "U"),
        ("drop-block", "up", "U"),
        ("drop-block", "nothing", "N"),
        ("shoot-em-up", "m 1 0", "M 1 0"),
        ("shoot-em-up", "M,1,0", "M 1 0"),
        ("shoot-em-up", "moves right", "M 1 0"),
        ("abotcalypse", "thrwo up", "throw up"),
        ("wondev-woman", "MOVE 0 E E", "MOVE&BUILD 0 E E"),
    ],
)
def test_what_was_meant(game: str, line: str, meant: str) -> None:
    """The same words spelt otherwise, the action's own words, a slip in a long word."""
    assert finding(game, line).details["meant"] == meant


@pytest.mark.parametrize(
    ("game", "line"),
    [
        ("drop-block", "READY"),
        ("drop-block", "debug: 3"),
        ("drop-block", "UP2"),
        ("drop-block", "X"),
        ("shoot-em-up", "S 1"),
        ("shoot-em-up", "S 1 2"),
        ("shoot-em-up", "S 0 0"),
        ("shoot-em-up", "thinking"),
        ("abotcalypse", "move"),
        ("wondev-woman", "MOVE&BUILD 0 N X"),
        ("wondev-woman", "MOVE 0"),
    ],
)
def test_what_was_not_meant(game: str, line: str) -> None:
    """A line that has little in common with any action is not taken for one: R is not what READY was meant to be."""
    assert finding(game, line).key == "check.malformed"


def test_why_it_is_not_legal() -> None:
    """The finding has the game's reason, in the reader's language, and without the action twice."""
    grid = {"grid": "00000/02000/00000/00000/00000", "units": "0,0/2,2/0,4/4,4"}
    high = finding("wondev-woman", "MOVE&BUILD 0 SE N", **grid)
    assert high.say() == (
        "It wrote 'MOVE&BUILD 0 SE N', which the rules do not allow here: "
        "the cell SE of unit 0 has height 2, and it stands on 0: one level up is the most."
    )
    assert "ユニット 0 の SE のマスは高さ 2" in high.say(Speaker("ja"))
    assert high.remedy
    assert "there is no cell N of unit 0." in finding("wondev-woman", "MOVE&BUILD 0 N S", **grid).say()
    assert "there is no unit 7" in finding("wondev-woman", "MOVE&BUILD 7 N S", **grid).say()
    full = finding("connect-four", "3", moves="333333")
    assert full.say() == "It wrote '3', which the rules do not allow here: that column is full."
