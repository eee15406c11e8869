"""What dice may show is counted exactly, whatever way a roll takes to its numbers."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dohyo.core import flat
from dohyo.core.chance import Dice, Outcome
from dohyo.core.errors import OperatorError
from dohyo.core.flat import Layout, draws, row_of, source, uniform
from dohyo.games import find, load

EXAMPLES = Path(__file__).parents[2] / "examples"
LAYOUT = Layout("Rolled", ("turn", "i4", 0), ("sides", "i4", 0))


def dice_of(roll: Callable[..., int], most: int = 10_000) -> Dice:
    """The dice of a game with this roll."""
    rules = SimpleNamespace(roll=roll, LAYOUT=LAYOUT, DICE=3)
    return Dice(SimpleNamespace(name="rolled", rules=rules), most)  # type: ignore[arg-type]


def shares(roll: Callable[..., int], sides: int = 6) -> dict[tuple[int, ...], Fraction]:
    """What a roll may show, with the probabilities."""
    state = LAYOUT.new()
    state.sides = sides
    return dict(dice_of(roll).outcomes(state))


def draws_again(s: Any, source: Any, dice: Any) -> int:
    dice[0], dice[1] = 1 + uniform(source, 6), 1 + uniform(source, 6)
    while dice[0] == dice[1]:
        dice[0], dice[1] = 1 + uniform(source, 6), 1 + uniform(source, 6)
    return 2


def test_a_roll_that_draws_until_it_fits_is_counted_exactly() -> None:
    """Each of the thirty pairs of different numbers has 1/30, although the rules may draw for ever."""
    pairs = itertools.permutations(range(1, 7), 2)
    assert shares(draws_again) == dict.fromkeys(pairs, Fraction(1, 30))


def craps(s: Any, source: Any, dice: Any) -> int:
    first = 2 + uniform(source, 6) + uniform(source, 6)
    dice[0] = 1 if first in (7, 11) else 0
    if first in (2, 3, 7, 11, 12):
        return 1
    again = 0
    while again not in (first, 7):
        again = 2 + uniform(source, 6) + uniform(source, 6)
    dice[0] = 1 if again == first else 0
    return 1


def test_craps_is_won_as_often_as_textbooks_say() -> None:
    """The shooter wins with probability 244/495."""
    assert shares(craps) == {(0,): Fraction(251, 495), (1,): Fraction(244, 495)}


def until_a_six(s: Any, source: Any, dice: Any) -> int:
    while uniform(source, 6) != 5:
        dice[0] = 1 - dice[0]
    return 1


def test_how_often_was_drawn_may_count() -> None:
    """Of the tries before the first six, an odd number of times has probability 5/11."""
    assert shares(until_a_six) == {(0,): Fraction(6, 11), (1,): Fraction(5, 11)}


def three(source: Any) -> int:
    found = 0
    for _ in range(3):
        found += uniform(source, 6)
    return found


def by_loop(s: Any, source: Any, dice: Any) -> int:
    dice[0] = three(source)
    return 1


def by_tuple(s: Any, source: Any, dice: Any) -> int:
    for sides in (6, 6, 6):
        dice[0] += uniform(source, sides)
    return 1


def by_module(s: Any, source: Any, dice: Any) -> int:
    for _ in range(3):
        dice[0] += flat.uniform(source, 6)
    return 1


def by_list(s: Any, source: Any, dice: Any) -> int:
    dice[0] = sum([uniform(source, s.sides) for _ in range(3)])
    return 1


def by_generator(s: Any, source: Any, dice: Any) -> int:
    dice[0] = sum(uniform(source, s.sides) for _ in range(3))
    return 1


def by_one_expression(s: Any, source: Any, dice: Any) -> int:
    dice[0] = uniform(source, 6) + (uniform(source, 6) if s.sides else 0) + uniform(source, 6)
    return 1


def one(source: Any) -> int:
    return uniform(source, 6)


def by_callback(s: Any, source: Any, dice: Any) -> int:
    dice[0] = sum(map(one, (source, source, source)))
    return 1


def by_calls(s: Any, source: Any, dice: Any) -> int:
    dice[0] = two(source) + uniform(source, 6)
    return 1


def two(source: Any) -> int:
    return uniform(source, 6) + uniform(source, 6)


@pytest.mark.parametrize(
    "roll", [by_loop, by_tuple, by_module, by_list, by_generator, by_one_expression, by_callback, by_calls]
)
def test_however_three_dice_are_added_up(roll: Callable[..., int]) -> None:
    """Loops, lists, generators, one expression, functions: their sums have the same probabilities."""
    expected: dict[tuple[int, ...], Fraction] = {}
    for each in itertools.product(range(6), repeat=3):
        expected[(sum(each),)] = expected.get((sum(each),), Fraction(0)) + Fraction(1, 216)
    assert shares(roll) == expected


def by_tuple_or_range(s: Any, source: Any, dice: Any) -> int:
    for _ in (5, 5, 5) if s.sides in range(1, 7) else range(2):
        if uniform(source, 2) == 1:
            dice[0] = 1
            break
    return 1


def by_range_or_tuple(s: Any, source: Any, dice: Any) -> int:
    for _ in range(3) if s.sides == 0 else (5, 5, 5):
        if uniform(source, 2) == 1:
            dice[0] = 1
            break
    return 1


def by_tuple_beside_a_range(s: Any, source: Any, dice: Any) -> int:
    if s.sides in range(9):
        for _ in (5, 5, 5):
            if uniform(source, 2) == 1:
                dice[0] = 1
    return 1


def thrice() -> tuple[int, ...]:
    return 5, 5, 5


def by_what_a_function_gives(s: Any, source: Any, dice: Any) -> int:
    if s.sides in range(9):
        for _ in thrice():
            if uniform(source, 2) == 1:
                dice[0] = 1
    return 1


def by_part_of_a_range(s: Any, source: Any, dice: Any) -> int:
    for at in range(9)[:3]:
        del at
        if uniform(source, 2) == 1:
            dice[0] = 1
    return 1


def by_either_range(s: Any, source: Any, dice: Any) -> int:
    for _ in range(3) if s.sides == 6 else range(2):
        if uniform(source, 2) == 1:
            dice[0] = 1
    return 1


@pytest.mark.parametrize(
    "roll",
    [
        by_tuple_or_range,
        by_range_or_tuple,
        by_tuple_beside_a_range,
        by_what_a_function_gives,
        by_part_of_a_range,
        by_either_range,
    ],
)
def test_a_range_elsewhere_stands_for_no_loop(roll: Callable[..., int]) -> None:
    """A loop's place counts, whatever it goes over: of three coins, one shows heads with probability 7/8."""
    assert shares(roll) == {(0,): Fraction(1, 8), (1,): Fraction(7, 8)}


def by_a_bound_that_is_forgotten(s: Any, source: Any, dice: Any) -> int:
    bound = 1 + uniform(source, 3)
    for _ in range(bound):
        bound = 0
        dice[0] += uniform(source, 2)
    return 1


def test_how_far_a_loop_goes_is_not_forgotten() -> None:
    """A loop's bound counts although no local number holds it any more."""
    expected: dict[tuple[int, ...], Fraction] = {}
    for bound in (1, 2, 3):
        for each in itertools.product(range(2), repeat=bound):
            expected[(sum(each),)] = expected.get((sum(each),), Fraction(0)) + Fraction(1, 3 * 2**bound)
    assert shares(by_a_bound_that_is_forgotten) == expected


def into_places_in_order(s: Any, source: Any, dice: Any) -> int:
    at = 0
    while at < 3:
        dice[at] = uniform(source, 4)
        if at == 0 or dice[at] > dice[at - 1] or s.turn > 0:
            at += 1
        elif uniform(source, 2) == 0:
            at -= 1
    return 3


def test_loops_within_loops_agree_with_real_rolls() -> None:
    """Where a roll goes to and fro, each outcome is as frequent as counted: chi-squared is ordinary."""
    state = LAYOUT.new()
    counted = dict(dice_of(into_places_in_order).outcomes(state))
    assert sum(counted.values()) == 1
    luck, row, rolls = source(5), row_of(3), 1000
    seen = dict.fromkeys(counted, 0)
    for _ in range(rolls):
        into_places_in_order(state, luck, row)
        seen[tuple(row)] += 1
    off = sum((seen[dice] - rolls * float(share)) ** 2 / (rolls * float(share)) for dice, share in counted.items())
    assert off < len(counted) + 4 * (2 * len(counted)) ** 0.5


def test_a_number_of_one_is_no_branching() -> None:
    """With one side there is one outcome."""
    assert shares(by_list, sides=1) == {(0,): 1}


def stuck(s: Any, source: Any, dice: Any) -> int:
    while uniform(source, 2) == 0 or s.turn == 0:
        pass
    return 0


def test_a_roll_without_an_end_is_said() -> None:
    """Where nothing ever fits, a sentence says so, and nothing hangs."""
    with pytest.raises(OperatorError, match="for ever"):
        shares(stuck)


def counting(s: Any, source: Any, dice: Any) -> int:
    while uniform(source, 6) != 5:
        dice[0] += 1
    return 1


def all_three(s: Any, source: Any, dice: Any) -> int:
    for at in range(3):
        dice[at] = uniform(source, 100)
    return 3


@pytest.mark.parametrize("roll", [counting, all_three])
def test_too_much_to_count_is_said(roll: Callable[..., int]) -> None:
    """Infinitely many outcomes, or more than are wanted: a sentence, soon."""
    with pytest.raises(OperatorError, match="more than 1000 outcomes"):
        dice_of(roll, most=1000).outcomes(LAYOUT.new())


def own_draw(s: Any, source: Any, dice: Any) -> int:
    source.word[0] = source.word[0] * 5 % 7
    dice[0] = source.word[0]
    return 1


def test_an_unmarked_draw_is_said() -> None:
    """A roll that looks into its source by itself cannot be counted."""
    with pytest.raises(OperatorError, match="@draws"):
        shares(own_draw)


@draws
def own_marked(source: Any, n: int) -> int:
    return int(source.word[0]) % n


def by_own_draw(s: Any, source: Any, dice: Any) -> int:
    dice[0] = own_marked(source, 3)
    return 1


def test_a_function_with_the_mark_draws() -> None:
    """A game's own random numbers count, if their function carries the mark."""
    assert shares(by_own_draw) == {(number,): Fraction(1, 3) for number in range(3)}


def test_outcomes_are_kept_by_what_a_roll_looks_at() -> None:
    """States that differ elsewhere share one list; those that differ in what the roll reads do not."""
    dice, one, other, third = dice_of(by_list), LAYOUT.new(), LAYOUT.new(), LAYOUT.new()
    one.sides = other.sides = 2
    other.turn, third.sides = 7, 3
    assert dice.outcomes(one) is dice.outcomes(other)
    assert len(dice.outcomes(third)) == 7


def test_cards_are_counted_by_their_ranks() -> None:
    """In Leduc poker two of a kind are dealt with probability 1/15, two others with 2/15; then the open card is."""
    game = find("leduc-poker")
    dice = Dice(game)
    state = game.new_state({}, 2)
    expected = {(a, b): Fraction(1 if a == b else 2, 15) for a in (1, 2, 3) for b in (1, 2, 3)}
    assert dict(dice.outcomes(state)) == expected
    after = [(follows, outcome) for follows, outcome in dice.after(state) if outcome.dice == (1, 1)]
    assert [(list(follows.card), outcome.probability) for follows, outcome in after] == [([1, 1], Fraction(1, 15))]
    assert list(state.card) == [0, 0]
    after[0][0].round = 1
    assert dice.outcomes(after[0][0]) == (Outcome((2,), Fraction(1, 2)), Outcome((3,), Fraction(1, 2)))


@pytest.mark.parametrize(("name", "outcomes"), [("backgammon", 30), ("kuhn-poker", 6), ("shoot-em-up", 10_000)])
def test_first_rolls_of_games(name: str, outcomes: int) -> None:
    """All that may come first is as likely as all else."""
    game = find(name)
    found = Dice(game).outcomes(game.new_state({}, 2))
    assert {each.probability for each in found} == {Fraction(1, outcomes)}
    assert len(found) == outcomes


def test_prizes_come_in_any_order() -> None:
    """A shuffle gives each of the 720 orders of six cards once."""
    game = load(EXAMPLES / "goofspiel.py")
    found = Dice(game).outcomes(game.new_state({}, 2))
    assert dict(found) == dict.fromkeys(itertools.permutations(range(1, 7)), Fraction(1, 720))
