"""In which order turns are judged: evenly whenever it ends, then where a chance fell."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as some

from dohyo.guests.analysis.falls import FALL
from dohyo.guests.analysis.order import Order, halves

COUNTS = [*range(70), 127, 128, 129, 305, 1000]


@pytest.mark.parametrize("count", COUNTS)
def test_halves_are_all_turns_once(count: int) -> None:
    """Each turn comes once, the last one first, then the first one."""
    order = list(halves(count))
    assert sorted(order) == list(range(count))
    assert order[:2] == ([count - 1, 0] if count > 1 else [0] * count)


@pytest.mark.parametrize("count", COUNTS)
def test_halves_cover_evenly_whenever_they_end(count: int) -> None:
    """After each of them no gap is much wider than another; both halves of the match have as many."""
    order = list(halves(count))
    for done in range(2, count):
        places = sorted(order[:done])
        gaps = [after - before for before, after in pairwise(places)]
        assert max(gaps) <= 2 * min(gaps) + 2
        before = sum(2 * place < count - 1 for place in places)
        after = sum(2 * place > count - 1 for place in places)
        assert abs(before - after) <= 2 or min(gaps) == 1


def judged(order: Order, chance: Callable[[int], float], evenly: int, falls: int) -> list[int]:
    """The places that are judged: so many spread evenly, then so many in falls, as long as there are some."""
    for at in range(evenly + falls):
        place = order.evenly() if at < evenly else order.in_a_fall()
        if place is None:
            break
        order.put(place, (chance(place), 1 - chance(place)))
    return sorted(order.taken)


@given(some.integers(20, 2000), some.data())
def test_a_fall_between_two_judged_turns_is_halved_until_it_is_found(count: int, data: some.DataObject) -> None:
    """Wherever a chance falls at once, the turn before and the turn after are judged after a few more looks."""
    lost = data.draw(some.integers(0, count - 2))
    falls = data.draw(some.booleans())  # or it rises: then it is the other seat's that falls

    def chance(place: int) -> float:
        return 0.9 if (place <= lost) == falls else 0.1

    found = judged(Order(count), chance, 9, count.bit_length())
    assert {lost, lost + 1} <= set(found)
    assert len(found) <= 9 + count.bit_length()


def test_the_largest_fall_comes_first() -> None:
    """Of two falls the larger one is looked into first, though it comes later."""

    def chance(place: int) -> float:
        return 0.9 if place <= 70 else 0.6 if place <= 220 else 0.1

    order = Order(305)
    judged(order, chance, 9, 6)
    assert {220, 221} <= set(order.taken)
    assert not {70, 71} <= set(order.taken)
    assert order.falls()[0] == 220
    judged(order, chance, 0, 6)
    assert {70, 71} <= set(order.taken)
    assert order.falls() == [220, 70]


def test_what_is_no_fall_is_not_looked_into() -> None:
    """Where no chance fell by what is worth a look, and where a fall was found already, evenly is all there is."""
    order = Order(100)
    found = judged(order, lambda place: 0.5 + 0.99 * FALL * place / 100, 9, 9)
    assert len(found) == 9
    assert order.in_a_fall() is None
    assert order.evenly() not in found


def test_a_seat_that_is_asked_for_comes_first() -> None:
    """Its own turns are judged first, its falls are looked into, and those of others are not."""
    own = list(range(3, 300, 6))
    order = Order(305, own, 0)
    for _ in range(20):
        place = order.evenly()
        assert place is not None
        order.put(place, (0.9 if place <= 105 else 0.4, 0.9 if place <= 200 else 0.1))
    assert set(order.taken) - {304, 0} <= set(own)
    for _ in range(8):
        if (place := order.in_a_fall()) is not None:
            order.put(place, (0.9 if place <= 105 else 0.4, 0.9 if place <= 200 else 0.1))
    assert {105, 106} <= set(order.taken)
    assert not {200, 201} <= set(order.taken)


def test_side_by_side_no_two_go_to_one_place() -> None:
    """While a place is being judged, the next one is another: in the same fall, if there is none like it."""
    order = Order(1000)
    judged(order, lambda place: 0.9 if place <= 300 else 0.1, 9, 0)
    found = [order.in_a_fall() for _ in range(4)]
    assert len(set(found)) == 4
    assert all(place is not None and 250 <= place <= 375 for place in found)


def test_all_are_given_out_once() -> None:
    """In whatever way they are asked for, every place comes once, and then no more."""
    order, own = Order(60, range(0, 60, 3), 1), set(range(60))
    for at in range(100):
        place = (order.in_a_fall() if at % 2 else None) or order.evenly()
        if place is None:
            break
        order.put(place, (place % 7 / 7, 1 - place % 7 / 7))
    assert len(order.taken) == 60
    assert set(order.taken) == own
