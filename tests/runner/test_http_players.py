"""Bots that are servers: Battlesnake over HTTP, as its own engine plays it."""

from __future__ import annotations

import socket

import pytest

import dohyo
from dohyo import bots
from dohyo.core.errors import OperatorError
from dohyo.core.faults import FaultKind
from tests.runner.snake_server import moving, respond, snake

CIRCLE = {0: "up", 1: "right", 2: "down", 3: "left"}
LONG = "30"  # seconds a turn: no answer is late because the machine is busy


def play(*seats, clock=LONG, turns=6, seed=1):
    """A short match; nothing but programs needs a sandbox."""
    return dohyo.play("battlesnake", seats, seed=seed, clock=clock, setup={"turns": turns}, sandbox="none")


def circling(body):
    """Around and around: a snake of length 3 never meets itself."""
    return CIRCLE[body["turn"] % 4]


def moves(replay, seat):
    """What a seat did."""
    return [move.action for turn in replay.turns for move in turn.moves if move.seat == seat]


def faults(replay, seat):
    """The kinds of its faults."""
    return [fault.kind for turn in replay.turns for move in turn.moves if move.seat == seat for fault in move.faults]


def test_a_server_plays_a_match_and_is_told_what_the_api_says():
    """One start, a move for each turn, one end; places from the bottom left, itself as `you`, and the other snake."""
    with snake(moving(circling, shout="hello")) as server:
        replay = play(server.url, server.url)
        told = [(path, body) for path, body in server.told if body["you"]["id"].endswith("-0")]
    assert [path for path, _ in told] == ["/start", *["/move"] * replay.played, "/end"]
    first = told[1][1]
    assert set(first) == {"game", "turn", "board", "you"}
    assert set(first["game"]) == {"id", "ruleset", "map", "timeout", "source"}
    assert (first["game"]["ruleset"]["name"], first["game"]["timeout"]) == ("standard", 30_000)
    assert set(first["board"]) == {"height", "width", "snakes", "food", "hazards"}
    assert first["you"] in first["board"]["snakes"]
    assert first["you"]["body"] == [first["you"]["head"]] * 3
    assert (first["you"]["health"], first["you"]["length"], len(first["board"]["snakes"])) == (100, 3, 2)
    second = told[2][1]
    assert second["you"]["head"]["y"] == first["you"]["head"]["y"] + 1  # it went up
    assert second["you"]["body"][1:] == first["you"]["body"][:2]
    assert second["you"]["shout"] == "hello"
    assert second["you"]["latency"].isdecimal()
    assert moves(replay, 0)[:4] == ["up", "right", "down", "left"]
    assert not faults(replay, 0)
    assert replay.turns[0].moves[0].comments == "hello"


def test_servers_and_programs_play_together():
    """A snake by HTTP against one that reads lines."""
    with snake(moving(circling)) as server:
        replay = play(server.url, "random", "roomy")
    assert replay.header.seats[0].language == "HTTP"
    assert replay.header.seats[0].name == server.url.removeprefix("http://")
    assert moves(replay, 2)


@pytest.mark.parametrize(
    ("response", "kind"),
    [
        ((b'{"move": "sideways"}', 200), FaultKind.MALFORMED),
        ((b'{"shout": "up"}', 200), FaultKind.MALFORMED),
        ((b"[" * 60_000, 200), FaultKind.MALFORMED),
        ((b"\xff\x00", 200), FaultKind.MALFORMED),
        ((b"", 500), FaultKind.MALFORMED),
        ((b'{"move": "up"}', 302), FaultKind.MALFORMED),
        ((b" " * 200_000 + b'{"move": "up"}', 200), FaultKind.MALFORMED),
    ],
)
def test_a_response_that_is_no_answer_is_a_fault_and_the_snake_goes_on(response, kind):
    """It goes straight on, is asked again in its next turn, and the match ends by the rules."""
    with snake(lambda body, handler: respond(handler, *response)) as server:
        replay = play(server.url, "roomy", turns=3)
    assert {*faults(replay, 0)} == {kind}
    assert {*moves(replay, 0)} == {"up"}
    assert len(faults(replay, 0)) == len(moves(replay, 0)) > 1


def test_a_server_that_hangs_or_drips_is_late():
    """The connection is cut when the time is over, whatever still trickles in; the other one is not kept waiting."""

    def hang(body, handler):
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        handler.wfile.flush()
        handler.server.release.wait()

    with snake(hang) as slow, snake(moving(circling)) as server:
        replay = play(slow.url, server.url, clock="0.2", turns=2)
        asked = sum(path == "/move" for path, _ in slow.told)
    assert {*faults(replay, 0)} == {FaultKind.TIMEOUT}
    assert asked == 2


def test_a_server_that_is_not_there_is_not_asked():
    """What cannot be reached before the match has a fault of its own kind, and its snake goes straight on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        replay = play(f"http://127.0.0.1:{taken.getsockname()[1]}", "roomy", turns=3)
    assert faults(replay, 0)[0] is FaultKind.CLOSED
    assert {*moves(replay, 0)} == {"up"}


def test_a_connection_that_was_closed_between_turns_is_made_again():
    """A server may close after each response without a word."""

    def closing(body, handler):
        moving(circling)(body, handler)
        handler.close_connection = True

    with snake(closing) as server:
        replay = play(server.url, "roomy", turns=4)
    assert not faults(replay, 0)


def test_games_without_messages_for_servers_say_so():
    """One sentence before the match; nothing is sent."""
    with snake(moving(circling)) as server:
        with pytest.raises(OperatorError) as error:
            dohyo.play("shoot-em-up", [server.url, "random"], seed=1, sandbox="none")
        assert not server.told
    assert error.value.key == "game-without-servers"


@pytest.mark.parametrize(
    "address",
    ["http://", "http://me:secret@host/", "http://host/?a=1", "http://host/#a", "http://host:99999", "http://a b/"],
)
def test_an_address_that_is_not_plain_is_refused(address):
    """One sentence."""
    with pytest.raises(OperatorError) as error:
        bots.resolve([address])
    assert error.value.key == "bot-address"


def test_a_hand_in_cannot_be_a_server(tmp_path):
    """An address in a stranger's manifest stays a word of a command, and no request is made."""
    folder = tmp_path / "snake"
    folder.mkdir()
    with snake(moving(circling)) as server:
        (folder / "bot.toml").write_text(f'run = "{server.url}"\n')
        with pytest.raises(OperatorError):
            play(str(folder), "roomy")
        assert not server.told
