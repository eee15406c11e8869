"""The first look at a match in a short time: what is judged of it, and that it ends."""

from __future__ import annotations

import time
from itertools import pairwise
from typing import Any

import pytest

from dohyo import games
from dohyo.core.playback import Moment
from dohyo.core.replay import Turn
from dohyo.guests.analysis import first_look, pace
from dohyo.guests.analysis.first_look import FirstLook, Found, Match
from dohyo.guests.analysis.pace import FEWEST, Budget
from dohyo.series.analyst import Judged

TURNS, LOST = 400, 105  # turns of a match, and the one in which it was lost
SECONDS = 10.0
LEAST = 0.04  # seconds that a look takes at least, at the start


class Clock:
    """The moment of `time.monotonic`: looks and steps move it, ever more as the machine gets `busier`."""

    def __init__(self, busier: float) -> None:
        self.now, self.busier = 0.0, busier

    def take(self, least: float, given: float | None) -> None:
        """Something takes what it is given, at least so much."""
        self.now += max(least * (1 + self.busier * self.now), given or 0.0)


class Judge:
    """In the place of an analyst: whoever moves in the turn `lost` throws the match away; no search."""

    proves = False

    def __init__(self, clock: Clock, lost: int) -> None:
        self.clock, self.lost = clock, lost
        self.looks: list[tuple[int, bool]] = []

    def judge(self, _: Any, *, seconds: float, playouts: int | None, deciding: bool, seed: int = 0) -> Judged:
        """The chances, after the time that it takes."""
        self.clock.take(LEAST, seconds if playouts is None else None)
        self.looks.append((seed, deciding))
        loser = 0.8 if seed <= self.lost else 0.1
        pair = (loser, 1 - loser) if self.lost % 2 == 0 else (1 - loser, loser)
        return Judged(pair, (0.01, 0.01), {}, 1, pair)


class Belief:
    """In the place of what follows a seat's knowledge: one world, in a time."""

    size, is_true, seconds = 1, False, None

    def __init__(self, clock: Clock, seat: int, least: float) -> None:
        self.clock, self.seat, self.least, self.followed = clock, seat, least, 0
        self.worlds: list[Any] = [None]

    def begin(self, *_: Any) -> None:
        """The match begins."""
        self.follow()

    def follow(self, *_: Any) -> None:
        """A turn was played."""
        self.followed += 1
        self.clock.take(self.least, None)


def looked(
    monkeypatch: pytest.MonkeyPatch,
    *,
    busier: float = 0.0,
    lost: int = LOST,
    seat: int | None = None,
    hides: float = 0.0,
    seconds: float = SECONDS,
) -> tuple[Found, Judge, Clock, list[Belief]]:
    """The first look at a match; `hides`: seconds to follow a seat through a turn, 0: nothing is hidden."""
    game, clock = games.find("shoot-em-up"), Clock(busier)
    for name in ("monotonic", "thread_time"):
        monkeypatch.setattr(time, name, lambda: clock.now)
    played = [Moment(Turn(10 + at), None, (at, None) if at % 2 == 0 else (None, at), (), None) for at in range(TURNS)]
    judge = Judge(clock, lost)
    seats = [] if not hides else [0, 1] if seat is None else [seat]
    beliefs = [Belief(clock, one, hides) for one in seats]
    judges: Any = [judge]
    given: Any = list(beliefs)
    match = Match(game, None, played, seat, given, judges, lambda *_: (), True)
    found = FirstLook(match, Budget(seconds, None, 1), 1.0, lambda _: None, lambda *_: None).look()
    return found, judge, clock, beliefs


@pytest.mark.parametrize(("turns", "judged"), [(TURNS, 2.5), (20, 1.0)])
def test_time_that_nobody_needed_is_for_the_curve(monkeypatch: pytest.MonkeyPatch, turns: int, judged: float) -> None:
    """What is left in the end judges more turns; where all were judged, each is judged again, for longer."""
    clock = Clock(0.0)
    for name in ("monotonic", "thread_time"):
        monkeypatch.setattr(time, name, lambda: clock.now)
    played = [Moment(Turn(at), None, (at, None), (), None) for at in range(turns)]
    judge: Any = Judge(clock, LOST)
    match = Match(games.find("shoot-em-up"), None, played, None, [], [judge], lambda *_: (), True)
    plans: list[tuple[int, int]] = []
    look = FirstLook(match, Budget(SECONDS, None, 1), 0.3, lambda _: None, lambda *plan: plans.append(plan))
    first = look.look()
    before, count, told = clock.now, len(first.places), len(plans)
    assert before < 0.35 * SECONDS
    if turns < TURNS:  # what decisions are worth is known by now: nobody waits for narrower bounds
        look.go_on(0.95, again=False)
        assert clock.now == before
    look.go_on(0.95, again=True)
    assert 0.9 * SECONDS < clock.now < SECONDS + LEAST
    assert len(first.places) >= judged * count
    assert first.playouts == sum(not deciding for _, deciding in judge.looks) - pace.LOOKS
    assert len(plans) == told, "how many turns are judged is told once"
    now = clock.now
    look.go_on(0.95, again=True)
    assert clock.now == now


BUSIER = [0.0, 0.3, 3.0]


@pytest.mark.parametrize("busier", BUSIER)
@pytest.mark.parametrize("hides", [0, 0.001, 0.05])
def test_the_end_comes_in_time_and_the_curve_is_evenly_spread(
    monkeypatch: pytest.MonkeyPatch, busier: float, hides: float
) -> None:
    """However busy the machine gets: it ends after a few looks more, and the whole match was looked at."""
    found, _, clock, _ = looked(monkeypatch, busier=busier, lost=TURNS, hides=hides)
    longest = LEAST * (1 + busier * SECONDS)
    assert clock.now <= SECONDS + FEWEST * longest + 32 * hides * (1 + busier * SECONDS)
    assert FEWEST <= len(found.places) < TURNS
    gaps = [after - before for before, after in pairwise(found.places)]
    assert max(gaps) <= 2 * min(gaps) + 2
    assert (found.places[0], found.places[-1]) == (0, TURNS - 1)
    assert [one.turn for one in found.chances] == [10 + place for place in found.places]


@pytest.mark.parametrize("busier", BUSIER)
@pytest.mark.parametrize("hides", [0, 0.001])
@pytest.mark.parametrize("seat", [None, LOST % 2])
def test_the_move_that_lost_the_match_is_judged(
    monkeypatch: pytest.MonkeyPatch, busier: float, hides: float, seat: int | None
) -> None:
    """Wherever it was, the turn before it and the turn after it are judged, and what its seat knew then."""
    found, _, _, _ = looked(monkeypatch, busier=busier, seat=seat, hides=hides)
    assert {LOST, LOST + 1} <= set(found.places)
    if hides:
        assert (10 + LOST, LOST % 2) in {(one.turn, one.seat) for one in found.seen}


def test_what_a_seat_knew_is_judged_in_turns_that_were_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decisions are those of the curve's turns, each by the seat that made it; the fall comes first, then evenly."""
    found, judge, _, beliefs = looked(monkeypatch, hides=0.001)
    assert {one.turn for one in found.seen} <= {one.turn for one in found.chances}
    assert all((one.turn - 10) % 2 == one.seat for one in found.seen)
    decided = [place for place, is_decision in judge.looks if is_decision][pace.LOOKS :]
    assert decided[0] == LOST
    assert decided[1:3] == [TURNS - 1, 0]
    assert {one.followed for one in beliefs} == {TURNS}


def test_only_the_seat_that_is_asked_for_is_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own turns come first; where the other one lost its chance is not looked for."""
    found, _, _, _ = looked(monkeypatch, seat=1 - LOST % 2, seconds=4.0)
    assert not {LOST, LOST + 1} <= set(found.places)
    assert all(place % 2 == 1 - LOST % 2 for place in found.places[1:-1])


def test_what_is_kept_of_a_long_match_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where memory is not enough for what seats knew in all turns, it is for the turns that matter most."""
    monkeypatch.setattr(first_look, "MEMORY", 3 * games.find("shoot-em-up").rules.LAYOUT.size)
    found, _, _, _ = looked(monkeypatch, hides=0.001)
    assert {one.turn - 10 for one in found.seen} == {LOST, TURNS - 1, 0}


def test_where_following_takes_too_long_the_seat_that_fell_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    """One seat is given up then, and it is the one that lost nothing."""
    found, _, _, beliefs = looked(monkeypatch, hides=0.006)
    assert beliefs[LOST % 2].followed == TURNS
    assert beliefs[1 - LOST % 2].followed < TURNS
    assert (10 + LOST, LOST % 2) in {(one.turn, one.seat) for one in found.seen}
