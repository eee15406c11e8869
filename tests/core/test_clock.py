"""Clocks as numbers: limits, the reserve, grace and strikes."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo.core.clock import Account, Clock, Strike

SECONDS = st.integers(0, 2_000_000).map(lambda micros: micros / 1_000_000)


def test_an_old_replays_clock_is_a_plain_watch() -> None:
    """What clocks wrote before they had modes is read as the same clock, and is written as it was."""
    for old in (b'{"turn":1.0,"preset":"online"}', b'{"turn":0.05,"first":1.0,"ready":2.0}'):
        clock = msgspec.json.decode(old, type=Clock)
        assert clock.is_plain
        assert not clock.has_reserve
        assert msgspec.json.encode(clock).replace(b'"ready":1.0,', b"").replace(b',"ready":1.0', b"") == old


@pytest.mark.parametrize(
    ("clock", "limit", "behind"),
    [
        (Clock(turn=0.05), 0.05, 0.05),
        (Clock(turn=0.05, mode="fair"), 0.05, 10.05),
        (Clock(turn=5, mode="cpu"), 5, 50),
        (Clock(turn=5, mode="cpu", wall=7.0), 5, 7),
        (Clock(turn=5, mode="cpu", wall=7.0), 9, 9),
    ],
)
def test_the_watch_behind(clock: Clock, limit: float, behind: float) -> None:
    """Ten times the limit or ten seconds more, or what the clock says; never less than the limit itself."""
    assert clock.behind(limit) == pytest.approx(behind)


@pytest.mark.parametrize(
    ("clock", "spares"),
    [
        (Clock(turn=1.0), True),
        (Clock(turn=1.0, mode="fair"), True),
        (Clock(turn=1.0, mode="fair", strikes=0, grace=1.0), True),
        (Clock(turn=1.0, mode="cpu"), False),
        (Clock(turn=1.0, bank=1.0), False),
        (Clock(turn=1.0, mode="fair", grace=1.0), False),
    ],
)
def test_where_being_in_time_by_the_watch_is_enough(clock: Clock, spares: bool) -> None:
    """Not where processor time counts, which may be more, nor where the replay tells what is left of a reserve."""
    assert clock.spares_the_quick == spares


@given(st.lists(SECONDS, max_size=30), SECONDS)
def test_overruns_eat_the_reserve(turns: list[float], bank: float) -> None:
    """What is left is the bank less all overruns, never less than nothing; who has not used it all is never late."""
    account = Account(Clock(turn=1.0, first=1.5, bank=bank))
    left = bank
    for number, seconds in enumerate(turns):
        is_first = number == 0
        limit = account.limit(is_first)
        assert limit == pytest.approx((1.5 if is_first else 1.0) + left)
        assert account.settle(seconds, is_first, answered=seconds < limit) is None
        left = max(0.0, left - max(0.0, seconds - (1.5 if is_first else 1.0)))
        assert account.bank == pytest.approx(left, abs=1e-5)


def test_strikes_are_counted() -> None:
    """Within the grace an answer counts and is a strike; with all strikes used there is no more grace."""
    account = Account(Clock(turn=1.0, grace=0.5, strikes=2))
    assert account.settle(0.9, False, True) is None
    assert account.limit(False) == 1.5
    assert account.settle(1.2, False, True) == Strike(1, 2, 0.2)
    assert account.settle(1.6, False, False) is None  # a time-out is no strike
    assert account.limit(False) == 1.5
    assert account.settle(1.4, False, True) == Strike(2, 2, 0.4)
    assert account.limit(False) == 1.0


def test_the_reserve_goes_before_the_grace() -> None:
    """A strike is only who is late although its reserve is empty."""
    account = Account(Clock(turn=1.0, bank=0.25, grace=0.5, strikes=1))
    assert account.limit(False) == 1.75
    assert account.settle(1.125, False, True) is None
    assert account.bank == 0.125
    assert account.settle(1.25, False, True) == Strike(1, 1, 0.125)
    assert (account.bank, account.limit(False)) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("clock", "typed"),
    [
        (Clock(turn=0.5), "0.5"),
        (Clock(turn=0.0, bank=1.0, increment=0.1), "1+0.1"),
        (Clock(turn=0.0, bank=90.0, moves=40, mode="fair"), "40/90+0,mode=fair"),
        (Clock(turn=0.1, bank=5.0, increment=0.2, moves=9), "0.1,bank=5,increment=0.2,moves=9"),
        (Clock(turn=0.1, first=1.0, preset="finals", grace=0.05, strikes=1), "finals,grace=0.05,strikes=1"),
        (Clock(turn=0.0, bank=10.0, increment=0.1, ready=60.0), "10+0.1,ready=60"),
        (Clock(turn=12345.678, grace=0.1, strikes=1_000_000), "12345.678,grace=0.1,strikes=1000000"),
    ],
)
def test_a_clock_as_it_is_typed(clock: Clock, typed: str) -> None:
    """All that was typed is told: increments and repeated times, too."""
    assert clock.typed == typed
