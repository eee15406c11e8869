"""The law of substrates: batch equals scalar, step by step, with the same dice from the same seed."""

from __future__ import annotations

import itertools

from dohyo.core.game import RULES, Game
from dohyo.laws.tally import Tally
from tests.laws.matches import every_game, seat_counts, setups
from tests.sim.twins import Twins

FLOORS = {"turns": 1000, "prompts": 1000, "events": 1000}
MAX_ROUNDS = 50


@every_game
def test_batch_equals_scalar(game: Game, tally: Tally, full: bool) -> None:
    """Compiled and plain rules agree in every field, text, die, event, legal action and result."""
    omitted = RULES["EVENTS_A_TURN"] == game.rules.EVENTS_A_TURN  # then it need not have any
    floors = {**FLOORS, "events": 0 if omitted else FLOORS["events"]}
    kinds = list(itertools.product(setups(game), seat_counts(game)))
    for seed in range(7000, 7000 + MAX_ROUNDS * len(kinds)):
        setup, seats = kinds[seed % len(kinds)]
        twins = Twins(game, 100 if full else 4, seed, setup, seats)
        twins.play(4000 if full else 200)
        tally.update(twins.seen)
        reached = all(tally[what] >= floor * tally.part for what, floor in floors.items())
        if seed - 7000 >= len(kinds) - 1 and reached:
            break  # where games are short, it takes more of them
    tally.reach(**floors)
