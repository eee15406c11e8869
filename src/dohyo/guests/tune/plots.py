"""What is shown of a tuning: how the expected score changes with one parameter, and with two."""

from __future__ import annotations

import msgspec

from dohyo.guests.tune.model import np
from dohyo.guests.tune.space import places_of, values_along
from dohyo.guests.tune.tuning import Tuning

FINE = 41  # values of a number along a curve
SQUARES = 25  # along each side of a surface


class Point(msgspec.Struct, frozen=True):
    """A value, its place, the expected score there, and half of that score's 95 % interval."""

    value: str
    place: float
    score: float
    wide: float


def curve(tuning: Tuning, axis: int, count: int = FINE) -> list[Point]:
    """The expected score along one parameter, the others at their best values."""
    assert tuning.best is not None
    one = tuning.space[axis]
    values = values_along(one, count)
    rows = np.array([places_of(tuning.space, tuning.best.values)] * len(values))
    rows[:, axis] = [one.place(value) for value in values]
    means, errors = tuning.model.mean(rows), tuning.model.error(rows)
    return [
        Point(value, float(row[axis]), float(min(max(mean, 0), 1)), 1.96 * float(error))
        for value, row, mean, error in zip(values, rows, means, errors, strict=True)
    ]


def surface(tuning: Tuning, across: int, up: int) -> list[list[float]]:
    """The expected score over two numbers, the others at their best values: rows from low to high."""
    assert tuning.best is not None
    places = (np.arange(SQUARES) + 0.5) / SQUARES
    rows = np.array([places_of(tuning.space, tuning.best.values)] * SQUARES**2)
    rows[:, across], rows[:, up] = np.tile(places, SQUARES), np.repeat(places, SQUARES)
    return tuning.model.mean(rows).clip(0, 1).reshape(SQUARES, SQUARES).tolist()


def numbers(tuning: Tuning) -> list[int]:
    """Which parameters are numbers, those that change the expected score most first."""
    axes = [axis for axis, one in enumerate(tuning.space) if not one.words]
    return sorted(axes, key=lambda axis: -reach(tuning, axis))


def reach(tuning: Tuning, axis: int) -> float:
    """By how much the expected score changes along a parameter."""
    scores = [point.score for point in curve(tuning, axis, 11)]
    return max(scores) - min(scores)
