"""The comparison with others: the page shows the saved figures, and who is not installed is named and left out."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests import skips


@pytest.fixture
def compared(root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The benchmark, as a module."""
    monkeypatch.syspath_prepend(str(root / "benchmarks"))
    known = {name for name in sys.modules if name.split(".")[0] in ("peers", "compared")}
    spec = importlib.util.spec_from_file_location("compared", root / "benchmarks" / "compared.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    for name in [name for name in sys.modules if name.split(".")[0] == "peers" and name not in known]:
        del sys.modules[name]


def test_the_page_shows_the_saved_figures(compared: ModuleType) -> None:
    """Every table of docs/compared.md is what the script makes of its last figures: nobody typed one."""
    page = compared.PAGE.read_text(encoding="utf-8")
    saved = json.loads(compared.SAVED.read_text(encoding="utf-8"))
    assert compared.filled(page, saved) == page
    assert set(compared.PARTS) <= saved.keys()
    changed = json.loads(json.dumps(saved))
    changed["match"]["psyleague"]["cpu"] *= 2
    assert compared.filled(page, changed) != page


def test_a_page_without_a_place_is_refused(compared: ModuleType) -> None:
    """A table whose place is gone is not dropped in silence."""
    with pytest.raises(ValueError, match="0 places for 'when'"):
        compared.filled("no place\n", {"when": "today", "machine": "this", "load": "0"})


def test_who_is_missing_is_named(
    compared: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A peer that is not installed costs one line, with the commands; what is there is measured and saved."""

    def there(words: Namespace, names: list[str], scratch: Path) -> dict[str, Any]:
        return dict.fromkeys(names, 1)

    monkeypatch.setattr(compared, "location", lambda: tmp_path)
    monkeypatch.setitem(compared.PARTS, "first", there)
    monkeypatch.setattr(sys, "argv", ["compared.py", "--only", "first", "--save", str(tmp_path / "saved.json")])
    compared.main()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if "is left out" in line] == [
        name for name in compared.peers.PEERS if name != "dohyo"
    ]
    assert any(line.endswith("bin/pip install 'pettingzoo[classic]'") for line in lines)
    assert json.loads((tmp_path / "saved.json").read_text())["first"] == {"dohyo": 1}


def test_our_matches_are_measured(compared: ModuleType, root: Path, tmp_path: Path) -> None:
    """Our league and the bare referee play what they are said to play: the first column wins in 19 turns."""
    skips.program("cc")
    bot = compared.column_bot(tmp_path)
    cpu, wall = compared.contest(bot, 2, "none", tmp_path, "dohyo")
    assert cpu > 0
    assert wall > 0
    words = [sys.executable, root / "benchmarks" / "bare_referee.py", bot, bot]
    told = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    assert told == {"ranks": [0, 1], "errors": [0, 0], "test_data": {}, "player_data": [{}, {}]}
    code = compared.IN_PROCESS["dohyo"] + compared.LOOP
    out = compared.used([sys.executable, "-c", code, compared.GAME, "1"], "dohyo")[2]
    assert json.loads(out)["turns"] == 19


def test_a_peer_that_fails_says_why(compared: ModuleType) -> None:
    """The last line of a program that fails is the reason."""
    with pytest.raises(compared.peers.PeerError, match="no such thing"):
        compared.used([sys.executable, "-c", "raise SystemExit('no such thing')"], "psyleague")
