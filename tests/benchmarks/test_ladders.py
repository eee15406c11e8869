"""A ladder of opponents is an order: each rung takes at least half of the points from the one below it."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

from dohyo import games
from dohyo.classics import NAMES
from dohyo.games.policies import STEPS, ladder_of, policy_names

MATCHES = 160  # of a pair, in a usual run
SEED = 7
QUICKLY_COMPILED = (("connect-four", "watchful"), ("shoot-em-up", "gunner"))


@pytest.fixture(scope="module")
def shares(root: Path) -> Any:
    """The function of `benchmarks/baselines.py`, whose matches are compiled."""
    pytest.importorskip("numba")
    return runpy.run_path(str(root / "benchmarks" / "baselines.py"))["shares"]


def test_each_rung_beats_the_one_below(full: bool, shares: Any) -> None:
    """In matches whose seeds are given, so that the test says the same each time; with `--full` of all bots."""
    found = [(name, bot) for name in sorted({*games.all_games(), *NAMES}) for bot in policy_names(games.find(name))]
    assert set(found) >= set(QUICKLY_COMPILED)
    for name, bot in found if full else QUICKLY_COMPILED:
        game = games.find(name)
        ladder = ladder_of(game, bot)
        points, played = shares(game, ladder, MATCHES * (10 if full else 1), SEED, apart=1)
        for rung in range(1, len(ladder)):
            assert played[rung, rung - 1] >= MATCHES
            assert points[rung, rung - 1] >= 0.5, (ladder[rung - 1], ladder[rung], points[rung, rung - 1])


def test_a_rung_is_what_its_bot_says_is_one() -> None:
    """Not a number of the bot's own thinking: climber weighs the steps that its units can make."""
    assert ladder_of(games.find("wondev-woman"), "climber") == (
        "random",
        *(f"climber@{at}" for at in STEPS),
        "climber",
    )
    assert ladder_of(games.find("backgammon"), "prudent") == ("random", "prudent@50", "prudent@80", "prudent")


def test_a_ladder_of_what_is_no_policy() -> None:
    """It has no rungs, and who asks is told which bots have."""
    with pytest.raises(ValueError, match="hunter"):
        ladder_of(games.find("drop-block"), "sensei")
