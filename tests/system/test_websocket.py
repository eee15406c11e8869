"""WebSocket frames: what is written is read again, in whatever pieces it comes; what is forbidden is refused."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as some

from dohyo.system import websocket
from dohyo.system.websocket import BINARY, CLOSE, MORE, PING, PONG, TEXT, Event, Frames, WebSocketError, frame

MOST = 70_000


def cut(content: bytes, at: list[int]) -> list[bytes]:
    """Bytes in pieces that begin at these places."""
    places = [0, *sorted(place % (len(content) + 1) for place in at), len(content)]
    return [content[begin:end] for begin, end in itertools.pairwise(places)]


@given(
    some.lists(some.tuples(some.sampled_from((TEXT, PING, PONG)), some.text(max_size=60)), max_size=5),
    some.lists(some.integers(0, 400), max_size=6),
    some.booleans(),
)
def test_what_is_written_is_read_in_whatever_pieces_it_comes(
    said: list[tuple[int, str]], at: list[int], masked: bool
) -> None:
    """Messages and pings of either end come out as they went in, however their bytes are cut."""
    whole = b"".join(frame(kind, text.encode()[:125], masked=masked) for kind, text in said if kind != TEXT)
    told = [(kind, text) for kind, text in said if kind != TEXT]
    for kind, text in said:
        if kind == TEXT:
            whole += frame(TEXT, text.encode(), masked=masked)
            told.append((kind, text))
    frames = Frames(MOST, from_client=masked)
    events = [event for piece in cut(whole, at) for event in frames.feed(piece)]
    assert [event.kind for event in events] == [kind for kind, _ in told]
    assert all(
        event.content == text.encode()[: None if kind == TEXT else 125]
        for event, (kind, text) in zip(events, told, strict=True)
    )
    assert not frames.is_within


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536])
def test_each_form_of_a_length_is_read(size: int) -> None:
    """A message has one of three forms of length, and is read in each."""
    (event,) = Frames(MOST, from_client=True).feed(frame(TEXT, b"x" * size, masked=True))
    assert event == Event(TEXT, b"x" * size)


def test_a_message_comes_in_frames_with_a_ping_between() -> None:
    """A message in several frames is one, and a ping between them is answered before its end."""
    parts = b"\x01\x03hel" + frame(PING, b"?") + b"\x80\x02lo"
    assert Frames(MOST, from_client=False).feed(parts) == [Event(PING, b"?"), Event(TEXT, b"hello")]


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (frame(TEXT, b"x"), 1002),  # not masked
        (frame(BINARY, b"x", masked=True), 1003),
        (frame(TEXT, b"\xff\xfe", masked=True), 1007),
        (frame(TEXT, b"x" * (MOST + 1), masked=True)[:14], 1009),  # by its length alone
        (b"\x81\xff" + (1 << 62).to_bytes(8, "big"), 1009),
        (b"\xc1\x80\0\0\0\0", 1002),  # an extension
        (b"\x83\x80\0\0\0\0", 1002),  # a kind that there is not
        (frame(MORE, b"x", masked=True), 1002),  # continues nothing
        (b"\x01\x80\0\0\0\0" + frame(TEXT, b"x", masked=True), 1002),  # another one within a message
        (b"\x09\x80\0\0\0\0", 1002),  # a ping in pieces
        (b"\x89\xfe\x01\x00", 1002),  # a large ping
        (frame(CLOSE, b"\x03", masked=True), 1002),
        (frame(CLOSE, (999).to_bytes(2, "big"), masked=True), 1002),
        (frame(CLOSE, b"\x03\xe8\xff", masked=True), 1007),
    ],
    ids=map(str, range(14)),  # masks are drawn by chance, and workers must agree about names
)
def test_what_the_standard_forbids_ends_it_with_a_code(wrong: bytes, code: int) -> None:
    """Frames that must not be are an error with the standard's code, the large ones before anything is kept."""
    with pytest.raises(WebSocketError) as raised:
        Frames(MOST, from_client=True).feed(wrong)
    assert raised.value.code == code


def test_many_small_frames_do_not_pass_the_bound_of_a_message() -> None:
    """A message in pieces has the same bound as a whole one."""
    frames = Frames(100, from_client=True)
    frames.feed(b"\x01" + frame(TEXT, b"x" * 60, masked=True)[1:])
    with pytest.raises(WebSocketError) as raised:
        frames.feed(b"\x00" + frame(TEXT, b"x" * 60, masked=True)[1:])
    assert raised.value.code == 1009


def test_nothing_counts_behind_an_end() -> None:
    """What comes behind the end is not looked at; the end has its code and its reason."""
    frames = Frames(MOST, from_client=False)
    events = frames.feed(websocket.end_frame(4409, "twice") + frame(TEXT, b"x"))
    assert events == [Event(CLOSE, b"twice", 4409)]
    assert frames.feed(frame(TEXT, b"x")) == []


def test_the_answer_to_a_key_is_the_standards() -> None:
    """The example of the standard."""
    assert websocket.accept_of("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
    assert websocket.is_key(websocket.new_key())
    assert not websocket.is_key("short")
