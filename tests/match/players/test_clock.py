"""Clocks: a number decides, it holds nothing but waiting for the program, and each seat has its own."""

from __future__ import annotations

import os
from typing import Any

import pytest

from dohyo.core.clock import Clock
from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.core.options import resolve
from dohyo.core.referee import Referee
from dohyo.games.drop_block import GAME
from dohyo.match.players.per_match import NANO
from dohyo.match.processes import bot_process
from dohyo.match.processes.bot_process import BotProcess
from dohyo.match.running import Match
from tests.match.players.living import LONG, PROMPT, TICK, Time, Workshop, living, stops
from tests.processes import runs

LATE = Fault(FaultKind.TIMEOUT, FaultCode.ANSWER_LATE)
HOUR = 3600 * NANO
ANSWERS = "say('READY\\n')\nwhile asked():\n    say('U\\n')"


@pytest.mark.parametrize(("nanoseconds", "in_time"), [(-1, True), (0, False), (1, False)])
def test_the_number_decides(workshop: Workshop, time: Time, nanoseconds: int, in_time: bool) -> None:
    """A line that is complete a nanosecond before the limit counts; at the limit, however late one looks, not."""
    players = workshop.seat("asked()\nsay('U\\n')\nhang()")
    bot = living(players)
    time.pass_when(lambda: bot.has_line, LONG + nanoseconds / NANO)
    answer = players.ask({0: PROMPT}, {0: LONG}, stops)[0]
    assert (answer.reply, answer.faults) == (("U", ()) if in_time else (None, (LATE,)))
    assert answer.seconds == LONG


def test_who_answers_late_and_exits_was_late(workshop: Workshop, time: Time) -> None:
    """A program whose late line and whose end are seen at once was late; its end came after that."""
    players = workshop.seat("asked()\nsay('U\\n')\nsys.exit(3)")
    bot = living(players)

    def answered_and_ended() -> bool:
        if bot.has_line:
            os.waitid(os.P_PID, bot.process.pid, os.WEXITED | os.WNOWAIT)
            while bot.stdout_open:
                bot.read_output()
        return bot.has_line

    time.pass_when(answered_and_ended, LONG)
    assert players.ask({0: PROMPT}, {0: LONG}, stops)[0].faults == (LATE,)


def test_writing_the_input_is_not_charged(workshop: Workshop, time: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were the referee slow in writing to the seats before the last, nobody would pay for that."""
    players = workshop.seat(*["asked()\nsay('U\\n')\nhang()"] * 3)
    send, last = BotProcess.send, players.programs[-1]

    def slow(self: BotProcess, text: bytes = b"") -> None:
        time.nanoseconds += HOUR if self is not last else 0
        send(self, text)

    monkeypatch.setattr(BotProcess, "send", slow)
    answers = players.ask(dict.fromkeys(range(3), PROMPT), dict.fromkeys(range(3), LONG), stops)
    assert [(answers[seat].reply, answers[seat].seconds) for seat in range(3)] == [("U", 0)] * 3


def test_who_runs_while_it_is_asked_is_charged(
    workshop: Workshop, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On one core a program may think before the write returns that asked it: its clock runs already."""
    players = workshop.seat("asked()\nsay('U\\n')\nhang()")
    send = BotProcess.send

    def preempted(self: BotProcess, text: bytes = b"") -> None:
        send(self, text)
        time.nanoseconds += NANO

    monkeypatch.setattr(BotProcess, "send", preempted)
    assert players.ask({0: PROMPT}, {0: LONG}, stops)[0].seconds == 1


def test_the_referees_work_is_not_charged(workshop: Workshop, time: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hours in starting others, in writing a prompt, in the rules, or in what the caller does, make nobody late."""

    def slow_start(*arguments: object, **more: Any) -> BotProcess:
        time.nanoseconds += HOUR
        return BotProcess(*arguments, **more)  # type: ignore[arg-type]

    class SlowReferee(Referee):
        def prompt(self, seat: int) -> bytes:
            time.nanoseconds += HOUR
            return super().prompt(seat)

        def submit(self, *arguments: object) -> object:  # type: ignore[override]
            time.nanoseconds += HOUR
            return super().submit(*arguments)  # type: ignore[arg-type]

    def slow_caller() -> None:
        time.nanoseconds += HOUR

    monkeypatch.setattr(bot_process, "BotProcess", slow_start)
    judge = SlowReferee(GAME, resolve(GAME.options, {"turns": 12}), 4, 1)
    launches = [workshop.launch(ANSWERS) for _ in range(4)]
    Match(judge, launches, Clock(turn=LONG, ready=LONG), slow_caller).play()
    assert len(judge.turns) == 12
    assert {(move.seconds, move.faults) for turn in judge.turns for move in turn.moves} == {(0, ())}


def test_the_first_turn_has_its_own_limit(workshop: Workshop, time: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each seat's first turn is measured by the first limit, and all others by the usual one."""
    bots: list[BotProcess] = []

    def remember(*arguments: object, **more: Any) -> BotProcess:
        bots.append(BotProcess(*arguments, **more))  # type: ignore[arg-type]
        return bots[-1]

    class TimedReferee(Referee):
        def prompt(self, seat: int) -> bytes:
            time.pass_when(lambda: bots[seat].has_line, 2 if self.turn < 5 else 0.5)
            return super().prompt(seat)

    monkeypatch.setattr(bot_process, "BotProcess", remember)
    judge = TimedReferee(GAME, resolve(GAME.options, {"turns": 6}), 4, 1)
    launches = [workshop.launch(ANSWERS) for _ in range(4)]
    Match(judge, launches, Clock(turn=1.0, first=3.0, ready=LONG)).play()
    moves = [move for turn in judge.turns for move in turn.moves]
    assert [move.seconds for move in moves] == [2, 2, 2, 2, 2, 0.5]
    assert [move.faults for move in moves] == [(), (), (), (), (LATE,), ()]


HARMS = {
    "hang()": FaultKind.TIMEOUT,
    "os.close(1)\nhang()": FaultKind.CLOSED,
    "sys.exit(1)": FaultKind.EXITED,
    "say('x' * 100_000)\nhang()": FaultKind.OUTPUT,
    "while True:\n    complain('x' * 100_000)": FaultKind.TIMEOUT,
}


@pytest.mark.parametrize("harm", HARMS)
def test_seats_asked_at_once_do_not_harm_each_other(workshop: Workshop, time: Time, harm: str) -> None:
    """One that fails, in whatever way, takes no time from those that are asked with it, nor the referee's rest."""
    workshop.pipes("go")
    players = workshop.seat(
        f"asked()\n{harm}",
        "asked()\nsay('U\\n')\nhang()",
        "asked()\nwait_for('go')\nsay('R\\n')\nhang()",
    )
    failed = living(players)

    def has_failed() -> bool:
        # The one that waits may not have been asked yet.
        return not runs(failed.process.pid) and workshop.tells("go")

    if HARMS[harm] is FaultKind.CLOSED:
        time.pass_when(lambda: not failed.stdout_open, TICK)
    elif HARMS[harm] is FaultKind.TIMEOUT:
        time.pass_after(looks=3, seconds=TICK)
    time.pass_when(has_failed, LONG / 2)
    answers = players.ask(dict.fromkeys(range(3), PROMPT), {0: TICK, 1: LONG, 2: LONG}, stops)
    assert [answers[seat].reply for seat in range(3)] == [None, "U", "R"]
    assert [len(answers[seat].faults) for seat in range(3)] == [1, 0, 0]
    assert answers[0].faults[0].kind is HARMS[harm]
    assert (answers[2].seconds or 0) >= LONG / 2
    if "complain" not in harm:
        assert time.looks < 100
