"""Processes that are slow to end once they were killed: waited for, told of, at nobody else's cost."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from dohyo.core.clock import Clock
from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.core.referee import Answer, Referee
from dohyo.interrupts import DeferSignals
from dohyo.match.players import per_turn as per_turn_module
from dohyo.match.players.per_turn import PerTurnProcesses
from dohyo.match.processes import ending
from dohyo.match.running import Match
from dohyo.system import scheduler
from tests.match.players.living import LONG, PROMPT, Time, Workshop, stops
from tests.match.players.tiny import tiny

SLOW = 8.0  # seconds: longer than nobody minds


class Undying:
    """Lets the processes of some bots run on, as far as anybody can see, for so many seconds of its own clock."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, seconds: float, *bots: str) -> None:
        self.now = 0.0
        self.kills = 0
        self._seconds = seconds
        self._bots = bots
        self._dead: dict[int, float] = {}
        self._left = ending._left
        monkeypatch.setattr(ending, "_left", self.left)
        told = {**vars(time), "monotonic": lambda: self.now, "sleep": self.sleep}
        monkeypatch.setattr(ending, "time", SimpleNamespace(**told))

    def sleep(self, seconds: float) -> None:
        """A moment of which nobody knows how long it is."""
        self.now += 1.0

    def left(self, process: subprocess.Popen[bytes]) -> list[int]:
        """The members of a process's group; of one that is slow a member whose number nobody has."""
        found = self._left(process)
        if found or not any(bot in str(process.args) for bot in self._bots):
            return found
        since = self._dead.setdefault(process.pid, self.now)
        self.kills += 1
        return [1 << 30] if self.now - since < self._seconds else []


def overdue(seconds: float = 8.0, code: FaultCode = FaultCode.KILL_SLOW) -> Fault:
    """What is told of one."""
    return Fault(FaultKind.NOT_ENDED, code, {"seconds": seconds})


@pytest.fixture
def made() -> Iterator[list[PerTurnProcesses]]:
    """Processes made in a test; whatever still runs is ended after it."""
    made: list[PerTurnProcesses] = []
    yield made
    for per_turn in made:
        per_turn.stop_all()


def test_a_group_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The seconds until the last of a group has ended are told; it is killed again and again meanwhile."""
    undying = Undying(monkeypatch, SLOW, "sleep")
    process = subprocess.Popen(["sleep", "60"], start_new_session=True)
    ending.kill(process)
    assert ending.collect(process) == pytest.approx(SLOW, abs=0.01)
    assert undying.kills == SLOW + 1
    assert process.returncode == -9


def test_nobody_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """What does not end within our patience is left to the kernel, and that is told."""
    Undying(monkeypatch, 1e9, "sleep")
    process = subprocess.Popen(["sleep", "60"], start_new_session=True)
    ending.kill(process)
    assert ending.collect(process) == float("inf")


def test_a_slow_death_costs_the_others_nothing(
    workshop: Workshop, made: list[PerTurnProcesses], monkeypatch: pytest.MonkeyPatch
) -> None:
    """While one dies slowly another goes on, and is charged for its own time alone; the slow one's answer is void."""
    clock = Time()
    monkeypatch.setattr(per_turn_module, "monotonic_ns", clock)
    monkeypatch.setattr(scheduler, "cores", lambda: {0, 1})
    undying = Undying(monkeypatch, SLOW, "bot0.py")
    workshop.pipes("dying")
    launches = {
        seat: replace(workshop.launch(body), a_turn=True)
        for seat, body in enumerate(("say('slow')", "wait_for('dying')\nsay('in time')"))
    }
    per_turn = PerTurnProcesses(launches, DeferSignals())
    made.append(per_turn)
    told: list[bool] = []

    def collect(process: subprocess.Popen[bytes], patience: float | None = None) -> float:
        slow = "bot0.py" in str(process.args)
        if slow and patience is not None and not told:  # it is known to be dying, and the other one thinks
            told.append(workshop.tells("dying") or workshop.tell("dying") is None)
        if slow and patience is None:
            clock.nanoseconds += 3600 * per_turn_module.NANO
        return float("inf") if slow and patience is not None else real(process, patience)

    real = ending.collect
    monkeypatch.setattr(ending, "collect", collect)
    answers = per_turn.ask(0, {0: PROMPT, 1: PROMPT}, {0: LONG, 1: LONG})
    assert (answers[1].reply, answers[1].faults, answers[1].seconds) == ("in time", (), 0.0)
    assert (answers[0].reply, answers[0].faults) == (None, (overdue(),))
    assert undying.kills


def test_nobody_is_charged_for_clearing_away(
    workshop: Workshop, made: list[PerTurnProcesses], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An hour that it takes to remove what one program has left is not charged to another that thinks meanwhile."""
    clock = Time()
    monkeypatch.setattr(per_turn_module, "monotonic_ns", clock)
    monkeypatch.setattr(scheduler, "cores", lambda: {0, 1})
    workshop.pipes("cleared")
    bodies = ("say('first')", "wait_for('cleared')\nsay('second')")
    launches = {seat: replace(workshop.launch(body), a_turn=True) for seat, body in enumerate(bodies)}
    per_turn = PerTurnProcesses(launches, DeferSignals())
    made.append(per_turn)
    stop = PerTurnProcesses._stop

    def slowly(of: PerTurnProcesses, seat: int, answer: Answer | None = None) -> None:
        stop(of, seat, answer)
        if seat == 0:
            clock.nanoseconds += 3600 * per_turn_module.NANO
            workshop.tell("cleared")

    monkeypatch.setattr(PerTurnProcesses, "_stop", slowly)
    answers = per_turn.ask(0, {0: PROMPT, 1: PROMPT}, {0: LONG, 1: LONG})
    assert [(answers[seat].reply, answers[seat].seconds) for seat in (0, 1)] == [("first", 0.0), ("second", 0.0)]


def test_nobody_is_charged_for_anothers_verdict(
    workshop: Workshop, made: list[PerTurnProcesses], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An hour that it takes to measure the folder of one that failed is not charged to another."""
    clock = Time()
    monkeypatch.setattr(per_turn_module, "monotonic_ns", clock)
    monkeypatch.setattr(scheduler, "cores", lambda: {0, 1})
    workshop.pipes("judged")
    bodies = ("sys.exit(3)", "wait_for('judged')\nsay('second')")
    launches = {seat: replace(workshop.launch(body), a_turn=True) for seat, body in enumerate(bodies)}
    per_turn = PerTurnProcesses(launches, DeferSignals())
    made.append(per_turn)
    answer = per_turn_module.PerTurnProcess.answer

    def slowly(of: per_turn_module.PerTurnProcess, now: int) -> Answer | None:
        found = answer(of, now)
        if found is not None and of is per_turn._players[0]:
            clock.nanoseconds += 3600 * per_turn_module.NANO
            workshop.tell("judged")
        return found

    monkeypatch.setattr(per_turn_module.PerTurnProcess, "answer", slowly)
    answers = per_turn.ask(0, {0: PROMPT, 1: PROMPT}, {0: LONG, 1: LONG})
    assert (answers[1].reply, answers[1].faults, answers[1].seconds) == ("second", (), 0.0)


def test_the_place_of_one_that_dies_is_taken_after_its_end(
    workshop: Workshop, made: list[PerTurnProcesses], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On one core the next program is started when the one before it is gone, however long that takes."""
    monkeypatch.setattr(scheduler, "cores", lambda: {0})
    undying = Undying(monkeypatch, SLOW, "bot0.py")
    launches = {seat: replace(workshop.launch("say('x')"), a_turn=True) for seat in range(2)}
    began: list[float] = []
    start = PerTurnProcesses._start

    def noted(*words: object) -> object:
        began.append(undying.now)
        return start(*words)  # type: ignore[arg-type]

    monkeypatch.setattr(PerTurnProcesses, "_start", noted)
    per_turn = PerTurnProcesses(launches, DeferSignals())
    made.append(per_turn)
    answers = per_turn.ask(0, {0: PROMPT, 1: PROMPT}, {0: LONG, 1: LONG})
    assert answers[1].reply == "x"
    assert began[1] - began[0] >= SLOW


def test_an_end_that_takes_a_moment_is_none_of_these(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who ends within the seconds that nobody minds has no fault."""
    Undying(monkeypatch, 3.0, "bot0.py")
    players = workshop.seat("asked()\nsay('1\\n')\nhang()")
    assert players.ask({0: PROMPT}, {0: LONG}, stops)[0].faults == ()
    assert players.end(0).faults == ()


def test_who_fails_and_dies_slowly_has_both_faults(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fault that stops a program stays the last one, by which it is judged."""
    Undying(monkeypatch, SLOW, "bot0.py")
    players = workshop.seat("asked()\nsys.exit(3)")
    answer = players.ask({0: PROMPT}, {0: LONG}, stops)[0]
    assert answer.faults == (overdue(), Fault(FaultKind.EXITED, FaultCode.EXIT, status=3))


@pytest.mark.parametrize(
    ("seconds", "told"), [(SLOW, overdue()), (1e9, overdue(ending.PATIENCE, FaultCode.KILL_VERY_SLOW))]
)
def test_a_match_that_ends_slowly_counts(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, seconds: float, told: Fault
) -> None:
    """A bot that answers well and dies slowly when the match is over has a fault of its own; the result stands."""
    Undying(monkeypatch, seconds, "bot0.py")
    judge = Referee(tiny(frozenset()), {}, 2, 1)
    launches = [
        workshop.launch("while asked():\n    say('0\\n')"),
        workshop.launch("while asked():\n    say('1\\n')"),
    ]
    result = Match(judge, launches, Clock(turn=LONG)).play()
    assert (result.places, result.winner, result.unfinished) == ((2, 1), 1, False)
    assert [(move.seat, move.faults) for move in result.last] == [(0, (told,))]


if sys.platform != "linux":
    pytest.skip("what runs in a group is told by /proc alone", allow_module_level=True)
