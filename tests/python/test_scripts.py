"""Programs that people write with `dohyo`: three of at most 40 lines, run, and read by the checkers of types."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

from tests import skips
from tests.quality.project import ROOT, SOURCE

SCRIPTS = ROOT / "examples" / "python"
LONGEST = 40  # lines
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def run(folder: Path, name: str, *words: str) -> str:
    """What a script prints, started in a folder of its own."""
    done = subprocess.run(
        [sys.executable, SCRIPTS / f"{name}.py", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(SOURCE.parent), "DOHYO_LANG": "en"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_scripts_are_short() -> None:
    """Each is read at a glance, and each is run below."""
    lengths = {path.stem: len(path.read_text(encoding="utf-8").splitlines()) for path in SCRIPTS.glob("*.py")}
    assert lengths.keys() == {"author", "teacher", "researcher"}
    assert max(lengths.values()) <= LONGEST, lengths


def test_an_author_s_script(tmp_path: Path) -> None:
    """A class plays from both seats, a seed is drawn for a match without one, and its decisions are judged."""
    told = run(tmp_path, "author", "1").splitlines()
    assert told[0] in ("won 0 of 2", "won 1 of 2", "won 2 of 2")
    assert told[1].startswith("seed ")
    assert int(told[1].split()[1].rstrip(":")) > 1000  # one of 2**63 is hardly smaller
    assert list(tmp_path.iterdir()) == []


def test_a_teacher_s_script(tmp_path: Path) -> None:
    """A folder of hand-ins becomes standings; the same command again plays nothing anew, and prints the same."""
    folder = tmp_path / "hand-ins"
    folder.mkdir()
    source = "import sys\nfor line in sys.stdin: print('what?', flush=True)\n"
    (folder / "ann.py").write_text(source, encoding="utf-8")
    words = ("wondev-woman", str(folder), "class.db")
    first = run(tmp_path, "teacher", *words)
    assert [line.split()[1] for line in first.splitlines()[:2]] == ["random", "ann"]
    assert "ann had faults in 4 matches" in first
    assert run(tmp_path, "teacher", *words) == first


def test_a_researcher_s_script(tmp_path: Path) -> None:
    """A comparison on fixed seeds, and a match that is saved, loaded and verified."""
    told = run(tmp_path, "researcher", "1").splitlines()
    assert told[0].startswith("climber: undecided after 2 matches")
    assert told[1].startswith("against random: ")
    assert "turns verified" in told[2]


def test_mypy_reads_them_strictly() -> None:
    """They are among the files of the strict run beside the tests (`tests/checkers.py`), which fails with them."""
    assert {"examples/python", "tests/python/typed.py"} <= set(PROJECT["tool"]["mypy"]["files"])
    assert PROJECT["tool"]["mypy"]["strict"] is True


def test_pyright_reads_them_strictly() -> None:
    """It finds nothing in the scripts, and each mistake that `typed.py` makes on purpose."""
    node = skips.program("node")
    try:
        wheel = distribution("pyright")
    except PackageNotFoundError:
        skips.skip_for(skips.Reason.MISSING, "pyright is not installed")
    # The program itself: the command that the wheel brings asks a registry for a newer one.
    program = Path(str(wheel.locate_file("pyright/dist/index.js")))
    words = [node, program, "--project", ROOT, "--pythonpath", sys.executable]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert PROJECT["tool"]["pyright"]["include"] == ["examples/python", "tests/python/typed.py"]


@pytest.mark.parametrize("name", ["dohyo", "dohyo.kaggle", "dohyo.search", "dohyo.series.store", "dohyo.sim"])
def test_checkers_see_every_name_of_a_lazy_module(name: str) -> None:
    """What is imported on first use stands for checkers among the imports, and `__getattr__` is hidden from them."""
    path = SOURCE.parent.joinpath(*name.split(".")) / "__init__.py"
    text = path.read_text(encoding="utf-8")
    hidden = text.partition("if not TYPE_CHECKING:")[2] or text.partition("\nelse:\n")[2]
    assert "    def __getattr__(name):" in hidden
    assert "\ndef __getattr__" not in text
