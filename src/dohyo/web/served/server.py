"""The server of one replay's page: on this machine only, for whoever has its address.

    GET  /SECRET             the page
    GET  /SECRET/analysis    the last analysis (a line of `dohyo.guests.analysis.worker`); 204 if there is none
    POST /SECRET/analysis    {"seconds": S}: analyse; lines of JSON while it runs, see `MatchAnalysis.run`
    POST /SECRET/replay      a replay's bytes, of a file that was dropped on the page: {"page": "/SECRET/N"}, or
                             {"none": why not}; below that page the same is found as below the first one

Theory of operation
-------------------
It listens on 127.0.0.1, where every program of this machine can connect, of other users too, and every page that is
open in a browser here can try to. So:

* The address holds a secret of 128 bits, made anew at each start. The page has no links, and no referrer.
* `Host` must be ours. A stranger's site whose name turns into 127.0.0.1 (DNS rebinding) has its own name there.
* `Origin` must be ours where something is started. No page of another origin may read anything: we never say so.
* The page's own policy forbids what it does not need; ours adds that nobody may show it in a frame.
* A request is small, is read in bounded time, and there are so many at once. One analysis of a match runs, of bounded
  length. A replay may be larger; one is read at a time, and few stay.

Leaving the page ends its connection, and with it the analysis that was asked for there.
"""

from __future__ import annotations

import io
import re
import secrets
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer
from socketserver import TCPServer, ThreadingMixIn
from typing import Any, NamedTuple

import msgspec

from dohyo import clean, doors
from dohyo.core.errors import OperatorError
from dohyo.core.replay import Replay
from dohyo.core.replay_format import decode
from dohyo.i18n import ENGLISH, Speaker
from dohyo.web import page
from dohyo.web.served.running import BusyError, MatchAnalysis

HERE = "127.0.0.1"
SHORTEST, LONGEST = 1.0, 600.0  # seconds of an analysis
MAX_CONNECTIONS = 32
MAX_BYTES = 200  # of what a request carries
MAX_REPLAY = 1 << 26  # bytes of a replay that is opened
MAX_OPENED = 8  # replays beside the first one
MAX_KEPT = (
    1 << 28
)  # bytes of them and of their pages: a small file may hold very much; the last one stays in any case
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


class AnalysisRequest(msgspec.Struct, forbid_unknown_fields=True):
    """What the button asks for."""

    seconds: float


class _Shown(NamedTuple):
    """A match's page, and what analyses it."""

    page: bytes
    analysis: MatchAnalysis | None

    @property
    def size(self) -> int:
        """How many bytes are kept for it."""
        return len(self.page) + (0 if self.analysis is None else self.analysis.size)


class PageServer(ThreadingMixIn, HTTPServer):
    """Serves a replay's page at `address`, by `serve_forever`; `close` ends all that runs.

    Raises `OperatorError` if the replay's game is not installed, `ReplayError` if it contradicts the rules.
    """

    daemon_threads = False  # so that closing waits for them

    def __init__(self, replay: Replay, speaker: Speaker = ENGLISH, playouts: int | None = None) -> None:
        self.speaker = speaker
        self._playouts = playouts
        self.page, self.analysis = self._shown(replay)
        self._opened: dict[str, _Shown] = {}  # by path
        self._numbers = 0
        self._opening = threading.Lock()
        self._room = threading.BoundedSemaphore(MAX_CONNECTIONS)
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        super().__init__((HERE, 0), _Request)
        self.path = f"/{secrets.token_urlsafe(16)}"
        self.hosts = tuple(f"{name}:{self.server_port}" for name in (HERE, "localhost"))
        self.address = f"http://{self.hosts[0]}{self.path}"

    def _shown(self, replay: Replay) -> _Shown:
        worker = doors.brought("analyses").get("match")
        analysis = None if worker is None else MatchAnalysis(worker, replay, self.speaker, self._playouts)
        return _Shown(page.html(replay, self.speaker, served=self._button(analysis)).encode(), analysis)

    def _button(self, analysis: MatchAnalysis | None) -> dict[str, str] | None:
        """What the page shows at the button for an analysis; none without one."""
        if analysis is None:
            return None
        return {"note": "" if analysis.compiled else self.speaker.say("analysis.plain")}

    def shown(self) -> dict[str, _Shown]:
        """Every page that there is, by its path."""
        return {self.path: _Shown(self.page, self.analysis), **self._opened}

    def open(self, read: Callable[[], bytes]) -> str:
        """Make a page of a replay that is `read`, beside the others; its path. One is read at a time.

        Where there are many, the one that was opened first goes. Raises `OperatorError` and `ReplayError` where it
        cannot be shown.
        """
        with self._opening:
            found = self._shown(decode(read()))
            self._numbers += 1
            path = f"{self.path}/{self._numbers}"
            left = list(self._opened.items())[1 - MAX_OPENED :]
            while left and found.size + sum(one.size for _, one in left) > MAX_KEPT:
                left.pop(0)
            for old in [one for other, one in self._opened.items() if other not in dict(left)]:
                if old.analysis is not None:
                    old.analysis.close()
            self._opened = {**dict(left), path: found}
        return path

    def server_bind(self) -> None:
        """Take a free port. Unlike the library, ask no name server what this machine is called."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment]

    def close(self) -> None:
        """End the analysis and all connections, and stop listening."""
        for shown in self.shown().values():
            if shown.analysis is not None:
                shown.analysis.close()
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
        """Print the traceback of a defect of ours, which may quote what strangers wrote."""
        import traceback

        sys.stderr.write(clean.block(traceback.format_exc()))


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


class _Request(BaseHTTPRequestHandler):
    """One request; its connection ends with it."""

    server: PageServer
    timeout = PATIENCE  # for each part of an answer
    _begun = False  # whether the answer's first line was sent

    def setup(self) -> None:
        """Begin to read, for a bounded time."""
        super().setup()
        self.rfile.close()
        self.rfile = io.BufferedReader(_Incoming(self.connection, PATIENCE))

    def do_GET(self) -> None:
        """The page, or the last analysis."""
        shown = self.server.shown()
        if (found := next((one for path, one in shown.items() if self._is_at(path)), None)) is not None:
            self._answer(HTTPStatus.OK, "text/html; charset=utf-8", found.page)
        elif (analysis := self._analysis()) is not None:
            told = analysis.found
            self._answer(HTTPStatus.OK if told else HTTPStatus.NO_CONTENT, "application/json", told)
        else:
            self._refuse(HTTPStatus.NOT_FOUND)

    def do_POST(self) -> None:
        """Analyse a match, or open one."""
        is_replay = self._is_at(f"{self.server.path}/replay")
        if (analysis := self._analysis()) is None and not is_replay:
            self._refuse(HTTPStatus.NOT_FOUND)
        elif self.headers.get_all("Origin") != [f"http://{self.headers['Host']}"]:
            self._refuse(HTTPStatus.FORBIDDEN)
        elif analysis is None:
            self._open()
        elif (seconds := self._seconds()) is None:
            self._refuse(HTTPStatus.BAD_REQUEST)
        else:
            try:
                analysis.run(seconds, self.connection, self._tell)
            except BusyError:
                told = {"none": self.server.speaker.say("served-busy")}
                self._answer(HTTPStatus.CONFLICT, "application/json", msgspec.json.encode(told))

    def _analysis(self) -> MatchAnalysis | None:
        """The analysis that the request's path means; none if it means none."""
        known = self.server.shown().items()
        return next((one.analysis for path, one in known if self._is_at(f"{path}/analysis")), None)

    def _open(self) -> None:
        """Make a page of the replay that comes, and say where it is."""
        length = self.headers["Content-Length"] or ""
        is_binary = self.headers.get_content_type() == "application/octet-stream"
        if not is_binary or not re.fullmatch(r"[0-9]{1,9}", length) or int(length) > MAX_REPLAY:
            told = {"none": self.server.speaker.say("served-no-replay")}
            self._answer(HTTPStatus.BAD_REQUEST, "application/json", msgspec.json.encode(told))
            return
        try:
            path = self.server.open(lambda: self.rfile.read(int(length)))
        except OperatorError as error:
            told = {"none": error.say(self.server.speaker)}
            self._answer(HTTPStatus.UNPROCESSABLE_ENTITY, "application/json", msgspec.json.encode(told))
            return
        self._answer(HTTPStatus.OK, "application/json", msgspec.json.encode({"page": path}))

    def _is_at(self, path: str) -> bool:
        """Whether this is the request's path, and its host is us; takes the same time for each secret."""
        hosts = self.headers.get_all("Host") or []
        ours = len(hosts) == 1 and hosts[0] in self.server.hosts
        return secrets.compare_digest(self.path.encode("utf-8", "replace"), path.encode()) and ours

    def _seconds(self) -> float | None:
        """How long to analyse, as the request says; none if it says nothing that can be done."""
        length = self.headers["Content-Length"] or ""
        if self.headers.get_content_type() != "application/json" or not re.fullmatch(r"[0-9]{1,3}", length):
            return None
        if int(length) > MAX_BYTES:
            return None
        try:
            seconds = msgspec.json.decode(self.rfile.read(int(length)), type=AnalysisRequest).seconds
        except msgspec.MsgspecError:
            return None
        return seconds if SHORTEST <= seconds <= LONGEST else None

    def _tell(self, line: bytes) -> None:
        """Send a line while the analysis runs."""
        if not self._begun:
            self._begin(HTTPStatus.OK, "application/x-ndjson")
        self.wfile.write(line)

    def _answer(self, status: HTTPStatus, kind: str, content: bytes) -> None:
        self._begin(status, kind, len(content))
        for at in range(0, len(content), AT_ONCE):
            self.wfile.write(content[at : at + AT_ONCE])

    def _begin(self, status: HTTPStatus, kind: str, length: int | None = None) -> None:
        """Send what comes before the answer; without a `length`, it ends with the connection."""
        self._begun = True
        self.send_response(status)
        told = {"Content-Type": kind, **HEADERS, "Connection": "close"}
        for name, value in (told if length is None else told | {"Content-Length": str(length)}).items():
            self.send_header(name, value)
        self.end_headers()

    def _refuse(self, status: HTTPStatus) -> None:
        """Say nothing of what there is, only where the whole address stands."""
        self._answer(status, "text/plain; charset=utf-8", self.server.speaker.say("served-refused").encode())

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse what the library could not read, without repeating any of it."""
        self._refuse(HTTPStatus(code))

    def version_string(self) -> str:
        """Who answers."""
        return "Dohyo"

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002
        """The terminal is not for this."""
