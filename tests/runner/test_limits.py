"""Who is late and has run into a limit gets the limit's verdict, however it was late, and wherever that is judged."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from dohyo.core.faults import Fault, FaultKind
from dohyo.interrupts import Shield
from dohyo.runner import errands as errands_room
from dohyo.runner import ring as ring_room
from dohyo.runner.errands import Errands
from dohyo.runner.program import Program
from tests.runner.living import LONG, PROMPT, SHORT, Time, Workshop, await_output, living, stops

LATENESS = {FaultKind.TIMEOUT, FaultKind.NOT_READY, FaultKind.CLOSED}
OUT = "more than 128 processes and threads; "


@pytest.fixture(autouse=True)
def out_of_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every program has run into its limit of tasks, as its house says."""

    def verdict(program: Program, fault: Fault) -> Fault:
        return Fault(FaultKind.TASKS, OUT + fault.detail) if fault.kind in LATENESS else fault

    monkeypatch.setattr(Program, "verdict", verdict)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    """The ring's clock, standing still."""
    time = Time()
    monkeypatch.setattr(ring_room, "monotonic_ns", time)
    return time


def test_a_late_answer(workshop: Workshop, time: Time) -> None:
    """An answer that came after the limit."""
    ring = workshop.seat("asked()\nsay('U\\n')\nhang()")
    time.pass_when(lambda: living(ring).has_line, LONG)
    (fault,) = ring.ask({0: PROMPT}, {0: LONG}, stops)[0].faults
    assert fault == Fault(FaultKind.TASKS, OUT + "the answer came too late")


def test_no_answer(workshop: Workshop) -> None:
    """And none at all."""
    ring = workshop.seat("asked()\nhang()")
    (fault,) = ring.ask({0: PROMPT}, {0: SHORT}, stops)[0].faults
    assert fault == Fault(FaultKind.TASKS, OUT + "no answer in time")


def test_late_to_be_ready(workshop: Workshop, time: Time) -> None:
    """The word that it is ready, after the limit."""
    ring = workshop.start("say('READY\\n')\nhang()")
    await_output(living(ring).stdout)
    time.pass_after(looks=1, seconds=LONG)
    (fault,) = ring.await_ready("READY", LONG)[0].faults
    assert fault == Fault(FaultKind.TASKS, OUT + "the line 'READY' came too late")


@pytest.mark.parametrize("came", [True, False], ids=["came late", "did not come"])
def test_its_late_answer_counts_for_no_other_turn(workshop: Workshop, time: Time, came: bool) -> None:
    """Where the game lets it go on: what was due in one turn is dropped in the next, as after a time-out."""
    workshop.pipes("late")
    wait = "" if came else "wait_for('late')\n"
    ring = workshop.seat(f"asked()\n{wait}say('LATE\\n')\nasked()\nsay('U\\n')\nhang()")
    if came:
        time.pass_when(lambda: living(ring).has_line, LONG)
    else:
        time.pass_after(looks=3, seconds=LONG)
    assert ring.ask({0: PROMPT}, {0: LONG}, lambda _: False)[0].faults[0].kind is FaultKind.TASKS
    if not came:
        workshop.tell("late")
    answer = ring.ask({0: PROMPT}, {0: LONG}, lambda _: False)[0]
    assert (answer.reply, answer.faults) == ("U", ())


ERRANDS: dict[str, tuple[Callable[[Program], object], str]] = {
    "say('rest')": (
        lambda program: program.how_it_ended() is not None and not program.stdout_open,
        "its process ended too late",
    ),
    "say('rest')\nos.close(1)\nhang()": (
        lambda program: not program.stdout_open,
        "closed its standard output and went on running",
    ),
    "say('rest')\nhang()": (lambda program: program.partial, "its process did not end in time"),
}


@pytest.mark.parametrize("body", ERRANDS)
def test_a_process_that_lives_for_a_turn(workshop: Workshop, body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However its turn was too long."""
    clock = Time()
    monkeypatch.setattr(errands_room, "monotonic_ns", clock)
    sign, detail = ERRANDS[body]
    errands = Errands({0: replace(workshop.launch(body), a_turn=True)}, Shield())
    clock.pass_when(lambda: any(sign(errand.program) for errand in errands._running.values()), 2 * LONG)
    try:
        (fault,) = errands.ask(0, {0: b"e"}, {0: LONG})[0].faults
    finally:
        errands.stop_all()
    assert fault == Fault(FaultKind.TASKS, OUT + detail)
