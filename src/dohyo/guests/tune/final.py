"""The honest end of a tuning: the values that were found against the defaults, on seeds that nobody has played.

The score that a model expects of its best values is too high, because they were chosen for it. So the comparison
counts none of the tuning's own matches. It is that of `series/compare.py` without its test: an interval after a fixed
number of rounds leans to no side.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from dohyo.bots import Bot
from dohyo.core.seeds import derived
from dohyo.executors import Executor
from dohyo.guests.tune.record import FINAL, Values
from dohyo.guests.tune.tuning import Tuning
from dohyo.series.compare import CANDIDATE, SoFar, Trial
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
        name = "tuned " + msgspec.json.encode(values).decode()
        finals = [each for each in record.names() if each.startswith(FINAL)]
        known = [each for each in finals if record.entrants(each)[CANDIDATE].name == name]
        key = known[-1] if known else f"{FINAL}{len(finals)}"
        found = [
            msgspec.structs.replace(tuning.candidate(values), name=name),
            msgspec.structs.replace(default, name="default"),
        ]
        # Seeds of their own for each set of values: none was played by the tuning, or by an earlier comparison.
        seed = derived(terms.seed, "tune-final", *key.encode())
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
            store=lambda spec, built: record.begin(key, tuning.game, spec, built),
        )

    @property
    def known(self) -> SoFar:
        """What is known so far."""
        return self.trial.known

    def play(self, executor: Executor) -> Iterator[SoFar]:
        """Play what is left; yields what is known after each round."""
        return self.trial.play(executor)
