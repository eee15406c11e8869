"""A WebSocket to a site: asked for over HTTP, then messages of text both ways. Whatever comes is bounded in size."""

from __future__ import annotations

import select
import socket
import ssl
import threading
from contextlib import suppress
from time import monotonic
from urllib.parse import urlsplit

from dohyo import __version__
from dohyo.core.errors import OperatorError
from dohyo.guests.site_client.connecting.wire import MAX_MESSAGE, PATH
from dohyo.system import websocket
from dohyo.system.websocket import Event, Frames, WebSocketError

PATIENCE = 15.0  # seconds for a connection, for its answer, and for what is sent
SILENT = 20.0  # seconds without a sign of a site, which pings more often, after which the connection counts as lost
LONGEST_HEAD = 16 << 10  # bytes
PIECE = 1 << 16


class LostError(Exception):
    """The connection is over; `code` and `reason` are what the site said of that, or 0."""

    def __init__(self, code: int = 0, reason: str = "") -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class SiteSocket:
    """One connection. Messages may be sent from any thread; one thread reads."""

    def __init__(self, site: str) -> None:
        """Connect to a site. Raises `LostError` where that cannot be now, `OperatorError` where it never will."""
        self._frames = Frames(MAX_MESSAGE, from_client=False)
        self._sending = threading.Lock()
        self._heard = monotonic()
        try:
            self._socket = _connected(site)
            try:
                rest = self._ask(site)
                self._events = self._frames.feed(rest)
            except BaseException:
                self._socket.close()
                raise
        except WebSocketError as error:
            raise LostError(error.code, error.reason) from error
        except (OSError, ValueError) as error:
            raise LostError(0, str(getattr(error, "strerror", None) or error)) from error

    def _ask(self, site: str) -> bytes:
        """Ask for a WebSocket; what came behind the answer."""
        parts, key = urlsplit(site), websocket.new_key()
        asked = (
            f"GET {parts.path.rstrip('/')}{PATH} HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: {websocket.VERSION}\r\n"
            f"User-Agent: dohyo/{__version__}\r\n\r\n"
        )
        self._socket.sendall(asked.encode("ascii"))
        head = bytearray()
        while (end := head.find(b"\r\n\r\n")) < 0:
            content = self._socket.recv(PIECE)
            if not content or len(head) > LONGEST_HEAD:
                raise LostError(0, "no answer")
            head += content
        first, *lines = head[:end].decode("latin-1").split("\r\n")
        told = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        status = first.split(" ")[1] if first.count(" ") else ""
        if status in ("404", "400", "426"):
            raise OperatorError("site-no-distant", site=site)
        if status != "101" or told.get("sec-websocket-accept") != websocket.accept_of(key):
            raise LostError(0, first[:100])
        return bytes(head[end + 4 :])

    def send(self, content: bytes) -> None:
        """Send a message. Raises `LostError`."""
        self._write(websocket.frame(websocket.TEXT, content, masked=True))

    def _write(self, content: bytes) -> None:
        try:
            with self._sending:
                self._socket.settimeout(PATIENCE)
                self._socket.sendall(content)
        except (OSError, ValueError) as error:
            raise LostError(0, str(error)) from error

    def received(self, seconds: float) -> bytes | None:
        """The next message; none if none comes for so long. Raises `LostError` once it is over."""
        end = monotonic() + seconds
        while True:
            while self._events:
                event = self._events.pop(0)
                if event.kind == websocket.TEXT:
                    return event.content
                self._take(event)
            left = end - monotonic()
            if left <= 0:
                return None
            self._read(left)

    def _take(self, event: Event) -> None:
        if event.kind == websocket.PING:
            self._write(websocket.frame(websocket.PONG, event.content, masked=True))
        elif event.kind == websocket.CLOSE:
            raise LostError(event.code, event.text)

    def _read(self, seconds: float) -> None:
        try:
            pending = isinstance(self._socket, ssl.SSLSocket) and self._socket.pending()
            if not pending and not select.select([self._socket], [], [], seconds)[0]:
                if monotonic() - self._heard > SILENT:
                    raise LostError(0, "silent")
                return
            self._socket.settimeout(PATIENCE)
            content = self._socket.recv(PIECE)
            if not content:
                raise LostError(0, "closed")
            self._heard = monotonic()
            self._events += self._frames.feed(content)
        except WebSocketError as error:
            raise LostError(error.code, error.reason) from error
        except (OSError, ValueError) as error:
            raise LostError(0, str(error)) from error

    def leave(self) -> None:
        """End it in good order: the site is told that the bot does not come back, and waits for it no longer."""
        with suppress(LostError):
            self._write(websocket.end_frame(1000, masked=True))
        self._socket.close()

    def drop(self) -> None:
        """End it without a word: there will be another one."""
        self._socket.close()


def _connected(site: str) -> socket.socket:
    parts = urlsplit(site)
    is_secure = parts.scheme == "https"
    port = parts.port or (443 if is_secure else 80)
    plain = socket.create_connection((parts.hostname or "", port), timeout=PATIENCE)
    try:
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if not is_secure:
            return plain
        return ssl.create_default_context().wrap_socket(plain, server_hostname=parts.hostname)
    except BaseException:
        plain.close()
        raise
