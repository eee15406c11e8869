"""The honest end of a tuning: the values that were found against the defaults, on seeds that nobody has played.

The score that a model expects of its best values is too high, because they were chosen for it. So the comparison
counts none of the tuning's own matches. It is that of `series/compare.py` without its test: an interval after a fixed
number of rounds leans to no side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from dohyo.bots import Bot
from dohyo.core.seeds import derived
from dohyo.executors import Executor, MatchOrder, MatchReport
from dohyo.guests.tune.record import Final, Record
from dohyo.guests.tune.tuning import Tuning, Values, keep
from dohyo.series.compare import SoFar, Trial
from dohyo.series.compare import Terms as TrialTerms

Outcome = Literal["better", "worse", "no-difference", "is-default", "not-compared", "open"]
RECOMMENDED = ("better", "not-compared")  # after these, the values found are worth trying


def outcome_of(tuning: Tuning, comparison: FinalComparison | None, rounds: int) -> Outcome:
    """What a tuning came to, with its final comparison of so many `rounds`; `open` before its end."""
    if not tuning.is_over:
        return "open"
    if is_default(tuning):
        return "is-default"
    if not rounds:
        return "not-compared"
    if comparison is None or not comparison.trial.is_decided:
        return "open"
    verdict = comparison.known.verdict
    return "better" if verdict.elo_low > 0 else "worse" if verdict.elo_high < 0 else "no-difference"


def is_default(tuning: Tuning) -> bool:
    """Whether the values found are the bot's defaults, so that there is nothing to compare."""
    best = tuning.best
    return best is not None and all(one.default == best.values[one.name] for one in tuning.space)


class FinalComparison:
    """The comparison of `values` with `default` in so many rounds; what the record has of it is not played again."""

    def __init__(self, tuning: Tuning, values: Values, default: Bot, rounds: int) -> None:
        terms, record = tuning.terms, tuning.record
        self._record = record
        self._key = f"final{len(record.finals)}"
        for known in record.finals.values():
            if known.values == values:
                self._key = known.key
        if self._key not in record.finals:
            record.add(Final(self._key, values))
        found = [
            msgspec.structs.replace(tuning.candidate(values), name="tuned"),
            msgspec.structs.replace(default, name="default"),
        ]
        # Seeds of their own for each set of values: none was played by the tuning, or by an earlier comparison.
        seed = derived(terms.seed, "tune-final", *self._key.encode())
        self.trial = Trial(
            tuning.game,
            found,
            TrialTerms(
                seed=seed,
                seats=terms.seats,
                setup=terms.setup,
                clock=terms.clock,
                mode=terms.mode,
                sandbox=terms.sandbox,
                pondering=terms.pondering,
                restart=terms.restart,
                hypotheses=None,
                rounds=rounds,
            ),
        )

    @property
    def known(self) -> SoFar:
        """What is known so far."""
        return self.trial.known

    def play(self, executor: Executor) -> Iterator[SoFar]:
        """Play what is left; yields what is known after each round."""
        return self.trial.play(_Remembered(executor, self._record, self._key))


class _Remembered:
    """An executor that knows the results that are in a record, and adds the others to it."""

    def __init__(self, executor: Executor, record: Record, key: str) -> None:
        self._executor, self._record, self._key = executor, record, key

    @property
    def workers(self) -> int:
        return self._executor.workers

    def play(self, orders: Iterable[MatchOrder]) -> Iterator[MatchReport]:
        """The reports of all orders."""
        known: list[MatchReport] = []

        def unknown() -> Iterator[MatchOrder]:
            for order in orders:
                played = self._record.matches.get(f"{self._key}/{order.key}")
                if played is None:
                    yield order
                else:
                    known.append(played.report(order.key))

        for report in self._executor.play(unknown()):
            yield from _taken(known)
            if not report.error or report.disturbed:
                keep(self._record, msgspec.structs.replace(report, key=f"{self._key}/{report.key}"))
            yield report
        yield from _taken(known)

    def close(self) -> None:
        """The other executor is its owner's."""

    def __enter__(self) -> _Remembered:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing runs here."""


def _taken(known: list[MatchReport]) -> Iterator[MatchReport]:
    """The reports in a list, which is empty afterwards."""
    while known:
        yield known.pop(0)
