"""Programs that live for one turn: their answers and failures, side by side, and their authors' logs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from dohyo.core.clock import Clock
from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import Move
from dohyo.i18n import Message
from dohyo.interrupts import DeferSignals
from dohyo.match.players import per_turn as per_turn_module
from dohyo.match.players.per_turn import PerTurnProcess, PerTurnProcesses, append
from dohyo.match.processes import bot_process
from dohyo.match.processes.bot_process import NANO, BotProcess
from dohyo.match.processes.launch import Launch
from dohyo.match.running import Match
from dohyo.match.verdict import KEEPS_OPEN
from dohyo.system import scheduler
from tests.match.players.living import LONG, Time, Workshop
from tests.match.players.tiny import tiny
from tests.processes import runs

VIEW = b"..e\n.s.\n###"


@pytest.fixture
def made() -> Iterator[list[PerTurnProcesses]]:
    """Processes made in a test; whatever still runs is ended after it."""
    made: list[PerTurnProcesses] = []
    yield made
    for per_turn in made:
        per_turn.stop_all()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Time:
    """The clock of processes that live for a turn, standing still."""
    clock = Time()
    monkeypatch.setattr(per_turn_module, "monotonic_ns", clock)
    return clock


def errands_of(workshop: Workshop, made: list[PerTurnProcesses], *bodies: str) -> PerTurnProcesses:
    """A seat for every body of a program."""
    launches = {seat: replace(workshop.launch(body), a_turn=True) for seat, body in enumerate(bodies)}
    made.append(PerTurnProcesses(launches, DeferSignals()))
    return made[-1]


def answers_of(
    workshop: Workshop, made: list[PerTurnProcesses], *bodies: str, limit: float = LONG
) -> dict[int, Answer]:
    """What comes of asking all once."""
    seats = range(len(bodies))
    return errands_of(workshop, made, *bodies).ask(7, dict.fromkeys(seats, VIEW), dict.fromkeys(seats, limit))


def test_the_prompt_is_the_last_argument_and_all_output_the_answer(
    workshop: Workshop, made: list[PerTurnProcesses]
) -> None:
    """A program finds the prompt behind its other words, nothing to read, the turn's number; all it says counts."""
    body = "say(repr(sys.argv[1:]) + sys.stdin.read())\nsay('\\nmore\\n' + os.environ['DOHYO_TURN'])"
    answer = answers_of(workshop, made, body)[0]
    assert answer.reply == f"{[VIEW.decode()]!r}\nmore\n7"
    assert answer.faults == ()
    assert answer.seconds is not None
    assert answer.seconds > 0


@pytest.mark.parametrize(
    ("body", "reply", "faults"),
    [
        ("", "", ()),
        ("sys.exit(3)", None, (Fault(FaultKind.EXITED, FaultCode.EXIT, status=3),)),
        ("say('rest')\nsys.exit(3)", "rest", (Fault(FaultKind.EXITED, FaultCode.EXIT, status=3),)),
        (
            "os.kill(os.getpid(), signal.SIGSEGV)",
            None,
            (Fault(FaultKind.KILLED, FaultCode.SIGNAL, status=11),),
        ),
        (
            "say(b'x' * 10_000_000)\nhang()",
            None,
            (Fault(FaultKind.OUTPUT, FaultCode.FLOOD),),
        ),
    ],
)
def test_each_end_has_its_verdict(
    workshop: Workshop, made: list[PerTurnProcesses], body: str, reply: str | None, faults: tuple[Fault, ...]
) -> None:
    """Who says nothing and fails is told by its failure; who has said something has said it, and fails beside."""
    answer = answers_of(workshop, made, body)[0]
    assert (answer.reply, answer.faults) == (reply, faults)


def late(
    workshop: Workshop, made: list[PerTurnProcesses], clock: Time, body: str, sign: Callable[[BotProcess], object]
) -> Answer:
    """The answer of a program whose time passes when `sign` is seen of it."""
    per_turn = errands_of(workshop, made, body)
    clock.pass_when(lambda: any(sign(player.process) for player in per_turn._running.values()), 2 * LONG)
    return per_turn.ask(0, {0: VIEW}, {0: LONG})[0]


LATE: dict[str, tuple[Callable[[BotProcess], object], Fault]] = {
    "complain('x')\nhang()": (
        lambda program: program._errors.size,
        Fault(FaultKind.TIMEOUT, FaultCode.NO_END),
    ),
    "say('rest')\nhang()": (
        lambda program: program.partial,
        Fault(FaultKind.TIMEOUT, FaultCode.NO_END),
    ),
    "say('rest')\nos.close(1)\nhang()": (
        lambda program: not program.stdout_open,
        Fault(FaultKind.CLOSED, FaultCode.CLOSED),
    ),
    "say('rest')": (
        lambda program: program.how_it_ended() is not None and not program.stdout_open,
        Fault(FaultKind.TIMEOUT, FaultCode.END_LATE),
    ),
    "say('rest')\nif os.fork() == 0:\n    hang()": (
        lambda program: program.how_it_ended() is not None,
        Fault(FaultKind.EXITED, FaultCode.EXIT, status=0, also=(KEEPS_OPEN,)),
    ),
}


@pytest.mark.parametrize("body", LATE)
def test_who_is_not_done_in_time_has_not_answered(
    workshop: Workshop, made: list[PerTurnProcesses], clock: Time, body: str
) -> None:
    """A process has to end within its limit, and whatever it started; all of those are killed."""
    sign, fault = LATE[body]
    answer = late(workshop, made, clock, body, sign)
    assert answer.reply is None
    assert answer.faults == (fault,)


class Emptied:
    """A sandbox whose system ends all that a program has started when it ends, and is slow to do so."""

    ends_together = True

    def __init__(self, command: Sequence[str], folder: str, environment: Mapping[str, str] | None) -> None:
        self.command, self.folder, self.environment = tuple(command), folder, environment

    def started(self, pid: int) -> None:
        """Nothing is watched."""

    def began(self) -> int | None:
        """The program began with its process."""
        return 0

    def verdict(self, fault: Fault) -> Fault:
        """It knows nothing more."""
        return fault

    def processor_seconds(self) -> None:
        """Nothing is counted."""

    def close(self) -> None:
        """Nothing is held."""


def emptied(workshop: Workshop, made: list[PerTurnProcesses], body: str) -> PerTurnProcesses:
    """A seat of a program in such a sandbox."""
    per_turn = errands_of(workshop, made, body)
    player = per_turn._players[0]
    player.launch = replace(player.launch, sandbox_factory=Emptied)
    return per_turn


def test_what_a_sandbox_takes_to_end_is_not_the_programs_time(
    workshop: Workshop, made: list[PerTurnProcesses], clock: Time
) -> None:
    """One that has ended in time is not late because what is left of its sandbox closes its output only later."""
    workshop.pipes("gone")
    per_turn = emptied(workshop, made, "say('rest')\nif os.fork() == 0:\n    wait_for('gone')")
    player = per_turn._players[0]
    clock.pass_when(lambda: player._when_gone is not None, 2 * LONG)
    clock.pass_when(lambda: clock.nanoseconds and workshop.tells("gone"), 0)
    answer = per_turn.ask(0, {0: VIEW}, {0: LONG})[0]
    assert (answer.reply, answer.faults) == ("rest", ())


def test_who_ends_too_late_is_late_in_such_a_sandbox_too(
    workshop: Workshop, made: list[PerTurnProcesses], clock: Time
) -> None:
    """What counts is when its end was seen, not when its output ended."""
    workshop.pipes("gone")
    per_turn = emptied(workshop, made, "say('rest')\nif os.fork() == 0:\n    wait_for('gone')")
    player = per_turn._players[0]
    clock.pass_when(lambda: player._process is not None and player.process.is_gone, 2 * LONG)
    clock.pass_when(lambda: clock.nanoseconds and player._when_gone is not None and workshop.tells("gone"), 0)
    answer = per_turn.ask(0, {0: VIEW}, {0: LONG})[0]
    assert answer.reply is None
    assert [fault.code for fault in answer.faults] == [FaultCode.END_LATE]


class BeingMade(Emptied):
    """A sandbox that is made when the test says so."""

    made_at: int | None = None

    def began(self) -> int | None:
        """When it was made."""
        return self.made_at


def being_made(
    workshop: Workshop,
    made: list[PerTurnProcesses],
    monkeypatch: pytest.MonkeyPatch,
    story: Callable[[PerTurnProcess, BeingMade], Iterator[None]],
) -> tuple[Answer, int]:
    """The answer of a program that hangs in such a sandbox, and for how long the match was disturbed.

    After each wait for it, once it runs, the story goes on.
    """
    per_turn = errands_of(workshop, made, "complain('x')\nhang()")
    player, take_in = per_turn._players[0], per_turn._poller.take_in
    player.launch = replace(player.launch, sandbox_factory=BeingMade)
    told: list[Iterator[None]] = []

    def take_in_and_go_on(nanoseconds: int) -> None:
        take_in(nanoseconds)
        if player.process._errors.size:
            run = player.process._sandboxed
            assert isinstance(run, BeingMade)
            told[:] = told or [story(player, run)]
            next(told[0], None)

    monkeypatch.setattr(per_turn._poller, "take_in", take_in_and_go_on)
    return per_turn.ask(0, {0: VIEW}, {0: LONG})[0], per_turn._poller.heartbeat.disturbed


def test_the_making_of_its_sandbox_is_not_the_programs_time(
    workshop: Workshop, made: list[PerTurnProcesses], clock: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may take longer than the limit; whoever takes longer than that from then on is late."""

    def story(player: PerTurnProcess, run: BeingMade) -> Iterator[None]:
        clock.nanoseconds += round(1.1 * LONG * NANO)
        yield
        assert player.doomed is None
        run.made_at = clock.nanoseconds
        clock.nanoseconds += round(0.9 * LONG * NANO)
        yield
        assert player.doomed is None
        clock.nanoseconds += round(0.2 * LONG * NANO)

    answer, disturbed = being_made(workshop, made, monkeypatch, story)
    assert [fault.kind for fault in answer.faults] == [FaultKind.TIMEOUT]
    assert answer.seconds == pytest.approx(1.1 * LONG)
    assert not disturbed


def test_a_sandbox_that_is_never_made_is_no_verdict(
    workshop: Workshop, made: list[PerTurnProcesses], clock: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Long after the limit the turn ends, and the match is set aside."""

    def story(player: PerTurnProcess, run: BeingMade) -> Iterator[None]:
        clock.nanoseconds += round(LONG * NANO) + per_turn_module.LONGEST_MAKING
        yield

    answer, disturbed = being_made(workshop, made, monkeypatch, story)
    assert answer.reply is None
    assert disturbed


def test_an_output_that_is_never_closed_is_a_fault_in_such_a_sandbox_too(
    workshop: Workshop, made: list[PerTurnProcesses], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system is given ten seconds, and not for ever."""
    monkeypatch.setattr(bot_process, "EMPTYING", 1)
    answer = emptied(workshop, made, "say('rest')\nif os.fork() == 0:\n    hang()").ask(0, {0: VIEW}, {0: LONG})[0]
    assert answer.reply is None
    assert answer.faults == (Fault(FaultKind.EXITED, FaultCode.EXIT, status=0, also=(KEEPS_OPEN,)),)


def test_nothing_is_left_of_one_that_was_late(workshop: Workshop, made: list[PerTurnProcesses], clock: Time) -> None:
    """When the answers are there, no process of the turn runs any more, children included."""
    body = "child = os.fork()\nif child:\n    complain(f'{os.getpid()} {child}')\nhang()"
    answer = late(workshop, made, clock, body, lambda program: program._errors.size)
    assert [runs(int(word)) for word in answer.stderr.split()] == [False, False]


def test_one_that_cannot_be_started_is_a_fault_each_turn(workshop: Workshop, made: list[PerTurnProcesses]) -> None:
    """A program that is not there cannot answer; the others can."""
    per_turn = errands_of(workshop, made, "say('rest')")
    nowhere = Launch(("/nowhere/bot",), str(workshop.folder), a_turn=True)
    per_turn._players[1] = PerTurnProcess(nowhere, per_turn._poller, "", None)
    answers = per_turn.ask(0, {0: VIEW, 1: VIEW}, {0: LONG, 1: LONG})
    assert answers[0].reply == "rest"
    assert answers[1].faults == (
        Fault(FaultKind.EXITED, FaultCode.CANNOT_START, {"reason": Message("system.ENOENT")}),
    )


def test_as_many_side_by_side_as_there_are_cores(
    workshop: Workshop, made: list[PerTurnProcesses], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With two cores two programs run at once, here each waits for the other; never three."""
    monkeypatch.setattr(scheduler, "cores", lambda: {0, 1})
    workshop.pipes("there", "back")
    running: list[int] = []
    started = PerTurnProcesses._start

    def start(per_turn: PerTurnProcesses, seat: int, turn: int, prompt: bytes) -> Answer | None:
        answer = started(per_turn, seat, turn, prompt)
        running.append(len(per_turn._running))
        return answer

    monkeypatch.setattr(PerTurnProcesses, "_start", start)
    first = "tell('there')\nwait_for('back')\nsay('first')"
    second = "wait_for('there')\ntell('back')\nsay('second')"
    answers = answers_of(workshop, made, first, second, "say('third')", "say('fourth')")
    assert [answers[seat].reply for seat in range(4)] == ["first", "second", "third", "fourth"]
    assert max(running) == 2


def test_each_has_a_clock_of_its_own(
    workshop: Workshop, made: list[PerTurnProcesses], clock: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who waits for a core is not charged for it: the clock starts with the process."""
    monkeypatch.setattr(scheduler, "cores", lambda: {0})
    per_turn = errands_of(workshop, made, "say('one')", "say('two')")
    stop = PerTurnProcesses._stop

    def stop_and_wait(of: PerTurnProcesses, seat: int, answer: Answer | None = None) -> None:
        stop(of, seat, answer)
        clock.nanoseconds += 3600 * per_turn_module.NANO

    monkeypatch.setattr(PerTurnProcesses, "_stop", stop_and_wait)
    answers = per_turn.ask(0, {0: VIEW, 1: VIEW}, {0: LONG, 1: LONG})
    assert [answers[seat].reply for seat in (0, 1)] == ["one", "two"]
    assert [answers[seat].seconds for seat in (0, 1)] == [0.0, 0.0]


def test_the_log_gets_standard_error_and_faults(tmp_path: Path, made: list[PerTurnProcesses]) -> None:
    """The author's log is added to, by the program and by the referee; whoever has no log has none."""
    launch = Launch(("x",), str(tmp_path), a_turn=True, log="errlog.txt")
    (tmp_path / "errlog.txt").write_text("the bot's own line\n")
    per_turn = PerTurnProcesses({0: launch, 1: replace(launch, log="")}, DeferSignals())
    made.append(per_turn)
    fault = Fault(FaultKind.TIMEOUT, FaultCode.NO_END)
    per_turn.log(4, [Move(0, "rest", stderr="oops"), Move(1, "rest", stderr="not here")])
    per_turn.log(5, [Move(0, "rest", faults=(fault,))])
    per_turn.log(6, [Move(0, "rest")])
    expected = "the bot's own line\noops\n[dohyo] turn 5: timeout: its process did not end in time\n"
    assert (tmp_path / "errlog.txt").read_text() == expected


def test_a_log_that_leads_elsewhere_is_left_alone(tmp_path: Path) -> None:
    """Nothing is written through a link, soft or hard, or into a pipe; a missing folder harms nobody."""
    secret = tmp_path / "secret"
    secret.write_text("mine")
    (tmp_path / "soft").symlink_to(secret)
    os.link(secret, tmp_path / "hard")
    os.mkfifo(tmp_path / "pipe")
    folder = os.open(tmp_path, os.O_RDONLY)
    for name in ("soft", "hard", "pipe", "no/where"):
        append(folder, name, b"theirs")
    os.close(folder)
    assert secret.read_text() == "mine"


def test_a_folder_that_is_swapped_is_not_followed(
    workshop: Workshop, tmp_path: Path, made: list[PerTurnProcesses]
) -> None:
    """A program that puts a link in its folder's place is not started there, and nothing is logged there."""
    home, other = tmp_path / "home", tmp_path / "other"
    home.mkdir()
    other.mkdir()
    body = (
        f"os.rename({str(home)!r}, {str(tmp_path / 'away')!r})\nos.symlink({str(other)!r}, {str(home)!r})\nsay('x')"
    )
    launch = replace(workshop.launch(body), folder=str(home), a_turn=True, log="errlog.txt")
    per_turn = PerTurnProcesses({0: launch}, DeferSignals())
    made.append(per_turn)
    assert per_turn.ask(0, {0: VIEW}, {0: LONG})[0].reply == "x"
    per_turn.log(0, [Move(0, "rest", stderr="oops")])
    assert per_turn.ask(1, {0: VIEW}, {0: LONG})[0].faults == (Fault(FaultKind.FILES, FaultCode.FOLDER_MOVED),)
    assert os.listdir(other) == []
    assert (tmp_path / "away" / "errlog.txt").read_text() == "oops\n"


def test_a_whole_match_with_both_kinds(workshop: Workshop) -> None:
    """One that lives for a match and one that lives for a turn play together, each in its own way."""
    lasting = workshop.launch("n = 0\nwhile asked():\n    n += 1\n    say(f'{n}\\n')")
    fleeting = workshop.launch(
        "n = int(open('n').read()) if os.path.exists('n') else 0\n"
        "open('n', 'w').write(str(n + 1))\ncomplain(f'{n} {os.getpid()}')\nsay(str(n))"
    )
    judge = Referee(tiny(frozenset()), {}, 2, 1)
    ran: list[bool] = []

    def look() -> None:
        ran.append(runs(int(judge.turns[-1].moves[1].stderr.split()[1])))

    launches = [lasting, replace(fleeting, a_turn=True, log="errlog.txt")]
    replay_result = Match(judge, launches, Clock(turn=LONG), look).play()
    assert replay_result.winner == 0
    assert [[move.action for move in turn.moves] for turn in judge.turns] == [["1", "0"], ["2", "1"], ["3", "2"]]
    assert ran == [False] * 3
    log = (workshop.folder / "errlog.txt").read_text().splitlines()
    assert [line.split()[0] for line in log] == ["0", "1", "2"]


def test_an_interrupt_leaves_no_errand(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a match breaks off in the midst of a turn, the turn's programs are ended as well."""
    launch = replace(workshop.launch("tell('running')\nhang()"), a_turn=True)
    workshop.pipes("running")
    judge = Referee(tiny(frozenset()), {}, 1, 1)
    match = Match(judge, [launch], Clock(turn=LONG))
    seen: list[int] = []

    def interrupted(per_turn: PerTurnProcesses) -> int:
        workshop.wait_for("running")
        seen.extend(player.process.process.pid for player in per_turn._running.values())
        raise KeyboardInterrupt

    monkeypatch.setattr(PerTurnProcesses, "_time_left", interrupted)
    with pytest.raises(KeyboardInterrupt):
        match.play()
    assert len(seen) == 1
    assert not runs(seen[0])
    assert match.result.unfinished
