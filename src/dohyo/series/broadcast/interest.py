"""How interesting a match is to watch, and why: a number, and the key of a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

APART = 150.0  # Elo: of two who are so far apart, the match is half as close as of equals
UNKNOWN = 0.4  # how close a match is of whom nothing is known
SURE = 100.0  # Elo by which somebody must be ahead to be called the favourite
TOP = 3  # places that are the top of a table


class Known(NamedTuple):
    """What the standings say of an entrant: its name, its place, its rating with its interval, its matches."""

    name: str
    place: int | None = None
    elo: float | None = None
    low: float | None = None
    high: float | None = None
    matches: int = 0


class Candidate(NamedTuple):
    """A match that could be shown: its number, who sits where, whether it is being played, or how and when it ended.

    `is_decisive` says that nobody else plays in this round of a knock-out: a final.
    """

    number: int
    seats: tuple[int, ...]
    is_live: bool = False
    places: tuple[int, ...] = ()
    scores: tuple[float, ...] = ()
    is_decisive: bool = False
    has_fault: bool = False
    at: float = 0.0


class Interest(NamedTuple):
    """How much a match is worth to be shown, and why: final, upset, close, top, or nothing in particular."""

    worth: float
    why: str = ""


def interest(match: Candidate, known: Mapping[int, Known]) -> Interest:
    """How interesting a match is by what is known before it, and by how it ended, if it has."""
    seated = [known.get(entrant) for entrant in match.seats]
    close, top = closeness(seated), _height(seated)
    found = [(close, "close" if close > 0.7 and _are_rated(seated) else ""), (0.8 * top, "top" if top > 0.6 else "")]
    if match.is_decisive:
        found.append((2.0, "final"))
    if upset_by(match.seats, match.places, known) is not None:
        found.append((1.2, "upset"))
    worth = sum(each for each, _ in found) + 0.5 * _is_near(match.scores) + 0.4 * match.is_live
    why = max((each for each in found if each[1]), default=(0.0, ""))[1]
    return Interest(worth * (0.4 if match.has_fault else 1.0), why)


def closeness(seated: Sequence[Known | None]) -> float:
    """How close a match is by the ratings of its two best: 1 for equals; a middle value where these are unknown."""
    ratings = sorted((each.elo for each in seated if each is not None and each.elo is not None), reverse=True)
    if len(ratings) < 2:
        return UNKNOWN
    return 1 / (1 + ((ratings[0] - ratings[1]) / APART) ** 2)


def favourite(seats: Sequence[int], known: Mapping[int, Known]) -> int | None:
    """The seat that the ratings surely put before all others; none without one.

    Its interval lies above theirs: a lead within what is not known is none.
    """
    seated = [known.get(entrant) for entrant in seats]
    if not _are_rated(seated):
        return None
    best = max(range(len(seats)), key=lambda seat: _elo(seated[seat]))
    for seat, other in enumerate(seated):
        if seat != best and not _is_surely_before(seated[best], other):
            return None
    return best


def upset_by(seats: Sequence[int], places: Sequence[int], known: Mapping[int, Known]) -> int | None:
    """The seat that has won a match against a favourite; none if nobody has."""
    expected = favourite(seats, known)
    if expected is None or len(places) != len(seats) or places[expected] == 1:
        return None
    winners = [seat for seat, place in enumerate(places) if place == 1]
    return winners[0] if len(winners) == 1 else None


def _are_rated(seated: Sequence[Known | None]) -> bool:
    return len(seated) > 1 and all(each is not None and each.elo is not None for each in seated)


def _elo(known: Known | None) -> float:
    return 0.0 if known is None or known.elo is None else known.elo


def _is_surely_before(better: Known | None, worse: Known | None) -> bool:
    if better is None or worse is None or better.low is None or worse.high is None:
        return False
    return better.low > worse.high and _elo(better) - _elo(worse) >= SURE


def _height(seated: Sequence[Known | None]) -> float:
    """How high the match is in the table: 1 where the first meets the second."""
    places = sorted(each.place for each in seated if each is not None and each.place is not None)[:2]
    if len(places) < 2:
        return 0.0
    return min(1.0, TOP / sum(places))


def _is_near(scores: Sequence[float]) -> float:
    """How near to each other the two best came by points; 0 without points."""
    best = sorted(scores, reverse=True)[:2]
    if len(best) < 2:
        return 0.0
    return 1 - min(1.0, (best[0] - best[1]) / (abs(best[0]) + abs(best[1]) + 1))
