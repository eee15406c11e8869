"""Published ratings: the Elo scale, intervals that hold the truth, places, and groups that nothing connects."""

from __future__ import annotations

import argparse
import importlib
import operator
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo.contest.bootstrap import unknown
from dohyo.contest.ratings import CENTRE, ELO, Ratings, expected, places, rate
from dohyo.contest.result_arrays import EMPTY, ResultArrays, as_arrays, groups_of
from tests.contest.truths import drawn_results, duels, played

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "rating_coverage.py"
DESIGNS: dict[str, dict[str, Any]] = {
    "four seats": {"seeds": 120},
    "four seats, ties": {"seeds": 120, "log_delta": {2: -0.5, 3: -1.0}},
    "duels, ties": {"seeds": 250, "width": 2, "log_delta": {2: -0.5}},
    "few seeds of many matches": {"seeds": 40, "each": 8, "alike": 0.8},
}


number = operator.attrgetter("number")


def covered(design: str, contests: int, bots: int = 8) -> np.ndarray:
    """Of which bots in simulated contests the 95 % interval holds the truth: (contests, bots)."""
    held = np.zeros((contests, bots), dtype=bool)
    for at in range(contests):
        random = np.random.default_rng([7, at])
        strengths = random.normal(0, 1, bots)
        truth = CENTRE + ELO * (strengths - strengths.mean())
        results = drawn_results(strengths, random=random, **DESIGNS[design])
        if DESIGNS[design].get("width", 4) > 2 and "log_delta" in DESIGNS[design]:
            # Shared places change the odds of a pair, which is what ratings tell.
            endless = drawn_results(strengths, 20_000, random, each=1, log_delta=DESIGNS[design]["log_delta"])
            truth = np.array([row.rating for row in sorted(rate(endless, bots, samples=0).ratings, key=number)])
        for row in rate(results, bots, samples=100, seed=at).ratings:
            held[at, row.number] = row.low <= truth[row.number] <= row.high
    return held


def test_intervals_hold_the_truth(full: bool) -> None:
    """95 % intervals hold what results were drawn from 92 to 98 times of a hundred, though a seed's are alike."""
    held = {design: covered(design, 100 if full else 6) for design in DESIGNS}
    assert 0.92 <= np.mean(list(held.values())) <= 0.98
    if full:
        assert all(0.92 <= one.mean() <= 0.98 for one in held.values()), {k: v.mean() for k, v in held.items()}


def test_a_ladder_stretches_nothing(full: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where those meet who seem equally strong, differences are neither stretched nor shrunk, and intervals hold."""
    monkeypatch.syspath_prepend(SCRIPT.parent)
    rating_coverage = importlib.import_module("rating_coverage")
    asked = argparse.Namespace(contests=60 if full else 5, bots=10, matches=600, spread=ELO, within=0.0, plain=False)
    found = rating_coverage.measured("ladder", 2, "gumbel", asked)
    assert 0.8 <= found.slope <= 1.1
    assert found.cover >= (92 if full else 80)
    plain = rating_coverage.measured("ladder", 2, "gumbel", argparse.Namespace(**{**vars(asked), "plain": True}))
    assert found.error < plain.error
    assert found.slope < plain.slope


def test_repeated_seeds_add_no_certainty() -> None:
    """Matches that merely repeat their seed's narrow no interval; as seeds of their own they would."""
    random = np.random.default_rng(1)
    once = drawn_results(random.normal(0, 1, 6), 100, random, each=1)
    again = np.tile(np.arange(100), 4)
    same = ResultArrays(once.seats[again], once.places[again], again)
    other = same._replace(clusters=np.arange(400))
    widths = [np.mean([row.high - row.low for row in rate(one, 6).ratings]) for one in (once, same, other)]
    assert widths[1] == pytest.approx(widths[0], rel=0.1)
    assert widths[2] < 0.6 * widths[0]


def test_the_whole_table_does_not_depend_on_the_order() -> None:
    """Results in another order give the same table, intervals and all, and so do the same arguments again."""
    random = np.random.default_rng(2)
    results = drawn_results(random.normal(0, 1, 6), 40, random, log_delta={2: 0.0, 3: 0.0})
    shuffled = random.permutation(80)
    table = rate(results, 6, samples=20, seed=3)
    assert rate(ResultArrays(*(part[shuffled] for part in results)), 6, samples=20, seed=3) == table
    assert rate(results, 6, samples=20, seed=4) != table


def test_the_elo_scale() -> None:
    """Nine wins of ten are nearly 382 points, round a mean of 1500, and `expected` turns them back."""
    table = rate(duels((0, 1, 900), (1, 0, 100)), 2)
    best, worst = table.ratings
    assert (best.number, worst.number) == (0, 1)
    assert best.rating - worst.rating == pytest.approx(ELO * np.log(9), abs=2)
    assert best.rating + worst.rating == pytest.approx(2 * CENTRE)
    assert expected(best.rating - worst.rating) == pytest.approx(0.9, abs=0.002)
    assert best.matches == worst.matches == 1000
    assert best.low < best.rating < best.high


def test_an_anchor_stands_still() -> None:
    """The anchor is 1500 with no interval; differences are as without it."""
    results = duels((0, 1, 9), (1, 0, 3), (1, 2, 9), (2, 1, 3))
    free, held = (rate(results, 3, anchor=anchor) for anchor in (None, 2))
    anchor = held.ratings[-1]
    assert (anchor.number, anchor.rating, anchor.low, anchor.high) == (2, CENTRE, CENTRE, CENTRE)
    assert held.ratings[0].rating - CENTRE == pytest.approx(free.ratings[0].rating - free.ratings[2].rating)
    with pytest.raises(ValueError, match="anchor"):
        rate(results, 3, anchor=3)


def test_little_is_known_of_who_always_won() -> None:
    """A bot with five wins and no loss has a wide interval, and the more the wins, the higher it begins."""
    lows = []
    for wins in (5, 50, 500):
        others = duels((1, 2, 200), (2, 1, 200), (0, 1, wins))
        (best,) = (row for row in rate(others, 3).ratings if row.number == 0)
        assert np.isfinite([best.low, best.high]).all()
        assert best.high - best.low > 400
        lows.append(best.low)
    assert lows[0] < lows[1] < lows[2]


def test_nothing_is_known_of_who_never_played() -> None:
    """A bot without results, or with those of one seed alone, may stand anywhere."""
    results = [*duels((0, 1, 30), (1, 0, 10)), *(played((2, 0), (1, 2), seed=999) for _ in range(20))]
    for row in rate(results, 4).ratings:
        if row.number in (2, 3):
            assert row.high - row.low > 1.9 * ELO * unknown()
            assert (row.first, row.last) == (1, 4)


def test_groups_that_nothing_connects_are_named() -> None:
    """Entrants are grouped by who met whom, however indirectly; those who met nobody stand alone."""
    results = [*duels((0, 3, 2), (3, 5, 1), (1, 4, 1)), played((6, 6), (1, 2), seed=9)]
    table = rate(results, 8, samples=0)
    assert table.groups == ((0, 3, 5), (1, 4), (2,), (6,), (7,))
    assert not table.connected
    assert rate(duels((0, 1, 1), (1, 2, 1)), 3, samples=0).connected
    wide = as_arrays([played((0, 1, 2), (1, 2, 3)), played((3, 2), (1, 2))])
    assert wide.seats.tolist() == [[0, 1, 2], [3, 2, EMPTY]]
    assert groups_of(wide, 4) == [[0, 1, 2, 3]]


def test_places_are_ranges_where_intervals_overlap() -> None:
    """A place runs from behind all who are surely better to before all who are surely worse."""
    low, high = np.array([90.0, 70, 60, 10, 65]), np.array([99.0, 80, 72, 20, 66])
    assert places(low, high) == [(1, 1), (2, 3), (2, 4), (5, 5), (3, 4)]
    assert places(np.array([1.0, 2]), np.array([2.0, 3])) == [(1, 2), (1, 2)]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 4)), min_size=1, max_size=8))
def test_places_are_as_counted(ends: list[tuple[int, int]]) -> None:
    """Whatever the intervals, a place's ends are one more than who is surely better, and all but the surely worse."""
    low, high = np.array([start for start, _ in ends]), np.array([start + wide for start, wide in ends])
    for at, (first, last) in enumerate(places(low.astype(float), high.astype(float))):
        assert first == 1 + (low > high[at]).sum()
        assert last == len(ends) - (high < low[at]).sum()


def test_ties_are_told() -> None:
    """How common ties are is told: with as many as there are wins, two equals tie with odds of 2 to 2."""
    results = [played((0, 1), (1, 1), seed=at) for at in range(50)] + duels((0, 1, 25), (1, 0, 25))
    assert rate(results, 2, samples=0).ties == pytest.approx(2, abs=0.1)


def test_a_contest_of_nobody_and_one_without_results() -> None:
    """No entrants give an empty table; entrants without results all stand at 1500, anywhere."""
    assert rate([], 0) == Ratings((), (), 0.0)
    table = rate([], 2)
    assert [(row.number, row.rating, row.first, row.last) for row in table.ratings] == [
        (0, CENTRE, 1, 2),
        (1, CENTRE, 1, 2),
    ]


@pytest.mark.process
@pytest.mark.parametrize(
    ("library", "use"),
    [
        ("numpy", "import dohyo.contest.ratings"),
        ("scipy", "import dohyo.contest.ratings"),
        ("openskill", "from dohyo.contest.ladder_ratings import LadderRatings; LadderRatings()"),
    ],
)
def test_what_has_to_be_installed_is_said(library: str, use: str) -> None:
    """Without one of their libraries, ratings are refused with the sentence that tells what to install."""
    program = f"""
import sys
sys.modules["{library}"] = None
from dohyo.core.errors import OperatorError
try:
    {use}
except OperatorError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "pip install 'dohyo[stats]'" in done.stdout
