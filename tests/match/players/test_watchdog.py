"""A program that keeps a pipe locked cannot hold the referee, and a standstill is told from a program's doing."""

from __future__ import annotations

import os
import platform
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from dohyo.core.errors import MachineError
from dohyo.core.faults import FaultCode, FaultKind
from dohyo.interrupts import DeferSignals
from dohyo.match.players.per_match import PerMatchProcesses
from dohyo.match.processes import bot_process, watchdog
from dohyo.match.processes.bot_process import BotProcess, launched
from dohyo.match.processes.heartbeat import Heartbeat
from dohyo.match.processes.launch import abandon
from dohyo.match.processes.watchdog import MAX_HOLDS, NANO, NO_PIPE, SOME_PIPE, Blocked, Watchdog, blocked
from dohyo.system.proc import pipe_of
from tests.match.players.living import LONG, PROMPT, SHORT, Workshop, living, stops
from tests.processes import runs

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a thread waits for")

SPLICE = {"aarch64": "76 "}.get(platform.machine(), "275 ")  # the number of the call, as /proc tells it

# A socket on which nothing ever comes, into the pipe: the call keeps the pipe's lock while it waits.
HOLD = """
import socket
one, other = socket.socketpair()

def hold(descriptor):
    while True:
        os.splice(one.fileno(), descriptor, 4096)
"""


def test_a_program_that_locks_its_output_is_late(workshop: Workshop) -> None:
    """Who keeps the lock of its output is late when its time is over, and does not keep the referee."""
    players = workshop.seat(f"{HOLD}\nasked()\nhold(1)")
    answer = players.ask({0: PROMPT}, {0: SHORT}, stops)[0]
    assert (answer.reply, [fault.kind for fault in answer.faults]) == (None, [FaultKind.TIMEOUT])


def test_a_program_that_locks_its_errors_is_late(workshop: Workshop) -> None:
    """The same with standard error, in which something waits to be read."""
    players = workshop.seat(f"{HOLD}\nasked()\ncomplain('x')\nhold(2)")
    answer = players.ask({0: PROMPT}, {0: SHORT}, stops)[0]
    assert (answer.reply, [fault.kind for fault in answer.faults]) == (None, [FaultKind.TIMEOUT])


def test_a_program_that_locks_its_input_is_late(workshop: Workshop) -> None:
    """The same with its input, which it has opened for writing."""
    opens = "import threading\nown = os.open('/proc/self/fd/0', os.O_WRONLY)\n"
    starts = "threading.Thread(target=hold, args=(own,)).start()\nsay('U\\n')\nhang()"
    players = workshop.seat(f"{HOLD}{opens}asked()\n{starts}")
    assert players.ask({0: PROMPT}, {0: LONG}, stops)[0].reply == "U"
    answer = players.ask({0: PROMPT}, {0: SHORT}, stops)[0]
    assert (answer.reply, [fault.kind for fault in answer.faults]) == (None, [FaultKind.TIMEOUT])


LOCKED = f"{HOLD}\ncomplain('x')\nhold(2)"  # something waits to be read in the pipe whose lock it keeps


def holding(bot: BotProcess) -> BotProcess:
    """The bot, once it is in the call that keeps the lock."""
    while not _is_holding(bot.process.pid):
        assert bot.process.poll() is None
    return bot


def test_what_a_program_holds_is_not_the_others_time(workshop: Workshop) -> None:
    """Who answers while another one keeps its own pipe locked is charged for none of that."""
    players = workshop.start(LOCKED, "asked()\nsay('U\\n')\nhang()")
    holding(living(players))
    held, take_in = 0, players._poller.take_in

    def noted(nanoseconds: int) -> None:
        nonlocal held
        take_in(nanoseconds)
        held += sum(players._poller.held.values())

    players._poller.take_in = noted  # type: ignore[method-assign]
    begin = time.monotonic_ns()
    answers = players.ask({1: PROMPT}, {1: LONG}, stops)
    elapsed = time.monotonic_ns() - begin
    assert answers[1].reply == "U"
    assert held > 0
    assert (answers[1].seconds or 0) * NANO <= elapsed - held + NANO / 1000  # told to the microsecond


def test_a_program_that_does_it_again_and_again_is_killed(workshop: Workshop) -> None:
    """A program that has held the referee many times is ended, and its fault says why."""
    players = workshop.start(LOCKED)
    bot = holding(living(players))
    bot.holds = MAX_HOLDS
    answer = players.ask({0: PROMPT}, {0: LONG}, stops)[0]
    assert [fault.code for fault in answer.faults] == [FaultCode.HELD]
    assert bot.is_ended_for_holding


def test_who_left_its_group_is_killed_too(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a sandbox, what keeps the lock may be out of the program's group: it is found by the pipe."""
    monkeypatch.setattr(watchdog, "PATIENCE", 0.1)
    players = workshop.start(f"{HOLD}\ncomplain('x')\nif os.fork():\n    hang()\nos.setsid()\nhold(2)")
    bot = living(players)
    (child,) = _children(bot)
    while not _is_holding(child):
        assert bot.process.poll() is None
    answer = players.ask({0: PROMPT}, {0: LONG}, stops)[0]
    assert [fault.code for fault in answer.faults] == [FaultCode.HELD]
    assert not runs(child)


def test_a_pipe_that_we_have_closed_does_not_end_the_watchdog(workshop: Workshop) -> None:
    """A program that no longer reads is killed for holding as any other, and the next one that holds is late."""
    workshop.pipes("answered")  # it complains when nobody reads: what was read already, nobody waits for
    closes = "os.close(0)\nsay('U\\n' * 2)\nwait_for('answered')\n"
    players = workshop.start(f"asked()\n{closes}{LOCKED}", f"{HOLD}\nasked()\nhold(1)")
    first = living(players)
    assert players.ask({0: PROMPT}, {0: LONG}, stops)[0].reply == "U"
    assert players.ask({0: PROMPT}, {0: LONG}, stops)[0].reply == "U"
    assert not first.stdin_open
    workshop.tell("answered")
    holding(first)
    first.holds = MAX_HOLDS
    answer = players.ask({0: PROMPT}, {0: LONG}, stops)[0]
    assert [fault.code for fault in answer.faults] == [FaultCode.HELD]
    assert first.is_ended_for_holding
    answer = players.ask({1: PROMPT}, {1: SHORT}, stops)[1]
    assert [fault.kind for fault in answer.faults] == [FaultKind.TIMEOUT]


def _children(bot: BotProcess) -> list[int]:
    """The processes that a bot has started, once there are any."""
    found: list[int] = []
    while not found:
        told = Path(f"/proc/{bot.process.pid}/task/{bot.process.pid}/children").read_text()
        found = [int(word) for word in told.split()]
    return found


def _is_holding(pid: int) -> bool:
    """Whether a process is in the call that keeps the lock."""
    return Path(f"/proc/{pid}/syscall").read_text().startswith(SPLICE)


def test_a_signal_ends_a_match_that_is_held(workshop: Workshop) -> None:
    """Ctrl-C takes effect while a program keeps its pipe locked."""
    with DeferSignals() as signals:
        launch = workshop.launch(LOCKED)
        players = PerMatchProcesses([BotProcess(launch.command, launch.folder)], signals)
        try:
            holding(living(players))
            reader = threading.get_native_id()
            interrupter = threading.Thread(target=_interrupt, args=(reader,))
            interrupter.start()
            with pytest.raises(KeyboardInterrupt):
                players.ask({0: PROMPT}, {0: 1000 * LONG}, stops)
            interrupter.join()
        finally:
            players.stop_all()


def _interrupt(reader: int) -> None:
    """Send Ctrl-C to ourselves once this thread is held."""
    while blocked(reader) is None:
        time.sleep(0)  # let others have Python's lock
    signal.raise_signal(signal.SIGINT)


# --- what the watchdog does, step by step


class Program:
    """A program of a group of its own that only exists as numbers."""

    def __init__(self) -> None:
        self.holds = 0
        self.is_ended_for_holding = False
        self.is_paused = False
        self.group = 4_000_000


class World:
    """A watchdog whose looks and signals are the test's, for one program with the descriptors 5 and 6."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *seen: Blocked | None) -> None:
        self._seen = list(seen)
        self.signals: list[int] = []
        self.watchdog = Watchdog(self._look)
        self.program = Program()
        monkeypatch.setattr(self.watchdog, "_run", lambda: None)  # the test looks
        monkeypatch.setattr(watchdog, "pipe_of", lambda descriptor: "")  # whatever has these numbers in this process
        monkeypatch.setattr(watchdog, "end_users", lambda descriptors: None)  # these are not the program's
        monkeypatch.setattr(os, "killpg", lambda group, number: self.signals.append(number))
        self.watchdog.watch(self.program, [5, 6])

    def _look(self, thread: int) -> Blocked | None:
        return self._seen.pop(0) if len(self._seen) > 1 else self._seen[0]


HELD = Blocked(5, b"0 0x5")


def test_only_a_hold_that_lasts_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that is blocked at one look and not at the next was not held."""
    world = World(monkeypatch, HELD, None)
    world.watchdog.look()
    assert (world.signals, world.program.holds) == ([], 0)


def test_nobody_is_blamed_where_the_pipe_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the kernel does not say which pipe it is, programs are stopped for a moment, and none is killed."""
    held = Blocked(SOME_PIPE, b"...")
    world = World(monkeypatch, held, held, held, None)
    world.program.holds = MAX_HOLDS
    world.watchdog.look()
    assert world.signals == [signal.SIGSTOP, signal.SIGCONT]
    assert (world.program.holds, world.program.is_ended_for_holding) == (MAX_HOLDS, False)


@pytest.mark.parametrize("descriptor", [5, 6])
def test_who_holds_is_stopped_until_the_referee_is_free(monkeypatch: pytest.MonkeyPatch, descriptor: int) -> None:
    """The program is stopped, and goes on when that has helped."""
    held = Blocked(descriptor, b"...")
    world = World(monkeypatch, held, held, held, None)
    world.watchdog.look()
    assert (world.signals, world.program.holds) == ([signal.SIGSTOP, signal.SIGCONT], 1)


def test_who_is_paused_stays_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that is paused on purpose is not let go on."""
    world = World(monkeypatch, HELD, HELD, HELD, None)
    world.program.is_paused = True
    world.watchdog.look()
    assert world.signals == [signal.SIGSTOP, signal.SIGSTOP]


def test_who_cannot_be_stopped_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where stopping the program does not help, it is killed."""
    monkeypatch.setattr(watchdog, "PATIENCE", 0.0)
    world = World(monkeypatch, HELD)
    world.watchdog.look()
    assert world.signals[-1] == signal.SIGKILL
    assert world.program.is_ended_for_holding


def test_a_hold_that_lasts_is_no_standstill(monkeypatch: pytest.MonkeyPatch) -> None:
    """While stopping a program does not help, the watchdog goes on: that is no time of the machine."""
    monkeypatch.setattr(watchdog, "FREED", 0.0)
    world = World(monkeypatch, HELD)
    moment, told = watchdog.now(), 0

    def look(thread: int) -> Blocked | None:
        nonlocal moment, told
        told = max(told, world.watchdog.stood_still(moment - NANO, moment))
        moment += NANO // 50
        return HELD if moment < begun + 2 * NANO else None

    begun = moment
    monkeypatch.setattr(watchdog, "now", lambda: moment)
    monkeypatch.setattr(world.watchdog, "_look", look)
    world.watchdog.look()
    assert (world.program.holds, world.program.is_ended_for_holding, told) == (1, False, 0)


def test_a_pipe_that_was_closed_is_nobodys(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that has closed its input is not taken for the one whose pipe has that number now."""
    world, other = World(monkeypatch, HELD, HELD, HELD, None), Program()
    world.watchdog.forget_pipe(world.program, 5)
    world.watchdog.watch(other, [5, 7])
    world.watchdog.look()
    assert (world.program.holds, other.holds) == (0, 1)


def test_the_closed_input_of_a_program_is_forgotten(workshop: Workshop) -> None:
    """The same with a program that plays."""
    bot = living(workshop.seat("asked()\nsay('U\\n')\nhang()"))
    number = bot.stdin
    bot.close_input()
    assert number not in watchdog.WATCHDOG._watched[id(bot)].descriptors


def test_without_room_for_a_thread_nothing_is_left(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no more threads can be started, that is said as of processes, and the program does not go on."""
    started: list[subprocess.Popen[bytes]] = []

    def refuse(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    def noted(process: subprocess.Popen[bytes]) -> None:
        started.append(process)
        abandon(process)

    launch = workshop.launch("hang()")
    monkeypatch.setattr(bot_process, "WATCHDOG", Watchdog())
    monkeypatch.setattr(bot_process, "abandon", noted)
    monkeypatch.setattr(threading.Thread, "start", refuse)
    with pytest.raises(MachineError):
        launched(launch)
    (process,) = started
    assert not runs(process.pid)


def test_a_number_that_is_used_again_names_its_new_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    """A closed pipe's number may be another program's pipe by now: who had it before is not blamed."""
    reading, writing = os.pipe()
    world = World(monkeypatch, *[Blocked(reading, b"...")] * 3, None)
    monkeypatch.setattr(watchdog, "pipe_of", pipe_of)
    before, now = Program(), Program()
    world.watchdog.forget(world.program)
    world.watchdog.watch(before, [reading])
    os.close(reading)
    os.close(writing)
    again = os.pipe()
    assert reading in again
    world.watchdog.watch(now, again)
    world.watchdog.look()
    assert (before.holds, now.holds) == (0, 1)
    for descriptor in again:
        os.close(descriptor)


@pytest.mark.parametrize("descriptor", [NO_PIPE, 7])
def test_what_is_no_programs_pipe_is_a_standstill(monkeypatch: pytest.MonkeyPatch, descriptor: int) -> None:
    """A thread that waits for a disk, or for another file, is held by no program: it stood still."""
    since = watchdog.now()
    world = World(monkeypatch, Blocked(descriptor, b"..."))
    world.watchdog.look()
    assert world.signals == []
    assert world.watchdog.stood_still(since, watchdog.now()) > 0


def test_a_stopped_process_is_a_standstill() -> None:
    """If this whole process does not run for a time, the watchdog says so; if it runs, it says nothing."""
    code = """
import os, subprocess, sys, time
from dohyo.match.processes.watchdog import NANO, WATCHDOG, now
from tests.match.players.test_watchdog import Program
program = Program()
WATCHDOG.watch(program, [])
stops = f"read go; kill -STOP {os.getpid()}; sleep 1; kill -CONT {os.getpid()}"
helper = subprocess.Popen(["sh", "-c", stops], stdin=-1)
since = now()
helper.communicate(b"go\\n")
print(WATCHDOG.stood_still(since, now()) >= 0.8 * NANO)
"""
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True)
    assert done.stdout == "True\n"


# --- what the heartbeat makes of it


def test_a_hold_does_not_void_a_match() -> None:
    """Time that went by in a read, while the watchdog went on, is no standstill of the machine."""
    moment, seen = 0, 0
    heartbeat = Heartbeat(lambda: moment, lambda: 0, lambda since, until: seen)
    heartbeat.start()
    moment = 2 * NANO
    heartbeat.go_on()
    assert heartbeat.missed == 0
    moment = 4 * NANO
    heartbeat.check(NANO // 100, is_poll=False)
    assert heartbeat.missed == 0
    moment, seen = 6 * NANO, NANO
    heartbeat.go_on()
    assert heartbeat.missed == NANO
    moment = 8 * NANO
    heartbeat.check(NANO // 100, is_poll=False)
    assert heartbeat.missed == 2 * NANO


def test_waiting_for_a_program_is_not_being_held() -> None:
    """A thread that sleeps in an ordinary read is not blocked: a signal wakes it."""
    code = """
import os, threading
from dohyo.match.processes.watchdog import blocked
read, write = os.pipe()
reader = threading.Thread(target=os.read, args=(read, 1))
reader.start()
while open(f"/proc/self/task/{reader.native_id}/stat").read().rpartition(")")[2].split()[0] != "S":
    pass
print(blocked(reader.native_id))
os.write(write, b"x")
"""
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True)
    assert done.stdout == "None\n"
    assert blocked(2**22 + 1) is None  # no such thread


def test_a_program_that_was_stopped_goes_on_with_its_turn(workshop: Workshop) -> None:
    """A program that the watchdog has stopped, taking it for a paused one, goes on when its turn does."""
    players = workshop.seat("asked()\nsay('U\\n')\nhang()")
    bot: BotProcess = living(players)
    bot.note_pause(True)
    bot.holds += 1
    os.killpg(bot.process.pid, signal.SIGSTOP)
    bot.note_pause(False)
    assert players.ask({0: PROMPT}, {0: LONG}, stops)[0].reply == "U"


FORKED = """
import os, sys
from dohyo.match.processes.watchdog import WATCHDOG
from dohyo.sandbox.monitor import MONITOR_THREAD
with WATCHDOG._lock, MONITOR_THREAD.lock:
    pid = os.fork()
    if pid == 0:
        free = WATCHDOG._lock.acquire(timeout=0.01) and MONITOR_THREAD.lock.acquire(timeout=0.01)
        os._exit(0 if free else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""


def test_a_lock_that_was_held_at_a_fork_is_free_in_the_child() -> None:
    """A thread that is not there in the child never lets go of it: the child has a lock of its own."""
    assert subprocess.run([sys.executable, "-c", FORKED], check=False).returncode == 0
