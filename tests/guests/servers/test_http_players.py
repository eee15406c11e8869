"""Bots that are servers: Battlesnake over HTTP, as its own engine plays it."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

import pytest

import dohyo
from dohyo import bots, games
from dohyo.core.bot_spec import HandIn
from dohyo.core.errors import HandInError, OperatorError
from dohyo.core.faults import FaultKind
from dohyo.i18n import Speaker
from dohyo.match.found_bots import find_bots
from dohyo.match.play import play_match
from dohyo.match.sandboxing import sandbox_of
from dohyo.match.telling.fault_words import verdict
from dohyo.match.telling.summary import summarise
from tests.guests.servers.snake_server import moving, respond, snake
from tests.told import detail

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


def details(replay, seat):
    """What exactly happened, each time."""
    return [
        detail(fault) for turn in replay.turns for move in turn.moves if move.seat == seat for fault in move.faults
    ]


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
    ("response", "said"),
    [
        ((b'{"move": "sideways"}', 200), "'sideways' is no action"),
        ((b'{"shout": "up"}', 200), """is not the JSON that the game takes: '{"shout": "up"}'"""),
        ((b"[" * 60_000, 200), f"is not the JSON that the game takes: '{'[' * 80}'"),
        ((b"\xff\x00", 200), r"is not the JSON that the game takes: '\\xff\x00'"),
        ((b'{"move": "\xff"}', 200), "is not the JSON"),
        ((b"", 200), "its response is empty"),
        ((b"", 500), "/move was answered with status 500 (Internal Server Error), not with 200"),
        ((b'{"move": "up"}', 302), "/move was answered with status 302 (Found), not with 200"),
        ((b'{"move": "up"}', 299), "/move was answered with status 299, not with 200"),
        ((b" " * 200_000 + b'{"move": "up"}', 200), "its response has more than 65536 bytes"),
    ],
)
def test_a_response_that_is_no_answer_is_a_fault_and_the_snake_goes_on(response, said):
    """It goes straight on, is asked again in its next turn, and the match ends by the rules; the fault says why."""
    with snake(lambda body, handler: respond(handler, *response)) as server:
        replay = play(server.url, "roomy", turns=3)
    assert {*faults(replay, 0)} == {FaultKind.MALFORMED}
    assert {*moves(replay, 0)} == {"up"}
    assert len(faults(replay, 0)) == len(moves(replay, 0)) > 1
    assert all(said in detail for detail in details(replay, 0)), details(replay, 0)


def closes(body, handler):
    """It ends the connection without a word."""
    handler.close_connection = True


def mumbles(body, handler):
    """It answers, but not in HTTP."""
    handler.wfile.write(b"good evening\r\n\r\n")
    handler.close_connection = True


def stops(body, handler):
    """It ends the connection in the middle of its response."""
    handler.wfile.write(b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{"mo\r\n')
    handler.close_connection = True


@pytest.mark.parametrize(
    ("answer", "said"),
    [(closes, "the connection to {url} ended before its response was whole"),
     (stops, "the connection to {url} ended before its response was whole (IncompleteRead"),
     (mumbles, "what came from {url} is no response of HTTP: 'good evening'")],
)  # fmt: skip
def test_a_connection_that_gives_no_response_is_a_fault_that_says_so(answer, said):
    """In each of its turns, the first over a connection that was kept too."""
    with snake(answer) as server:
        replay = play(server.url, "roomy", turns=3)
    assert {*faults(replay, 0)} == {FaultKind.NO_CONNECTION}
    assert all(detail.startswith(said.format(url=server.url)) for detail in details(replay, 0)), details(replay, 0)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_words_for_a_server_that_is_down(language):
    """Not those for a program that closed its output: the address, and the question whether it runs."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/my/snake"
        fault = summarise(play(url, "roomy", turns=3)).seats[0].faults[0]
        secure = summarise(play(url.replace("http", "https"), "roomy", turns=3)).seats[0].faults[0]
    assert url in (told := detail(fault.fault, language))
    assert {"en": "is the server running?", "ja": "サーバーは動いているか？"}[language] in told
    assert verdict(fault, Speaker(language)) == {"en": "no connection", "ja": "接続なし"}[language]
    assert "https://" in detail(secure.fault)


def test_a_server_without_https():
    """What speaks plain HTTP makes no secure connection, and the fault asks for that."""
    with snake(moving(circling)) as server:
        url = server.url.replace("http", "https")
        told = details(play(url, "roomy", turns=3), 0)[0]
    assert told.startswith(f"{url} makes no secure connection (")
    assert told.endswith("): does the server speak https?")


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
    assert {*details(replay, 0)} == {f"no response from {slow.url} in time"}
    assert asked == 2


def test_a_server_that_is_not_there_is_not_asked():
    """What cannot be reached before the match has a fault of its own kind, and its snake goes straight on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        replay = play(f"http://127.0.0.1:{taken.getsockname()[1]}", "roomy", turns=3)
    assert faults(replay, 0)[0] is FaultKind.NO_CONNECTION
    assert {*moves(replay, 0)} == {"up"}


def test_a_connection_that_was_closed_between_turns_is_made_again():
    """A server may close after each response without a word."""

    def closing(body, handler):
        moving(circling)(body, handler)
        handler.close_connection = True

    with snake(closing) as server:
        replay = play(server.url, "roomy", turns=4)
    assert not faults(replay, 0)


def test_a_server_that_says_that_it_closes_the_connection_is_asked_over_another_one():
    """As many do, Flask's and Python's own among them: each response says that it is the last one here."""

    def closing(body, handler):
        content = b'{"move": "%s"}' % circling(body).encode()
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(content))
        handler.wfile.write(content)
        handler.close_connection = True

    with snake(closing) as server:
        replay = play(server.url, "roomy", turns=4)
    assert not faults(replay, 0)
    assert moves(replay, 0) == ["up", "right", "down", "left"]


def test_a_last_response_that_drips_is_cut_when_the_time_is_over():
    """Neither its thread nor its socket stays: otherwise each turn would leave both behind."""
    cut = threading.Event()

    def drip(body, handler):
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 60000\r\n\r\n")
        try:
            while not handler.server.release.wait(0.01):
                handler.wfile.write(b" ")
        except OSError:
            cut.set()

    with snake(drip) as slow:
        replay = play(slow.url, "roomy", clock="0.2", turns=1)
        assert cut.wait(30)
    assert faults(replay, 0) == [FaultKind.TIMEOUT]


@pytest.mark.parametrize(
    ("head", "endless"),
    [
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", b"A: b\r\n" * 100),
    ],
)
def test_a_response_that_never_ends_is_given_up_long_before_its_time(head, endless):
    """Reading it would take the processor from those who wait for the others' answers."""

    def flood(body, handler):
        handler.wfile.write(head)
        with suppress(OSError):
            while not handler.server.release.is_set():
                handler.wfile.write(endless)

    with snake(flood) as server:
        replay = play(server.url, "roomy", turns=2)
    assert {*faults(replay, 0)} == {FaultKind.MALFORMED}


def test_what_a_server_writes_is_quoted_in_its_fault():
    """Sequences that control a terminal are not in the replay as they came."""

    def garbage(body, handler):
        handler.wfile.write(b"\x1b[31mHTTP\r\n\r\n")
        handler.close_connection = True

    with snake(garbage) as server:
        replay = play(server.url, "roomy", turns=1)
    (fault,) = replay.turns[0].moves[0].faults
    assert fault.kind is FaultKind.NO_CONNECTION
    assert detail(fault).isprintable()
    assert "[31mHTTP" in detail(fault)


def test_a_connection_that_the_server_says_it_closes_is_made_again():
    """Servers that speak HTTP/1.0, and small ones for development, do so after every response."""

    def closing(body, handler):
        handler.protocol_version = "HTTP/1.0"
        moving(circling)(body, handler)
        handler.close_connection = True

    with snake(closing) as server:
        replay = play(server.url, "roomy", turns=4)
    assert not faults(replay, 0)
    assert moves(replay, 0)[:4] == ["up", "right", "down", "left"]


def test_no_request_lives_on_when_its_time_is_over():
    """A response that trickles in over a connection that the server will close ends with the turn, too."""

    def drip(body, handler):
        handler.wfile.write(b"HTTP/1.0 200 OK\r\n\r\n")
        while not handler.server.release.wait(0.02):
            handler.wfile.write(b" ")

    with snake(drip) as slow:
        replay = play(slow.url, "roomy", clock="0.2", turns=1)
        asking = [thread for thread in threading.enumerate() if thread.name == "http-player"]
        for thread in asking:
            thread.join(30)
        assert not any(thread.is_alive() for thread in asking)
    assert faults(replay, 0) == [FaultKind.TIMEOUT]


@pytest.mark.parametrize("start", ["hang", "status"])
def test_what_a_server_answers_to_start_does_not_matter(start):
    """As the API says: it may have no such page, or be slow at first."""

    def begin(handler):
        handler.server.release.wait() if start == "hang" else respond(handler, b"", 404)

    with snake(moving(circling), begin) as server:
        replay = play(server.url, "roomy", clock=f"{LONG},ready=0.2", turns=4)
    assert not faults(replay, 0)
    assert moves(replay, 0)[:2] == ["up", "right"]


def test_what_is_told_of_a_turn_without_an_answer():
    """A latency is always a number: 0 before the first turn, the limit where nothing came."""
    told = []

    def hang(body, handler):
        handler.server.release.wait()

    def listen(body, handler):
        told.append(body["board"]["snakes"][0]["latency"])
        moving(circling)(body, handler)

    with snake(hang) as slow, snake(listen) as server:
        play(slow.url, server.url, clock="0,bank=0.4", turns=2)
    assert told[:2] == ["0", "10"]  # a fortieth of the time for the match


def test_games_without_messages_for_servers_say_so():
    """One sentence before the match; nothing is sent."""
    with snake(moving(circling)) as server:
        with pytest.raises(OperatorError) as error:
            dohyo.play("shoot-em-up", [server.url, "random"], seed=1, sandbox="none")
        assert not server.told
    assert error.value.key == "game-without-servers"


@pytest.mark.parametrize(
    "address",
    [
        *("http://", "http://me:secret@host/", "http://host/?a=1", "http://host/#a", "http://host:99999"),
        *("http://a b/", "http://.example/", f"http://{'a' * 64}.example/"),
    ],
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


@pytest.mark.parametrize("protocol", ["http", "nothing"])
def test_a_programs_own_words_make_it_no_server(tmp_path, protocol):
    """A word for a protocol may be a stranger's: it makes us ask no address, and names only kinds of programs."""
    (tmp_path / "bot.py").write_text("print()")
    meant = HandIn(str(tmp_path / "bot.py"), (f"DOHYO_PROTOCOL={protocol}",))
    with pytest.raises(HandInError, match=protocol):
        find_bots(games.find("battlesnake"), [meant], None, sandbox_of("none"))
    here = bots.resolve([meant])[0]
    with pytest.raises(OperatorError, match=protocol):
        play_match("battlesnake", [here] * 2, sandbox="none")
