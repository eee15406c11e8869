"""How many turns are judged in a time, and which."""

from __future__ import annotations

import itertools
import time

import pytest

from dohyo import games
from dohyo.guests.analysis import pace
from dohyo.guests.analysis.analysis import analyse
from dohyo.guests.analysis.chances import shown
from dohyo.guests.analysis.pace import Budget, Pace
from dohyo.guests.analysis.sentences import judged_in_words
from dohyo.i18n import ENGLISH
from tests.laws import matches


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The moment of `time.monotonic`, which the test moves."""
    moment = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: moment[0])
    return moment


def walked(now: list[float], turns: int, seconds: float, cost: float, measured: float) -> list[int]:
    """The turns that are judged in so many seconds, where one takes `cost`, and took `measured` when looked at."""
    told = Pace(Budget(seconds, None, 1), 1.0, turns)

    def look() -> None:
        now[0] += measured

    told.measure([(1.0, look)])
    found = []
    for begin in range(0, turns, 8):
        some = told.among(range(begin, min(begin + 8, turns)))
        now[0] += cost * len(some)
        found += some
    return found


def test_where_the_time_is_enough_all_turns_are_judged(now: list[float]) -> None:
    """A minute is enough for a hundred turns of a hundredth of a second."""
    assert walked(now, 100, 60.0, 0.01, 0.01) == list(range(100))


def test_as_many_turns_as_the_time_is_enough_for_evenly_spread(now: list[float]) -> None:
    """The end comes in time, the last turn is judged, and no gap is much wider than any other."""
    found = walked(now, 500, 60.0, 1.0, 0.5)
    assert now[0] - 100 < 70
    assert 20 < len(found) <= 60
    assert (found[0], found[-1]) == (0, 499)
    gaps = {after - before for before, after in itertools.pairwise(found[:-1])}
    assert max(gaps) <= 2 * min(gaps)


def test_the_time_holds_where_turns_take_longer_than_was_measured(now: list[float]) -> None:
    """Ten times as long as measured: fewer turns, to the end of the match, within a small factor of the time."""
    found = walked(now, 500, 20.0, 1.0, 0.1)
    assert now[0] - 100 < 20 + pace.FEWEST * 2 + 8
    assert found[-1] == 499


def test_a_few_turns_are_judged_however_short_the_time_is(now: list[float]) -> None:
    """Without any time left a curve still has some points, to its end."""
    found = walked(now, 500, 0.1, 1.0, 1.0)
    assert pace.FEWEST <= len(found) <= 2 * pace.FEWEST
    assert found[-1] == 499


def test_with_playouts_all_turns_are_judged(now: list[float]) -> None:
    """Who asks for a number of playouts does not ask for a time."""
    told = Pace(Budget(0.1, 10, 1), 1.0, 50)
    told.measure([(1.0, lambda: pytest.fail("measured"))])
    assert told.among(range(50)) == list(range(50))
    assert told.follow(6, 0, 10, 1000.0) == 6


def test_seats_are_given_up_where_following_them_takes_too_long(now: list[float]) -> None:
    """What seats know is followed through all turns: for as many of them as half of the time is enough for."""
    told = Pace(Budget(100.0, None, 1), 1.0, 101)
    assert told.follow(6, 0, 1, 0.1) == 6
    assert told.follow(6, 0, 1, 1.0) == 3
    assert told.follow(3, 0, 1, 1000.0) == 0


def test_turns_that_were_not_judged_are_not_made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The curve has points where turns were judged, and none between; it is said at the start and at the end.

    The clock here goes on by a thousandth of a second each time that somebody looks at it.
    """
    looks = itertools.count()
    monkeypatch.setattr(time, "monotonic", lambda: next(looks) / 1000)
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
