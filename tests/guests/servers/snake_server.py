"""Servers that play Battlesnake, good ones and crooked ones, in this process."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Snake(ThreadingHTTPServer):
    """A server at a free port; `told` are the path and the message of each request, in their order.

    `came` are the same as they came: method, path, the body's bytes.
    """

    daemon_threads = True

    def __init__(self, answer: Callable[[dict[str, Any], Any], None], begin: Callable[[Any], None]) -> None:
        self.told: list[tuple[str, dict[str, Any]]] = []
        self.came: list[bytes] = []
        self.answer, self.begin = answer, begin
        self.release = threading.Event()
        super().__init__(("127.0.0.1", 0), SnakeRequest)

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: connections are cut here on purpose."""


class SnakeRequest(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        body = json.loads(content)
        self.server.came.append(f"{self.command} {self.path}\n".encode() + content + b"\n")
        self.server.told.append((self.path, body))
        if self.path.endswith("/move"):
            self.server.answer(body, self)
        elif self.path.endswith("/start"):
            self.server.begin(self)
        else:
            respond(self, b"ok")

    def log_message(self, *words: Any) -> None:
        """Say nothing."""


def respond(handler: Any, body: bytes, status: int = 200) -> None:
    """Send a whole response."""
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def moving(way: Callable[[dict[str, Any]], str], **more: Any) -> Callable[[dict[str, Any], Any], None]:
    """Answers by this function of the message."""
    return lambda body, handler: respond(handler, json.dumps({"move": way(body), **more}).encode())


def fine(handler: Any) -> None:
    """The usual answer to the beginning of a match."""
    respond(handler, b"ok")


@contextmanager
def snake(answer: Callable[[dict[str, Any], Any], None], begin: Callable[[Any], None] = fine) -> Iterator[Snake]:
    """A server while this lasts; `begin` answers to `/start`."""
    server = Snake(answer, begin)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.release.set()
        server.shutdown()
        server.server_close()
        thread.join()
