"""Wondev Woman's sample bots, as programs and in what they choose."""

from __future__ import annotations

import builtins
import importlib.util
import os
import random
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from dohyo import bots
from dohyo.bots import Bot
from dohyo.core.clock import Clock
from dohyo.core.options import resolve
from dohyo.core.playback import verify
from dohyo.core.referee import Answer, Referee
from dohyo.games.wondev_woman import GAME, protocol
from dohyo.match.play import play_match
from tests import skips
from tests.games.wondev_woman.boards import listed, with_fog

FOLDER = Path(GAME.folder) / "bots"
LEAGUES = ("wood3", "wood2", "wood1", "bronze")
UNHURRIED = Clock(turn=60)
STARTERS = {"random.py": None, "random.cpp": "g++", "Random.java": "javac", "random.js": "node"}

FEW_WAYS = with_fog("012../13.../...../...00/...00", "0,0/3,3/4,4/1,1")
NO_WAY = with_fog("02.../22.../...../...20/...02", "0,0/4,3/3,4/1,1")


@pytest.fixture(params=STARTERS)
def starter(request: pytest.FixtureRequest) -> str:
    """A sample bot `random` in one of four languages."""
    need = STARTERS[request.param]
    if need is not None:
        skips.program(need)
    return str(request.param)


def sent(s: Any, times: int) -> str:
    """What player 0 is sent when it is to move so many times in the same state, from the first line on."""
    size, units, turn = GAME.prompt(s, 0).decode().split("\n", 2)
    return f"{size}\n{units}\n" + turn * times


def built(name: str) -> Bot:
    """A sample bot, ready to be started."""
    return bots.resolve([name], bots.samples(FOLDER))[0]


def said(bot: Bot, text: str, seed: int) -> list[str]:
    """What a program prints that is sent all of this at once; it ends by itself and well."""
    done = subprocess.run(
        bot.command,
        input=text,
        cwd=bot.folder,
        env={**os.environ, "DOHYO_SEED": str(seed)},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_starter_plays_in_every_league(starter: str) -> None:
    """In all four leagues, on either seat, it reads the protocol right: no fault in whole matches."""
    for number, league in enumerate(LEAGUES):
        names = [starter, "random.py"] if number % 2 == 0 else ["random.py", starter]
        replay = play_match(GAME, names, seed=number, setup={"league": league}, clock=UNHURRIED)
        assert not [fault for turn in replay.turns for move in turn.moves for fault in move.faults]
        verify(GAME, replay)


def test_match_is_taken_up_by_new_programs() -> None:
    """Programs that take a match up at a later turn are told the size first, as at its beginning, and play it on."""
    first = play_match(GAME, ["climber", "random.py"], seed=3, clock=UNHURRIED)
    second = play_match(GAME, ["climber", "random.py"], resume=(first, 5), clock=UNHURRIED)
    assert not [fault for turn in second.turns for move in turn.moves for fault in move.faults]
    verify(GAME, second)


def test_starter_chooses_evenly_and_by_its_seed(starter: str) -> None:
    """Each legal action comes up as often as the others; the same seed gives the same choices, another one others."""
    bot, text, actions = built(starter), sent(FEW_WAYS, 1000), listed(FEW_WAYS)
    replies = said(bot, text, 7)
    assert len(replies) == 1000
    assert set(replies) == set(actions)
    average = 1000 / len(actions)
    assert all(0.5 * average <= count <= 1.5 * average for count in Counter(replies).values())
    assert said(bot, text, 7) == replies
    assert said(bot, text, 8) != replies


def test_starter_gives_up_at_a_dead_end(starter: str) -> None:
    """Without a legal action it says so in a line, and reads on."""
    assert listed(NO_WAY) == []
    assert said(built(starter), sent(NO_WAY, 2), 7) == ["ACCEPT-DEFEAT no way to go"] * 2


@pytest.fixture(scope="module")
def climber() -> ModuleType:
    """The bot `climber` as a module."""
    spec = importlib.util.spec_from_file_location("climber", FOLDER / "climber.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def choice_of_climber(climber: ModuleType) -> Callable[[str], str]:
    """A climber of one match: what it is sent -> what it says."""
    told: list[int] = []

    def answer(text: str) -> str:
        lines = iter(text.splitlines())
        if not told:
            told[:] = [int(next(lines)), int(next(lines))]
        climber.input = lambda: next(lines)  # type: ignore[attr-defined]
        try:
            return str(climber.choose(*climber.read_turn(*told)))
        finally:
            climber.input = builtins.input  # type: ignore[attr-defined]

    return answer


def choice_of_random(seed: int) -> Callable[[str], str]:
    """The like of `random` for one match."""
    chance = random.Random(seed)
    return lambda text: chance.choice([line for line in text.splitlines() if "&" in line] or ["ACCEPT-DEFEAT"])


def test_climber_beats_random(climber: ModuleType, full: bool) -> None:
    """In the bronze league, on both seats, it wins at least 85 % of its matches, and every reply of it is legal."""
    matches = 200 if full else 20
    wins = 0
    for seed in range(matches):
        seat = seed % 2
        players = [choice_of_random(seed), choice_of_random(seed)]
        players[seat] = choice_of_climber(climber)
        referee = Referee(GAME, resolve(GAME.options, {}), 2, seed)
        while not referee.over:
            (mover,) = referee.pending()
            move = referee.submit({mover: Answer(players[mover](referee.prompt(mover).decode()))}).moves[0]
            assert not move.faults
        wins += referee.result().winner == seat
    assert wins >= 0.85 * matches


def test_climber_plays_as_a_program(climber: ModuleType) -> None:
    """As a program it plays in every league, says what its action is worth, and draws no lots."""
    for league in LEAGUES:
        replay = play_match(GAME, ["climber", "random.py"], seed=3, setup={"league": league}, clock=UNHURRIED)
        assert not [fault for turn in replay.turns for move in turn.moves for fault in move.faults]
    bot = built("climber")
    replies = said(bot, sent(FEW_WAYS, 2), 1)
    assert replies == said(bot, sent(FEW_WAYS, 2), 2)
    assert replies[0] == replies[1]
    assert protocol.message(replies[0]) != ""
    assert said(bot, sent(NO_WAY, 1), 1) == ["ACCEPT-DEFEAT no way to go"]
