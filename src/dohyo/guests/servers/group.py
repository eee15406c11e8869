"""Players that are servers: each is sent a request for every turn, and its response has the action.

Theory of operation
-------------------
The servers of a turn are asked side by side, each by a thread of its own, over a connection that is kept between the
turns. A turn's time is what a watch shows from before the request is sent until its response is read whole: so it is
by every clock, because nobody here can tell what a server's processor does. When the time is over, the connection is
cut, and the next turn makes a new one.

What comes back is a stranger's: it is read up to `MAX_BYTES` (with its head up to `MAX_SENT`), redirections are not
followed, and nothing but the game's own protocol looks at it. A server that is out of reach has a fault (`closed`)
and is asked again in its next turn, if the rules let it play on.
"""

from __future__ import annotations

import http.client
import io
import socket
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import msgspec

from dohyo.core.faults import KEPT, Fault, FaultCode, FaultKind
from dohyo.core.http_messages import HttpAnswer, HttpProtocol, Kind
from dohyo.core.referee import Answer
from dohyo.guests.servers.http_addresses import connect
from dohyo.guests.servers.messages import METHOD, new_match, request
from dohyo.guests.servers.telling import ToServers
from dohyo.i18n import Message
from dohyo.match import verdict
from dohyo.match.players.player import Group, MatchContext

MAX_BYTES = 65_536  # of a response
MAX_SENT = 4 * MAX_BYTES  # of all that comes as one response: its head too, and what leads up to it
FAREWELL = 0.5  # seconds for all servers to take the end of a match
PIECE = 8192
QUICKACK: int | None = getattr(socket, "TCP_QUICKACK", None)  # Linux has it


class Response(msgspec.Struct):
    """What came of a request: the response's bytes, or why there is none; and how many seconds it took."""

    body: bytes = b""
    fault: Fault | None = None
    seconds: float = 0.0


class TooLongError(http.client.HTTPException):
    """More came as one response than anybody reads."""


class BoundedBytes(io.RawIOBase):
    """What comes from a socket as one response. Raises `TooLongError` at its bound."""

    def __init__(self, inner: io.RawIOBase) -> None:
        """`inner` are the socket's bytes, and are closed with these."""
        self._inner, self._left = inner, MAX_SENT

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int | None:
        """Read bytes into a buffer, while the bounds allow it; how many, 0 at the end."""
        count = self._inner.readinto(buffer)
        self._left -= count or 0
        if self._left < 0:
            raise TooLongError
        return count

    def close(self) -> None:
        """Close the socket's too."""
        self._inner.close()
        super().close()


class BoundedResponse(http.client.HTTPResponse):
    """A response without an end would keep this process busy, and with it all that wait for others."""

    def __init__(self, *words: Any, **more: Any) -> None:
        """As the library's."""
        super().__init__(*words, **more)
        self.fp = io.BufferedReader(BoundedBytes(self.fp.detach()))


class Server:
    """One server, and the connection to it."""

    def __init__(self, url: str) -> None:
        """`url` is its address; messages go to paths below it."""
        parts = urlsplit(url)
        self._url = url
        self._is_secure = parts.scheme == "https"
        self._host, self._port, self._path = parts.hostname or "", parts.port, parts.path.rstrip("/")
        self._connection: http.client.HTTPConnection | None = None
        self._socket: socket.socket | None = None  # the connection lets go of its own before a last response is read

    def request(self, path: str, body: bytes, begun: float, end: float) -> Response:
        """Send it, and read the response until `end` at most, on the clock on which it was `begun`.

        `cut` ends that from another thread.
        """
        response = Response()
        try:
            response.body, response.fault = self._exchange(path, body, end)
        except TimeoutError:
            response.fault = no_response(self._url)
        except (OSError, UnicodeError) as error:  # the last of a name that no host can have
            response.fault = self._why_broken(error)
        except TooLongError:
            response.fault = _malformed(FaultCode.RESPONSE_TOO_LONG, size=MAX_BYTES)
        except http.client.IncompleteRead as error:  # in the middle of a response that comes in chunks
            response.fault = self._closed(FaultCode.BROKEN_OFF, reason=str(error))
        except http.client.BadStatusLine as error:
            response.fault = self._closed(FaultCode.NOT_HTTP, written=repr(str(error)[:KEPT].strip()))
        except http.client.HTTPException as error:
            written = f"{type(error).__name__} {str(error)[:KEPT]!r}"  # it has what the server wrote
            response.fault = self._closed(FaultCode.NOT_HTTP, written=written)
        response.seconds = time.monotonic() - begun
        if response.fault is not None:
            self.cut()
        return response

    def _why_broken(self, error: OSError | UnicodeError) -> Fault:
        """The fault that an error of the connection is: it was never made, or has ended."""
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        if self._socket is not None:
            return self._closed(FaultCode.BROKEN_OFF, reason=reason)
        if self._is_secure and (name := getattr(error, "reason", "")) and isinstance(name, str):
            return self._closed(FaultCode.NOT_SECURE, reason=name)
        return self._closed(FaultCode.NO_CONNECTION, reason=reason)

    def _closed(self, code: FaultCode, **told: str) -> Fault:
        """The fault of a server that is out of reach, or does not speak HTTP, with what it or the system said."""
        return Fault(
            FaultKind.NO_CONNECTION, code, {"url": self._url, **{key: text[:KEPT] for key, text in told.items()}}
        )

    def _exchange(self, path: str, body: bytes, end: float) -> tuple[bytes, Fault | None]:
        is_old = self._connection is not None
        try:
            return self._once(path, body, end)
        except (ConnectionError, http.client.BadStatusLine, http.client.CannotSendRequest):
            if not is_old:  # the server may have closed a connection that was kept since the last turn
                raise
            self.cut()
            return self._once(path, body, end)

    def _once(self, path: str, body: bytes, end: float) -> tuple[bytes, Fault | None]:
        connection, wire = self._connected(end)
        wire.settimeout(_left(end))
        headers = {"Content-Type": "application/json", "User-Agent": "dohyo"}
        connection.request(METHOD, self._path + path, body, headers)
        if QUICKACK is not None:  # otherwise a response in two pieces takes 40 ms, in which nobody thinks
            wire.setsockopt(socket.IPPROTO_TCP, QUICKACK, 1)
        found = connection.getresponse()
        read = bytearray()
        while piece := found.read1(PIECE):
            read += piece
            if len(read) > MAX_BYTES:
                return b"", _malformed(FaultCode.RESPONSE_TOO_LONG, size=MAX_BYTES)
            left = _left(end)
            if wire.fileno() >= 0:  # it is closed when the last piece was read of a response that ends it
                wire.settimeout(left)
        found.close()  # by itself it does not notice that it was read whole
        if found.will_close:
            self.cut()
        if found.status != http.client.OK:
            named = http.client.responses.get(found.status, "")  # what the server calls it, is a stranger's
            status = f"{found.status} ({named})" if named else str(found.status)
            return b"", _malformed(FaultCode.BAD_STATUS, url=f"{self._url}{path}", status=status)
        return bytes(read), None

    def _connected(self, end: float) -> tuple[http.client.HTTPConnection, socket.socket]:
        """The connection that was kept, or a new one; and its socket."""
        connection, wire = self._connection, self._socket
        if connection is None or wire is None:
            kind = http.client.HTTPSConnection if self._is_secure else http.client.HTTPConnection
            self._connection = connection = kind(self._host, self._port, timeout=_left(end))
            connection.response_class = BoundedResponse
            connection._create_connection = connect  # type: ignore[attr-defined]  # the library's seam for this
            connection.connect()
            self._socket = wire = connection.sock
            wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection, wire

    def cut(self) -> None:
        """End the connection, whoever waits for it."""
        connection, self._connection = self._connection, None
        wire, self._socket = self._socket, None
        if wire is None and connection is not None:
            wire = connection.sock  # it is being made
        if wire is not None:
            with suppress(OSError):
                wire.shutdown(socket.SHUT_RDWR)
        if connection is not None:
            connection.close()


class HttpPlayers(Group):
    """The servers of a match, by seat."""

    def __init__(self, urls: Mapping[int, str], context: MatchContext) -> None:
        """`urls` are their addresses."""
        self.seats = frozenset(urls)
        self._servers = {seat: Server(url) for seat, url in sorted(urls.items())}
        self._playing: list[int] = []  # those that could be reached before the match
        referee, clock = context.referee, context.clock
        self._referee, self._clock, self._signals = referee, clock, context.signals
        self._protocol: HttpProtocol | None = None if referee.game.http is None else referee.game.http()
        told = None if context.told is None else context.told.telling(min(urls))
        self._is_recorded = isinstance(told, ToServers)
        self._match = (
            told.match
            if isinstance(told, ToServers)
            else new_match(referee.game.name, referee.seed, referee.setup, clock, referee.seats)
        )
        self._urls = dict(urls)

    def await_ready(self) -> dict[int, Answer]:
        """Tell all that the match begins; an answer with the fault for each that is out of reach.

        Whatever they answer, and whether in time, does not matter: many have no such page, or are slow at first.
        """
        if self._protocol is None:
            fault = verdict.not_started(Message("detail.no-server-plays"))
            return {seat: Answer(None, (fault,)) for seat in self._servers}
        told = self._exchange("start", dict.fromkeys(self._servers, self._clock.ready))
        faults = {seat: one.fault for seat, one in told.items()}
        failed = {
            seat: Answer(None, (fault,))
            for seat, fault in faults.items()
            if fault is not None and fault.kind is FaultKind.NO_CONNECTION
        }
        self._playing = [seat for seat in self._servers if seat not in failed]
        return failed

    def ask(
        self, seats: Sequence[int], limits: Mapping[int, float], behind: Mapping[int, float]
    ) -> dict[int, Answer]:
        """The answers of these seats, each within its limit in seconds, whatever the server waits for."""
        found = self._exchange("move", {seat: limits[seat] for seat in seats})
        return {seat: self._answer(seat, one) for seat, one in found.items()}

    def say_farewell(self) -> dict[int, Answer]:
        """Tell all that were in it that the match is over; what they answer is not read."""
        if self._protocol is not None:
            self._exchange("end", dict.fromkeys(self._playing, FAREWELL))
        return {}

    def stop_all(self) -> dict[int, Answer]:
        """End all connections."""
        for server in self._servers.values():
            server.cut()
        return {}

    def _answer(self, seat: int, response: Response) -> Answer:
        came = response.fault is None or response.fault.kind is FaultKind.MALFORMED
        seconds = round(response.seconds, 6)
        said, fault = None, response.fault
        if fault is None:
            said = self._read(response.body)
            if said is None:
                fault = bad_response(response.body)
        if not self._is_recorded:  # as from the replay later, which has these seconds and this shout
            self._match.note(seat, seconds if came else None, "" if said is None else said.shout)
        if said is None or fault is not None:
            return Answer(None, () if fault is None else (fault,), seconds)
        answer = Answer(said.action.split("\n")[0], (), seconds)
        answer.comments = said.shout
        return answer

    def _read(self, body: bytes) -> HttpAnswer | None:
        assert self._protocol is not None
        try:
            return self._protocol.answer(msgspec.json.decode(body))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None

    def _exchange(self, kind: Kind, limits: Mapping[int, float]) -> dict[int, Response]:
        """One request to each of these seats, all at once; their responses, or late ones."""
        assert self._protocol is not None
        state = self._referee.state
        messages = {seat: request(self._protocol, kind, state, seat, self._match) for seat in limits}
        asked: dict[int, Future[Response]] = {}
        begun: dict[int, float] = {}
        for seat, (path, sent) in messages.items():
            begun[seat] = time.monotonic()
            asked[seat] = _begun(self._servers[seat], path, sent, begun[seat], begun[seat] + limits[seat])
        cut = self._wait(asked, {seat: begun[seat] + limit for seat, limit in limits.items()})
        found = {}
        for seat, one in asked.items():  # what a request says that was cut, is of no interest
            took = time.monotonic() - begun[seat]
            late = no_response(self._urls[seat])
            found[seat] = Response(fault=late, seconds=took) if seat in cut else one.result()
            if found[seat].fault is None and found[seat].seconds >= limits[seat]:
                found[seat].fault = no_response(self._urls[seat], came=True)
        return found

    def _wait(self, asked: Mapping[int, Future[Any]], ends: Mapping[int, float]) -> set[int]:
        """Wait until each has answered, or its time is over; the seats whose connections were cut because of that."""
        waiting, cut = dict(asked), set()
        self._signals.open()
        try:
            while waiting:
                seat = min(waiting, key=lambda seat: ends[seat])
                wait([waiting[seat]], timeout=max(0.0, ends[seat] - time.monotonic()))
                if not waiting.pop(seat).done():
                    cut.add(seat)
                    self._servers[seat].cut()
                    self._servers[seat] = Server(self._urls[seat])  # the old one ends by itself
        finally:
            self._signals.shut()
        return cut


def _begun(server: Server, path: str, body: bytes, begun: float, end: float) -> Future[Response]:
    """A request in a thread of its own, which nobody waits for at the end: looking up a name may take long."""
    response: Future[Response] = Future()

    def request() -> None:
        try:
            response.set_result(server.request(path, body, begun, end))
        except BaseException as error:
            response.set_exception(error)

    threading.Thread(target=request, name="http-player", daemon=True).start()
    return response


def _left(end: float) -> float:
    """Seconds until then. Raises `TimeoutError` when that is past."""
    left = end - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def no_response(url: str, came: bool = False) -> Fault:
    """The fault of a server whose response was not there in time, or that `came` too late."""
    return Fault(FaultKind.TIMEOUT, FaultCode.RESPONSE_LATE if came else FaultCode.NO_RESPONSE, {"url": url})


def _malformed(code: FaultCode, **told: str | int) -> Fault:
    """The fault of a server whose response is no answer."""
    return Fault(FaultKind.MALFORMED, code, told)


def bad_response(body: bytes) -> Fault:
    """The fault of a server whose response says no action."""
    if not body:
        return _malformed(FaultCode.RESPONSE_EMPTY)
    return _malformed(FaultCode.BAD_RESPONSE, written=body[:KEPT].decode("utf-8", "backslashreplace"))
