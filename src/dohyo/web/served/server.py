"""The server of one replay's page: on this machine only, for whoever has its address.

    GET  /SECRET             the page
    GET  /SECRET/analysis    the last analysis (a line of `dohyo.guests.analysis.worker`); 204 if there is none
    POST /SECRET/analysis    {"seconds": S}: analyse; lines of JSON while it runs, see `MatchAnalysis.run`
    POST /SECRET/replay      a replay's bytes, of a file that was dropped on the page: {"page": "/SECRET/N"}, or
                             {"none": why not}; below that page the same is found as below the first one
    POST /SECRET/from        play on from a turn, and matches that are played so: see `playing.py`

Who may ask at all, `local.py` says. Beside that, the page's own policy forbids what it does not need; ours adds that
nobody may show it in a frame. One analysis of a match runs, of bounded length. A replay may be larger; one is read at
a time, and few stay.

Leaving the page ends its connection, and with it the analysis that was asked for there.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, NamedTuple

import msgspec

from dohyo import doors
from dohyo.core.errors import OperatorError
from dohyo.core.replay import Replay
from dohyo.core.replay_format import decode, encode
from dohyo.i18n import ENGLISH, Speaker
from dohyo.match import own_games
from dohyo.match.people import wishes
from dohyo.match.people.desk import person_kind
from dohyo.web import page
from dohyo.web.served.local import LocalRequest, LocalServer
from dohyo.web.served.playing import From, Keep, Tables, forget
from dohyo.web.served.running import BusyError, MatchAnalysis

SHORTEST, LONGEST = 1.0, 600.0  # seconds of an analysis
MAX_BYTES = 200  # of what a request carries
MAX_REPLAY = 1 << 26  # bytes of a replay that is opened
MAX_OPENED = 8  # replays beside the first one
# Bytes of them and of their pages: a small file may hold very much; the last one stays in any case.
MAX_KEPT = 1 << 28


class AnalysisRequest(msgspec.Struct, forbid_unknown_fields=True):
    """What the button asks for."""

    seconds: float


class _Shown(NamedTuple):
    """A match's page, what analyses it, and the match, as bytes: an open one is much larger."""

    page: bytes
    analysis: MatchAnalysis | None
    match: bytes

    @property
    def size(self) -> int:
        """How many bytes are kept for it."""
        return len(self.page) + len(self.match) + (0 if self.analysis is None else self.analysis.size)


class PageServer(LocalServer):
    """Serves a replay's page at `address`, by `serve_forever`; `close` ends all that runs.

    Without a replay there is none at first. `known` are bots that the operator has named, by what pages call them.
    Raises `OperatorError` if the replay's game is not installed, `ReplayError` if it contradicts the rules.
    """

    def __init__(
        self,
        replay: Replay | None,
        speaker: Speaker = ENGLISH,
        playouts: int | None = None,
        known: Mapping[str, Any] = {},
        keep: Keep = forget,
    ) -> None:
        self.speaker = speaker
        self._playouts = playouts
        self.known = dict(known)
        self._first: _Shown | None = None
        self._opened: dict[str, _Shown] = {}  # by path
        self._numbers = 0
        self._opening = threading.Lock()
        super().__init__(_Request, speaker)
        self.tables = Tables(f"{self.path}/play", speaker, lambda played: self.open(lambda: encode(played)), keep)
        try:
            self._first = None if replay is None else self._shown(replay)
        except OperatorError:
            self.close()
            raise

    def _shown(self, replay: Replay) -> _Shown:
        worker = doors.brought("analyses").get("match")
        analysis = None if worker is None else MatchAnalysis(worker, replay, self.speaker, self._playouts)
        served = self._button(analysis) | self._onward(replay)
        return _Shown(page.html(replay, self.speaker, served=served).encode(), analysis, encode(replay))

    def _button(self, analysis: MatchAnalysis | None) -> dict[str, Any]:
        """What the page shows at the button for an analysis; nothing without one."""
        if analysis is None:
            return {}
        return {"note": "" if analysis.compiled else self.speaker.say("analysis.plain")}

    def _onward(self, replay: Replay) -> dict[str, Any]:
        """Against whom the page may play on from a turn, and the word for a person; nothing where nobody can."""
        game = own_games.find(replay.header.game)
        bots = [*self.known, *(name for name in self.tables.bots(game) if name not in self.known)]
        person = person_kind()
        return {"bots": bots, "person": person} if person and bots else {}

    @property
    def page(self) -> bytes:
        """The first replay's page."""
        return b"" if self._first is None else self._first.page

    @property
    def analysis(self) -> MatchAnalysis | None:
        """What analyses the first match."""
        return None if self._first is None else self._first.analysis

    def shown(self) -> dict[str, _Shown]:
        """Every replay's page that there is, by its path."""
        return ({} if self._first is None else {self.path: self._first}) | self._opened

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

    def close(self) -> None:
        """End what is played, the analyses and all connections, and stop listening."""
        self.tables.close()
        for shown in self.shown().values():
            if shown.analysis is not None:
                shown.analysis.close()
        super().close()


class _Request(LocalRequest):
    """One request; its connection ends with it."""

    server: PageServer

    def do_GET(self) -> None:  # noqa: N802
        """The page, or the last analysis."""
        shown = self.server.shown()
        if (table := self.server.tables.page(self.is_at)) is not None:
            self.answer(HTTPStatus.OK, "text/html; charset=utf-8", table)
        elif (found := next((one for path, one in shown.items() if self.is_at(path)), None)) is not None:
            self.answer(HTTPStatus.OK, "text/html; charset=utf-8", found.page)
        elif (analysis := self._analysis()) is not None:
            told = analysis.found
            self.answer(HTTPStatus.OK if told else HTTPStatus.NO_CONTENT, "application/json", told)
        else:
            self.refuse(HTTPStatus.NOT_FOUND)

    def do_POST(self) -> None:  # noqa: N802
        """Analyse a match, or open one."""
        is_replay = self.is_at(f"{self.server.path}/replay")
        match = next((one for path, one in self.server.shown().items() if self.is_at(f"{path}/from")), None)
        is_play = match is not None or self.server.tables.page(self.is_at) is not None
        if (analysis := self._analysis()) is None and not is_replay and not is_play:
            self.refuse(HTTPStatus.NOT_FOUND)
        elif not self.is_ours():
            self.refuse(HTTPStatus.FORBIDDEN)
        elif is_play:
            self._play(match)
        elif analysis is None:
            self._open()
        elif (seconds := self._seconds()) is None:
            self.refuse(HTTPStatus.BAD_REQUEST)
        else:
            try:
                analysis.run(seconds, self.connection, self._tell)
            except BusyError:
                told = {"none": self.server.speaker.say("served-busy")}
                self.answer(HTTPStatus.CONFLICT, "application/json", msgspec.json.encode(told))

    def _analysis(self) -> MatchAnalysis | None:
        """The analysis that the request's path means; none if it means none."""
        known = self.server.shown().items()
        return next((one.analysis for path, one in known if self.is_at(f"{path}/analysis")), None)

    def _play(self, match: _Shown | None) -> None:
        """Play on from a turn of a match, or do what the page of one wants on which somebody plays."""
        body = self._body(wishes.MAX_WISH)
        if match is not None:
            self._play_on(decode(match.match), body)
        elif (wish := wishes.read(body)) is None:
            self.refuse(HTTPStatus.BAD_REQUEST)
        elif (told := self.server.tables.answer(self.is_at, wish)) is None:
            self.refuse(HTTPStatus.NOT_FOUND)
        else:
            self.answer(HTTPStatus.OK, "application/json", msgspec.json.encode(told))

    def _play_on(self, replay: Replay, body: bytes) -> None:
        """Begin a match from a turn, and say where its page is."""
        try:
            wanted = msgspec.json.decode(body, type=From)
            page_of_it = self.server.tables.onward(
                own_games.find(replay.header.game), replay, wanted, self.server.known
            )
        except msgspec.MsgspecError:
            self.refuse(HTTPStatus.BAD_REQUEST)
        except OperatorError as error:
            told = {"none": error.say(self.server.speaker)}
            self.answer(HTTPStatus.UNPROCESSABLE_ENTITY, "application/json", msgspec.json.encode(told))
        else:
            self.answer(HTTPStatus.OK, "application/json", msgspec.json.encode({"page": page_of_it}))

    def _body(self, most: int) -> bytes:
        """The JSON that the request carries; nothing if it carries none, or too much."""
        length = self.headers["Content-Length"] or ""
        is_json = self.headers.get_content_type() == "application/json"
        if not is_json or not re.fullmatch(r"[0-9]{1,5}", length) or int(length) > most:
            return b""
        return self.rfile.read(int(length))

    def _open(self) -> None:
        """Make a page of the replay that comes, and say where it is."""
        length = self.headers["Content-Length"] or ""
        is_binary = self.headers.get_content_type() == "application/octet-stream"
        if not is_binary or not re.fullmatch(r"[0-9]{1,9}", length) or int(length) > MAX_REPLAY:
            told = {"none": self.server.speaker.say("served-no-replay")}
            self.answer(HTTPStatus.BAD_REQUEST, "application/json", msgspec.json.encode(told))
            return
        try:
            path = self.server.open(lambda: self.rfile.read(int(length)))
        except OperatorError as error:
            told = {"none": error.say(self.server.speaker)}
            self.answer(HTTPStatus.UNPROCESSABLE_ENTITY, "application/json", msgspec.json.encode(told))
            return
        self.answer(HTTPStatus.OK, "application/json", msgspec.json.encode({"page": path}))

    def _seconds(self) -> float | None:
        """How long to analyse, as the request says; none if it says nothing that can be done."""
        try:
            seconds = msgspec.json.decode(self._body(MAX_BYTES), type=AnalysisRequest).seconds
        except msgspec.MsgspecError:
            return None
        return seconds if SHORTEST <= seconds <= LONGEST else None

    def _tell(self, line: bytes) -> None:
        """Send a line while the analysis runs."""
        if not self.begun:
            self.begin(HTTPStatus.OK, "application/x-ndjson")
        self.wfile.write(line)
