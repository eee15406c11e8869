"""What is compiled in one piece: the same as function by function, without what nobody runs."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy
import pytest

from dohyo.core.flat import flat, seldom
from dohyo.search import tree
from dohyo.search.backend import parts_of
from dohyo.search.uct import Search
from dohyo.sim import whole_program
from dohyo.sim.records import put_record
from dohyo.sim.whole_program import compile_loops
from tests.search import piles

numba = pytest.importorskip("numba")

further: Any = None  # left open here
FACTOR: Any = None


@flat
def tenfold(x: int) -> int:
    """What a loop calls."""
    return 10 * x


@flat
def twentyfold(x: int) -> int:
    """Another one."""
    return 20 * x


@flat
def indirect(numbers: Any) -> int:
    """A loop over a function of its module."""
    found = 0
    for number in numbers:
        found += FACTOR * tenfold(number)
    return found


@flat
def total(numbers: Any) -> int:
    """A loop."""
    found = 0
    for number in numbers:
        found += FACTOR * further(number)
    return found


@flat
def more(number: int) -> int:
    """A part that leaves a name open."""
    return 1 + further(number)


@flat
def of_constants(numbers: Any) -> int:
    """A loop that hands constants on."""
    return more(3) + tenfold(4) + tenfold(len(numbers))


@flat
def thrice(number: Any, out: Any) -> None:
    """A loop that writes to an array what it reads in another one."""
    for place in range(3):
        out[place] = number[0]


@seldom
@flat
def rarely(number: int) -> int:
    """What is called seldom."""
    return 3 * number


@flat
def of_rarely(numbers: Any) -> int:
    """A loop that calls it in one place."""
    found = 0
    for number in numbers:
        found += rarely(number) if number > 100 else tenfold(number)
    return found


@flat
def of_more(numbers: Any) -> int:
    """Another one over the same part."""
    return more(numbers[0])


@pytest.fixture
def emitted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of libraries of which Numba has made machine code."""
    from numba.core import codegen

    library: Any = codegen.JITCodeLibrary
    names: list[str] = []
    before = library._finalize_specific

    def noted(self: Any) -> None:
        names.append(self.name)
        before(self)

    monkeypatch.setattr(library, "_finalize_specific", noted)
    return names


def test_its_parts_are_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that a loop calls can be seen from outside: what is put in one place need not stay elsewhere."""
    monkeypatch.setenv("DOHYO_CACHE", str(tmp_path))  # compiled here: what was kept has no parts to look at
    (loop,) = compile_loops([total], {"further": tenfold, "FACTOR": 17})
    assert loop(numpy.arange(5)) == 1700
    (found,) = loop._whole.overloads.values()
    seen = {each.name for each in found.library._final_module.functions if each.linkage.name == "external"}
    defined = {name for name in seen if not found.library.get_function(name).is_declaration}
    assert found.fndesc.llvm_func_name in defined
    assert not any("tenfold" in name for name in defined)
    (whole,) = (each for each in found.library._final_module.functions if each.name == found.fndesc.llvm_func_name)
    assert "tenfold" not in str(whole)


@pytest.mark.parametrize(("apart", "times"), [(True, 1), (False, 3)])
def test_what_arrays_that_lie_apart_hold_is_read_once(
    apart: bool, times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where they may overlap, each number that is written may have changed it."""
    monkeypatch.setenv("DOHYO_CACHE", str(tmp_path))
    (loop,) = compile_loops([thrice], {}, apart=apart)
    out = numpy.zeros(3, numpy.int64)
    loop(numpy.array([7]), out)
    assert out.tolist() == [7, 7, 7]
    assert written_of(loop).count("load i64") == times


def test_what_is_called_seldom_stands_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unlike what is called often, which is put in the place of its call."""
    monkeypatch.setenv("DOHYO_CACHE", str(tmp_path))
    (loop,) = compile_loops([of_rarely], {})
    assert loop(numpy.array([4, 200])) == 640
    written = written_of(loop)
    assert "rarely" in written.partition("\n")[2]
    assert "tenfold" not in written


def written_of(loop: Any) -> str:
    """A loop's own function as LLVM has optimised it."""
    (found,) = loop._made.overloads.values()
    name = found.fndesc.llvm_func_name
    (whole,) = (each for each in found.library._final_module.functions if each.name == name)
    return str(whole)


def test_only_the_whole_becomes_machine_code(emitted: list[str]) -> None:
    """Of a search of dozens of functions Numba makes machine code of one, and it chooses as the plain form does."""
    from dohyo.sim.whole_program import compile_whole

    plain, compiled = (Search(piles.game(), 2, compiled=how, horizon=20) for how in (False, True))
    parts = {**parts_of(piles.game(), 2, None, None, None), "put": put_record}
    compiled._grow = compile_whole(tree.grow, parts)
    emitted.clear()
    for pile in (7, 10, 18):
        found = [search.choose(piles.pile(pile), 0, playouts=300) for search in (plain, compiled)]
        assert found[0] == found[1]
    assert [name for name in emitted if "grow" in name] == emitted
    assert len(emitted) == 1


def test_a_part_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever constants are handed on to it, and whichever loops of a game call it."""
    monkeypatch.setenv("DOHYO_CACHE", str(tmp_path))
    first, second = compile_loops([of_constants, of_more], {"further": tenfold})
    assert (first(numpy.arange(5)), second(numpy.arange(7, 9))) == (31 + 40 + 50, 71)
    mine, others = (each._whole.py_func.__globals__ for each in (first, second))
    assert len(mine["tenfold"].overloads) == 1
    assert mine["more"] is others["more"]
    (third,) = compile_loops([of_more], {"further": twentyfold})
    assert third(numpy.arange(7, 9)) == 141


def loop(part: Any = tenfold, factor: int = 1) -> Any:
    """The loop over such a part, as another process would make it."""
    return compile_loops([total], {"further": part, "FACTOR": factor})[0]


def test_a_loop_is_kept_and_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled once for all processes; a changed part or constant is compiled anew."""
    monkeypatch.setenv("DOHYO_CACHE", str(tmp_path))
    numbers = numpy.arange(5)
    first, again = loop(), loop()
    assert (first(numbers), again(numbers)) == (100, 100)
    assert sum(first._made.stats.cache_hits.values()) == 0
    assert sum(again._made.stats.cache_hits.values()) == 1
    kept = sorted(path.name.split("-")[0] for path in tmp_path.rglob("*.nbi"))
    assert kept == ["test_whole_program.tenfold", "test_whole_program.total"]
    assert loop(twentyfold)(numbers) == 200
    assert loop(factor=7)(numbers) == 700
    assert len(list(tmp_path.rglob("*.nbi"))) == 5


def test_where_numba_has_other_inner_names_a_loop_is_compiled_the_usual_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It runs all the same, made of pieces."""
    monkeypatch.setenv("DOHYO_CACHE", str(tmp_path))

    def missing(**_: Any) -> Any:
        raise ImportError("there is no AOTCodeLibrary")

    monkeypatch.setattr(whole_program, "target_of_parts", missing)
    made = loop()
    with pytest.warns(RuntimeWarning, match="cannot compile total in one piece.*no AOTCodeLibrary"):
        assert made(numpy.arange(5)) == 100
    assert made(numpy.arange(5)) == 100, "told once"
    assert {path.name.split("-")[0] for path in tmp_path.rglob("*.nbi")} == {
        "test_whole_program.tenfold",
        "test_whole_program.total",
    }


def test_what_is_wrong_with_a_loop_itself_is_raised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As Numba says it, and with no word of one piece."""
    monkeypatch.setenv("DOHYO_CACHE", str(tmp_path))
    made = loop()
    with pytest.raises(numba.core.errors.TypingError, match="iter"):
        made(1.5)
    assert len(made.signatures) == 0


def test_threads_that_begin_together_compile_a_loop_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of them does, and the others wait."""
    monkeypatch.setenv("DOHYO_CACHE", str(tmp_path))
    made, seen = loop(), []
    whole, together = made._whole, threading.Barrier(4)

    class Noted:
        """It, as told when it is compiled."""

        def compile(self, types: Any) -> None:
            seen.append(types)
            whole.compile(types)

        def __call__(self, *arguments: Any) -> Any:
            return whole(*arguments)

    made._whole = Noted()

    def call(_: int) -> Any:
        together.wait()
        return made(numpy.arange(5))

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(call, range(4))) == [100] * 4
    assert len(seen) == 1


def test_a_loop_is_what_it_was_when_it_was_made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What its functions call is read then, as what it is kept by, and not at its first call."""
    monkeypatch.setenv("DOHYO_CACHE", str(tmp_path))
    made = compile_loops([indirect], {"FACTOR": 1})[0]
    monkeypatch.setitem(globals(), "tenfold", twentyfold)
    assert made(numpy.arange(5)) == 100


def test_where_numba_compiles_nothing_a_loop_is_python() -> None:
    """As Numba's setting for looking for errors has it."""
    lines = "import numpy; from tests.sim.test_whole_program import loop; print(loop()(numpy.arange(5)))"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    ran = subprocess.run([sys.executable, "-c", lines], env=environment, capture_output=True, text=True, check=True)
    assert ran.stdout == "100\n"


@pytest.mark.usefixtures("a_cache_of_its_own")
def test_a_loop_that_is_called_directly_is_told_other_types_apart() -> None:
    """Arguments of another kind than those before are never read as if they were of that kind, however often."""
    call = compile_loops([indirect], {"FACTOR": 1})[0].of_one_thread()
    whole = numpy.array([1, 2, 3, 4])
    every_other = numpy.array([1, 9, 2, 9, 3, 9, 4, 9])[::2]
    kinds = [whole, whole.astype("f8"), whole.astype("i1"), every_other, whole.reshape(4, 1)[:, 0]]
    for array in kinds * (whole_program.MAX_TRIES + 1):
        assert call(array) == call(array) == call(array.copy()) == 100
    frozen = whole.copy()
    frozen.setflags(write=False)
    assert call(frozen) == call(frozen) == 100
    assert call((1, 2, 3, 4)) == call((1, 2, 3, 4)) == call((1.0, 2.0, 3.0, 4.0)) == 100


@pytest.mark.usefixtures("a_cache_of_its_own")
def test_where_the_types_are_those_of_the_last_call_numba_does_not_look_for_them() -> None:
    """The second call with arrays of one kind goes to the machine code, not to what finds its types."""
    loop = compile_loops([indirect], {"FACTOR": 1})[0]
    call = loop.of_one_thread()
    assert call(numpy.array([1, 2])) == 30
    loop._made = None  # what finds the types would compile anew
    assert call(numpy.array([1, 5])) == 60
    assert loop._made is None


@pytest.fixture
def a_cache_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is compiled is kept in a folder of this test."""
    monkeypatch.setenv("DOHYO_CACHE", str(tmp_path))
