"""aBOTcalypse's sample bots: what they choose, how long they live, and that they play as programs."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from dohyo import bots
from dohyo.core.clock import Clock
from dohyo.core.playback import verify
from dohyo.games.abotcalypse import GAME
from dohyo.match.play import play_match
from tests.games.abotcalypse.boards import board, heights, nothing_floats, play, where

FOLDER = Path(GAME.folder) / "bots"
UNHURRIED = Clock(turn=60)
GAMES = range(2, 8)  # seeds


def view(s: Any, b: int = 0) -> str:
    """What a bot is sent."""
    return GAME.prompt(s, b).decode()


def alone(decide: Any, s: Any, turns: int) -> set[int]:
    """Let bot 0 play, nobody else, and no meteor come near; the heights at which it was."""
    been = set()
    for _ in range(turns):
        play(s, decide(view(s)), meteor=(-180, 0))
        been.add(s.y[0])
    return been


# --- how long they live


def test_shelter_outlives_rest_and_nothing_floats(survival: ModuleType) -> None:
    """In games of ten mixed bots shelter lives 1.5 times as long as rest; all bots, always, stand on something."""
    games, died = [], 0
    for seed in GAMES:
        kinds = survival.seated(seed)
        referee, players = survival.begin(seed, 400, kinds)
        while not referee.over:
            turn = referee.submit(survival.answers(referee, players))
            assert not [fault for move in turn.moves for fault in move.faults], (seed, referee.turn)
            assert nothing_floats(referee.state), (seed, referee.turn)
        died += sum(1 for cause in referee.state.cause if cause)
        games.append(survival.Played(tuple(kinds), tuple(referee.result().scores), ("",) * len(kinds)))
    assert survival.ratio(games) >= 1.5
    assert died > 20


# --- what they choose


@pytest.mark.parametrize("column", [0, 50, 99])
@pytest.mark.parametrize(("kind", "roof", "wall"), [("builder", 3, 1), ("shelter", 4, 4)])
def test_hides_under_a_roof_between_walls(survival: ModuleType, kind: str, roof: int, wall: int, column: int) -> None:
    """Left alone it builds, hides on the floor, and rests; also beside the board's edge."""
    decide = survival.living(kind, 0)
    s = board((column, 0))
    alone(decide, s, 40)
    assert where(s, 0) == (column, 0)
    assert s.height[column] == roof
    assert all(s.height[x] >= wall for x in (column - 1, column + 1) if 0 <= x < 100)
    assert decide(view(s)) == "rest"


@pytest.mark.parametrize("kind", ["builder", "shelter"])
def test_repairs_its_roof(survival: ModuleType, kind: str) -> None:
    """When hits have taken the roof down it is built once more."""
    decide = survival.living(kind, 0)
    s = board((50, 0))
    alone(decide, s, 40)
    stood = heights(s)
    s.height[50] = 1
    assert decide(view(s)) != "rest"
    assert 1 in alone(decide, s, 40)
    assert (where(s, 0), heights(s)) == ((50, 0), stood)


@pytest.mark.parametrize(
    ("enemy", "x50", "answer"),
    [
        ((51, 0), 4, "drop right"),
        ((48, 0), 4, "drop left"),
        ((50, 1), 4, "drop up"),
        ((51, 1), 4, "drop right"),
        ((60, 0), 4, "rest"),
    ],
)
def test_shelter_kills_who_comes_near(survival: ModuleType, enemy: tuple[int, int], x50: int, answer: str) -> None:
    """It drops a rock on enemies beside it, and to where one two squares away may step; not on those far off."""
    s = board((50, 0), enemy, x49=4, x50=x50, x51=4)
    assert survival.living("shelter", 0)(view(s)) == answer


def test_shelter_walks_away_before_it_builds(survival: ModuleType) -> None:
    """Enemies on one side: it goes to the other, except through the board's edge; on both: it begins where it is."""
    decide = survival.living("shelter", 0)
    assert decide(view(board((50, 0), (53, 0)))) == "move left"
    assert decide(view(board((50, 0), (47, 2), x47=2))) == "move right"
    assert decide(view(board((0, 0), (5, 0)))) == "drop down"
    assert decide(view(board((50, 0), (46, 0), (54, 0)))) == "drop down"


def test_shelter_meets_a_walker_with_a_rock(survival: ModuleType) -> None:
    """Whoever walks through its wall towards it dies before the next square."""
    decide = survival.living("shelter", 0)
    s = board((50, 0), (55, 0), x49=4, x50=4, x51=4)
    for _ in range(5):
        play(s, decide(view(s)), "move left", meteor=(-180, 0))
    assert (where(s, 0), where(s, 1)) == ((50, 0), None)


def test_thrower_hits_who_stands_still(survival: ModuleType) -> None:
    """From its tower it hits an enemy that stood there in the turn before, and does not throw without a memory."""
    thrower = survival.module("thrower")
    s = board((50, 5), (53, 0), x50=5)
    assert not thrower.decide(view(s)).startswith("throw")
    play(s, thrower.decide(view(s), thrower.remember(view(s))))
    assert where(s, 1) is None
    s = board((50, 5), (53, 0), x50=5)
    memory = thrower.remember(view(s))
    s.x[1] = 54
    assert not thrower.decide(view(s), memory).startswith("throw")


# --- as programs


def test_bots_play_as_programs() -> None:
    """One process a match: every one of them answers every view it is sent, without a fault."""
    names = ["rest", "random", "builder", "shelter", "shelter", "builder"]
    replay = play_match(GAME, names, seed=3, setup={"turns": 60}, clock=UNHURRIED)
    assert not [fault for turn in replay.turns for move in turn.moves for fault in move.faults]
    assert not replay.result.last
    verify(GAME, replay)


def test_thrower_plays_a_process_a_turn() -> None:
    """In a match beside bots that live for the match it answers every view, without a fault."""
    replay = play_match(GAME, ["thrower", "shelter"], seed=5, setup={"turns": 12}, clock=UNHURRIED)
    assert not [fault for turn in replay.turns for move in turn.moves for fault in move.faults]
    assert {move.action for turn in replay.turns for move in turn.moves if move.seat == 0} >= {"move up", "drop down"}
    verify(GAME, replay)


def test_thrower_keeps_its_state_in_its_folder(tmp_path: Path, survival: ModuleType) -> None:
    """One process a turn: it begins without a storage, remembers in JSON, logs each turn, minds no broken file."""
    folder = tmp_path / "thrower"
    shutil.copytree(FOLDER / "thrower", folder)
    s = board((50, 5), (53, 0), x50=5)

    def turn() -> str:
        words = [sys.executable, "thrower.py", view(s)]
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120, check=True)
        assert done.stderr == ""
        return done.stdout

    assert [turn(), turn()] == ["rest\n", "throw right 2\n"]
    assert json.loads((folder / "storage.txt").read_text())["turns"] == 2
    assert len((folder / "errlog.txt").read_text().splitlines()) == 2
    (folder / "storage.txt").write_text("no JSON")
    assert turn() == "rest\n"
    assert json.loads((folder / "storage.txt").read_text())["enemies"] == [[3, -5]]


def test_all_are_found_by_name() -> None:
    """A newcomer finds six bots; thrower is a folder that runs for a turn; sensei is one too."""
    known = bots.samples(FOLDER)
    assert {name for name in known if "." not in name} == {
        "builder",
        "random",
        "rest",
        "sensei",
        "shelter",
        "thrower",
    }
    (thrower,) = bots.resolve(["thrower"], known)
    assert thrower.lifetime == "turn"
