"""Laws of what learners see: all of `dohyo.laws`, and that the document tells it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dohyo import games
from dohyo.core.game import Game
from dohyo.games import all_games
from dohyo.laws import of_observations
from dohyo.laws.tally import Tally
from tests.laws.matches import every_game

OURS = Path(games.__file__).parent


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


def is_ours(game: Game) -> bool:
    """Whether a game is in this package, and learners see it."""
    return game.observation is not None and Path(game.folder).is_relative_to(OURS)


@pytest.mark.parametrize("game", [pytest.param(game, id=game.name) for game in all_games().values() if is_ours(game)])
def test_the_document_tells_what_each_plane_means(game: Game, root: Path) -> None:
    """`docs/learning.md` has each game's table of planes, as the game itself tells it."""
    assert game.observation is not None
    assert table(game) in (root / "docs" / "learning.md").read_text()


def table(game: Game) -> str:
    """A game's planes, as the document shows them."""
    assert game.observation is not None
    shape = " x ".join(map(str, game.observation.SHAPE)) or "single numbers"
    rows = [
        f"| {at} | `{plane.name}` | {plane.low:g} to {plane.high:g} | {plane.meaning} |"
        for at, plane in enumerate(game.observation.PLANES)
    ]
    head = [
        f"### {game.title}: {shape}, `{game.observation.KIND}`",
        "",
        "| plane | name | from, to | meaning |",
        "|-|-|-|-|",
    ]
    return "\n".join([*head, *rows]) + "\n"
