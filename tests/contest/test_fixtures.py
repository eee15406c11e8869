"""Places where a fault is the last one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dohyo.contest.fixtures import faults_last

SEATS = st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=6)


@given(SEATS)
def test_a_fault_is_the_last_place(seats: list[tuple[int, bool]]) -> None:
    """Whoever had a fault is behind all who had none, and level with the others; these keep their order."""
    places = tuple(1 + sum(other > own for other, _ in seats) for own, _ in seats)
    told = faults_last(places, tuple(("timeout",) if had else () for _, had in seats))
    clean = [at for at, (_, had) in enumerate(seats) if not had]
    assert {told[at] for at, (_, had) in enumerate(seats) if had} <= {len(clean) + 1}
    for one in clean:
        assert told[one] == 1 + sum(places[other] < places[one] for other in clean)


def test_without_faults_places_stay() -> None:
    """Where nobody had any fault, the list of them may be empty."""
    assert faults_last((2, 1, 2), ()) == (2, 1, 2)
    assert faults_last((1, 1), (("exited",), ("timeout",))) == (1, 1)
