"""The checkers beside the tests, and the quick set, seen from outside: a small project with a pytest of its own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests import checkers
from tests.quality.project import FEW_PLUGINS, ROOT, SUPPORT, tool
from tests.quality.test_skips import run_inner

TESTS = """
import subprocess

import pytest

def test_passes():
    pass

def test_starts():
    try:
        subprocess.run(["true"])
    except Exception:
        pass

def test_starts_and_hides_it():
    try:
        subprocess.run(["true"])
    except BaseException:
        pass

def test_compiles():
    import numba

@pytest.mark.process
def test_is_marked():
    subprocess.run(["true"])
"""
FINDS = "import sys; print('found', 'it'); sys.exit(1)"


@pytest.fixture
def inner(tmp_path: Path) -> Path:
    """A project with tests of the quick set and others, and two checkers, of which one finds something."""
    for folder in ("core", "cli"):
        (tmp_path / "tests" / folder).mkdir(parents=True)
        (tmp_path / "tests" / folder / "__init__.py").touch()
        (tmp_path / "tests" / folder / f"test_{folder}.py").write_text(TESTS)
    (tmp_path / "numba.py").touch()  # what counts is the name that is imported, and the real one takes half a second
    for name in SUPPORT:
        shutil.copy(ROOT / "tests" / name, tmp_path / "tests")
    table = {"content": ["python", "-c", ""], "strict": ["python", "-c", FINDS]}
    (tmp_path / "conftest.py").write_text(
        f"from tests import checkers\ncheckers.CHECKERS.clear()\ncheckers.CHECKERS.update({table!r})\n"
    )
    (tmp_path / "pytest.ini").write_text(
        f"[pytest]\naddopts = -q -p no:cacheprovider {FEW_PLUGINS}\ntestpaths = tests\n"
    )
    return tmp_path


def test_what_a_checker_finds_fails_the_run(inner: Path) -> None:
    """All tests pass, and still the run fails: the finding is shown, it counts, and pytest has the last word."""
    status, lines = run_inner(inner, "--checkers", "-n", "2", ci="")
    assert status == pytest.ExitCode.TESTS_FAILED
    assert "found it" in lines
    assert lines[-1].startswith("1 failed, 11 passed in ")


def test_checkers_that_find_nothing_count_as_passed(inner: Path) -> None:
    """They are as many tests more."""
    text = (inner / "conftest.py").read_text()
    (inner / "conftest.py").write_text(text.replace("sys.exit(1)", "sys.exit(0)"))
    status, lines = run_inner(inner, "--checkers", ci="")
    assert status == 0, lines
    assert lines[-1].startswith("12 passed in ")


@pytest.mark.parametrize(
    "words", [["-k", "passes"], ["tests/core"], ["--quick", "-k", "passes"], ["--core", "-k", "passes"], []]
)
def test_checkers_run_beside_all_tests_alone(inner: Path, words: list[str]) -> None:
    """Whoever chooses some of the tests does not wait for them, nor does pytest without `--checkers`."""
    status, lines = run_inner(inner, *(["--checkers"] if words else []), *words, ci="")
    assert status == 0, lines
    assert "found it" not in lines


def test_the_quick_set_starts_nothing(inner: Path) -> None:
    """A test of the set that starts a process, or compiles, fails, even if it hides it; others are not in the set."""
    status, lines = run_inner(inner, "--quick", ci="")
    assert status == pytest.ExitCode.TESTS_FAILED
    failed = {line.split(" - ")[0] for line in lines if line.startswith("FAILED")}
    names = ("test_starts", "test_starts_and_hides_it", "test_compiles")
    assert failed == {f"FAILED tests/core/test_core.py::{name}" for name in names}
    assert lines[-1].startswith("3 failed, 1 passed, 1 deselected in ")


def test_the_checkers_are_here() -> None:
    """Each is installed beside this Python, and the build server's command asks for them."""
    assert all(tool(words[0]).exists() for words in checkers.CHECKERS.values())
    assert '"--checkers"' in (ROOT / "dev").read_text(encoding="utf-8")
