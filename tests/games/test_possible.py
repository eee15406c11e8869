"""Replays that somebody wrote by hand: what the rules look things up by is checked before they are run compiled."""

from __future__ import annotations

import random
from contextlib import nullcontext
from typing import Any

import pytest

from dohyo import games
from dohyo.core import playback
from dohyo.core.clock import Clock
from dohyo.core.errors import ReplayError
from dohyo.core.options import resolve
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import FORMAT, Header, Replay, Result, Seat, Turn, digest_in

SETUPS: list[tuple[str, int, dict[str, Any]]] = [
    *(("wondev-woman", 2, {"league": league}) for league in ("wood3", "wood2", "wood1", "bronze")),
    ("wondev-woman", 2, {"grid": "/".join(["0123012"] * 7)}),
    ("wondev-woman", 2, {"grid": "00000/" * 4 + "4444.", "units": "0,0/1,0/2,0/3,0"}),
    *(("abotcalypse", bots, {"rules": rules, "turns": 150}) for rules in ("post", "classic") for bots in (2, 60)),
    ("abotcalypse", 3, {"columns": "99,0,50"}),
]
FORGED: list[tuple[str, dict[str, Any]]] = [
    ("wondev-woman", {"at": [127, 0, 0, 0]}),
    ("wondev-woman", {"height": [-100] * 63}),
    ("wondev-woman", {"low": [1 << 62] * 4}),
    ("wondev-woman", {"taken": -1}),
    ("wondev-woman", {"units": 9}),
    ("wondev-woman", {"size": 99}),
    ("wondev-woman", {"mover": 5}),
    ("wondev-woman", {"ended": 77}),
    ("abotcalypse", {"x": [-200] * 100}),
    ("abotcalypse", {"next_x": 10**15}),
    ("abotcalypse", {"next_angle": 400}),
    ("abotcalypse", {"meteors": 10**6}),
    ("abotcalypse", {"meteor_angle": [9000] * 72}),
    ("abotcalypse", {"meteor_x": [1e300] * 72}),
    ("abotcalypse", {"height": [-5] * 100}),
    ("abotcalypse", {"bots": 30_000}),
    ("abotcalypse", {"order": [-128] * 100}),
]


def begun(name: str, seats: int, setup: dict[str, object], seed: int = 1) -> Referee:
    """A match before its first turn."""
    game = games.find(name)
    return Referee(game, resolve(game.options, setup, game.catalogue), seats, seed)


def replay_of(referee: Referee, start: dict[str, Any] | None, turns: list[Turn]) -> Replay:
    """A replay that somebody wrote."""
    seats = tuple(Seat("a") for _ in range(referee.seats))
    game = referee.game
    header = Header(
        dohyo=FORMAT,
        game=game.name,
        rules=game.version,
        setup=dict(referee.setup),
        seats=seats,
        clock=Clock(turn=1.0),
        seed=1,
        software="",
        start=start,
    )
    return Replay(header, turns, Result((), None, "unfinished", unfinished=True))


@pytest.mark.parametrize(("name", "seats", "setup"), SETUPS)
def test_every_state_of_a_match_is_possible(name: str, seats: int, setup: dict[str, object]) -> None:
    """Whatever players do: a replay may begin with it."""
    for seed in range(3):
        referee = begun(name, seats, setup, seed)
        game, luck = referee.game, random.Random(seed)
        assert game.possible(game.new_state(referee.setup, seats))
        assert game.possible(referee.state)
        while not referee.over:
            answers = {}
            for seat in referee.pending():
                action = luck.choice(list(game.legal_actions(referee.state, seat)))
                answers[seat] = Answer(game.protocol.text(action))
            referee.submit(answers)
            assert game.possible(referee.state)


@pytest.mark.parametrize(("name", "forged"), FORGED, ids=lambda value: str(value)[:40])
def test_an_impossible_start_is_refused(name: str, forged: dict[str, Any]) -> None:
    """A number that leads out of a table is refused, and not looked up."""
    referee = begun(name, 2, {})
    start = referee.game.rules.LAYOUT.as_dict(referee.state) | forged
    with pytest.raises(ReplayError):
        playback.beginning(referee.game, replay_of(referee, start, []))


def test_impossible_dice_are_refused() -> None:
    """So are dice that nobody has thrown; those that somebody could have thrown are not."""
    referee = begun("abotcalypse", 2, {})
    game = referee.game
    for dice in ((0, 1, -90, 1), (10**9, 1, -90, 1), (-1, 1, -90, 1), (0, 1, 9000, 1), (0, 1, -90, 10**15)):
        state = game.new_state(referee.setup, 2)
        game.rules.deal(state, dice, None)
        replay = replay_of(referee, None, [Turn(0, dice, digest=digest_in(FORMAT, game.rules.LAYOUT.pack(state)))])
        with nullcontext() if dice == (0, 1, -90, 1) else pytest.raises(ReplayError):
            list(playback.moments(game, replay))
