"""What cost points: how likely a difference is by chance, what is usual, and many questions at once."""

from __future__ import annotations

from math import comb
from random import Random

import pytest

from dohyo.series.costs import FEW, LEVEL, Own, Usual, below, compared, groups, holm, points_of, usual_of


def drawn(chance: float, count: int, seed: int) -> list[float]:
    """Points of so many matches."""
    lots = Random(seed)
    return [float(lots.random() < chance) for _ in range(count)]


def test_points_are_the_share_of_opponents_behind() -> None:
    """A tie is half; whoever is alone has nothing."""
    assert points_of(1, [2, 3, 3]) == 1.0
    assert points_of(2, [1, 2, 3]) == 0.5
    assert points_of(1, []) == 0.0


def test_too_few_matches_say_nothing() -> None:
    """Of a group, and beside it, ten matches are needed."""
    many = [0.0, 1.0] * FEW
    assert compared(many[: FEW - 1], many) is None
    assert compared(many, many[: FEW - 1]) is None
    assert compared(many[:FEW], many[:FEW]) is not None


def test_chances_of_small_groups_are_not_smaller_than_they_are() -> None:
    """Where nearly all is won, four wins of ten are not as unlikely as a normal approximation would say."""
    beside = [1.0] * 1800 + [0.0] * 200
    inside = [1.0] * 4 + [0.0] * 6
    found = compared(inside, beside)
    assert found is not None
    exact = sum(comb(10, won) * 0.9**won * 0.1 ** (10 - won) for won in range(5))
    assert exact / 3 < found.chance < 3 * exact


def test_what_a_group_costs_everybody_is_no_cost_of_one() -> None:
    """A seat on which all take less is named only beyond that."""
    inside, beside = drawn(0.3, 200, 1), drawn(0.6, 200, 2)
    alone, among = compared(inside, beside), compared(inside, beside, Usual(0.3, 0.001))
    assert alone is not None
    assert among is not None
    assert alone.chance < 1e-6
    assert alone.interval[0] > 0
    assert among.chance > 0.1
    known = usual_of({at: [0.3] for at in range(20)}, {at: [0.7] for at in range(20)})
    assert known is not None
    assert known.lost == pytest.approx(0.4)
    assert usual_of({1: [0.3]}, {1: [0.7]}) is None


def test_numbers_below_what_is_expected() -> None:
    """A mean below 0 is found; the doubt of what was expected of it makes it less sure."""
    lots = Random(3)
    values = [lots.gauss(-0.1, 0.2) for _ in range(100)]
    sure, unsure = below(values), below(values, variance=0.01)
    assert sure is not None
    assert unsure is not None
    assert sure.lost == pytest.approx(0.1, abs=0.06)
    assert sure.chance < 1e-3 < unsure.chance


def test_many_questions_are_answered_together() -> None:
    """The smallest chances are named, each at its share of the level, and none behind one that is not."""
    assert holm([0.0001, 0.5, 0.009, 0.02], 0.03) == [True, False, True, False]
    assert holm([0.02, 0.02], 0.03) == [False, False]
    assert holm([]) == []


def test_nothing_is_named_where_all_is_chance() -> None:
    """Of a hundred bots without any weakness, twenty questions each, at most as many as the level says have one."""
    claimed = 0
    for seed in range(100):
        lots = Random(seed)
        own = [Own(at, at % 2, float(lots.random() < 0.5), (), (f"bot {lots.randrange(18)}",)) for at in range(300)]
        choices = [
            (
                "opponent",
                name,
                lambda one, name=name: name in one.others,
                lambda one, name=name: name not in one.others,
            )
            for name in sorted({one.others[0] for one in own})
        ]
        claimed += any(one.is_clear for one in groups(own, [(*one, None) for one in choices]))
    assert claimed <= 100 * LEVEL + 3
