"""The sample bots of the classic games beat random play."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

import dohyo
from dohyo.core.options import resolve
from dohyo.search import AlphaBeta
from tests.classics.games import FOLDER, classic


class Random(dohyo.Bot):
    """Any legal action."""

    def act(self, observation: Any) -> Any:
        """Draw one."""
        return self.random.choice(observation.legal_actions)


def file_of(name: str, bot: str) -> Any:
    """A bot's file, as a module."""
    spec = importlib.util.spec_from_file_location(f"sample_{bot}", FOLDER / name / "bots" / f"{bot}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def bot_of(name: str, bot: str) -> Any:
    """The class in a bot's file."""
    return getattr(file_of(name, bot), bot.title())


@pytest.mark.parametrize(("name", "bot"), [("backgammon", "prudent"), ("go", "keen")])
def test_a_sample_bot_beats_random_play(name: str, bot: str, full: bool) -> None:
    """On either seat, in most matches."""
    count = 40 if full else 4
    won = 0
    for seed in range(count):
        bots = [bot_of(name, bot)(), Random()]
        replay = dohyo.play(classic(name), bots[:: 1 if seed % 2 == 0 else -1], seed=seed)
        assert replay.result is not None
        won += replay.result.places[seed % 2] == 1
    assert won > 0.9 * count


def found_by_material(position: str, depth: int) -> tuple[str, float]:
    """What the search of chess's `material` says in a position, in plain Python: the move, and what it is worth."""
    file = file_of("chess", "material")
    game = file.GAME
    state = game.new_state(resolve(game.options, {"opening": position}), 2)
    search = AlphaBeta(game, depth=depth, **file.TOLD | {"entries": 1 << 12})
    choice = search.choose(state, state.turn % 2, playouts=100_000)
    return game.protocol.text(choice.action), choice.value


@pytest.mark.parametrize(
    ("position", "move"),
    [
        ("r5k1/5ppp/8/8/8/8/4RPPP/4R1K1 w - - 0 1", "e2e8"),
        ("6k1/4rppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "a1a8"),
    ],
)
def test_material_sees_a_mate_in_two(position: str, move: str) -> None:
    """What the search leaves out hides no mate that is so near."""
    found, worth = found_by_material(position, 4)
    assert found == move
    assert worth > 1e6 - 10


def test_material_follows_captures_beyond_the_horizon() -> None:
    """A queen that is two plies ahead a pawn better, and lost in the third, takes no guarded pawn."""
    move, worth = found_by_material("6k1/2p5/3p4/8/8/8/3Q4/6K1 w - - 0 1", 2)
    assert move != "d2d6"
    assert worth > 500
