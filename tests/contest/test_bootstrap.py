"""What the bootstrap adds to a fit: the widening for few clusters, and strengths drawn by the spread, by number."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dohyo.contest.bootstrap import SURE, _drawn, _Uniform, _widening, intervals
from dohyo.contest.spread import SCALES, Spread

# Student's t for 97.5 % with n - 1 degrees of freedom, from printed tables.
STUDENT = {2: 12.706, 3: 4.303, 5: 2.776, 10: 2.262, 30: 2.045}
NORMAL = 1.960


@pytest.mark.parametrize(("clusters", "quantile"), STUDENT.items())
def test_few_clusters_widen_an_interval(clusters: int, quantile: float) -> None:
    """An interval is wider by Student's quantile over the normal one, and by the bootstrap's own bias."""
    wanted = quantile / NORMAL * math.sqrt((clusters + 1) / (clusters - 1))
    assert _widening(np.array([clusters]), SURE)[0] == pytest.approx(wanted, rel=1e-3)


def test_intervals_are_widened() -> None:
    """Of the same samples, whoever took part in few clusters has the wider interval, by that factor."""
    samples = np.random.default_rng(1).normal(0, 1, (400, 1)).repeat(3, axis=1)
    low, high = intervals(np.zeros(3), samples, np.array([5, 30, 100_000]))
    assert (low / low[2])[:2] == pytest.approx(
        [2.776 / NORMAL * math.sqrt(6 / 4), 2.045 / NORMAL * math.sqrt(31 / 29)], rel=1e-3
    )
    assert (high / high[2])[:2] == pytest.approx((low / low[2])[:2])


@pytest.mark.parametrize("scale", [0.1, 1.0, 5.0])
def test_strengths_are_drawn_by_the_spread(scale: float) -> None:
    """What strengths are pulled to has a normal distribution round 0 with the drawn deviation, and is as sharp."""
    known = Spread(SCALES, (scale < SCALES).astype(float))  # all but sure: `scale` or the next that is looked at
    _, prior = _drawn(_Uniform(1, 0), 3, 20_000, 0.5, known)
    deviation = float(np.asarray(prior.sharpness)) ** -0.5
    assert scale / 1.25 <= deviation <= scale * 1.25
    assert np.mean(prior.centre) == pytest.approx(0, abs=0.05 * deviation)
    assert np.std(prior.centre) == pytest.approx(deviation, rel=0.03)


def test_without_a_spread_nothing_is_drawn() -> None:
    """Where there is no spread, strengths are pulled to nothing."""
    _, prior = _drawn(_Uniform(1, 0), 3, 5, 0.5, None)
    assert (np.asarray(prior.centre).tolist(), prior.sharpness) == ([0.0] * 5, 0.0)
