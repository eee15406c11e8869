"""XBoard engines as players: what they are told, and which fault is whose."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import dohyo
from dohyo import games
from dohyo.bench.rerun import Rerun
from dohyo.bots.typed_words import read, resolve
from dohyo.core.bot_spec import text_of
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.faults import FaultCode, FaultKind
from dohyo.guests.engines.xboard import XboardLines, option_of
from dohyo.match.replays import recorded
from dohyo.match.sandboxing import sandbox_of
from tests.guests.engines.test_engines import END, LONG, First, late_for, moves, play
from tests.told import detail

pytestmark = pytest.mark.process

ENGINE = Path(__file__).with_name("xboard_engine.py")


@pytest.fixture(autouse=True)
def finds_dohyo(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine imports Dohyo's rules and the other engine, from where we did."""
    monkeypatch.setenv("PYTHONPATH", f"{Path(dohyo.__file__).parents[1]}:{ENGINE.parents[3]}")


def engine(wrong: str = "", record: str = "", options: str = "") -> str:
    """The word for the engine of these tests."""
    return f"xboard:{sys.executable} {ENGINE} '{wrong}' '{record}' {options}"


def test_what_an_engine_is_told(tmp_path: Path) -> None:
    """The handshake, its options, where the match begins, its time, and each move once; at the end quit."""
    record = tmp_path / "told.txt"
    words = "option.Skill_Level=5 option.Book=false option.Clear_Hash= go.depth=4"
    replay = play(engine("", str(record), words), First(), setup={"opening": END})
    _, _, told = record.read_text().rpartition("xboard\n")
    lines = told.splitlines()
    assert lines[0] == "protover 2"
    assert [line for line in lines if line.startswith(("accepted san", "rejected"))] == ["rejected san"]
    begin = lines.index("option Skill Level=5")
    assert lines[begin : begin + 11] == [
        "option Skill Level=5",
        "option Book=0",
        "option Clear Hash",
        "new",
        "easy",
        "post",
        "st 59",
        "sd 4",
        "force",
        f"setboard {END}",
        "ping 1",
    ]
    second = replay.turns[1].moves[0].action
    assert lines[begin + 11 : begin + 17] == [
        "time 6000",
        "otim 6000",
        "go",
        "time 6000",
        "otim 6000",
        f"usermove {second}",
    ]
    assert lines[-1] == "quit"
    assert not any(move.faults for move in moves(replay, 0))
    assert (
        moves(replay, 0)[0].comments.splitlines()[-1] == "info depth 3 score cp -25 time 120 nodes 1234 pv e2e4 e7e5"
    )
    assert "{-0.25/3 " in (games.find("chess").pgn or str)(replay)
    assert replay.header.seats[0].protocol == "xboard"
    with pytest.raises(OperatorError) as error:  # its features are in no replay
        list(recorded.inputs(games.find("chess"), replay, 0))
    assert error.value.key == "inputs-xboard"
    (bot,) = resolve([engine()])
    with pytest.raises(OperatorError, match="features"):
        Rerun(games.find("chess"), replay, 0, bot, sandbox_of("none"))


def test_black_and_time_for_the_match(tmp_path: Path) -> None:
    """The first move of the other side comes before `go`; what is left is told in hundredths."""
    record = tmp_path / "told.txt"
    clock = Clock(turn=0.0, bank=60.0, increment=2.0, moves=40)
    setup = {"opening": END, "resign": "3/20"}
    replay = play(First(), engine("", str(record)), clock=clock, setup=setup)
    lines = record.read_text().splitlines()
    assert "level 40 1:00 2" in lines
    at = lines.index("go")
    assert lines[at - 1] == f"usermove {replay.turns[0].moves[0].action}"
    assert lines[at - 2].startswith("otim 6")
    assert lines[at - 3] == "time 6200"
    assert (replay.result.adjudicated, replay.result.winner) == (True, 0)
    assert dohyo.verify(replay) == 6


@pytest.mark.parametrize("kind", ["san", "slow"])
def test_other_engines(kind: str) -> None:
    """One that writes moves as people do, and one that needs a while, play as others."""
    replay = play(engine(kind), First(), setup={"opening": END})
    assert not any(move.faults for move in moves(replay, 0))
    assert all(move.reply is None for move in moves(replay, 0))


def test_an_engine_of_version_1(monkeypatch: pytest.MonkeyPatch) -> None:
    """It tells no features; moves are told without a word before them, and it begins as usual."""
    monkeypatch.setattr("dohyo.guests.engines.xboard.SILENCE", 0.4)
    monkeypatch.setattr("dohyo.guests.engines.xboard.WAKING", 0.4)
    replay = play(engine("old"), First(), setup={"resign": "2/20"})
    assert (replay.result.adjudicated, replay.result.winner) == (True, 1)
    assert not any(move.faults for move in moves(replay, 0))
    (fault,) = play(engine("old"), First(), setup={"opening": END}).turns[0].moves[0].faults
    assert fault.code == FaultCode.NO_SETBOARD


def test_an_engine_that_has_to_be_woken_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that begins only after many lines is sent as many, and plays with the features that it tells then."""
    monkeypatch.setattr("dohyo.guests.engines.xboard.SILENCE", 0.1)
    monkeypatch.setattr("dohyo.guests.engines.xboard.WAKING", 60.0)
    replay = play(engine("deaf"), First(), setup={"opening": END})
    assert not any(move.faults for move in moves(replay, 0))


@pytest.mark.parametrize(("pondering", "word"), [(True, "hard"), (None, "easy"), (False, "easy")])
def test_pondering(pondering: bool | None, word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where engines may ponder it is told so; it needs nothing more for it."""
    monkeypatch.setattr("dohyo.guests.engines.xboard.SILENCE", 60.0)
    record = tmp_path / "told.txt"
    replay = play(engine("", str(record)), First(), setup={"opening": END}, pondering=pondering)
    assert [line for line in record.read_text().splitlines() if line in ("easy", "hard")] == [word]
    assert not any(move.faults or move.ponder for move in moves(replay, 0))


FAULTS = {
    "mute": (FaultKind.NOT_READY, FaultCode.NO_SETBOARD, "the engine has no feature setboard, and"),
    "board": (FaultKind.NOT_READY, FaultCode.NO_SETBOARD, "the engine has no feature setboard, and"),
    "undone": (FaultKind.NOT_READY, FaultCode.NO_READY, "no line 'feature done=1' in time"),
    "unready": (FaultKind.NOT_READY, FaultCode.NO_READY, "no line 'pong 1' in time"),
    "illegal": (FaultKind.ILLEGAL, FaultCode.NOT_LEGAL, "e1e8"),
    "malformed": (FaultKind.MALFORMED, FaultCode.NO_ACTION, "'castle' is no action"),
    "refuses": (FaultKind.MALFORMED, FaultCode.NO_ACTION, "'Illegal move (no such piece): e7e5' is no action"),
    "exit": (FaultKind.EXITED, FaultCode.EXIT, "exit status 3"),
    "late": (FaultKind.TIMEOUT, FaultCode.NO_ANSWER, "no answer in time"),
    "flood": (FaultKind.OUTPUT, FaultCode.FLOOD, "more output than anybody reads"),
}


@pytest.mark.parametrize("wrong", FAULTS)
def test_faults(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each way to go wrong has the verdict that it has for every bot; the other side wins."""
    monkeypatch.setattr("dohyo.guests.engines.xboard.SILENCE", 0.4 if wrong == "mute" else 60.0)
    monkeypatch.setattr("dohyo.guests.engines.xboard.WAKING", 0.4)
    short = wrong == "undone"
    if wrong == "unready":
        late_for(monkeypatch, "pong 1")
    monkeypatch.setattr("dohyo.guests.engines.uci.READY", 1.5 if short else 60.0)
    clock = Clock(turn=1.0 if wrong == "late" else 60.0, first=60.0, ready=1.0 if short else 60.0)
    replay = play(engine(wrong), First(), clock=clock, setup={"opening": END})
    faults = [fault for turn in replay.turns for move in turn.moves for fault in move.faults]
    faults += [fault for move in replay.result.last for fault in move.faults]
    kind, code, told = FAULTS[wrong]
    assert [(fault.kind, fault.code) for fault in faults] == [(kind, code)]
    assert detail(faults[0]).startswith(told)
    assert replay.result.winner == 1


@pytest.mark.parametrize("kind", ["resign", "resigns-behind"])
def test_resigning_is_no_fault(kind: str) -> None:
    """It loses, as who gives up, in its turn or right behind a move, as gnuchess does."""
    replay = play(engine(kind), First(), setup={"opening": END})
    assert replay.result.winner == 1
    assert moves(replay, 0)[-1].action == "give-up"
    assert not any(move.faults for move in moves(replay, 0))


def test_it_is_asked_to_move_now() -> None:
    """Shortly before its time is over, once; where the machine is busy then, that is not charged."""
    clock = Clock(turn=1.0, first=60.0, ready=60.0, mode="fair", wall=100.0)
    replay = play(engine("hurry"), First(), setup={"opening": END}, clock=clock)
    second = moves(replay, 0)[1]
    assert not second.faults
    assert (second.wall or 0) > 0.9


def test_its_lines() -> None:
    """Only a move in its own form is an answer; a mate is told as such, and thoughts are bounded."""
    lines = XboardLines()
    answers, kept = lines(
        [b"1. ... e7e5", b"7 100005 3 99 Qh5", b"My move is : e7e5", b"move d2d4", b"# x", b"pong 1"]
    )
    assert answers == [b"My move is : e7e5"]
    assert kept == [b"1. ... e7e5", b"info depth 7 score mate 5 time 30 nodes 99 pv Qh5"]
    assert lines([b"9 -100002 3 99 " + b"x" * 5000, b"My move is: Nf3"])[1][0].startswith(
        b"info depth 9 score mate -2 "
    )
    assert len(lines([b"y" * 5000])[1][0]) == 500


def test_an_option_is_read_in_one_pass() -> None:
    """The name may have several words; what is none is none."""
    assert (spin := option_of("Skill  Level -spin 3 0 20")) is not None
    assert (spin.name, spin.takes("20"), spin.takes("21"), spin.line("4")) == (
        "Skill Level",
        True,
        False,
        "option Skill Level=4\n",
    )
    assert (combo := option_of("Style -combo *dull /// very bright")) is not None
    assert (combo.takes("dull"), combo.takes("very bright"), combo.takes("loud")) == (True, True, False)
    assert option_of("x") is None
    assert option_of("-spin 1 2 3") is None
    assert option_of(" " * 100_000) is None


def test_the_word_is_read_and_written() -> None:
    """`xboard:` names an engine, and is typed again for it; its protocol has no limit of nodes."""
    spec = read("xboard:python3 -c pass option.Hash=1 go.depth=3")
    assert text_of(spec) == "xboard:python3 -c pass option.hash=1 go.depth=3"
    with pytest.raises(OperatorError) as error:
        read("xboard:python3 -c pass go.nodes=3")
    assert error.value.key == "uci-go"


def test_options_and_check(tmp_path: Path) -> None:
    """A wrong option is refused before the match; check tells the engine's name; a bot.toml may say it too."""
    from dohyo.bench.check.check import check_bot

    with pytest.raises(OperatorError, match=r"'option\.Skill_Level'"):
        play(engine(options="option.Skil_Level=5"), First())
    report = check_bot(games.find("chess"), engine(), clock=LONG, sandbox="none", matches=0)
    assert [(one.key, one.details["name"], one.details["options"]) for one in report.findings] == [
        ("check.xboard", "Rule of Thumb", 4)
    ]
    folder = tmp_path / "thumb"
    folder.mkdir()
    (folder / "engine.py").write_text("")
    (folder / "bot.toml").write_text('run = "python3 engine.py"\nprotocol = "xboard"\n')
    replay = dohyo.play("chess", [str(folder), First()], seed=0, clock=LONG)
    assert replay.turns[0].moves[0].faults[0].kind is FaultKind.EXITED
