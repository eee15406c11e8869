"""Every law that needs no compiler, held to every game; the laws themselves are in `dohyo.laws`."""

from __future__ import annotations

import pytest

from dohyo import laws
from dohyo.core.game import Game
from dohyo.laws.tally import Tally
from tests.laws.matches import every_game


@every_game
@pytest.mark.parametrize("law", laws.PLAIN, ids=laws.name)
def test_every_game_keeps_the_law(law: laws.Law, game: Game, tally: Tally) -> None:
    """What the law's own docstring says holds for the game."""
    law(game, tally)
