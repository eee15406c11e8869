"""Machine code that ships of a game in one file, whose rules are partly written for it: known only as it was made."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import dohyo.data
from dohyo import classics, games, native_code
from dohyo.classics import NAMES
from dohyo.core.flat import TEXT, Layout, flat
from dohyo.core.game import Game
from dohyo.core.rewards import rewards_of
from dohyo.data.again import Again
from dohyo.data.wish import Wish
from dohyo.laws.matches import play
from dohyo.laws.of_batches import Lone
from dohyo.sim import BatchMatch, loops, shipped_loops, turns
from dohyo.sim.whole_program import CompiledLoop
from dohyo.system import search_path, shipped
from tests import skips
from tests.classics.games import classic
from tests.data.plain import check

pytestmark = pytest.mark.xdist_group("loops")

GAME = classic("kuhn_poker")  # small; its file says points and no places, which are written for it
MODULE = "dohyo.classics.kuhn_poker"
OWN = ("abotcalypse", "drop-block", "shoot-em-up", "wondev-woman")
OTHER = "from tests.sim.test_shipped_classics import keys; print(*keys(), sep='\\n')"


def keys() -> list[str]:
    """What the loop of steps is called, and the state of its rules, in each game that comes with Dohyo."""
    found = []
    for game in (*map(classic, NAMES), *map(games.find, OWN)):
        parts = {**loops.parts_of(game), "payoffs": paid(game, "place" if game.rules.scores is None else "margin")}
        module = shipped_loops.game_of([turns.step_span], parts)
        assert module is not None
        assert module in (f"dohyo.{kind}.{game.name.replace('-', '_')}" for kind in ("classics", "games"))
        found.append(f"{shipped_loops.key_of([turns.step_span], parts)} {shipped_loops.state_of(module)}")
    return found


def paid(game: Game, reward: str) -> Any:
    """What a match brings by this word, as a part of loops."""
    return rewards_of(game, game.seats[0], reward).payoffs


@flat
def no_points(s: Any, out: Any) -> None:
    """Other points than the game's."""


def steps_by_points(game: Game) -> None:
    """Call what a batch needs that is only stepped."""
    batch = BatchMatch(game, 3, threads=1, reward="score")
    batch.step(batch.sample())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of machine code as a wheel has it, but that a few loops suffice here."""
    if not any(map(search_path.which, ("cc", "gcc", "clang"))):
        skips.program("cc")
    made = tmp_path_factory.mktemp("shipped")
    for kind, use in ((shipped_loops.BATCH, steps_by_points), (shipped_loops.DATA, native_code.use_data)):
        file = made / shipped_loops.file_of(MODULE, kind).name
        native_code.linked(native_code.loops_used(use, GAME), file)
    return made


@pytest.fixture
def from_wheel(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A process that finds it there, and has no loop yet; nothing may be compiled in it."""
    monkeypatch.setattr(shipped, "SHIPPED", folder)
    known = loops.made_of, shipped_loops._library
    for each in known:
        each.cache_clear()
    no_more = "is compiled: it does not ship"
    monkeypatch.setattr(CompiledLoop, "compiled", lambda loop, *rest: pytest.fail(f"{loop._functions[-1]} {no_more}"))
    yield
    for each in known:
        each.cache_clear()


def ships() -> bool:
    """Whether the loop of steps is there as machine code, as things stand in this process."""
    shipped_loops._library.cache_clear()
    parts = {**loops.parts_of(GAME), "payoffs": paid(GAME, "score")}
    return shipped_loops.native_loop([turns.step_span], parts) is not None


@pytest.mark.usefixtures("from_wheel")
def test_a_batch_plays_the_same_matches_by_it() -> None:
    """Turn by turn the matches of its seeds; and by points, what the rules say they are worth."""
    batch = BatchMatch(GAME, 12, seed=5, threads=1, renew=False, reward="score")
    lone = [Lone(GAME, {}, 2, batch.seed_of(n)) for n in range(12)]
    pack, worth = GAME.rules.LAYOUT.pack, rewards_of(GAME, 2, "score")
    while not all(GAME.rules.over(match.state) for match in lone):
        actions = batch.sample()
        batch.step(actions)
        for n, match in enumerate(lone):
            if GAME.rules.over(match.state):
                continue
            match.step([int(actions[n])] * 2)
            assert pack(batch.unpack(n)) == pack(match.state)
            over = GAME.rules.over(match.state)
            assert batch.rewards()[n].tolist() == (worth.payoffs_of(match.state) if over else [0, 0])


@pytest.mark.usefixtures("from_wheel")
def test_replays_become_arrays_by_it() -> None:
    """They are what the rules say, and no match is left to plain Python; with masks or without, by one loop."""
    replays = [play(GAME, seed).replay for seed in range(6)]
    assert check(GAME, replays, dohyo.data.load(replays, game=GAME))
    again = Again(GAME, Wish(masks=False))
    found = again.arrays(again.matched(replays))
    assert (found.plain, found.masks, found.failed) == (0, None, {})


@pytest.mark.usefixtures("from_wheel")
@pytest.mark.parametrize("change", ["constant", "fields", "function", "text", "name it reads", "points", "sources"])
def test_code_of_other_rules_is_not_used(change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not where what is written for the file, or what a reward is made of, is another one in this process."""
    assert ships()
    module, written = sys.modules[MODULE], GAME.rules.step.__globals__
    assert TEXT in written
    if change == "constant":
        name = next(name for name, value in vars(module).items() if name.isupper() and isinstance(value, int))
        monkeypatch.setattr(module, name, getattr(module, name) + 1)
    elif change == "fields":
        others = [(f"{name}_", kind, length) for name, kind, length in module.LAYOUT.fields]
        monkeypatch.setattr(module, "LAYOUT", Layout("Other", *others))  # of the same size
    elif change == "function":
        monkeypatch.setitem(written, "step", GAME.rules.over)
    elif change == "text":
        monkeypatch.setitem(written, TEXT, written[TEXT] + b"#")
    elif change == "name it reads":
        monkeypatch.setitem(written, "own_step", GAME.rules.deal)
    elif change == "points":
        monkeypatch.setitem(paid(GAME, "score").__globals__, "scores", no_points)
    else:
        monkeypatch.setattr(shipped, "digest_of", lambda sources: "0" * 16)
    assert not ships()


@pytest.mark.parametrize("kind", [shipped_loops.BATCH, shipped_loops.DATA])
def test_what_makes_the_code_and_what_calls_it_are_among_its_sources(kind: str) -> None:
    """After a change there, what was built before is not used."""
    files = {path.name for path in shipped_loops.sources_of(MODULE, kind) if path.is_file()}
    assert files == {"native.py", "native_code.py"}


def test_a_copy_of_a_classic_is_no_classic(tmp_path: Path) -> None:
    """The same file, loaded from elsewhere, is a game of somebody's own: all of it could be other."""
    (tmp_path / "kuhn_copy.py").write_bytes((classics.FOLDER / "kuhn_poker.py").read_bytes())
    game = games.load(tmp_path / "kuhn_copy.py")
    try:
        assert shipped_loops.game_of([turns.step_span], loops.parts_of(game)) is None
    finally:
        del sys.modules["kuhn_copy"]


def test_a_loop_has_the_same_key_in_every_process() -> None:
    """All games that come with Dohyo are known by their parts, and what these are called depends on no hash."""
    environment = {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": "0"}
    words = [sys.executable, "-c", OTHER]
    other = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert other.stdout.splitlines() == keys(), other.stderr


def test_a_loop_that_nobody_would_find_is_not_made() -> None:
    """What calls a function outside of the sources that the file's name is a digest of is refused by the build."""
    parts = loops.parts_of(GAME)
    native_code._check_sources([turns.begin_span], parts, ["dohyo.sim.turns", MODULE])
    with pytest.raises(ValueError, match=r"dohyo\.clean"):
        native_code._check_sources([turns.begin_span], parts, ["dohyo.clean"])
