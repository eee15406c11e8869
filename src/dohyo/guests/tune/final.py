"""The honest end of a tuning: the values that were found against the defaults, on seeds that nobody has played.

The score that a model expects of its best values is too high, because they were chosen for it. So the comparison
counts none of the tuning's own matches. It is that of `series/compare.py` without its test: an interval after a fixed
number of rounds leans to no side.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import replace

from dohyo.bots import Bot
from dohyo.core.seeds import derived
from dohyo.guests.tune.record import FINAL, Values
from dohyo.guests.tune.tuning import Tuning
from dohyo.series.compare import Terms, Trial
from dohyo.series.formats.comparison import CANDIDATE
from dohyo.series.spec import MatchTerms

Outcome = Literal["better", "worse", "no-difference", "is-default", "not-compared", "open"]
RECOMMENDED = ("better", "not-compared")  # after these, the values found are worth trying
EXPECTED = ("open", "not-compared")  # with these, the model alone says how good they are


def outcome_of(tuning: Tuning, comparison: Trial | None, rounds: int) -> Outcome:
    """What a tuning came to, with its final comparison of so many `rounds`; `open` before its end."""
    if not tuning.is_over:
        return "open"
    if is_default(tuning):
        return "is-default"
    if not rounds:
        return "not-compared"
    if comparison is None or not comparison.is_decided:
        return "open"
    verdict = comparison.known.verdict
    return "better" if verdict.elo_low > 0 else "worse" if verdict.elo_high < 0 else "no-difference"


def is_default(tuning: Tuning) -> bool:
    """Whether the values found are the bot's defaults, so that there is nothing to compare."""
    found = tuning.found
    return found is not None and all(one.default == found[one.name] for one in tuning.space)


def final_comparison(tuning: Tuning, values: Values, default: Bot, rounds: int) -> Trial:
    """The comparison of `values` with `default` in so many rounds; what the record has of it is not played again."""
    record = tuning.record
    name = "tuned " + msgspec.json.encode(values).decode()
    finals = [each for each in record.names() if each.startswith(FINAL)]
    known = [each for each in finals if record.entrants(each)[CANDIDATE].name == name]
    key = known[-1] if known else f"{FINAL}{len(finals)}"
    found = [replace(tuning.candidate(values), name=name), replace(default, name="default")]
    own = {field: getattr(tuning.terms, field) for field in MatchTerms.__struct_fields__}
    # Seeds of their own for each set of values: none was played by the tuning, or by an earlier comparison.
    own["seed"] = derived(tuning.terms.seed, "tune-final", *key.encode())
    terms = Terms(**own, hypotheses=None, rounds=rounds)
    return Trial(tuning.game, found, terms, store=lambda spec, built: record.begin(key, tuning.game, spec, built))
