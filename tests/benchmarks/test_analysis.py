"""What the benchmark of analyses makes of what it has judged: means by match, the sharpness that fits, who plays."""

from __future__ import annotations

import random
import runpy
from pathlib import Path
from typing import Any

import pytest

from dohyo.guests.analysis.analyst import chances_of

SHARP = 2.0


@pytest.fixture(scope="module")
def benchmark_of_analyses(root: Path) -> dict[str, Any]:
    """Its functions, by name."""
    return runpy.run_path(str(root / "benchmarks" / "analysis.py"))


def test_positions_of_one_match_belong_together(benchmark_of_analyses: dict[str, Any]) -> None:
    """Ten positions of each match, which end alike, say no more than one of each; of ten times the matches, more."""
    mean_of = benchmark_of_analyses["mean_of"]
    draw = random.Random(1)
    won = [float(draw.random() < 0.7) for _ in range(100)]
    one = mean_of(list(enumerate(won)))
    ten = mean_of([(match, share) for match, share in enumerate(won) for _ in range(10)])
    apart = mean_of(list(enumerate(won * 10)))
    assert ten == pytest.approx(one)
    assert apart == pytest.approx((one[0], one[1] / 10**0.5), rel=0.02)
    assert one[1] == pytest.approx(1.645 * (one[0] * (1 - one[0]) / 100) ** 0.5, rel=0.02)


def test_the_sharpness_is_found_that_the_matches_had(benchmark_of_analyses: dict[str, Any]) -> None:
    """Of matches that were won as often as chances of a known sharpness say, that one is found."""
    outcome, draw = benchmark_of_analyses["Outcome"], random.Random(2)
    judged = []
    for match in range(1000):
        value = draw.uniform(-0.9, 0.9)
        first = draw.random() < chances_of((value, -value), SHARP)[0]
        judged.append(outcome(match, "", (value, -value), (float(first), float(not first))))
    assert benchmark_of_analyses["fitted"](judged) == pytest.approx(SHARP, abs=0.2)


def test_who_plays_on_which_seat(benchmark_of_analyses: dict[str, Any]) -> None:
    """Equal bots sit on all seats; bots that are not equal move on by a seat, until each has been on each."""
    line_up, mixed = benchmark_of_analyses["line_up"], benchmark_of_analyses["MIXED"]["drop-block"]
    assert [set(line_up("drop-block", number)) for number in (0, 3)] == [{"hunter"}, {"sensei"}]
    first = benchmark_of_analyses["FIRST_MIXED"]
    line_ups = [line_up("drop-block", first + number) for number in range(4 * len(mixed))]
    assert all(sorted(one) in map(sorted, mixed) for one in line_ups)
    assert {one.index("sensei") for one in line_ups if one.count("sensei") == 1} == {0, 1, 2, 3}
