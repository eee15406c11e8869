"""Laws of what learners see: its numbers, its planes, and that it is compiled as it is written."""

from __future__ import annotations

from math import prod
from pathlib import Path

import pytest

from dohyo import games
from dohyo.core import playback
from dohyo.core.game import Game
from dohyo.games import all_games
from dohyo.sim import records
from dohyo.sim.compiled import compile_over
from dohyo.sim.turns import observe_span
from tests.laws.matches import every_game, several
from tests.laws.tally import Tally
from tests.sim.observations import numbers, observed

RANGES = {"i1": (-128, 127), "i2": (-(1 << 15), (1 << 15) - 1), "f4": (-3.4e38, 3.4e38)}
STRIDE = 4  # turns from one that is looked at to the next
OURS = Path(games.__file__).parent
sighted = [pytest.param(game, id=name) for name, game in all_games().items() if game.observation is not None]


def is_ours(game: Game) -> bool:
    """Whether a game is in this package, and learners see it."""
    return game.observation is not None and Path(game.folder).is_relative_to(OURS)


@every_game
def test_every_number_is_written_and_within_its_planes_bounds(game: Game, tally: Tally) -> None:
    """An observation is written whole, each number between its plane's low and high, which the kind can hold."""
    if game.observation is None:
        tally.note = "learners see nothing of this game"
        return
    planes, size = game.observation.PLANES, prod(game.observation.SHAPE)
    assert len({plane.name for plane in planes}) == len(planes)
    assert all(plane.meaning for plane in planes)
    least, most = RANGES[game.observation.KIND]
    assert all(least <= plane.low < plane.high <= most for plane in planes)
    extremes: dict[str, set[float]] = {plane.name: set() for plane in planes}
    for played in several(game, tally, 600, first_seed=900):
        for moment in list(playback.moments(game, played.replay))[::STRIDE]:
            for seat in range(len(played.replay.header.seats)):
                row = observed(game, moment.after, seat)
                assert None not in row, "a number was not written"
                for at, plane in enumerate(planes):
                    seen = set(row[at * size : (at + 1) * size])
                    assert plane.low <= min(seen)
                    assert max(seen) <= plane.high, plane.name
                    extremes[plane.name] |= seen
                tally["observations"] += 1
    assert all(len(seen) > 1 for seen in extremes.values()), "a plane that is always the same tells nothing"
    tally.reach(turns=600, observations=300)


@pytest.mark.parametrize("game", sighted)
def test_a_compiled_observation_is_the_plain_one(game: Game, tally: Tally) -> None:
    """Compiled, `observe` writes the same numbers into an array of the observation's kind."""
    assert game.observation is not None
    look = compile_over(observe_span, {"observe": game.observation.observe, "acts": game.rules.acts}, {})
    import numpy

    for played in several(game, tally, 200, first_seed=950):
        seats = len(played.replay.header.seats)
        moments = list(playback.moments(game, played.replay))[::STRIDE]
        states = records.blank(game.rules.LAYOUT, len(moments))
        for n, moment in enumerate(moments):
            records.write(game.rules.LAYOUT, states, n, moment.after)
        out = numpy.full((len(moments), seats, numbers(game)), 77, game.observation.KIND)
        look(0, len(moments), states, out, seats)
        for n, moment in enumerate(moments):
            for seat in range(seats):
                assert out[n, seat].tolist() == observed(game, moment.after, seat)
                tally["observations"] += 1
    tally.reach(observations=100)


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
