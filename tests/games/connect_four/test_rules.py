"""Connect four's rules: where stones land, what four in a row are, and how a match ends."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from dohyo.core.errors import OperatorError
from dohyo.core.options import resolve
from dohyo.core.referee import outcome
from dohyo.games import find
from tests.games.connect_four.laws import NO_FOUR

GAME = find("connect-four")
rules: Any = GAME.rules

CELLS = list(itertools.product(range(rules.COLUMNS), range(rules.ROWS)))
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def after(moves: str) -> Any:
    """The state after stones in these columns, dropped by turns."""
    state = rules.LAYOUT.new()
    for move in moves:
        rules.step(state, [int(move)] * 2, None)
    return state


def has_four(stones: set[tuple[int, int]]) -> bool:
    """The rule as it reads: four cells in a row, from any cell, in any direction."""
    for column, row in stones:
        for across, up in DIRECTIONS:
            if all((column + i * across, row + i * up) in stones for i in range(4)):
                return True
    return False


def bits(stones: set[tuple[int, int]]) -> int:
    """These cells as the rules hold them."""
    return sum(1 << column * rules.HEIGHT + row for column, row in stones)


def test_every_four_and_no_three_is_seen() -> None:
    """All 69 rows of four on the board are found, and none of them without one of its stones."""
    lines = {
        frozenset((column + i * across, row + i * up) for i in range(4))
        for column, row in CELLS
        for across, up in DIRECTIONS
        if (column + 3 * across, row + 3 * up) in CELLS
    }
    assert len(lines) == 69
    for line in lines:
        assert rules.has_four(bits(set(line)))
        assert all(not rules.has_four(bits(set(line) - {cell})) for cell in line)


def test_random_stones_are_judged_as_the_rule_reads() -> None:
    """On boards of any stones, also of those around the edges, the shifts find what a search by cells finds."""
    chooser = random.Random(4)
    found = 0
    for _ in range(3000):
        stones = set(chooser.sample(CELLS, chooser.randrange(4, 25)))
        assert rules.has_four(bits(stones)) == has_four(stones)
        found += has_four(stones)
    assert 300 < found < 2700


def test_stones_fall_onto_each_other() -> None:
    """A stone lies at the bottom, or on the one below; a full column is not offered, and takes none."""
    state = after("333333")
    assert rules.row_of(rules.landing(after("33333"), 3), 3) == 5
    assert state.stones[0] | state.stones[1] == 0b111111 << 3 * rules.HEIGHT
    assert list(GAME.legal_actions(state, 0)) == [0, 1, 2, 4, 5, 6]
    before = list(state.stones)
    rules.step(state, [3, 3], None)
    assert state.stones == before


@pytest.mark.parametrize(
    ("moves", "winner", "reason"),
    [
        ("010101", None, ""),
        ("0101010", 0, "four"),
        ("01010161", 1, "four"),
        ("0011223", 0, "four"),
        ("01122323353", 0, "four"),
        ("65544343313", 0, "four"),
        (NO_FOUR, None, "full"),
        ("3" + "7", 0, "given-up"),
        ("7", 1, "given-up"),
    ],
)
def test_matches_end_as_they_should(moves: str, winner: int | None, reason: str) -> None:
    """Up, across and aslant; on a full board nobody wins; who gives up loses."""
    state = after(moves)
    assert bool(rules.over(state)) == bool(reason)
    if reason:
        result = outcome(GAME, state, 2)
        assert (result.winner, result.reason_key) == (winner, f"connect-four.{reason}")
        assert GAME.possible(state)


def test_a_start_of_ones_own() -> None:
    """Stones may lie there at the start; a list that no match could begin with is refused with the remedy."""
    state = GAME.new_state(resolve(GAME.options, {"moves": "3342"}), 2)
    assert (state.turn, GAME.acting(state, 2)) == (4, [0])
    for wrong in ("7", "3a", "3333333", "0101010", 33):
        with pytest.raises(OperatorError, match="such as 3342"):
            resolve(GAME.options, {"moves": wrong})


def test_states_that_no_match_comes_to() -> None:
    """A stone in the air, above the board, or under another player's; a wrong count: not possible."""
    assert all(GAME.possible(after(NO_FOUR[:count])) for count in range(len(NO_FOUR)))
    for stones, turn in (([2, 0], 1), ([1 << 6, 0], 1), ([1, 1], 2), ([1, 1 << 56], 2), ([1, 0], 3), ([-1, 0], 1)):
        state = rules.LAYOUT.new()
        state.stones, state.turn = stones, turn
        assert not GAME.possible(state), stones


def test_a_learner_sees_its_own_stones_first() -> None:
    """Two planes from the top row on: the seat's stones and the other's; every number is written."""
    observation = GAME.observation
    assert observation is not None
    state = after("330")
    mine, theirs = [0] * 42, [0] * 42
    mine[5 * 7 + 3] = mine[5 * 7 + 0] = theirs[4 * 7 + 3] = 1
    for seat, seen in ((0, mine + theirs), (1, theirs + mine)):
        row = [9] * (len(observation.PLANES) * 42)
        observation.observe(state, seat, row)
        assert row == seen


def test_a_frame_tells_which_four() -> None:
    """The cells of the row are told, and where the last stone fell, both from the top."""
    before, state = after("010101"), after("0101010")
    frame = GAME.frame(before, [0, None], [(rules.DROPPED, 0, 0, 3), (rules.CONNECTED, 0, 0, 0)], state)
    assert frame["line"] == [[0, 2], [0, 3], [0, 4], [0, 5]]
    assert frame["marks"] == [["drop", 0, 0, 2], ["four", 0]]
    assert [row[:2] for row in frame["rows"][2:]] == [[0, None], [0, 1], [0, 1], [0, 1]]
