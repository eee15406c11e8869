"""The benchmark of a long contest: what it calls flat, and how it reads a process."""

from __future__ import annotations

import os
import runpy
from pathlib import Path
from typing import Any

import pytest

from dohyo.system.proc import IS_LINUX


@pytest.fixture(scope="module")
def benchmark_of_age(root: Path) -> dict[str, Any]:
    """Its functions, by name."""
    return runpy.run_path(str(root / "benchmarks" / "long_contest.py"))


def samples(benchmark: dict[str, Any], **columns: Any) -> list[dict[str, float]]:
    """Fifty samples of 100,000 matches; each column by its function of the matches."""
    return [
        {**dict.fromkeys(benchmark["COLUMNS"], 0.0), "matches": at, **{name: of(at) for name, of in columns.items()}}
        for at in range(2000, 102_000, 2000)
    ]


def test_what_is_flat(benchmark_of_age: dict[str, Any]) -> None:
    """Noise round one value is flat; a handle more for each 20,000 matches, or a kilobyte a match, is not."""
    slope, verdict = benchmark_of_age["slope"], benchmark_of_age["verdict"]
    noisy = samples(benchmark_of_age, parent_files=lambda at: 9 + at // 2000 % 3, parent_rss=lambda at: 110 + at % 7)
    assert verdict(noisy, "parent_files") == "flat"
    assert verdict(noisy, "parent_rss") == "flat"
    growing = samples(
        benchmark_of_age, parent_files=lambda at: 9 + at // 20_000, parent_rss=lambda at: 110 + at / 1000
    )
    assert verdict(growing, "parent_files") == "grows"
    assert verdict(growing, "parent_rss") == "grows"
    assert verdict(growing[:2], "parent_rss") == "unknown"  # two samples say nothing
    assert verdict(noisy[:5], "parent_files") == "unknown"
    assert slope(growing, "parent_rss")[0] == pytest.approx(100)


@pytest.mark.skipif(not IS_LINUX, reason="it reads /proc")
def test_it_reads_a_process(benchmark_of_age: dict[str, Any], tmp_path: Path) -> None:
    """This process has memory, of which a part is its own, and is in its own tree."""
    rss, pss = benchmark_of_age["memory"](os.getpid())
    assert 0 < pss <= rss
    assert os.getpid() in benchmark_of_age["tree"](os.getpid())
    assert benchmark_of_age["played"](tmp_path / "none.db") == 0
