"""A server on this machine only, for whoever has its address: what a server of pages has in common with any other.

It listens on 127.0.0.1, where every program of this machine can connect, of other users too, and every page that is
open in a browser here can try to. So:

* The address holds a secret of 128 bits, made anew at each start. No page of it has a referrer.
* `Host` must be ours. A stranger's site whose name turns into 127.0.0.1 (DNS rebinding) has its own name there.
* `Origin` must be ours where something is started (`LocalRequest.is_ours`).
* A request is read in bounded time, and there are so many at once.
"""

from __future__ import annotations

import io
import secrets
import socket
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer
from socketserver import TCPServer, ThreadingMixIn
from typing import Any

from dohyo.i18n import ENGLISH, Speaker
from dohyo.system.defects import print_defect

HERE = "127.0.0.1"
MAX_CONNECTIONS = 32
AT_ONCE = 1 << 16  # bytes of an answer
PATIENCE = 10.0  # seconds for a request to come, or for so much of an answer to be taken
POLICY = "frame-ancestors 'none'"
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class LocalServer(ThreadingMixIn, HTTPServer):
    """Listens at `address`, by `serve_forever`; each request is answered in a thread. `close` ends all that runs."""

    daemon_threads = False  # so that closing waits for them

    def __init__(self, request: type[LocalRequest], speaker: Speaker = ENGLISH) -> None:
        self.speaker = speaker
        self._room = threading.BoundedSemaphore(MAX_CONNECTIONS)
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        super().__init__((HERE, 0), request)
        self.path = f"/{secrets.token_urlsafe(16)}"
        self.hosts = tuple(f"{name}:{self.server_port}" for name in (HERE, "localhost"))
        self.address = f"http://{self.hosts[0]}{self.path}"

    def server_bind(self) -> None:
        """Take a free port. Unlike the library, ask no name server what this machine is called."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment]

    def close(self) -> None:
        """End all connections, and stop listening."""
        with self._lock:
            for connection in self._open:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
        self.server_close()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread of its own, if there is room."""
        if not self._room.acquire(blocking=False):
            self.shutdown_request(request)
            return
        with self._lock:
            self._open.add(request)
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """The work of such a thread."""
        try:
            self.finish_request(request, client_address)
        except OSError:  # whoever asked has gone, or says nothing
            pass
        except Exception:
            self.handle_error(request, client_address)
        finally:
            with self._lock:
                self._open.discard(request)
            self.shutdown_request(request)
            self._room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print the traceback of a defect of ours."""
        print_defect()


class _Incoming(io.RawIOBase):
    """What comes on a connection, for so many seconds in all: whoever sends a byte now and then is not waited for."""

    def __init__(self, connection: socket.socket, seconds: float) -> None:
        super().__init__()
        self._connection, self._end = connection, time.monotonic() + seconds

    def readable(self) -> bool:
        """Yes: it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read bytes into a buffer; how many, 0 at the end. Raises `TimeoutError` when the time is over."""
        usual, left = self._connection.gettimeout(), self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._connection.settimeout(left)
        try:
            return self._connection.recv_into(buffer)
        finally:
            self._connection.settimeout(usual)


class LocalRequest(BaseHTTPRequestHandler):
    """One request; its connection ends with it."""

    server: LocalServer
    timeout = PATIENCE  # for each part of an answer
    begun = False  # whether the answer's first line was sent

    def setup(self) -> None:
        """Begin to read, for a bounded time."""
        super().setup()
        self.rfile.close()
        self.rfile = io.BufferedReader(_Incoming(self.connection, PATIENCE))

    def is_ours(self) -> bool:
        """Whether a page of ours asks for something to be started."""
        return self.headers.get_all("Origin") == [f"http://{self.headers['Host']}"]

    def is_at(self, path: str) -> bool:
        """Whether this is the request's path, and its host is us; takes the same time for each secret."""
        hosts = self.headers.get_all("Host") or []
        ours = len(hosts) == 1 and hosts[0] in self.server.hosts
        return secrets.compare_digest(self.path.encode("utf-8", "replace"), path.encode()) and ours

    def answer(self, status: HTTPStatus, kind: str, content: bytes, headers: Mapping[str, str] | None = None) -> None:
        """Send an answer, with other `headers` than the usual ones."""
        self.begin(status, kind, len(content), headers)
        for at in range(0, len(content), AT_ONCE):
            self.wfile.write(content[at : at + AT_ONCE])

    def begin(
        self, status: HTTPStatus, kind: str, length: int | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        """Send what comes before the answer; without a `length`, it ends with the connection."""
        self.begun = True
        self.send_response(status)
        told = {"Content-Type": kind, **HEADERS, **(headers or {}), "Connection": "close"}
        for name, value in (told if length is None else told | {"Content-Length": str(length)}).items():
            self.send_header(name, value)
        self.end_headers()

    def refuse(self, status: HTTPStatus) -> None:
        """Say nothing of what there is, only where the whole address stands."""
        self.answer(status, "text/plain; charset=utf-8", self.server.speaker.say("served-refused").encode())

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse what the library could not read, without repeating any of it."""
        self.refuse(HTTPStatus(code))

    def version_string(self) -> str:
        """Who answers."""
        return "Dohyo"

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002
        """The terminal is not for this."""
