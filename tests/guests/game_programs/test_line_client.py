"""A dialogue with one program, line by line: what it wrote counts, not how it arrived."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic_ns
from typing import Any

import pytest

from dohyo.core.faults import Fault, FaultKind
from dohyo.guests.game_programs import line_client
from dohyo.guests.game_programs.line_client import LineClient
from dohyo.interrupts import DeferSignals
from dohyo.match.processes import poller as read_timer
from dohyo.match.processes.bot_process import LONGEST_LINE, MAX_QUEUED
from tests.match.players.living import LONG, SHORT, Workshop, await_output

Start = Callable[[str], LineClient]


@pytest.fixture
def start(workshop: Workshop) -> Iterator[Start]:
    """Start a program with this text after the prelude."""
    begun: list[LineClient] = []

    def begin(body: str) -> LineClient:
        launch = workshop.launch(body)
        begun.append(LineClient(launch.command, launch.folder, None, DeferSignals()))
        return begun[-1]

    yield begin
    for client in begun:
        client.stop()


def test_lines_come_one_at_a_time(start: Start) -> None:
    """However many were written at once, and in whatever pieces."""
    client = start("say('a\\nb')\nsay('c\\n\\nd\\n')\nwrite(1, b'\\xff\\x00\\r\\n')\nhang()")
    assert [client.receive(LONG) for _ in range(5)] == [b"a", b"bc", b"", b"d", b"\xff\x00\r"]


def test_lines_are_sent_as_they_are(start: Start) -> None:
    """Bytes in, bytes out."""
    client = start("for line in sys.stdin.buffer:\n    write(1, line)")
    for line in (b"a", b"", b"\xff\x00\r", b"x" * 50_000):
        client.send(line)
        assert client.receive(LONG) == line


def test_program_that_does_not_read_is_no_obstacle(start: Start) -> None:
    """What does not fit the pipe is sent while the program is waited for."""
    client = start("say('go\\n')\nfor line in sys.stdin.buffer:\n    pass\nsay('all\\n')\nhang()")
    assert client.receive(LONG) == b"go"
    for _ in range(40):
        client.send(b"x" * 50_000)
    client.close_input()
    assert client.receive(LONG) == b"all"


@pytest.mark.parametrize("ticks", [True, False])
def test_who_is_late_as_we_stood_still_is_waited_for(
    start: Start, monkeypatch: pytest.MonkeyPatch, ticks: bool
) -> None:
    """An answer that is not there when we go on after we were stopped comes later, and is no fault.

    That is so as often as it happens. A program that does not answer in its own time has a fault as ever.
    """
    client = start("for line in sys.stdin:\n    if line == 'go\\n':\n        say('M\\n')\nhang()")
    if not ticks:
        client._timer.stop()
    stood, waited = [0], [0]
    real, wait, tick = monotonic_ns, LineClient._wait, client._timer._break_in
    for module in (line_client, read_timer):
        monkeypatch.setattr(module, "monotonic_ns", lambda: real() + stood[0])

    def stopped(*given: Any) -> None:
        if not stood[0]:
            stood[0] = 3 * int(LONG * 1e9)
        tick(*given)

    def waiting(self: LineClient, milliseconds: float) -> bytes | None:
        waited[0] += 1
        if waited[0] < 3:
            stood[0] += 3 * int(LONG * 1e9)
            return None
        client.send(b"go")
        return wait(self, milliseconds)

    if client._timer.is_running:
        signal.signal(signal.SIGALRM, stopped)
    monkeypatch.setattr(LineClient, "_wait", waiting)
    assert client.receive(LONG) == b"M"
    monkeypatch.undo()
    assert isinstance(start("hang()").receive(0.01), Fault)


@pytest.mark.parametrize(
    "end", ["os.close(0)\nsay('closed\\n')\nhang()", "os.read(0, 1)\nsay('closed\\n')\nos._exit(3)"]
)
def test_program_that_stops_reading_in_the_midst(start: Start, end: str) -> None:
    """Input that is not wanted any more is dropped: what the program writes, and how it ends, is told as ever."""
    client = start(f"say('go\\n')\nos.read(0, 1)\n{end}")
    assert client.receive(LONG) == b"go"
    client.send(b"x" * 300_000)
    assert client.receive(LONG) == b"closed"
    client.send(b"more")
    if "_exit" in end:
        fault = client.receive(LONG)
        assert isinstance(fault, Fault)
        assert (fault.kind, fault.status) == (FaultKind.EXITED, 3)


def test_last_line_needs_no_newline(start: Start) -> None:
    """Once the output is closed, what is left is a line; then comes how the program ended."""
    client = start("say('a\\nb')\nsys.exit(4)")
    assert [client.receive(LONG) for _ in range(2)] == [b"a", b"b"]
    fault = client.receive(LONG)
    assert isinstance(fault, Fault)
    assert (fault.kind, fault.status) == (FaultKind.EXITED, 4)
    assert client.receive(LONG) == fault


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("os.kill(os.getpid(), 9)", FaultKind.KILLED),
        ("hang()", FaultKind.TIMEOUT),
        ("say('no newline')\nhang()", FaultKind.TIMEOUT),
        ("os.close(1)\nhang()", FaultKind.CLOSED),
    ],
)
def test_there_is_no_line(start: Start, body: str, kind: FaultKind) -> None:
    """Killed, late, closed its output: each is told apart."""
    client = start(body)
    if kind is FaultKind.CLOSED:
        await_output(client._program.stdout)  # its end; however late the program begins
    fault = client.receive(LONG if kind is FaultKind.KILLED else SHORT)
    assert isinstance(fault, Fault)
    assert fault.kind is kind


def test_program_that_ended_while_another_keeps_its_output(start: Start) -> None:
    """When the time is up, it is said that the program itself has ended."""
    client = start("if os.fork():\n    sys.exit(5)\nhang()")
    fault = client.receive(SHORT * 10)
    assert isinstance(fault, Fault)
    assert fault.kind in (FaultKind.EXITED, FaultKind.TIMEOUT)


@pytest.mark.parametrize("end", ["\\n", ""])
def test_line_that_is_too_long(start: Start, end: str) -> None:
    """A flood without a newline is one, also when the newline comes at last; the lines before it still count."""
    client = start(f"say('a\\n')\nsay('x' * {LONGEST_LINE + 1} + '{end}')\nhang()")
    assert client.receive(LONG) == b"a"
    fault = client.receive(LONG)
    assert isinstance(fault, Fault)
    assert fault.kind is FaultKind.OUTPUT


def test_longest_line_passes(start: Start) -> None:
    """The cap itself is allowed."""
    client = start(f"say('x' * {LONGEST_LINE} + '\\n')\nhang()")
    assert client.receive(LONG) == b"x" * LONGEST_LINE


def test_program_that_writes_ahead_is_held_up(start: Start) -> None:
    """Far more lines than anybody would queue are read one by one, without loss."""
    client = start("for number in range(100_000):\n    say(f'line {number}\\n' * 3)\nhang()")
    assert len("line 10000\n") * 300_000 > 3 * MAX_QUEUED
    for number in range(30_000):
        assert client.receive(LONG) == f"line {number // 3}".encode()


def test_standard_error_is_ours(workshop: Workshop, capfd: pytest.CaptureFixture[str]) -> None:
    """What the program complains of goes to our own standard error."""
    launch = workshop.launch("complain('ouch\\n')\nsay('a\\n')\nhang()")
    client = LineClient(launch.command, launch.folder, None, DeferSignals())
    assert client.receive(LONG) == b"a"
    client.stop()
    assert capfd.readouterr().err == "ouch\n"


def test_a_flood_of_errors_is_passed_on_whole(workshop: Workshop) -> None:
    """However much it is, nothing of it is lost, and the program's lines come meanwhile."""
    launch = workshop.launch("for number in range(3):\n    write(2, b'x' * 3_000_000)\n    say('a\\n')\nhang()")
    came: list[bytes] = []
    client = LineClient(launch.command, launch.folder, None, DeferSignals(), errors=came.append)
    try:
        for number in range(1, 4):
            assert client.receive(LONG) == b"a"
            client.pass_errors_on()
            assert sum(map(len, came)) >= number * 3_000_000
    finally:
        client.stop()
    assert b"".join(came) == b"x" * 9_000_000


def test_the_last_words_are_passed_on(workshop: Workshop) -> None:
    """What still lies in the pipe when the program is ended comes too; one that closes it early is no obstacle."""
    for body in ("complain('ouch')\nsay('a\\n')\nhang()", "complain('ouch')\nos.close(2)\nsay('a\\n')\nos._exit(3)"):
        launch = workshop.launch(body)
        came: list[bytes] = []
        client = LineClient(launch.command, launch.folder, None, DeferSignals(), errors=came.append)
        assert client.receive(LONG) == b"a"
        client.stop()
        assert b"".join(came) == b"ouch"


def test_it_has_a_session_of_its_own(start: Start) -> None:
    """So it has no terminal, whichever we have."""
    assert start("say(f'{os.getsid(0) == os.getpid()}\\n')\nhang()").receive(LONG) == b"True"


def test_everything_is_gone_after_stop(start: Start) -> None:
    """The program's children too, and what it wrote is forgotten; stopping twice does no harm."""
    client = start("os.fork()\nsay('a\\n')\nhang()")
    assert client.receive(LONG) == b"a"
    client.stop()
    client.stop()


def test_cores_are_given_back(start: Start, tmp_path: Path) -> None:
    """While the program lives, both are on one core; afterwards we may use all as before."""
    before = getattr(os, "sched_getaffinity", lambda _: set())(0)
    client = start(
        "say(f'{len(os.sched_getaffinity(0))}\\n' if hasattr(os, 'sched_getaffinity') else '1\\n')\nhang()"
    )
    assert client.receive(LONG) == b"1"
    client.stop()
    assert getattr(os, "sched_getaffinity", lambda _: set())(0) == before
    with pytest.raises(FileNotFoundError):
        LineClient((str(tmp_path / "nothing"),), str(tmp_path), None, DeferSignals())
    assert getattr(os, "sched_getaffinity", lambda _: set())(0) == before
    assert sys.platform != "linux" or before


# --- what fails while it is started, or ended


class TroubleError(Exception):
    """What no part of the code expects."""


def fail(*_: object, **__: object) -> None:
    """In the place of anything."""
    raise TroubleError


@pytest.mark.parametrize("part", ["Relay", "ReadTimer"])
def test_a_dialogue_that_fails_after_the_start(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    """The program is ended, its thread too, and this process may use the cores that it could before."""
    launch, cores = workshop.launch("hang()"), os.sched_getaffinity(0)
    threads = threading.active_count()
    monkeypatch.setattr(line_client, part, fail)
    with pytest.raises(TroubleError):
        LineClient(launch.command, launch.folder, None, DeferSignals())
    assert os.sched_getaffinity(0) == cores
    assert threading.active_count() == threads


def test_a_machine_without_room_for_a_thread(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """The dialogue's thread that cannot be started is told as any lack of room, and nothing is left."""
    launch, cores = workshop.launch("hang()"), os.sched_getaffinity(0)

    def refuse(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(line_client.threading.Thread, "start", refuse)
    with pytest.raises(OSError, match="start new thread") as found:
        LineClient(launch.command, launch.folder, None, DeferSignals())
    assert found.value.errno == errno.EAGAIN
    assert os.sched_getaffinity(0) == cores


def test_a_dialogue_ends_whatever_fails_in_its_end(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that cannot be ended keeps neither the program alive nor this process on one core."""
    launch, cores = workshop.launch("hang()"), os.sched_getaffinity(0)
    stop = line_client.Relay.stop
    monkeypatch.setattr(line_client.Relay, "stop", fail)
    begun = LineClient(launch.command, launch.folder, None, DeferSignals())
    with pytest.raises(TroubleError):
        begun.stop()
    stop(begun._relay)
    assert begun._program.process.returncode == -9
    assert os.sched_getaffinity(0) == cores
