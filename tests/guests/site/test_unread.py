"""Whoever asks and does not take in the answer does not keep it in the server's memory."""

from __future__ import annotations

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest
from uvicorn import Config
from uvicorn.server import ServerState

from dohyo.guests.site.edge import patience
from dohyo.guests.site.edge.patience import LEAST_READ, PatientProtocol


class Line:
    """A connection with so much in memory; `later` is what is to be done after a while."""

    def __init__(self, size: int) -> None:
        self.size, self.is_open = size, True
        self.later: list[Any] = []
        self.protocol: Any = PatientProtocol.__new__(PatientProtocol)
        self.protocol.transport = self
        self.protocol.flow = SimpleNamespace(pause_writing=lambda: None, resume_writing=lambda: None)
        self.protocol.loop = SimpleNamespace(call_later=self._call_later)

    def _call_later(self, seconds: float, act: Any, *given: Any) -> Any:
        self.later.append((act, given))
        return SimpleNamespace(cancel=self.later.clear)

    def passes(self) -> None:
        """The time is over."""
        act, given = self.later.pop()
        act(*given)

    def get_write_buffer_size(self) -> int:
        """Bytes that wait."""
        return self.size

    def is_closing(self) -> bool:
        """Whether it is over."""
        return not self.is_open

    def abort(self) -> None:
        """End it."""
        self.is_open = False


@pytest.mark.parametrize("read", [0, LEAST_READ - 1])
def test_who_reads_next_to_nothing_is_left(read: int) -> None:
    """Also somebody who takes a few bytes now and then."""
    line = Line(10 * LEAST_READ)
    line.protocol.pause_writing()
    line.size -= read
    line.passes()
    assert not line.is_open


def test_who_reads_slowly_has_time() -> None:
    """As long as it goes on; when all was taken in, nothing is awaited any more."""
    line = Line(10 * LEAST_READ)
    line.protocol.pause_writing()
    for _ in range(5):
        line.size -= LEAST_READ
        line.passes()
    line.protocol.resume_writing()
    assert line.is_open
    assert not line.later


async def _large(scope: Any, receive: Any, send: Any) -> None:
    """Answer with much, in one piece."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": bytes(16 << 20)})


def test_an_answer_in_one_piece_that_nobody_reads_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection closes already when the time is over, and would wait for ever for the rest to be read."""
    monkeypatch.setattr(patience, "UNREAD", 0.05)

    async def ask() -> None:
        loop, is_lost = asyncio.get_running_loop(), asyncio.Event()

        class Watched(PatientProtocol):
            def connection_lost(self, exc: Exception | None) -> None:
                super().connection_lost(exc)
                is_lost.set()

        config = Config(_large, lifespan="off", log_config=None)
        server = await loop.create_server(lambda: Watched(config, ServerState(), {}), "127.0.0.1", 0)
        with socket.create_connection(server.sockets[0].getsockname()) as asker:
            asker.sendall(b"GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
            await asyncio.wait_for(is_lost.wait(), 100)
        server.close()
        await server.wait_closed()

    with ThreadPoolExecutor(1) as pool:  # a browser of other tests may have a loop in this thread
        pool.submit(asyncio.run, ask()).result()
