"""`dohyo replay --inputs` and `--faults` of engines and servers: what was sent, or that it is not known."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from dohyo import games
from dohyo.core import replay_format
from dohyo.core.errors import OperatorError, ReplayError
from dohyo.core.replay import Replay, Seat
from dohyo.guests.servers.messages import PROTOCOL as HTTP
from dohyo.match.replays import recorded
from dohyo.match.replays.sent import UNKNOWN, protocol_of
from tests.cli.conftest import Type
from tests.guests.engines.test_engines import END, First, engine, finds_dohyo, play

pytestmark = pytest.mark.process

__all__ = ["finds_dohyo"]  # for every test here
GAME = games.find("chess")


def changed(replay: Replay, **fields: str) -> Replay:
    """The same replay with another seat 1."""
    seats = (replay.header.seats[0], replace(replay.header.seats[1], **fields))
    return replace(replay, header=replace(replay.header, seats=seats))


def test_what_an_engine_was_sent(typed: Type, folder: Path) -> None:
    """All lines of its turns, with its limits; what it was sent before them is not in the replay, which is said."""
    replay = play(First(), engine("", "", "go.nodes=5"), setup={"opening": END})
    Path("match.replay").write_bytes(replay_format.encode(replay))
    done = typed("replay", "match.replay", "--inputs", "1")
    assert done.out.encode() == b"".join(recorded.inputs(GAME, replay, 1))
    assert "nodes 5" in done.out
    assert done.out.endswith("quit\n")
    assert "uci, setoption, isready" in done.err
    assert typed("replay", "match.replay", "--inputs", "1", "--turn", "1").err == ""


def test_forged_and_later_replays(typed: Type, folder: Path) -> None:
    """A protocol that nobody here knows is said; lines cannot be smuggled into what is shown as sent."""
    replay = play(First(), engine("malformed"))
    later = changed(replay, protocol="ucci")
    assert protocol_of(GAME, later, 1) == UNKNOWN
    assert protocol_of(GAME, changed(replay, protocol=HTTP), 1) == UNKNOWN  # no server plays chess
    assert protocol_of(GAME, replace(replay, header=replace(replay.header, clock=None)), 1) == UNKNOWN
    with pytest.raises(OperatorError) as error:
        list(recorded.inputs(GAME, later, 1))
    assert error.value.key == "inputs-unknown"
    Path("later.replay").write_bytes(replay_format.encode(later))
    done = typed("replay", "later.replay", "--faults")
    assert done.status == 0
    assert "is not known here" in done.out
    assert "seat 1" not in done.out.split("malformed")[1]
    for go in ("nodes 5\nquit", "nodes 5\n", "NODES", "\x1b[2J", "9" * 101):
        with pytest.raises(ReplayError):
            replay_format.decode(replay_format.encode(changed(replay, go=go)))
    with pytest.raises(ReplayError):
        replay_format.decode(replay_format.encode(changed(replay, protocol="x" * 21)))
    assert msgspec.json.encode(Seat("a")) == b'{"name":"a"}'
