"""ConnectX: rows in all four directions, boards of all sizes, and a sample bot that looks ahead."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import dohyo
from dohyo.core.options import resolve
from dohyo.core.referee import Answer, Referee
from tests.classics.games import classic

SIZE = 10


def played(moves: str, **setup: Any) -> Any:
    """The state after stones in these columns."""
    game = classic("connectx")
    referee = Referee(game, resolve(game.options, setup), 2, 1)
    for column in moves:
        assert not referee.over
        referee.submit({referee.pending()[0]: Answer(column)})
    return referee.state


def lines_of(board: Any, rows: int, columns: int) -> list[str]:
    """Every line of cells of a board, in all directions, as texts of 0, 1 and 2."""
    cells = {(r, c): str(board[r * SIZE + c]) for r in range(rows) for c in range(columns)}
    found: dict[Any, str] = {}
    for (r, c), value in cells.items():
        for key in (("row", r), ("column", c), ("down", r - c), ("up", r + c)):
            found[key] = found.get(key, "") + value
    return [*found.values()]


def winner_of(board: Any, rows: int, columns: int, inarow: int) -> int:
    """Whose stones make a row, by another way than the rules'; -1 for nobody's."""
    for text in lines_of(board, rows, columns):
        if found := re.search(f"1{{{inarow}}}|2{{{inarow}}}", text):
            return int(found[0][0]) - 1
    return -1


@pytest.mark.parametrize(
    ("moves", "winner"),
    [("0101010", 0), ("0011223", 0), ("01123223533", 0), ("65543443133", 0), ("60101010", 1), ("010101", -1)],
)
def test_four_in_a_row_win_in_every_direction(moves: str, winner: int) -> None:
    """Upwards, across and on both diagonals, for either seat; three do not."""
    state = played(moves)
    assert (classic("connectx").rules.winner(state), state.ended) == (winner, int(winner >= 0))


@pytest.mark.parametrize("size", [(6, 7, 4), (1, 1, 1), (1, 4, 2), (3, 3, 3), (10, 10, 5), (2, 10, 9), (10, 1, 4)])
def test_matches_end_as_a_search_through_all_lines_says(size: tuple[int, int, int]) -> None:
    """In random matches on boards of all sizes, after every turn; a full board without a row is a draw."""
    rows, columns, inarow = size
    game, draws = classic("connectx"), 0
    for seed in range(25):
        chooser = random.Random(seed)
        state = game.new_state({"rows": rows, "columns": columns, "inarow": inarow}, 2)
        while not game.rules.over(state):
            assert winner_of(state.board, rows, columns, inarow) == -1
            seat, actions = state.turn % 2, [0, 0]
            actions[seat] = chooser.choice(list(game.legal_actions(state, seat)))
            game.rules.step(state, actions, None)
        assert game.rules.winner(state) == winner_of(state.board, rows, columns, inarow)
        assert game.rules.winner(state) >= 0 or state.turn == rows * columns
        draws += game.rules.winner(state) < 0
    assert (draws == 25) == (size in ((2, 10, 9), (10, 1, 4)))


def test_a_full_column_and_one_that_is_not_there_are_illegal() -> None:
    """And said so, each by its own words."""
    state, game = played("33", rows=2, columns=5), classic("connectx")
    assert list(game.legal_actions(state, 0)) == [0, 1, 2, 4]
    why = [game.why_illegal(state, 0, column) for column in (3, 5, 0)]
    assert why == ["the column is full", "the board has no such column", None]


def test_a_frame_has_the_board_as_large_as_it_is() -> None:
    """Nothing of the room beyond a smaller board is drawn."""
    game = classic("connectx")
    before, after = played("3"), played("34")
    drawn = game.frame(before, [None, 4], [], after)["fields"]["board"]
    assert (drawn["shape"], len(drawn["values"])) == ([6, 7], 42)
    assert game.frame(before, [None, 4], [], after)["changed"] == [["board", 39]]
    shown = game.terminal(game.frame(before, [None, 4], [], after), ["a", "b"])
    assert shown.endswith("0 1 2 3 4 5 6[/]")
    assert shown.count("\n") == 12


@pytest.mark.process
def test_the_sample_bot_beats_random_play() -> None:
    """On either seat and on another board; it takes a win and stops one."""
    for seed in range(4):
        setup = {"rows": 5, "columns": 5, "inarow": 3} if seed > 1 else {}
        bots = ["negamax", "random"][:: 1 if seed % 2 == 0 else -1]
        result = dohyo.play("connectx", bots, seed=seed, setup=setup, sandbox="none").result
        assert result.places[seed % 2] == 1
