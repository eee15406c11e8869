"""Wondev Woman's comparison notices whatever is wrong: in a recording, or in a rule."""

from __future__ import annotations

import copy
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dohyo.games.wondev_woman import protocol
from dohyo.games.wondev_woman.board import ways_to
from dohyo.games.wondev_woman.legality import AHEAD
from tests.conformance.__main__ import main
from tests.conformance.recordings import SLICES, recorded_games
from tests.conformance.wondev_woman import compare

Recording = dict[str, Any]


@pytest.fixture(scope="module")
def recorded() -> list[Recording]:
    """The games of the slice, the shortest of each league first."""
    games = sorted(recorded_games(SLICES / "wondev-woman.jsonl.gz"), key=lambda game: len(game["turns"]))
    return [game for league in LEAGUES for game in [game for game in games if game["league"] == league][:10]]


LEAGUES = ("bronze", "wood1", "wood2", "wood3")


def other_reply(game: Recording) -> None:
    game["turns"][0]["output"] = game["turns"][0]["input"][-1]


def glued_reply(game: Recording) -> None:
    game["turns"][0]["output"] += "!"


def missing_reply(game: Recording) -> None:
    game["turns"][0]["output"] = None


def one_byte(game: Recording) -> None:
    game["turns"][2]["input"][0] = game["turns"][2]["input"][0].replace("0", "1", 1)


def other_order(game: Recording) -> None:
    lines = game["turns"][0]["input"]
    lines[-1], lines[-2] = lines[-2], lines[-1]


def other_greeting(game: Recording) -> None:
    game["init"][1] = "3"


def other_player(game: Recording) -> None:
    game["turns"][1]["player"] = 0


def wrongly_out(game: Recording) -> None:
    game["turns"][0]["out"] = "timeout"


def not_out(game: Recording) -> None:
    del next(turn for turn in game["turns"] if "out" in turn)["out"]


def other_score(game: Recording) -> None:
    game["final"][1] += 1


def one_round_more(game: Recording) -> None:
    game["rounds"] += 1


def one_turn_less(game: Recording) -> None:
    game["turns"].pop()


def one_turn_more(game: Recording) -> None:
    game["turns"].append(game["turns"][-1])


WRONGS = [
    other_reply,
    glued_reply,
    missing_reply,
    one_byte,
    other_order,
    other_greeting,
    other_player,
    wrongly_out,
    not_out,
    other_score,
    one_round_more,
    one_turn_less,
    one_turn_more,
]


def test_a_step_onto_height_3_counts_at_the_round_s_end_only(recorded: list[Recording]) -> None:
    """Player 0 has stepped onto height 3, and player 1 goes out in the same round: [0, -1], the round not counted."""
    won = next(game for game in recorded if game["league"] == "wood3" and game["final"] == [1, 0])
    cut = copy.deepcopy(won)
    cut["turns"][-1] |= {"output": None, "out": "timeout"}
    cut |= {"final": [0, -1], "rounds": won["rounds"] - 1}
    assert cut["turns"][-1]["player"] == 1
    assert compare(cut).differences == compare(won).differences == []


@pytest.mark.parametrize("wrong", WRONGS, ids=lambda wrong: wrong.__name__)
def test_a_corrupted_recording_is_noticed(
    wrong: Callable[[Recording], None],
    recorded: list[Recording],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One wrong thing in one recorded game: differences are counted, shown, and the command ends with 1."""
    right = next(game for game in recorded if game["league"] == "wood1" and len(game["turns"]) > 10)
    changed = copy.deepcopy(right)
    wrong(changed)
    path = tmp_path / "games.jsonl.gz"
    path.write_bytes(gzip.compress("".join(json.dumps(game) + "\n" for game in (right, changed)).encode()))
    assert main(["wondev-woman", str(path)]) == 1
    said = capsys.readouterr()
    assert "differences=0" not in said.out
    assert "game 1: " in said.err
    assert "game 0: " not in said.err


GAME = "dohyo.games.wondev_woman"
MOVES = protocol._moves


@pytest.mark.parametrize(
    ("name", "value"),
    [
        (f"{GAME}.protocol.view", lambda s, p: -1),
        (f"{GAME}.legality.view", lambda s, p: -1),
        (f"{GAME}.legality.AHEAD", (255,) * 8),
        (f"{GAME}.legality.can_enter", lambda s, start: ways_to(s.low[3] & ~s.taken, start)),
        (f"{GAME}.protocol.can_push", lambda s, free, there, way: ways_to(s.low[3] & free, there) & AHEAD[way]),
        (f"{GAME}.rules.ROUNDS", 20),
        (f"{GAME}.rules.leads_alone", lambda s, p: False),
        (f"{GAME}.rules.stands_on_top", lambda s, p: False),
        (f"{GAME}.rules.build", lambda s, slot, cell, events: None),
        (f"{GAME}.protocol._moves", lambda *words: MOVES(*words).replace(b" SE", b" SW")),
        (f"{GAME}.protocol.UNSEEN", b"-1 +1\n\0\0"),
    ],
    ids=lambda value: value.removeprefix(f"{GAME}.") if isinstance(value, str) else "wrong",
)
def test_a_wrong_rule_is_noticed(
    name: str, value: Any, recorded: list[Recording], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A single constant or function of ours that is wrong shows as differences."""
    monkeypatch.setattr(name, value)
    assert any(compare(game).differences for game in recorded)


def test_the_games_compared_are_right(recorded: list[Recording]) -> None:
    """Without a wrong there is no difference, so that the tests above show what they mean to show."""
    assert not any(compare(game).differences for game in recorded)
    assert {game["league"] for game in recorded} == set(LEAGUES)
