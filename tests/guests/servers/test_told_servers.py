"""The law of recorded inputs for servers: what a replay shows as sent is what came to the server, byte for byte."""

from __future__ import annotations

import json
import socket

import pytest
from msgspec.structs import replace

from dohyo import games
from dohyo.bench.rerun import Rerun, bot_of
from dohyo.bots.typed_words import resolve
from dohyo.core import replay_format
from dohyo.core.errors import OperatorError
from dohyo.core.http_messages import LONGEST_SHOUT
from dohyo.guests.servers.messages import PROTOCOL as HTTP
from dohyo.match.replays import recorded
from dohyo.match.replays.sent import Sent
from dohyo.match.sandboxing import sandbox_of
from dohyo.match.telling.summary import summarise
from tests.guests.servers.snake_server import moving, respond, snake
from tests.guests.servers.test_http_players import circling, play

GAME = games.find("battlesnake")
FULL = '\u6f22\U0001f40d\x9b"\\\n' * 50  # more than the others are told


def longest_way(body):
    """The way with the most free squares before it: a snake that goes straight on lives for some turns, anywhere."""
    board, head = body["board"], body["you"]["head"]
    taken = {(place["x"], place["y"]) for snake in board["snakes"] for place in snake["body"]}

    def free(step):
        x, y, count = head["x"], head["y"], 0
        while 0 <= (x := x + step[0]) < board["width"] and 0 <= (y := y + step[1]) < board["height"]:
            if (x, y) in taken:
                break
            count += 1
        return count

    ways = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}
    return max(ways, key=lambda way: free(ways[way]))


def crooked(body, handler):
    """Nonsense in turn 1, no response of HTTP in turn 2, a word that is no way in turn 3."""
    if body["turn"] == 2:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 70_000)
    elif body["turn"] in (1, 3):
        respond(handler, b"[]" if body["turn"] == 1 else b'{"move": "away", "shout": "there"}')
    else:
        moving(longest_way, shout=FULL)(body, handler)


def whole(replay, seat, **more):
    """All that the seat was sent, says the replay."""
    return list(recorded.inputs(GAME, replay, seat, **more))


def test_every_byte_of_every_message():
    """Beginning, moves and end; how long each took, what each said, answers that did not come or made no sense."""
    with snake(crooked) as one, snake(moving(circling, shout="hello")) as two:
        replay = play(one.url, "roomy", two.url, turns=5)
    again = replay_format.decode(replay_format.encode(replay))
    assert [seat.protocol for seat in again.header.seats] == [HTTP, "", HTTP]
    for seat, server in ((0, one), (2, two)):
        assert whole(again, seat) == server.came
        asked = [found.turn for found in recorded.asked(GAME, again, seat)]
        bodies = [recorded.input_of_turn(GAME, again, seat, turn) for turn in asked]
        assert [b"POST /move\n" + body + b"\n" for body in bodies] == server.came[1:-1]
        assert whole(again, seat, until=2) == server.came[:4]
    told = [body["you"] for path, body in one.told if path != "/start"]
    assert [len(snake["shout"]) for snake in told[:5]] == [0, LONGEST_SHOUT, 0, 0, 5]
    assert told[3]["latency"] == "30000"
    sent = Sent(GAME, again)  # in any order
    moments = list(recorded.playback.moments(GAME, again))
    backwards = [sent.prompt(moment, 2) + b"\n" for moment in reversed(moments)]
    assert backwards[::-1] == two.came[1:-1]


def test_faults_are_shown_with_the_request():
    """What `--faults` shows is what came in that turn."""
    with snake(lambda body, handler: respond(handler, b"[]")) as server:
        replay = play(server.url, "roomy", turns=2)
    shown = [fault.input for fault in summarise(replay, with_inputs=True).seats[0].faults]
    assert [f"{text}\n".encode() for text in shown] == server.came[1:-1]
    assert json.loads(shown[1].split("\n")[1])["you"]["id"].endswith("-0")


def test_a_server_that_could_not_be_reached_was_sent_nothing():
    """Not the end of the match either, if it is there by then."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        replay = play(f"http://127.0.0.1:{taken.getsockname()[1]}", "roomy", turns=2)
    assert whole(replay, 0) == []


def test_a_rerun_sends_the_recorded_messages():
    """The same bytes again, whatever is answered now and how long it takes; the others' words too."""
    with snake(moving(circling, shout="one")) as one, snake(moving(circling, shout="two")) as two:
        replay = play(one.url, two.url, turns=4)
    with snake(moving(lambda body: "up", shout="three")) as other:
        (bot,) = resolve([other.url])
        with Rerun(GAME, replay, 1, bot, sandbox_of("none"), "20") as rerun:
            compared = rerun.feed()
    assert other.came == two.came
    assert [one.prompt + b"\n" for one in compared] == two.came[1:-1]
    assert [one.differs for one in compared] == [False, True, True, True][: len(compared)]
    with pytest.raises(OperatorError) as error:
        bot_of(replay, 1, None, None, sandbox_of("none"))
    assert error.value.key == "rerun-server"


def test_a_forged_replay_does_not_grow():
    """What a server is recorded to have said is told to the others up to a bound only."""
    with snake(moving(circling, shout="x")) as server:
        replay = play(server.url, "random", turns=3)
    move = replay.turns[0].moves[0]
    replay.turns[0] = replace(
        replay.turns[0], moves=(replace(move, comments="y" * 1_000_000), *replay.turns[0].moves[1:])
    )
    assert all(len(piece) < 10_000 for piece in whole(replay, 0))
    header = replace(replay.header, seed=-1)
    with pytest.raises(OperatorError, match="http"):
        whole(replace(replay, header=header), 0)
