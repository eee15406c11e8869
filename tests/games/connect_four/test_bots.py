"""Connect four's sample bots, and the protocol that they speak."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from types import ModuleType

import pytest

from dohyo.core.clock import Clock
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.options import resolve
from dohyo.core.playback import verify
from dohyo.core.referee import Answer, Referee
from dohyo.games import find
from dohyo.match.play import play_match
from tests.told import detail

GAME = find("connect-four")


@pytest.fixture(scope="module")
def watchful() -> ModuleType:
    """The bot `watchful` as a module."""
    spec = importlib.util.spec_from_file_location("watchful", Path(GAME.folder) / "bots" / "watchful.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_is_sent() -> None:
    """The seat's number, then six rows from the top."""
    state = GAME.new_state(resolve(GAME.options, {"moves": "330"}), 2)
    assert GAME.prompt(state, 1).decode().splitlines() == ["1", *["......."] * 4, "...1...", "0..0..."]


def test_what_is_read() -> None:
    """A column's number with spaces around it, or giving up; anything else is malformed, and quoted shortly."""
    state = GAME.new_state({"moves": ""}, 2)
    assert [GAME.protocol.parse(reply, state, 0) for reply in ("0", " 6\t", "GIVE-UP")] == [0, 6, 7]
    for reply in ("", "7", "-1", "3 3", "\u0663", "give-up", "x" * 5000):
        fault = GAME.protocol.parse(reply, state, 0)
        assert isinstance(fault, Fault)
        assert fault.kind is FaultKind.MALFORMED
        assert len(detail(fault)) < 150


def test_samples_play_without_a_fault() -> None:
    """As programs, on either seat, they read the protocol right."""
    for names in (["watchful", "random.py"], ["random.py", "watchful"]):
        replay = play_match(GAME, names, seed=5, clock=Clock(turn=60))
        assert not [fault for turn in replay.turns for move in turn.moves for fault in move.faults]
        verify(GAME, replay)


def test_watchful_beats_random(watchful: ModuleType, full: bool) -> None:
    """On both seats it wins at least 90 % of its matches, and every reply of it is legal."""
    matches = 400 if full else 40
    wins = 0
    for seed in range(matches):
        referee = Referee(GAME, resolve(GAME.options, {}), 2, seed)
        chooser = random.Random(seed)
        while not referee.over:
            (mover,) = referee.pending()
            if mover == seed % 2:
                number, *rows = referee.prompt(mover).decode().splitlines()
                action = watchful.choose(int(number), rows)
            else:
                action = chooser.choice(list(GAME.legal_actions(referee.state, mover)))
            assert not referee.submit({mover: Answer(str(action))}).moves[0].faults
        wins += referee.result().winner == seed % 2
    assert wins >= 0.9 * matches
