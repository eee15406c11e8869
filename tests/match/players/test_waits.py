"""Whose waiting the fair clock forgives, on processors that are made up: the tests say who runs, waits and sleeps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo.match.processes import stopwatch
from dohyo.match.processes.process_tree import Pages, Used
from dohyo.match.processes.stopwatch import CLOSE, DOUBT, FAR, MAX_SPANS, NANO, Stopwatch, Waits

MILLI = 1_000_000
LIMIT = 0.5  # seconds
BEHIND = 10.5
RUNS, WAITS, SLEEPS = "rws"


class Processors:
    """Threads that run, wait and sleep as told; a wait is written down when it is over, as the kernel does it."""

    def __init__(self, threads: int, processors: int = 2) -> None:
        self.now = 0
        self.forgiven = 0  # in which somebody waited
        self.ran = dict.fromkeys(range(threads), 0)
        self.waited = dict.fromkeys(range(threads), 0)
        self._waiting = dict.fromkeys(range(threads), 0)
        self.late_at: int | None = None
        self.looks = 0
        self.watch = Stopwatch("fair", self, lambda: 0, self, processors)
        self.slept = 0

    def look(self) -> Used:
        """What is written down."""
        self.looks += 1
        return Used(sum(self.ran.values()), dict(self.ran), dict(self.waited), len(self.ran) == 1)

    glance = look

    def runnable(self) -> dict[int, int]:
        """Those that wait."""
        return {thread: self.ran[thread] for thread, waiting in self._waiting.items() if waiting}

    def pages(self, in_doubt: bool = False) -> Pages:
        """None was read."""
        return Pages()

    def is_modest(self) -> bool:
        """It is not."""
        return False

    def close(self) -> None:
        """Nothing to do."""

    def before(self) -> list[int]:
        """Nothing is ever stolen here."""
        return [0]

    def since(self, before: list[int], is_enough: Callable[[int], bool]) -> int:
        """Nothing."""
        return 0

    def start(self) -> None:
        """A turn begins now."""
        self.began = self.now
        self.watch.start(LIMIT, BEHIND)
        self.watch.asked(is_whole=True)

    def live(self, milliseconds: float, does: Mapping[int, str]) -> None:
        """For so long the threads do this; those that are not named sleep. It is looked at when that is due."""
        left = int(milliseconds * MILLI)
        while left > 0 and self.late_at is None:
            step = min(left, MILLI // 4)
            left, self.now = left - step, self.now + step
            self.forgiven += step if WAITS in does.values() else 0
            for thread in self.ran:
                what = does.get(thread, SLEEPS)
                if what == WAITS:
                    self._waiting[thread] += step
                    continue
                self.waited[thread], self._waiting[thread] = self.waited[thread] + self._waiting[thread], 0
                self.ran[thread] += step if what == RUNS else 0
            if self.watch.is_late(self.now - self.began, is_done=False):
                self.late_at = self.now - self.began

    def answer(self) -> int:
        """The answer is there: what is charged for it."""
        self.live(0.25, {})
        self.watch.is_late(self.now - self.began, is_done=True)
        return self.watch.charged


def burst(machine: Processors, first: int) -> None:
    """All threads from the `first` on want to run 0.6 ms each, on two processors."""
    waiting = list(range(first, len(machine.ran)))
    while waiting:
        running, waiting = waiting[:2], waiting[2:]
        machine.live(0.6, {**dict.fromkeys(waiting, WAITS), **dict.fromkeys(running, RUNS)})


def test_who_sleeps_after_a_burst_is_late() -> None:
    """That 110 of its processes waited side by side for 33 ms frees nobody from more than these."""
    machine = Processors(111)
    machine.start()
    burst(machine, 1)
    machine.live(2000, {})
    assert machine.late_at is not None
    assert machine.late_at <= LIMIT * NANO + 40 * MILLI


def test_who_computes_in_turns_after_a_burst_is_late() -> None:
    """Nor does it free two helpers, neither of which runs for as long as the limit."""
    machine = Processors(113)
    machine.start()
    burst(machine, 3)
    machine.live(420, {1: RUNS})
    machine.live(420, {2: RUNS})
    assert machine.late_at is not None
    assert machine.late_at <= LIMIT * NANO + 40 * MILLI + FAR


@pytest.mark.parametrize("times", [1, 5, 40])
def test_bursts_add_up_to_no_more_than_they_last(times: int) -> None:
    """Waits at the same moment that end one after the other are one wait."""
    machine = Processors(111)
    machine.start()
    for _ in range(times):
        burst(machine, 1)
        machine.live(5, {})
    assert machine.late_at is not None or machine.answer() >= times * 5 * MILLI


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("slices", [1, 4, 15])
def test_who_waits_in_turn_is_forgiven_each_wait(threads: int, slices: int) -> None:
    """A shell awaits its child, a thread its collector: each needs little, and waits ten times as long before it."""
    machine = Processors(threads)
    machine.start()
    need = LIMIT * 1000 * 0.7 / slices / threads
    for _ in range(slices):
        for thread in range(threads):
            machine.live(10 * need, {thread: WAITS})
            machine.live(need, {thread: RUNS})
    assert machine.late_at is None
    # What a wait that ends between two looks shares with the next is all that may be lost, where one looks seldom.
    assert machine.answer() <= LIMIT * 0.7 * NANO + 2 * CLOSE + (threads > 1) * FAR * 2


def test_threads_side_by_side_are_forgiven_what_they_all_waited() -> None:
    """A search of four threads on a busy machine: they run and wait at the same moments."""
    machine = Processors(4, processors=4)
    machine.start()
    for _ in range(10):
        machine.live(400, dict.fromkeys(range(4), WAITS))
        machine.live(40, dict.fromkeys(range(4), RUNS))
    assert machine.late_at is None
    assert machine.answer() <= 410 * MILLI


def test_a_lonely_thread_is_not_looked_at_before_it_may_be_late() -> None:
    """Except when it is asked for the first time; several are, less and less often."""
    for threads, most in ((1, (6, 1)), (2, (30, 30))):
        machine = Processors(threads)
        for looks in most:
            machine.looks = 0
            machine.start()
            machine.live(LIMIT * 900, {0: RUNS})
            assert machine.looks <= looks
        assert machine.looks > 1 or threads == 1


DOES = st.lists(
    st.tuples(st.integers(1, 120), st.lists(st.sampled_from((RUNS, WAITS, SLEEPS)), min_size=3, max_size=3)),
    max_size=8,
)


@given(DOES)
def test_what_nobody_waited_for_is_charged(does: Sequence[tuple[int, list[str]]]) -> None:
    """Whatever threads do: no more is forgiven than the time in which one of them waited, but for the last span's."""
    machine = Processors(3, processors=3)
    machine.start()
    for milliseconds, what in does:
        machine.live(milliseconds, dict(enumerate(what)))
    if machine.late_at is None:
        assert machine.answer() >= machine.now - machine.forgiven - 2 * FAR * len(does)


def test_what_was_waited_in_excused_time_frees_nobody_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """While another's pipe held us, no clock ran: who waited then, and sleeps afterwards, is late all the same."""
    machine = Processors(1)
    monkeypatch.setattr(stopwatch, "monotonic_ns", lambda: machine.now)
    machine.start()
    machine.now = machine.began = machine.waited[0] = 2 * NANO
    machine.live(2000, {})
    assert machine.late_at is not None
    assert machine.late_at <= LIMIT * NANO * (1 + 1 / 15)  # one look's distance may be counted


def test_a_late_look_loses_no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """It judges an earlier moment: what was waited since then counts when its time has come."""
    machine = Processors(1)
    monkeypatch.setattr(stopwatch, "monotonic_ns", lambda: machine.now)
    machine.start()
    machine.now = machine.waited[0] = 100 * MILLI
    assert not machine.watch.is_late(40 * MILLI, is_done=False, until=40 * MILLI)
    machine.now = 110 * MILLI
    assert machine.answer() == 10.25 * MILLI


# --- the account itself


def test_a_number_that_is_another_threads_now() -> None:
    """Who waited less than before is somebody else, and is forgiven its own wait; who has ended keeps what it had."""
    waits = Waits({1: 50, 2: 7})
    waits.note(100, {1: 60, 2: 7}, 0)
    assert waits.counted == 10
    waits.note(200, {1: 30, 2: 7}, 0)
    assert waits.counted == 40
    waits.note(300, {2: 7}, 0)
    assert waits.counted == 40


def test_what_is_forgiven_is_not_kept_for_later() -> None:
    """Who ran all the time while another of its threads waited has nothing left for a sleep afterwards."""
    waits = Waits({1: 0})
    waits.note(100, {1: 0}, 100)
    waits.note(200, {1: 200}, 200)
    assert waits.counted == 100
    waits.note(201, {1: 200}, 200)
    assert waits.counted == 1
    waits.note(1000, {1: 200}, 200)
    assert waits.counted == 1


def test_what_was_waited_after_the_moment_that_is_looked_at_counts_at_the_next_look() -> None:
    """The referee looks late at what was until a moment before: what was waited since then is not lost."""
    waits = Waits({1: 0})
    waits.note(8, {1: 32}, 0, ago=44)  # 8 of it, at most, until that moment
    assert waits.counted == 8
    waits.note(52, {1: 32}, 0)
    assert waits.counted == 32
    waits.note(60, {1: 90}, 20, ago=5)  # the turn has no room for so much: most of it was before
    waits.note(100, {1: 90}, 30)
    assert waits.counted == 65
    waits.note(108, {1: 150}, 30, ago=50)  # it ran for 30 until then, and so waited for 78 at most
    assert waits.counted == 78
    waits.note(160, {1: 150}, 30)
    assert waits.counted == 65 + 60


@pytest.mark.parametrize(("second", "doubtful"), [(DOUBT, False), (DOUBT + 1, True)])
def test_doubt(second: int, doubtful: bool) -> None:
    """Only where a second thread waited can it be asked whether that was at the same moment."""
    waits = Waits({})
    waits.note(NANO, {1: NANO // 2, 2: second}, 0)
    assert waits.is_doubtful == doubtful
    waits.note(2 * NANO, {1: NANO, 2: second}, 0)
    assert not waits.is_doubtful


def test_a_long_turn_is_kept_short() -> None:
    """However often one looks, a single thread's waits all count, and no more is remembered than some spans."""
    waits = Waits({})
    for look in range(1, 3 * MAX_SPANS):
        waits.note(10 * look, {1: 9 * look}, look)
        assert len(waits._spans) <= MAX_SPANS
    assert waits.counted == 9 * look
