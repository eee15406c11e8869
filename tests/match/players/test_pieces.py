"""What comes in pieces, and what is left at the end, is put together and kept."""

from __future__ import annotations

from dohyo.core.clock import Clock
from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.core.referee import Answer, Referee
from dohyo.i18n import Message
from dohyo.match.processes import bot_process
from dohyo.match.running import Match
from tests.match.players.living import LONG, PROMPT, Time, Workshop, living, stops
from tests.match.players.tiny import tiny
from tests.processes import runs


def test_an_answer_in_pieces_without_its_newline(workshop: Workshop, time: Time) -> None:
    """A line that comes in pieces is put together, also where it has no end."""
    workshop.pipes("more")
    players = workshop.seat("asked()\nsay('U')\nwait_for('more')\nsay('R')\nhang()")

    def ask_for_more() -> bool:
        if living(players).partial == "U":
            workshop.tell("more")
            return True
        return False

    time.pass_when(ask_for_more, 0)
    time.pass_when(lambda: living(players).partial not in ("", "U"), LONG)
    answer = players.ask({0: PROMPT}, {0: LONG}, stops)[0]
    assert answer.reply is None
    assert answer.faults == (
        Fault(FaultKind.TIMEOUT, FaultCode.NO_ANSWER, also=(Message("detail.no-newline", {"line": "UR"}),)),
    )


def test_last_words_in_a_large_pipe(workshop: Workshop) -> None:
    """What a program left in a pipe that it had made larger is read to its end when it is stopped."""
    workshop.pipes("written")
    body = """
    import fcntl
    fcntl.fcntl(2, fcntl.F_SETPIPE_SZ, 1024 * 1024)
    complain(b'x' * 900_000 + b'the end')
    tell('written')
    hang()
    """
    players = workshop.start(body)
    workshop.wait_for("written")
    stderr, dropped, *_ = players.stop(0)
    assert stderr.endswith("xthe end")
    assert dropped == 900_007 - bot_process.KEPT_PER_TURN


def test_who_is_ended_by_a_reply_is_gone_before_the_next_turn(workshop: Workshop) -> None:
    """A program that its own reply has stopped does not run any more when its turn is over."""
    judge = Referee(tiny(frozenset({FaultKind.ILLEGAL})), {}, 1, 1)
    seen = []

    def look() -> None:
        seen.append(runs(int(judge.turns[0].moves[0].stderr)))

    launches = [workshop.launch("complain(str(os.getpid()))\nwhile asked():\n    say('9\\n')")]
    Match(judge, launches, Clock(turn=LONG), look).play()
    assert seen == [False] * 3


def test_no_answer_ever_counts_for_another_turn(workshop: Workshop, time: Time) -> None:
    """Who is always late, or left a question unanswered, is told that what came was for an earlier turn."""
    players = workshop.seat("asked()\nasked()\nsay('A\\n')\nasked()\nsay('B\\nC\\n')\nhang()")

    def answer() -> Answer:
        return players.ask({0: PROMPT}, {0: LONG}, lambda fault: False)[0]

    time.pass_after(looks=1, seconds=LONG)
    assert answer().faults == (Fault(FaultKind.TIMEOUT, FaultCode.NO_ANSWER),)
    time.pass_when(lambda: players.player(0).dropped, LONG)
    assert answer().faults == (Fault(FaultKind.TIMEOUT, FaultCode.BEHIND),)
    assert answer().reply == "C"
