"""The real command, with matches drawn for racers of known strength, is wrong no more often than it may be."""

from __future__ import annotations

import math
import re
import runpy
import sys
from pathlib import Path

import pytest

Figures = dict[str, float]

ALLOWED = 0.05  # the command's own default for either error


@pytest.mark.parametrize(
    ("seats", "words"),
    [
        (4, ("--grid", "1")),
        pytest.param(2, (), marks=pytest.mark.full),
        pytest.param(4, ("--baselines", "3"), marks=pytest.mark.full),
        pytest.param(4, (), marks=pytest.mark.full),
        pytest.param(8, (), marks=pytest.mark.full),
    ],
    ids=str,
)
def test_the_command_is_not_wrong_too_often(
    root: Path,
    seats: int,
    words: tuple[str, ...],
    full: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With few and many seats, shared places and several baselines, either error is within its 5 %."""
    tests = 1000 if full else 100
    script = root / "benchmarks" / "compare_errors.py"
    monkeypatch.setattr(sys, "argv", [str(script), "--tests", str(tests), "--seats", str(seats), *words])
    runpy.run_path(str(script), run_name="__main__")
    told = capsys.readouterr().out
    for error in ("better", "not_better"):
        share = re.search(rf"^seats_{seats}_false_{error}=(\d\.\d+)$", told, re.MULTILINE)
        assert share is not None, told
        assert float(share[1]) <= ALLOWED + 3 * math.sqrt(ALLOWED * (1 - ALLOWED) / tests), told
        assert re.search(rf"^seats_{seats}_false_{error}_rounds=\d+\.\d+$", told, re.MULTILINE)


def figures(root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> Figures:
    """What the test alone comes to, of made-up pairs: name and value."""
    script = root / "benchmarks" / "compare_errors.py"
    monkeypatch.setattr(sys, "argv", [str(script), "--kinds", *words])
    runpy.run_path(str(script), run_name="__main__")
    lines = capsys.readouterr().out.splitlines()
    return {name: float(value) for name, _, value in (line.partition("=") for line in lines)}


def test_the_obvious_costs_little(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """At the usual 10 Elo, whoever is far better or worse is told so after some dozen pairs, and never wrongly."""
    words = ("usual", "drawn", "--elos", "-200", "100", "400", "--tests", "40")
    told = figures(root, monkeypatch, capsys, *words)
    for kind in ("usual", "drawn"):
        assert told[f"{kind}_-200_not_better"] == 1
        assert told[f"{kind}_+100_better"] == told[f"{kind}_+400_better"] == 1
        assert told[f"{kind}_+400_pairs"] < told[f"{kind}_+100_pairs"] < 60
        assert told[f"{kind}_-200_pairs"] < 25


def test_a_small_difference_costs_no_more_than_it_must(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where it is one of the two that are told apart, errors are within their 5 %, after not many more pairs.

    An optimal test for just these two, which knew how often which score comes, would take some 54.
    """
    told = figures(root, monkeypatch, capsys, "usual", "--elos", "0", "50", "--tests", "200", "--elo1", "50")
    for error in ("+0_better", "+50_not_better"):
        assert told[f"usual_{error}"] <= ALLOWED + 3 * math.sqrt(ALLOWED * (1 - ALLOWED) / 200)
    assert told["usual_+0_pairs"] < 80
    assert told["usual_+50_pairs"] < 95
