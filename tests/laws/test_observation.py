"""Laws of what learners see: all of `dohyo.laws`. That the reference tells each plane, `tests/docs` holds."""

from __future__ import annotations

from dohyo.core.game import Game
from dohyo.laws import of_observations
from dohyo.laws.tally import Tally
from tests.laws.matches import every_game


@every_game
def test_every_number_is_written_and_within_its_planes_bounds(game: Game, tally: Tally) -> None:
    """An observation is written whole, each number between its plane's low and high, which the kind can hold."""
    of_observations.every_number_is_written_and_within_its_planes_bounds(game, tally)


@every_game
def test_what_belongs_to_seats_is_seen_from_the_observing_one(game: Game, tally: Tally) -> None:
    """If all that belongs to seats moves on by a seat, the next seat sees what the seat saw: by the default alone."""
    of_observations.what_belongs_to_seats_is_seen_from_the_observing_one(game, tally)


@every_game
def test_a_compiled_observation_is_the_plain_one(game: Game, tally: Tally) -> None:
    """Compiled, `observe` writes the same numbers into an array of the observation's kind."""
    of_observations.a_compiled_observation_is_the_plain_one(game, tally)
