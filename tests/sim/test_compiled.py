"""Compiling a module of flat functions: what is built, what is refused, what is kept on disk."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numba
import numpy
import pytest

from dohyo.core import flat, text
from dohyo.core.errors import OperatorError
from dohyo.games.drop_block import protocol, rules
from dohyo.i18n import Speaker
from dohyo.sim import compiled, records
from dohyo.sim.compiled import callees_first, compile_all, digest, globals_read, is_flat, records_of
from tests.sim.whole_modules import compile_rules

Writer = Callable[..., ModuleType]

FAR = """
from dohyo.core.flat import flat

STEP = {step}


@flat
def far(x):
    return x {sign} STEP * {factor}
"""

NEAR = """
from dohyo.core.flat import flat
from small_far import far

ROWS = [1, 2]


@flat
def near(x):
    return far(x) + 1


def plain(x):
    return x
"""


class Pair(NamedTuple):
    """A record for compiled functions."""

    left: Any
    right: Any


class Swapped(NamedTuple):
    """Its fields in another order."""

    right: Any
    left: Any


@flat.flat
def turned(pair: Pair) -> Any:
    """The pair the other way round."""
    return Pair(pair.right, pair.left)


@flat.flat
def left_of(pair: Pair) -> Any:
    """One of its fields."""
    return pair.left


def test_compiled_functions_take_records_and_make_them() -> None:
    """A named tuple goes in and comes out, and its fields are read by name."""
    turn, left = compile_all([turned, left_of], {})
    assert turn(Pair(1, 2.5)) == Pair(2.5, 1)
    assert left(Pair(7, numpy.zeros(2))) == 7


def test_a_record_with_other_fields_is_compiled_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was kept on disk reads a field by its place: it is not used where the fields stand in another order."""
    before = digest([left_of], "")
    monkeypatch.setitem(left_of.__globals__, "Pair", Swapped)
    records_of.cache_clear()
    assert digest([left_of], "") != before
    monkeypatch.undo()
    records_of.cache_clear()
    assert digest([left_of], "") == before


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Writer:
    """A maker of rules: the function `near`, which calls `far` in another file, with other numbers in that."""

    def load(name: str, text: str) -> ModuleType:
        file = tmp_path / f"{name}.py"
        file.write_text(text, encoding="utf-8")
        module = ModuleType(name)
        monkeypatch.setitem(sys.modules, name, module)
        # Not by an import: Python's own cache of bytecode would miss a change within the same second.
        exec(compile(text, str(file), "exec"), vars(module))
        return module

    def write(step: int = 1, factor: int = 1, sign: str = "+", more: str = "") -> ModuleType:
        load("small_far", FAR.format(step=step, factor=factor, sign=sign))
        return load("small_rules", NEAR + more)

    return write


def test_every_flat_function_is_compiled() -> None:
    """Each function with the mark becomes a compiled one of the same name; all else of the module is as it was."""
    for module in (rules, protocol):
        made = compile_rules(module)
        for name, value in vars(module).items():
            if is_flat(value):
                assert isinstance(getattr(made, name), numba.core.dispatcher.Dispatcher), name
                assert getattr(made, name).__doc__ == getattr(value, "__twin__", value).__doc__
            elif not name.startswith("__"):
                assert getattr(made, name) is value, name
    assert {"step", "legal", "roll", "places"} <= {name for name, value in vars(rules).items() if is_flat(value)}
    assert is_flat(protocol.prompt)


def test_callees_come_first() -> None:
    """The order of building has each function after all that it calls, through whatever modules the calls lead."""
    order = callees_first([rules.step, protocol.prompt])
    assert {rules.act, rules.attack, flat.emit, flat.index, text.put_by_loop} <= set(order)
    for at, function in enumerate(order):
        assert all(value in order[:at] for _, value in globals_read(function) if is_flat(value))


def test_long_tables_are_arrays() -> None:
    """Of whole numbers and of doubles; a tuple of both stays one."""
    whole, halves = tuple(range(20)), tuple(number / 2 for number in range(20))
    for table, kind in ((whole, numpy.int64), (halves, numpy.float64)):
        found = compiled._frozen(table)
        assert found.dtype == kind
        assert tuple(found.tolist()) == table
    assert compiled._frozen((*whole, 0.5)) == (*whole, 0.5)


def test_one_call_from_python() -> None:
    """A compiled function takes a record, a row of int64 and `None`, and a text goes into a bytearray too."""
    made, text = compile_rules(rules), compile_rules(protocol)
    states = records.blank(rules.LAYOUT, 1)
    states["limit"] = 9
    made.step(states[0], numpy.full(4, rules.NOTHING), None)
    assert states["turn"][0] == 1
    buffer = bytearray(text.PROMPT_BYTES)
    length = text.prompt(states[0], 1, buffer)
    assert buffer[:length].startswith(b"1\n1\n0 0 0 0 0 0\n")


def test_a_change_in_a_callee_is_seen(written: Writer) -> None:
    """What an earlier run compiled is not used again once a function further down, or a constant, has changed."""
    for *change, result in ((1, 1, "+", 12), (1, 2, "+", 13), (5, 2, "+", 21), (5, 2, "-", 1), (1, 1, "+", 12)):
        made = compile_rules(written(*change))
        assert made.near(10) == result


def test_an_unchanged_file_is_not_compiled_again(written: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one process a function is compiled once; in the next, Numba itself says that nothing was compiled anew."""
    module = written(step=4, factor=7)
    first = compile_rules(module)
    assert first.near(1) == 30
    assert compile_rules(module).near is first.near
    monkeypatch.setattr(compiled, "_KNOWN", {})
    again = compile_rules(module)
    assert again.near(1) == 30
    assert (sum(again.near.stats.cache_hits.values()), sum(again.near.stats.cache_misses.values())) == (1, 0)


def test_code_of_another_level_is_not_used(written: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was compiled while $NUMBA_OPT said otherwise is compiled anew."""
    module = written(step=3, factor=8)
    value = compile_rules(module).near(1)
    monkeypatch.setattr(compiled, "_KNOWN", {})
    monkeypatch.setattr(numba.config, "OPT", 2)
    again = compile_rules(module)
    assert again.near(1) == value
    assert sum(again.near.stats.cache_misses.values()) == 1


def test_nothing_is_kept_where_nothing_can_be_written(
    written: Writer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a cache folder everything works; nothing is kept in Numba's own places, which no digest guards."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("DOHYO_CACHE", str(tmp_path / "file" / "below"))
    made = compile_rules(written(step=2, factor=2))
    assert made.near(1) == 6
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "small_far.py", "small_rules.py"]


def test_the_cache_folder_is_where_the_environment_says(cache: Path, written: Writer) -> None:
    """Compiled functions lie below $DOHYO_CACHE, and Numba's setting is as it was before."""
    before = numba.config.CACHE_DIR
    compile_rules(written(step=6, factor=6)).near(1)
    assert before == numba.config.CACHE_DIR
    assert any((cache / "compiled").rglob("*.nbi"))


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("return plain(x)", r"small_rules.wrong reads 'plain', which is neither flat nor a constant"),
        ("return x + ROWS[0]", r"small_rules.wrong reads 'ROWS', which is neither flat nor a constant"),
        ("return wrong(x - 1) if x > 0 else 0", r"small_rules.wrong calls itself"),
    ],
)
def test_what_is_not_in_the_common_language_is_refused(body: str, complaint: str, written: Writer) -> None:
    """A plain function called, a list read, a call of itself: an error that names the function."""
    with pytest.raises(TypeError, match=complaint):
        compile_rules(written(more=f"\n@flat\ndef wrong(x):\n    {body}\n"))


def test_a_field_named_like_a_function_is_no_call(written: Writer) -> None:
    """`s.over` in `over(s)` is the state's field, not the function: it does not call itself."""
    made = compile_rules(written(more="\n@flat\ndef over(s):\n    return s.over + 1\n"))
    states = records.blank(flat.Layout("S", ("over", "i4", 0)), 1)
    assert made.over(states[0]) == 1


def test_without_events_nothing_of_them_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given `None`, the compiled `emit` writes nowhere, and `note_blocks` looks at no block."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("DOHYO_CACHE", str(tmp_path / "file"))  # no code from a cache: that cannot be looked at
    made = compile_rules(rules)
    states, log = records.blank(rules.LAYOUT, 1), records.blank(flat.event_log(9), 1)
    made.note_blocks(states[0], None)
    made.note_blocks(states[0], log[0])
    body = {str(signature[1]): body_of(made.note_blocks, signature) for signature in made.note_blocks.signatures}
    without = body.pop("none")
    (with_log,) = body.values()
    assert "load" not in without
    assert "br " not in without
    assert "load" in with_log
    assert "br " in with_log


def body_of(function: Any, signature: Any) -> str:
    """The function itself in LLVM's language, without the wrapper that Python calls."""
    name = function.overloads[signature].fndesc.llvm_func_name
    text = function.inspect_llvm(signature)
    found = re.search(r"^define [^\n]*@" + re.escape(name) + r"\(.*?^}", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[0]


def test_without_numba_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where NumPy or Numba is missing, one sentence says what to install, in both languages."""
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(OperatorError, match=r"pip install 'dohyo\[fast\]'") as error:
        compile_rules(rules)
    assert "pip install 'dohyo[fast]'" in error.value.say(Speaker("ja"))
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(OperatorError, match=r"pip install 'dohyo\[fast\]'"):
        records.blank(rules.LAYOUT, 1)


def test_the_room_is_entered_without_numba() -> None:
    """Importing the room, every game and the referee imports neither NumPy nor Numba."""
    lines = (
        "import sys",
        "import dohyo.sim, dohyo.sim.compiled, dohyo.sim.records, dohyo.core.referee",
        "from dohyo.games import all_games; all_games()",
        "print(sorted({'numpy', 'numba'} & set(sys.modules)))",
    )
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_records_hold_what_states_hold() -> None:
    """A state written into a record, read back, is the same state; its neighbours are untouched."""
    state = rules.LAYOUT.new()
    state.turn, state.block[35], state.row[0], state.column_first = 999_999, -19, -1, 1
    array = records.blank(rules.LAYOUT, 3)
    records.write(rules.LAYOUT, array, 1, state)
    assert rules.LAYOUT.as_dict(records.read(rules.LAYOUT, array, 1)) == rules.LAYOUT.as_dict(state)
    assert records.packed(rules.LAYOUT, array, 1) == rules.LAYOUT.pack(state)
    assert (
        records.packed(rules.LAYOUT, array, 0) == records.packed(rules.LAYOUT, array, 2) == bytes(rules.LAYOUT.size)
    )
    assert array["block"][1, 35] == -19
    state.block[0] = 128
    with pytest.raises(struct.error):
        records.write(rules.LAYOUT, array, 1, state)


def test_the_cache_folder_has_a_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """$DOHYO_CACHE comes first, then the system's place for such things."""
    assert compiled.location().name == "dohyo-cache"
    monkeypatch.delenv("DOHYO_CACHE")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert compiled.location() == tmp_path / ".cache" / "dohyo"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other"))
    assert compiled.location() == tmp_path / "other" / "dohyo"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert compiled.location() == tmp_path / "Library" / "Caches" / "dohyo"


def test_what_was_kept_is_read_where_nothing_can_be_written(
    written: Writer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that was filled before and is read-only now is read; what is not in it is compiled, and not kept."""
    cache = tmp_path / "own"  # into the run's own, others write meanwhile
    monkeypatch.setenv("DOHYO_CACHE", str(cache))
    module = written(step=77)
    assert compile_rules(module).near(1) == 79

    def refuse(*words: object, **more: object) -> None:
        raise OSError("read-only")

    monkeypatch.setattr(compiled, "_KNOWN", {})
    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    again = compile_rules(module).near
    assert again(1) == 79
    assert sum(again.stats.cache_hits.values()) == 1
    before = sorted(cache.rglob("*"))
    assert again(1.5) == 79.5
    assert sorted(cache.rglob("*")) == before


def test_settings_in_the_current_folder_are_not_read(tmp_path: Path) -> None:
    """A hand-in called as Numba's file of settings neither turns compiling off, at once or later, nor moves us."""
    (tmp_path / compiled.SETTINGS).write_text("disable_jit: 1\nopt: 0\n")
    code = (
        "import os\nfrom dohyo.sim.compiled import import_numba\nhere = os.getcwd()\nnumba = import_numba()\n"
        "config = numba.core.config\nconfig.reload_config()\n"
        "print(config.DISABLE_JIT, int(config.OPT), os.getcwd() == here)"
    )
    environment = {**os.environ, "NUMBA_OPT": "2"}
    words = [sys.executable, "-P", "-c", code]
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "2", "True"]
