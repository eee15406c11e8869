"""A store in this process's memory, for a series that nobody keeps: what the loop asks of a store, and no database.

It holds the batch that is played and forgets the ones before, so that memory stays flat. It has one contest, no
rulings, and no files but the replays that somebody still needs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from dohyo.core.contest import Entrant, Fixture, Result
from dohyo.core.rulings_in_force import Attempt, Ruling
from dohyo.series.store.records import Aside, Contest, Progress


class MemoryFiles:
    """Replays by their digests, until they are removed; with `keeps` false none is kept."""

    def __init__(self, keeps: bool) -> None:
        self._keeps = keeps
        self._content: dict[str, bytes] = {}

    def put(self, content: bytes, *, sync: bool = True) -> str:
        """Keep `content`; its digest, or an empty text where nothing is kept."""
        if not self._keeps:
            return ""
        digest = hashlib.sha256(content).hexdigest()
        self._content[digest] = content
        return digest

    def get(self, digest: str, most: int = 0) -> bytes:
        """The content; empty where it is not there any more."""
        return self._content.get(digest, b"")

    def remove(self, digest: str) -> None:
        """Forget the content."""
        self._content.pop(digest, None)


class MemoryStore:
    """One contest in memory. Its methods are those of `Store` that a series uses while it runs."""

    shown = "-"
    hold = 0.0
    lasts = False

    def __init__(self, keeps_replays: bool = False) -> None:
        self.files = MemoryFiles(keeps_replays)
        self._entrants: list[Entrant] = []
        self._progress: list[Progress] = []
        self._fixtures: dict[int, Fixture] = {}  # of the last batch, as are the others
        self._results: dict[int, Result] = {}
        self._failed: dict[int, list[str]] = {}
        self._aside: dict[int, Aside] = {}

    def close(self) -> None:
        """Nothing is open."""

    def begin(self, name: str, game: str, spec: dict[str, Any], at: float) -> Contest:
        """The contest."""
        return Contest(0, name, game, spec, "running", at)

    def set_state(self, contest: int, state: str) -> None:
        """Nobody else looks at it."""

    def enter(self, contest: int, entries: Sequence[Entrant], at: float, batches: int | None = None) -> None:
        """Take in who takes part."""
        self._entrants += entries

    def entrants(self, contest: int) -> list[Entrant]:
        """Who takes part, ascending by number."""
        return self._entrants

    # --- the schedule, and what was played

    def schedule(
        self,
        contest: int,
        batch: Iterable[Fixture],
        drawn_from: Sequence[Entrant] | None = None,
        ruled: int | None = None,
    ) -> int:
        """Take in the next batch, and forget the one before."""
        self._fixtures = {each.number: each for each in batch}
        self._results, self._failed, self._aside = {}, {}, {}
        number = len(self._progress)
        self._progress.append(Progress(number, len(self._fixtures), 0, 0))
        return len(self._fixtures)

    def scheduled(self, contest: int, batch: int | None = None) -> Iterator[Fixture]:
        """The schedule of the last batch."""
        yield from (each for each in self._fixtures.values() if batch in (None, each.batch))

    def unplayed(self, contest: int, batch: int | None = None) -> list[Fixture]:
        """Its matches without a result that are not set aside."""
        done = {*self._results, *self._aside}
        return [each for each in self.scheduled(contest, batch) if each.number not in done]

    def record(self, contest: int, results: Sequence[Result]) -> list[int]:
        """Take in results."""
        self._results.update((each.fixture.number, each) for each in results)
        self._count()
        return [each.fixture.number for each in results]

    def fail(self, contest: int, match: int, error: str, at: float, most: int) -> tuple[int, bool]:
        """Count an attempt that failed; how many there were, and whether the match is set aside."""
        errors = self._failed.setdefault(match, [])
        errors.append(error)
        if is_aside := len(errors) >= most:
            self._aside[match] = Aside(self._fixtures[match], len(errors), error)
            self._count()
        return len(errors), is_aside

    def cut(self, contest: int, batch: int, enough: int, because: str, at: float) -> int:
        """Forget the matches from number `enough` on; how many of them had been played."""
        vain = sum(number >= enough for number in self._results)
        for found in (self._fixtures, self._results, self._aside):
            for number in [each for each in found if each >= enough]:
                del found[number]
        self._count()
        return vain

    def played(self, contest: int, batch: int | None = None) -> Iterator[Result]:
        """The results of the last batch, ascending by number."""
        yield from (self._results[number] for number in sorted(self._results))

    def set_aside(self, contest: int) -> list[Aside]:
        """Its matches that are not tried any more."""
        return [self._aside[number] for number in sorted(self._aside)]

    def progress(self, contest: int) -> list[Progress]:
        """How far each batch is."""
        return self._progress

    def batch(self, contest: int, number: int) -> Progress | None:
        """How far one batch is; none if it is not drawn yet."""
        return self._progress[number] if number < len(self._progress) else None

    def _count(self) -> None:
        sizes = len(self._fixtures), len(self._results), len(self._aside)
        self._progress[-1] = Progress(len(self._progress) - 1, *sizes)

    # --- what nobody decides about results that nobody keeps

    def count_rulings(self, contest: int) -> int:
        """None."""
        return 0

    def rulings(self, contest: int) -> list[Ruling]:
        """None."""
        return []

    def rulings_of_bots(self, contest: int) -> list[Ruling]:
        """None."""
        return []

    def attempts(self, contest: int, numbers: Sequence[int] | None = None) -> dict[int, list[Attempt]]:
        """None that do not count."""
        return {}

    def pending(self, contest: int) -> list[tuple[int, Fixture]]:
        """None."""
        return []

    def voided(self, contest: int) -> list[int]:
        """None."""
        return []
