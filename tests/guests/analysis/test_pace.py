"""How many turns are judged in a time, and which."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence

import pytest

from dohyo import games
from dohyo.guests.analysis import pace
from dohyo.guests.analysis.analysis import analyse
from dohyo.guests.analysis.chances import shown
from dohyo.guests.analysis.order import Order
from dohyo.guests.analysis.pace import Budget, Pace, followed_on
from dohyo.guests.analysis.sentences import judged_in_words
from dohyo.i18n import ENGLISH
from tests.laws import matches


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The moment of `time.monotonic`, which the test moves."""
    moment = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: moment[0])
    monkeypatch.setattr(time, "thread_time", lambda: moment[0])
    return moment


Took = Callable[[float], float]


def walked(now: list[float], count: int, seconds: float, took: Took, measured: float) -> list[int]:
    """The places that are judged in so many seconds, in order.

    A look takes what it is given, and at least what `took` says at that moment after the start; it took `measured`
    when it was looked at.
    """
    begin, told, order = now[0], Pace(Budget(seconds, None, 1), 1.0), Order(count)

    def look(_: float) -> None:
        now[0] += measured

    told.measure(look)
    while not told.is_over(len(order.taken)) and (place := order.evenly()) is not None:
        each = told.each(count - len(order.taken) + 1)
        assert each is not None
        longer = max(each, took(now[0] - begin))
        now[0] += longer
        told.took(each, longer)
        order.put(place, (0.5, 0.5))
    return sorted(order.taken)


def gaps(places: Sequence[int]) -> list[int]:
    """How far each is from the next one."""
    return [after - before for before, after in itertools.pairwise(places)]


def test_where_the_time_is_enough_all_turns_are_judged(now: list[float]) -> None:
    """A minute is enough for a hundred turns of a hundredth of a second, and is used."""
    assert walked(now, 100, 60.0, lambda _: 0.01, 0.01) == list(range(100))
    assert now[0] - 100 == pytest.approx(60)


def test_as_many_turns_as_the_time_is_enough_for_evenly_spread(now: list[float]) -> None:
    """The end comes in time, the last turn is judged, and no gap is much wider than any other."""
    found = walked(now, 500, 60.0, lambda _: 1.0, 0.5)
    assert now[0] - 100 <= 61
    assert 20 < len(found) <= 60
    assert (found[0], found[-1]) == (0, 499)
    assert max(gaps(found)) <= 2 * min(gaps(found)) + 2


@pytest.mark.parametrize("slower", [1.0, 3.0, 10.0])
def test_the_time_holds_where_the_machine_gets_busier(now: list[float], slower: float) -> None:
    """Looks take ever longer: the end comes in time, but for one look, and what was judged is evenly spread."""
    found = walked(now, 500, 20.0, lambda at: 0.05 * (1 + slower * at), 0.05)
    longest = 0.05 * (1 + slower * 20)
    assert now[0] - 100 <= 20 + pace.FEWEST * longest
    if len(found) > pace.FEWEST:
        assert now[0] - 100 <= 20 + longest
    assert (found[0], found[-1]) == (0, 499)
    assert max(gaps(found)) <= 2 * min(gaps(found)) + 2


def test_a_few_turns_are_judged_however_short_the_time_is(now: list[float]) -> None:
    """Without any time left a curve still has some points, from its beginning to its end."""
    found = walked(now, 500, 0.1, lambda _: 1.0, 1.0)
    assert len(found) == pace.FEWEST
    assert (found[0], found[-1]) == (0, 499)


def test_with_playouts_all_turns_are_judged(now: list[float]) -> None:
    """Who asks for a number of playouts does not ask for a time."""
    budget = Budget(0.1, 10, 1)
    told = Pace(budget, 1.0)
    told.measure(lambda _: pytest.fail("measured"))
    now[0] += 100
    assert not told.is_over(50)
    assert (told.planned(50), told.each(50)) == (50, None)
    assert followed_on(budget, 1.0, 6, 1000.0) == 6


def test_seats_are_given_up_where_following_them_takes_too_long(now: list[float]) -> None:
    """As many are followed on as the time is enough for; the last one until it is over."""
    budget = Budget(100.0, None, 1)
    assert followed_on(budget, 0.5, 6, 10.0) == 6
    assert followed_on(budget, 0.5, 6, 100.0) == 3
    assert followed_on(budget, 0.5, 3, 1000.0) == 1
    now[0] += 60
    assert followed_on(budget, 0.5, 3, 1000.0) == 0


def test_turns_that_were_not_judged_are_not_made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The curve has points where turns were judged, and none between; it is said at the start and at the end.

    The clock here goes on by a thousandth of a second each time that somebody looks at it.
    """
    looks = itertools.count()
    for name in ("monotonic", "thread_time"):
        monkeypatch.setattr(time, name, lambda: next(looks) / 1000)
    game = games.find("shoot-em-up")
    replay = matches.play(game, 3).replay
    turns = len(replay.turns)
    plans: list[tuple[int, int]] = []
    found = analyse(replay, seconds=1.0, compiled=False, threads=1, on_plan=lambda *plan: plans.append(plan))
    assert next(looks) / 1000 < 3
    assert pace.FEWEST <= len(found.chances) < found.turns == turns
    assert found.chances[-1].turn == replay.turns[-1].turn
    assert len(plans) == 1
    assert plans[0][1] == turns
    assert {one.turn for one in found.seen} <= {one.turn for one in found.chances}
    assert f"The time was enough for {len(found.chances)} of {turns} turns" in judged_in_words(found, ENGLISH)
    page = shown(found, game, replay, ENGLISH)[0]
    rows = page["chances"][:-1]
    assert [at for at, row in enumerate(rows) if row] == [one.turn for one in found.chances]
