"""What Numba compiles is kept from one run of the tests to the next, by what compiles it."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import compiled_once


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Sources that say how functions are compiled."""
    for name in compiled_once.COMPILERS:
        (tmp_path / "source" / name).mkdir(parents=True)
    (tmp_path / "source" / "sim" / "compiled.py").write_text("one")
    return tmp_path / "source"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A run of the tests with a new cache; the folder where it keeps what it compiles."""
    runs = iter(range(9))

    def begin(source: Path, full: bool = False) -> Path:
        cache = tmp_path / f"run{next(runs)}"
        monkeypatch.setenv("DOHYO_CACHE", str(cache))
        kept = SimpleNamespace(mkdir=lambda name: tmp_path)
        config: Any = SimpleNamespace(getoption=lambda name: full, cache=kept)
        compiled_once.keep(config, source)
        return cache / compiled_once.FOLDER

    return begin


def test_a_second_run_finds_what_the_first_has_compiled(run: Any, source: Path) -> None:
    """As long as the sources that compile are the same; with `--full` nothing is found."""
    (run(source) / "x").write_text("machine code")
    assert (run(source) / "x").exists()
    assert not run(source, full=True).exists()
    (source / "sim" / "compiled.py").write_text("two")
    changed = run(source)
    assert changed.is_dir()
    assert not (changed / "x").exists()


def test_what_nobody_has_used_for_long_is_removed(tmp_path: Path) -> None:
    """A folder of sources that nobody has any more goes; one that was just used stays."""
    for name, age in (("old", 1.0 + compiled_once.UNUSED), ("new", 1.0)):
        made = compiled_once.folder(tmp_path, name)
        then = made.stat().st_mtime - age
        os.utime(made, (then, then))
    compiled_once.folder(tmp_path, "mine")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine", "new"]
