"""Published ratings: the Elo scale, intervals that hold the truth, places, and groups that nothing connects."""

from __future__ import annotations

import importlib
import operator
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo.core.errors import OperatorError
from dohyo.series.ratings import ratings
from dohyo.series.ratings.arrays import ArrayReckoner
from dohyo.series.ratings.bradley_terry import Reckoner
from dohyo.series.ratings.intervals import student, unknown
from dohyo.series.ratings.meetings import Matches, first_of, groups_of, matches_of
from dohyo.series.ratings.plain import PlainReckoner
from dohyo.series.ratings.ratings import CENTRE, ELO, Ratings, places, rate
from dohyo.series.sequential import expected
from tests.series.ratings.test_bradley_terry import BOTS, matches, results_of
from tests.series.ratings.truths import Drawn, drawn_results, duels, played

SCRIPT = Path(__file__).parents[3] / "benchmarks" / "rating_coverage.py"
DESIGNS: dict[str, dict[str, Any]] = {
    "four seats": {"seeds": 120},
    "four seats, ties": {"seeds": 120, "log_delta": {2: -0.5, 3: -1.0}},
    "duels, ties": {"seeds": 250, "width": 2, "log_delta": {2: -0.5}},
    "few seeds of many matches": {"seeds": 40, "each": 8, "alike": 0.8},
}
# Student's t for 97.5 %, from printed tables.
STUDENT = {1: 12.706, 2: 4.303, 4: 2.776, 9: 2.262, 29: 2.045, 10**6: 1.960}


number = operator.attrgetter("number")


def covered(design: str, contests: int, bots: int = 8) -> np.ndarray:
    """Of which bots in simulated contests the 95 % interval holds the truth: (contests, bots)."""
    held = np.zeros((contests, bots), dtype=bool)
    for at in range(contests):
        random = np.random.default_rng([7, at])
        strengths = random.normal(0, 1, bots)
        truth = CENTRE + ELO * (strengths - strengths.mean())
        results = drawn_results(strengths, random=random, **DESIGNS[design]).matches()
        if DESIGNS[design].get("width", 4) > 2 and "log_delta" in DESIGNS[design]:
            # Shared places change the odds of a pair, which is what ratings tell.
            endless = drawn_results(strengths, 20_000, random, each=1, log_delta=DESIGNS[design]["log_delta"])
            table = rate(endless.matches(), bots, has_intervals=False).ratings
            truth = np.array([row.rating for row in sorted(table, key=number)])
        for row in rate(results, bots).ratings:
            held[at, row.number] = row.low <= truth[row.number] <= row.high
    return held


def test_intervals_hold_the_truth(full: bool) -> None:
    """95 % intervals hold what results were drawn from 92 to 98 times of a hundred, though a seed's are alike."""
    held = {design: covered(design, 100 if full else 6) for design in DESIGNS}
    assert 0.92 <= np.mean(list(held.values())) <= 0.98
    if full:
        assert all(0.92 <= one.mean() <= 0.98 for one in held.values()), {k: v.mean() for k, v in held.items()}


@pytest.mark.parametrize("name", ["equal, corr 1", "174 Elo, corr 1", "four seats, equal, corr 1"])
def test_a_ladders_intervals_hold(name: str, full: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where results decide who meets, and luck is the same in all matches of a seed, intervals hold the truth."""
    monkeypatch.syspath_prepend(SCRIPT.parent)
    rating_coverage = importlib.import_module("rating_coverage")
    (row,) = (each for each in rating_coverage.ROWS if each.name == name)
    found = [rating_coverage.one(row, seed) for seed in range(60 if full else 6)]
    assert np.mean([each.cover for each in found]) >= (91 if full else 80)
    assert np.mean([each.best for each in found]) >= (91 if full else 80)


def test_variances_are_those_of_drawing_seeds_again() -> None:
    """An interval is as wide as strengths vary when seeds are drawn anew and all is fitted again: the slow truth."""
    random = np.random.default_rng(5)
    truth = np.array([-0.6, -0.2, 0.0, 0.2, 0.6])
    drawn = drawn_results(truth, 150, random, width=2, each=2, alike=0.7)
    own = {row.number: (row.high - row.low) / 2 / student(60) for row in rate(drawn.matches(), 5).ratings}
    found = []
    for _ in range(300):
        seeds = random.integers(0, 150, 150)
        rows = np.concatenate([np.flatnonzero(drawn.seeds == seed) for seed in seeds])
        again = Drawn(drawn.seats[rows], drawn.places[rows], np.repeat(np.arange(150), 2))
        table = rate(again.matches(), 5, has_intervals=False).ratings
        found.append([row.rating for row in sorted(table, key=number)])
    for bot, deviation in enumerate(np.std(found, axis=0)):
        assert own[bot] == pytest.approx(deviation, rel=0.15)


def repeated(drawn: Drawn, times: int, as_one: bool = True) -> list[Matches]:
    """Every match so many times, with the seed that it has, or each time with another one."""
    rows = np.tile(np.arange(len(drawn.seeds)), times)
    seeds = drawn.seeds[rows] + (0 if as_one else 10_000 * np.repeat(np.arange(times), len(drawn.seeds)))
    return Drawn(drawn.seats[rows], drawn.places[rows], seeds).matches()


@pytest.mark.parametrize("width", [2, 4])
def test_repeated_seeds_add_no_certainty(width: int) -> None:
    """Matches that merely repeat their seed's narrow no interval; as seeds of their own they would."""
    random = np.random.default_rng(1)
    once = drawn_results(random.normal(0, 1, 6), 100, random, each=1, width=width)
    widths = [
        [row.high - row.low for row in sorted(rate(one, 6).ratings, key=number)]
        for one in (once.matches(), repeated(once, 4), repeated(once, 4, as_one=False))
    ]
    for alone, same, other in zip(*widths, strict=True):
        assert alone <= same <= 1.2 * alone
        assert other < 0.65 * alone


@given(matches)
def test_with_and_without_numpy(rows: list[tuple[list[int], list[int], int]]) -> None:
    """Ratings and intervals of any small contest are the same to 1e-9 of their size without NumPy."""

    def table(kind: type[PlainReckoner] | type[ArrayReckoner]) -> Ratings:
        def made(found: Sequence[Matches], entrants: int) -> Reckoner:
            return kind(found, entrants)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ratings, "reckoner_of", made)
            return rate(results_of(rows), BOTS)

    plain, arrays = table(PlainReckoner), table(ArrayReckoner)
    assert plain.groups == arrays.groups
    for own, other in zip(*(sorted(each.ratings, key=number) for each in (plain, arrays)), strict=True):
        assert own.matches == other.matches
        for name in ("rating", "low", "high"):
            assert getattr(own, name) == pytest.approx(getattr(other, name), rel=1e-9), name


def test_many_bots_take_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many bots, or matches, are reckoned by NumPy where it is there; without it, of too many it is told."""
    few, many = matches_of(duels((0, 1, 1))), matches_of(duels((0, 1, ratings.FEW_MATCHES + 1)))
    assert isinstance(ratings.reckoner_of(few, 2), PlainReckoner)
    assert isinstance(ratings.reckoner_of(few, ratings.FEW + 1), ArrayReckoner)
    assert isinstance(ratings.reckoner_of(many, 2), ArrayReckoner)
    monkeypatch.setattr(ratings.importlib.util, "find_spec", lambda _: None)
    assert isinstance(ratings.reckoner_of(few, ratings.MAX_PLAIN), PlainReckoner)
    with pytest.raises(OperatorError, match="NumPy"):
        rate(few, ratings.MAX_PLAIN + 1)


@pytest.mark.parametrize(("freedom", "quantile"), STUDENT.items())
def test_students_quantile(freedom: int, quantile: float) -> None:
    """It is the one of printed tables, and of few degrees of freedom the wider."""
    assert student(freedom) == pytest.approx(quantile, abs=6e-4)


def test_the_whole_table_does_not_depend_on_the_order() -> None:
    """Results in another order give the same table, intervals and all, and so do the same arguments again."""
    random = np.random.default_rng(2)
    results = drawn_results(random.normal(0, 1, 6), 40, random, log_delta={2: 0.0, 3: 0.0})
    shuffled = random.permutation(80)
    assert rate(Drawn(*(part[shuffled] for part in results)).matches(), 6) == rate(results.matches(), 6)


def test_the_elo_scale() -> None:
    """Nine wins of ten are nearly 382 points, round a mean of 1500, and `expected` turns them back."""
    table = rate(matches_of(duels((0, 1, 900), (1, 0, 100))), 2)
    best, worst = table.ratings
    assert (best.number, worst.number) == (0, 1)
    assert best.rating - worst.rating == pytest.approx(ELO * np.log(9), abs=2)
    assert best.rating + worst.rating == pytest.approx(2 * CENTRE)
    assert expected(best.rating - worst.rating) == pytest.approx(0.9, abs=0.002)
    assert best.matches == worst.matches == 1000
    assert best.low < best.rating < best.high


def test_little_is_known_of_who_always_won() -> None:
    """A bot with five wins and no loss has a wide interval, and the more the wins, the higher it begins."""
    lows = []
    for wins in (5, 50, 500):
        others = duels((1, 2, 200), (2, 1, 200), (0, 1, wins))
        (best,) = (row for row in rate(matches_of(others), 3).ratings if row.number == 0)
        assert np.isfinite([best.low, best.high]).all()
        assert best.high - best.low > 400
        lows.append(best.low)
    assert lows[0] < lows[1] < lows[2]


def test_nothing_is_known_of_who_never_played() -> None:
    """A bot without results, or with those of one seed alone, may stand anywhere."""
    results = [*duels((0, 1, 30), (1, 0, 10)), *(played((2, 0), (1, 2), seed=999) for _ in range(20))]
    table = rate(matches_of(results), 4)
    ranges = ranges_of(table)
    for row in table.ratings:
        if row.number in (2, 3):
            assert row.high - row.low > 1.9 * ELO * unknown()
            assert ranges[row.number] == (1, 4)


def ranges_of(table: Ratings) -> list[tuple[int, int]]:
    """The places that each entrant may hold, by its number."""
    rows = sorted(table.ratings, key=number)
    return places([row.low for row in rows], [row.high for row in rows], table.groups)


def test_groups_that_nothing_connects_are_named() -> None:
    """Entrants are grouped by who met whom, however indirectly; those who met nobody stand alone."""
    results = [*duels((0, 3, 2), (3, 5, 1), (1, 4, 1)), played((6, 6), (1, 2), seed=9)]
    table = rate(matches_of(results), 8)
    assert table.groups == ((0, 3, 5), (1, 4), (2,), (6,), (7,))
    assert rate(matches_of(duels((0, 1, 1), (1, 2, 1))), 3).groups == ((0, 1, 2),)
    wide = matches_of([played((0, 1, 2), (1, 2, 3)), played((3, 2), (1, 2))])
    assert [(block.width, list(block.seats)) for block in wide] == [(3, [0, 1, 2]), (2, [3, 2])]
    assert groups_of(ArrayReckoner(wide, 4).pairs, 4) == [[0, 1, 2, 3]]


def test_between_groups_nothing_is_sure() -> None:
    """Nobody is surely better than a bot of another group, however often it beat those of its own."""
    table = rate(matches_of(duels((0, 1, 500), (1, 0, 20), (2, 3, 20), (3, 2, 20))), 4)
    assert ranges_of(table) == [(1, 3), (2, 4), (1, 4), (1, 4)]


def test_the_first_matches() -> None:
    """They go through all parts, from the first match on."""
    wide = matches_of([played((0, 1, 2), (1, 2, 3)), *duels((0, 1, 2))])
    assert [[len(block.seeds) for block in first_of(wide, count)] for count in (0, 1, 2, 3)] == [
        [0, 0], [1, 0], [1, 1], [1, 2]]  # fmt: skip


def test_places_are_ranges_where_intervals_overlap() -> None:
    """A place runs from behind all who are surely better to before all who are surely worse."""
    low, high = [90.0, 70, 60, 10, 65], [99.0, 80, 72, 20, 66]
    assert places(low, high, [range(5)]) == [(1, 1), (2, 3), (2, 4), (5, 5), (3, 4)]
    assert places([1.0, 2], [2.0, 3], [range(2)]) == [(1, 2), (1, 2)]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 4)), min_size=1, max_size=8))
def test_places_are_as_counted(ends: list[tuple[int, int]]) -> None:
    """Whatever the intervals, a place's ends are one more than who is surely better, and all but the surely worse."""
    low, high = np.array([start for start, _ in ends]), np.array([start + wide for start, wide in ends])
    for at, (first, last) in enumerate(places(low.tolist(), high.tolist(), [range(len(ends))])):
        assert first == 1 + (low > high[at]).sum()
        assert last == len(ends) - (high < low[at]).sum()


def test_a_contest_of_nobody_and_one_without_results() -> None:
    """No entrants give an empty table; entrants without results all stand at 1500, anywhere."""
    assert rate([], 0) == Ratings((), ())
    table = rate([], 2)
    assert [(row.number, row.rating) for row in table.ratings] == [(0, CENTRE), (1, CENTRE)]
    assert ranges_of(table) == [(1, 2), (1, 2)]


@pytest.mark.process
def test_nothing_has_to_be_installed() -> None:
    """A ladder's matches and its ratings need no library; importing them loads none that is installed."""
    program = """
import sys
from dohyo.series.formats import make
from dohyo.series.ratings.meetings import matches_of
from dohyo.series.ratings.ratings import rate
from dohyo.core.contest import Entrant, Result, Version
assert not {"numpy", "scipy", "openskill"} & set(sys.modules), "imported"
sys.modules.update(dict.fromkeys(("numpy", "scipy", "openskill")))
ladder = make("ladder", seats=(2, 2), rounds=1, seed=1, entrants=4, options={"batch": 20})
results = [Result(one, (1, 2)) for one in ladder.next([Entrant(at, Version(str(at), "")) for at in range(4)])]
ladder.take(results)
print(len(rate(matches_of(results), 4).ratings))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "4\n"
