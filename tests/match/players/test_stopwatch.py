"""Laws of the stopwatch, on a machine that is made up: what it used and waited for is what the test says."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo.core.clock import Mode
from dohyo.core.referee import Answer
from dohyo.match.processes import stopwatch
from dohyo.match.processes.process_tree import Pages, Used
from dohyo.match.processes.stopwatch import AGAIN, NANO, Stopwatch

LIMIT = 0.1  # seconds
BEHIND = 10.1
MILLI = 1_000_000


class Machine:
    """A program's tree and the time: `run` lets threads run, wait for a processor or sleep, all in milliseconds."""

    def __init__(self) -> None:
        self.now = self.ran = self.waited = self.own = self.taken = 0
        self.slept = 0
        self.waiting = 0  # not written down before the thread runs again
        self.threads: dict[int, int] = {}
        self.each: dict[int, int] = {}  # what each thread ran
        self.others: dict[int, int] = {}  # what other threads than the first waited
        self.looks = 0

    def look(self) -> Used:
        """What is written down."""
        self.looks += 1
        return Used(self.ran, dict(self.each), {0: self.waited, **self.others}, len(self.each) <= 1)

    def glance(self) -> Used:
        """The same."""
        return self.look()

    def runnable(self) -> dict[int, int]:
        """The threads that run or wait."""
        return dict(self.threads)

    def pages(self, in_doubt: bool = False) -> Pages:
        """None was read."""
        return Pages()

    def is_modest(self) -> bool:
        """It is not."""
        return False

    def close(self) -> None:
        """Nothing to do."""

    def own_wait(self) -> int:
        """What the referee waited."""
        return self.own

    def before(self) -> list[int]:
        """What the hypervisor has taken."""
        return [self.taken]

    def since(self, before: list[int], is_enough: Callable[[int], bool]) -> int:
        """And what since then."""
        return self.taken - before[0]

    def run(self, milliseconds: float, threads: int = 1) -> None:
        """So many threads run side by side."""
        self.waited, self.waiting = self.waited + self.waiting, 0
        self.now += int(milliseconds * MILLI)
        self.ran += int(milliseconds * MILLI) * threads
        self.threads = dict.fromkeys(range(threads), self.ran)
        for thread in range(threads):
            self.each[thread] = self.each.get(thread, 0) + int(milliseconds * MILLI)

    def wait(self, milliseconds: float) -> None:
        """The one thread is ready to run, and others do."""
        self.now += int(milliseconds * MILLI)
        self.waiting += int(milliseconds * MILLI)
        self.threads = {0: self.ran}

    def sleep(self, milliseconds: float) -> None:
        """Nobody runs or wants to."""
        self.waited, self.waiting = self.waited + self.waiting, 0
        self.now += int(milliseconds * MILLI)
        self.threads = {}

    def answer_seen(self, milliseconds: float) -> None:
        """The answer is written, and the referee has to wait until it can see it."""
        self.sleep(0)
        self.now += int(milliseconds * MILLI)
        self.own += int(milliseconds * MILLI)

    def stopwatch(self, mode: Mode, processors: int = 2) -> Stopwatch:
        """One that was started now, and not for the first time."""
        watch = Stopwatch(mode, self, self.own_wait, self, processors)
        watch.start(LIMIT, LIMIT)
        self.looks -= 1
        watch.start(LIMIT, LIMIT if mode == "wall" else BEHIND)
        return watch


@pytest.fixture
def machine() -> Machine:
    """A machine on which nothing has happened."""
    return Machine()


@pytest.mark.parametrize(("mode", "share", "slices"), list(product(("fair", "cpu"), (0.5, 0.99), (1, 7, 50))))
def test_under_heavy_load_no_honest_bot_is_late(machine: Machine, mode: Mode, share: float, slices: int) -> None:
    """Who needs less than its limit is in time, though it waits 40 times as long, whenever one looks meanwhile."""
    machine.ran = machine.waited = machine.own = 12345 * MILLI  # in earlier turns
    watch = machine.stopwatch(mode)
    need = LIMIT * 1000 * share / slices
    for _ in range(slices):
        for _ in range(4):
            machine.wait(10 * need)
            assert not watch.is_late(machine.now, is_done=False)
        machine.run(need)
        assert not watch.is_late(machine.now, is_done=False)
    machine.answer_seen(2000)
    assert not watch.is_late(machine.now, is_done=True)
    assert watch.charged == pytest.approx(LIMIT * share * NANO, rel=1e-3)
    assert watch.ran == pytest.approx(LIMIT * share * NANO, rel=1e-3)


@pytest.mark.parametrize("processors", [1, 2])
@pytest.mark.parametrize(("nanoseconds", "late"), [(-1, False), (0, True)])
@pytest.mark.parametrize("mode", ["wall", "fair", "cpu"])
def test_what_made_its_sandbox_is_not_the_programs(
    machine: Machine, mode: Mode, nanoseconds: int, late: bool, processors: int
) -> None:
    """What was used, waited for and slept before the program began is neither charged nor given to it."""
    watch = machine.stopwatch(mode, processors)
    watch.start(LIMIT, 100 * LIMIT, is_first=True)
    machine.run(LIMIT * 2000)
    machine.wait(LIMIT * 3000)
    machine.answer_seen(LIMIT * 1000)
    assert watch.start_again(lambda: False)
    machine.now = 0
    machine.run(LIMIT * 1000)
    machine.now += nanoseconds
    machine.ran += nanoseconds
    assert watch.is_late(machine.now, is_done=True) == late
    assert (watch.elapsed, watch.ran) == (machine.now, machine.now)
    assert watch.sign(Answer("x")).seconds == pytest.approx(LIMIT)


@pytest.mark.parametrize("mode", ["fair", "cpu"])
def test_a_turn_that_has_begun_does_not_begin_again(machine: Machine, mode: Mode) -> None:
    """Who is found to run already is charged for it."""
    watch = machine.stopwatch(mode)
    watch.start(LIMIT, 100 * LIMIT, is_first=True)
    machine.run(LIMIT * 1000)
    assert not watch.start_again(lambda: True)
    assert watch.is_late(machine.now, is_done=True)
    assert watch.charged == LIMIT * NANO


@pytest.mark.parametrize(("nanoseconds", "late"), [(-1, False), (0, True)])
@pytest.mark.parametrize("mode", ["wall", "fair", "cpu"])
def test_the_number_decides_in_every_mode(machine: Machine, mode: Mode, nanoseconds: int, late: bool) -> None:
    """A nanosecond before the limit counts, the limit does not."""
    watch = machine.stopwatch(mode)
    machine.run(LIMIT * 1000)
    machine.now += nanoseconds
    machine.ran += nanoseconds
    assert watch.is_late(machine.now, is_done=True) == late


@pytest.mark.parametrize("mode", ["fair", "cpu"])
def test_who_computes_without_end_is_late(machine: Machine, mode: Mode) -> None:
    """On a quiet machine it is found late at its limit, or at the look after that."""
    watch = machine.stopwatch(mode)
    while not watch.is_late(machine.now, is_done=False):
        machine.run((watch.next_look - machine.now) / MILLI)
    assert LIMIT * NANO <= machine.now <= LIMIT * NANO + AGAIN
    assert machine.looks <= 4


def test_who_sleeps_is_late_at_once_in_fair_and_by_the_watch_in_cpu(machine: Machine) -> None:
    """Sleep is charged in `fair`; `cpu` does not see it, and the watch behind it does."""
    watch = machine.stopwatch("fair")
    machine.sleep(LIMIT * 1000)
    assert watch.is_late(machine.now, is_done=False)
    assert not watch.by_watch
    machine.now = 0
    watch = machine.stopwatch("cpu")
    while not watch.is_late(machine.now, is_done=False):
        machine.sleep((watch.next_look - machine.now) / MILLI)
    assert machine.now == int(BEHIND * NANO)
    assert watch.by_watch


def test_a_wait_that_is_not_over_is_not_charged(machine: Machine) -> None:
    """Who has waited from the first moment on is not late before the watch behind the clock says so."""
    watch = machine.stopwatch("fair")
    while not watch.is_late(machine.now, is_done=False):
        machine.wait((watch.next_look - machine.now) / MILLI)
    assert machine.now == int(BEHIND * NANO)


@pytest.mark.parametrize(("taken", "late"), [(99, True), (101, False)])
def test_what_the_hypervisor_took_is_not_charged(machine: Machine, taken: int, late: bool) -> None:
    """A machine that stood still while its clock ran on makes nobody late."""
    watch = machine.stopwatch("fair")
    machine.run(LIMIT * 500)
    machine.now += int(LIMIT * 1500 * MILLI)
    machine.taken += taken * MILLI
    assert watch.is_late(machine.now, is_done=True) == late


@pytest.mark.parametrize(("taken", "late"), [(19, True), (21, False)])
def test_processor_time_that_was_taken_is_not_charged_either(machine: Machine, taken: int, late: bool) -> None:
    """What the kernel writes down as the program's own, and the hypervisor had, makes nobody late in cpu."""
    watch = machine.stopwatch("cpu")
    machine.run(LIMIT * 1000 + 20)
    machine.taken += taken * MILLI
    assert watch.is_late(machine.now, is_done=True) == late
    assert watch.ran == int((LIMIT * 1000 + 20) * MILLI)


def test_what_the_referee_slept_is_not_charged(machine: Machine) -> None:
    """Where it waits to learn what was taken while another was judged, this one does not pay."""
    machine.slept = 500 * MILLI
    watch = machine.stopwatch("fair")
    machine.sleep(LIMIT * 1500)
    machine.slept += int(LIMIT * 501 * MILLI)
    assert not watch.is_late(machine.now, is_done=True)


def test_what_the_referee_waits_is_no_gift_to_who_hangs(machine: Machine) -> None:
    """Who has not answered when the pipes are looked into again did not answer while the referee waited before."""
    watch = machine.stopwatch("fair")
    machine.answer_seen(20)  # before the input was sent
    watch.asked(is_whole=True)
    machine.sleep(80)
    machine.answer_seen(60)
    assert not watch.is_late(machine.now, is_done=False)  # an answer may have come that is not seen yet
    assert watch.next_look == machine.now
    assert watch.is_late(machine.now, is_done=False)
    assert watch.charged == 140 * MILLI


@pytest.mark.parametrize("is_whole", [True, False])
def test_an_answer_that_the_referee_did_not_see_is_in_time(machine: Machine, is_whole: bool) -> None:
    """What came while the referee waited is in time, also when it looked before; and so is who has no input yet."""
    watch = machine.stopwatch("fair")
    watch.asked(is_whole)
    machine.sleep(90)
    machine.answer_seen(500)
    assert not watch.is_late(machine.now, is_done=False)
    if not is_whole:
        assert not watch.is_late(machine.now, is_done=False)
    assert not watch.is_late(machine.now, is_done=True)


def test_an_input_in_two_parts(machine: Machine) -> None:
    """What the referee waited before it sent the second one is taken off once, also if it had looked before."""
    watch = machine.stopwatch("fair")
    watch.asked(is_whole=True)
    machine.sleep(90)
    machine.answer_seen(500)
    assert not watch.is_late(machine.now, is_done=False)
    watch.asked(is_whole=True)
    machine.sleep(5)
    assert not watch.is_late(machine.now, is_done=True)
    assert watch.charged == 95 * MILLI


def test_who_may_be_late_only_because_the_referee_stood_still_is_waited_for(machine: Machine) -> None:
    """For that much more, and then it is late for certain; an answer that comes meanwhile is judged by the limit."""
    spared = 70 * MILLI
    watch = machine.stopwatch("fair")
    machine.sleep(LIMIT * 1000 + 10)
    assert not watch.is_late(machine.now, is_done=False, spared=spared)
    assert watch.next_look == LIMIT * NANO + spared
    assert watch.is_late(machine.now, is_done=True, spared=spared)
    machine.sleep(60)
    assert watch.is_late(machine.now, is_done=False, spared=spared)


def test_what_was_read_later_is_charged_until_it_came(machine: Machine) -> None:
    """Our waits since then are in neither what it took nor what is taken off it; those before it was asked are."""
    watch = machine.stopwatch("fair")
    machine.answer_seen(50)
    watch.asked(is_whole=True)
    machine.sleep(120)
    machine.own += 30 * MILLI
    assert watch.is_late(machine.now, is_done=True, ago=80 * MILLI)
    assert watch.charged == 120 * MILLI


def test_threads_that_wait_for_each_other_gain_nothing(machine: Machine) -> None:
    """A hundred threads on two processors wait 98 hundredths of their time, and are charged for both processors."""
    watch = machine.stopwatch("fair")
    machine.run(LIMIT * 1000, threads=2)
    machine.others = dict.fromkeys(range(1, 100), int(0.98 * LIMIT * NANO))
    assert watch.is_late(machine.now, is_done=False)


def test_what_the_referee_waits_while_a_program_computes_is_no_gift(machine: Machine) -> None:
    """On a busy machine both want processors: what a single thread ran is charged, whoever waited meanwhile."""
    watch = machine.stopwatch("fair", processors=16)
    machine.run(LIMIT * 1500)
    machine.own += int(LIMIT * NANO)
    machine.others[1] = int(LIMIT * NANO)
    assert watch.is_late(machine.now, is_done=True)
    assert watch.charged == int(LIMIT * 1.5 * NANO)


def test_threads_side_by_side_are_charged_once_in_fair_and_each_in_cpu(machine: Machine) -> None:
    """What both processors did at once took a bot no longer; in `cpu` it was the processors' time."""
    for mode, charged in (("fair", 0.04), ("cpu", 0.08)):
        machine.now = 0
        watch = machine.stopwatch(mode)  # type: ignore[arg-type]
        machine.run(40, threads=2)
        assert not watch.is_late(machine.now, is_done=True)
        assert watch.charged == charged * NANO


def test_nothing_is_looked_at_before_it_is_due(machine: Machine) -> None:
    """Whatever wakes the poller, the system is asked at the beginning, and when the limit may have been reached."""
    watch = machine.stopwatch("fair")
    machine.sleep(LIMIT * 999)
    for _ in range(100):
        assert not watch.is_late(machine.now, is_done=False)
    assert machine.looks == 1


# What a program does, and for how many milliseconds each.
DOES = st.lists(
    st.tuples(st.sampled_from(("run", "two", "wait", "sleep", "answer_seen")), st.integers(1, 60)), max_size=6
)


def live(machine: Machine, does: list[tuple[str, int]]) -> None:
    """Let the program do so."""
    for what, milliseconds in does:
        if what == "two":
            machine.run(milliseconds, threads=2)
        else:
            getattr(machine, what)(milliseconds)


@given(DOES)
def test_in_fair_no_more_is_charged_than_the_watch_shows(does: list[tuple[str, int]]) -> None:
    """So whoever is in time by the watch needs no other look: quick loops play such turns."""
    machine = Machine()
    watch = machine.stopwatch("fair")
    live(machine, does)
    assert watch.is_late(machine.now, is_done=True) <= (machine.now >= LIMIT * NANO)
    assert watch.charged <= machine.now


@given(DOES, DOES, DOES)
def test_a_turn_that_was_begun_without_it_is_charged_no_more(
    earlier: list[tuple[str, int]], begun: list[tuple[str, int]], rest: list[tuple[str, int]]
) -> None:
    """Than by a stopwatch that was there from the beginning; and no less than what follows, nor of who only slept."""
    machine = Machine()
    late = machine.stopwatch("fair")
    late.mark()
    live(machine, earlier)
    machine.sleep(0)  # a wait that began before the turn is not the turn's
    start = machine.now
    exact = machine.stopwatch("fair")
    live(machine, begun)
    handed_over = machine.now
    late.go_on(LIMIT, BEHIND, handed_over - start)
    after = machine.stopwatch("fair")
    live(machine, rest)
    for watch, since in ((exact, start), (late, start), (after, handed_over)):
        watch.is_late(machine.now - since, is_done=True)
    assert after.charged <= late.charged or any(what == "wait" for what, _ in (*earlier, *begun))
    assert late.charged <= exact.charged
    assert late.ran >= exact.ran or any(what == "two" for what, _ in begun)
    if all(what == "sleep" for what, _ in (*earlier, *begun, *rest)):
        assert late.charged == exact.charged


def test_who_computed_in_earlier_turns_gains_nothing_by_that(machine: Machine) -> None:
    """Without load, a turn that was begun without the stopwatch is charged in full, and is late at its limit."""
    watch = machine.stopwatch("fair")
    watch.mark()
    machine.run(3000)
    start = machine.now
    machine.run(10)
    watch.go_on(LIMIT, BEHIND, machine.now - start)
    machine.run(LIMIT * 1000 - 10)
    assert watch.is_late(machine.now - start, is_done=True)
    assert (watch.charged, watch.ran) == (LIMIT * NANO, LIMIT * NANO)


@pytest.mark.parametrize("quick", [2, 0])
def test_of_a_turn_that_was_begun_without_it_no_less_is_told_than_ran(machine: Machine, quick: float) -> None:
    """However long the referee waited meanwhile: that may decide, and is not what an author is told."""
    watch = machine.stopwatch("fair")
    watch.mark()
    machine.run(quick)
    machine.own += 50 * MILLI
    start = machine.now
    machine.run(6)
    watch.go_on(LIMIT, BEHIND, machine.now - start)
    machine.run(4)
    assert not watch.is_late(machine.now - start, is_done=True)
    answer = watch.sign(Answer("d3"))
    assert (answer.seconds, answer.decided) == (0.010, 0.004)


def test_our_waits_hide_no_answer_where_none_is_there(machine: Machine) -> None:
    """Who sleeps while the referee has no processor is charged, if nothing had come when the referee looked."""
    charged = {}
    for is_silent in (True, False):
        watch = machine.stopwatch("fair")
        watch.mark()
        machine.own += 30 * MILLI  # in turns before
        start = machine.now
        machine.sleep(2)  # until its pipe had the input
        machine.own += 60 * MILLI
        machine.sleep(70)
        watch.go_on(LIMIT, BEHIND, machine.now - start, 0, 2 * MILLI, lambda said=is_silent: said)
        watch.asked(is_whole=True)
        machine.sleep(40)
        is_late = watch.is_late(machine.now - start, is_done=True)
        charged[is_silent] = watch.charged, is_late
    assert charged[True] == (110 * MILLI, True)
    assert charged[False] == (40 * MILLI, False)


def test_what_may_have_run_before_a_begun_turn_is_in_doubt(machine: Machine) -> None:
    """Of a turn that was begun without the stopwatch, the proof says how much of its time may be from before it."""
    watch = machine.stopwatch("fair")
    watch.mark()
    machine.run(40)
    start = machine.now
    machine.sleep(60)
    watch.go_on(LIMIT, BEHIND, machine.now - start)
    machine.run(10)
    machine.sleep(60)
    assert watch.is_late(machine.now - start, is_done=True)
    proof = watch.proof()
    assert proof is not None
    assert (proof.cpu, proof.doubt) == (0.05, 0.04)
    watch.start(LIMIT, BEHIND)
    machine.run(10)
    assert not watch.is_late(10 * MILLI, is_done=True)
    proof = watch.proof()
    assert proof is not None
    assert (proof.cpu, proof.doubt) == (0.01, 0.0)


def test_no_more_than_the_begun_part_of_a_turn_is_given(machine: Machine) -> None:
    """Both the program and the referee may have waited since the mark: for as long as that part together."""
    watch = machine.stopwatch("fair")
    watch.mark()
    machine.wait(50)
    machine.run(0)
    machine.own += 50 * MILLI
    start = machine.now
    machine.sleep(10)
    watch.go_on(LIMIT, BEHIND, machine.now - start)
    machine.sleep(20)
    watch.is_late(machine.now - start, is_done=True)
    assert watch.charged == 20 * MILLI


def test_marks_are_made_now_and_then(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking costs time: not again before a while has passed, and never where the clock needs none."""
    now = [0]
    monkeypatch.setattr(stopwatch, "monotonic_ns", lambda: now[0])
    watch = machine.stopwatch("fair")
    for now[0], looks in ((0, 2), (stopwatch.MARKS - 1, 2), (stopwatch.MARKS, 3)):
        watch.mark()
        assert machine.looks == looks
    plain = machine.stopwatch("wall")
    plain.mark()
    assert machine.looks == 4


@pytest.mark.parametrize(("ran", "seconds"), [(5.0, 0.005), (150.0, LIMIT - 1e-6)])
def test_no_less_is_told_than_the_program_ran(machine: Machine, ran: float, seconds: float) -> None:
    """An answer that came while nobody could look is in time by its earliest moment, which it did not take."""
    watch = machine.stopwatch("fair")
    machine.run(ran)
    assert not watch.is_late(10_000, is_done=True, ago=machine.now - 10_000)
    answer = watch.sign(Answer("d3"))
    assert (answer.seconds, answer.wall) == (seconds, seconds)
    assert (answer.cpu, answer.charged) == (ran / 1000, 0.00001)


def test_two_threads_on_two_processors_are_told_as_the_time_that_they_needed(machine: Machine) -> None:
    """At least: what both ran, by the number of processors; and never longer than the watch shows."""
    watch = machine.stopwatch("fair")
    machine.run(5, threads=2)
    machine.sleep(3)
    assert not watch.is_late(10_000, is_done=True, ago=machine.now - 10_000)
    assert watch.sign(Answer("d3")).seconds == 0.005
    again = machine.stopwatch("fair")
    machine.run(5)
    assert not again.is_late(10_000, is_done=True, ago=1_990_000)
    assert again.sign(Answer("d3")).seconds == 0.002


def test_who_waited_is_told_what_is_charged(machine: Machine) -> None:
    """Where the answer was seen at once, what decides and what is told are one number."""
    watch = machine.stopwatch("fair")
    machine.run(2)
    machine.sleep(20)
    assert not watch.is_late(machine.now, is_done=True)
    answer = watch.sign(Answer("d3"))
    assert (answer.seconds, answer.decided) == (0.022, None)
