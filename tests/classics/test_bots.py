"""The sample bots of the classic games beat random play."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

import dohyo
from tests.classics.games import FOLDER, classic


class Random(dohyo.Bot):
    """Any legal action."""

    def act(self, observation: Any) -> Any:
        """Draw one."""
        return self.random.choice(observation.legal_actions)


def bot_of(name: str, bot: str) -> Any:
    """The class in a bot's file."""
    spec = importlib.util.spec_from_file_location(f"sample_{bot}", FOLDER / name / "bots" / f"{bot}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, bot.title())


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
