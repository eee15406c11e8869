"""Drop-Block's comparison notices whatever is wrong: in a recording, or in a rule."""

from __future__ import annotations

import copy
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dohyo.games.drop_block.rules import GONE, TICKED
from tests.conformance.__main__ import main
from tests.conformance.drop_block import compare
from tests.conformance.recordings import SLICES, recorded_games

Recording = dict[str, Any]


@pytest.fixture(scope="module")
def recorded() -> list[Recording]:
    """Some games of the slice: short ones, and a long one with a winner."""
    games = list(recorded_games(SLICES / "drop-block.jsonl.gz"))
    short = [game for game in games if game["max_turns"] < 1000]
    return [*short[:20], next(game for game in games if game["max_turns"] == 1000 and game["winner"] >= 0)]


def other_reply(game: Recording) -> None:
    game["replies"][0] = "D" if game["effective"][0] == "U" else "U"


def missing_reply(game: Recording) -> None:
    turn = next(turn for turn, letter in enumerate(game["effective"]) if letter in "URDL")
    game["replies"][turn] = None


def other_letter(game: Recording) -> None:
    game["effective"][1] = "A" if game["effective"][1] != "A" else "N"


def one_byte(game: Recording) -> None:
    game["inputs"][5] = game["inputs"][5].replace("0 0", "0  0", 1)


def last_text(game: Recording) -> None:
    game["inputs"][-1] += "\n"


def other_winner(game: Recording) -> None:
    game["winner"] = -1 if game["winner"] == 2 else 2


def other_limit(game: Recording) -> None:
    game["max_turns"] -= 1


def other_start(game: Recording) -> None:
    game["initial"][3][2] = "U" if game["initial"][3][2] != "U" else "D"


def one_text_less(game: Recording) -> None:
    game["inputs"].pop()


WRONGS = [
    other_reply,
    missing_reply,
    other_letter,
    one_byte,
    last_text,
    other_winner,
    other_limit,
    other_start,
    one_text_less,
]


@pytest.mark.parametrize("wrong", WRONGS, ids=lambda wrong: wrong.__name__)
def test_a_corrupted_recording_is_noticed(
    wrong: Callable[[Recording], None],
    recorded: list[Recording],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One wrong thing in one recorded game: differences are counted, shown, and the command ends with 1."""
    changed = copy.deepcopy(recorded[0])
    wrong(changed)
    path = tmp_path / "games.jsonl.gz"
    path.write_bytes(gzip.compress("".join(json.dumps(game) + "\n" for game in (recorded[0], changed)).encode()))
    assert main(["drop-block", str(path)]) == 1
    said = capsys.readouterr()
    assert "differences=0" not in said.out
    assert "game 1: " in said.err
    assert "game 0: " not in said.err


RULES = "dohyo.games.drop_block.rules"
PROTOCOL = "dohyo.games.drop_block.protocol"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        (f"{RULES}.TICKED", tuple(-18 if v == GONE else v for v in TICKED)),
        (f"{RULES}.STUN_BY_ATTACK", 4),
        (f"{RULES}.PERSONAL_SPACE", 2),
        (f"{RULES}.FALL_DELAY", 5),
        (f"{RULES}.winner", lambda s: 0),
        (f"{RULES}.over", lambda s: s.turn >= s.limit),
        (f"{RULES}.drop_players", lambda s, events: None),
        (f"{PROTOCOL}.trim", str),
        (f"{PROTOCOL}.END_OF_DATA", b"EOF\n"),
    ],
    ids=lambda value: value.split(".")[-1] if isinstance(value, str) else "wrong",
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
    assert {game["winner"] for game in recorded} > {-1}
