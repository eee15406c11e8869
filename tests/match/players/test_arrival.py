"""What comes while the referee itself cannot look is in time: when it came is known, and what it was that waited."""

from __future__ import annotations

import ctypes
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from dohyo.core.clock import Clock
from dohyo.interrupts import DeferSignals
from dohyo.match.players import per_turn
from dohyo.match.players.per_turn import PerTurnProcess, PerTurnProcesses
from dohyo.match.processes.bot_process import NANO
from dohyo.match.processes.poller import MILLISECOND, Poller, ReadTimer
from dohyo.match.processes.stopwatch import stopwatches
from dohyo.system import proc, scheduler
from tests.match.players.living import LONG, PROMPT, Workshop, stops

pytestmark = pytest.mark.skipif(not proc.IS_LINUX, reason="only Linux can measure by this clock")

LIMIT = 0.2  # seconds
HELD = 0.6  # seconds in which nothing of Python runs here


@contextmanager
def lock_held(poller: Poller, times: int = 1) -> Iterator[None]:
    """Another thread takes Python's lock while this one waits in a poll, and keeps it."""
    waits, original = threading.Event(), poller._poll.poll
    left = [times]

    def hold() -> None:
        for _ in range(times):
            waits.wait()
            waits.clear()
            ctypes.PyDLL(None).usleep(int(HELD * 1_000_000))

    class Poll:
        """The descriptors; the thread is woken right before the wait for them."""

        register, unregister = poller._poll.register, poller._poll.unregister

        @staticmethod
        def poll(milliseconds: float) -> list[tuple[int, int]]:
            if milliseconds > 0 and left[0]:
                left[0] -= 1
                waits.set()
            return original(milliseconds)

    poller._poll = Poll()  # type: ignore[assignment]
    holder = threading.Thread(target=hold)
    holder.start()
    try:
        yield
    finally:
        left[0] = 0
        waits.set()
        holder.join()


def test_an_answer_that_came_while_pythons_lock_was_held_is_in_time(workshop: Workshop) -> None:
    """A thread of ours held the lock: whoever answered soon is charged for that, although it was read much later."""
    workshop.clock = Clock(turn=LIMIT, mode="fair")
    # It is in time by far, and answers only when the lock is held, or nothing is tried.
    players = workshop.seat("import time\nasked()\ntime.sleep(0.03)\nsay('U\\n')\nhang()")
    with lock_held(players._poller):
        answer = players.ask({0: PROMPT}, {0: LIMIT}, stops, {0: LONG})[0]
    assert (answer.reply, answer.faults) == ("U", ())
    assert answer.seconds is not None
    assert answer.seconds < LIMIT


def test_what_it_computed_while_nobody_looked_is_told(workshop: Workshop) -> None:
    """The wait for its answer has ended long before it computed: that decides, but is not told as its time."""
    workshop.clock = Clock(turn=LONG, mode="fair")
    burns = "import time\nend = time.process_time() + 0.3\nwhile time.process_time() < end: pass"
    players = workshop.seat(f"asked()\n{burns}\nsay('U\\n')\nhang()")
    with lock_held(players._poller):
        answer = players.ask({0: PROMPT}, {0: LONG}, stops, {0: LONG})[0]
    assert (answer.reply, answer.faults) == ("U", ())
    assert (answer.cpu or 0) >= 0.3
    assert (answer.seconds or 0) >= 0.25  # what a thread ran is written down a tick later
    assert (answer.wall or 0) >= (answer.seconds or 0)


def test_who_answers_too_late_is_late_also_if_it_is_read_even_later(workshop: Workshop) -> None:
    """That we could not look changes nothing for it; its proof says what its time was."""
    workshop.clock = Clock(turn=LIMIT, mode="fair")
    players = workshop.seat("import time\nasked()\ntime.sleep(3)\nsay('U\\n')\nhang()")
    with lock_held(players._poller):
        (fault,) = players.ask({0: PROMPT}, {0: LIMIT}, stops, {0: LONG})[0].faults
    assert fault.code in ("answer-late", "no-answer")
    assert fault.proof is not None
    assert fault.proof.charged >= fault.proof.limit == LIMIT
    assert fault.proof.cpu < LIMIT


def test_who_says_nothing_is_told_so_only_of_what_was_seen(workshop: Workshop) -> None:
    """While the lock is held nobody sees whether an answer comes: that time is not charged, and then it is late."""
    workshop.clock = Clock(turn=LIMIT, mode="fair")
    players = workshop.seat("asked()\nhang()")
    with lock_held(players._poller):
        answer = players.ask({0: PROMPT}, {0: LIMIT}, stops, {0: LONG})[0]
    assert [fault.code for fault in answer.faults] == ["no-answer"]


def test_a_read_that_is_ended_late_tells_for_how_long_nothing_ran() -> None:
    """The timer's handler should have run at each tick of a read; between reads nobody counts."""
    read, write = os.pipe()
    timer = ReadTimer(0.005)

    def hold() -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])  # it would end this sleep
        ctypes.PyDLL(None).usleep(300_000)
        os.write(write, b"x")

    timer.start()
    if not timer.is_running:
        pytest.skip("another timer runs")
    try:
        begun = time.monotonic_ns()
        timer.end, timer.descriptor, timer.begun = 1 << 62, read, begun
        waker = threading.Thread(target=hold)
        waker.start()
        assert os.read(read, 1) == b"x"
        assert timer.late_since(begun) >= 200 * MILLISECOND
        assert timer.late_since(time.monotonic_ns()) == 0
    finally:
        timer.descriptor = -1
        timer.stop()
        waker.join()
        os.close(read)
        os.close(write)


@pytest.mark.parametrize(
    ("came", "took", "absent", "came_by"),
    [(False, 10, 110, 0), (False, 900, 110, 0), (True, 4, 100, 64), (True, 900, 100, 70)],
)
def test_by_when_something_came(
    monkeypatch: pytest.MonkeyPatch, came: bool, took: int, absent: int, came_by: int
) -> None:
    """A wait of 10 ms from 100 on, that took longer: what ended it came before its end, what did not come was absent.

    And what we did between this wait and the one before, which ended at 60, is not in it.
    """
    with DeferSignals() as signals:
        poller = Poller(signals)
    monkeypatch.setattr("dohyo.match.processes.poller.monotonic_ns", lambda: 60 * MILLISECOND)
    poller._note(0, 60 * MILLISECOND, False)
    now = (100 + took) * MILLISECOND
    monkeypatch.setattr("dohyo.match.processes.poller.monotonic_ns", lambda: now)
    poller._note(100 * MILLISECOND, 10 * MILLISECOND, came)
    assert poller.absent == absent * MILLISECOND
    if came:
        assert poller.came_by(5 * MILLISECOND, now) == came_by * MILLISECOND
    assert poller.came_by(101 * MILLISECOND, now) == now


def noted(monkeypatch: pytest.MonkeyPatch, *waits: tuple[float, float, float, float]) -> Poller:
    """A poller after these waits, which something ended: when each began, what it was to take at most, when it was
    over, and how long we were busy with programs' pipes afterwards; milliseconds."""
    with DeferSignals() as signals:
        poller = Poller(signals)
    for begin, wait, over, busy in waits:
        monkeypatch.setattr("dohyo.match.processes.poller.monotonic_ns", lambda now=over: round(now * MILLISECOND))
        poller._note(round(begin * MILLISECOND), round(wait * MILLISECOND), True)
        poller._handling += round(busy * MILLISECOND)
    return poller


@pytest.mark.parametrize(
    ("over", "busy", "next_begins", "came_by"),
    [
        (45, 0.0, 45.1, 48),  # a byte of its own, or another's answer, ended the wait before: it was one all the same
        (45, 40.0, 85.1, 88),  # and then it kept us in a read of its pipe
        (45, 0.0, 85.1, 48),  # we did something else for 40 ms
        (500, 0.0, 500.1, 3),  # that wait was too long: when what came in it came is not known
    ],
)
def test_who_ends_our_waits_itself_gains_nothing(
    monkeypatch: pytest.MonkeyPatch, over: float, busy: float, next_begins: float, came_by: float
) -> None:
    """Asked at 0, it answers 2.9 ms after the second wait began."""
    now = next_begins + 2.9
    poller = noted(monkeypatch, (0, 50, over, busy), (next_begins, 50, now, 0))
    assert poller.came_by(0, round(now * MILLISECOND)) == pytest.approx(came_by * MILLISECOND, abs=MILLISECOND)


def test_what_was_excused_is_not_excused_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The start of another program, say, by which all others' clocks start later."""
    poller = noted(monkeypatch, (0, 50, 10, 0))
    poller.excuse(30 * MILLISECOND)
    monkeypatch.setattr("dohyo.match.processes.poller.monotonic_ns", lambda: 45 * MILLISECOND)
    poller._note(40 * MILLISECOND, 50 * MILLISECOND, True)
    assert poller.came_by(30 * MILLISECOND, 45 * MILLISECOND) == 45 * MILLISECOND


def test_what_the_fast_path_has_read_came_when_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """The players look for more after that: this wait ended nothing that was there before."""
    poller = noted(monkeypatch, (0, 50, 10, 0), (104, 0, 104.1, 0))
    assert poller.came_by(100 * MILLISECOND, 104 * MILLISECOND) == 104 * MILLISECOND


def test_what_comes_after_the_fast_path_has_waited_is_charged_from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocking read is a wait, too: asked at 100, it was passed on at 106, and answers at 120."""
    poller = noted(monkeypatch, (0, 50, 10, 0))
    poller.note_absent(106 * MILLISECOND)
    monkeypatch.setattr("dohyo.match.processes.poller.monotonic_ns", lambda: 120 * MILLISECOND)
    poller._note(107 * MILLISECOND, 50 * MILLISECOND, True)
    assert poller.came_by(100 * MILLISECOND, 120 * MILLISECOND) == 120 * MILLISECOND


def test_who_writes_beside_its_answer_is_charged_as_others(workshop: Workshop) -> None:
    """What it thought before a byte on standard error is its time."""
    workshop.clock = Clock(turn=LONG, mode="fair")
    thinks = "asked()\n    time.sleep(0.04)\n    complain('x')\n    time.sleep(0.01)\n    say('U\\n')"
    players = workshop.seat(f"import time\nwhile True:\n    {thinks}")
    answers = [players.ask({0: PROMPT}, {0: LONG}, stops, {0: LONG})[0] for _ in range(5)]
    assert max(answer.wall or 0 for answer in answers) >= 0.04  # in some we may be held, and it is charged less


def test_who_runs_on_while_another_is_started_gains_nothing(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By `fair`, the start of another program counts for nobody who was seen to run on afterwards."""
    launches = {seat: workshop.launch("import time\ntime.sleep(0.4)\nsay('rest\\n')") for seat in range(2)}
    monkeypatch.setattr(scheduler, "cores", lambda: [0, 1])
    original = PerTurnProcess.ask
    begun: list[int] = []

    def slow(player: PerTurnProcess, prompt: bytes, turn: int) -> object:
        if begun:
            time.sleep(0.2)
        begun.append(turn)
        return original(player, prompt, turn)

    monkeypatch.setattr(PerTurnProcess, "ask", slow)
    players = PerTurnProcesses(launches, DeferSignals(), "", stopwatches(Clock(turn=LONG, mode="fair")))
    try:
        answers = players.ask(0, dict.fromkeys(range(2), b""), dict.fromkeys(range(2), LONG), {0: LONG, 1: LONG})
        assert answers[0].wall is not None
        assert answers[0].wall > 0.25  # of 0.4; it would be 0.2 if the start were excused
    finally:
        players.stop_all()


def test_the_start_of_another_program_is_not_charged(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two that are started for their turn, the first ends while the second is being started, and is in time."""
    launches = {seat: workshop.launch("say('rest\\n')") for seat in range(2)}
    clock = Clock(turn=2.0, mode="fair")
    monkeypatch.setattr(scheduler, "cores", lambda: [0, 1])
    begun: list[int] = []
    original = PerTurnProcess.ask

    def slow(player: PerTurnProcess, prompt: bytes, turn: int) -> object:
        if begun:
            monkeypatch.setattr(per_turn, "monotonic_ns", lambda: time.monotonic_ns() + 60 * NANO)
        begun.append(turn)
        return original(player, prompt, turn)

    monkeypatch.setattr(PerTurnProcess, "ask", slow)
    players = PerTurnProcesses(launches, DeferSignals(), "", stopwatches(clock))
    try:
        answers = players.ask(0, dict.fromkeys(range(2), b""), dict.fromkeys(range(2), LONG), {0: LONG, 1: LONG})
        assert [answer.faults for answer in answers.values()] == [(), ()]
        assert answers[0].seconds is not None
        assert answers[0].seconds < 30
    finally:
        players.stop_all()
