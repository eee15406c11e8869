"""Clock modes, reserves and strikes between real programs: with limits that only those exceed who must."""

from __future__ import annotations

import os
from typing import Any

import pytest
from msgspec.structs import replace

from dohyo import games
from dohyo.core.clock import Account, Clock, Mode
from dohyo.core.faults import BY_WALL, Fault, FaultCode, FaultKind
from dohyo.core.options import resolve
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import Move
from dohyo.games.drop_block import GAME
from dohyo.interrupts import DeferSignals
from dohyo.match.players.per_turn import PerTurnProcesses
from dohyo.match.players.players import Players
from dohyo.match.processes import bot_process, process_tree
from dohyo.match.processes.bot_process import BotProcess
from dohyo.match.processes.stopwatch import Stopwatch, stopwatches
from dohyo.match.running import Match
from dohyo.match.verdict import strike
from dohyo.system import proc
from tests.match.players.living import LONG, PROMPT, SHORT, Time, Workshop, living, stops
from tests.skips import Reason, skip_for

LIMIT = 0.1  # seconds of processor time
BURN = """
import time
end = time.process_time() + {}
while time.process_time() < end:
    pass
"""
BURNS = BURN.format(5 * LIMIT)
HOURS = 1000 * LONG
LATE = Fault(FaultKind.TIMEOUT, FaultCode.ANSWER_LATE)


@pytest.fixture(autouse=True)
def measured() -> None:
    """Skip the test where the system does not tell what programs use."""
    if lacks := proc.missing("fair"):
        skip_for(Reason.KERNEL, f"fair clocks need {lacks}")


@pytest.mark.parametrize("body", [f"asked()\n{BURNS}\nsay('U\\n')\nhang()", "asked()\nwhile True:\n    pass"])
@pytest.mark.parametrize("mode", ["fair", "cpu"])
def test_who_uses_five_times_its_limit_is_late(workshop: Workshop, mode: Mode, body: str) -> None:
    """By its own clock, long before the watch behind it, whether or not its answer comes in the end."""
    workshop.clock = Clock(turn=LIMIT, mode=mode)
    players = workshop.seat(body)
    answer = players.ask({0: PROMPT}, {0: LIMIT}, stops, {0: HOURS})[0]
    assert [fault.kind for fault in answer.faults] == [FaultKind.TIMEOUT]
    assert BY_WALL not in answer.faults[0].also
    assert (answer.seconds or 0) >= LIMIT
    assert (answer.cpu or 0) >= LIMIT / 2


def test_a_child_of_ones_own_is_paid_for(workshop: Workshop) -> None:
    """Who lets another process think pays for its processor time."""
    workshop.clock = Clock(turn=LIMIT, mode="cpu")
    child = f"asked()\nif os.fork() == 0:\n    {BURNS.strip().replace(chr(10), chr(10) + '    ')}\n    os._exit(0)"
    players = workshop.seat(f"{child}\nos.wait()\nsay('U\\n')\nhang()")
    answer = players.ask({0: PROMPT}, {0: LIMIT}, stops, {0: HOURS})[0]
    assert [fault.kind for fault in answer.faults] == [FaultKind.TIMEOUT]


def unproved(fault: Fault) -> Fault:
    """The fault without what its time consisted of, which is different each time."""
    return replace(fault, proof=None)


def test_who_sleeps_is_caught_by_the_watch_behind(workshop: Workshop) -> None:
    """Sleep uses no processor time: the limit by the watch ends it, and the fault says so."""
    workshop.clock = Clock(turn=LIMIT, mode="cpu")
    players = workshop.seat("asked()\nhang()")
    answer = players.ask({0: PROMPT}, {0: LIMIT}, stops, {0: 2 * LIMIT})[0]
    (fault,) = answer.faults
    assert unproved(fault) == Fault(FaultKind.TIMEOUT, FaultCode.NO_ANSWER, also=(BY_WALL,))
    assert fault.proof is not None
    assert fault.proof.charged < LIMIT <= fault.proof.wall
    assert (answer.wall or 0) >= 2 * LIMIT


def test_who_sleeps_is_late_in_fair(workshop: Workshop) -> None:
    """Sleep is its own affair: the watch behind the clock is not needed."""
    workshop.clock = Clock(turn=SHORT, mode="fair")
    players = workshop.seat("asked()\nhang()")
    (fault,) = players.ask({0: PROMPT}, {0: SHORT}, stops, {0: HOURS})[0].faults
    assert unproved(fault) == Fault(FaultKind.TIMEOUT, FaultCode.NO_ANSWER)


def test_an_hour_by_the_watch_is_nothing_by_processor_time(workshop: Workshop, time: Time) -> None:
    """READY and a turn are judged by the clock's mode: the watch may run on for an hour."""
    workshop.clock = Clock(turn=LONG, mode="cpu")
    players = workshop.start("say('READY\\n')\nasked()\nsay('U\\n')\nhang()")
    bot = living(players)
    time.pass_when(lambda: bot.stdout_open and bot.partial == "" and len(bot._output) > 0, 3600)
    assert players.await_ready("READY", LONG, HOURS) == {}
    time.pass_when(lambda: bot.has_line, 3600)
    answer = players.ask({0: PROMPT}, {0: LONG}, stops, {0: HOURS})[0]
    assert (answer.reply, answer.wall) == ("U", 3600)
    assert 0 < (answer.cpu or 0) < LONG
    assert answer.seconds == answer.cpu
    assert time.nanoseconds == 7200 * 10**9


@pytest.mark.parametrize("body", [BURNS, "hang()"])
def test_who_is_not_ready_by_the_clock_is_not_ready(workshop: Workshop, body: str) -> None:
    """Whether it computes or sleeps, by its own limit or by the watch behind."""
    workshop.clock = Clock(turn=LIMIT, mode="cpu")
    players = workshop.start(f"{body}\nsay('READY\\n')\nhang()")
    behind = HOURS if "process_time" in body else 2 * LIMIT
    answers = players.await_ready("READY", LIMIT, behind)
    assert [fault.kind for fault in answers[0].faults] == [FaultKind.NOT_READY]


ERRANDS = {"say('U')": None, BURNS: FaultKind.TIMEOUT, "hang()": FaultKind.TIMEOUT}


@pytest.mark.parametrize("body", ERRANDS)
def test_programs_that_live_for_a_turn_have_the_same_clocks(workshop: Workshop, body: str) -> None:
    """All that such a process does, its start included, is its turn."""
    limit = LONG if "U" in body else LIMIT
    launch = workshop.launch(body)
    per_turn = PerTurnProcesses({0: launch}, DeferSignals(), "", stopwatches(Clock(turn=limit, mode="cpu")))
    behind = 2 * LIMIT if body == "hang()" else HOURS
    answer = per_turn.ask(0, {0: b""}, {0: limit}, {0: behind})[0]
    per_turn.stop_all()
    assert [fault.kind for fault in answer.faults] == ([ERRANDS[body]] if ERRANDS[body] else [])
    assert answer.cpu is not None
    assert answer.wall is not None
    if "U" in body:
        assert answer.cpu > 0


def test_who_has_ended_before_anybody_looked_has_used_its_time(workshop: Workshop) -> None:
    """On a busy machine a short program is over before we come to look at it for the first time."""
    made = stopwatches(Clock(turn=LONG, mode="cpu"))
    assert made is not None

    def late(program: BotProcess) -> Stopwatch:
        os.waitid(os.P_PID, program.process.pid, os.WEXITED | os.WNOWAIT)
        return made(program)

    per_turn = PerTurnProcesses({0: workshop.launch("say('U')")}, DeferSignals(), "", late)
    answer = per_turn.ask(0, {0: b""}, {0: LONG}, {0: HOURS})[0]
    per_turn.stop_all()
    assert (answer.reply, answer.faults) == ("U", ())
    assert (answer.cpu or 0) > 0


def played(workshop: Workshop, time: Time, monkeypatch: pytest.MonkeyPatch, clock: Clock, took: float) -> list[Move]:
    """Seat 0's moves in a match in which each of its answers takes so many seconds by the watch."""
    bots: list[BotProcess] = []

    def remember(*arguments: object, **more: Any) -> BotProcess:
        bots.append(BotProcess(*arguments, **more))  # type: ignore[arg-type]
        return bots[-1]

    class TimedReferee(Referee):
        def prompt(self, seat: int) -> bytes:
            if seat == 0:
                time.pass_when(lambda: bots[0].has_line, took)
            return super().prompt(seat)

    monkeypatch.setattr(bot_process, "BotProcess", remember)
    judge = TimedReferee(GAME, resolve(GAME.options, {"turns": 20}), 4, 1)
    launches = [workshop.launch("say('READY\\n')\nwhile asked():\n    say('U\\n')") for _ in range(4)]
    Match(judge, launches, clock).play()
    return [move for turn in judge.turns for move in turn.moves if move.seat == 0 and move.seconds is not None]


def test_a_bank_is_eaten_and_then_empty(workshop: Workshop, time: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each turn takes its overrun from the reserve, the replay says what is left, and the last one is late."""
    clock = Clock(turn=1.0, ready=LONG, bank=1.25)
    moves = played(workshop, time, monkeypatch, clock, took=1.5)
    assert [move.bank for move in moves] == [0.75, 0.25, 0.0]
    assert [move.faults for move in moves] == [(), (), (LATE,)]
    assert [move.seconds for move in moves] == [1.5] * 3
    assert all(move.cpu is not None and move.wall is None for move in moves)


def test_a_bank_pays_what_decided_and_not_what_is_told() -> None:
    """A time that is known within bounds is told as the larger one; reserve and strikes go by the smaller one."""
    clock = Clock(turn=1.0, mode="fair", bank=2.0)
    with DeferSignals() as signals:
        players = Players(Referee(games.find("othello"), {}, 2, 1), {}, clock, signals)
        players._accounts = {seat: Account(clock) for seat in (0, 1)}
        answers = {0: Answer("d3", (), 1.5, decided=1.25), 1: Answer("d3", (), 1.5)}
        players._settle(answers)
    assert [answer.bank for answer in answers.values()] == [1.75, 1.5]
    assert [answer.seconds for answer in answers.values()] == [1.5, 1.5]


def test_strikes_are_counted_beside_the_answers(
    workshop: Workshop, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within the grace the answer counts and the replay has the strike; with all strikes used it is late."""
    clock = Clock(turn=1.0, ready=LONG, grace=0.75, strikes=2)
    moves = played(workshop, time, monkeypatch, clock, took=1.5)
    assert [move.faults for move in moves] == [(strike(1, 2, 0.5),), (strike(2, 2, 0.5),), (LATE,)]
    assert [move.action for move in moves[:2]] == ["U", "U"]
    assert moves[2].reply is None
    assert {move.bank for move in moves} == {None}


def test_a_plain_watch_measures_nothing_else(workshop: Workshop, time: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    """The usual clock asks the system for nothing, and its replays are as they always were."""
    monkeypatch.setattr(process_tree.Tree, "look", lambda self: pytest.fail("looked"))
    moves = played(workshop, time, monkeypatch, Clock(turn=1.0, ready=LONG), took=0.5)
    assert {(move.cpu, move.wall, move.bank, move.faults) for move in moves} == {(None, None, None, ())}
