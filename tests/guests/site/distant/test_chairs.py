"""A seat of a match whose bot is somewhere else, by a clock that only the test moves."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import Any

import pytest

from dohyo.guests.site.distant.chairs import LEAST_LOSS, Chair
from dohyo.guests.site.distant.delays import FIRST, GAIN, MOST, PATIENCE, Forgiveness
from dohyo.guests.site.distant.wire import Start

START = Start("m", "othello", 0, 2, {}, 1, 1.0, 1.0, "wall", 20.0, MOST, PATIENCE)


class Timer:
    """Something that is to be done at a moment."""

    def __init__(self) -> None:
        self.is_off = False

    def cancel(self) -> None:
        """Do not do it."""
        self.is_off = True


class Loop:
    """A loop whose time goes on when `pass_` says so."""

    def __init__(self) -> None:
        self.now, self._count = 0.0, 0
        self._due: list[tuple[float, int, Timer, Callable[[], None]]] = []

    def time(self) -> float:
        """The moment."""
        return self.now

    def call_at(self, at: float, act: Callable[[], None]) -> Timer:
        """Do it then."""
        self._count += 1
        timer = Timer()
        heapq.heappush(self._due, (at, self._count, timer, act))
        return timer

    def call_later(self, seconds: float, act: Callable[[], None]) -> Timer:
        """Do it in so many seconds."""
        return self.call_at(self.now + seconds, act)

    def pass_(self, seconds: float) -> None:
        """Let time go on."""
        end = self.now + seconds
        while self._due and self._due[0][0] <= end:
            self.now, _, timer, act = heapq.heappop(self._due)
            if not timer.is_off:
                act()
        self.now = end


class Way:
    """A connection whose other end the test is."""

    def __init__(self, loop: Loop) -> None:
        self.loop, self.is_open, self.delay, self.heard_at = loop, True, 0.0, 0.0
        self.rests = False
        self.said: list[bytes] = []
        self.pings: list[tuple[bytes, float]] = []

    def say(self, content: bytes) -> float:
        """Note a message."""
        self.said.append(content)
        return self.loop.time()

    def ping(self) -> bytes:
        """Note a ping."""
        self.pings.append((str(len(self.pings)).encode(), self.loop.time()))
        return self.pings[-1][0]

    def rest(self) -> None:
        """Note that it was silent."""
        self.rests = True


class Seat:
    """A chair, its way, and what it has told."""

    def __init__(self) -> None:
        self.loop = Loop()
        self.way = Way(self.loop)
        self.told: list[dict[str, Any]] = []
        self.chair = Chair(self.way, START, self.told.append, self.loop)  # type: ignore[arg-type]
        self.chair.begin()
        self.chair.answered(0, "", self.loop.now)
        self.told.clear()

    def pong(self, number: int = -1) -> None:
        """The pong to a ping comes now."""
        content, sent = self.way.pings[number]
        self.way.heard_at, self.way.delay = self.loop.now, self.loop.now - sent
        self.chair.ponged(content, self.way.delay)

    def answer(self, number: int, line: str = "x") -> str:
        """An answer comes now."""
        self.way.heard_at = self.loop.now
        return self.chair.answered(number, line, self.loop.now)

    def cut(self, left: bool = False) -> None:
        """The connection is lost now, or the bot has left."""
        self.way.is_open = False
        self.chair.lost(left=left)

    def back(self) -> None:
        """There is another one."""
        self.way.is_open = True
        self.way.heard_at = self.loop.now
        self.chair.back()


@pytest.fixture
def seat() -> Seat:
    """A seat whose bot is ready."""
    return Seat()


def test_an_answer_is_charged_less_the_ways_delay(seat: Seat) -> None:
    """Of the time until the answer, what the turn's ping took is given back."""
    seat.chair.ask("in", 1.0)
    seat.loop.pass_(0.2)
    seat.pong()
    seat.loop.pass_(0.3)
    assert seat.answer(1) == "counts"
    (told,) = seat.told
    assert told["took"] == pytest.approx(0.5)
    assert told["charged"] == pytest.approx(0.3)
    assert told["delay"] == pytest.approx(0.2)


def test_nobody_is_given_back_more_than_the_bound(seat: Seat) -> None:
    """Who answers each ping late, to be given time, gets in all what the bound says, and no more."""
    given, turns = 0.0, 40
    for number in range(1, turns + 1):
        seat.chair.ask("in", 5.0)
        seat.loop.pass_(2.0)
        seat.pong()
        seat.answer(number)
        told = seat.told.pop()
        given += told["took"] - told["charged"]
        assert told["took"] - told["charged"] <= MOST + 1e-9
    assert given <= FIRST + GAIN * turns + 1e-9


def test_forgiveness_grows_again_up_to_its_bound() -> None:
    """Who needs nothing for a while can be given the most for one answer."""
    quota = Forgiveness()
    for _ in range(20):
        assert quota.take(0.0) == 0.0
    assert quota.take(10.0) == MOST
    assert quota.take(10.0) == GAIN


def test_who_answers_the_last_ping_and_no_turn_is_late(seat: Seat) -> None:
    """When the time is over and a later ping's pong comes without an answer, the bot was asked, and is late."""
    seat.chair.ask("in", 1.0)
    seat.loop.pass_(0.01)
    seat.pong()
    seat.loop.pass_(1.5)
    assert not seat.told  # nobody knows yet
    seat.pong()
    (told,) = seat.told
    assert told["late"]
    assert told["number"] == 1
    assert seat.answer(1) == "late"  # it comes after all, and counts for nothing


def test_an_answer_that_was_stuck_on_the_way_counts(seat: Seat) -> None:
    """Where neither pong nor answer came in time, but then the answer first, the way was stuck, not the bot."""
    seat.chair.ask("in", 1.0)
    seat.loop.pass_(5.0)
    assert seat.answer(1) == "counts"
    (told,) = seat.told
    assert told["charged"] < 1.0
    assert told["took"] == pytest.approx(5.0)


def test_a_lost_connection_stops_the_clock(seat: Seat) -> None:
    """What is unanswered is sent again, and the time between the two connections is not the bot's."""
    seat.chair.ask("in", 1.0)
    seat.loop.pass_(0.25)
    seat.pong()
    seat.loop.pass_(0.25)
    seat.cut()
    seat.loop.pass_(10.0)
    before = len(seat.way.said)
    seat.back()
    assert b'"start"' in seat.way.said[before]
    assert b'"turn"' in seat.way.said[before + 1]
    seat.loop.pass_(0.1)
    assert seat.answer(1) == "counts"
    (told,) = seat.told
    assert told["took"] == pytest.approx(0.35)  # up to the last sign of it, and since it is back
    assert told["lost"] == pytest.approx(10.25)


def test_an_answer_that_was_lost_counts_when_it_comes_again(seat: Seat) -> None:
    """Whose answer went down with its connection may send it once more, even where its time was almost over."""
    seat.chair.ask("in", 1.0)
    seat.loop.pass_(0.01)
    seat.pong()
    seat.loop.pass_(0.98)
    seat.way.heard_at = seat.loop.now  # by some other ping
    seat.cut()
    seat.loop.pass_(3.0)
    seat.back()
    seat.loop.pass_(0.3)
    seat.pong()  # a library answers pings at once, whatever its program has to do first
    seat.loop.pass_(0.2)
    assert seat.answer(1) == "counts"
    assert seat.told[0]["charged"] < 1.0
    assert seat.answer(1) == "stale"  # once


def test_a_match_waits_for_lost_connections_up_to_its_patience(seat: Seat) -> None:
    """All lost time of a match together is bounded; then the bot is gone, and it is not said to be slow."""
    number = 1
    for _ in range(2):
        seat.chair.ask("in", 1.0)
        seat.cut()
        seat.loop.pass_(0.4 * PATIENCE)
        seat.back()
        seat.answer(number)
        number += 1
        assert seat.told.pop()["answer"] == "x"
    seat.chair.ask("in", 1.0)
    seat.cut()
    seat.loop.pass_(0.19 * PATIENCE)
    assert not seat.told
    seat.loop.pass_(0.02 * PATIENCE)
    (told,) = seat.told
    assert told["gone"] == PATIENCE
    assert "late" not in told


def test_who_cuts_its_own_connection_gains_no_more_than_the_patience(seat: Seat) -> None:
    """Each lost connection costs something, however short: thinking time cannot be made of many short ones."""
    gained, number = 0.0, 1
    for _ in range(200):
        seat.chair.ask("in", 1.0)
        seat.loop.pass_(0.99)
        seat.pong()
        seat.cut()
        seat.back()
        seat.loop.pass_(0.99)
        seat.answer(number)
        number += 1
        told = seat.told.pop()
        if "gone" in told or told["charged"] >= 1.0:
            break
        gained += told["took"] - 1.0
    assert gained <= PATIENCE
    assert number <= PATIENCE / LEAST_LOSS + 2


def test_who_is_asked_while_it_is_not_connected_is_waited_for(seat: Seat) -> None:
    """A connection that is lost between two turns costs nothing before the next question, and then its patience."""
    seat.cut()
    seat.loop.pass_(5 * PATIENCE)
    seat.chair.ask("in", 1.0)
    seat.loop.pass_(2.0)
    seat.back()
    seat.loop.pass_(0.1)
    assert seat.answer(1) == "counts"
    assert seat.told[0]["charged"] == pytest.approx(0.1)


def test_what_was_never_asked_is_known(seat: Seat) -> None:
    """An answer to a turn that was not asked is told from one that comes again or late."""
    assert seat.answer(1) == "never-asked"
    seat.chair.ask("in", 1.0)
    assert seat.answer(2) == "never-asked"
    assert seat.answer(1) == "counts"
    assert seat.answer(1) == "stale"
    assert seat.answer(0) == "stale"


def test_a_silent_peer_is_gone_and_not_slow(seat: Seat) -> None:
    """Where nothing is heard any more, neither an answer nor a pong, the verdict is about the way."""
    seat.chair.ask("in", 1.0)
    seat.loop.pass_(1.0 + PATIENCE + 2.0)
    (told,) = seat.told
    assert told["gone"] == PATIENCE


def test_who_leaves_in_good_order_is_not_waited_for(seat: Seat) -> None:
    """A bot that says that it goes is out at once, or when it is asked next, unless it is back by then."""
    seat.cut(left=True)
    seat.back()
    seat.chair.ask("in", 1.0)
    seat.answer(1)
    assert seat.told.pop()["answer"] == "x"
    seat.cut(left=True)
    seat.chair.ask("in", 1.0)
    assert seat.told.pop()["left"]
    seat.back()
    seat.chair.ask("in", 1.0)
    seat.cut(left=True)
    assert seat.told.pop()["left"]


def test_who_is_silent_when_a_match_begins_is_given_no_other_soon() -> None:
    """A bot that takes matches and never begins with them does not keep a ladder waiting again and again."""
    seat = Seat()
    assert not seat.way.rests
    seat.chair.begin()
    seat.loop.pass_(START.ready + PATIENCE + 1)
    assert seat.told.pop()["gone"]
    assert seat.way.rests


def test_who_goes_before_its_match_begins_is_given_no_other_soon() -> None:
    """A bot that sees its seat and goes has no verdict, and cannot choose so what it plays."""
    seat = Seat()
    seat.cut(left=True)
    assert not seat.way.rests
    seat.back()
    seat.chair.begin()
    seat.cut(left=True)
    assert seat.told.pop()["left"]
    assert seat.way.rests
