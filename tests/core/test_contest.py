"""The values that formats, stores and commands share; places where a fault is the last one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo.core.contest import Entrant, Version, faults_last, level

SEATS = st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=6)


@given(SEATS)
def test_a_fault_is_the_last_place(seats: list[tuple[int, bool]]) -> None:
    """Whoever had a fault has the very last place, and is level with nobody; the others keep their order."""
    places = tuple(1 + sum(other > own for other, _ in seats) for own, _ in seats)
    told = faults_last(places, tuple(("timeout",) if had else () for _, had in seats))
    clean = [at for at, (_, had) in enumerate(seats) if not had]
    assert {told[at] for at, (_, had) in enumerate(seats) if had} <= {len(seats)}
    assert not any(level(told)[at] for at, (_, had) in enumerate(seats) if had)
    for one in clean:
        assert told[one] == 1 + sum(places[other] < places[one] for other in clean)


def test_without_faults_places_stay() -> None:
    """Where nobody had any fault, the list of them may be empty."""
    assert faults_last((2, 1, 2), ()) == (2, 1, 2)
    assert faults_last((1, 1), (("exited",), ("timeout",))) == (2, 2)
    assert (level((1, 1)), level((2, 1, 2))) == ((1, 1), (1, 0, 1))
    assert level((2, 2)) == (0, 0)


@pytest.mark.parametrize(
    ("until", "absences", "batches"),
    [
        (None, (), [2, 3, 4, 5, 6, 7]),
        (5, (), [2, 3, 4]),
        (None, ((3, 5),), [2, 5, 6, 7]),
        (7, ((0, 4), (6, None)), [4, 5]),
        (2, (), []),
    ],
)
def test_an_entrant_plays_while_it_is_there(
    until: int | None, absences: tuple[tuple[int, int | None], ...], batches: list[int]
) -> None:
    """It plays from its first batch on, before the one with which it leaves, and not while it pauses."""
    entrant = Entrant(0, Version("a", ""), 2, until, absences)
    assert [batch for batch in range(8) if entrant.plays_in(batch)] == batches
