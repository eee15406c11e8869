"""The law of sample bots: whoever takes one meets no setup of its game that it cannot play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from dohyo import bots
from dohyo.core.clock import Clock
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.games import all_games
from dohyo.match.play import play_match
from tests import skips
from tests.laws.matches import about

PATIENCE = 100  # seconds until a bot counts as hanging; no test depends on how much less it takes
UNHURRIED = Clock(turn=PATIENCE, ready=PATIENCE)
NEEDS = {".cpp": "g++", ".java": "javac", ".js": "node"}


def played(game: Game) -> list[dict[str, Any]]:
    """The setups that sample bots are to play."""
    told = about(game)
    return list(getattr(told, "PLAYED", getattr(told, "SETUPS", [{}])))


def name_of(setup: Mapping[str, Any]) -> str:
    """A setup in a test's name."""
    return ",".join(f"{key}={value}"[:40] for key, value in setup.items()) or "usual"


EVERY_SETUP = [
    pytest.param(game, number, setup, id=f"{name}-{name_of(setup)}")
    for name, game in all_games().items()
    for number, setup in enumerate(played(game))
]


SLOW = ("sensei", "searcher.py")  # the one compiles for half a minute, the other thinks for a second a turn


def paths(game: Game, full: bool) -> list[str]:
    """All sample bots of a game, each once; those that are folders of thought only with `--full`."""
    known = sorted(set(bots.samples_of(game).values()))
    some = [path for path in known if full or path.name not in SLOW]
    for path in some:
        if tool := NEEDS.get(path.suffix):
            skips.program(tool)
    return [str(path) for path in some]


def seatings(names: list[str], game: Game, number: int, full: bool) -> Iterator[list[str]]:
    """Who plays whom in a setup: one match, in each setup other bots; with `--full` everybody on every seat."""
    fewest, most = game.seats
    seats = min(most, max(fewest, len(names)))
    for first in range(len(names)) if full else [number * seats]:
        yield [names[(first + seat) % len(names)] for seat in range(seats)]
        if full and fewest == 1:
            yield [names[first]]


@pytest.mark.parametrize(("game", "number", "setup"), EVERY_SETUP)
def test_every_sample_bot_plays_every_setup(game: Game, number: int, setup: dict[str, Any], full: bool) -> None:
    """Whatever the operator chooses before a match, no sample bot of the game makes a fault in it."""
    for seed, names in enumerate(seatings(paths(game, full), game, number, full)):
        replay = play_match(game, names, seed=seed, setup=setup, clock=UNHURRIED, sandbox="none")
        assert [(names[seat], fault) for seat, fault in faulty(replay)] == []
        assert not replay.result.unfinished


def faulty(replay: Replay) -> list[tuple[int, Any]]:
    """Who made which fault in a match."""
    moves = [move for turn in replay.turns for move in turn.moves] + list(replay.result.last)
    return [(move.seat, fault) for move in moves for fault in move.faults]
