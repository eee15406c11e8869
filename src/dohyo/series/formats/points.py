"""What results are worth: credit for who is placed behind, points and scores by entrant, and what places follow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from dohyo.core.contest import Entrant, Result, level
from dohyo.series.formats.base import Standing


def credit(played: Result) -> list[int]:
    """By seat: 2 for each bot it was placed before, 1 for each it was level with."""
    places = played.places or (1,) * len(played.fixture.seats)
    return [2 * sum(own < other for other in places) + tied for own, tied in zip(places, level(places), strict=True)]


def tables(results: Sequence[Result]) -> dict[frozenset[int], dict[int, int]]:
    """Who met whom, and the credit of each against the others, all their matches together."""
    found: dict[frozenset[int], dict[int, int]] = {}
    for played in results:
        seats = played.fixture.seats
        sums = found.setdefault(frozenset(seats), dict.fromkeys(seats, 0))
        for entrant, earned in zip(seats, credit(played), strict=True):
            sums[entrant] += earned
    return found


class PointsCount:
    """What entrants earned so far: matches, points (a match won is 1, its last place 0) and scores."""

    def __init__(self) -> None:
        self.matches: dict[int, int] = {}
        self.points: dict[int, float] = {}
        self.scores: dict[int, float] = {}

    def plus(self, results: Sequence[Result]) -> PointsCount:
        """A copy in which these count too."""
        new = PointsCount()
        new.matches, new.points, new.scores = dict(self.matches), dict(self.points), dict(self.scores)
        new.add(results)
        return new

    def add(self, results: Sequence[Result]) -> None:
        """Count these too; a match without a result does not count."""
        for played in results:
            if not played.places:
                continue
            seats = played.fixture.seats
            earned = credit(played)
            scores = played.scores or (0.0,) * len(seats)
            for at, entrant in enumerate(seats):
                self.matches[entrant] = self.matches.get(entrant, 0) + 1
                self.points[entrant] = self.points.get(entrant, 0) + earned[at] / max(1, 2 * (len(seats) - 1))
                self.scores[entrant] = self.scores.get(entrant, 0) + scores[at]

    def standing(
        self, entrants: Sequence[Entrant], worth: Callable[[float, int], float], remark: Callable[[int], str]
    ) -> list[Standing]:
        """Every entrant's standing by what so many points in so many matches are worth, each with its remark."""
        rows = []
        for entrant in entrants:
            at = entrant.number
            points, matches = self.points.get(at, 0.0), self.matches.get(at, 0)
            rows.append(((round(worth(points, matches), 6),), Standing(at, 0, points, matches, remark=remark(at))))
        return ranked(rows)


def a_match(points: float, matches: int) -> float:
    """Points a match; who has played none is last."""
    return points / matches if matches else -1.0


def ranked(rows: Iterable[tuple[tuple[Any, ...], Standing]]) -> list[Standing]:
    """The standings with their places, best first: the greater key is the better, equal keys share a place."""
    ordered = sorted(rows, key=lambda row: row[1].entrant)
    ordered.sort(key=lambda row: row[0], reverse=True)
    placed: list[Standing] = []
    for at, (key, standing) in enumerate(ordered):
        same = at > 0 and ordered[at - 1][0] == key
        placed.append(msgspec.structs.replace(standing, place=placed[-1].place if same else at + 1))
    return placed
