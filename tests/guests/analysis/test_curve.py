"""A curve that matches mend: it goes to what they say, and says how sure that is."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo.guests.analysis.curve import Seen, mended

chances = st.floats(0.0, 1.0)


def test_without_matches_the_search_is_believed_within_its_spread() -> None:
    """The chance stays what the search judged; its bounds are as wide as the search is off."""
    for chance, low, high in mended([0.5] * 10, [0.01] * 10, {}, 1.0):
        assert chance == pytest.approx(0.5)
        assert (low, high) == pytest.approx((0.123, 0.877), abs=0.01)


def test_matches_move_the_curve_where_they_were_and_less_elsewhere() -> None:
    """Twenty matches that were all won say more of their own turn than of one far away."""
    found = mended([0.3] * 100, [0.01] * 100, {50: Seen(20, 20.0)}, 1.0)
    assert found[50][0] > 0.8 > found[60][0] > found[80][0] > 0.25
    assert found[50][1] > found[80][1]


def test_what_luck_does_not_decide_is_known() -> None:
    """Where all matches ended in the same state, the chance is that result, nearly for certain."""
    found = mended([0.5] * 20, [0.1] * 20, {10: Seen(2, 0.0, always=True)}, 1.0)
    assert found[10][0] < 0.02
    assert found[10][2] < 0.05


@given(
    st.lists(st.tuples(chances, chances), min_size=1, max_size=40),
    st.dictionaries(st.integers(0, 39), st.tuples(st.integers(1, 50), chances, st.booleans()), max_size=8),
    st.floats(0.0, 5.0),
)
def test_bounds_hold_the_chance(
    judged: list[tuple[float, float]], seen: dict[int, tuple[int, float, bool]], spread: float
) -> None:
    """Whatever was judged and seen, each chance lies between its bounds, and these from 0 to 1."""
    known = {
        at: Seen(times, share * times, always) for at, (times, share, always) in seen.items() if at < len(judged)
    }
    for chance, low, high in mended(*zip(*judged, strict=True), known, spread):  # type: ignore[misc]
        assert 0 <= low <= chance <= high <= 1


def test_bounds_hold_what_happens() -> None:
    """Where the difference wanders as the model says, 95 % bounds hold the truth at least nine times in ten."""
    luck, held, asked = random.Random(3), 0, 0
    for _ in range(200):
        drift, truth = luck.gauss(0, 1.5), []
        for _ in range(40):
            drift = 0.8187 * drift + luck.gauss(0, 1.5 * (1 - 0.8187**2) ** 0.5)
            truth.append(1 / (1 + 2.718281828**-drift))
        seen = {at: Seen(6, sum(luck.random() < truth[at] for _ in range(6))) for at in range(0, 40, 5)}
        for (_, low, high), true in zip(mended([0.5] * 40, [0.0] * 40, seen, 1.5), truth, strict=True):
            held, asked = held + (low <= true <= high), asked + 1
    assert held / asked >= 0.9


def test_what_was_seen_says_more_of_what_is_near() -> None:
    """Where turns between were not judged, a turn far away is corrected less than one that is near."""
    seen, judged = {0: Seen(50, 50.0)}, ([0.5] * 3, [0.0] * 3)
    (_, near, far), by_number = mended(*judged, seen, 1.5, [0, 1, 200]), mended(*judged, seen, 1.5)
    assert near[0] > 0.8
    assert far[0] == pytest.approx(0.5, abs=0.01)
    assert by_number == mended(*judged, seen, 1.5, [0, 1, 2])
    assert by_number[2][0] > 0.6
