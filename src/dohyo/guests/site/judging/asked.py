"""What authors ask the judge for beside the ladders: matches on seeds of theirs, and why one went as it did."""

from __future__ import annotations

import socket
from collections import Counter
from collections.abc import Callable, Collection
from time import time
from typing import Any

import msgspec

from dohyo import doors
from dohyo.core.contest import Fixture
from dohyo.core.errors import HandInError, OperatorError, ReplayError
from dohyo.core.replay_format import decode
from dohyo.executors.messages import Executor
from dohyo.guests.site.arena import analyses, requests
from dohyo.guests.site.arena.analyses import Analysis
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.opened import Arena
from dohyo.guests.site.arena.replays import for_authors
from dohyo.guests.site.arena.requests import Played, Request
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.judging.interruptible import Stopped, TimeIsOver, given_up, time_limit
from dohyo.i18n import Speaker
from dohyo.series.loop import Loop
from dohyo.series.store.database import Database
from dohyo.web.served.running import MatchAnalysis

MAX_TRIES = 3  # at a match that the machine fails to play, or at an analysis
ANALYSED = 300.0  # seconds for an analysis, with compiling what it needs: the first of a game takes long
SEARCHED = 60.0  # seconds of these for the positions, as `dohyo analyse` takes
GIVES_WAY = 2  # times that an analysis is given up as somebody waits; then it has so much time in any case
ITS_OWN = 60.0  # seconds


def _is_of_request(error: OperatorError) -> bool:
    """Whether what went wrong is in what a request needs, and not in the machine, which may be mended."""
    return isinstance(error, HandInError | ReplayError) or error.key.startswith("store-file-")


class Asked:
    """Plays what was requested, and analyses; `tell` takes what went wrong, for whoever runs the site.

    `must_stop` says whether what has taken so many seconds has to end, as somebody waits who has handed in.
    """

    def __init__(
        self,
        site: SiteFolder,
        database: Database,
        arena: Arena,
        tell: Callable[[str], None],
        must_stop: Callable[[float], bool] = lambda seconds: False,
    ) -> None:
        self._site, self._database, self._arena = site, database, arena
        self._tell, self._must_stop = tell, must_stop
        self._given_up: Counter[float] = Counter()  # analyses, by the moment at which they were asked for
        self._tries: Counter[tuple[str, float, int]] = Counter()  # so of requests: their numbers may come again

    def play(self, executor: Executor, ladders: Collection[int], loop_of: Callable[[Ladder], Loop]) -> bool:
        """Play some matches of the next request; whether there was one. Raises `Stopped` as a batch does."""
        request = requests.next_waiting(self._database, ladders)
        if request is None:
            return False
        try:
            self._play(request, executor, loop_of(request.ladder))
        except Stopped:
            raise
        except Exception as error:  # of this request, or a defect of ours: others' must not wait for ever
            if isinstance(error, OperatorError) and not _is_of_request(error):
                raise
            self._tries["request", request.at, 0] += 1
            if self._tries["request", request.at, 0] >= MAX_TRIES:
                requests.fail(self._database, request)
            raise
        return True

    def _play(self, request: Request, executor: Executor, loop: Loop) -> None:
        """Play some matches of a request."""
        seats = tuple(one.entrant for one in request.seats)
        fixtures = [Fixture(0, number, seats, request.seed + number) for number in request.left[: executor.workers]]
        for report in executor.play(map(loop.order, fixtures)):
            number, digest = int(report.key), ""
            if report.error:
                self._tell(report.error)
                self._tries["match", request.at, number] += 1
                if self._tries["match", request.at, number] >= MAX_TRIES:
                    requests.fail(self._database, request)
                continue
            digest = self._site.files().put(report.replay)
            played = Played(number, request.seed + number, report.places, report.faults, digest, time())
            requests.record(self._database, request, played)

    def analyse(self, ladders: Collection[int]) -> bool:
        """Analyse the next match of which somebody wants to know why; whether there was one that can be read now."""
        worker = doors.brought("analyses").get("match")
        wanted = analyses.next_waiting(self._database, ladders)
        if worker is None or wanted is None:
            return False
        self._tries["analysis", wanted.at, 0] += 1
        if self._tries["analysis", wanted.at, 0] > MAX_TRIES:
            analyses.finish(self._database, wanted, "none")
            return True
        try:
            found, note = self._analysed(worker, wanted)
        except TimeIsOver:  # what it has compiled stays: asked for once more, it may be done in time
            analyses.finish(self._database, wanted, "late")
            self._tries["analysis", wanted.at, 0] = 0
            return True
        except OperatorError as error:
            if error.key != "serve-copy-is-made":
                raise
            self._tries["analysis", wanted.at, 0] -= 1  # of a large contest it takes long, and is no fault of a match
            return False
        digest = self._site.files().put(found) if found else ""
        analyses.finish(self._database, wanted, "done" if found else "none", digest, note)
        return True

    def _analysed(self, worker: str, wanted: Analysis) -> tuple[bytes, str]:
        """What the viewer shows, as JSON, and a sentence.

        Raises `TimeIsOver` where it cannot be said in time, and `Stopped` where it has to wait for somebody: it keeps
        what it has compiled, and is done anew.
        """
        replay = analyses.replay_of(self._database, self._site, self._arena, wanted)
        if replay is None:
            return b"", ""
        speaker = Speaker(wanted.language)
        analysis = MatchAnalysis(worker, for_authors(decode(replay)), speaker)
        last: list[bytes] = []
        asker, other = socket.socketpair()  # nobody hangs up
        is_last = self._given_up[wanted.at] >= GIVES_WAY
        must_stop = (lambda took: took > ITS_OWN and self._must_stop(took)) if is_last else self._must_stop
        try:
            with (
                time_limit(ANALYSED),
                given_up(must_stop, lambda: other.shutdown(socket.SHUT_RDWR)) as stopped,
            ):
                analysis.run(SEARCHED, asker, last.append)
        finally:
            asker.close()
            other.close()
        if stopped.is_set() and not analysis.found:
            if is_last:
                raise TimeIsOver
            self._given_up[wanted.at] += 1
            self._tries["analysis", wanted.at, 0] -= 1
            raise Stopped
        told: dict[str, Any] = msgspec.json.decode(analysis.found or (last[-1] if last else b"{}"))
        note = told.get("note", told.get("none", ""))
        return (msgspec.json.encode(told["analysis"]) if "analysis" in told else b""), str(note)
