"""What a build has compiled ahead of time: loaded without Numba, the same choices, never another source's code."""

from __future__ import annotations

import ctypes
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dohyo.search import ahead, bot, of_program, tree
from dohyo.search.backend import parts_of
from dohyo.sim.compiled import fingerprint
from dohyo.sim.records import put_record
from tests.search import piles

ROOT = Path(__file__).parent.parent.parent
PROGRAM = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from dohyo.search import Search
from dohyo.search.bot import Thinker
from tests.search import piles

class Counted(Search):
    def choose(self, state, seat, worlds=None, until=None):
        return super().choose(state, seat, worlds=worlds, playouts=300)

thinker = Thinker(lambda compiled: Counted(piles.game(), 2, compiled=compiled, horizon=HORIZON), 60.0)
for line in sys.stdin:
    thinker.begin()
    choice = thinker.choose(piles.pile(int(line)), 0, [piles.pile(int(line)), piles.pile(int(line) + 1)])
    print(choice.action, choice.visits, choice.value, sorted({{"numba", "numpy", "llvmlite"}} & set(sys.modules)))
"""
PILES = (7, 9, 10, 18)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program's folder after its build."""
    folder = tmp_path_factory.mktemp("ahead") / "bot"
    folder.mkdir()
    (folder / "bot.py").write_text(PROGRAM.replace("HORIZON", "20"), encoding="utf-8")
    done = run(folder, "", "--warm")
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def run(folder: Path, said: str, *words: str) -> subprocess.CompletedProcess[str]:
    """The program, to its end."""
    command = (sys.executable, str(folder / "bot.py"), *words)
    return subprocess.run(command, input=said, capture_output=True, text=True, timeout=300, check=False)


def chosen(folder: Path) -> tuple[list[str], list[str], str]:
    """Its choices on some piles, the libraries that it had imported by then, and what it said of its search."""
    done = run(folder, "".join(f"{pile}\n" for pile in PILES))
    assert done.returncode == 0, done.stderr
    lines = [line.split(maxsplit=3) for line in done.stdout.splitlines()]
    return [" ".join(line[:3]) for line in lines], [line[3] for line in lines], done.stderr


def changed(built: Path, tmp_path: Path) -> Path:
    """A copy of the folder, to be changed."""
    folder = tmp_path / "bot"
    shutil.copytree(built, folder)
    return folder


def test_nothing_else_is_kept(built: Path) -> None:
    """The build leaves nothing that Numba could load: so no match ever imports it."""
    assert {file.name for file in (built / of_program.FOLDER).iterdir()} == {ahead.LIST, ahead.OBJECT, ahead.LIBRARY}


def test_it_thinks_compiled_from_its_first_turn(built: Path, tmp_path: Path) -> None:
    """Without Numba, NumPy or LLVM it makes the choices of the plain search, and says how it found them."""
    folder = changed(built, tmp_path)
    choices, libraries, said = chosen(folder)
    assert len(choices) == len(PILES)
    assert set(libraries) == {"[]"}
    assert said == f"{bot.AHEAD}; 300 tried in this turn\n"
    shutil.rmtree(folder / of_program.FOLDER)
    (folder / of_program.FOLDER).mkdir()  # a build that has compiled nothing
    plain, _, said = chosen(folder)
    assert said.startswith(bot.ONLY_PLAIN)
    assert choices == plain


def test_without_a_linker_llvm_loads_it(built: Path, tmp_path: Path) -> None:
    """The object file alone is enough; Numba is not imported for it."""
    folder = changed(built, tmp_path)
    with_library = chosen(folder)
    (folder / of_program.FOLDER / ahead.LIBRARY).unlink()
    choices, libraries, said = chosen(folder)
    assert (choices, said) == (with_library[0], with_library[2])
    assert set(libraries) == {"['llvmlite']"}


@pytest.mark.parametrize("fault", ["processor", "source", "cut off", "no object", "state", "tree", "list"])
def test_what_does_not_fit_is_not_loaded(built: Path, tmp_path: Path, fault: str) -> None:
    """Code for another processor or of another source is left alone; the bot says so and plays plain."""
    folder = changed(built, tmp_path)
    listed = folder / of_program.FOLDER / ahead.LIST
    if fault == "processor":
        listed.write_text(json.dumps({**json.loads(listed.read_text()), "processor": "another"}))
    elif fault == "source":
        listed.write_text(listed.read_text().replace('"does":["', '"does":["0'))
    elif fault == "state":  # the same rules over wider fields
        change = (
            "from dohyo.core.flat import Layout\n"
            "fields = [(name, 'i8' if kind == 'i4' else kind, n) for name, kind, n in piles.LAYOUT.fields]\n"
            "wider = Layout('Piles', *fields)\n"
            "piles.LAYOUT = piles.Rules.LAYOUT = wider\n"
        )
        program = folder / "bot.py"
        program.write_text(program.read_text().replace("\nclass Counted", f"\n{change}\nclass Counted"))
    elif fault == "tree":  # the same states in a tree of another size
        program = folder / "bot.py"
        program.write_text(program.read_text().replace("horizon=", "nodes=999, horizon="))
    elif fault == "list":  # without half of what it has to say
        older = json.loads(listed.read_text())
        listed.write_text(json.dumps({key: older[key] for key in ("processor", "calls", "does")}))
    elif fault == "cut off":
        listed.write_text(listed.read_text()[:-9])
    else:
        (folder / of_program.FOLDER / ahead.LIBRARY).unlink()
        (folder / of_program.FOLDER / ahead.OBJECT).unlink()
    choices, _, said = chosen(folder)
    assert len(choices) == len(PILES)
    assert said.startswith("search: not loaded: ")
    assert bot.ONLY_PLAIN in said


def test_what_others_may_have_written_is_not_loaded(built: Path, tmp_path: Path) -> None:
    """Machine code runs with our rights: a file that anybody can write, or a link, is none of the build's."""
    folder = changed(built, tmp_path)
    library = folder / of_program.FOLDER / ahead.LIBRARY
    library.chmod(0o666)
    assert (
        chosen(folder)[2].splitlines()[0] == f"search: not loaded: {ahead.LIBRARY} is not yours alone; {ahead.ANEW}"
    )
    library.rename(tmp_path / "elsewhere.so")
    library.symlink_to(tmp_path / "elsewhere.so")
    assert "is not yours alone" in chosen(folder)[2]


def test_where_somebody_types_python_nothing_is_loaded(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a program's file there is no folder beside it, whatever lies in the current one."""
    monkeypatch.setattr(sys, "argv", [""])
    assert not ahead.is_there(built / of_program.FOLDER)


def test_fingerprints_follow_the_source() -> None:
    """A function that would do something else, or calls one that would, has another fingerprint."""
    parts = {**parts_of(piles.game(), 2, None, None, None), "put": put_record}
    first = fingerprint(tree.grow, parts)
    assert fingerprint(tree.grow, {**parts}) == first
    assert fingerprint(tree.grow, {**parts, "acts": piles.is_legal}) != first


def test_records_have_numpy_s_memory() -> None:
    """A structure of ctypes lies in memory as the record of the same layout does, padding included."""
    for layout in (piles.LAYOUT, piles.game().rules.LAYOUT):
        kind, record = ahead.structure(layout), layout.dtype()
        assert ctypes.sizeof(kind) == record.itemsize
        assert [getattr(kind, name).offset for name in record.names or ()] == [
            record.fields[name][1] for name in record.names or ()
        ]
