"""Before the first turn: no clock runs while programs start."""

from __future__ import annotations

import pytest

from dohyo.core.clock import Clock
from dohyo.core.referee import Referee
from dohyo.match.players.per_match import NANO
from dohyo.match.processes import poller
from dohyo.match.processes.process_tree import Used
from dohyo.match.running import Match
from dohyo.system import proc
from tests.match.players.living import LONG, Workshop
from tests.match.players.tiny import ROUNDS, tiny
from tests.skips import Reason, skip_for

# Computes for a while before it reads, more than a whole turn may take.
STARTS = """
import time
end = time.process_time() + 0.5
while time.process_time() < end:
    pass
while True:
    asked()
    say('1\\n')
"""
FIRST = 0.4  # seconds: less than the start takes


@pytest.fixture(autouse=True)
def linux() -> None:
    """Only Linux tells whether a program waits."""
    if proc.missing("fair"):
        skip_for(Reason.KERNEL, "this system does not tell who waits")


@pytest.mark.parametrize("others", [[], ["sys.exit(3)"], ["os.close(1)\nhang()"], ["say('x' * 3000000)\nhang()"]])
def test_all_come_to_their_first_read(workshop: Workshop, others: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """When this returns, who computes first has done so; who has ended or floods is waited for no longer."""
    monkeypatch.setattr(poller, "LONGEST_START", round(LONG * NANO))
    players = workshop.start(STARTS, *others)
    players.await_reading()
    program = players.programs[0]
    assert program is not None
    used = proc.computed(program.process)
    assert used >= 0.5


def test_who_never_reads(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who computes on and on is waited for only for a while."""
    monkeypatch.setattr(poller, "LONGEST_START", NANO // 10)
    players = workshop.start("while True: pass")
    players.await_reading()
    assert players.programs[0] is not None


@pytest.mark.parametrize(
    ("took", "waited", "over"),
    [(2.9, 0, False), (3.0, 0, True), (9.0, 6.1, False), (9.1, 6.0, True), (15.0, 14.0, True)],
)
def test_who_has_no_processor_may_start_longer(took: float, waited: float, over: bool) -> None:
    """For as long as one of its threads waits for one, but five times as long at most; seconds."""

    class Waits:
        """A program of two threads."""

        def look(self) -> Used:
            """What they have waited."""
            return Used(0, {}, {1: round(waited * NANO), 2: 5 * NANO if waited > 5 else 0})

        def is_modest(self) -> bool:
            """Whether one of them has a low priority: then what it waits is its own doing."""
            return modest

    for modest in (False, True):
        is_over = over or (modest and took >= 3)
        assert poller._has_had_its_time(Waits(), round(took * NANO)) is is_over  # type: ignore[arg-type]


def test_a_first_turn_without_the_start(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a program computes before it reads is charged to nobody: its first turn is in time."""
    monkeypatch.setattr(poller, "LONGEST_START", round(LONG * NANO))
    referee = Referee(tiny(frozenset()), {}, 2, 0)
    match = Match(referee, [workshop.launch(STARTS)] * 2, Clock(turn=LONG, first=FIRST, mode="cpu"))
    assert not match.play().unfinished
    assert [move.faults for turn in referee.turns for move in turn.moves] == [()] * 2 * ROUNDS
