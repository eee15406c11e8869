"""The loop that ships as machine code: the same match, without Numba, and never of other sources."""

from __future__ import annotations

from pathlib import Path

import pytest

from dohyo.app import fastpath, shipped_loop
from dohyo.games import all_games
from dohyo.runner.fastpath.python_loop import PythonLoop
from tests.app.fastpath.three_ways import WAYS, Stage, compiled_once, stage, timeless, without_asides

__all__ = ["compiled_once", "stage"]

pytestmark = pytest.mark.xdist_group("loops")  # one worker compiles them, and not each of them

GAME = all_games()["drop-block"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which Drop-Block's loop lies as it would in a wheel."""
    made = tmp_path_factory.mktemp("shipped")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shipped_loop, "SHIPPED", made)
        shipped_loop.ship(GAME)
    return made


@pytest.fixture
def shipped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has that folder, and has loaded nothing yet."""
    monkeypatch.setattr(shipped_loop, "SHIPPED", folder)
    monkeypatch.setattr(fastpath, "_shipped", {})
    monkeypatch.setattr(fastpath, "_played", {GAME.name: fastpath.TURNS_TO_LOAD})


@pytest.mark.usefixtures("shipped")
def test_what_ships_plays_the_same(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn by turn or by this loop: one replay, also where bots end, write too much, or answer no action."""
    monkeypatch.setattr(shipped_loop.ShippedLoop, "play", stage._counting(shipped_loop.ShippedLoop.play))
    bots = [
        stage.dropper("say('URDL'[turn // 4 % 4] + '\\n')"),
        stage.dropper("say('A\\n')\nif turn == 29:\n    sys.exit(1)"),
        stage.dropper("complain('I see')\nsay('N\\n')"),
        stage.dropper("say('?\\n' if turn == 31 else 'L\\n')"),
    ]
    monkeypatch.setitem(WAYS, "shipped", {})
    told = {way: timeless(stage.play(way, GAME, bots, setup={"turns": 200}, seed=4)) for way in ("ring", "shipped")}
    assert stage.in_loop > 20  # more than one call of it: bots write, and end, meanwhile
    assert without_asides(told["ring"]) == without_asides(told["shipped"])


@pytest.mark.usefixtures("shipped")
def test_it_is_loaded_once_it_pays() -> None:
    """Not for a first match; never where plain Python is asked for."""
    assert isinstance(fastpath.loop_for(GAME), shipped_loop.ShippedLoop)
    assert fastpath.loop_for(GAME) is fastpath.loop_for(GAME)
    assert isinstance(fastpath.loop_for(GAME, compiled=False), PythonLoop)
    fastpath._played[GAME.name] -= 1
    assert isinstance(fastpath.loop_for(GAME), PythonLoop)


@pytest.mark.usefixtures("shipped")
def test_what_cannot_be_loaded_is_not_there(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A file of other sources, one that is no library, and a game that is not Dohyo's own."""
    monkeypatch.setattr(shipped_loop, "_sources", lambda folder: "other")
    assert shipped_loop.shipped_loop(GAME) is None
    monkeypatch.setattr(shipped_loop, "SHIPPED", tmp_path)
    file = shipped_loop.file_of(GAME)
    assert file is not None
    file.write_bytes(b"no library")
    assert shipped_loop.shipped_loop(GAME) is None
    monkeypatch.setattr("dohyo.games.drop_block.GAME", None)
    assert shipped_loop.file_of(GAME) is None
