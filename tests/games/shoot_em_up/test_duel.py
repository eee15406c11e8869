"""The duel between two real programs: who is sent what, to the byte, and what the record says."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dohyo.core.clock import Clock
from dohyo.core.faults import FaultKind
from dohyo.core.options import resolve
from dohyo.core.playback import verify
from dohyo.core.referee import Referee
from dohyo.core.replay import Header, Replay, Seat
from dohyo.core.replay_format import decode, encode
from dohyo.games.shoot_em_up import GAME
from dohyo.match.players.per_match import PerMatchProcesses
from dohyo.match.processes.launch import Launch
from dohyo.match.running import Match
from tests.processes import nobody_left

__all__ = ["nobody_left"]

PATIENT = Clock(turn=60.0)

# Writes down what it is sent, and answers each asking line with the next of its answers, the last over and over.
ROBOT = """
import sys
answers, at, out = {answers!r}, 0, open({out!r}, "w")
for line in sys.stdin:
    out.write(line)
    out.flush()
    if line[0] in "PHN":
        sys.stdout.write(answers[min(at, len(answers) - 1)])
        sys.stdout.flush()
        at += 1
out.write("end\\n")
"""


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine: every program has the time to read its last line and to end by itself."""
    hurried = PerMatchProcesses.await_ends
    monkeypatch.setattr(
        PerMatchProcesses, "await_ends", lambda players, farewell: hurried(players, farewell, PATIENT.turn)
    )


class Duel:
    """A combat between two programs that answer so; what each was sent, and the record."""

    def __init__(self, folder: Path, answers: list[list[str]], clock: Clock = PATIENT, **setup: object) -> None:
        launches = []
        for seat in (0, 1):
            bot = folder / f"robot{seat}.py"
            bot.write_text(ROBOT.format(answers=answers[seat], out=str(folder / f"sent{seat}")))
            launches.append(Launch((sys.executable, "-I", "-S", str(bot)), str(folder)))
        full = resolve(GAME.options, setup)
        self.referee = Referee(GAME, full, 2, 55)
        result = Match(self.referee, launches, clock).play()
        seats = (Seat("a"), Seat("b"))
        header = Header(game=GAME.name, rules=GAME.version, setup=full, seats=seats, seed=55, software="test")
        self.replay = Replay(header, self.referee.turns, result)
        self.sent = [(folder / f"sent{seat}").read_text().replace("\n", " ").strip() for seat in (0, 1)]
        assert verify(GAME, decode(encode(self.replay))) == len(self.replay.turns)


def test_both_are_sent_the_text_s_lines(tmp_path: Path, nobody_left: None) -> None:
    """P to both, N and H as it happens, W and L, then the end of the input, at which both end by themselves."""
    shots, stay = ["S 1 0\n", "M 0 0\n"] * 9, ["M 0 0\n"]
    duel = Duel(tmp_path, [shots, stay], places="0,0,5,0")
    assert duel.sent == ["P 0 0 N N N N W end", "P 5 0 H -1 0 H -1 0 N L end"]
    assert (duel.replay.result.winner, duel.replay.result.reason_key) == (0, "shoot-em-up.shot-down")


def test_opening_action_that_ends_the_combat(tmp_path: Path, nobody_left: None) -> None:
    """The second is told where it starts and that it has won; what it answers to P is discarded."""
    duel = Duel(tmp_path, [["M -1 0\n"], ["oops\n"]], places="0,0,5,0")
    assert duel.sent == ["P 0 0 L end", "P 5 0 W end"]
    assert (duel.replay.result.winner, len(duel.replay.turns)) == (1, 1)
    assert [move.faults for move in duel.replay.result.last] == []


def test_error_of_one_is_a_win_of_the_other(tmp_path: Path, nobody_left: None) -> None:
    """The failing program is stopped without a word, the other is sent W."""
    duel = Duel(tmp_path, [["M 0 0\n", "nonsense\n"], ["M 0 0\n"]], places="0,0,5,5")
    assert duel.sent == ["P 0 0 N", "P 5 5 W end"]
    assert (duel.replay.result.winner, duel.replay.result.reason_key) == (1, "shoot-em-up.program-error")
    last = duel.replay.turns[-1].moves[0]
    assert (last.action, last.reply, [fault.kind for fault in last.faults]) == (
        "ERROR",
        "nonsense",
        [FaultKind.MALFORMED],
    )


def test_time_out_loses(tmp_path: Path, nobody_left: None) -> None:
    """No line in time is an error as well."""
    duel = Duel(tmp_path, [["M 0 0\n", ""], ["M 0 0\n"]], Clock(turn=0.3, first=60.0), places="0,0,5,5")
    assert [fault.kind for fault in duel.replay.turns[-1].moves[0].faults] == [FaultKind.TIMEOUT]
    assert (duel.sent[1], duel.replay.result.winner) == ("P 5 5 W end", 1)


def test_draw_is_told_as_a_loss_to_both(tmp_path: Path, nobody_left: None) -> None:
    """The wire has no line for it; the record says draw."""
    duel = Duel(tmp_path, [["M 0 0\n"], ["M 0 0\n"]], places="0,0,5,5", pairs=2)
    assert duel.sent == ["P 0 0 N L end", "P 5 5 N L end"]
    result = duel.replay.result
    assert (result.winner, result.places, result.reason_key) == (None, (1, 1), "shoot-em-up.pair-limit")


def test_comments_are_no_answers_and_are_recorded(tmp_path: Path, nobody_left: None) -> None:
    """Lines that begin with / come at any time: before an answer, behind it, after the end."""
    first = ["/ I am here\n/ and think\nM 0 0\n", "M 0 0\n/ done\n", "/\nM -1 0\n/ too far\n"]
    duel = Duel(tmp_path, [first, ["M 0 0\n"]], places="0,0,5,5")
    comments = [move.comments for turn in duel.replay.turns for move in turn.moves if move.seat == 0]
    last = [move.comments for move in duel.replay.result.last]
    assert "".join(comments + last) == "/ I am here\n/ and think\n/ done\n/\n/ too far\n"
    assert comments[0] == "/ I am here\n/ and think\n"
    assert not [fault for turn in duel.replay.turns for move in turn.moves for fault in move.faults]


def test_moves_of_one_program_are_not_the_other_s_time(tmp_path: Path, nobody_left: None) -> None:
    """Each move is recorded with its seat, in turn, and with a time."""
    duel = Duel(tmp_path, [["M 0 0\n"], ["M 0 0\n"]], places="0,0,5,5", pairs=3)
    moves = [(move.seat, move.action) for turn in duel.replay.turns for move in turn.moves]
    assert moves == [(0, "M 0 0"), (1, "M 0 0")] * 3
    assert all(move.seconds is not None for turn in duel.replay.turns for move in turn.moves)


def test_record_holds_the_dice(tmp_path: Path, nobody_left: None) -> None:
    """The squares are a move of the dice: the record plays again without any generator."""
    duel = Duel(tmp_path, [["S 1 0\n", "M 0 0\n"], ["M 0 0\n"]], pairs=4)
    assert duel.replay.turns[0].dice == (5, 6, 8, 5)
