"""Comment lines and a last word: what some games' programs may say beside their answers, and what they are told."""

from __future__ import annotations

from types import SimpleNamespace

import msgspec
import pytest

from dohyo.core.clock import Clock
from dohyo.core.faults import FaultKind
from dohyo.core.game import Game
from dohyo.core.referee import Referee
from dohyo.core.replay import Move, Result
from dohyo.match.players.per_match import PerMatchProcesses
from dohyo.match.processes.bot_process import KEPT_PER_TURN, MAX_QUEUED, BotProcess, BoundedTail
from dohyo.match.running import Match
from tests.match.players.living import LONG, Workshop, await_output
from tests.match.players.tiny import tiny

ALL = frozenset(FaultKind)


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine: every program has the time to end by itself."""
    hurried = PerMatchProcesses.await_ends
    monkeypatch.setattr(PerMatchProcesses, "await_ends", lambda players, farewell: hurried(players, farewell, LONG))


def talking(**more: object) -> Game:
    """The tiny game with comment lines that begin with #, and with a last word."""

    def farewell(s: object, seat: int, buffer: bytearray) -> int:
        text = f"bye {seat}\nEOD\n".encode()
        buffer[: len(text)] = text
        return len(text)

    game = tiny(ALL)
    parts = {**vars(game.protocol), "COMMENT": "#", "farewell": farewell, **more}
    return msgspec.structs.replace(game, protocol=SimpleNamespace(**parts))


def play(workshop: Workshop, game: Game, *bodies: str) -> tuple[Referee, Result]:
    """A match of these programs."""
    referee = Referee(game, {}, len(bodies), 1)
    return referee, Match(referee, [workshop.launch(body) for body in bodies], Clock(turn=LONG)).play()


def moves(referee: Referee, seat: int = 0) -> list[Move]:
    """What a seat did, turn by turn."""
    return [move for turn in referee.turns for move in turn.moves if move.seat == seat]


def test_comments_are_no_answers(workshop: Workshop) -> None:
    """They are recorded with the move that they came with, and are no faults; what is no comment counts."""
    body = (
        "asked()\nsay('# one\\n#two\\n3\\n')\nasked()\nsay('4\\n')\nasked()\nsay('# three\\n')\nsay('1\\n')\nasked()"
    )
    referee, _ = play(workshop, talking(), body)
    assert [(move.action, move.comments) for move in moves(referee)] == [
        ("3", "# one\n#two\n"),
        ("4", ""),
        ("1", "# three\n"),
    ]
    assert not [move for move in moves(referee) if move.faults or move.reply]


def test_comment_in_pieces_is_one(workshop: Workshop) -> None:
    """Cut anywhere, between comments and answers too, lines stay lines."""
    body = (
        "asked()\nfor piece in ('#', ' a', '\\n2', '\\n# b\\n#'):\n    say(piece)\n"
        "asked()\nsay(' c\\n3\\n')\nasked()\nsay('1\\n')\nasked()"
    )
    referee, result = play(workshop, talking(), body)
    assert [move.action for move in moves(referee)] == ["2", "3", "1"]
    assert "".join(move.comments for move in [*moves(referee), *result.last]) == "# a\n# b\n# c\n"


def test_comments_after_the_last_turn_stand_in_the_result(workshop: Workshop) -> None:
    """As standard error does."""
    body = "for number in range(3):\n    asked()\n    say('1\\n')\nasked()\nsay('# good game\\n')"
    _, result = play(workshop, talking(), body)
    assert [(move.seat, move.comments) for move in result.last] == [(0, "# good game\n")]


def test_flood_of_comments_is_cut_and_then_a_fault(workshop: Workshop) -> None:
    """The last 64 KiB of a turn are kept and the rest counted; more than anybody reads is a flood like any other."""
    size = len("# 12345678\n") * 20_000
    body = "asked()\nsay('# 12345678\\n' * 20_000 + '1\\n')\nasked()\nwhile True:\n    say('# x\\n' * 1000)"
    referee, _ = play(workshop, talking(), body)
    first, second, _ = moves(referee)
    assert (len(first.comments), first.comments_dropped) == (KEPT_PER_TURN, size - KEPT_PER_TURN)
    assert [fault.kind for fault in second.faults] == [FaultKind.OUTPUT]
    assert second.comments_dropped + len(second.comments) > MAX_QUEUED


def test_without_comments_such_a_line_is_an_answer(workshop: Workshop) -> None:
    """A game that says nothing of comments has none."""
    referee, _ = play(workshop, tiny(frozenset()), "while asked():\n    say('# one\\n')")
    assert moves(referee)[0].reply == "# one"
    assert moves(referee)[0].comments == ""


def test_farewell_is_the_last_input(workshop: Workshop) -> None:
    """Every living program is sent it before its input ends; one that was stopped is not."""
    good = "while True:\n    lines = asked()\n    say('1\\n')\n    complain(' '.join(lines) + '|')"
    _, result = play(workshop, talking(), good, "asked()\nsay('nonsense\\n')\nhang()")
    assert [(move.seat, move.stderr) for move in result.last][-1][1].endswith("bye 0 EOD|")
    assert [move for move in result.last if "bye 1" in move.stderr] == []


def test_farewell_reaches_a_program_that_had_not_read(workshop: Workshop) -> None:
    """What did not fit the pipe comes first."""
    long = "x" * 100_000

    def prompt(s: object, seat: int, buffer: bytearray) -> int:
        text = f"{long}\nEOD\n".encode()
        buffer[: len(text)] = text
        return len(text)

    game = talking(prompt=prompt, PROMPT_BYTES=200_000)
    _, result = play(workshop, game, "say('1\\n1\\n1\\n')\nfor n in range(4):\n    last = asked()\ncomplain(last[0])")
    assert result.last[-1].stderr == "bye 0"


def test_nothing_is_sent_without_a_farewell(workshop: Workshop) -> None:
    """Most games just end the input."""
    body = "say('1\\n1\\n1\\n')\ntext = sys.stdin.read()\ncomplain(text[-5:])"
    _, result = play(workshop, tiny(ALL), body)
    assert result.last[-1].stderr == "\nEOD\n"


def test_kept_is_the_end() -> None:
    """Nothing, something, too much, nothing again."""
    kept = BoundedTail()
    assert kept.take() == ("", 0)
    kept.add(b"x" * KEPT_PER_TURN)
    kept.add(b"\xffend")
    assert kept.size == KEPT_PER_TURN + 4
    text, dropped = kept.take()
    assert (len(text), text[-4:], dropped) == (KEPT_PER_TURN, "\ufffdend", 4)
    assert (kept.take(), kept.size) == (("", 0), 0)


def test_program_keeps_comments_apart_from_its_queue(workshop: Workshop) -> None:
    """What is queued before and behind a comment stays in order when that is taken out."""
    launch = workshop.launch("say('1\\n')\nsay('# x\\n2\\n')\nhang()")
    program = BotProcess(launch.command, launch.folder, comment="#")
    while program.take_asides()[2] != "# x\n":
        await_output(program.stdout)
        program.read_output()
    assert [program.take_line(), program.take_line(), program.take_line()] == ["1", "2", None]
    program.stop()


def test_ends_of_lines_that_nobody_keeps_count_too(workshop: Workshop) -> None:
    """A program whose lines are sorted cannot write empty ones without end: they are output that nobody reads."""
    launch = workshop.launch("while True:\n    say('\\n' * 65536)")
    program = BotProcess(launch.command, launch.folder)
    program.sort_lines(lambda lines: ([], []))
    read = 0
    while not program.flooded and read < 2000:  # more than a mebibyte, however little each gives
        await_output(program.stdout)
        program.read_output()
        read += 1
    assert program.flooded
    program.stop()
