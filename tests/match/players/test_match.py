"""A whole match: the game's rules answer each fault, programs are gone in time, the record is complete."""

from __future__ import annotations

import pytest

from dohyo.core.clock import Clock
from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.core.game import Game
from dohyo.core.options import resolve
from dohyo.core.playback import verify
from dohyo.core.referee import Referee
from dohyo.core.replay import Header, Move, Replay, Seat
from dohyo.games.drop_block import GAME
from dohyo.match.players.per_match import PerMatchProcesses
from dohyo.match.processes.bot_process import KEPT_PER_TURN, LONGEST_LINE
from dohyo.match.processes.launch import Launch
from dohyo.match.running import UNFINISHED, Match
from tests.match.players.living import LONG, SHORT, TICK, Time, Workshop
from tests.match.players.tiny import tiny
from tests.processes import runs

PATIENT = Clock(turn=LONG, ready=LONG)
IMPATIENT = Clock(turn=SHORT, ready=LONG)
READY = "say('READY\\n')\n"

# Seats 0 and 1 stand, and the block under seat 1 falls in turn 11: whatever the programs do, seat 0 wins.
DUEL = {"players": "1,1,U/1,16,U/-/-", "blocks": ",".join(["0"] * 5 + ["12"] + ["0"] * 30)}

FAILURES = {
    "not ready": ("hang()", Clock(turn=LONG, ready=SHORT), FaultKind.NOT_READY),
    "time-out": (READY + "hang()", IMPATIENT, FaultKind.TIMEOUT),
    "exits": (READY + "asked()\nsys.exit(3)", PATIENT, FaultKind.EXITED),
    "exits early": ("sys.exit(0)", PATIENT, FaultKind.EXITED),
    "dies": (READY + "asked()\nos.kill(os.getpid(), 11)", PATIENT, FaultKind.KILLED),
    "floods": (READY + "asked()\nsay('x' * 1_000_000)\nhang()", PATIENT, FaultKind.OUTPUT),
    "floods early": ("say('x' * 1_000_000)\nhang()", PATIENT, FaultKind.OUTPUT),
}


def play(
    launches: list[Launch], clock: Clock = PATIENT, game: Game = GAME, **setup: object
) -> tuple[Referee, Replay]:
    """A match, and its replay, which verifies."""
    full = resolve(game.options, setup)
    judge = Referee(game, full, len(launches), 1)
    result = Match(judge, launches, clock).play()
    seats = tuple(Seat("bot") for _ in launches)
    header = Header(game=game.name, rules=1, setup=full, seats=seats, seed=1, software="test")
    replay = Replay(header, judge.turns, result)
    verify(game, replay)
    return judge, replay


def moves_of(replay: Replay, seat: int) -> list[Move]:
    """All moves of one seat."""
    return [move for turn in replay.turns for move in turn.moves if move.seat == seat]


@pytest.mark.parametrize("failure", FAILURES)
def test_a_stopped_player_stays_does_nothing_and_can_win(workshop: Workshop, failure: str) -> None:
    """Whatever its program did, a player of Drop-Block stays on the board, plays N for ever, and wins if it lasts."""
    body, clock, kind = FAILURES[failure]
    _, replay = play([workshop.launch(body) for _ in range(4)], clock, **DUEL)
    assert (replay.result.winner, replay.result.places[:2], len(replay.turns)) == (0, (1, 2), 12)
    for seat in range(4):
        first, *rest = moves_of(replay, seat)
        assert (first.action, [fault.kind for fault in first.faults]) == ("N", [kind])
        assert rest == [Move(seat, "N"), Move(seat, "N")]


def test_closing_the_output_is_answered_the_same_way(workshop: Workshop) -> None:
    """Who closes its output and lives on is stopped, plays N, and can win."""
    workshop.pipes("closed")
    launches = [
        workshop.launch(READY + "os.close(1)\ntell('closed')\nhang()"),
        *(workshop.launch("wait_for('closed')\n" * (seat == 1) + READY + "hang()") for seat in (1, 2, 3)),
    ]
    _, replay = play(launches, IMPATIENT, **DUEL)
    assert replay.result.winner == 0
    assert [move.action for move in moves_of(replay, 0)] == ["N", "N", "N"]
    assert moves_of(replay, 0)[0].faults == (Fault(FaultKind.CLOSED, FaultCode.CLOSED),)


def test_a_malformed_reply_stops_nobody(workshop: Workshop) -> None:
    """Each line that cannot be read is N and a fault of its own; the program is asked again and its reply is kept.

    For a player that is not on the board it is a note.
    """
    body = READY + "for reply in ('u', 'A\\tB', 'U and more'):\n    asked()\n    say(reply + '\\n')\nasked()"
    _, replay = play([workshop.launch(body) for _ in range(4)], **DUEL)
    for seat in range(4):
        values = [{"written": word, "letters": "U R D L A N"} for word in ("u", "A\tB")]
        faults = [Fault(FaultKind.MALFORMED, "drop-block.detail.letter", each, note=seat > 1) for each in values]
        moves = moves_of(replay, seat)
        assert [move.action for move in moves] == ["N", "N", "U"]
        assert [move.reply for move in moves] == ["u", "A\tB", "U and more"]
        assert [move.faults for move in moves] == [(faults[0],), (faults[1],), ()]


def test_the_stopped_program_is_gone_before_the_next_turn(workshop: Workshop) -> None:
    """When a turn is over, the process that failed in it, and what that had started, have ended."""
    body = """
    say('READY\\n')
    child = os.fork()
    if child == 0:
        hang()
    asked()
    complain(f'{os.getpid()} {child}')
    say('x' * 100_000)
    hang()
    """
    judge = Referee(GAME, resolve(GAME.options, DUEL), 4, 1)
    seen: list[int] = []

    def look() -> None:
        for move in judge.turns[-1].moves:
            if move.faults:
                family = [int(word) for word in move.stderr.split()]
                seen.extend(family)
                assert [pid for pid in family if runs(pid)] == []

    Match(judge, [workshop.launch(body) for _ in range(4)], PATIENT, look).play()
    assert len(seen) == 8


def test_the_last_words_of_a_stopped_program_are_kept_within_the_limit(workshop: Workshop) -> None:
    """What a program wrote up to its end is recorded with the turn that ended it, the last 64 KiB of it."""
    body = READY + "asked()\ncomplain('x' * 300_000 + 'the end')\nos._exit(1)"
    _, replay = play([workshop.launch(body) for _ in range(4)], **DUEL)
    for seat in range(4):
        move = moves_of(replay, seat)[0]
        assert len(move.stderr) == KEPT_PER_TURN
        assert move.stderr.endswith("xthe end")
        assert move.stderr_dropped == 300_007 - KEPT_PER_TURN


def test_what_comes_after_the_last_turn_stands_in_the_result(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs learn of the end by the end of their input, and what they then write is recorded with the result."""
    patient = PerMatchProcesses.await_ends
    monkeypatch.setattr(PerMatchProcesses, "await_ends", lambda players, farewell: patient(players, farewell, LONG))
    body = READY + "import atexit\natexit.register(complain, 'good bye')\nwhile asked():\n    say('N\\n')"
    _, replay = play([workshop.launch(body), *(workshop.launch(READY + "asked()") for _ in range(3))], turns=1)
    assert replay.result.last == (Move(0, "", stderr="good bye"),)


def test_who_does_not_end_with_the_match_is_ended(workshop: Workshop) -> None:
    """A program that does not care for the end of its input is not waited for long, and what it wrote is kept."""
    body = READY + "asked()\nsay('N\\n')\ncomplain('I stay')\ntell('said')\nhang()"
    workshop.pipes("said")
    other = READY + "asked()\nwait_for('said')\nsay('N\\n')\nhang()"
    _, replay = play(
        [workshop.launch(body), workshop.launch(other), *[workshop.launch(READY + "hang()")] * 2], turns=2
    )
    assert "I stay" in [move.stderr for move in (moves_of(replay, 0)[0], *replay.result.last)]


def test_a_match_without_turns(workshop: Workshop) -> None:
    """A match that is over before its first turn starts and ends its programs, and records the deal."""
    _, replay = play([workshop.launch(READY + "hang()") for _ in range(4)], turns=0)
    assert [(turn.turn, len(turn.dice), turn.moves) for turn in replay.turns] == [(0, 12, ())]
    assert (replay.result.places, replay.result.winner) == ((1, 1, 1, 1), None)


# --- a game with other answers to faults


def test_illegal_is_told_from_malformed(workshop: Workshop) -> None:
    """A reply that the game can read but does not allow is illegal; the game says what either counts as."""
    launches = [
        workshop.launch("for reply in '234':\n    asked()\n    say(reply + '\\n')\nasked()"),
        workshop.launch("for reply in '9x1':\n    asked()\n    say(reply + '\\n')\nasked()"),
    ]
    judge, replay = play(launches, game=tiny(frozenset()))
    assert [move.faults for move in moves_of(replay, 1)] == [
        (Fault(FaultKind.ILLEGAL, FaultCode.NOT_LEGAL, {"action": "9"}),),
        (Fault(FaultKind.MALFORMED, "x"),),
        (),
    ]
    assert judge.state.score[:2] == [9, 1]
    assert replay.result.winner == 0


def test_a_reply_may_end_the_program(workshop: Workshop) -> None:
    """Where the game says so, an illegal reply stops its program in that very turn; its last words are kept."""
    workshop.pipes("said")
    launches = [
        workshop.launch("asked()\nsay('9\\n')\ncomplain('a moment')\ntell('said')\nhang()"),
        workshop.launch("asked()\nwait_for('said')\nsay('1\\n')\nwhile asked():\n    say('1\\n')"),
    ]
    judge, replay = play(launches, game=tiny(frozenset({FaultKind.ILLEGAL})))
    assert judge.stopped == [Fault(FaultKind.ILLEGAL, FaultCode.NOT_LEGAL, {"action": "9"}), None]
    assert [move.seconds is None for move in moves_of(replay, 0)] == [False, True, True]
    told = [move.stderr for move in (moves_of(replay, 0)[0], *replay.result.last)]
    assert "a moment" in told
    assert replay.result.winner == 1


def test_a_program_may_survive_a_flood(workshop: Workshop) -> None:
    """Where the game stops nobody for it, a program that flooded its output is listened to again in the next turn."""
    body = (
        f"asked()\nsay('x' * {LONGEST_LINE + 1} + '\\n')\nfor _ in range(2):\n    asked()\n    say('4\\n')\nasked()"
    )
    _, replay = play([workshop.launch(body)], game=tiny(frozenset()))
    first, _, last = moves_of(replay, 0)
    assert first.faults == (Fault(FaultKind.OUTPUT, FaultCode.FLOOD),)
    assert last.action == "4"  # in the turn between, the rest of the flood may have been taken for an answer


def test_a_program_may_survive_a_time_out(workshop: Workshop, time: Time) -> None:
    """Where the game stops nobody for it, a program that was late is asked again, and its late answer is dropped."""
    body = "asked()\ncomplain('thinking')\nasked()\nsay('3\\n4\\n')\nasked()\nsay('4\\n')\nasked()"
    time.pass_after(looks=3, seconds=TICK)
    judge, replay = play([workshop.launch(body)], Clock(turn=TICK), game=tiny(frozenset()))
    assert [[fault.kind for fault in move.faults] for move in moves_of(replay, 0)] == [[FaultKind.TIMEOUT], [], []]
    assert judge.state.score[0] == 8


def test_all_programs_stopped(workshop: Workshop) -> None:
    """A match in which nobody is left to be asked is played to its end by the rules alone."""
    _, replay = play([workshop.launch("sys.exit(1)")] * 2, game=tiny(frozenset({FaultKind.EXITED})))
    assert len(replay.turns) == 3
    assert replay.result.places == (1, 1)


def test_a_match_that_was_not_played_is_unfinished() -> None:
    """Before it is played, a match says that it has not ended."""
    match = Match(Referee(GAME, resolve(GAME.options, {}), 4, 1), [], PATIENT)
    assert match.result == UNFINISHED
