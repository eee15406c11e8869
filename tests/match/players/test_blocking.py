"""A program may take back what it wrote before it was read; nobody waits for it then."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from tests.match.players.living import LONG, PROMPT, Workshop, await_output, living, stops

TOO_LONG = 2.0  # seconds; only a test that fails takes so long


@pytest.fixture
def alarm() -> Iterator[None]:
    """What blocks for ever ends as a failure."""

    def players(number: int, frame: object) -> None:
        raise AssertionError("the referee waits for what is not there")

    signal.signal(signal.SIGALRM, players)
    signal.setitimer(signal.ITIMER_REAL, TOO_LONG)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)


@pytest.mark.usefixtures("alarm")
def test_output_that_is_taken_back(workshop: Workshop) -> None:
    """After a blocking read: the poller saw something to read, and the program was quicker."""
    workshop.pipes("written", "back", "gone")
    players = workshop.seat(
        "own = os.open('/proc/self/fd/1', os.O_RDONLY)\nasked()\nsay('U')\ntell('written')\nwait_for('back')\n"
        "os.read(own, 100)\ntell('gone')\nasked()\nsay('U\\n')\nhang()"
    )
    program = living(players)
    program.block()
    program.send(PROMPT)
    workshop.wait_for("written")
    await_output(program.stdout)
    workshop.tell("back")
    workshop.wait_for("gone")
    program.read_output()  # what the poller does about what it saw
    assert program.is_tidy
    assert players.ask({0: PROMPT}, {0: LONG}, stops)[0].reply == "U"
