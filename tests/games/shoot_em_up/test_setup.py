"""What can be chosen before a duel."""

from __future__ import annotations

from typing import Any

import pytest

from dohyo.core.errors import OperatorError
from dohyo.core.options import resolve
from dohyo.core.referee import Referee
from dohyo.games.shoot_em_up import GAME


def test_default_is_the_specification_s() -> None:
    """500 pairs, squares by the dice, ten seconds a line."""
    assert resolve(GAME.options, {}) == {"pairs": 500, "places": None}
    assert next(iter(GAME.clocks.values())).turn == 10.0


def test_places_are_read_from_words_and_lists() -> None:
    """X,Y,X,Y from the command line, the same as a list from Python."""
    for given in ("1,2,3,4", [1, 2, 3, 4]):
        assert resolve(GAME.options, {"places": given})["places"] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    "given",
    [
        {"places": "1,2,3"}, {"places": "1,2,3,10"}, {"places": "1,2,3,-1"}, {"places": "a,b,c,d"}, {"places": 5},
        {"places": ""}, {"pairs": -1}, {"pairs": 100_001}, {"pairs": "many"},
    ],
)  # fmt: skip
def test_wrong_values_are_refused(given: dict[str, Any]) -> None:
    """The operator is told, whatever is wrong with it."""
    with pytest.raises(OperatorError):
        resolve(GAME.options, given)


def test_seed_decides_the_squares() -> None:
    """The dice are the text's: seed 55 is its G 55, and they are recorded."""
    referee = Referee(GAME, resolve(GAME.options, {}), 2, 55)
    assert referee.prompt(0) == b"P 5 6\n"
    assert (referee.state.x[1], referee.state.y[1]) == (8, 5)
    given = Referee(GAME, resolve(GAME.options, {"places": "1,2,3,4"}), 2, 55)
    assert given.prompt(0) == b"P 1 2\n"


@pytest.mark.parametrize("seed", [0, 1, 2147483646, 2147483647, 2**63 - 1])
def test_any_seed_will_do(seed: int) -> None:
    """Seeds larger than the generator's range are taken into it."""
    state = Referee(GAME, resolve(GAME.options, {}), 2, seed).state
    assert all(0 <= number <= 9 for number in (*state.x, *state.y))
