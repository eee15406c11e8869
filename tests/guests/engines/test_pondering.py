"""Engines that ponder: what they are told and when, what counts, what is charged, and what a replay says of it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

import dohyo
from dohyo import games
from dohyo.bench.rerun import Rerun
from dohyo.bots.typed_words import resolve
from dohyo.core import replay_format
from dohyo.core.clock import Clock
from dohyo.core.errors import ReplayError
from dohyo.core.faults import FaultCode, FaultKind
from dohyo.core.replay import Move, Replay, Turn
from dohyo.guests.engines.uci_protocol import UciMatch
from dohyo.match.replays import recorded
from dohyo.match.sandboxing import sandbox_of
from tests.guests.engines.test_engines import END, LONG, First, moves, play
from tests.guests.engines.test_told_again import told

pytestmark = pytest.mark.process

ENGINE = Path(__file__).with_name("pondering_engine.py")
GAME = games.find("chess")
MATCH = Clock(turn=0.0, bank=60.0, increment=0.5, moves=3, ready=60.0)
SOON = "4k3/8/8/8/8/8/8/R3K3 w - - 94 60"  # six turns before the fifty moves are over: no pawn can move
OPTION = "setoption name Ponder value true"


@pytest.fixture(autouse=True)
def finds_dohyo(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine imports Dohyo's rules and the other engine, from where we did."""
    monkeypatch.setenv("PYTHONPATH", f"{Path(dohyo.__file__).parents[1]}:{ENGINE.parents[3]}")


def engine(kind: str, record: str | Path = "", options: str = "") -> str:
    """The word for the engine of these tests."""
    return f"uci:{sys.executable} {ENGINE} '{kind}' '{record}' {options}"


def lines_of(record: Path) -> list[str]:
    """What came to an engine after its handshake, line by line."""
    return told(record).decode().splitlines()


def ponders(replay: Replay, kind: bool) -> list[Move]:
    """The moves of white after which it pondered, and the other side then played that (or did not)."""
    played = [turn.moves[0] for turn in replay.turns]
    pairs = zip(played[::2], played[1::2], strict=False)
    return [white for white, black in pairs if white.ponder and (white.ponder == black.action) == kind]


def test_a_move_that_was_expected(tmp_path: Path) -> None:
    """The option is set; after its move it ponders on the position after both; `ponderhit`, and it answers."""
    record = tmp_path / "told.txt"
    replay = play(engine("hit", record), First(), setup={"opening": END}, clock=MATCH, pondering=True)
    assert OPTION in record.read_text().splitlines()
    lines = lines_of(record)
    assert lines[0] == f"position fen {END}"
    assert lines[1].startswith("go wtime 60500 btime 60500")
    played = [turn.moves[0].action for turn in replay.turns]
    assert lines[2] == f"position fen {END} moves {played[0]} {played[1]}"
    left = int((moves(replay, 0)[0].bank or 0) * 1000)
    assert lines[3] == f"go ponder wtime {left} btime 60500 winc 500 binc 500 movestogo 2"
    assert lines[4] == "ponderhit"
    assert lines[5].startswith(f"position fen {END} moves {' '.join(played[:4])}")
    assert not any(word in lines for word in ("stop", "isready"))
    assert lines[-1] == "quit"
    assert lines.count("ponderhit") == len(moves(replay, 0)) - 1 > 2
    assert not any(move.faults for move in moves(replay, 0))
    assert "score cp 14 " in moves(replay, 0)[1].comments
    assert moves(replay, 0)[0].ponder == played[1]
    assert moves(replay, 1)[0].ponder == ""
    assert dohyo.verify(replay) == len(replay.turns)


@pytest.mark.parametrize("kind", ["miss", "silent"])
def test_a_move_that_was_not_expected(kind: str, tmp_path: Path) -> None:
    """`stop`, and when that is answered the position and the time; answer and scores of that search do not count."""
    record = tmp_path / "told.txt"
    replay = play(engine(kind, record), First(), setup={"opening": END}, pondering=True)
    lines = lines_of(record)
    at = lines.index("stop")
    played = [turn.moves[0].action for turn in replay.turns]
    wrong = moves(replay, 0)[0].ponder
    assert wrong not in ("", played[1])
    assert lines[at - 2 : at + 3] == [
        f"position fen {END} moves {played[0]} {wrong}",
        "go ponder movetime 59950",
        "stop",
        f"position fen {END} moves {played[0]} {played[1]}",
        "go movetime 59950",
    ]
    assert len(ponders(replay, False)) > 2
    for move in moves(replay, 0):
        assert not move.faults
        assert "999" not in move.comments
        assert ("score cp 12 " in move.comments) == (kind == "miss")


@pytest.mark.parametrize(
    ("kind", "clock"),
    [
        pytest.param(kind, clock, marks=() if usual else pytest.mark.full, id=f"{kind}-{clock.mode}")
        for kind in ("hit", "miss", "mixed", "early-hit", "early-miss", "illegal", "unable")
        for clock, usual in ((LONG, kind != "hit"), (replace(MATCH, mode="fair"), kind == "hit"))
    ],
)
def test_every_byte_after_the_handshake(kind: str, clock: Clock, tmp_path: Path) -> None:
    """What a replay shows as sent is what came, also of an engine that answers before it is asked to."""
    record = tmp_path / "told.txt"
    options = "go.depth=3 go.nodes=70"
    replay = play(engine(kind, record, options), First(), setup={"opening": END}, clock=clock, pondering=True)
    again = replay_format.decode(replay_format.encode(replay))
    assert b"".join(recorded.inputs(GAME, again, 0)) == told(record)
    assert not any(move.faults for move in moves(replay, 0))
    assert len(moves(replay, 0)) > 4
    is_pondering = kind not in ("illegal", "unable")
    assert (b"\ngo ponder " in told(record)) == any(move.ponder for move in moves(again, 0)) == is_pondering
    assert bool(ponders(again, True)) == kind.endswith(("hit", "mixed"))
    assert bool(ponders(again, False)) == kind.endswith(("miss", "mixed"))
    assert told(record).count(b"nodes 70 depth 3\n") == told(record).count(b"\ngo ")


def test_an_end_while_it_ponders(tmp_path: Path) -> None:
    """The other side's move may end the match: then it is sent `quit`, behind what it was told to ponder on."""
    record = tmp_path / "told.txt"
    opening = "4k3/8/8/8/8/8/4P3/4K3 w - - 98 60"
    replay = play(engine("hit", record), First(), setup={"opening": opening}, pondering=True)
    assert len(replay.turns) == 2
    assert lines_of(record)[-3].startswith("position ")
    assert lines_of(record)[-2:] == ["go ponder movetime 59950", "quit"]
    assert b"".join(recorded.inputs(GAME, replay, 0)) == told(record)


@pytest.mark.parametrize("pondering", [None, False])
def test_only_where_it_is_allowed(pondering: bool | None, tmp_path: Path) -> None:
    """By default, and where programs are paused, an engine is told what it always was."""
    record = tmp_path / "told.txt"
    replay = play(engine("hit", record), First(), setup={"opening": END}, pondering=pondering)
    assert "onder" not in record.read_text()
    assert not any(move.ponder for move in moves(replay, 0))
    assert replay.header.pondering == (pondering is None)


@pytest.mark.parametrize(("value", "is_asked"), [("false", False), ("true", True)])
def test_the_option_as_it_was_typed(value: str, is_asked: bool, tmp_path: Path) -> None:
    """Who has switched it off for an engine does not have it ponder; it is set once."""
    record = tmp_path / "told.txt"
    words = f"option.Ponder={value}"
    replay = play(engine("hit", record, words), First(), setup={"opening": END}, pondering=True)
    assert record.read_text().count("setoption name Ponder") == 1
    assert any(move.ponder for move in moves(replay, 0)) == is_asked


def test_one_that_does_not_stop_is_late() -> None:
    """In its own time: nobody waits for it longer than for any other."""
    clock = Clock(turn=1.0, first=60.0, ready=60.0)
    replay = play(engine("stuck"), First(), setup={"opening": END}, clock=clock, pondering=True)
    last = moves(replay, 0)[-1]
    assert [(fault.kind, fault.code) for fault in last.faults] == [(FaultKind.TIMEOUT, FaultCode.NO_ANSWER)]
    assert len(moves(replay, 0)) == 2
    assert replay.result.winner == 1


def test_the_clock_runs_from_stop() -> None:
    """How long it needs to stop is its own time."""
    replay = play(engine("slow"), First(), setup={"opening": END}, clock=LONG, pondering=True)
    charged = [move.seconds or 0 for move in moves(replay, 0)]
    assert all(seconds >= 0.3 for seconds in charged[1:])
    assert len(charged) > 2


def test_the_clock_does_not_run_while_it_ponders(tmp_path: Path) -> None:
    """What it thinks in the other side's time is not charged, and an answer that came too soon costs nothing."""

    class Slow(First):
        """Thinks for a while."""

        def act(self, observation: object) -> object:
            import time

            time.sleep(1.0)
            return super().act(observation)

    replay = play(engine("early-hit"), Slow(), setup={"opening": SOON}, clock=LONG, pondering=True)
    assert len(moves(replay, 0)) > 2
    assert all((move.seconds or 0) < 1.0 for move in moves(replay, 0)[1:])


@pytest.mark.parametrize(("kind", "is_flood"), [("talkative", False), ("flood", True)])
def test_other_output_is_counted_anew(kind: str, is_flood: bool, tmp_path: Path) -> None:
    """What it tells while it ponders does not count in its own turn; more than anybody reads is a fault there too."""
    file = tmp_path / "told"
    other = First() if is_flood else engine("patient", file)
    replay = play(engine(kind, file), other, setup={"opening": SOON}, pondering=True)
    assert len(moves(replay, 0)) > 1
    assert not any(move.faults for move in moves(replay, 1))
    faults = [fault.code for move in moves(replay, 0) for fault in move.faults]
    assert faults == [FaultCode.FLOOD] * is_flood


def test_a_rerun_is_sent_the_same(tmp_path: Path) -> None:
    """An engine ponders again where the one of the match did; one that cannot is told its turns alone."""
    record = tmp_path / "told.txt"
    replay = play(engine("mixed"), First(), setup={"opening": END}, clock=MATCH, pondering=True)
    (bot,) = resolve([engine("mixed", record)])
    with Rerun(GAME, replay, 0, bot, sandbox_of("none")) as rerun:
        compared = rerun.feed()
    assert told(record) == b"".join(recorded.inputs(GAME, replay, 0))
    assert all(one.is_same for one in compared)
    assert b"\ngo ponder " in b"".join(one.prompt for one in compared)
    record.unlink()
    (bot,) = resolve([engine("unable", record)])
    with Rerun(GAME, replay, 0, bot, sandbox_of("none")) as rerun:
        compared = rerun.feed()
    assert told(record) == b"".join(one.prompt for one in compared) + b"quit\n"
    assert b"ponder" not in told(record)
    assert all(one.is_same for one in compared)


def test_a_strangers_replay_names_a_move() -> None:
    """It cannot write a line of its own into what an engine is sent."""
    replay = play("random", "random", setup={"opening": END})
    replay.turns[0].moves[0].ponder = "e8e7"
    content = replay_format.encode(replay)
    assert replay_format.decode(content).turns[0].moves[0].ponder == "e8e7"
    for word in (rb"e8e7\nquit", b"e8e7 e1e2", b"e" * 11):
        forged = content.replace(b'"ponder":"e8e7"', b'"ponder":"' + word + b'"')
        with pytest.raises(ReplayError):
            replay_format.decode(forged)


def test_the_time_of_a_guess() -> None:
    """It is that of the position after both moves, and what was left when it began; any other move is none."""
    match = UciMatch("startpos", Clock(turn=0.0, bank=60.0, moves=2), 2)
    for action in ("e2e4", "e7e5", "g1f3"):
        match.add(Turn(0, (), (Move(len(match.moves) % 2, action),)))
    match.left = [50.0, 40.0]
    match.guess(0, "b8c6")
    match.left[1] = 30.0
    wanted = b"position startpos moves e2e4 e7e5 g1f3 b8c6\ngo ponder wtime 50000 btime 40000 movestogo 2 depth 3\n"
    assert match.pondering(0, "depth 3") == wanted
    assert match.turn(0, False, "")[0] == b"stop\n"
    match.add(Turn(3, (), (Move(1, "b8c6"),)))
    assert match.pondering(0, "depth 3") == wanted
    assert match.turn(0, False, "") == (b"ponderhit\n", b"")
    match.add(Turn(4, (), (Move(0, "f1b5"),)))
    assert match.pondering(0, "") == b""
