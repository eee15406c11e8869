"""Which result of a match a command shows, and what was ruled about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.i18n import Speaker

if TYPE_CHECKING:
    from dohyo.core.contest import Result
    from dohyo.series.rulings import RuledResult
    from dohyo.series.session import ContestView
    from dohyo.series.store import Store


def result_of(store: Store, view: ContestView, match: int, ruling: int | None) -> tuple[Result, list[RuledResult]]:
    """The result to show of a match, and all that there are where somebody has ruled about it.

    It is the one that counts, or that a `ruling` asked for (0: the first one); where none counts, the last one.
    Raises `OperatorError` where there is none.
    """
    from dohyo.series.rulings import Book

    known = Book(view).of(match)
    if not known:
        if ruling:
            raise OperatorError("replay-no-ruling", number=match, ruling=ruling, known=0)
        return store.result(view.contest, match), []
    if ruling is not None:
        found = [each for each in known if each.ruling == ruling]
        if not found:
            there = ", ".join(str(each.ruling) for each in known)
            raise OperatorError("replay-no-ruling", number=match, ruling=ruling, known=there)
        return found[0].result, known
    return next((each for each in known if each.counts), known[-1]).result, known


def notes_on(known: Sequence[RuledResult], shown: Result, speaker: Speaker) -> list[str]:
    """What was ruled about a match, a sentence for each of its results; the one that is `shown` first."""
    from dohyo.series.rulings import in_words

    ordered = sorted(known, key=lambda each: each.result != shown)
    told = []
    for each in ordered:
        key = "replay.first" if each.ruling == 0 else "replay.again"
        counts = in_words(each.counts, each.why, each.by, each.because, speaker)
        told.append(clean.line(speaker.say(key, ruling=each.ruling, counts=counts)))
    return told
