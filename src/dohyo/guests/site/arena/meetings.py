"""Two bots of a ladder against each other: the score, how sure it is, by seat, and the matches."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, pvariance

import msgspec

from dohyo.core.contest import Result
from dohyo.series.store import Store
from dohyo.series.store.records import Meeting

NORMAL = 1.959964  # a normal distribution's 97.5 % point
FEW = 6  # seeds: of fewer nobody can say who is better
MOST = 300  # meetings that are counted, the newest ones
SHOWN = 20  # matches


class Score(msgspec.Struct, frozen=True):
    """How often a bot stood before, beside and behind another, and its share of the points with a 95 % interval."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    low: float = 0.0
    high: float = 1.0
    seeds: int = 0

    @property
    def matches(self) -> int:
        """How often they met."""
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float:
        """Its part of the points: a draw is half a win."""
        return (self.won + self.drawn / 2) / max(1, self.matches)

    @property
    def verdict(self) -> str:
        """In a word: better, worse, unclear, or few where they have met too seldom to say."""
        if self.seeds < FEW:
            return "few"
        return "better" if self.low > 0.5 else "worse" if self.high < 0.5 else "unclear"


class SeatScore(msgspec.Struct, frozen=True):
    """A bot's score against another in the matches in which it had this seat, which counts from 0."""

    seat: int
    score: Score


class HeadToHead(msgspec.Struct, frozen=True):
    """What is known of two bots that met: the newest `MOST` meetings count, the newest matches are shown."""

    score: Score
    seats: list[SeatScore]
    matches: list[Result]


def score_of(meetings: Sequence[Meeting]) -> Score:
    """The score of the first of two bots.

    Matches of one seed may come out alike, so a seed is one observation: its mean. The interval is Wilson's, with the
    variance between the seeds.
    """
    by_seed: dict[int, list[float]] = {}
    for each in meetings:
        by_seed.setdefault(each.seed, []).append(_points(each))
    points = [_points(each) for each in meetings]
    seeds = [fmean(own) for own in by_seed.values()]
    low, high = _interval(seeds)
    return Score(points.count(1.0), points.count(0.5), points.count(0.0), low, high, len(seeds))


def _points(meeting: Meeting) -> float:
    if meeting.place == meeting.other_place:
        return 0.5
    return 1.0 if meeting.place < meeting.other_place else 0.0


def _interval(seeds: Sequence[float]) -> tuple[float, float]:
    """Between which shares the true one lies, with 95 % certainty; everything without any match."""
    if not seeds:
        return 0.0, 1.0
    count, mean, variance = len(seeds), fmean(seeds), pvariance(seeds)
    square = NORMAL * NORMAL
    middle = (mean + square / (2 * count)) / (1 + square / count)
    half = NORMAL * sqrt(variance / count + square / (4 * count * count)) / (1 + square / count)
    return max(0.0, middle - half), min(1.0, middle + half)


def head_to_head(store: Store, contest: int, one: int, other: int) -> HeadToHead:
    """What is known of two entrants."""
    meetings = store.met(contest, one, other, MOST)
    seats = sorted({each.seat for each in meetings})
    by_seat = [SeatScore(seat, score_of([each for each in meetings if each.seat == seat])) for seat in seats]
    numbers = list(dict.fromkeys(each.match for each in meetings))[:SHOWN]
    return HeadToHead(score_of(meetings), by_seat, store.results_of(contest, numbers)[::-1])
