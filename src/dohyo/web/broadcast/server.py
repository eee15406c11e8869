"""The server of a broadcast: on this machine only, for whoever has its address (`dohyo.web.served.local`).

    GET /SECRET                    the page
    GET /SECRET/frame              the frame that draws the board
    GET /SECRET/events             what is told, as it happens
    GET /SECRET/files/NAME         scripts and styles of the page and the frame
    GET /SECRET/modules/...        the viewer's modules, and what draws the game

The frame has no origin, so what it loads may be read by a page without one; it has to know the secret for that.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path

from dohyo.core.game import Game
from dohyo.i18n import ENGLISH, Speaker
from dohyo.series.broadcast.programme import Programme
from dohyo.system.priority import giving_way
from dohyo.web import page as viewer
from dohyo.web.broadcast import page
from dohyo.web.broadcast.page import Addresses
from dohyo.web.broadcast.telling import Event, Telling
from dohyo.web.served.local import LocalRequest, LocalServer

LOOK = 0.1  # seconds between two looks at what is new
QUIET = 15.0  # seconds without news after which a stream shows that it is alive
MAX_KEPT = 64 << 20  # bytes that are kept of one match: later turns are not told to whoever comes later
MAX_STREAMS = 24  # of the connections: others get pages and files


class OnAir:
    """What is told since the match that is shown began; a thread asks for what is new, from `run` on."""

    def __init__(self, make: Callable[[], Programme]) -> None:
        self._make = make
        self._telling = Telling()
        self._told: list[Event] = []
        self._start = 0  # how many were told before the first of these
        self._size = 0
        self._more = threading.Condition()
        self._ends = threading.Event()
        self.error: BaseException | None = None

    def run(self) -> None:
        """Ask what is new until it is to end. What goes wrong is in `error`, and ends it."""
        try:
            with giving_way():
                self._work()
        except BaseException as error:
            self.error = error
        finally:
            self.end()

    def _work(self) -> None:
        programme = self._make()
        try:
            while not (self._ends.is_set() or programme.is_over):
                self._take(self._telling.events(programme.more()))
                self._ends.wait(LOOK)
        finally:
            programme.close()

    def end(self) -> None:
        """End it; whoever listens is told nothing more."""
        self._ends.set()
        with self._more:
            self._more.notify_all()

    @property
    def has_ended(self) -> bool:
        """Whether it has ended."""
        return self._ends.is_set()

    def after(self, place: int) -> tuple[int, list[Event]]:
        """What was told from this place on, and the place behind it; waits for some time if that is nothing."""
        with self._more:
            if place >= self._start + len(self._told) and not self._ends.is_set():
                self._more.wait(QUIET)
            place = max(place, self._start)
            found = self._told[place - self._start :]
            return place + len(found), found

    def _take(self, events: list[Event]) -> None:
        if not events:
            return
        with self._more:
            for event in events:
                if event.begins:
                    self._start += len(self._told)
                    self._told, self._size = [], 0
                self._size += len(event.data)
                if self._size <= MAX_KEPT or event.name != "turns":
                    self._told.append(event)
            self._more.notify_all()


class BroadcastServer(LocalServer):
    """Serves a broadcast's page at `address`, by `serve_forever`; `close` ends all that runs.

    `make` gives the programme, in the thread that runs it.
    """

    def __init__(self, name: str, game: Game, make: Callable[[], Programme], speaker: Speaker = ENGLISH) -> None:
        self.name, self.game = name, game
        self.air = OnAir(make)
        self.streams = threading.BoundedSemaphore(MAX_STREAMS)
        super().__init__(_Request, speaker)
        self.where = Addresses(
            f"{self.path}/files", f"{self.path}/events", f"{self.path}/frame", f"{self.path}/modules"
        )
        self.files = {f"{self.path}/files/{name}": path for name, path in page.files().items()}
        self.files |= {f"{self.path}/modules/{name}": Path(path) for name, path in viewer.modules(game).items()}
        self._thread = threading.Thread(target=self.air.run)

    def serve_forever(self, poll_interval: float = 0.5) -> None:
        """Serve, and broadcast, until it is shut down."""
        self._thread.start()
        super().serve_forever(poll_interval)

    def close(self) -> None:
        """End the broadcast and all connections, and stop listening."""
        self.air.end()
        if self._thread.ident is not None:
            self._thread.join()
        super().close()


class _Request(LocalRequest):
    """One request; its connection ends with it."""

    server: BroadcastServer

    def do_GET(self) -> None:  # noqa: N802
        """The page, its parts, or what is told."""
        server, nonce = self.server, secrets.token_urlsafe(16)
        if self.is_at(server.path):
            content = page.html(server.name, server.game, server.where, server.speaker, nonce)
            self._show(content, page.POLICY.format(nonce=nonce))
        elif self.is_at(server.where.frame):
            content = page.frame(server.game, server.where, server.speaker, nonce)
            self._show(content, page.FRAME_POLICY.format(nonce=nonce))
        elif self.is_at(server.where.events):
            self._tell()
        elif (found := next((path for name, path in server.files.items() if self.is_at(name)), None)) is not None:
            # whoever knows the secret, as the frame does, which has no origin
            self.answer(
                HTTPStatus.OK, page.KINDS[found.suffix], found.read_bytes(), {"Access-Control-Allow-Origin": "*"}
            )
        else:
            self.refuse(HTTPStatus.NOT_FOUND)

    def _show(self, content: str, policy: str) -> None:
        self.answer(HTTPStatus.OK, "text/html; charset=utf-8", content.encode(), {"Content-Security-Policy": policy})

    def _tell(self) -> None:
        """Send what is told, until the broadcast or the connection ends."""
        if not self.server.streams.acquire(blocking=False):
            self.refuse(HTTPStatus.SERVICE_UNAVAILABLE)
            return
        try:
            self.begin(HTTPStatus.OK, "text/event-stream")
            place, air = 0, self.server.air
            while not air.has_ended:
                place, found = air.after(place)
                self.wfile.write(b"".join(event.sent for event in found) or b": alive\n\n")
            self.wfile.write(Event("bye", "{}").sent)
        finally:
            self.server.streams.release()


def until_over(server: BroadcastServer) -> None:
    """Serve until it is over or interrupted; raises what has gone wrong in the broadcast."""
    serving = threading.Thread(target=server.serve_forever)
    serving.start()
    try:
        while not server.air.has_ended:
            time.sleep(LOOK)
    finally:
        server.shutdown()
        serving.join()
        server.close()
    if server.air.error is not None:
        raise server.air.error
