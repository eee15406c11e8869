"""Bots as processes against a learner."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy
import pytest

from dohyo.core.clock import Clock
from dohyo.rl import Env, vectorize
from dohyo.rl.guests import Guests
from tests import processes
from tests.rl.small import any_legal

PATIENT = Clock(turn=60.0, ready=60.0)  # however busy the machine is
BOTS = [
    ("shoot-em-up", ["gunner"], {"pairs": 20}),
    ("drop-block", ["hunter", "random", "random"], {"turns": 60}),
    ("wondev-woman", ["climber"], {}),
    ("abotcalypse", ["shelter", "rest"], {"turns": 6}),
]


@pytest.mark.parametrize(("game", "opponents", "setup"), BOTS, ids=[name for name, *_ in BOTS])
def test_a_real_bot_plays_and_is_gone(game: str, opponents: list[str], setup: dict[str, Any]) -> None:
    """Bots are asked in their protocol, play without a fault, and no process is left when the match is over."""
    before = set(processes.children())
    env, chance = Env(game, opponents=opponents, setup=setup, clock=PATIENT), numpy.random.default_rng(2)
    _, info = env.reset(seed=4)
    is_over = False
    while not is_over:
        *_, is_over, _, info = env.step(any_legal(info["action_mask"], chance))
    referee = env._match.referee
    faults = [fault for turn in referee.turns for move in turn.moves for fault in move.faults if move.seat != 0]
    assert not faults
    assert any(move.reply or move.seconds is not None for turn in referee.turns for move in turn.moves)
    assert set(processes.children()) <= before
    env.close()


def test_closing_in_the_midst_of_a_match_ends_its_bots() -> None:
    """A bot's process lives from `reset` until the next `reset`, or `close`; closing twice is allowed."""
    before = set(processes.children())
    env = Env("wondev-woman", opponents="climber", sandbox="none", clock=PATIENT)
    env.reset(seed=1)
    first = set(processes.children()) - before
    assert len(first) == 1
    env.reset(seed=1)
    second = set(processes.children()) - before
    assert len(second) == 1
    assert second != first
    env.close()
    env.close()
    assert set(processes.children()) <= before


@pytest.mark.parametrize("part", ["_await_ready", "_start"])
def test_a_match_that_cannot_begin_leaves_no_process(monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    """Whatever fails while its bots are started, those that run already are ended."""
    before, start, begun = set(processes.children()), Guests._start, []

    def fail(self: Guests, *words: Any) -> Any:
        if begun or not words:
            raise ZeroDivisionError
        begun.append(start(self, *words))
        return begun[0]

    monkeypatch.setattr(Guests, part, fail)
    env = Env("drop-block", opponents=["hunter"] * 3, sandbox="none", clock=PATIENT)
    with pytest.raises(ZeroDivisionError) as caught:
        env.reset(seed=1)
    assert caught.tb  # which holds whatever was made
    assert set(processes.children()) <= before


def test_an_environment_that_is_forgotten_leaves_no_process() -> None:
    """Bots end also when nobody closes the environment."""
    before = set(processes.children())
    env = Env("wondev-woman", opponents="climber", sandbox="none", clock=PATIENT)
    env.reset(seed=1)
    assert len(set(processes.children()) - before) == 1
    del env
    import gc

    gc.collect()
    assert set(processes.children()) <= before


def test_a_bot_that_fails_loses_as_in_any_match(tmp_path: Path) -> None:
    """What a program does wrong is judged by the rules: here it has lost."""
    bad = tmp_path / "bad.py"
    bad.write_text("print('nonsense', flush=True)\ninput()\n")
    env = Env("shoot-em-up", opponents=str(bad), sandbox="none", clock=PATIENT)
    env.reset(seed=3)
    _, reward, is_over, _, info = env.step(4)
    assert is_over
    assert reward == 1.0
    assert info["reason"] == "shoot-em-up.program-error"


def test_many_games_against_bots_are_played_in_a_row() -> None:
    """Where an opponent is a process, the vector environment is as many single ones, and closes them all."""
    before = set(processes.children())
    envs = vectorize("wondev-woman", 2, opponents="climber", autoreset_mode="SameStep", sandbox="none", clock=PATIENT)
    seen, info = envs.reset(seed=3)
    assert seen.shape == (2, *envs.single_observation_space.shape)
    assert len(set(processes.children()) - before) == 2
    chance = numpy.random.default_rng(5)
    for _ in range(3):
        actions = [any_legal(mask, chance) for mask in info["action_mask"]]
        seen, _, _, _, info = envs.step(numpy.array(actions))
    envs.close()
    assert set(processes.children()) <= before
