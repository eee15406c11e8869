"""Two bots of a ladder against each other: the score, how sure it is, by seat, and the matches."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from statistics import fmean, pvariance
from threading import Lock

import msgspec

from dohyo.core.contest import Result
from dohyo.core.errors import OperatorError, ReplayError
from dohyo.core.replay import Replay
from dohyo.core.replay_format import decode
from dohyo.series.sequential import wilson
from dohyo.series.store import Store
from dohyo.series.store.records import Meeting

FEW = 6  # seeds: of fewer nobody can say who is better
MOST = 300  # meetings that are counted, the newest ones
SHOWN = 20  # matches
ALIKE = 3  # matches of the same seats that are compared move for move
COMPARED = 1 << 20  # bytes of a replay that is read for it
KEPT = 1000  # answers

_COMPARED: OrderedDict[tuple[str, ...], bool] = OrderedDict()  # by the replays' digests
_LOCK = Lock()  # of these, never while anything is read


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
    """What is known of two bots that met: the newest `MOST` meetings count, the newest matches are shown.

    `repeats` says that the newest matches of the same seats were the same move for move.
    """

    score: Score
    seats: list[SeatScore]
    matches: list[Result]
    repeats: bool = False


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
    low, high = wilson(len(seeds), fmean(seeds), pvariance(seeds)) if seeds else (0.0, 1.0)
    return Score(points.count(1.0), points.count(0.5), points.count(0.0), low, high, len(seeds))


def _points(meeting: Meeting) -> float:
    if meeting.place == meeting.other_place:
        return 0.5
    return 1.0 if meeting.place < meeting.other_place else 0.0


def head_to_head(store: Store, contest: int, one: int, other: int) -> HeadToHead:
    """What is known of two entrants."""
    meetings = store.met(contest, one, other, MOST)
    seats = sorted({each.seat for each in meetings})
    by_seat = [SeatScore(seat, score_of([each for each in meetings if each.seat == seat])) for seat in seats]
    numbers = list(dict.fromkeys(each.match for each in meetings))[:SHOWN]
    matches = store.results_of(contest, numbers)[::-1]
    return HeadToHead(score_of(meetings), by_seat, matches, _repeats(store, matches))


def _repeats(store: Store, matches: Sequence[Result]) -> bool:
    """Whether the newest matches on different seeds were the same move for move, each time with the same seats.

    A few replays are read, and only where the results are the same.
    """
    groups: dict[tuple[int, ...], list[Result]] = {}
    for each in matches:
        groups.setdefault(each.fixture.seats, []).append(each)
    compared = [own[:ALIKE] for own in groups.values() if len(own) >= ALIKE]
    if not compared or any(len({(each.places, each.scores) for each in own}) > 1 for own in compared):
        return False
    return all(len({each.fixture.seed for each in own}) > 1 and _same_moves(store, own) for own in compared)


def _same_moves(store: Store, matches: Sequence[Result]) -> bool:
    """Whether it is known that these matches were the same: not where a replay is missing, damaged or very long."""
    if any(each.replay is None for each in matches):
        return False
    digests = tuple(str(each.replay) for each in matches)
    with _LOCK:
        if digests in _COMPARED:
            _COMPARED.move_to_end(digests)
            return _COMPARED[digests]
    try:
        contents = [store.files.get(digest, COMPARED) for digest in digests]
    except OperatorError:  # it may be there again the next time
        return False
    same = _say_the_same(contents)
    with _LOCK:
        _COMPARED[digests] = same
        while len(_COMPARED) > KEPT:
            _COMPARED.popitem(last=False)
    return same


def _say_the_same(replays: Sequence[bytes]) -> bool:
    """Whether replays tell of the same moves; one that cannot be read tells of none."""
    try:
        first = _moves(decode(replays[0]))
        return all(_moves(decode(each)) == first for each in replays[1:])
    except ReplayError:
        return False


def _moves(replay: Replay) -> list[tuple[tuple[int, ...], list[tuple[int, str]]]]:
    """What was done in each turn, by whom."""
    return [(turn.dice, [(move.seat, move.action) for move in turn.moves]) for turn in replay.turns]
