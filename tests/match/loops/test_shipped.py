"""The loop that ships as machine code: the same match, without Numba, and never of other sources."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dohyo import native_code
from dohyo.games import all_games
from dohyo.match.loops import compiled_loop
from dohyo.match.loops import driver as fastpath
from dohyo.match.loops.python_loop import PythonLoop
from dohyo.system import shipped
from tests.match.loops.three_ways import WAYS, Stage, compiled_once, stage, timeless, without_asides

__all__ = ["compiled_once", "stage"]

pytestmark = pytest.mark.xdist_group("loops")  # one worker compiles them, and not each of them

GAME = all_games()["drop-block"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which Drop-Block's loop lies as it would in a wheel."""
    made = tmp_path_factory.mktemp("shipped")
    file = compiled_loop.file_of(GAME)
    assert file is not None
    native_code.linked(native_code.loop_of_match(GAME), made / file.name)
    return made


@pytest.fixture
def shipped_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A process that has that folder, and has loaded nothing yet."""
    monkeypatch.setattr(shipped, "SHIPPED", folder)
    compiled_loop._file_of.cache_clear()
    monkeypatch.setattr(fastpath, "_shipped", {})
    monkeypatch.setattr(fastpath, "_played", {})
    yield
    compiled_loop._file_of.cache_clear()


@pytest.mark.usefixtures("shipped_file")
def test_what_ships_plays_the_same(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn by turn or by this loop: one replay, also where bots end, write too much, or answer no action."""
    monkeypatch.setattr(compiled_loop.ShippedLoop, "play", stage._counting(compiled_loop.ShippedLoop.play))
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


@pytest.mark.usefixtures("shipped_file")
def test_it_plays_from_the_first_match_on() -> None:
    """It is loaded once; never where plain Python is asked for."""
    assert isinstance(fastpath.loop_for(GAME), compiled_loop.ShippedLoop)
    assert fastpath.loop_for(GAME) is fastpath.loop_for(GAME)
    assert isinstance(fastpath.loop_for(GAME, compiled=False), PythonLoop)


@pytest.mark.usefixtures("shipped_file")
def test_where_nothing_ships_nothing_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a clone the loop in Python plays, and nothing is imported to find that out."""
    monkeypatch.setattr(shipped, "SHIPPED", Path("/nowhere"))
    monkeypatch.delitem(sys.modules, "dohyo.match.loops.compiled_loop")
    assert isinstance(fastpath.loop_for(GAME), PythonLoop)
    assert "dohyo.match.loops.compiled_loop" not in sys.modules


@pytest.mark.usefixtures("shipped_file")
def test_what_cannot_be_loaded_is_not_there(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A file of other sources, one that is no library, and a game that is not Dohyo's own."""
    with monkeypatch.context() as patch:
        patch.setattr(shipped, "digest_of", lambda sources: "other")
        compiled_loop._file_of.cache_clear()
        assert compiled_loop.shipped_loop(GAME) is None
    monkeypatch.setattr(shipped, "SHIPPED", tmp_path)
    compiled_loop._file_of.cache_clear()
    file = compiled_loop.file_of(GAME)
    assert file is not None
    file.write_bytes(b"no library")
    assert compiled_loop.shipped_loop(GAME) is None
    monkeypatch.setattr("dohyo.games.drop_block.GAME", None)
    assert compiled_loop.file_of(GAME) is None
