"""Bots as processes against a learner."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy
import pytest

from dohyo.core.clock import Clock
from dohyo.core.faults import FaultCode, FaultKind
from dohyo.core.replay import Turn
from dohyo.match.play import play_match
from dohyo.match.players import player
from dohyo.match.players.players import Players
from dohyo.match.processes import bot_process
from dohyo.rl import Env, vectorize
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


@pytest.mark.parametrize("part", ["_await_ready", "launched"])
def test_a_match_that_cannot_begin_leaves_no_process(monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    """Whatever fails while its bots are started, those that run already are ended."""
    before, start, begun = set(processes.children()), bot_process.launched, []

    def fail(*words: Any) -> Any:
        if begun or part != "launched":
            raise ZeroDivisionError
        begun.append(start(*words))
        return begun[0]

    monkeypatch.setattr(player if part == "launched" else Players, part, fail)
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
    assert info["reason_key"] == "shoot-em-up.program-error"


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


# Any answer is late by these clocks, and counts by what the bot has in reserve; the third by nothing any more.
RESERVES = {
    "strikes": Clock(turn=1e-9, ready=60.0, grace=60.0, strikes=2),
    "bank": Clock(turn=1e-9, ready=60.0, bank=600.0),
    "bank, then strikes": Clock(turn=1e-9, ready=60.0, bank=1e-6, grace=60.0, strikes=2),
}
LIVES = "import sys\nfor line in sys.stdin:\n    if line.strip() == 'EOD':\n        print('U', flush=True)\n"


@pytest.mark.parametrize("reserve", RESERVES)
def test_a_bot_has_the_same_reserve_as_in_a_match(tmp_path: Path, reserve: str) -> None:
    """Against a learner a bot's bank is eaten and its strikes are counted and told, as between bots."""
    bot = tmp_path / "bot.py"
    bot.write_text("print('READY', flush=True)\n" + LIVES)
    clock, setup = RESERVES[reserve], {"turns": 16}
    between_bots = play_match("drop-block", [str(bot)] * 4, seed=5, setup=setup, clock=clock, sandbox="none")
    env = Env("drop-block", opponents=str(bot), seats=4, seat=0, setup=setup, clock=clock, sandbox="none")
    env.reset(seed=5)
    up, is_over = env._match.game.protocol.read("U"), False
    while not is_over:
        *_, is_over, _, _ = env.step(up)
    turns = [between_bots.turns, env._match.referee.turns]
    for seat in (1, 2, 3):
        among_bots, beside_a_learner = (answers_of(seat, played) for played in turns)
        assert beside_a_learner == among_bots
    told = [answer for seat in (1, 2, 3) for answer in answers_of(seat, turns[1])]
    assert {has_bank for _, has_bank, _ in told} == {"bank" in reserve}
    struck = any(fault == (FaultKind.TIMEOUT, FaultCode.STRIKE) for *_, faults in told for fault in faults)
    assert struck == ("strikes" in reserve)


def answers_of(seat: int, turns: Sequence[Turn]) -> list[tuple[bool, bool, list[object]]]:
    """What came of asking a seat, three times: an answer or none, whether the bank is told, and the faults."""
    moves = [move for turn in turns for move in turn.moves if move.seat == seat and move.seconds is not None]
    return [
        (move.action == "U", move.bank is not None, [(fault.kind, fault.code) for fault in move.faults])
        for move in moves[:3]
    ]
