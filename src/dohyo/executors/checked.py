"""Reports that come from elsewhere, checked before anything is made of them.

Whoever plays on another machine may be broken, of other rules, or lie. So each replay is looked at: whether it can be
read, is of the match that was ordered, follows from the rules, and has the result that is reported. A report that
fails is an error of its match, which is played again. What a bot answered, and how long it thought, nobody can know
who has not seen it: `dohyo verify` plays a sample of matches again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from typing import Any

import msgspec

from dohyo import clean
from dohyo.core import replay_format as replays
from dohyo.core.errors import DohyoError, OperatorError
from dohyo.executors.messages import Executor, MatchOrder, MatchReport
from dohyo.executors.one_match import report_of
from dohyo.match.replays.replays import verify

SAME = ("replay", "seconds", "worker", "kept", "again", "attempts", "disturbed")  # nothing that follows from a replay


class Checked:
    """An executor that passes orders on to another one, and refuses what it reports where that cannot be.

    `refused` is called with the key of each such report's match, and the sentence that says why.
    """

    def __init__(self, executor: Executor, refused: Callable[[str, OperatorError], None]) -> None:
        self._executor = executor
        self._refused = refused

    @property
    def workers(self) -> int:
        """How many matches are played at once."""
        return self._executor.workers

    def __enter__(self) -> Checked:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def play(self, orders: Iterable[MatchOrder]) -> Iterator[MatchReport]:
        """Play the orders; their reports."""
        waiting: dict[str, MatchOrder] = {}

        def noted() -> Iterator[MatchOrder]:
            for order in orders:
                waiting[order.key] = order
                yield order

        playing: Any = self._executor.play(noted())
        with closing(playing) as reports:
            for report in reports:
                order = waiting.pop(report.key, None)
                wrong = _wrong(order, report)
                if wrong is None:
                    yield report
                    continue
                worker = clean.line(report.worker, 100)
                error = OperatorError("report-refused", worker=worker, reason=wrong.say())
                self._refused(report.key, error)
                if order is not None:
                    yield MatchReport(report.key, error=error.say(), seconds=report.seconds, worker=worker)

    def close(self) -> None:
        """End whatever runs."""
        self._executor.close()


def _wrong(order: MatchOrder | None, report: MatchReport) -> DohyoError | None:
    """Why a report is refused; none if it is not. Nobody waits for one that has come already."""
    if order is None:
        return OperatorError("report-other-match")
    return None if report.error or order.referee is not None else what_is_wrong(order, report)


def what_is_wrong(order: MatchOrder, report: MatchReport) -> DohyoError | None:
    """Why a report cannot be of this order; none if it can."""
    try:
        replay = replays.decode(report.replay)
        header = replay.header
        wanted = (order.game, order.seed, [bot.digest for bot in order.bots])
        if (header.game, header.seed, [seat.digest for seat in header.seats]) != wanted:
            return OperatorError("report-other-match")
        is_whole = header.start is None and not header.first and {**header.setup, **order.setup} == header.setup
        if not is_whole or (order.clock is not None and header.clock != order.clock):
            return OperatorError("report-other-terms")
        verify(replay)
        told = report_of(report.key, replay, report.replay, report.kept, report.seconds, report.worker)
    except DohyoError as error:
        return error
    except Exception as error:  # rules are not made for what no match can be
        return OperatorError("report-unreadable", error=clean.line(f"{type(error).__name__}: {error}", 200))
    same = {name: getattr(report, name) for name in SAME}
    return None if msgspec.structs.replace(told, **same) == report else OperatorError("report-other-result")
