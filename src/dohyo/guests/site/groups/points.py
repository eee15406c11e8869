"""From where bots stand to points of students, by a rule that a teacher chooses; each student's best bot counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from dohyo.core.errors import OperatorError
from dohyo.guests.site.arena.standings import Line
from dohyo.guests.site.groups.roster import Student
from dohyo.guests.site.whole_numbers import in_ascii, whole

STEPS = 5
MAX_POINTS = 1000.0
MAX_PLACE = 10_000

Kind = Literal["places", "rating", "beaten"]
KINDS: tuple[Kind, ...] = ("places", "rating", "beaten")


class Rule(msgspec.Struct, frozen=True):
    """How points follow from standings.

    places  `steps` are places among the students of the class, and the points up to each; others with a bot: `rest`
    rating  `base` points for the rating of the bot `sample`, `hundred` more for each 100 more, less for less
    beaten  `each` for each sample bot that stands below

    Never less than none, nor more than `most`. Who has no bot gets `nobody`, or nothing is written.
    """

    kind: Kind = "places"
    steps: tuple[tuple[int, float], ...] = ((1, 10.0), (3, 8.0), (10, 6.0))
    rest: float = 4.0
    sample: str = ""
    base: float = 5.0
    hundred: float = 2.0
    each: float = 1.0
    most: float = 10.0
    nobody: float | None = None


class Scored(msgspec.Struct, frozen=True):
    """What a student gets: `points` are none if nothing is written; `place` is among the students of the class."""

    student: Student
    bot: str = ""
    place: int | None = None
    rating: int | None = None
    points: float | None = None

    @property
    def written(self) -> str:
        """The points as they stand in a gradebook."""
        return "" if self.points is None else f"{round(self.points, 2):g}"


def read(form: Mapping[str, Any]) -> Rule:
    """The rule that a form says. Raises `OperatorError` for what is no number, or too large."""
    usual = Rule()
    if "kind" not in form:
        return usual
    kind = next((one for one in KINDS if one == form["kind"]), KINDS[0])
    steps = []
    for number in range(1, STEPS + 1):
        place, points = (str(form.get(f"{name}{number}", "")).strip() for name in ("place", "points"))
        if place or points:
            if (least := whole(place, 1, MAX_PLACE)) is None:
                raise OperatorError("serve-points-place", most=MAX_PLACE)
            steps.append((least, _number(points)))
    return Rule(
        kind,
        tuple(sorted(steps)),
        sample=str(form.get("sample", ""))[:100],
        nobody=0.0 if form.get("nobody") == "zero" else None,
        **{
            name: _number(str(form.get(name, "")) or f"{getattr(usual, name):g}")
            for name in ("rest", "base", "hundred", "each", "most")
        },
    )


def _number(text: str) -> float:
    try:
        value = float(in_ascii(text).replace(",", "."))
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= MAX_POINTS:  # which no NaN is
        raise OperatorError("serve-points-number", most=round(MAX_POINTS))
    return value


def score(rule: Rule, lines: Sequence[Line], owners: Mapping[str, int], students: Sequence[Student]) -> list[Scored]:
    """The points of each student. `lines` are all bots, the best first; `owners` by name those that are somebody's.

    Bots of nobody are sample bots. Raises `OperatorError` where the sample bot of the rule has no rating.
    """
    best: dict[int, Line] = {}
    for line in lines:
        if (owner := owners.get(line.bot)) is not None:
            best.setdefault(owner, line)
    samples = [line for line in lines if line.bot not in owners]
    measure = next((line.rating for line in samples if line.bot == rule.sample), None)
    if rule.kind == "rating" and measure is None:
        raise OperatorError("serve-points-sample")
    here = {one.person for one in students}
    placed = [line.place for owner, line in best.items() if owner in here and line.place is not None]
    found = []
    for student in students:
        own = None if student.person is None else best.get(student.person)
        if own is None:
            found.append(Scored(student, points=rule.nobody))
            continue
        place = None if own.place is None else 1 + sum(other < own.place for other in placed)
        points = min(rule.most, max(0.0, _points(rule, own, place, measure, samples)))
        found.append(Scored(student, own.bot, place, own.rating, points))
    return found


def _points(rule: Rule, line: Line, place: int | None, measure: int | None, samples: Sequence[Line]) -> float:
    if rule.kind == "places":
        return next((points for upto, points in rule.steps if place is not None and place <= upto), rule.rest)
    if line.place is None:
        return 0.0
    if rule.kind == "rating":
        assert line.rating is not None
        assert measure is not None
        return rule.base + rule.hundred * (line.rating - measure) / 100
    return rule.each * sum(one.place is None or one.place > line.place for one in samples)
