"""From a match of the schedule to an order for an executor, and from its report to a result for the store."""

from __future__ import annotations

import socket
from time import time

import msgspec

from dohyo.app.contest.field import Field
from dohyo.app.contest.spec import Spec
from dohyo.app.executors.messages import LARGEST_KEPT, Files, MatchOrder, MatchReport
from dohyo.contest.fixtures import faults_last
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game
from dohyo.store import Store
from dohyo.store.records import Contest, Match, Result

MOST_KEPT = LARGEST_KEPT + 1024  # bytes of an archive of what a bot kept
KEPT = ("storage.txt",)  # what bots keep from match to match, in games in which they may live for a turn


def _kept(content: bytes) -> Files:
    """The files that a bot kept; no others, whatever the store says. Raises `OperatorError` for what are none."""
    try:
        found = msgspec.msgpack.decode(content, type=_Kept)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise OperatorError("contest-kept-unreadable", error=error) from error
    return {KEPT[0]: found.storage} if found.storage is not None else {}


class _Kept(msgspec.Struct):
    """What is read of the files that were kept: those of `KEPT`."""

    storage: bytes | None = msgspec.field(default=None, name=KEPT[0])


class Orders:
    """Makes orders of the matches of one batch.

    What a bot keeps, it has in all matches of a batch as it left it in its last match (by number) of those before.
    """

    def __init__(self, store: Store, contest: Contest, game: Game, spec: Spec, field: Field) -> None:
        self._store = store
        self._contest = contest
        self._game = game
        self._spec = spec
        self._field = field
        self._kept: dict[int, Files] = {}
        self._first = 0
        self._host = socket.gethostname()

    def begin_batch(self, first: int) -> None:
        """From now on orders are for the batch whose first match has this number."""
        self._first = first
        self._kept.clear()

    def order(self, match: Match) -> MatchOrder:
        """The order for a match. Raises `OperatorError` when a bot of it is not there any more."""
        spec = self._spec
        keeps = bool(self._game.lifetimes)
        return MatchOrder(
            str(match.number),
            spec.game,
            tuple(self._field.bot(number) for number in match.seats),
            match.seed,
            setup=spec.setup,
            clock=spec.clock,
            mode=spec.mode,
            sandbox=spec.sandbox,
            pondering=spec.pondering,
            keep=KEPT if keeps else (),
            kept=tuple(self._files(number) for number in match.seats) if keeps else (),
        )

    def _files(self, entrant: int) -> Files:
        """What an entrant had kept before this batch."""
        if entrant not in self._kept:
            digest = self._store.keepsake(self._contest.id, entrant, self._first)
            content = self._store.files.get(digest, MOST_KEPT) if digest is not None else None
            self._kept[entrant] = _kept(content) if content is not None else {}
        return self._kept[entrant]

    def result(self, report: MatchReport) -> Result:
        """The result for the store, its files kept there."""
        kept = tuple(self._keep(files) for files in report.kept)
        return Result(
            match=int(report.key),
            places=faults_last(report.places, report.faults) if self._spec.fault_is_last else report.places,
            scores=tuple(map(float, report.scores)),
            faults=report.faults,
            longest=report.longest,
            kept=kept if any(kept) else (),
            replay=self._store.files.put(report.replay, sync=False),
            at=time(),
            seconds=report.seconds,
            host=self._host,
            worker=report.worker,
        )

    def _keep(self, files: Files) -> str | None:
        return self._store.files.put(msgspec.msgpack.encode(dict(sorted(files.items())))) if files else None
