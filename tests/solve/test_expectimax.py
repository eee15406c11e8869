"""Expectimax, against what is known of small games."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dohyo import games
from dohyo.core.chance import Dice
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.games import find
from dohyo.solve import Expectimax

EXAMPLES = Path(__file__).parents[2] / "examples"
HOLD, ROLL, GOAL = 0, 1, 50


@pytest.fixture(scope="module")
def pig() -> Game:
    """The example with a die."""
    return games.load(EXAMPLES / "pig.py")


def by_hand(points: int, pot: int, rolls: int) -> float:
    """The pot that is won on average by whoever rolls so often, and holds then."""
    if points + pot >= GOAL or rolls == 0:
        return pot
    return sum(by_hand(points, pot + die, rolls - 1) for die in range(2, 7)) / 6


def test_one_roll_of_pig(pig: Game) -> None:
    """With a pot of 10, to roll once and then count it is worth 5/6 of 14; to hold keeps 10. With 30 one holds."""

    def gained(s: Any, seat: int) -> float:
        return float(s.points[seat] + (s.pot if s.mover == seat else 0))

    search = Expectimax(pig, 2, value=gained, reward="score")
    for pot, best in ((10, ROLL), (30, HOLD)):
        state = pig.new_state({}, 2)
        state.pot = pot
        found = search.choose(state, depth=1)
        assert found.options == pytest.approx({HOLD: pot, ROLL: by_hand(0, pot, 1)})
        assert found.action == best
        assert found.values == pytest.approx((max(found.options.values()), 0))
        assert (state.pot, state.rolling) == (pot, 0)


def test_two_players_of_pig_by_another_program(pig: Game) -> None:
    """Near the end, six turns ahead: the same chance to win as a few lines that know the rules of Pig."""

    @cache
    def win(own: int, other: int, pot: int, depth: int) -> float:
        if depth == 0:
            return (own > other) - (own < other)
        after_one = -win(other, own, 0, depth - 1)
        rolled = sum(1.0 if own + pot + die >= GOAL else win(own, other, pot + die, depth - 1) for die in range(2, 7))
        held = 1.0 if own + pot >= GOAL else -win(other, own + pot, 0, depth - 1)
        return max(held, (after_one + rolled) / 6)

    state = pig.new_state({}, 2)
    state.points[:] = [38, 44]
    search = Expectimax(pig, 2)
    for depth in range(1, 5):
        assert search.choose(state, depth).values[0] == pytest.approx(win(38, 44, 0, depth), abs=1e-9)


def test_tic_tac_toe_is_a_draw() -> None:
    """Without dice it is minimax: the centre after two stones of each, to the end of the game."""
    game = games.load(EXAMPLES / "tic_tac_toe.py")
    state = game.new_state({}, 2)
    for action in (0, 4, 8):
        actions = [0, 0]
        actions[game.acting(state, 2)[0]] = action
        game.rules.step(state, actions, None)
    found = Expectimax(game, 2).choose(state, depth=9)
    assert found.values == (0, 0)
    assert {action: value for action, value in found.options.items() if value == 0}.keys() == {1, 3, 5, 7}


def test_a_roll_of_backgammon_is_weighed_by_its_probability() -> None:
    """A turn ahead, an action is worth the mean over the 36 rolls that may follow."""
    game = find("backgammon")
    state = game.new_state({}, 2)
    game.rules.deal(state, [3, 1], None)
    opening = Expectimax(game, 2, value=lambda s, seat: float(s.dice[0] * s.dice[1]))
    for action in list(game.legal_actions(state, 0))[:2]:  # a second checker is to be moved; then the other rolls
        follows = game.rules.LAYOUT.copy(state)
        game.rules.step(follows, [action, 0], None)
        for last in list(game.legal_actions(follows, 0))[:2]:
            after = game.rules.LAYOUT.copy(follows)
            game.rules.step(after, [last, 0], None)
            assert len(Dice(game).outcomes(after)) == 36
            assert opening.values(after, 0) == pytest.approx([3.5**2] * 2)


def test_what_expectimax_cannot_do_is_said() -> None:
    """A game that hides something, one of several seats at once, a state in which nobody acts."""
    with pytest.raises(OperatorError, match="hides something"):
        Expectimax(find("kuhn-poker"), 2)
    snakes = find("battlesnake")
    state = snakes.new_state({}, 2)
    snakes.rules.deal(state, Dice(snakes).outcomes(state)[0].dice, None)
    with pytest.raises(OperatorError, match="several act at once"):
        Expectimax(snakes, 2).choose(state)
    backgammon = find("backgammon")
    with pytest.raises(ValueError, match="nobody acts"):
        Expectimax(backgammon, 2).choose(backgammon.new_state({}, 2))
    with pytest.raises(ValueError, match="1 or more"):
        Expectimax(backgammon, 2).choose(backgammon.new_state({}, 2), depth=0)
