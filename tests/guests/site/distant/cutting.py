"""A way to a site that a test has in its hand: it takes time, is cut, or stands still."""

from __future__ import annotations

import asyncio
import socket
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

LINGER = struct.pack("ii", 1, 0)  # a socket that is closed so sends no orderly end


class CuttingProxy:
    """Hands bytes on between whoever connects and a site; a context manager.

    `delay` are seconds for each way. `on_client` sees what comes from the client's end, `on_site` what comes from the
    site's, before it is handed on; they may call `cut`.
    """

    def __init__(self, site: str, delay: float = 0.0) -> None:
        self.aim(site)
        self.delay = delay
        self.is_blocked = False  # nobody gets through, and nobody is refused
        self.cuts = 0
        self.connections = 0
        self.on_client: Callable[[bytes], None] = lambda content: None
        self.on_site: Callable[[bytes], None] = lambda content: None
        self._open: set[asyncio.StreamWriter] = set()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self._loop = asyncio.new_event_loop()
        self._begun = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def aim(self, site: str) -> None:
        """From now on hand on to this site."""
        parts = urlsplit(site)
        self._target = parts.hostname, parts.port

    def __enter__(self) -> CuttingProxy:
        self._thread.start()
        self._begun.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        self._end = asyncio.Event()
        server = await asyncio.start_server(self._take, sock=self._listening)
        self._begun.set()
        await self._end.wait()
        server.close()
        self._cut()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def cut(self) -> None:
        """Cut all connections, without an orderly end, from whichever thread."""
        if threading.current_thread() is self._thread:
            self._cut()
        else:
            done = threading.Event()
            self._loop.call_soon_threadsafe(lambda: (self._cut(), done.set()))
            done.wait()

    def _cut(self) -> None:
        self.cuts += bool(self._open)
        for writer in self._open:
            found: Any = writer.get_extra_info("socket")
            with suppress(OSError):
                found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER)
            writer.transport.abort()
        self._open.clear()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self._open.add(writer)
        with suppress(OSError, asyncio.CancelledError):
            there_reader, there = await asyncio.open_connection(*self._target)
            self._open.add(there)
            ways = self._hand_on(reader, there, "on_client"), self._hand_on(there_reader, writer, "on_site")
            await asyncio.gather(*ways)

    async def _hand_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, told: str) -> None:
        """Hand bytes on in order, each after the delay."""
        due: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def write() -> None:
            while True:
                at, content = await due.get()
                await asyncio.sleep(max(0.0, at - self._loop.time()))
                getattr(self, told)(content)
                if writer not in self._open:
                    return
                if not content:
                    writer.close()
                    return
                writer.write(content)

        writing = self._loop.create_task(write())
        with suppress(OSError):
            while content := await reader.read(1 << 16):
                due.put_nowait((self._loop.time() + self.delay, content))
        due.put_nowait((self._loop.time() + self.delay, b""))
        with suppress(OSError):
            await writing
