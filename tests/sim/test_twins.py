"""Drop-Block's rules, compiled, are Drop-Block's rules: the same text, on records instead of objects."""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

from dohyo.core import flat
from dohyo.games import find
from dohyo.games.drop_block import protocol, rules
from tests.core.heap import HEAP
from tests.sim.twins import DifferenceError, Twins

GAME = find("drop-block")
GAMES = 40  # in each of four parts; with --full 2500: 10,000 in all

FAR_APART = "0,0,U/0,17,R/17,0,D/-"
BLOCKS = ",".join(str((7 * n) % 41 - 20) for n in range(36))
SETUPS: list[dict[str, Any]] = [
    {},
    {"position_order": "column-row", "turns": 300},
    {"idle": True, "turns": 300},
    {"players": FAR_APART, "blocks": BLOCKS, "turns": 1000},
]


@pytest.mark.parametrize("part", range(len(SETUPS)))
def test_random_games_are_the_same(part: int, full: bool) -> None:
    """Every field at every step, every text, dice, event, legal action and result: compiled equals plain."""
    twins = Twins(GAME, 2500 if full else GAMES, seed=1000 * part, setup=SETUPS[part])
    twins.play()
    print(twins.seen)
    assert twins.seen["turns"] > 150 * twins.count
    assert twins.seen["prompts"] == twins.seen["turns"]
    assert twins.seen["compared states"] >= twins.seen["turns"]
    assert twins.seen["events"] > 200 * twins.count
    assert twins.seen["dice"] == ("players" not in SETUPS[part]) * rules.DICE * twins.count


def test_without_a_log_the_games_are_the_same() -> None:
    """Rules that are given `None` for their events play as those that note them."""
    twins = Twins(GAME, 20, seed=77, logged=False)
    twins.play()
    assert twins.seen["turns"] > 5_000
    assert "compared events" not in twins.seen


@pytest.mark.parametrize("setup", [{"windy": True}, {"together": True, "sticks": 40}], ids=["windy", "together"])
def test_dice_every_turn_and_moves_at_once_are_the_same(setup: dict[str, Any]) -> None:
    """What Drop-Block has not is compared as well: dice in every turn, several seats that act, illegal actions."""
    twins = Twins(HEAP, 100, seed=9, setup=setup)
    twins.play()
    assert twins.seen["turns"] > 500
    assert twins.seen["prompts"] == twins.seen["turns"] * (2 if "together" in setup else 1)
    assert twins.seen["dice"] >= 300


WRONG_RULES = [
    ("s.stun[p] -= 1", "s.stun[p] -= 2", "field 'stun' of the states"),
    ("s.facing[p] = direction", "s.facing[p] = direction & 1", "field 'facing' of the states"),
    ("s.row[p] = row", "s.row[p] = row - (row == 5)", "field 'row' of the states"),
    ("+ GONE * (v == 1)", "+ (GONE + 1) * (v == 1)", "field 'block' of the states"),
    ("s.fallen_at[p] = s.turn", "s.fallen_at[p] = s.turn + 1", "field 'fallen_at' of the states"),
    ("FALL_DELAY * n", "FALL_DELAY * n - (n == 5)", "field 'block' of the states"),
    ("dice[3 * p] = square // SQUARES", "dice[3 * p] = SQUARES - 1 - square // SQUARES", "dice"),
    (
        "emit(events, BLOCKED, p, row, column)",
        "emit(events, BLOCKED, p, column, row)",
        "field 'numbers' of the events",
    ),
    ("out[p] = 1 + ahead", "out[p] = 1 + ahead + (ahead == 3)", "places"),
    ("return s.turn & LAST_SEAT == seat", "return s.turn & 1 == seat", "acts"),
    ("return alive == 1 or", "return", "over"),
]


@pytest.mark.parametrize(("right", "wrong", "named"), WRONG_RULES, ids=[wrong for _, wrong, _ in WRONG_RULES])
def test_a_broken_rule_is_noticed(right: str, wrong: str, named: str, tmp_path: Path) -> None:
    """One rule changed on one of the two sides: the comparison fails and names what differs."""
    broken = msgspec.structs.replace(GAME, rules=changed(rules, right, wrong, tmp_path))
    with pytest.raises(DifferenceError) as difference:
        Twins(broken, 20, seed=3, rules=rules, protocol=protocol).play()
    assert named in str(difference.value)


def test_a_rule_broken_before_compiling_is_noticed(tmp_path: Path) -> None:
    """Nor is it the plain side alone: a change of the text that is compiled shows too."""
    right, wrong, named = WRONG_RULES[5]
    with pytest.raises(DifferenceError) as difference:
        Twins(GAME, 20, seed=3, rules=changed(rules, right, wrong, tmp_path)).play()
    assert named in str(difference.value)


def test_a_broken_text_is_noticed(tmp_path: Path) -> None:
    """One byte other in the writer of inputs: the comparison names the prompt."""
    broken = changed(
        protocol,
        "at = put(buffer, at + 1, second)",
        "at = put(buffer, at + 1, second + (first == 3))",
        tmp_path,
    )
    with pytest.raises(DifferenceError, match="prompt differs"):
        Twins(
            msgspec.structs.replace(GAME, protocol=broken), 5, seed=3, setup=SETUPS[1], rules=rules, protocol=protocol
        ).play()


def test_a_wrong_number_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dice that differ between the substrates are noticed even where the deal could have been the same."""
    twins = Twins(GAME, 5, seed=3)
    other = random.Random(1)
    monkeypatch.setattr(rules, "uniform", lambda source, n: other.randrange(n))
    with pytest.raises(DifferenceError):
        twins.play()


def changed(module: Any, right: str, wrong: str, folder: Path) -> ModuleType:
    """A copy of `module` with one place of its source changed."""
    source = Path(module.__file__).read_text(encoding="utf-8")
    assert source.count(right) == 1, f"{right!r} is not there once"
    file = folder / "changed_rules.py"
    file.write_text(source.replace(right, wrong), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("changed_rules", file)
    assert spec is not None
    assert spec.loader is not None
    copy = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = copy  # Numba looks for it there
    spec.loader.exec_module(copy)
    return copy


def test_source_layout_is_the_common_one() -> None:
    """Drop-Block draws from the common source, which the comparison relies on."""
    assert GAME.rules.SOURCE is flat.SOURCE
    assert GAME.rules.reseed is flat.reseed
