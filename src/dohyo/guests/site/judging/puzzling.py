"""Puzzles are looked for where nothing else is to be done: in the newest match of each ladder that all may see."""

from __future__ import annotations

import socket
import traceback
from collections.abc import Iterable

import msgspec

from dohyo import doors
from dohyo.core.errors import OperatorError
from dohyo.core.replay_format import decode
from dohyo.guests.site.arena import analyses, hand_ins, ladders, puzzles, requests
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.replays import MAX_REPLAY, for_authors
from dohyo.guests.site.folder import SiteFolder
from dohyo.guests.site.judging.interruptible import TimeIsOver, given_up, time_limit
from dohyo.guests.site.upkeep import logs
from dohyo.i18n import Speaker
from dohyo.series.puzzles.puzzle import Puzzle
from dohyo.series.store import Store, open_store
from dohyo.series.store.database import Database
from dohyo.web.served.running import MatchAnalysis

SEARCHED = 60.0  # seconds of a match
LONGEST = 300.0  # with compiling what it needs


class Puzzling:
    """Looks for puzzles, if it is wanted at all, until a defect of ours or the machine's is met."""

    def __init__(self, site: SiteFolder, database: Database, is_wanted: bool = True) -> None:
        self._site, self._database = site, database
        self._worker = doors.brought("analyses").get("puzzles") if is_wanted else None
        self._given_up: set[tuple[int, int]] = set()  # matches that were left once, as somebody waited

    def look(self, there: Iterable[Ladder]) -> bool:
        """Look through one match, if there is one that was not looked at; whether there was."""
        if self._worker is None:
            return False
        try:
            public = [ladder for ladder in there if puzzles.is_public(ladder)]
            if not public or (found := self._first(public)) is None:
                return False
            self._look_at(self._worker, *found)
            return True
        except OperatorError as error:
            logs.trouble(error.say())
        except Exception:  # a defect of ours
            logs.trouble(traceback.format_exc())
        self._worker = None  # until the next start: it is of no use to be told the same again and again
        return False

    def _is_needed(self) -> bool:
        """Whether somebody waits for the judge, who does here what nobody waits for."""
        if hand_ins.waits(self._database):
            return True
        there = [ladder.id for ladder in ladders.every(self._database)]
        return any(asked.next_waiting(self._database, there) is not None for asked in (requests, analyses))

    def _first(self, there: Iterable[Ladder]) -> tuple[Ladder, int, bytes] | None:
        """The first of these ladders whose newest match was not looked at, with that match."""
        with open_store(self._site.arena, files=self._site.arena_files()) as store:
            return next(((one, *match) for one in there if (match := self._newest(store, one)) is not None), None)

    def _newest(self, store: Store, ladder: Ladder) -> tuple[int, bytes] | None:
        """The newest match of a ladder, and its replay; none where it was looked at."""
        try:
            played = store.last_played(store.contest(ladder.slug).id, 1)
        except OperatorError as error:
            if error.key in ("store-no-contest", "store-empty"):
                return None
            raise
        if not played or played[-1].replay is None:
            return None
        number = played[-1].fixture.number
        if number <= puzzles.looked(self._database, ladder):
            return None
        return number, store.files.get(played[-1].replay, MAX_REPLAY)

    def _look_at(self, worker: str, ladder: Ladder, number: int, packed: bytes) -> None:
        """Look through a match, unless there is something else to do: then it is looked at once more later."""
        search = MatchAnalysis(worker, for_authors(decode(packed)), Speaker())
        asker, other = socket.socketpair()
        try:
            with (
                time_limit(LONGEST),
                given_up(lambda _: self._is_needed(), lambda: other.shutdown(socket.SHUT_RDWR)) as stopped,
            ):
                search.run(SEARCHED, asker, lambda line: None)
        except TimeIsOver:
            stopped.clear()
        finally:
            asker.close()
            other.close()
        if stopped.is_set() and not search.found and (ladder.id, number) not in self._given_up:
            self._given_up.add((ladder.id, number))
            return
        found = msgspec.json.decode(search.found, type=_Found).analysis if search.found else []
        puzzles.keep(self._database, ladder, number, found)
        puzzles.note_looked(self._database, ladder, number)


class _Found(msgspec.Struct):
    analysis: list[Puzzle] = []
