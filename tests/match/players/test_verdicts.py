"""In a turn: every way to fail has its own verdict, exactly, and harms nobody but the one who failed."""

from __future__ import annotations

import hashlib
from time import monotonic

import pytest

from dohyo.core.faults import KEPT, Fault, FaultCode, FaultKind
from dohyo.core.referee import Answer
from dohyo.i18n import Message
from dohyo.match.players.per_match import NANO, PerMatchProcesses
from dohyo.match.processes import bot_process, poller
from dohyo.match.processes.bot_process import KEPT_PER_TURN, LONGEST_LINE
from dohyo.match.verdict import KEEPS_OPEN, UNREAD, early
from dohyo.system import proc
from tests.match.players.living import LONG, PROMPT, SHORT, TICK, Time, Workshop, living, stops
from tests.processes import runs


def ask(players: PerMatchProcesses, seat: int = 0, prompt: bytes = PROMPT, limit: float = LONG) -> Answer:
    """Ask one seat."""
    return players.ask({seat: prompt}, {seat: limit}, stops)[seat]


def fault_of(answer: Answer) -> Fault:
    """The one fault of a player that gave no answer."""
    assert answer.reply is None
    (fault,) = answer.faults
    return fault


ENDS = {
    "sys.exit(0)": Fault(FaultKind.EXITED, FaultCode.EXIT, status=0),
    "sys.exit(3)": Fault(FaultKind.EXITED, FaultCode.EXIT, status=3),
    "say('U')\nsys.exit(0)": Fault(
        FaultKind.EXITED, FaultCode.EXIT, status=0, also=(Message("detail.no-newline", {"line": "U"}),)
    ),
    "os.kill(os.getpid(), signal.SIGSEGV)": Fault(FaultKind.KILLED, FaultCode.SIGNAL, status=11),
    "os.kill(os.getpid(), signal.SIGKILL)": Fault(FaultKind.KILLED, FaultCode.SIGNAL, status=9),
    "os.kill(os.getpid(), signal.SIGTERM)": Fault(FaultKind.KILLED, FaultCode.SIGNAL, status=15),
    "os.kill(os.getpid(), 40)": Fault(FaultKind.KILLED, FaultCode.SIGNAL, status=40),
    f"say(b'x' * {10 * 1024 * 1024})\nhang()": Fault(FaultKind.OUTPUT, FaultCode.FLOOD),
    f"say(b'x' * {LONGEST_LINE + 1} + b'\\n')\nhang()": Fault(FaultKind.OUTPUT, FaultCode.FLOOD),
}


@pytest.fixture(params=["descriptors", "no descriptors"])
def any_system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run with what Linux has, and again without the descriptor for a process's end that macOS lacks."""
    if request.param == "no descriptors":
        monkeypatch.setattr(proc, "IS_LINUX", False)


@pytest.mark.usefixtures("any_system", "sleeper")
@pytest.mark.parametrize("body", ENDS)
def test_an_end_or_a_flood(workshop: Workshop, body: str) -> None:
    """Each end of a program, and each flood, is told apart, without waiting for the limit."""
    players = workshop.seat(f"asked()\ncomplain('last words')\n{body}")
    answer = ask(players)
    assert fault_of(answer) == ENDS[body]
    assert answer.stderr == "last words"
    assert (answer.seconds or LONG) < LONG
    assert players.programs[0] is None


@pytest.fixture
def sleeper(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the poller sleep until something wakes it, however long."""
    monkeypatch.setattr(poller, "LONGEST_WAIT", LONG * 2000)


@pytest.mark.parametrize("line", ["U\\n", "\\n", "endless "])
def test_endless_output(workshop: Workshop, line: str) -> None:
    """A program that never stops writing is called a flood in the turn in which its backlog has grown too long."""
    players = workshop.seat(f"asked()\nwhile True:\n    say('{line}' * 1000)", "while asked():\n    say('U\\n')")
    answer = ask(players)
    while answer.reply is not None:
        assert ask(players, seat=1).reply == "U"
        answer = ask(players)
    assert answer.faults[-1] == Fault(FaultKind.OUTPUT, FaultCode.FLOOD)


@pytest.mark.usefixtures("any_system")
def test_no_answer_is_a_time_out(workshop: Workshop) -> None:
    """A program that says nothing is late, and gone when the turn is over."""
    players = workshop.seat("asked()\nhang()")
    process = living(players).process
    answer = ask(players, limit=SHORT)
    assert fault_of(answer) == Fault(FaultKind.TIMEOUT, FaultCode.NO_ANSWER)
    assert answer.seconds is not None
    assert answer.seconds >= SHORT
    assert not runs(process.pid)


def test_an_answer_without_its_newline_is_a_time_out(workshop: Workshop, time: Time) -> None:
    """The beginning of a line is no answer; the time-out shows it, shortened."""
    players = workshop.seat("asked()\nsay('U' * 200)\nhang()")
    time.pass_when(lambda: living(players).partial, LONG)
    rest = Message("detail.no-newline", {"line": "U" * KEPT})
    assert fault_of(ask(players)) == Fault(FaultKind.TIMEOUT, FaultCode.NO_ANSWER, also=(rest,))


@pytest.mark.usefixtures("any_system")
def test_closing_the_output_is_told_from_ending(workshop: Workshop, time: Time) -> None:
    """Who closes the output and lives on has closed it, at the limit."""
    players = workshop.seat("asked()\nos.close(1)\nhang()")
    time.pass_when(lambda: not living(players).stdout_open, LONG)
    assert fault_of(ask(players)) == Fault(FaultKind.CLOSED, FaultCode.CLOSED)


@pytest.mark.usefixtures("any_system")
def test_an_end_that_is_seen_after_the_limit(workshop: Workshop, time: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who ends has closed its output first; where its end is seen only after the limit, it has ended all the same."""
    monkeypatch.setattr(bot_process, "TOGETHER", round(LONG * NANO))
    workshop.pipes("go")
    players = workshop.seat("asked()\nos.close(1)\nwait_for('go')\nos._exit(3)")
    looks = iter(range(3))
    time.pass_when(lambda: not living(players).stdout_open, 2 * TICK)
    time.pass_when(lambda: time.nanoseconds and next(looks, 3) == 3 and workshop.tells("go"), 0.0)
    assert fault_of(ask(players, limit=TICK)) == Fault(FaultKind.EXITED, FaultCode.EXIT, status=3)


@pytest.mark.usefixtures("any_system", "sleeper")
def test_closing_the_output_and_then_ending_is_an_end(workshop: Workshop, time: Time) -> None:
    """Who closes the output, lives on for a while and exits before the limit has exited; nobody waits longer."""
    workshop.pipes("closed")
    players = workshop.seat("asked()\nos.close(1)\nwait_for('closed')\nsys.exit(5)")

    def let_exit() -> bool:
        if not living(players).stdout_open:
            workshop.tell("closed")
            return True
        return False

    time.pass_when(let_exit, 0)
    before = monotonic()
    assert fault_of(ask(players)) == Fault(FaultKind.EXITED, FaultCode.EXIT, status=5)
    assert monotonic() - before < LONG


@pytest.mark.parametrize(
    ("written", "reply"),
    [
        (b"U", "U"),
        (b"\0U\0", "\0U\0"),
        (b"\xff\xfeU\xc3", "\\xff\\xfeU\\xc3"),
        ("\u2764\U0001f600".encode(), "\u2764\U0001f600"),
        (b"", ""),
        (b"U\r", "U\r"),
        pytest.param(b"x" * LONGEST_LINE, "x" * LONGEST_LINE, id="longest"),
    ],
    ids=["letter", "zeros", "no-utf-8", "emoji", "empty", "return", "longest"],  # a name must fit in an environment
)
def test_what_an_answer_may_hold(workshop: Workshop, written: bytes, reply: str) -> None:
    """Any line up to the longest is an answer for the game to read; what is no UTF-8 is shown as escapes."""
    players = workshop.seat(f"asked()\nsay({written!r} + b'\\n')\nhang()")
    answer = ask(players)
    assert (answer.reply, answer.faults) == (reply, ())


def test_two_answers(workshop: Workshop) -> None:
    """Lines too many answer later turns, as in the original contest, and are told of where they do."""
    players = workshop.seat("asked()\nsay('U\\nR\\nD\\n')\nfor _ in range(3):\n    asked()\nsay('L\\nA\\n')\nhang()")
    answers = [ask(players) for _ in range(5)]
    assert [answer.reply for answer in answers] == ["U", "R", "D", "L", "A"]
    assert [answer.faults for answer in answers] == [(), (early("R"),), (early("D"),), (), (early("A"),)]


def test_an_answer_before_it_was_asked_for(workshop: Workshop) -> None:
    """Lines that were there before the prompt are the answers, each told of in the turn that it answers."""
    workshop.pipes("said")
    players = workshop.seat("say('U\\nR\\n')\ntell('said')\nasked()\nasked()\nasked()\nsay('D\\n')\nhang()")
    workshop.wait_for("said")
    answers = [ask(players) for _ in range(3)]
    assert [answer.reply for answer in answers] == ["U", "R", "D"]
    assert [answer.faults for answer in answers] == [(early("U"),), (early("R"),), ()]


def test_the_last_answer_of_a_program_that_ends_counts(workshop: Workshop) -> None:
    """Who answers and exits has answered; the exit is the next turn's."""
    players = workshop.seat("asked()\nsay('U\\n')\nsys.exit(1)")
    assert ask(players).reply == "U"
    assert fault_of(ask(players)) == Fault(FaultKind.EXITED, FaultCode.EXIT, status=1)


def test_who_never_reads_and_never_answers(workshop: Workshop) -> None:
    """A prompt that no pipe can hold does not block the referee; the time-out says that it was not read."""
    players = workshop.seat("hang()")
    answer = ask(players, prompt=b"x" * 5_000_000, limit=SHORT)
    assert fault_of(answer) == Fault(FaultKind.TIMEOUT, FaultCode.NO_ANSWER, also=(UNREAD,))


def test_who_never_reads_may_answer(workshop: Workshop) -> None:
    """Not to read is no fault: whoever guesses answers in time goes on playing."""
    for turn in range(3):
        workshop.pipes(f"turn{turn}")
    players = workshop.seat(
        "for turn in range(3):\n    wait_for(f'turn{turn}')\n    say('U\\n')\nhang()",
        "for turn in range(3):\n    asked()\n    tell(f'turn{turn}')\n    say('R\\n')\nhang()",
    )
    for _ in range(3):
        answers = players.ask({0: b"x" * 1_000_000, 1: PROMPT}, {0: LONG, 1: LONG}, stops)
        assert [(answers[seat].reply, answers[seat].faults) for seat in range(2)] == [("U", ()), ("R", ())]


def test_a_large_prompt_arrives_whole(workshop: Workshop) -> None:
    """What does not fit the pipe at first follows, in order, as the program reads; also over several turns."""
    body = """
    import hashlib
    while True:
        found = hashlib.sha256()
        for line in asked():
            found.update(line.encode())
        say(found.hexdigest() + '\\n')
    """
    players = workshop.seat(body)
    for turn in range(3):
        lines = [f"{turn} {number}" for number in range(50_000)] + ["EOD"]
        answer = ask(players, prompt="".join(f"{line}\n" for line in lines).encode())
        assert answer.reply == hashlib.sha256("".join(lines).encode()).hexdigest()


def test_what_was_not_read_is_read_later(workshop: Workshop) -> None:
    """Input that a program leaves lying over several turns is all there when it comes to read it."""
    workshop.pipes("go")
    body = """
    for _ in range(3):
        wait_for('go')
        say('U\\n')
    say(' '.join(str(len(asked())) for _ in range(4)) + '\\n')
    hang()
    """
    players = workshop.seat(body, "while asked():\n    tell('go')\n    say('R\\n')")
    prompts = [b"x\n" * lines + b"EOD\n" for lines in (100_000, 200_000, 300_000, 10)]
    for prompt in prompts[:3]:
        answers = players.ask({0: prompt, 1: PROMPT}, {0: LONG, 1: LONG}, stops)
        assert answers[0].reply == "U"
    assert ask(players, prompt=prompts[3]).reply == "100001 200001 300001 11"


def test_closing_the_input_is_no_fault(workshop: Workshop) -> None:
    """Who reads nothing any more, and says so, may go on answering."""
    workshop.pipes("go", "closed")
    players = workshop.seat(
        "os.close(0)\ntell('closed')\nfor _ in range(2):\n    wait_for('go')\n    say('U\\n')\nhang()",
        "while asked():\n    tell('go')\n    say('R\\n')",
    )
    workshop.wait_for("closed")
    for _ in range(2):
        answers = players.ask({0: PROMPT, 1: PROMPT}, {0: LONG, 1: LONG}, stops)
        assert [(answers[seat].reply, answers[seat].faults) for seat in range(2)] == [("U", ()), ("R", ())]


# --- standard error


def test_standard_error_belongs_to_its_turn(workshop: Workshop) -> None:
    """What a program wrote before its answer comes with that answer."""
    players = workshop.seat(
        "for turn in range(200):\n    asked()\n    complain(f'turn {turn}')\n    say('U\\n')\nhang()"
    )
    assert [ask(players).stderr for _ in range(200)] == [f"turn {turn}" for turn in range(200)]


def test_a_flood_of_standard_error_is_cut(workshop: Workshop) -> None:
    """The last 64 KiB of a turn are kept, the bytes before are counted, and the match goes on."""
    size = 1_000_000
    players = workshop.seat(f"while asked():\n    complain('x' * {size} + 'end')\n    say('U\\n')")
    for _ in range(3):
        answer = ask(players)
        assert answer.reply == "U"
        assert answer.stderr == "x" * (KEPT_PER_TURN - 3) + "end"
        assert answer.stderr_dropped == size + 3 - KEPT_PER_TURN


def test_all_standard_error_of_a_match_is_bounded(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """After so much in a match nothing more is kept, only counted; what is kept is the end of each turn's."""
    monkeypatch.setattr(bot_process, "KEPT_PER_MATCH", 25)
    players = workshop.seat(
        "for turn in range(4):\n    asked()\n    complain(f'turn{turn:5}|')\n    say('U\\n')\nhang()"
    )
    answers = [ask(players) for _ in range(4)]
    assert [(answer.stderr, answer.stderr_dropped) for answer in answers] == [
        ("turn    0|", 0),
        ("turn    1|", 0),
        ("   2|", 5),
        ("", 10),
    ]


def test_who_writes_while_others_move_is_not_blocked(workshop: Workshop) -> None:
    """A program that fills its pipes between its turns is read in the others' turns."""
    workshop.pipes("written")
    players = workshop.seat(
        "asked()\nsay('U\\n')\ncomplain(b'x' * 500_000)\nsay('R\\n' * 100_000)\ntell('written')\nhang()",
        "asked()\nwait_for('written')\nsay('U\\n')\nhang()",
    )
    first, other, second = ask(players), ask(players, seat=1), ask(players)
    assert [first.reply, other.reply, second.reply] == ["U", "U", "R"]
    assert sum(len(answer.stderr) + answer.stderr_dropped for answer in (first, second)) == 500_000


# --- descendants

FAMILY = """
    asked()
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        grandchild = os.fork()
        if grandchild == 0:
            hang()
        say(f'{os.getpid()} {grandchild}\\n')
        hang()
"""


@pytest.mark.parametrize(
    ("end", "fault"),
    [
        ("hang()", Fault(FaultKind.TIMEOUT, FaultCode.NO_ANSWER)),
        (
            "os._exit(0)",
            Fault(FaultKind.EXITED, FaultCode.EXIT, status=0, also=(KEEPS_OPEN,)),
        ),
        (
            "os.kill(os.getpid(), 9)",
            Fault(FaultKind.KILLED, FaultCode.SIGNAL, status=9, also=(KEEPS_OPEN,)),
        ),
    ],
)
@pytest.mark.usefixtures("any_system")
def test_the_whole_family_is_gone(workshop: Workshop, time: Time, end: str, fault: Fault) -> None:
    """When a stopped program's turn is over, what it started and what that started is gone, whoever died first."""
    players = workshop.seat(f"{FAMILY}\n    asked()\n    {end}")
    answer = ask(players)
    assert answer.reply is not None
    family = [int(word) for word in answer.reply.split()]
    bot = living(players)
    if end == "hang()":
        time.pass_after(looks=2, seconds=TICK)
    else:
        time.pass_when(lambda: not runs(bot.process.pid), TICK)
    assert fault_of(ask(players, limit=TICK)) == fault
    assert [pid for pid in [bot.process.pid, *family] if runs(pid)] == []


def test_a_descendant_may_answer_for_its_parent(workshop: Workshop, time: Time) -> None:
    """A launcher that starts the real program and exits is no fault while answers come."""
    players = workshop.seat("if os.fork():\n    os._exit(0)\nwhile asked():\n    say('U\\n')")
    for _ in range(3):
        answer = ask(players)
        assert (answer.reply, answer.faults) == ("U", ())


def test_a_program_whose_own_end_comes_first(workshop: Workshop) -> None:
    """Stopping a program that has ended already ends what it has left behind."""
    players = workshop.seat("asked()\nchild = os.fork()\nif child == 0:\n    hang()\nsay(f'{child}\\n')")
    child = int(ask(players).reply or 0)
    assert runs(child)
    players.stop(0)
    assert not runs(child)


def test_a_closed_input_is_never_mistaken_for_another_descriptor(workshop: Workshop) -> None:
    """Once a program's input is closed its number may be another's, and the poller must go on watching that one."""
    workshop.pipes("closed")
    players = workshop.seat("os.close(0)\ntell('closed')\nsay('U\\n')\nhang()")
    workshop.wait_for("closed")
    program = players.programs[0]
    assert program is not None
    before = program.stdin
    assert ask(players).reply == "U"
    assert program.stdin != before
    assert not program.stdin_open
