"""Who may connect, and what strangers do at the WebSocket: nobody keeps the server busy, or another's bot from it."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest

from dohyo.guests.site.distant.switchboard import MAX_OF_ADDRESS, MAX_OF_PERSON
from dohyo.system import websocket
from tests.guests.site.conftest import RunningSite, Visitor, new_ladder
from tests.guests.site.distant.homes import ByHand, legal, token_to_play

pytestmark = pytest.mark.xdist_group("distant")


@pytest.fixture(scope="module")
def token(arena: RunningSite) -> str:
    """A token of somebody else's that may play: a person has so many bots in a ladder."""
    return token_to_play(Visitor(arena.url).sign_up("Strange"))


@pytest.fixture
def hand(arena: RunningSite) -> Iterator[ByHand]:
    """A connection that has said nothing yet."""
    found = ByHand(arena.url)
    while found.status != 101:  # those of the test before may still be counted
        found.close()
        found = ByHand(arena.url)
    yield found
    found.close()


def refusal(hand: ByHand) -> tuple[str, int]:
    """Why a bot is refused, and with which code the connection ends."""
    said = hand.await_type("refused")
    return str(said["code"]), int(hand.await_type("closed")["code"])


def test_who_has_no_such_token_is_refused(arena: RunningSite, teacher: Visitor, author: Visitor, ladder: str) -> None:
    """An unknown token, or one that may not play, connects nothing; nor does any on a ladder that is not marked."""
    plain = new_ladder(teacher, "connectx", "Not marked")
    reads = author.post("/tokens", {"name": "reads", "read": "yes", "until": token_until(author)}).text.partition(
        "dohyo_"
    )[2]
    reads = f"dohyo_{reads.partition('<')[0].strip()}"
    good = token_to_play(author)
    for token, where, expected in (
        ("dohyo_unknown", ladder, ("serve-distant-token", 4401)),
        (reads, ladder, ("serve-distant-scope", 4403)),
        (good, plain, ("serve-distant-not-here", 4403)),
        (good, "no-such", ("serve-distant-no-ladder", 4403)),
    ):
        hand = ByHand(arena.url)
        hand.hello(token, where, "Bot")
        assert refusal(hand) == expected
        hand.close()


def token_until(visitor: Visitor) -> str:
    """A day on which a token may end."""
    return visitor.get("/tokens").text.partition('name="until" value="')[2][:10]


def test_nobody_plays_under_anothers_name(arena: RunningSite, ladder: str) -> None:
    """A bot's name belongs to whoever used it first, and sample bots' to nobody; nor is it handed in besides."""
    mine = Visitor(arena.url).sign_up("Hana")
    first = ByHand(arena.url)
    first.hello(token_to_play(mine), ladder, "Mine")
    first.await_type("welcome")
    other = token_to_play(Visitor(arena.url).sign_up("Aoi"))
    for name in ("Mine", "random"):
        hand = ByHand(arena.url)
        hand.hello(other, ladder, name)
        assert refusal(hand) == ("serve-bot-taken", 4403)
        hand.close()
    first.close()
    answer = mine.post(f"/ladders/{ladder}/hand-in", {"bot": "Mine"}, files={"file": ("bot.py", b"print(0)")})
    assert answer.status_code == 422
    assert "stays at home" in answer.text


@pytest.mark.parametrize(
    ("kind", "content", "code"),
    [
        (websocket.BINARY, b"\0\1", 1003),
        (websocket.TEXT, b"\xff", 1007),
        (websocket.TEXT, b"x" * 20_000, 1009),
        (websocket.TEXT, b"no JSON", 4400),
        (websocket.TEXT, b'{"type":"answer","match":"m","number":1,"line":"x"}', 4400),
        (websocket.TEXT, b'{"type":"hello","token":"t","ladder":"l","bot":"b","at_once":99}', 4400),
        (websocket.TEXT, b"[" * 10_000, 4400),
    ],
)
def test_what_is_no_hello_ends_the_connection(hand: ByHand, kind: int, content: bytes, code: int) -> None:
    """Binary frames, huge ones, and all that is not a hello end the connection with a code that says why."""
    hand.send(kind, content)
    assert hand.await_type("closed")["code"] == code


def test_a_huge_frame_is_refused_before_it_comes(hand: ByHand) -> None:
    """A frame that only says how large it will be is refused at once."""
    hand.socket.sendall(b"\x81\xff" + (1 << 40).to_bytes(8, "big") + b"\0\0\0\0x")
    assert hand.await_type("closed")["code"] == 1009


def test_an_answer_that_nobody_asked_for_ends_the_connection(hand: ByHand, ladder: str, token: str) -> None:
    """Numbers of turns that were not asked are nobody's mistake of a moment; answers to what is over are."""
    hand.hello(token, ladder, "Numbers")
    hand.await_type("welcome")
    hand.say({"type": "answer", "match": "elsewhere", "number": 7, "line": "x"})  # of a match that is over, perhaps
    start = hand.await_type("start")
    hand.say({"type": "ready", "match": start["match"]})
    hand.await_type("turn")
    hand.say({"type": "answer", "match": start["match"], "number": 7, "line": "0"})
    assert hand.await_type("closed")["code"] == 4400


def test_a_flood_ends_the_connection(hand: ByHand, ladder: str, token: str) -> None:
    """Who sends answers to nothing without an end is cut off."""
    hand.hello(token, ladder, "Flood")
    hand.await_type("welcome")
    whole = b"".join(
        websocket.frame(websocket.TEXT, b'{"type":"ready","match":"none"}', masked=True) for _ in range(2000)
    )
    with pytest.MonkeyPatch.context():
        try:
            hand.socket.sendall(whole)
        except OSError:
            return
    while (said := hand.next()) and said["type"] != "closed":
        """What was under way."""
    assert not said or said["code"] == 4429


def test_many_pings_are_not_answered_for_ever(hand: ByHand, ladder: str, token: str) -> None:
    """A peer that pings without an end is cut off, too."""
    hand.hello(token, ladder, "Pings")
    hand.await_type("welcome")
    try:
        hand.socket.sendall(b"".join(websocket.frame(websocket.PING, b"x", masked=True) for _ in range(2000)))
    except OSError:
        return
    while (said := hand.next()) and said["type"] != "closed":
        """What was under way."""
    assert not said or said["code"] == 1008


def test_two_connections_of_one_bot_are_one(arena: RunningSite, ladder: str, token: str) -> None:
    """The newer connection of a bot takes over, and the older one is told; a match goes on over the newer one."""
    older = ByHand(arena.url)
    older.hello(token, ladder, "Twice")
    older.await_type("welcome")
    start = older.await_type("start")
    older.say({"type": "ready", "match": start["match"]})
    turn = older.await_type("turn")
    newer = ByHand(arena.url)
    newer.hello(token, ladder, "Twice")
    assert newer.await_type("welcome")["matches"] == [start["match"]]
    assert newer.await_type("start")["again"]
    assert newer.await_type("turn") == turn
    assert older.await_type("closed")["code"] == 4409
    newer.say({"type": "answer", "match": turn["match"], "number": turn["number"], "line": legal(turn["input"])[0]})
    newer.await_type("turn", "end")
    older.close()
    newer.close()


def test_one_person_connects_so_many_bots(arena: RunningSite, ladder: str) -> None:
    """A person has a bound of bots that are connected."""
    own = token_to_play(Visitor(arena.url).sign_up("Many"))
    with ExitStack() as open_:
        for number in range(MAX_OF_PERSON):
            hand = ByHand(arena.url)
            open_.callback(hand.close)
            hand.hello(own, ladder, f"Own {number}", at_once=1)
            hand.await_type("welcome")
        more = ByHand(arena.url)
        open_.callback(more.close)
        more.hello(own, ladder, "One more")
        assert refusal(more) == ("serve-distant-many", 4403)


def test_who_says_nothing_keeps_nobody_out(arena: RunningSite, ladder: str, token: str) -> None:
    """So many connections of one address that say nothing are taken, no more; and pages are there meanwhile."""
    with ExitStack() as open_:
        silent = []
        for _ in range(MAX_OF_ADDRESS):
            silent.append(ByHand(arena.url))
            open_.callback(silent[-1].close)
        assert {one.status for one in silent} == {101}
        one_more = ByHand(arena.url)
        open_.callback(one_more.close)
        assert one_more.status == 404
        assert Visitor(arena.url).get("/").status_code == 200


def test_a_message_that_comes_drop_by_drop_is_not_waited_for(arena: RunningSite, hand: ByHand) -> None:
    """A frame that begins and does not go on ends the connection, and so does a hello that does not come."""
    hand.socket.sendall(b"\x81\xfe\x01")
    said = hand.next()
    assert not said or said["code"] == 4400


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        (b"GET /connect HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", b"400"),
        (
            b"GET /connect HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 8\r\n\r\n",
            b"426",
        ),
        (
            b"GET /ladders/new HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
            b"404",
        ),
        (b"GET /connect HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", b"40"),
    ],
)
def test_a_request_that_is_no_websocket_is_answered(arena: RunningSite, asked: bytes, status: bytes) -> None:
    """What cannot become a WebSocket gets an answer of HTTP, and the connection ends."""
    parts = urlsplit(arena.url)
    with socket.create_connection((parts.hostname or "", parts.port or 80), timeout=30) as plain:
        plain.sendall(asked)
        assert plain.recv(1000).split(b" ")[1].startswith(status)
