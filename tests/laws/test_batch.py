"""The law of substrates: batch equals scalar, step by step, with the same dice from the same seed."""

from __future__ import annotations

from dohyo.core.game import Game
from tests.laws.matches import every_game, seat_counts, setups
from tests.laws.tally import Tally
from tests.sim.twins import Twins


@every_game
def test_batch_equals_scalar(game: Game, tally: Tally, full: bool) -> None:
    """Compiled and plain rules agree in every field, text, die, event, legal action and result."""
    for number, setup in enumerate(setups(game)):
        for seats in seat_counts(game):
            twins = Twins(game, 100 if full else 10, 7000 + number, setup, seats)
            twins.play(4000 if full else 400)
            tally.update(twins.seen)
    tally.reach(turns=2000, prompts=2000, events=1000)
