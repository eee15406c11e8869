"""Replays that somebody wrote by hand: what the rules look things up by is checked before they are run compiled."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from dohyo import games
from dohyo.core import playback
from dohyo.core.clock import Clock
from dohyo.core.errors import ReplayError
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.game import Game
from dohyo.core.options import resolve
from dohyo.core.possible import why_impossible
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import FORMAT, Header, Move, Replay, Result, Seat, Turn

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
    ("abotcalypse", {"meteors": 1, "meteor_angle": [0] * 72}),
    ("wondev-woman", {"dealt": 0, "at": [0] * 4, "taken": 0, "low": [0] * 4, "height": [-1] * 63}),
    ("tic_tac_toe", {"board": [3] + [0] * 8}),
    ("tic_tac_toe", {"turn": 10}),
    ("tic_tac_toe", {"gave_up": [0, 2]}),
    ("pig", {"mover": 2}),
    ("pig", {"points": [-1, 0]}),
    ("goofspiel", {"seats": 4}),
    ("goofspiel", {"prizes": [127] * 6}),
    ("goofspiel", {"turn": -1}),
    ("kuhn_poker", {"turn": 3}),
    ("kuhn_poker", {"moves": [1, 2, 2]}),
    ("leduc_poker", {"round": 1, "said": 4}),
    ("othello", {"moves": -1}),
    ("hex", {"chain": [1] + [0] * 124}),
    ("hex", {"turn": 1}),
    ("hex", {"empty": [-1, -1]}),
    ("go", {"stones": [(1 << 18) - 1 << 45, 0, 0, 0]}),
    ("go", {"turn": 243}),
    ("go", {"passes": 2}),
    ("chess", {"count": 218}),
    ("chess", {"halfmove_clock": 100}),
    ("chess", {"kings": [0, 4]}),
    ("chess", {"moves": [-1] * 21}),
    ("chess", {"ended": 4}),
    ("chess", {"ended": 5}),
    ("backgammon", {"dice": [0, 3]}),
    ("backgammon", {"off": [15, 0]}),
    ("shoot-em-up", {"limit": 1 << 30}),
    ("drop-block", {"limit": 1 << 30}),
    ("abotcalypse", {"limit": 1 << 30}),
]
ROOT = Path(__file__).resolve().parents[2]
FILES = {path.stem: path for path in sorted((ROOT / "examples").glob("*.py"))}


@pytest.fixture(autouse=True)
def no_games_left() -> Iterator[None]:
    """What was loaded from a file here is no game of other tests."""
    before = dict(sys.modules)
    yield
    for name in FILES:
        if name in sys.modules and name not in before:
            del sys.modules[name]


def game_of(name: str) -> Game:
    """One of Dohyo's own, a classic game, or an example in one file."""
    return games.load(FILES[name]) if name in FILES else games.find(name)


def begun(name: str, seats: int, setup: dict[str, object], seed: int = 1) -> Referee:
    """A match before its first turn."""
    game = game_of(name)
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


def test_the_sentence_names_the_field() -> None:
    """Whoever has written a game learns which of its RANGES is meant."""
    referee = begun("pig", 2, {})
    start = referee.game.rules.LAYOUT.as_dict(referee.state) | {"pot": 61}
    with pytest.raises(ReplayError, match=r"^No match of pig .*: pot is 61, and goes from 0 to 60\.$"):
        playback.beginning(referee.game, replay_of(referee, start, []))


def test_the_game_may_add_a_function_of_its_own(tmp_path: Path) -> None:
    """What `possible` of the file refuses is refused, and what its RANGES refuse, too; whatever it raises."""
    source = FILES["tic_tac_toe"].read_text()
    (tmp_path / "my_toe.py").write_text(source + "\n\ndef possible(s):\n    return 6 // s.turn != 6\n")
    game = games.load(tmp_path / "my_toe.py")
    sys.modules.pop("my_toe")
    state = game.new_state({}, 2)
    for turn, possible in ((-1, False), (0, False), (1, False), (2, True), (9, True), (10, False)):
        state.turn = turn
        assert (why_impossible(game, state, 2) is None) == possible


@pytest.mark.parametrize("name", ["tic_tac_toe", "othello", "wondev-woman"])
def test_an_action_that_nobody_could_play_is_refused(name: str) -> None:
    """Fitting digests do not help: rules rely on legal actions."""
    luck = random.Random(1)
    referee = begun(name, game_of(name).seats[0], {})
    game = referee.game
    for _ in range(2):
        choices = {seat: luck.choice(list(game.legal_actions(referee.state, seat))) for seat in referee.pending()}
        before = game.rules.LAYOUT.copy(referee.state)
        referee.submit({seat: Answer(game.protocol.text(action)) for seat, action in choices.items()})
    replay = replay_of(referee, game.rules.LAYOUT.as_dict(before), [])
    (seat,) = choices
    answers = {game.protocol.answer(before, seat, Fault(kind)) for kind in FaultKind}
    refused = 0
    for action in range(game.rules.ACTIONS):
        state = game.rules.LAYOUT.copy(before)
        try:
            game.rules.step(state, [action] * referee.seats, None)
            digest = game.rules.LAYOUT.digest(state)
        except Exception:  # the rules rely on legal actions
            digest = "00000000"
        turn = Turn(0, (), (Move(seat, game.protocol.text(action)),), digest)
        allowed = game.rules.is_legal(before, seat, action) or action in answers.union(game.rules.CONCESSIONS)
        replay = Replay(replay.header, [turn], replay.result)
        with nullcontext() if allowed else pytest.raises(ReplayError):
            list(playback.moments(game, replay))
        refused += not allowed
    assert refused


def test_impossible_dice_are_refused() -> None:
    """So are dice that nobody has thrown; those that somebody could have thrown are not."""
    referee = begun("abotcalypse", 2, {})
    game = referee.game
    for dice in ((0, 1, -90, 1), (10**9, 1, -90, 1), (-1, 1, -90, 1), (0, 1, 9000, 1), (0, 1, -90, 10**15)):
        state = game.new_state(referee.setup, 2)
        game.rules.deal(state, dice, None)
        replay = replay_of(referee, None, [Turn(0, dice, digest=game.rules.LAYOUT.digest(state))])
        with nullcontext() if dice == (0, 1, -90, 1) else pytest.raises(ReplayError):
            list(playback.moments(game, replay))
