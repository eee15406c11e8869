"""A few tests that failed in CI run once more, alone, and are named; nothing else is forgiven."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import again

PLUGIN = "from tests import again\n\n\ndef pytest_configure(config):\n    again.register(config)\n"
NO_PLUGINS = "PYTEST_DISABLE_PLUGIN_AUTOLOAD"  # those of Hypothesis and of Dohyo are slow to start, and not asked for
SUITE = """import pathlib

def test_fails_once():
    file = pathlib.Path("seen")
    file.touch() if not file.exists() else None
    assert "second" in file.read_text()

{more}
"""


def run(folder: Path, root: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in a folder, as CI does."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-c", "/dev/null", "--rootdir", folder, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(root), NO_PLUGINS: "1", again.VARIABLE: "first", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ("", again.STATUS),
        ("def test_a(): assert 0\ndef test_b(): assert 0\ndef test_c(): assert 0", 1),
        ("import nothing_of_this_name", 2),
    ],
)
def test_few_failures_ask_for_a_second_run(tmp_path: Path, root: Path, more: str, status: int) -> None:
    """One failure asks for it; four do not, and neither does a file that cannot be read."""
    (tmp_path / "conftest.py").write_text(PLUGIN)
    (tmp_path / "test_some.py").write_text(SUITE.format(more=more))
    done = run(tmp_path, root)
    assert done.returncode == status, done.stdout + done.stderr
    noted = tmp_path / ".pytest_cache" / "v" / again.KEY
    assert noted.exists() == (status == again.STATUS)
    if status == again.STATUS:
        assert json.loads(noted.read_text()) == ["test_some.py::test_fails_once"]
        assert run(tmp_path, root, **{again.VARIABLE: "second"}).returncode == 1  # it fails again: no third run
        (tmp_path / "seen").write_text("second")
        second = run(tmp_path, root, "test_some.py::test_fails_once", **{again.VARIABLE: "second"})
        assert second.returncode == 0
        assert "passed only when run again, alone: test_some.py::test_fails_once" in second.stdout
    assert run(tmp_path, root, **{again.VARIABLE: ""}).returncode != again.STATUS  # outside CI nobody asks


def test_checkers_and_groups() -> None:
    """What a checker found is not run again; the group that xdist writes behind a name is no part of it."""
    noted = again.Again()
    assert not noted.are_few()
    noted.pytest_runtest_logreport(report("tests/a.py::test_x[y@z]@group-2"))
    assert noted.are_few()
    assert list(noted._failed) == ["tests/a.py::test_x[y@z]"]
    noted.pytest_runtest_logreport(report("tests/checkers.py::lint"))
    assert not noted.are_few()


def report(node: str) -> pytest.TestReport:
    """A report of a test that failed."""
    return pytest.TestReport(node, ("", None, ""), {}, "failed", None, "call")
