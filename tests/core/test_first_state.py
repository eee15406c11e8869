"""The first state of a match, as a program in Python gets it without playing."""

from __future__ import annotations

from typing import Any

import pytest

from dohyo import classics, games
from dohyo.core.errors import OperatorError
from dohyo.core.options import resolve
from dohyo.core.referee import Referee
from dohyo.games import all_games

ALL = [*all_games().values(), *(games.find(name) for name in classics.NAMES)]


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_it_is_the_state_in_which_a_match_first_asks(game: Any) -> None:
    """For every seed and number of seats: the setup made, the dice rolled, as the referee has it."""
    for seats in range(game.seats[0], game.seats[1] + 1):
        for seed in (0, 7, 2**63 - 1):
            setup = game.draw_setup(resolve(game.options, {}, game.catalogue), seed)
            state = game.first_state(seed, seats=seats)
            assert game.rules.LAYOUT.pack(state) == game.rules.LAYOUT.pack(Referee(game, setup, seats, seed).state)
            assert game.rules.over(state) or not game.rules.needs_dice(state)


def test_seats_that_a_game_has_not_are_refused() -> None:
    """In a sentence that says how many it has; without any, there are as many as in a usual match."""
    game = games.find("drop-block")
    with pytest.raises(ValueError, match="drop-block is for 4 players, so `seats` cannot be 2"):
        game.first_state(1, seats=2)
    assert game.rules.LAYOUT.pack(game.first_state(1)) == game.rules.LAYOUT.pack(game.first_state(1, seats=4))


def test_a_setup_of_words_is_read_or_refused() -> None:
    """Also where no option is missing: a number that came as a word is that number, or a sentence says why not."""
    game = games.find("abotcalypse")
    whole = resolve(game.options, {}, game.catalogue)
    assert game.new_state({**whole, "turns": "60"}, 2).limit == 60
    for wrong in ({"turns": "many"}, {"turns": None}, {"turns": [7]}, {"columns": ""}, {"rules": 1}):
        with pytest.raises(OperatorError, match=f"'?{next(iter(wrong))}'?"):
            game.new_state({**whole, **wrong}, 2)
