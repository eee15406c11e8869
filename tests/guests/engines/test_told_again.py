"""The law of recorded inputs for engines: what a replay shows as sent is what came to the engine's input."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from dohyo import games
from dohyo.bench.rerun import Rerun, bot_of
from dohyo.bots.typed_words import resolve
from dohyo.core import replay_format
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.guests.engines.uci_protocol import PROTOCOL as UCI
from dohyo.match.found_bots import find_bots
from dohyo.match.replays import recorded
from dohyo.match.replays.sent import TEXT, Sent
from dohyo.match.sandboxing import sandbox_of
from dohyo.match.telling.summary import summarise
from tests.guests.engines.test_engines import END, ENGINE, LONG, First, engine, finds_dohyo, play

pytestmark = pytest.mark.process

__all__ = ["finds_dohyo"]  # for every test here
GAME = games.find("chess")
CLOCKS = {
    "turn": LONG,
    "first": Clock(turn=60.0, first=30.0, ready=60.0, grace=1.0),
    "match": Clock(turn=0.0, bank=60.0, increment=0.5, moves=3, ready=60.0),
}


def told(record: Path) -> bytes:
    """What came to an engine after its handshake."""
    return record.read_bytes().rsplit(b"isready\n", 1)[1]


@pytest.mark.parametrize(
    ("seat", "clock"),
    [
        pytest.param(seat, clock, marks=pytest.mark.full if at % 2 == seat else ())
        for at, clock in enumerate(CLOCKS)
        for seat in (0, 1)
    ],
)
def test_every_byte_after_the_handshake(seat: int, clock: str, tmp_path: Path) -> None:
    """Positions, times with what was left of both sides' time, and the limits of the searches; at the end quit."""
    record = tmp_path / "told.txt"
    seats = [First(), engine("", str(record), "go.depth=3 option.Skill_Level=5 go.nodes=0500")]
    replay = play(*(seats if seat else reversed(seats)), clock=CLOCKS[clock], setup={"opening": END})
    assert replay.header.seats[seat].protocol == UCI
    assert replay.header.seats[seat].go == "nodes 0500 depth 3"
    assert replay.header.seats[1 - seat].protocol == TEXT
    again = replay_format.decode(replay_format.encode(replay))
    pieces = list(recorded.inputs(GAME, again, seat))
    assert b"".join(pieces) == told(record)
    asked = [found.turn for found in recorded.asked(GAME, again, seat)]
    assert [recorded.input_of_turn(GAME, again, seat, turn) for turn in asked] == pieces[:-1]
    assert pieces[-1] == b"quit\n"
    assert b"nodes 0500 depth 3\n" in pieces[0]
    until = list(recorded.inputs(GAME, again, seat, asked[2]))
    assert until == pieces[: len(until)]
    assert len(until) == 3
    sent = Sent(GAME, again)  # in any order
    moments = list(recorded.playback.moments(GAME, again))
    backwards = [text for moment in reversed(moments) if (text := sent.in_turn(moment, seat)) is not None]
    assert [text.encode() for text in reversed(backwards)] == pieces[:-1]


def test_a_continued_match(tmp_path: Path) -> None:
    """The moves are those since the match began again."""
    record = tmp_path / "told.txt"
    replay = play(First(), engine(), setup={"opening": END})
    resumed = play(First(), engine("", str(record)), resume=(replay, 4))
    assert b"".join(recorded.inputs(GAME, resumed, 1)) == told(record)


def test_a_fault_is_shown_with_what_really_came(tmp_path: Path) -> None:
    """`--faults`, and what is written for other programs; to an engine that was killed no end is sent."""
    from dohyo.match.replays import replay_lines

    record = tmp_path / "told.txt"
    replay = play(First(), engine("malformed", str(record)))
    (fault,) = summarise(replay, with_inputs=True).seats[1].faults
    came = told(record).decode()
    assert fault.input is not None
    assert fault.input.startswith("position startpos moves ")
    assert came.endswith(fault.input)
    assert b"".join(recorded.inputs(GAME, replay, 1)).decode() == came
    shown = [
        move["input"]
        for line in replay_lines.objects(GAME, replay)
        for move in line.get("moves", ())
        if move["seat"] == 1
    ]
    assert "".join(filter(None, shown)) == came


def test_an_engine_that_was_not_ready_was_sent_nothing_more() -> None:
    """Nothing after its handshake."""
    assert list(recorded.inputs(GAME, play(First(), engine("dead")), 1)) == []


def test_a_rerun_tells_the_recorded_times(tmp_path: Path) -> None:
    """What was left in the match of both sides' time, and not what is left now; limits of its own come first."""
    record = tmp_path / "told.txt"
    replay = play(First(), engine("", "", "go.nodes=500"), clock=CLOCKS["match"], setup={"opening": END})
    wanted = b"".join(recorded.inputs(GAME, replay, 1))
    for options, nodes in (("", b"nodes 500"), ("go.nodes=7", b"nodes 7")):
        record.unlink(missing_ok=True)
        (bot,) = resolve([engine("", str(record), options)])
        with Rerun(GAME, replay, 1, bot, sandbox_of("none"), "50") as rerun:
            compared = rerun.feed()
        assert told(record) == wanted.replace(b"nodes 500", nodes)
        assert b"".join(one.prompt for one in compared) + b"quit\n" == told(record)


def test_a_bot_that_speaks_otherwise_is_told_the_same_positions(tmp_path: Path) -> None:
    """An engine on the seat of a program that reads the game's text, and such a program on an engine's."""
    record = tmp_path / "told.txt"
    replay = play("random", engine(), setup={"opening": END})
    (bot,) = resolve([engine("", str(record))])
    with Rerun(GAME, replay, 0, bot, sandbox_of("none")) as rerun:
        compared = rerun.feed()
    assert b"".join(one.prompt for one in compared) + b"quit\n" == told(record)
    assert record.read_text().count("position fen") == len(compared) > 2
    (bot,) = find_bots(GAME, ["random"], None, sandbox_of("none"))
    with Rerun(GAME, replay, 1, bot, sandbox_of("none")) as rerun:
        compared = rerun.feed()
    assert compared[0].prompt.startswith(b"seat 1\n")
    assert not any(one.now.faults for one in compared)


def test_the_engine_that_played_is_found_or_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name with the values of its options, if its content is the same; a program that is no engine never."""
    monkeypatch.chdir(tmp_path)
    Path("thumb.py").write_text(ENGINE.read_text())
    replay = play(First(), "uci:./thumb.py option.Skill_Level=4 go.nodes=9", setup={"opening": END})
    bot = bot_of(replay, 1, None, None, sandbox_of("none"))
    assert (bot.digest, bot.protocol) == (replay.header.seats[1].digest, UCI)
    Path("thumb.py").write_text("print()")
    with pytest.raises(OperatorError) as error:
        bot_of(replay, 1, None, None, sandbox_of("none"))
    assert error.value.key == "rerun-engine"


@pytest.mark.parametrize(
    ("option", "is_taken"),
    [("Skill_Level=-4", True), ("Ponder=true", True), ("Debug_Log_File=/tmp/x", False), ("Debug_Log_File=x", False)],
)
def test_options_in_a_replay_are_numbers_or_switches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str, is_taken: bool
) -> None:
    """A stranger's replay cannot make a local engine write somewhere, though its program is the same."""
    monkeypatch.chdir(tmp_path)
    Path("thumb.py").write_text(ENGINE.read_text())
    (bot,) = resolve([f"uci:./thumb.py option.{option}"])
    replay = play(First(), "uci:./thumb.py", setup={"opening": END})
    seats = [replay.header.seats[0], replace(replay.header.seats[1], name=bot.name, digest=bot.digest)]
    forged = replace(replay, header=replace(replay.header, seats=tuple(seats)))
    if is_taken:
        assert bot_of(forged, 1, None, None, sandbox_of("none")).digest == bot.digest
    else:
        with pytest.raises(OperatorError) as error:
            bot_of(forged, 1, None, None, sandbox_of("none"))
        assert error.value.key == "rerun-engine"
