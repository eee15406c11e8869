"""The text's random numbers, as recovered from its example, and its random opponent."""

from __future__ import annotations

from collections import Counter

import pytest

from dohyo.games.shoot_em_up import protocol, rules
from dohyo.games.shoot_em_up.rules import draw, generator, random_action
from tests.games.shoot_em_up.combats import combat


def test_known_answer_of_the_generator() -> None:
    """Park and Miller: after 10,000 steps from 1 the state is 1043618065."""
    g = generator(1)
    for _ in range(10_000):
        draw(g, 1)
    assert g.state == 1043618065


@pytest.mark.parametrize("seed", [0, 2147483647])
def test_zero_state_is_replaced(seed: int) -> None:
    """Zero would stay zero for ever."""
    assert generator(seed).state == 123459876


def test_first_combat_of_the_text() -> None:
    """G 55 gives P 5 6 and the opponent at (8, 5), whose first action is the shot (-1, -1)."""
    g = generator(55)
    s = combat(0, 0, 0, 0)
    dice = [0] * rules.DICE
    assert rules.roll(s, g, dice) == 4
    rules.deal(s, dice, None)
    assert (s.x, s.y) == ([5, 8], [6, 5])
    assert protocol.text(random_action(s, 1, g)) == "S -1 -1"


def test_places_are_drawn_x_before_y_and_first_seat_before_second() -> None:
    """The dice are the first seat's x and y, then the second's."""
    s = combat(0, 0, 0, 0)
    rules.deal(s, [1, 2, 3, 4], None)
    assert (s.x, s.y) == ([1, 3], [2, 4])


def test_opponent_never_leaves_the_board() -> None:
    """In a corner it draws again whenever it would; everything else it does, equally often."""
    s, g = combat(5, 5, 0, 9), generator(7)
    count = Counter(protocol.text(random_action(s, 1, g)) for _ in range(12_000))
    moves = {line for line in count if line.startswith("M")}
    assert moves == {"M 0 0", "M 1 0", "M 0 -1", "M 1 -1"}
    assert len(count) == 12
    assert all(800 < number < 1200 for number in count.values())
