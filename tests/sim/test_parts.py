"""Parts of compiled loops, kept on disk: read by other loops and processes, and never taken for one another."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy
import pytest

from dohyo.core.flat import flat
from dohyo.sim import compiled, parts
from dohyo.sim.whole_program import compile_loops

numba = pytest.importorskip("numba")

further: Any = None  # left open here
LONG = tuple(range(200_000))  # as an array more than Numba puts into a function: it stands at an address


@flat
def inner(x: float) -> int:
    """What a part calls; `int` of it is a function of Numba's own."""
    return int(x) + 1


@flat
def outer(x: int) -> int:
    """A part."""
    return 3 * inner(x / 2)


@flat
def looked_up(x: int) -> int:
    """A part that reads a long row of numbers."""
    return LONG[x]


@flat
def summed(numbers: Any) -> int:
    """A loop."""
    found = 0
    for number in numbers:
        found += further(number)
    return found


@flat
def multiplied(numbers: Any) -> int:
    """Another loop."""
    found = 1
    for number in numbers:
        found *= further(number)
    return found


def play(loop: Any, part: Any = outer) -> int:
    """What a loop over a part makes of some numbers."""
    return int(compile_loops([loop], {"further": part})[0](numpy.arange(4)))


def hits(function: Any) -> tuple[int, int]:
    """How often this part was read from the disk in this process, and how often it was compiled."""
    made = next(
        made for (known, name, _), made in vars(compiled)["_KNOWN"].items() if (known, name) == (function, "parts")
    )
    return sum(made.stats.cache_hits.values()), sum(made.stats.cache_misses.values())


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache on disk."""
    monkeypatch.setenv("DOHYO_CACHE", str(tmp_path))
    return tmp_path


def in_another_process(line: str) -> str:
    """What a new process prints for an expression over this module."""
    lines = f"from tests.sim.test_parts import *; print({line})"
    return subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=True).stdout


def test_another_process_reads_a_part_for_another_loop(place: Path) -> None:
    """The rules of a game are brought to LLVM's language once, whatever is compiled over them."""
    assert play(summed) == 3 * (1 + 1 + 2 + 2)
    assert hits(outer) == (0, 1)
    assert in_another_process("play(multiplied), hits(outer), hits(inner)") == f"{81 * 4} (1, 0) (0, 0)\n"


def test_a_changed_function_below_a_part_is_not_read(place: Path) -> None:
    """A part holds what it calls: where that does something else, so does the part."""
    assert play(summed) == 18
    changed = "globals()['outer'].__globals__.update(inner=flat(lambda x: 7)), play(summed), hits(outer)[0]"
    assert in_another_process(changed) == "None 84 0\n"


def test_all_that_others_see_of_a_part_is_named_by_what_it_does(place: Path) -> None:
    """LLVM takes two functions of one name for the same, and Numba's numbers are those of a process."""
    from llvmlite import binding as llvm  # type: ignore[import-untyped]

    play(summed)
    (kept,) = place.rglob("*outer*.nbc")
    code = pickle.loads(kept.read_bytes())[0][1]
    seen = {each.name for each in llvm.parse_bitcode(code).functions if each.linkage.name != "internal"}
    own = {name for name in seen if "test_parts" in name}
    assert len(own) == 2, seen
    assert all(parts.MARK in name for name in own)
    assert not any("numba" in name and "impl" in name for name in seen), "what is Numba's own is for this part alone"


@pytest.mark.filterwarnings("ignore:Cannot cache compiled function")  # the loop holds it, too
def test_a_part_that_holds_an_address_is_not_kept(place: Path) -> None:
    """In another process something else would lie there."""
    assert play(summed, looked_up) == 6
    assert not list(place.rglob("*looked_up*.nbc"))
    assert play(multiplied, looked_up) == 0


def test_where_a_part_cannot_be_written_it_is_compiled_all_the_same(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a full disk."""
    from numba.core.caching import IndexDataCacheFile

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    save = IndexDataCacheFile.save
    monkeypatch.setattr(
        IndexDataCacheFile,
        "save",
        lambda self, key, data: full() if "outer" in self._data_name_pattern else save(self, key, data),
    )
    assert play(summed) == 18
    assert not list(place.rglob("*outer*.nbc"))


def test_what_is_kept_and_spoiled_is_compiled_anew(place: Path) -> None:
    """A half-written file is no fault of who plays."""
    play(summed)
    (kept,) = place.rglob("*outer*.nbc")
    kept.write_bytes(kept.read_bytes()[: os.path.getsize(kept) // 2])
    assert in_another_process("play(multiplied), hits(outer)") == f"{81 * 4} (0, 1)\n"


def named(name: str, text: str, **names: Any) -> Any:
    """A flat function of this name, over other names than those of this module: its file is there, as a module's."""
    known: dict[str, Any] = {"__name__": __name__, **names}
    exec(compile(text, __file__, "exec"), known)
    return flat(known[name])


def test_of_two_functions_of_one_name_each_calls_its_own(place: Path) -> None:
    """A digest says which of them a third one calls, though all that it names is alike."""
    one, other = (named("rule", f"def rule(x):\n    return x + {number}") for number in (1, 2))

    def over(called: Any) -> Any:
        below = named("below", "def below(x):\n    return called(x) * 10", called=called)
        return named(
            "above", "def above(x):\n    return one(x) + other(x) + below(x)", one=one, other=other, below=below
        )

    first, second = over(one), over(other)
    assert (first(0), second(0)) == (13, 23)
    assert (play(summed, first), play(summed, second)) == (sum(map(first, range(4))), sum(map(second, range(4))))


def test_what_calls_something_that_is_not_kept_is_not_kept(place: Path) -> None:
    """Typed in, it has no file, and Numba's number in this process is its only name: also if that says 'dohyo'."""
    known: dict[str, Any] = {"__name__": "dohyo.typed.in"}
    exec("def my_dohyo_bot(x):\n    return x + 1", known)
    caller = named("caller", "def caller(x):\n    return typed(x)", typed=flat(known["my_dohyo_bot"]))
    assert play(summed, caller) == 10
    assert not list(place.rglob("*caller*.nbi"))


def test_a_file_for_other_types_is_not_read(place: Path) -> None:
    """Two processes that write at once give their files one number."""
    (loop,) = compile_loops([summed], {"further": inner})
    assert (loop(numpy.arange(4.0)), compile_loops([summed], {"further": inner})[0](numpy.arange(4))) == (10, 10)
    one, other = sorted(place.rglob("*inner*.nbc"))
    one.write_bytes(other.read_bytes())
    line = "compile_loops([multiplied], {'further': inner})[0](numpy.arange(0.5, 3)), hits(inner)"
    assert in_another_process(line) == "6 (0, 1)\n"


def test_an_index_that_is_spoiled_is_written_anew(place: Path) -> None:
    """Else each process would compile the part again, and say nothing."""
    play(summed)
    for kept in place.rglob("*.nbi"):
        kept.write_bytes(kept.read_bytes()[:20])
    assert in_another_process("play(multiplied), hits(outer)") == f"{81 * 4} (0, 1)\n"
    assert in_another_process("play(summed), hits(outer)") == "18 (1, 0)\n"


@flat
def with_a_comprehension(x: int) -> int:
    """A part with a function inside, as Python 3.11 has it."""
    return sum([x * factor for factor in range(3)])


def test_a_comprehension_is_compiled_with_the_rest(place: Path, recwarn: pytest.WarningsRecorder) -> None:
    """It is a function inside a function, for which Numba has passes that flat functions mostly do without."""
    assert play(summed, with_a_comprehension) == 18
    assert not [each for each in recwarn if "in one piece" in str(each.message)]
