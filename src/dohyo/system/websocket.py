"""WebSocket frames (RFC 6455), without a socket: bytes come in, events and bytes to be sent come out.

Both ends of a bot that stays at home use it: the site's server and `dohyo connect`. It does what these need and no
more: messages of text, pings, an orderly end, no extensions. Whoever is at the other end is a stranger: a message has
a bound that counts before anything of it is kept, and all that the standard forbids ends the connection.
"""

from __future__ import annotations

import base64
import hashlib
import os
from typing import NamedTuple

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # the standard's own
VERSION = "13"
MORE, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
MAX_CONTROL = 125  # bytes of a control frame
WRONG, UNFIT, NOT_TEXT, TOO_LARGE = 1002, 1003, 1007, 1009  # codes of an end
NO_CODE = 1005  # the other end has said none
SAYABLE = frozenset({1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014})
LONGEST_REASON = 120  # bytes


class Event(NamedTuple):
    """What has come: a text, a ping or a pong with what is in it, or the end with its code and its reason."""

    kind: int
    content: bytes = b""
    code: int = 0

    @property
    def text(self) -> str:
        """A text, or the reason of an end."""
        return self.content.decode("utf-8", "replace")


class WebSocketError(Exception):
    """The other end broke the standard or its bounds; `code` is for the end of the connection."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


def accept_of(key: str) -> str:
    """What a server answers to a client's key."""
    return base64.b64encode(hashlib.sha1(key.strip().encode() + GUID, usedforsecurity=False).digest()).decode()


def new_key() -> str:
    """A key for a client's request."""
    return base64.b64encode(os.urandom(16)).decode()


def is_key(key: str) -> bool:
    """Whether it is a client's key: 16 bytes in base 64."""
    try:
        return len(base64.b64decode(key.strip(), validate=True)) == 16
    except ValueError:
        return False


def frame(kind: int, content: bytes = b"", *, masked: bool = False) -> bytes:
    """A whole frame. A client's are `masked`, a server's are not."""
    size, head = len(content), bytearray([0x80 | kind])
    mark = 0x80 if masked else 0
    if size <= MAX_CONTROL:
        head.append(mark | size)
    elif size < 1 << 16:
        head += bytes([mark | 126]) + size.to_bytes(2, "big")
    else:
        head += bytes([mark | 127]) + size.to_bytes(8, "big")
    if not masked:
        return bytes(head) + content
    key = os.urandom(4)
    return bytes(head) + key + _masked(content, key)


def end_frame(code: int, reason: str = "", *, masked: bool = False) -> bytes:
    """The frame that ends a connection."""
    told = reason.encode()[:LONGEST_REASON].decode("utf-8", "ignore").encode()
    return frame(CLOSE, code.to_bytes(2, "big") + told if code != NO_CODE else b"", masked=masked)


def _masked(content: bytes, key: bytes) -> bytes:
    size = len(content)
    if not size:
        return b""
    mask = (key * (size // 4 + 1))[:size]
    return (int.from_bytes(content, "big") ^ int.from_bytes(mask, "big")).to_bytes(size, "big")


class Frames:
    """Reads what the other end sends: `feed` it bytes, and take the events.

    `most` is the largest message in bytes. `from_client` says whose frames come: a client's have to be masked, a
    server's must not be.
    """

    def __init__(self, most: int, *, from_client: bool) -> None:
        self._most, self._from_client = most, from_client
        self._bytes = bytearray()
        self._message: bytearray | None = None  # of which not all frames have come
        self.ended = False

    @property
    def is_within(self) -> bool:
        """Whether a message or a frame has begun, and its end is not there yet."""
        return not self.ended and (bool(self._bytes) or self._message is not None)

    def feed(self, content: bytes) -> list[Event]:
        """The events in these bytes and in what was left before; none behind an end.

        Raises `WebSocketError`. What came whole before is then lost with the rest.
        """
        self._bytes += content
        events: list[Event] = []
        while not self.ended and (found := self._next()) is not None:
            event = self._take(*found)
            if event is not None:
                events.append(event)
        return events

    def _next(self) -> tuple[bool, int, bytes] | None:
        """The next whole frame: whether it is a message's last, its kind, its content. None as long as it is not
        there."""
        head = self._bytes
        if len(head) < 2:
            return None
        first, second = head[0], head[1]
        is_last, kind, size, at = bool(first & 0x80), first & 0x0F, second & 0x7F, 2
        if first & 0x70:
            raise WebSocketError(WRONG, "an extension that nobody has agreed to")
        if bool(second & 0x80) is not self._from_client:
            raise WebSocketError(WRONG, "a client's frames are masked, a server's are not")
        if kind in (CLOSE, PING, PONG):
            if not is_last or size > MAX_CONTROL:
                raise WebSocketError(WRONG, "a control frame is whole and small")
        elif kind not in (MORE, TEXT, BINARY):
            raise WebSocketError(WRONG, "a kind of frame that there is not")
        elif (kind == MORE) is (self._message is None):
            raise WebSocketError(WRONG, "a frame that continues nothing, or ends nothing")
        if size > MAX_CONTROL:
            longer = 2 if size == 126 else 8
            if len(head) < at + longer:
                return None
            size, at = int.from_bytes(head[at : at + longer], "big"), at + longer
        if kind == BINARY:
            raise WebSocketError(UNFIT, "messages are text")
        if kind in (MORE, TEXT) and size + len(self._message or b"") > self._most:
            raise WebSocketError(TOO_LARGE, f"a message has {self._most} bytes at most")
        key = bytes(head[at : at + 4]) if self._from_client else b""
        at += 4 if self._from_client else 0
        if len(head) < at + size:
            return None
        content = bytes(head[at : at + size])
        del head[: at + size]
        return is_last, kind, _masked(content, key) if self._from_client else content

    def _take(self, is_last: bool, kind: int, content: bytes) -> Event | None:
        """The event of a frame; none where its message goes on."""
        if kind in (PING, PONG):
            return Event(kind, content)
        if kind == CLOSE:
            self.ended = True
            return _end(content)
        if self._message is None:
            self._message = bytearray()
        self._message += content
        if not is_last:
            return None
        whole, self._message = bytes(self._message), None
        try:
            whole.decode()
        except UnicodeDecodeError as error:
            raise WebSocketError(NOT_TEXT, "a text is UTF-8") from error
        return Event(TEXT, whole)


def _end(content: bytes) -> Event:
    """The end that the other side has said."""
    if not content:
        return Event(CLOSE, b"", NO_CODE)
    code = int.from_bytes(content[:2], "big") if len(content) > 1 else 0
    if code not in SAYABLE and not 3000 <= code <= 4999:
        raise WebSocketError(WRONG, "a code that means nothing")
    try:
        content[2:].decode()
    except UnicodeDecodeError as error:
        raise WebSocketError(NOT_TEXT, "a reason is UTF-8") from error
    return Event(CLOSE, content[2:], code)
