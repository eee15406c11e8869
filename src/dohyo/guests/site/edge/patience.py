"""How long the server waits for those who ask, and how much it takes in: nobody slow or large keeps others waiting.

`Patience` stands before the application: a request's body has to come in time, and only who is signed in may send a
large one, a few at once. `PatientProtocol` ends a connection whose request does not even begin in time, and one whose
answer is not read, which uvicorn by itself would keep for ever.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from dohyo.core.errors import OperatorError

KINDS = (b"multipart/form-data", b"application/json")
FORM = b"application/x-www-form-urlencoded"
SMALL = 8 << 10  # bytes of a body that anybody may send: a form is read before it is known who sends it
LARGE = ("/hand-in", "/hand-ins", "/import")  # how paths end that take more
WRITTEN = ("/contests/new", "/organise")  # those of long lists
TOLD = ("/announce", "/questions", "/answer")  # those of long texts
LONG = 640 << 10  # bytes of such a form: 2000 names of 30 Japanese letters, nine bytes each
TEXT = 40 << 10  # bytes of a form with one text: 4000 Japanese letters, and what stands beside it
MAX_FIELDS = 3000  # of a form: reading many keeps everybody waiting
MAX_THROWN = 64 << 20  # bytes of a body that is too large: read for an answer to be seen, up to here
MAX_LARGE = 4  # larger ones at once, each of somebody else: each is in memory
LEAST_RATE = 20_000  # bytes a second of a large body, after the first piece's time
PIECE = 20.0  # seconds for a piece of a body
WHOLE = 120.0  # seconds for all of it
BEGINNING = 15.0  # seconds for the lines before it
UNREAD = 60.0  # seconds in which whoever asked takes in some more of an answer that waits in memory
LEAST_READ = 60_000  # bytes of it
LONGEST_PART = 255  # bytes between two slashes of a path: no name of ours is longer, and no file's can be

Scope = Any
Message = Any
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


class RefusedError(Exception):
    """A body that is not taken, with an HTTP status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Patience:
    """Wraps an application that takes bodies of `most` bytes.

    `may_send_much(path, headers)` says who is signed in and may hand in; none where nobody is. `page(status, path,
    language)` makes what says what was wrong, for a header about languages: its type, and its text.
    """

    def __init__(
        self,
        app: Application,
        may_send_much: Callable[[str, Mapping[bytes, bytes]], str | None],
        most: int,
        page: Callable[[int, str, str], tuple[str, str]],
    ) -> None:
        self._app, self._may_send_much, self._most, self._page = app, may_send_much, most, page
        self._large: set[str] = set()  # whose larger bodies are being read

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.lower(): value for name, value in scope["headers"]}
        try:
            if not _may_lead_somewhere(scope["path"]):
                raise RefusedError(404)
            length = int(headers.get(b"content-length", b"0"))
            if length <= SMALL and b"transfer-encoding" not in headers:
                await self._app(scope, _Body(receive, SMALL), send)
                return
            most = self._taken(scope, headers)
            if not most or length > most:
                raise RefusedError(413)
            await self._take_large(scope, headers, receive, send, most)
        except ValueError:
            await self._refuse(400, scope, receive, send)
        except RefusedError as error:
            await self._refuse(error.status, scope, receive, send)

    def _taken(self, scope: Scope, headers: Mapping[bytes, bytes]) -> int:
        """How many bytes of a larger body may be sent here by whoever is signed in; 0 for none."""
        kind = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
        if scope["method"] != "POST":
            return 0
        if scope["path"].endswith(LARGE) and kind in KINDS:
            return self._most
        if kind != FORM:
            return 0
        return LONG if scope["path"].endswith(WRITTEN) else TEXT if scope["path"].endswith(TOLD) else 0

    async def _refuse(self, status: int, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer without the application.

        The body is read and thrown away first: a browser that cannot send it to its end shows no answer.
        """
        body, left = _Body(receive, MAX_THROWN), True
        while left:
            message = await body()
            left = message["type"] == "http.request" and message.get("more_body", False)
        language = dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1")
        kind, text = self._page(status, scope["path"], language)
        page = text.encode()
        told = {
            b"content-type": kind.encode(),
            b"content-length": str(len(page)).encode(),
            b"content-security-policy": b"default-src 'none'; style-src 'self'; img-src 'self'",
            b"x-content-type-options": b"nosniff",
            b"connection": b"close",
            **({b"retry-after": b"10"} if status == 503 else {}),
        }
        await send({"type": "http.response.start", "status": status, "headers": list(told.items())})
        await send({"type": "http.response.body", "body": page})

    async def _take_large(
        self, scope: Scope, headers: dict[bytes, bytes], receive: Receive, send: Send, most: int
    ) -> None:
        """Let the application have a body of `most` bytes at most: one of each person's at once, and few in all."""
        try:
            who = await asyncio.to_thread(self._may_send_much, scope["path"], headers)
        except OperatorError as error:  # the database is gone for a while
            raise RefusedError(503) from error
        if who is None:
            raise RefusedError(413)
        if who in self._large or len(self._large) >= MAX_LARGE:
            raise RefusedError(503)
        self._large.add(who)
        try:
            body: Receive = _Body(receive, most, LEAST_RATE)
            if most < self._most:  # a form
                body = await _few_fields(body)
            await self._app(scope, body, send)
        finally:
            self._large.discard(who)


def _may_lead_somewhere(path: str) -> bool:
    """Whether a path, as it reads without its percent signs, can be one of a page: neither a file system nor
    PostgreSQL takes a zero byte, and a file's name has its bound.
    """
    longest = max(len(part.encode("utf-8", "replace")) for part in path.split("/"))
    return "\0" not in path and longest <= LONGEST_PART


async def _few_fields(body: Receive) -> Receive:
    """The body of a form, whose pieces are all there. Raises `RefusedError` for one of very many fields."""
    messages: list[Message] = []
    fields = 1
    while not messages or (messages[-1]["type"] == "http.request" and messages[-1].get("more_body", False)):
        messages.append(await body())
        fields += messages[-1].get("body", b"").count(b"&")
        if fields > MAX_FIELDS:
            raise RefusedError(413)
    there = iter(messages)

    async def again() -> Message:
        return next(there, None) or await body()

    return again


class _Body:
    """Hands on a body's pieces, in time and up to a size; afterwards whatever comes."""

    def __init__(self, receive: Receive, most: int, rate: int = 0) -> None:
        self._begun = asyncio.get_running_loop().time()
        self._receive, self._most, self._left, self._rate = receive, most, most, rate
        self._is_whole = False

    async def __call__(self) -> Message:
        if self._is_whole:
            return await self._receive()
        passed = asyncio.get_running_loop().time() - self._begun
        is_slow = passed > PIECE and self._most - self._left < self._rate * passed
        try:
            left = 0.0 if is_slow else max(0.0, min(PIECE, WHOLE - passed))
            message = await asyncio.wait_for(self._receive(), left)
        except TimeoutError:
            return {"type": "http.disconnect"}
        self._left -= len(message.get("body", b""))
        self._is_whole = not message.get("more_body", False)
        return message if self._left >= 0 else {"type": "http.disconnect"}


class PatientProtocol(H11Protocol):
    """uvicorn's protocol; a connection is closed where a request does not begin in time, or an answer is not read."""

    _hurry: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    _is_over = False  # whether the connection is another protocol's by now

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._await_request()

    def data_received(self, data: bytes) -> None:
        """Take in bytes: once a request has begun, nothing more is awaited until it has its answer."""
        super().data_received(data)
        if self._is_over:
            return
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()
        elif self._hurry is None:
            self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is over."""
        self._stop_waiting()
        self._stop_looking()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Much of an answer waits in memory: it has to be taken in, piece by piece."""
        super().pause_writing()
        self._look_again()

    def resume_writing(self) -> None:
        """It was taken in."""
        self._stop_looking()
        super().resume_writing()

    def _look_again(self) -> None:
        waits = self.transport.get_write_buffer_size()
        self._unread = self.loop.call_later(UNREAD, self._look, waits)

    def _look(self, waited: int) -> None:
        self._unread = None
        if waited - self.transport.get_write_buffer_size() < LEAST_READ:
            self.transport.abort()  # also one that closes already: it would wait for the answer to be read
        else:
            self._look_again()

    def _stop_looking(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def handle_websocket_upgrade(self, event: Any) -> None:
        """A request wants a WebSocket: from here on the connection is that one's (`text_socket.py`)."""
        self._is_over = True
        self._stop_waiting()
        self.connections.discard(self)
        made: Any = self.ws_protocol_class(self.config, self.server_state, self.app_state)  # type: ignore[misc, call-arg]
        self.transport.set_protocol(made)
        made.begin(self.transport, self.scope, self.conn.trailing_data[0])

    def _await_request(self) -> None:
        self._stop_waiting()
        self._hurry = self.loop.call_later(BEGINNING, self._close)

    def _stop_waiting(self) -> None:
        if self._hurry is not None:
            self._hurry.cancel()
            self._hurry = None

    def _close(self) -> None:
        self._hurry = None
        if not self.transport.is_closing():
            self.transport.abort()
