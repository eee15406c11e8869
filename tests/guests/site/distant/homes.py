"""A ladder for bots that stay at home, tokens for them, and bots that speak the protocol by hand."""

from __future__ import annotations

import json
import os
import queue
import re
import select
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from dohyo.core.replay import Replay
from dohyo.core.replay_format import decode
from dohyo.series.store import open_store
from dohyo.system import websocket
from dohyo.system.websocket import Frames
from tests.guests.site.conftest import PATIENCE, RunningSite, Visitor, new_ladder

BOT = """
import sys
seen = []
for line in sys.stdin:
    seen.append(line)
    if line.startswith("legal"):
        print(line.split()[1 + len(seen) % (len(line.split()) - 1)], flush=True)
"""
REQUEST = (
    "GET /connect HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: {}\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def marked_ladder(organiser: Visitor, game: str = "connectx", title: str = "From afar") -> str:
    """A ladder that takes bots which stay at home; its name in addresses."""
    slug = new_ladder(organiser, game, title)
    answer = organiser.post(f"/ladders/{slug}/organise", {"do": "distant", "taken": "yes"})
    assert answer.status_code == 303, answer.text
    return slug


def token_to_play(visitor: Visitor, *scopes: str) -> str:
    """A token of somebody's that may play from afar, and what else is said."""
    fields = {"name": "home", "until": _until(visitor), **dict.fromkeys(("play-distant", *scopes), "yes")}
    page = visitor.post("/tokens", fields)
    found = re.search(r"dohyo_[A-Za-z0-9_-]{20,}", page.text)
    assert found is not None, page.text
    return found[0]


def _until(visitor: Visitor) -> str:
    found = re.search(r'name="until" value="([0-9-]+)"', visitor.get("/tokens").text)
    assert found is not None
    return found[1]


class ByHand:
    """A connection to a site, as some program of a stranger's makes it."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.socket = socket.create_connection((parts.hostname or "", parts.port or 80), timeout=PATIENCE)
        self._frames = Frames(4 << 20, from_client=False)
        self._events: list[websocket.Event] = []
        key = websocket.new_key()
        self.socket.sendall(REQUEST.format(parts.netloc, key).encode())
        head = b""
        while b"\r\n\r\n" not in head:
            content = self.socket.recv(1)
            if not content:
                break
            head += content
        self.status = int(head.split(b" ")[1]) if head else 0

    def hello(self, token: str, ladder: str, bot: str, **more: Any) -> None:
        """Say who it is."""
        self.say({"type": "hello", "token": token, "ladder": ladder, "bot": bot, **more})

    def say(self, message: dict[str, Any]) -> None:
        """Send a message."""
        self.send(websocket.TEXT, json.dumps(message).encode())

    def send(self, kind: int, content: bytes = b"") -> None:
        """Send a frame."""
        self.socket.sendall(websocket.frame(kind, content, masked=True))

    def next(self, pongs: bool = True, seconds: float = PATIENCE) -> dict[str, Any]:
        """The next message; of an end its code and reason, and {} of a connection that is cut."""
        end = monotonic() + seconds
        while True:
            while self._events:
                event = self._events.pop(0)
                if event.kind == websocket.TEXT:
                    return dict(json.loads(event.content))
                if event.kind == websocket.CLOSE:
                    return {"type": "closed", "code": event.code, "why": event.text}
                if event.kind == websocket.PING and pongs:
                    self.send(websocket.PONG, event.content)
            if not select.select([self.socket], [], [], max(0.0, end - monotonic()))[0]:
                raise AssertionError("nothing came")
            try:
                content = self.socket.recv(1 << 16)
            except ConnectionError:
                content = b""
            if not content:
                return {}
            self._events += self._frames.feed(content)

    def await_type(self, *types: str) -> dict[str, Any]:
        """The next message of one of these types."""
        seen = []
        while (said := self.next()).get("type") not in types:
            seen.append(said)
            assert said, f"the connection was cut after {seen}"
        return said

    def close(self) -> None:
        """Leave in good order, if it is open still: then nobody waits for this bot."""
        with suppress(OSError):
            self.send(websocket.CLOSE, (1000).to_bytes(2, "big"))
        self.socket.close()


def results_of(arena: RunningSite, ladder: str, bot: str) -> list[tuple[int, int, tuple[str, ...]]]:
    """The matches of a bot that were played: their numbers, its seat, and the kinds of its faults."""
    with open_store(str(arena.folder / "arena.db")) as store:
        contest = store.contest(ladder).id
        numbers = {each.number for each in store.entrants(contest) if each.name == bot}
        found = []
        for result in store.played(contest):
            for seat, entrant in enumerate(result.fixture.seats):
                if entrant in numbers:
                    found.append((result.fixture.number, seat, result.faults[seat] if result.faults else ()))
    return found


def replay_of(visitor: Visitor, ladder: str, number: int) -> Replay:
    """The replay of a match, as its page gives it."""
    return decode(visitor.get(f"/api/v1/ladders/{ladder}/matches/{number}/replay").content)


def legal(text: str) -> list[str]:
    """The actions that a one-file game's input names."""
    return text.splitlines()[-1].split()[1:]


class Connected:
    """`dohyo connect`, in a process of its own."""

    def __init__(self, folder: Path, url: str, token: str, ladder: str, bot: str, *words: str) -> None:
        kept = {name: value for name, value in os.environ.items() if name not in ("DOHYO_SITE", "DOHYO_TOKEN")}
        command = [sys.executable, "-m", "dohyo", "connect", "--server", url, "--token", token, *words, ladder, bot]
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env={**kept, "DOHYO_LANG": "en"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines: list[str] = []
        self._coming: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._coming.put(line.rstrip())
        self._coming.put("")

    def until(self, *wanted: str) -> str:
        """Read what it prints until a line has one of these in it; that line."""
        with suppress(queue.Empty):
            while line := self._coming.get(timeout=PATIENCE):
                self.lines.append(line)
                if any(each in line for each in wanted):
                    return line
        raise AssertionError("\n".join([*self.lines, f"no more of it, and not {wanted}"]))

    def stop(self, number: int) -> int:
        """Send it a signal, and wait for its end; its exit status."""
        self.process.send_signal(number)
        status = self.process.wait(PATIENCE)
        self._reader.join()
        while line := self._coming.get():
            self.lines.append(line)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return status
