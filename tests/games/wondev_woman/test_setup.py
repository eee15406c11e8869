"""Wondev Woman, what the operator may choose."""

from __future__ import annotations

from typing import Any

import pytest

from dohyo.core.errors import OperatorError
from dohyo.core.options import resolve
from dohyo.games.wondev_woman import GAME
from tests.games.wondev_woman.boards import FLAT, board, where


def begin(**setup: Any) -> Any:
    """A state with that setup."""
    return GAME.new_state(resolve(GAME.options, setup), 2)


@pytest.mark.parametrize(
    ("league", "units", "push", "fog"),
    [("wood3", 1, 0, 0), ("wood2", 1, 0, 0), ("wood1", 2, 1, 0), ("bronze", 2, 1, 1)],
)
def test_leagues_differ_in_units_pushing_and_fog(league: str, units: int, push: int, fog: int) -> None:
    """Each league has its units, pushing and fog; bronze is the default."""
    s = begin(league=league)
    assert (s.units, s.push, s.fog) == (units, push, fog)
    assert begin().fog == 1


def test_board_is_given_as_text_or_as_lists() -> None:
    """`grid` and `units` take what a command line can hold, and what JSON can."""
    s = board("00000/01234/...../00000/00000", "1,0/4,4")
    twin = begin(league="wood2", grid=["00000", "01234", ".....", "00000", "00000"], units=[[1, 0], [4, 4]])
    assert GAME.rules.LAYOUT.digest(s) == GAME.rules.LAYOUT.digest(twin)
    assert (where(s, 0), where(s, 1)) == ((1, 0), (4, 4))


@pytest.mark.parametrize(
    "setup",
    [
        {"league": "silver"},
        {"map": "hexagon"},
        {"grid": "000/000/000"},
        {"grid": "00000/00000/00000/00000"},
        {"grid": "00000/00000/00000/00000/0000"},
        {"grid": "00005/00000/00000/00000/00000"},
        {"grid": "4444./4444./4444./4440./...00"},
        {"grid": 5},
        {"grid": FLAT, "league": "wood2", "units": "0,0"},
        {"grid": FLAT, "league": "bronze", "units": "0,0/4,4"},
        {"grid": FLAT, "league": "wood2", "units": "0,0/0,0"},
        {"grid": FLAT, "league": "wood2", "units": "0,0/5,0"},
        {"grid": FLAT, "league": "wood2", "units": "0,0/7,0"},
        {"grid": FLAT, "league": "wood2", "units": "0/1"},
        {"grid": "4.000/00000/00000/00000/00000", "league": "wood2", "units": "0,0/4,4"},
        {"grid": "4.000/00000/00000/00000/00000", "league": "wood2", "units": "1,0/4,4"},
        {"league": "wood2", "units": "0,0/4,4"},
    ],
)
def test_what_does_not_fit_is_refused(setup: dict[str, Any]) -> None:
    """An unknown league or map, a board that is no square of 5 to 7, units that do not fit: a sentence says so."""
    with pytest.raises(OperatorError) as caught:
        begin(**setup)
    assert "takes" in str(caught.value)
