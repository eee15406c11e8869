"""The machine code that a wheel brings: which wheel has it, and that a batch plays by it what the rules say."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy
import pytest

from dohyo.core.rewards import rewards_of
from dohyo.games import all_games
from dohyo.games.shoot_em_up import rules
from dohyo.laws.of_batches import play_beside
from dohyo.laws.tally import Tally
from dohyo.sim import BatchMatch, loops, one_seat, shipped_loops, turns
from dohyo.sim.whole_program import CompiledLoop
from dohyo.system import shipped
from tests import skips
from tests.quality.conftest import COMPILED
from tests.quality.project import ROOT

pytestmark = pytest.mark.xdist_group("wheel")

GAME = all_games()[COMPILED]
PLAYED = """
import sys
sys.modules["numba"] = None
from dohyo import games
from dohyo.match.loops.driver import loop_for
print(type(loop_for(games.find(sys.argv[1]))).__name__)
"""


@pytest.fixture(scope="module")
def hook() -> Iterator[ModuleType]:
    """The file that builds packages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT)
        import hatch_build

        yield hatch_build
        sys.modules.pop("hatch_build")


@pytest.fixture(scope="module")
def folder(wheel: Path, hook: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of machine code in the wheel."""
    if hook.objection() is not None:
        skips.program("cc")
    unpacked = tmp_path_factory.mktemp("unpacked")
    zipfile.ZipFile(wheel).extractall(unpacked)
    return unpacked / "dohyo" / "shipped"


@pytest.fixture
def from_wheel(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A process that finds it there, and has no loop yet; nothing may be compiled in it."""
    monkeypatch.setattr(shipped, "SHIPPED", folder)
    known = loops.made_of, shipped_loops._library
    for each in known:
        each.cache_clear()
    monkeypatch.setattr(CompiledLoop, "_prepare", lambda loop: pytest.fail(f"{loop._functions[-1]} is compiled"))
    yield
    for each in known:
        each.cache_clear()


def test_a_compiler_in_the_current_folder_is_none(
    hook: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty entry of the PATH means the current folder for others, and nothing for who builds a wheel."""
    (tmp_path / "cc").write_text("#!/bin/sh\n")
    (tmp_path / "cc").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", ":/nowhere")
    assert hook._which()("cc") is None
    monkeypatch.setenv("PATH", f":{tmp_path}")
    assert hook._which()("cc") == str(tmp_path / "cc")


def test_the_wheel_is_for_the_systems_that_its_code_is_for(wheel: Path, folder: Path, hook: ModuleType) -> None:
    """Its name, and what it says of itself; and the code of the games that were asked for is there, of no others."""
    files = sorted(folder.iterdir())
    assert [file.name.rpartition("-")[0].partition("-")[2].partition("-")[2] for file in files] == [
        COMPILED,
        f"{COMPILED.replace('-', '_')}-batch",
        f"{COMPILED.replace('-', '_')}-data",
    ]
    tag = f"py3-none-{hook.platform_tag(files)}"
    assert wheel.name.endswith(f"-{tag}.whl")
    with zipfile.ZipFile(wheel) as packed:
        (about,) = (name for name in packed.namelist() if name.endswith(".dist-info/WHEEL"))
        told = packed.read(about).decode()
    assert "Root-Is-Purelib: false" in told
    assert f"Tag: {tag}" in told


def test_tags_name_the_oldest_system_that_runs_the_code(hook: ModuleType, tmp_path: Path) -> None:
    """The newest glibc of all files counts, none before 2.17; a library of others is for this system alone."""
    for name, content, wanted in (
        ("plain", b"\0libc.so.6\0GLIBC_2.2.5\0", "manylinux_2_17_"),
        ("newer", b"\0libm.so.6\0GLIBC_2.29\0GLIBC_2.17\0", "manylinux_2_29_"),
        ("packed", b"\0libc.so.6\0GLIBC_2.4\0GLIBC_ABI_DT_RELR\0", "manylinux_2_36_"),
        ("other", b"\0libc.so.6\0libgomp.so.1\0", "linux_"),
    ):
        (tmp_path / name).write_bytes(content)
        assert hook.platform_tag([tmp_path / "plain", tmp_path / name]).startswith(wanted), name


def test_a_build_needs_numba_only_where_it_compiles(hook: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a C compiler, or where somebody says so, the wheel is for any system, and built at once."""
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr(hook.platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(hook.platform, "libc_ver", lambda: ("glibc", "2.36"))
    monkeypatch.setattr(hook, "_which", lambda: lambda name: "/usr/bin/cc" if name == "gcc" else None)
    monkeypatch.delenv(hook.VARIABLE, raising=False)
    monkeypatch.chdir(ROOT)
    assert set(hook.REQUIRED) <= set(hook.get_requires_for_build_wheel())
    assert not set(hook.REQUIRED) & set(hook.get_requires_for_build_editable())
    monkeypatch.setenv(hook.VARIABLE, "no")
    assert not set(hook.REQUIRED) & set(hook.get_requires_for_build_wheel())
    monkeypatch.delenv(hook.VARIABLE)
    monkeypatch.setattr(hook, "_which", lambda: lambda name: None)
    assert hook.objection() == "there is no C compiler"


def test_the_installed_wheel_plays_by_it(installed: Path, folder: Path) -> None:
    """From the first match on, without Numba and NumPy; a game whose code is not there is played in Python."""
    for game, wanted in ((COMPILED, "ShippedLoop"), ("drop-block", "PythonLoop")):
        words = [installed / "python", "-I", "-c", PLAYED, game]
        assert subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip() == wanted


@pytest.mark.usefixtures("from_wheel")
@pytest.mark.parametrize("threads", [1, 2])
def test_a_batch_plays_the_same_matches_by_it(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn by turn the matches of its seeds, whatever it is asked; nothing is compiled."""
    monkeypatch.setattr(loops, "TURNS_A_SPAN", 1)
    batch = BatchMatch(GAME, 12, seed=5, threads=threads)
    play_beside(batch, {}, 40, 5, Tally())
    seen, mask = batch.observe(), batch.legal()
    ahead, sampled = batch.copy(), batch.sample()
    batch.step(sampled, observe=seen, legal=mask)
    ahead.step(sampled, observe=numpy.zeros_like(seen))  # the same loop, without masks
    assert (ahead.states == batch.states).all()
    assert ((ahead.observe() == seen).all(), (ahead.legal() == mask).all()) == (True, True)
    assert batch.rollout(50).turns == 600
    batch.reset(seed=range(12))
    assert [batch.seed_of(slot) for slot in range(12)] == list(range(12))


@pytest.mark.usefixtures("from_wheel")
def test_one_seat_plays_by_it() -> None:
    """The batch of environments: its opponents play at random, and nothing is compiled."""
    batch = one_seat.OneSeat(GAME, 6, seed=3)
    allowed = numpy.zeros((6, GAME.rules.ACTIONS), numpy.int8)
    batch.mask(allowed)
    assert allowed.any(axis=1).all()
    batch.move(allowed.argmax(1))
    observation = GAME.observation
    assert observation is not None
    seen = numpy.zeros((6, len(observation.PLANES), *observation.SHAPE), observation.KIND)
    batch.look(seen)
    assert seen.any()


@pytest.mark.usefixtures("from_wheel")
def test_other_arrays_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the code was not made for goes to Numba: an array with gaps, of another type or size of records."""
    compiled: list[Any] = []
    monkeypatch.setattr(CompiledLoop, "compiled", lambda loop, *arguments: compiled.append(loop) or 0)
    batch = BatchMatch(GAME, 4, seed=1, threads=1)
    before = batch.states.copy()
    every = numpy.ones(8, numpy.bool_)
    batch.reset(every[::2])
    assert compiled == [batch.place.loops.begin]
    assert (batch.states == before).all()
    native = shipped_loops.native_loop([turns.acting_span], loops.parts_of(GAME))
    assert native is not None
    out = numpy.zeros((4, batch.seats), numpy.bool_)
    games, scratch = batch.games, loops.scratch_rows(GAME.rules, GAME.seats[1])
    for wrong in (
        (0, 4, games._replace(states=numpy.zeros(4, [("x", "i8", 9)])), scratch, out),
        (0, 4, games, scratch, out.astype(numpy.int8)),
        (0, 4.0, games, scratch, out),
        (0, 4, games._replace(slots=None), scratch, out),
        (0, 4, games._replace(low=1.0), scratch, out),
        (0, 4, games[:-1], scratch, out),
        (0, 4, None, scratch, out),
        (0, 4, games, None, out),
        (0, 4, games, scratch),
    ):
        with pytest.raises(shipped_loops.OtherTypeError):
            native()(*wrong)
    native()(0, 4, games, scratch, out)
    assert out.any()


@pytest.mark.usefixtures("from_wheel")
@pytest.mark.parametrize("change", ["constant", "function", "sources", "policy", "debugging", "file", "unwanted"])
def test_code_of_other_rules_is_not_used(
    change: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: Path
) -> None:
    """Not where a constant or a function is another one in this process, or the sources are others."""
    parts = {**loops.parts_of(GAME), "payoffs": rewards_of(GAME, GAME.seats[0]).payoffs}
    assert shipped_loops.native_loop([turns.step_span], parts) is not None
    shipped_loops._library.cache_clear()
    if change == "constant":
        name = next(name for name, value in vars(rules).items() if name.isupper() and isinstance(value, int))
        monkeypatch.setattr(rules, name, getattr(rules, name) + 1)
    elif change == "function":
        monkeypatch.setattr(rules, "step", rules.over)
    elif change == "sources":
        monkeypatch.setattr(shipped, "digest_of", lambda sources: "0" * 16)
    elif change == "policy":
        parts = {**parts, "step": play_beside}
    elif change == "unwanted":
        monkeypatch.setenv(shipped.VARIABLE, "no")
    elif change == "debugging":
        monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    else:
        monkeypatch.setattr(shipped, "SHIPPED", tmp_path)
        for file in folder.iterdir():
            (tmp_path / file.name).write_bytes(b"no library")
    assert shipped_loops.native_loop([turns.step_span], parts) is None
