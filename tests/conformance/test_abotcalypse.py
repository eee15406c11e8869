"""aBOTcalypse's comparison notices whatever is wrong: in a recording, or in a rule."""

from __future__ import annotations

import copy
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.__main__ import main
from tests.conformance.abotcalypse import compare
from tests.conformance.recordings import SLICES, recorded_games

Recording = dict[str, Any]


@pytest.fixture(scope="module")
def recorded() -> list[Recording]:
    """The games of the slice, those with the most bots first: much happens there early."""
    return sorted(recorded_games(SLICES / "abotcalypse.jsonl.gz"), key=lambda game: -len(game["bots"]))


def right_game(recorded: list[Recording]) -> Recording:
    """A game of several bots, some of whom survived and some did not."""
    return next(
        game
        for game in recorded
        if not game.get("crash") and 0 < len(game["turns"][-1]["alive"]) < len(game["bots"]) < 40
    )


def first_of(game: Recording) -> str:
    """The first bot."""
    return str(game["bots"][0])


def other_start(game: Recording) -> None:
    game["starts"][0] = next(x for x in range(100) if x not in game["starts"])


def other_view(game: Recording) -> None:
    game["turns"][1]["views"][first_of(game)] = "0" * 12


def missing_view(game: Recording) -> None:
    del game["turns"][0]["views"][first_of(game)]


def one_more_view(game: Recording) -> None:
    dead = next(turn for turn in game["turns"] if len(turn["views"]) < len(game["bots"]))
    name = next(name for name in game["bots"] if name not in dead["views"])
    dead["views"][name] = "0" * 12


def other_survivor(game: Recording) -> None:
    game["turns"][0]["alive"].pop()


def other_rocks(game: Recording) -> None:
    game["turns"][2]["changed_columns"]["50"] = [0, 7]


def other_meteor(game: Recording) -> None:
    x, y = game["turns"][3]["meteors"][0]
    game["turns"][3]["meteors"][0] = [x[:-6] + ("1" if x[-6] != "1" else "2") + x[-5:], y]


def other_new_meteor(game: Recording) -> None:
    angle, x = game["turns"][0]["new_meteor"]
    game["turns"][0]["new_meteor"] = [angle, 99 - x]


def other_score(game: Recording) -> None:
    name, score = next(iter(dict(game["scores"]).items()))
    game["scores"] = {**dict(game["scores"]), name: score + 1}


def other_limit(game: Recording) -> None:
    game["max_turns"] += 1


def one_turn_more(game: Recording) -> None:
    game["turns"].append(game["turns"][-1])


def a_crash(game: Recording) -> None:
    game["crash"] = "IndexError"


WRONGS = [
    other_start,
    other_view,
    missing_view,
    one_more_view,
    other_survivor,
    other_rocks,
    other_meteor,
    other_new_meteor,
    other_score,
    other_limit,
    one_turn_more,
    a_crash,
]


@pytest.mark.parametrize("wrong", WRONGS, ids=lambda wrong: wrong.__name__)
def test_a_corrupted_recording_is_noticed(
    wrong: Callable[[Recording], None],
    recorded: list[Recording],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One wrong thing in one recorded game: differences are counted, shown, and the command ends with 1."""
    right = right_game(recorded)
    changed = copy.deepcopy(right)
    wrong(changed)
    path = tmp_path / "games.jsonl.gz"
    path.write_bytes(gzip.compress("".join(json.dumps(game) + "\n" for game in (right, changed)).encode()))
    assert main(["abotcalypse", str(path)]) == 1
    said = capsys.readouterr()
    assert "differences=0" not in said.out
    assert "game 1: " in said.err
    assert "game 0: " not in said.err


GAME = "dohyo.games.abotcalypse"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        (f"{GAME}.protocol.SIGHT", 19),
        (f"{GAME}.protocol.ON_ROCK", 0),
        (f"{GAME}.protocol.DIRECTIONS", ("down", "right", "up", "left")),
        (f"{GAME}.rules.TOP", 98),
        (f"{GAME}.classic.pack_column", lambda s, x: 0),
        (f"{GAME}.classic.bring_down", lambda s, x, y, top, events: None),
        (f"{GAME}.classic.kill_first", lambda s, x, y, cause, events: False),
        (f"{GAME}.rules.classic_collide", lambda s, events: None),
        (f"{GAME}.rules.last_turn", lambda s: s.limit),
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
    """Without a wrong there is no difference; among the games are some that ended in the controller's crash."""
    assert not any(compare(game).differences for game in recorded if len(game["turns"]) < 60)
    assert sum(bool(game.get("crash")) for game in recorded) == 4
