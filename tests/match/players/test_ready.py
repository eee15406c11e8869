"""Before the first turn: all start together, and each says that it is ready, or else one exact verdict."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.faults import BEFORE_READY, Fault, FaultCode, FaultKind
from dohyo.core.options import resolve
from dohyo.core.referee import Answer, Referee
from dohyo.games.drop_block import GAME
from dohyo.i18n import Message
from dohyo.interrupts import DeferSignals
from dohyo.match import verdict
from dohyo.match.players.players import Players
from dohyo.match.processes import bot_process, heartbeat
from dohyo.match.processes import launch as launch_module
from dohyo.match.processes.bot_process import LONGEST_LINE, MAX_QUEUED, BotProcess
from dohyo.match.processes.launch import Launch
from dohyo.match.running import Match
from tests.match.players.living import LONG, PROMPT, TICK, Time, Workshop, await_output, living, stops

PATIENT = Clock(turn=LONG, ready=LONG)


def ended_early(status: int) -> Fault:
    """The fault of a program that ended before it was ready."""
    return replace(verdict.ended(status), also=(BEFORE_READY,))


ENDS = {
    "sys.exit(0)": ended_early(0),
    "sys.exit(3)": ended_early(3),
    "os.kill(os.getpid(), signal.SIGKILL)": ended_early(-9),
    "os.kill(os.getpid(), signal.SIGSEGV)": ended_early(-11),
}


def only_fault(answers: Mapping[int, object], seat: int = 0) -> Fault:
    """The one fault of the one seat that was not ready."""
    assert list(answers) == [seat]
    (fault,) = answers[seat].faults  # type: ignore[attr-defined]
    assert isinstance(fault, Fault)
    return fault


def test_all_are_started_before_anybody_is_waited_for(workshop: Workshop) -> None:
    """Programs that can be ready only when the last one runs are all ready."""
    workshop.pipes("a", "b", "c")
    players = workshop.start(
        *(f"tell('{name}')\nsay('READY\\n')\nhang()" for name in "abc"),
        "for name in 'abc':\n    wait_for(name)\nsay('READY\\n')\nhang()",
    )
    assert players.await_ready("READY", LONG) == {}


def test_other_lines_before_it_are_skipped(workshop: Workshop) -> None:
    """A greeting before READY is no answer to the first turn, and no fault."""
    players = workshop.start("say('hello\\n\\nREADY?\\n READY \\r\\n')\nasked()\nsay('U\\n')\nhang()")
    assert players.await_ready("READY", LONG) == {}
    answer = players.ask({0: PROMPT}, {0: LONG}, stops)[0]
    assert (answer.reply, answer.faults) == ("U", ())


@pytest.mark.parametrize(
    ("body", "also"),
    [
        ("say('ready\\n')\nhang()", ()),
        ("say('READY')\nhang()", (Message("detail.no-newline", {"line": "READY"}),)),
    ],
)
def test_not_ready(workshop: Workshop, time: Time, body: str, also: tuple[Message, ...]) -> None:
    """Who has not said READY at the limit is not ready; one that was awaited at the same time, and did, is."""
    players = workshop.start("say('READY\\n')\nasked()\nsay('U\\n')\nhang()", body)
    for seat in range(2):
        await_output(living(players, seat).stdout)
    time.pass_after(looks=3, seconds=TICK)
    assert only_fault(players.await_ready("READY", TICK), 1) == Fault(
        FaultKind.NOT_READY, FaultCode.NO_READY, {"word": "READY"}, also=also
    )
    assert players.programs[1] is None
    assert players.ask({0: PROMPT}, {0: LONG}, stops)[0].reply == "U"


@pytest.mark.parametrize(("nanoseconds", "ready"), [(-1, True), (0, False), (1, False)])
def test_ready_is_judged_by_the_clock(workshop: Workshop, time: Time, nanoseconds: int, ready: bool) -> None:
    """READY counts if it was seen before the limit, and not at the limit or after it."""
    players = workshop.start("say('READY\\n')\nhang()")
    await_output(living(players).stdout)
    time.pass_after(looks=1, seconds=LONG + nanoseconds / 1e9)
    answers = players.await_ready("READY", LONG)
    if ready:
        assert answers == {}
    else:
        assert only_fault(answers) == Fault(FaultKind.NOT_READY, FaultCode.READY_LATE, {"word": "READY"})


@pytest.mark.parametrize("body", ENDS)
def test_an_end_before_ready_is_its_own_verdict(workshop: Workshop, body: str) -> None:
    """A program that ends before READY has exited or was killed, and is not called not ready; at once, too."""
    players = workshop.start(f"complain('last words')\n{body}")
    answers = players.await_ready("READY", LONG)
    assert only_fault(answers) == ENDS[body]
    assert answers[0].stderr == "last words"


def test_closing_the_output_before_ready_is_its_own_verdict(workshop: Workshop, time: Time) -> None:
    """A program that closes its output and lives on has closed it, and is not called not ready."""
    players = workshop.start("say('REA')\nos.close(1)\nhang()")
    time.pass_when(lambda: not living(players).stdout_open, LONG)
    rest = Message("detail.no-newline", {"line": "REA"})
    assert only_fault(players.await_ready("READY", LONG)) == Fault(FaultKind.CLOSED, FaultCode.CLOSED, also=(rest,))


@pytest.mark.parametrize(
    "body",
    [
        f"say(b'x' * {LONGEST_LINE + 1})\nhang()",
        "while True:\n    say('still loading\\n' * 1000)",
        "while True:\n    say(b'\\n' * 1000)",
    ],
)
def test_a_flood_before_ready(workshop: Workshop, body: str) -> None:
    """Too long a line, or endless lines, before READY are an output flood; READY inside it would not help."""
    players = workshop.start(body)
    assert only_fault(players.await_ready("READY", LONG)) == Fault(
        FaultKind.OUTPUT, FaultCode.FLOOD, also=(BEFORE_READY,)
    )


def test_talk_before_ready_does_not_count_afterwards(workshop: Workshop) -> None:
    """What was skipped before READY leaves all the room there is for later output."""
    nearly = MAX_QUEUED - 64 * 1024
    players = workshop.start(
        f"n = {nearly // 2}\nsay(b'x\\n' * n + b'READY\\n')\nasked()\nsay(b'U\\n' * n)\ntell('done')\nhang()",
        "say('READY\\n')\nasked()\nwait_for('done')\nsay('U\\n')\nhang()",
    )
    workshop.pipes("done")
    assert players.await_ready("READY", LONG) == {}
    answers = players.ask({0: PROMPT, 1: PROMPT}, {0: LONG, 1: LONG}, stops)
    assert [answers[seat].reply for seat in range(2)] == ["U", "U"]
    assert players.ask({0: PROMPT}, {0: LONG}, stops)[0].reply == "U"


def play(launches: list[Launch]) -> Referee:
    """Drop-Block over four turns, one for each of these programs."""
    judge = Referee(GAME, resolve(GAME.options, {"turns": 4}), 4, 1)
    Match(judge, launches, PATIENT).play()
    return judge


def test_a_program_that_cannot_be_started(workshop: Workshop) -> None:
    """A missing file, one that is not executable, and one that is no program lose their seat, with the reason."""
    plain, nonsense = workshop.folder / "plain", workshop.folder / "nonsense"
    plain.write_text("no program")
    nonsense.write_text("no program")
    nonsense.chmod(0o755)
    good = workshop.launch("say('READY\\n')\nasked()\nsay('U\\n')\nasked()")
    folder = good.folder
    judge = play(
        [Launch(("/nowhere/bot",), folder), Launch((str(plain),), folder), Launch((str(nonsense),), folder), good]
    )
    assert [move.faults for turn in judge.turns for move in turn.moves] == [
        (Fault(FaultKind.EXITED, FaultCode.CANNOT_START, {"reason": Message("system.ENOENT")}),),
        (Fault(FaultKind.EXITED, FaultCode.CANNOT_START, {"reason": Message("system.EACCES")}),),
        (Fault(FaultKind.EXITED, FaultCode.CANNOT_START, {"reason": "Exec format error"}),),
        (),
    ]
    assert [move.action for turn in judge.turns for move in turn.moves] == ["N", "N", "N", "U"]


@pytest.mark.parametrize("reason", [errno.EMFILE, errno.EAGAIN, errno.ENOMEM])
def test_a_machine_that_is_full_is_no_bots_fault(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, reason: int
) -> None:
    """When the machine refuses to start the third program, the operator is told, and the first two are ended."""
    started = []

    def refuse_third(*arguments: object, **more: Any) -> BotProcess:
        if len(started) == 2:
            raise OSError(reason, os.strerror(reason))
        started.append(BotProcess(*arguments, **more))  # type: ignore[arg-type]
        return started[-1]

    monkeypatch.setattr(bot_process, "BotProcess", refuse_third)
    with pytest.raises(OperatorError, match=os.strerror(reason)):
        play([workshop.launch("hang()")] * 4)
    assert [program.process.returncode for program in started] == [-9, -9]


def test_a_program_that_was_just_written_is_tried_again(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that some process still has open for writing is started as soon as it is closed."""
    path = workshop.folder / "bot.sh"
    path.write_text("#!/bin/sh\necho READY\n")
    path.chmod(0o755)
    busy = path.open("a")
    monkeypatch.setattr(launch_module.time, "sleep", lambda _: busy.close())
    ended = BotProcess((str(path),), str(workshop.folder))
    assert busy.closed
    ended.stop()


def test_a_program_that_stays_busy_is_not_tried_for_ever(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that stays open for writing cannot be started, and the error says so."""
    path = workshop.folder / "bot.sh"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    monkeypatch.setattr(launch_module.time, "sleep", lambda _: None)
    with path.open("a"), pytest.raises(OSError, match="busy"):
        BotProcess((str(path),), str(workshop.folder))


class Late:
    """Stands for processes of which the second is not ready in time, while the referee itself stood still."""

    def __init__(self, players: Players, missed: int) -> None:
        self.players, self.missed = players, missed

    seats: frozenset[int] = frozenset()

    def await_ready(self) -> dict[int, Answer]:
        """Nobody waits here."""
        self.players.heartbeat.missed = self.missed
        return {1: Answer(None, (Fault(FaultKind.NOT_READY, FaultCode.NO_READY, {"word": "READY"}),))}


@pytest.mark.parametrize(("missed", "disturbed"), [(0, 0.0), (heartbeat.LONG // 2, 0.5)])
def test_standing_still_while_ready_is_awaited(missed: int, disturbed: float) -> None:
    """Who was not ready because the referee itself stood still makes the match a disturbed one."""
    referee = Referee(GAME, resolve(GAME.options, {"turns": 4}), 4, 1)
    players = Players(referee, {}, PATIENT, DeferSignals())
    players.groups = [Late(players, missed)]  # type: ignore[list-item]
    players._await_ready()
    assert players.disturbed == disturbed
