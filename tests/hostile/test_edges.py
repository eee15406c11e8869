"""Attacks on whoever reads: what a hand-in is called and what it writes, where it comes out again.

The bots run under each layer; what they wrote is then looked for in what commands print, in tables, in CSV. The walls
are the same in every layer, none included: they stand where text leaves us.
"""

from __future__ import annotations

import csv
import io
import shlex
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from dohyo.bench.check import hand_ins as check_hand_ins
from dohyo.bench.check.findings import CheckReport
from dohyo.cli.main import run
from dohyo.core.game import Game
from dohyo.sandbox import Sandbox
from tests.cli.arsenal import DROP_BLOCK, ESCAPES, FORMULA, NOISE, ROW, raw
from tests.hostile import layers
from tests.hostile.scene import Scene
from tests.hostile.table import CONTAINED, LAYERS, expected

pytestmark = pytest.mark.usefixtures("among_others")

USUAL = (1, layers.FREE)  # the most walls and none: what leaves us is written by the same code in each layer
FEW = ("--setup", "turns=8", "--clock", "0.3")
BROKEN = f"printf %s {shlex.quote(NOISE)} >&2; exit 1"
# Plays in both games, so that nobody waits for an answer.
ANSWERS = """#!/bin/sh
echo READY
while read -r line; do
  case "$line" in EOD) echo N;; "") echo rest;; esac
done
"""

Type = Callable[..., str]


def writes_escapes(home: Path, type_: Type) -> list[str]:
    """A name, a build's log, replies and standard error with what terminals obey."""
    bot = _bot(home / f"bot{ESCAPES}")
    broken = home / f"broken{ESCAPES}"
    broken.mkdir()
    (broken / "bot.toml").write_text(f'build = ["{_toml(BROKEN)}"]\nrun = "./x"\n')
    said = [type_("check", "drop-block", str(home), "--each", *FEW), type_("check", "drop-block", str(broken), *FEW)]
    said.append(type_("check", "drop-block", str(home), "--json", "--each", *FEW))
    said.append(type_("play", "drop-block", *[str(bot)] * 4, *FEW, "--faults", "--save", "m.replay"))
    said += [type_("replay", "m.replay", *words) for words in ((), ("--faults",), ("--watch",), ("--json",))]
    assert "\\u001b" in Path("m.replay").read_text(encoding="utf-8"), "it wrote none, so the attack proves nothing"
    return [f"{found} in {text[:200]!r}" for text in said if (found := raw(text))]


def forges_rows(home: Path, type_: Type) -> list[str]:
    """A name that holds the end of a line, and a row behind it."""
    for number in range(2):
        _bot(home / f"{number}{ROW}", ANSWERS)
    table = type_("check", "drop-block", str(home), "--each", *FEW)
    sheet = type_("check", "drop-block", str(home), "--csv", *FEW)
    type_("koth", str(home), "-n", "1", "--turns", "3", "--out", "results", "--clock", "0.3")
    board = Path("results/leaderboard.txt").read_text(encoding="utf-8")
    assert len(board.splitlines()) == 2
    texts = (table, sheet, board)
    return [line for text in texts for line in text.splitlines() if line.startswith("FORGED")]


def csv_formula(home: Path, type_: Type) -> list[str]:
    """A name that a spreadsheet computes."""
    _bot(home / FORMULA)
    _bot(home / f"a;{FORMULA}", ANSWERS)  # equal ones would be told in a sentence, which is no table
    sheet = type_("check", "drop-block", str(home), "--csv", *FEW)
    cells = [cell for sign in ",;" for row in csv.reader(io.StringIO(sheet), delimiter=sign) for cell in row]
    assert any(FORMULA in cell for cell in cells)
    return [cell for cell in cells if cell.startswith("=")]


EDGES = {attack.__name__: attack for attack in (writes_escapes, forges_rows, csv_formula)}


@pytest.mark.parametrize(
    "layer", [pytest.param(layer, marks=() if layer in USUAL else pytest.mark.full) for layer in LAYERS]
)
@pytest.mark.parametrize("name", EDGES)
def test_an_edge_is_as_the_table_says(
    scene: Scene, name: str, layer: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a stranger's bot wrote comes out of every command as text, in its own row, and computed by nobody."""
    layers.need(layer)
    home = scene.folder / f"{name}-{scene.token}"
    home.mkdir()
    monkeypatch.chdir(scene.folder)
    examined: dict[object, list[CheckReport]] = {}
    examine = check_hand_ins.check_all

    def examined_once(game: Game, paths: Sequence[Path], **options: Any) -> Iterator[CheckReport]:
        """It is how the same findings are told that the attacks are about."""
        if tuple(paths) not in examined:
            examined[tuple(paths)] = list(examine(game, paths, **options))
        return iter(examined[tuple(paths)])

    monkeypatch.setattr(check_hand_ins, "check_all", examined_once)

    def sandbox(*_: object) -> Sandbox:
        small = layers.small_sandbox(layer)
        assert small is not None
        return small

    for command in ("cli.check", "cli.play", "guests.game_programs.command"):
        monkeypatch.setattr(f"dohyo.{command}.sandbox_for", sandbox)

    def type_(*words: str) -> str:
        assert run(words) in (0, 1, 2)
        said = capsys.readouterr()
        return said.out + said.err

    assert expected()[name][layer].word == CONTAINED
    assert EDGES[name](home, type_) == []


def _bot(home: Path, script: str = DROP_BLOCK.format(noise=shlex.quote(NOISE))) -> Path:
    """A bot that plays, after a fashion."""
    home.mkdir()
    (home / "bot.toml").write_text('run = "sh bot.sh"\n')
    (home / "bot.sh").write_text(script)
    return home


def _toml(text: str) -> str:
    return "".join(c if c.isprintable() and c not in '"\\' else f"\\U{ord(c):08x}" for c in text)
