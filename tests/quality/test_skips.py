"""The accounting of skipped tests, seen from outside: a small project of its own, run by a pytest of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import cuda_library, needs
from tests.quality.project import FEW_PLUGINS, ROOT, SUPPORT

INNER = """
import pytest
from tests import skips

def test_passes():
    pass

def test_no_card():
    skips.skip_for(skips.Reason.GPU, "no card")

@pytest.mark.parametrize("number", range(2))
def test_kernel(number):
    skips.skip_for(skips.Reason.KERNEL, "no cgroup controller")

@pytest.mark.xfail(strict=True)
def test_expected():
    raise AssertionError

def test_full(full):
    assert full
"""
REFUSED = {
    "bare": "import pytest\ndef test_refused():\n    pytest.skip('no reason')\n",
    "mark": "import pytest\n@pytest.mark.skip(reason='no reason')\ndef test_refused():\n    pass\n",
    "missing": (
        "from tests import skips\ndef test_refused():\n    skips.skip_for(skips.Reason.MISSING, 'no reason')\n"
    ),
    "file": "import pytest\npytest.skip('no reason', allow_module_level=True)\n",
}


@pytest.fixture
def inner(tmp_path: Path) -> Path:
    """A folder with the accounting and tests that skip for allowed reasons."""
    folder = tmp_path / "tests"
    folder.mkdir()
    for name in SUPPORT:
        shutil.copy(ROOT / "tests" / name, folder)
    (folder / "test_inner.py").write_text(INNER)
    (tmp_path / "pytest.ini").write_text(
        f"[pytest]\naddopts = -q -p no:cacheprovider {FEW_PLUGINS}\nfilterwarnings = error\n"
    )
    return tmp_path


def run_inner(folder: Path, *words: str, ci: str) -> tuple[int, list[str]]:
    """Run pytest there; its exit status and the lines it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words],
        cwd=folder,
        env={**os.environ, "CI": ci},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    return done.returncode, done.stdout.splitlines()


@pytest.mark.parametrize("ci", ["true", ""])
def test_allowed_skips_are_listed_above_the_closing_line(inner: Path, ci: str) -> None:
    """Skips for allowed reasons pass, in CI too; each is listed once, with its count; pytest has the last word."""
    status, lines = run_inner(inner, "--full", "-n", "2", ci=ci)
    assert status == 0, lines
    assert lines[-1].startswith("2 passed, 3 skipped, 1 xfailed in ")
    assert lines[-3:-1] == ["skipped (gpu): no card: 1 test", "skipped (kernel): no cgroup controller: 2 tests"]


def test_other_skips_fail_in_ci_alone(inner: Path) -> None:
    """A skip for any other reason is a failure in CI, each of them, and passes, listed, on a person's machine."""
    for kind, text in REFUSED.items():
        (inner / "tests" / f"test_{kind}.py").write_text(text.replace("no reason", f"no reason, {kind}"))
    status, lines = run_inner(inner, "--full", "--continue-on-collection-errors", ci="true")
    assert status == pytest.ExitCode.TESTS_FAILED, lines
    for kind in REFUSED:
        assert any("CI allows no skip for this" in line and f"no reason, {kind}" in line for line in lines), lines
    status, lines = run_inner(inner, "--full", ci="")
    assert status == 0, lines
    for kind in REFUSED:
        ending = f"no reason, {kind}: 1 test"
        assert any(line.startswith("skipped (") and line.endswith(ending) for line in lines), lines


def test_sizes_are_small_unless_full(inner: Path) -> None:
    """The fixture `full` is true with `--full` alone."""
    status, lines = run_inner(inner, "-k", "full", ci="")
    assert status == pytest.ExitCode.TESTS_FAILED, lines


@pytest.mark.parametrize("fails", [False, True])
def test_what_laws_exercised_is_told_unless_something_failed(inner: Path, fails: bool) -> None:
    """What each law exercised stands above the closing line; where a test failed, the failures stand alone."""
    law = "def test_law(record_property):\n    record_property('exercised', 'turns 7')\n"
    (inner / "tests" / "test_other.py").write_text(law + f"def test_other():\n    assert not {fails}\n")
    _, lines = run_inner(inner, "--full", ci="true")
    assert ("test_law: turns 7" in lines) is not fails, lines
    assert any(line.startswith("FAILED tests/test_other.py::test_other") for line in lines) is fails, lines


def test_no_tests_is_a_failure(inner: Path) -> None:
    """A run without any test does not count as passed."""
    status, _ = run_inner(inner, "-k", "nothing_of_this_name", ci="true")
    assert status == pytest.ExitCode.NO_TESTS_COLLECTED


@pytest.fixture
def apt(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[list[str]]]:
    """The commands given to a machine that lacks g++ and go, whose apt knows g++ alone."""
    commands: list[list[str]] = []

    def run(words: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        commands.append(words)
        return subprocess.CompletedProcess(words, 100 if "golang-go" in words else 0)

    there = {command for need in needs.NEEDS if need.name not in ("g++", "go") for command in need.commands}
    monkeypatch.setattr(shutil, "which", lambda name: name if name in there | {"apt-get", "apt-cache"} else None)
    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(cuda_library, "is_here", lambda: True)  # which is another matter
    needs.path_of.cache_clear()
    needs.apt_has.cache_clear()
    yield commands
    needs.path_of.cache_clear()
    needs.apt_has.cache_clear()


def test_ci_installs_what_is_missing_and_no_more(
    apt: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In CI apt's list is refreshed once, and exactly the missing packages that apt knows are installed."""
    monkeypatch.setenv("CI", "true")
    assert needs.main() == 0
    orders = [words for words in apt if words[0] == "apt-get"]
    assert [words[-1] for words in orders] == ["update", "g++"]
    assert "No go on this machine (apt knows no package for it here)" in capsys.readouterr().out


def test_a_person_is_told_and_nothing_is_installed(
    apt: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Outside CI nothing is installed; one line for each missing program says what is skipped."""
    monkeypatch.setenv("CI", "")
    assert needs.main() == 0
    assert not [words for words in apt if words[0] == "apt-get"]
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" on this machine")[0] for line in lines] == ["No g++", "No go"]
    assert all(line.endswith("will be skipped.") for line in lines)


def test_of_several_versions_the_newest_is_found(tmp_path: Path) -> None:
    """A path with a star stands for those that are there, the highest version first; a name stands for itself."""
    for version in ("9.6", "15", "17"):
        (tmp_path / version).mkdir()
    assert [Path(place).name for place in needs.places(f"{tmp_path}/*")] == ["17", "15", "9.6"]
    assert needs.places("javac") == ["javac"]
