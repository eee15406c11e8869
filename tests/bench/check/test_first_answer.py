"""Why a program ended before its first answer, in one line."""

from __future__ import annotations

from dohyo.bench.check.first_answer import FirstFailure
from dohyo.core.faults import Fault, FaultKind
from dohyo.match.telling.fault_words import LONGEST_REASON


def test_long_last_words_are_cut() -> None:
    """A line of which a bot may make anything is no longer than a fault in a table."""
    why = FirstFailure(Fault(FaultKind.EXITED, status=1), "e" * 100_000).why
    assert isinstance(why, str)
    assert why.startswith("eee")
    assert len(why) <= LONGEST_REASON
