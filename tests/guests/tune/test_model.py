"""The model of a tuning: no scores end in an error, and what it believes holds the truth."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo.guests.tune.model import Model

SCORES = st.sampled_from([0.0, 0.25, 0.5, 1.0, 1e-300, -1e300, 1e300, float("nan"), float("inf")])
PLACES = st.sampled_from([0.0, 0.5, 1.0, 0.5 + 1e-12, 3.0, 1e-300, -1e300, 1e308, float("nan"), float("-inf")])


def snapped(model: Model) -> Any:
    """What makes places possible values: here all are."""
    return lambda rows: model._inside(np.asarray(rows))


def check(model: Model, even: bool = False) -> None:
    """Whatever it was told, it says numbers, and wants to play inside of the space."""
    draw = np.random.default_rng(1)
    chosen = model.next_points(5, draw, snapped(model))
    assert 1 <= len(chosen) <= 5
    assert len({tuple(row) for row in chosen}) == len(chosen)
    for places in (chosen, model.settled(draw)[None], model.best(draw)[None]):
        assert np.isfinite(places).all()
        assert ((places >= 0) & (places <= np.maximum(model.words - 1, 1))).all()
        means, errors = model.believed(places)
        assert np.isfinite(means).all()
        assert np.isfinite(errors).all()
        assert (errors >= 0).all()
    assert (model.lengths > 0).all()
    assert model.noise > 0


@given(st.data())
def test_no_scores_end_in_an_error(data: st.DataObject) -> None:
    """Whatever scores at whatever places, a few or many of them the same, on whatever seeds."""
    words = data.draw(st.lists(st.sampled_from([0, 0, 2, 5]), min_size=1, max_size=4))
    rows = data.draw(st.lists(st.tuples(*[PLACES] * len(words)), min_size=1, max_size=4))
    scores = data.draw(st.lists(SCORES, min_size=1, max_size=30))
    seeds = data.draw(st.lists(st.integers(0, 3), min_size=len(scores), max_size=len(scores)))
    points = np.array([rows[at % len(rows)] for at in range(len(scores))], dtype=float)
    model = Model(words)
    model.fit(points, np.array(scores), np.array(seeds), points[0] if data.draw(st.booleans()) else None)
    check(model)


@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("distinct", [1, 2, 100])
@pytest.mark.parametrize("ends", ["same", "all or nothing"])
def test_many_scores_that_are_the_same(score: float, distinct: int, ends: str) -> None:
    """Hundreds of rounds with the same values, all won, lost or drawn, or won and lost by the place alone."""
    draw = np.random.default_rng(3)
    points = np.repeat(draw.random((distinct, 2)), 200 // distinct, axis=0)
    scores = np.full(len(points), score) if ends == "same" else (points[:, 0] > 0.5).astype(float)
    model = Model([0, 0])
    model.fit(points, scores, np.arange(len(points)) // 10)
    check(model)


def test_what_comes_of_scores_depends_on_them_alone() -> None:
    """A model that was told something else before says the same."""
    draw = np.random.default_rng(4)
    points, scores, seeds = draw.random((30, 2)), draw.random(30), np.arange(30) // 6
    one, other = Model([0, 0]), Model([0, 0])
    other.fit(points[:9], 1 - scores[:9], seeds[:9])
    other.believed(points[:1])
    for model in (one, other):
        model.fit(points, scores, seeds)
    assert (one.believed(points)[0] == other.believed(points)[0]).all()
    assert (one.believed(points)[1] == other.believed(points)[1]).all()


def test_a_default_that_meets_itself_is_even() -> None:
    """What scores one half for sure is believed to, whatever others scored."""
    draw = np.random.default_rng(5)
    points = draw.random((40, 1))
    model = Model([0])
    model.fit(points, np.full(40, 0.9), np.arange(40) // 8, np.array([0.3]))
    (mean,), (error,) = model.believed(np.array([[0.3]]))
    assert abs(mean - 0.5) < 0.1
    assert error < 0.1


def test_the_same_match_again_says_nothing_new() -> None:
    """Ten times the same values on the same seed, with the same score, count for less than on ten seeds."""
    draw = np.random.default_rng(6)
    points = np.vstack([draw.random((40, 1)), np.full((40, 1), 0.8)])
    scores = np.append(np.where(draw.random(40) < 0.5, 0.25, 0.75), np.repeat([1.0, 0.0, 1.0, 1.0], 10))
    told = []
    for seeds in ([*range(40), *np.arange(40) // 10 + 50], [*range(80)]):
        model = Model([0])
        model.fit(points, scores, np.array(seeds))
        told.append(float(model.believed(np.array([[0.8]]))[0][0]))
    assert 0.5 < told[0] < told[1] - 0.05


def test_what_it_says_of_bumps_holds(
    root: Path, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    """At the end of a tuning nearly all intervals hold the truth; without a bump, nothing is called better.

    At full size `benchmarks/tune.py` measures it.
    """
    monkeypatch.syspath_prepend(str(root / "benchmarks"))
    sys.modules.pop("tune", None)
    import tune  # type: ignore[import-not-found]

    rows = []
    for height in (0, 150, 300):
        for run in range(4):
            rows.append((height, tune.said(tune.Bump(run, height, 1 + run % 2), run, 120, 10, 40)))
    sys.modules.pop("tune", None)
    assert sum(row["holds"] for _, row in rows) >= 10
    assert sum(row["claim"] for _, row in rows) >= 9
    assert not any(row["better"] for height, row in rows if not height)
    assert sum(row["gain"] for _, row in rows) > 0
