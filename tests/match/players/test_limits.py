"""Who is late and has run into a limit gets the limit's verdict, however it was late, and wherever that is judged."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.i18n import Message
from dohyo.interrupts import DeferSignals
from dohyo.match.players import per_match as per_match_module
from dohyo.match.players import per_turn as per_turn_module
from dohyo.match.players.per_turn import PerTurnProcesses
from dohyo.match.processes.bot_process import BotProcess
from tests.match.players.living import LONG, PROMPT, SHORT, Time, Workshop, await_output, living, stops

LATENESS = {FaultKind.TIMEOUT, FaultKind.NOT_READY, FaultKind.CLOSED}


def out(*also: Message) -> Fault:
    """The verdict on a program that was out of tasks, and what was seen besides."""
    return Fault(FaultKind.TASKS, FaultCode.TASKS, {"tasks": 128}, also=also)


@pytest.fixture(autouse=True)
def out_of_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every program has run into its limit of tasks, as its sandbox says."""

    def verdict(program: BotProcess, fault: Fault) -> Fault:
        return out(fault.happened) if fault.kind in LATENESS else fault

    monkeypatch.setattr(BotProcess, "verdict", verdict)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    """The players' clock, standing still."""
    time = Time()
    monkeypatch.setattr(per_match_module, "monotonic_ns", time)
    return time


def test_a_late_answer(workshop: Workshop, time: Time) -> None:
    """An answer that came after the limit."""
    players = workshop.seat("asked()\nsay('U\\n')\nhang()")
    time.pass_when(lambda: living(players).has_line, LONG)
    (fault,) = players.ask({0: PROMPT}, {0: LONG}, stops)[0].faults
    assert fault == out(Message("detail.answer-late"))


def test_no_answer(workshop: Workshop) -> None:
    """And none at all."""
    players = workshop.seat("asked()\nhang()")
    (fault,) = players.ask({0: PROMPT}, {0: SHORT}, stops)[0].faults
    assert fault == out(Message("detail.no-answer"))


def test_late_to_be_ready(workshop: Workshop, time: Time) -> None:
    """The word that it is ready, after the limit."""
    players = workshop.start("say('READY\\n')\nhang()")
    await_output(living(players).stdout)
    time.pass_after(looks=1, seconds=LONG)
    (fault,) = players.await_ready("READY", LONG)[0].faults
    assert fault == out(Message("detail.ready-late", {"word": "READY"}))


@pytest.mark.parametrize("came", [True, False], ids=["came late", "did not come"])
def test_its_late_answer_counts_for_no_other_turn(workshop: Workshop, time: Time, came: bool) -> None:
    """Where the game lets it go on: what was due in one turn is dropped in the next, as after a time-out."""
    workshop.pipes("late")
    wait = "" if came else "wait_for('late')\n"
    players = workshop.seat(f"asked()\n{wait}say('LATE\\n')\nasked()\nsay('U\\n')\nhang()")
    if came:
        time.pass_when(lambda: living(players).has_line, LONG)
    else:
        time.pass_after(looks=3, seconds=LONG)
    assert players.ask({0: PROMPT}, {0: LONG}, lambda _: False)[0].faults[0].kind is FaultKind.TASKS
    if not came:
        workshop.tell("late")
    answer = players.ask({0: PROMPT}, {0: LONG}, lambda _: False)[0]
    assert (answer.reply, answer.faults) == ("U", ())


ERRANDS: dict[str, tuple[Callable[[BotProcess], object], str]] = {
    "say('rest')": (
        lambda program: program.how_it_ended() is not None and not program.stdout_open,
        "detail.end-late",
    ),
    "say('rest')\nos.close(1)\nhang()": (
        lambda program: not program.stdout_open,
        "detail.closed",
    ),
    "say('rest')\nhang()": (lambda program: program.partial, "detail.no-end"),
}


@pytest.mark.parametrize("body", ERRANDS)
def test_a_process_that_lives_for_a_turn(workshop: Workshop, body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However its turn was too long."""
    clock = Time()
    monkeypatch.setattr(per_turn_module, "monotonic_ns", clock)
    sign, key = ERRANDS[body]
    per_turn = PerTurnProcesses({0: replace(workshop.launch(body), a_turn=True)}, DeferSignals())
    clock.pass_when(lambda: any(sign(player.process) for player in per_turn._running.values()), 2 * LONG)
    try:
        (fault,) = per_turn.ask(0, {0: b"e"}, {0: LONG})[0].faults
    finally:
        per_turn.stop_all()
    assert fault == out(Message(key))
