"""Where the players of Drop-Block begin: the deal, or a start and a floor of the operator's."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from dohyo.core.errors import OperatorError
from dohyo.core.flat import row_of, source
from dohyo.core.options import resolve
from dohyo.games.drop_block import rules
from dohyo.games.drop_block.rules import SEATS, SQUARES
from tests.games.drop_block.board import GAME, board, where


def test_the_deal_keeps_everybody_apart() -> None:
    """Each player stands at Manhattan distance 4 or more from every other, on the board, facing one of four ways."""
    seen: Counter[int] = Counter()
    facings: Counter[int] = Counter()
    dice = row_of(rules.DICE)
    for seed in range(1200):
        assert rules.roll(rules.LAYOUT.new(), source(seed), dice) == 3 * SEATS
        squares = [(dice[3 * p], dice[3 * p + 1]) for p in range(SEATS)]
        for p, (row, column) in enumerate(squares):
            assert 0 <= row < SQUARES
            assert 0 <= column < SQUARES
            assert all(abs(row - r) + abs(column - c) >= 4 for r, c in squares[:p])
        seen.update(row * SQUARES + column for row, column in squares)
        facings.update(dice[2::3])
    assert len(seen) == SQUARES * SQUARES, "every square comes up"
    assert set(facings) == {0, 1, 2, 3}
    assert all(abs(count - 1200) < 5 * 30 for count in facings.values())


def test_the_deal_draws_from_all_squares_and_facings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each square is one of all 324, and drawn again until it is far enough from those before it."""
    drawn = iter([323, 1, 323, 322, 0, 2, 17, 3, 306, 0])
    asked: list[int] = []

    def scripted(_: Any, n: int) -> int:
        asked.append(n)
        return next(drawn)

    monkeypatch.setattr(rules, "uniform", scripted)
    dice = row_of(rules.DICE)
    rules.roll(rules.LAYOUT.new(), None, dice)
    assert dice == [17, 17, 1, 0, 0, 2, 0, 17, 3, 17, 0, 0]
    assert asked == [324, 4, 324, 324, 324, 4, 324, 4, 324, 4]


@pytest.mark.parametrize(
    "players",
    [
        "0,0,D",
        "0,0,D/0,3,D/17,0,U/17,17,U",
        "18,0,D/0,17,D/17,0,U/17,17,U",
        "0,-1,D/0,17,D/17,0,U/17,17,U",
        "-/-/-/-",
        "0,0,X/-/-/-",
        "0,0,A/-/-/-",
        "0,0,RD/-/-/-",
        "0,0/-/-/-",
        "",
        5,
        [[0, 0, "R"]],
        [[0, 0, "R"], [], [], 7],
    ],
)
def test_impossible_starts_are_refused(players: Any) -> None:
    """Players too few, too near, off the board or facing nowhere, and nobody at all: the operator's mistake."""
    with pytest.raises(OperatorError):
        board(players)


@pytest.mark.parametrize(
    "floor", ["0", ",".join(["0"] * 37), ",".join(["100"] * 36), ",".join(["x"] * 36), [0.5] * 36]
)
def test_impossible_floors_are_refused(floor: Any) -> None:
    """36 whole numbers from -99 to 99 are a floor, nothing else is."""
    with pytest.raises(OperatorError):
        resolve(GAME.options, {"blocks": floor})


def test_a_start_is_told_as_a_list_or_in_words() -> None:
    """Python's lists and the command line's words give the same start."""
    words = {"players": "1,2,R/-/9,9,D/17,17,L", "blocks": ",".join(map(str, range(-18, 18)))}
    lists = {"players": [[1, 2, "R"], [], [9, 9, "D"], [17, 17, "L"]], "blocks": list(range(-18, 18))}
    assert resolve(GAME.options, words) == resolve(GAME.options, lists)


def test_the_deal_is_once() -> None:
    """The dice move before the first turn, not when the players are placed by the setup, and never again."""
    state = rules.LAYOUT.new()
    assert rules.needs_dice(state)
    rules.deal(state, (1, 2, 3, 10, 2, 1, 1, 15, 0, 16, 16, 2), None)
    assert not rules.needs_dice(state)
    assert (where(state, 0), state.facing[0], where(state, 3)) == ((1, 2), 3, (16, 16))
    assert not rules.needs_dice(board())
