"""Matches that are played again for a ruling: what will be, how far it is, what came of it."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

from dohyo import clean
from dohyo.i18n import Speaker
from dohyo.match.telling.fault_words import counted
from dohyo.series.rulings import Book
from dohyo.series.session import ContestView
from dohyo.series.spans import numbers
from dohyo.series.telling.cells import shortened
from dohyo.series.versions import shown_names
from dohyo.terminal.standings import print_standing

if TYPE_CHECKING:
    from dohyo.core.contest import Fixture, Result
    from dohyo.series.rulings import RuledResult
    from dohyo.series.session import ContestSession
    from dohyo.series.store.records import Progress


def announce(before: dict[int, RuledResult], skipped: list[RuledResult], speaker: Speaker) -> None:
    """Say, before anything is played, what will be, and which of it cannot count; and what is `skipped`, and why."""
    void = [each for each in before.values() if not each.counts]
    told = [speaker.say("rejudge.begins", count=len(before), numbers=numbers(sorted(before), speaker))]
    for key, found in (("rejudge.void", void), ("rejudge.skipped", skipped)):
        alike: dict[tuple[str, int, str], list[int]] = {}
        for each in found:
            alike.setdefault((each.why, each.by, each.because), []).append(each.result.fixture.number)
        for (why, by, because), of in alike.items():
            reason = speaker.say(f"rejudge.{why}", by=by) + (f": {because}" if because else "")
            told.append(speaker.say(key, count=len(of), numbers=numbers(of, speaker), why=reason))
    sys.stdout.writelines(f"{clean.line(line)}\n" for line in told)
    sys.stdout.flush()


class PlayedAgain:
    """Tells a person at a terminal how many matches were played again."""

    def __init__(self, total: int, as_json: bool, speaker: Speaker) -> None:
        self._total, self._done, self._speaker = total, 0, speaker
        self._is_watched = sys.stderr.isatty() and not as_json

    def on_batch(self, batch: Progress) -> None:
        """Nothing begins here."""

    def on_batch_over(self, batch: int) -> None:
        """Nothing ends here."""

    def on_aside(self, fixture: Fixture, error: str) -> None:
        """It failed each time; `tell_again` says so."""

    def on_result(self, result: Result) -> None:
        """One more."""
        self._done += 1
        if self._is_watched:
            sys.stderr.write("\r" + self._speaker.say("verify.again-so-far", count=self._done, total=self._total))
            sys.stderr.write("\n" if self._done == self._total else "")
            sys.stderr.flush()


def tell_again(
    session: ContestSession,
    ruling: int | None,
    before: dict[int, RuledResult],
    failed: list[int],
    as_json: bool,
    speaker: Speaker,
) -> None:
    """Each match, as it was and as it is; then the standings."""
    view = ContestView.of(session)
    book = Book(view)
    after = {number: book.of(number)[-1] for number in before if number not in failed}
    if as_json:
        matches = [
            {"match": number, "before": _plain(view, old.result), "counts": after[number].counts,
             "after": _plain(view, after[number].result)}
            for number, old in before.items() if number in after
        ]  # fmt: skip
        sys.stdout.write(clean.document({"ruling": ruling, "matches": matches, "failed": failed}))
        return
    for number, old in before.items():
        if number in after:
            details = {"match": number, "before": _shown(view, old.result, speaker)}
            line = speaker.say("rejudge.match", **details, after=_shown(view, after[number].result, speaker))
            sys.stdout.write(clean.line(line) + "\n")
    if failed:
        sys.stdout.write(speaker.say("rejudge.failed", count=len(failed), numbers=numbers(failed, speaker)) + "\n")
    sys.stdout.write("\n")
    print_standing(view, speaker)


def _plain(view: ContestView, result: Result) -> dict[str, Any]:
    bots = [view.name(entrant) for entrant in result.fixture.seats]
    return {"bots": bots, "places": result.places, "scores": result.scores, "faults": result.faults,
            "replay": result.replay}  # fmt: skip


def _shown(view: ContestView, result: Result, speaker: Speaker) -> str:
    """A result in a line: who had which place, and which faults."""
    names = shown_names(((each.number, each.name) for each in view.entrants), speaker, shortened)
    faults = result.faults or ((),) * len(result.places)
    told = []
    for entrant, place, kinds in zip(result.fixture.seats, result.places, faults, strict=True):
        what = f" ({counted(Counter(kinds), speaker)})" if kinds else ""
        told.append(f"{names[entrant]} {place}{what}")
    return speaker.listed(told)
