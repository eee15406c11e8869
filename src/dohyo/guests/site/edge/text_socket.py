"""A WebSocket as the site serves it: uvicorn's connection, once its request asks for one.

uvicorn takes such a class from two libraries; this one has bounds of ours and nothing that the site does not use. The
application is only asked whether it takes the connection (`accept`). After that messages do not go through it: who
listens hears each one with the moment at which its bytes came, and that moment is what a bot's clock goes by.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, Protocol

from dohyo.system import websocket
from dohyo.system.websocket import Frames, WebSocketError

EXTENSION = "dohyo.socket"  # where the application finds it
MAX_UNREAD = 2 << 20  # bytes that wait because the other end does not read
PIECE = 10.0  # seconds in which a message that has begun is there
PINGS, MAX_PINGS = 5.0, 100.0  # that are answered: in a second, and at once
LEFT = 1000  # the standard's code for an end in good order
PARTING = 2.0  # seconds for the other end to close, once the end is said
SWITCHED = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
ANSWER = SWITCHED + "Sec-WebSocket-Accept: {}\r\n\r\n"
NO_ANSWER = "HTTP/1.1 {}\r\nContent-Length: 0\r\nConnection: close\r\nCache-Control: no-store\r\n{}\r\n"


class Listener(Protocol):
    """Hears what comes; `at` is the moment by the loop's clock."""

    def heard(self, content: bytes, at: float) -> None:
        """A message of text has come."""

    def ponged(self, content: bytes, at: float) -> None:
        """A pong has come."""

    def lost(self, left: bool) -> None:
        """The connection is over; whether the other end has `left` in good order, or was sent away."""


class TextSocket(asyncio.Protocol):
    """One connection, with messages of `most` bytes at most; nobody slow keeps it, and nobody fills our memory."""

    most = 16 << 10

    def __init__(self, config: Any, server_state: Any, app_state: dict[str, Any]) -> None:
        self._app = config.loaded_app
        self._loop = asyncio.get_running_loop()
        self._connections, self._tasks = server_state.connections, server_state.tasks
        self._app_state = app_state
        self._frames = Frames(self.most, from_client=True)
        self._transport: Any = None
        self._key = ""
        self._is_open = False
        self._hurry: asyncio.TimerHandle | None = None
        self._parting: asyncio.TimerHandle | None = None
        self._asked = self._has_left = False
        self._pings = MAX_PINGS, self._loop.time()  # how many may come, at that moment
        self.listener: Listener | None = None
        self.over = asyncio.Event()

    # --- as uvicorn calls it

    def begin(self, transport: Any, scope: dict[str, Any], rest: bytes) -> None:
        """Take over a connection whose request wants a WebSocket; `rest` came behind the request."""
        self._transport = transport
        self._connections.add(self)
        headers = dict(scope["headers"])
        self._key = headers.get(b"sec-websocket-key", b"").decode("latin-1")
        version = headers.get(b"sec-websocket-version", b"").decode("latin-1").strip()
        if scope["method"] != "GET" or scope["http_version"] != "1.1" or not websocket.is_key(self._key) or rest:
            self._refuse("400 Bad Request")
        elif version != websocket.VERSION:
            self._refuse("426 Upgrade Required", f"Sec-WebSocket-Version: {websocket.VERSION}\r\n")
        else:
            own = {name: value for name, value in scope.items() if name != "method"}
            own |= {"type": "websocket", "scheme": "ws", "subprotocols": [], "extensions": {EXTENSION: self}}
            task = self._loop.create_task(self._run(own))
            task.add_done_callback(self._tasks.discard)
            self._tasks.add(task)

    def data_received(self, data: bytes) -> None:
        """Take in bytes."""
        at = self._loop.time()
        if not self._is_open:  # a client waits for the answer before it speaks
            self._transport.abort()
            return
        try:
            events = self._frames.feed(data)
        except WebSocketError as error:
            self.end(error.code, error.reason)
            return
        for event in events:
            if event.kind == websocket.TEXT and self.listener is not None:
                self.listener.heard(event.content, at)
            elif event.kind == websocket.PONG and self.listener is not None:
                self.listener.ponged(event.content, at)
            elif event.kind == websocket.PING:
                self._pong(event.content, at)
            elif event.kind == websocket.CLOSE:
                self.end(LEFT if event.code == websocket.NO_CODE else event.code, left=event.code == LEFT)
            if not self._is_open:
                return
        self._await_rest()

    def eof_received(self) -> None:
        """The other end says no more: then it is over."""

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        self._is_open = False
        self._connections.discard(self)
        for timer in (self._hurry, self._parting):
            if timer is not None:
                timer.cancel()
        self.over.set()
        self._tell_lost()

    def _tell_lost(self) -> None:
        """Tell who listens, once."""
        listener, self.listener = self.listener, None
        if listener is not None:
            listener.lost(self._has_left)

    def pause_writing(self) -> None:
        """The other end reads slowly: how much waits is bounded where it is written."""

    def resume_writing(self) -> None:
        """It reads again."""

    def shutdown(self) -> None:
        """The server ends."""
        if self._is_open:
            self.end(1012, "the site starts again", left=False)
        else:
            self._transport.close()

    # --- as the application does

    async def _run(self, scope: dict[str, Any]) -> None:
        try:
            await self._app(scope, self._receive, self._send)
        except Exception:  # the application has noted it: nobody hears of how the server is made
            self.end(1011, left=False)
        finally:
            if not self._asked:
                self._refuse("404 Not Found")
            elif self._is_open:
                self.end(LEFT, left=False)

    async def _receive(self) -> dict[str, Any]:
        if not self._asked and not self.over.is_set():
            return {"type": "websocket.connect"}
        await self.over.wait()
        return {"type": "websocket.disconnect", "code": 1006}

    async def _send(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind == "websocket.accept" and not self._asked:
            self._asked = self._is_open = True
            self._transport.write(ANSWER.format(websocket.accept_of(self._key)).encode())
        elif kind == "websocket.close" and self._is_open:
            self.end(message.get("code") or LEFT, message.get("reason") or "", left=False)
        elif kind == "websocket.close":
            self._refuse("404 Not Found")

    # --- as the switchboard does

    def say(self, content: bytes) -> float:
        """Send a message of text; the moment at which it was given to the system."""
        return self._write(websocket.frame(websocket.TEXT, content))

    def ping(self, content: bytes) -> float:
        """Send a ping; the moment."""
        return self._write(websocket.frame(websocket.PING, content))

    def end(self, code: int, reason: str = "", *, left: bool = True) -> None:
        """Say that it is over, and close it; whether the other end has `left`, or is sent away for what it did."""
        if not self._is_open:
            return
        self._is_open, self._has_left = False, left
        if not self._transport.is_closing():
            self._transport.write(websocket.end_frame(code, reason))
            self._parting = self._loop.call_later(PARTING, self.abort)
            self._transport.close()
        self._tell_lost()

    def abort(self) -> None:
        """Close it at once, whatever waits."""
        self._transport.abort()

    def _write(self, content: bytes) -> float:
        if self._is_open and not self._transport.is_closing():
            if self._transport.get_write_buffer_size() + len(content) > MAX_UNREAD:
                self.abort()
            else:
                self._transport.write(content)
        return self._loop.time()

    def _pong(self, content: bytes, at: float) -> None:
        """Answer a ping, as long as there are not too many."""
        left, since = self._pings
        left = min(MAX_PINGS, left + PINGS * (at - since)) - 1
        self._pings = left, at
        if left < 0:
            self.end(1008, "too many pings")
        else:
            self._write(websocket.frame(websocket.PONG, content))

    def _refuse(self, status: str, more: str = "") -> None:
        self._asked = True
        with suppress(RuntimeError):
            if not self._transport.is_closing():
                self._transport.write(NO_ANSWER.format(status, more).encode())
        self._transport.close()
        self._parting = self._loop.call_later(PARTING, self.abort)

    def _await_rest(self) -> None:
        """Wait for the rest of a message that has begun, and no longer than that."""
        if not self._frames.is_within:
            if self._hurry is not None:
                self._hurry.cancel()
                self._hurry = None
        elif self._hurry is None:
            self._hurry = self._loop.call_later(PIECE, self.abort)
