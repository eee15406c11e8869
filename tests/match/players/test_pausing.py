"""Without pondering, whoever is not to move stands still."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.match.players.living import LONG, PROMPT, Workshop, living, stops
from tests.processes import every_pid

# A child counts as long as it runs; the program itself answers when the counter has moved.
COUNTER = """
import mmap
page = mmap.mmap(os.open("counter", os.O_RDWR), 8)
def count():
    return int.from_bytes(page[:8], "little")
if os.fork() == 0:
    while True:
        page[:8] = (count() + 1).to_bytes(8, "little")
say('READY\\n')
while asked():
    before = count()
    while count() == before:
        pass
    say('U\\n')
"""
BUSY = """
import time
say('READY\\n')
while asked():
    end = time.process_time() + 0.1
    while time.process_time() < end:
        pass
    say('U\\n')
"""


def states(group: int) -> set[str]:
    """The states of a group's processes."""
    found = set()
    for pid in every_pid():
        try:
            state, _, its_group = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(its_group) == group:
            found.add(state)
    return found


def await_standstill(group: int) -> None:
    """Return when the whole group is stopped: the signal has been sent, each takes note of it by itself."""
    for _ in range(int(LONG * 1000)):
        if states(group) == {"T"}:
            return
        os.sched_yield()
    pytest.fail(f"{states(group)}")


def test_who_is_not_to_move_stands_still(workshop: Workshop) -> None:
    """From being ready, and from each answer, until it is asked again; with all that it started."""
    workshop.pondering = False
    counter = workshop.folder / "counter"
    counter.write_bytes(bytes(8))
    players = workshop.start(COUNTER, BUSY)
    assert players.await_ready("READY", LONG) == {}
    group = living(players).process.pid
    before = b""
    for _ in range(3):
        await_standstill(group)
        assert counter.read_bytes() != before
        before = counter.read_bytes()
        assert players.ask({1: PROMPT}, {1: LONG}, stops)[1].reply == "U"
        assert counter.read_bytes() == before
        assert players.ask({0: PROMPT}, {0: LONG}, stops)[0].reply == "U"


def test_who_answers_first_stands_still_while_others_think(workshop: Workshop) -> None:
    """Where several are asked at once, each is stopped at its own answer."""
    workshop.pondering = False
    workshop.pipes("go")
    players = workshop.seat("asked()\nsay('U\\n')\nhang()", "asked()\nwait_for('go')\nsay('R\\n')\nhang()")
    first = living(players)
    sent = []
    look = players._poller.take_in

    def take_in(nanoseconds: int) -> None:
        if nanoseconds and first._paused and not sent:
            await_standstill(first.process.pid)
            sent.append(workshop.tell("go"))
        look(nanoseconds)

    players._poller.take_in = take_in  # type: ignore[method-assign]
    answers = players.ask({0: PROMPT, 1: PROMPT}, {0: LONG, 1: LONG}, stops)
    assert [answers[seat].reply for seat in range(2)] == ["U", "R"]


def test_with_pondering_nobody_is_stopped(workshop: Workshop) -> None:
    """The counter runs on while another is asked."""
    counter = workshop.folder / "counter"
    counter.write_bytes(bytes(8))
    players = workshop.start(COUNTER, BUSY)
    assert players.await_ready("READY", LONG) == {}
    assert "T" not in states(living(players).process.pid)
    before = counter.read_bytes()
    for _ in range(int(LONG * 10)):
        players.ask({1: PROMPT}, {1: LONG}, stops)
        if counter.read_bytes() != before:
            return
    pytest.fail("it stood still")


def test_a_paused_program_can_end_by_itself(workshop: Workshop) -> None:
    """At the end of a match it runs on, and reads the end of its input."""
    workshop.pondering = False
    players = workshop.seat("asked()\nsay('U\\n')\nsys.stdin.read()\ncomplain('farewell')")
    players.ask({0: PROMPT}, {0: LONG}, stops)
    await_standstill(living(players).process.pid)
    players.await_ends(lambda seat: b"", LONG)
    assert players.stop_all()[0].stderr == "farewell"


def test_a_paused_program_can_be_killed(workshop: Workshop) -> None:
    """It is gone, with its whole group, when it is stopped for good."""
    workshop.pondering = False
    (workshop.folder / "counter").write_bytes(bytes(8))
    players = workshop.start(COUNTER)
    players.await_ready("READY", LONG)
    group = living(players).process.pid
    await_standstill(group)
    players.stop(0)
    assert states(group) <= {"Z"}  # whoever collects orphans may take a moment
