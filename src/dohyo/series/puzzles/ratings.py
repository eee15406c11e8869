"""How hard a puzzle is, and how good who solves it: a try is a match of the two, rated as ladders rate theirs.

Only the first try of each puzzle counts: whoever has seen the answer has not solved it.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from dohyo.series.puzzles.file import Attempt
from dohyo.series.ratings.ladder_ratings import MU, SIGMA, LadderRating, after

KNOWN = 250.0  # half of an interval, in points: a wider one says too little to be shown


class Rating(msgspec.Struct, frozen=True):
    """A rating in points like Elo's, with its 95 % interval, after so many tries."""

    points: int
    low: int
    high: int
    tries: int

    @property
    def is_known(self) -> bool:
        """Whether it says enough to be told."""
        return self.high - self.low <= 2 * KNOWN


class PuzzleRatings:
    """Ratings of puzzles, by their identifier, and of who tried them, by name. Tries are taken in their order."""

    def __init__(self, attempts: Iterable[Attempt] = ()) -> None:
        self._puzzles: dict[str, LadderRating] = {}
        self._solvers: dict[tuple[str, bool], LadderRating] = {}
        self._seen: set[tuple[str, bool, str]] = set()
        for one in attempts:
            self.take(one)

    def take(self, attempt: Attempt) -> bool:
        """Take a try in; whether it counted, as the first of this puzzle by this solver."""
        who = attempt.by, attempt.is_bot
        if (*who, attempt.puzzle) in self._seen:
            return False
        self._seen.add((*who, attempt.puzzle))
        before = [self._solvers.get(who, NEW), self._puzzles.get(attempt.puzzle, NEW)]
        rated = after(before, [1, 2] if attempt.solved else [2, 1])
        for ratings, key, old, new in zip(
            (self._solvers, self._puzzles), (who, attempt.puzzle), before, rated, strict=True
        ):
            ratings[key] = msgspec.structs.replace(new, seats=old.seats + 1)  # type: ignore[index]
        return True

    def of_puzzle(self, puzzle: str) -> Rating | None:
        """How hard a puzzle is; none where nobody has tried it."""
        return _told(self._puzzles.get(puzzle))

    def of_solver(self, name: str, is_bot: bool = False) -> Rating | None:
        """How good somebody is; none who has tried nothing."""
        return _told(self._solvers.get((name, is_bot)))

    def solvers(self) -> list[tuple[str, bool, Rating]]:
        """Who has tried puzzles, and whether it is a bot; the best first."""
        told = [(name, is_bot, _told(one)) for (name, is_bot), one in self._solvers.items()]
        found = [(name, is_bot, one) for name, is_bot, one in told if one is not None]
        return sorted(found, key=lambda each: (-each[2].points, each[0]))


NEW = LadderRating(MU, SIGMA)


def _told(rating: LadderRating | None) -> Rating | None:
    if rating is None:
        return None
    return Rating(round(rating.elo), round(rating.low), round(rating.high), rating.seats)
