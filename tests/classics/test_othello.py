"""Othello: perft, passes, and the end."""

from __future__ import annotations

import itertools
import random

import pytest

from tests.classics.games import classic
from tests.games.perft import after, perft

PASS = 64
KNOWN = (4, 12, 56, 244, 1396, 8200, 55092, 390216)  # of the start, from depth 1 on


def test_perft(full: bool) -> None:
    """So many ways lead from the start; deeper with `--full`."""
    game = classic("othello")
    for depth, count in enumerate(KNOWN[: None if full else 6], 1):
        assert perft(game, game.new_state({}, 2), depth) == count


def test_a_seat_without_a_move_passes_and_the_match_ends_when_both_would() -> None:
    """Bit 63 too: white's disc in the last corner."""
    game = classic("othello")
    own = game.rules.step.__globals__["own_step"].__globals__
    state = game.new_state({}, 2)
    own["put_discs"](state, 1, -(1 << 63))  # nobody encloses anything
    assert list(game.legal_actions(state, 0)) == [64]
    state.moves = own["moves_of"](1, -(1 << 63))
    game.rules.step(state, [64, 0], None)
    assert game.rules.over(state)
    assert (game.rules.score(state, 0), game.rules.score(state, 1), game.rules.winner(state)) == (1, 1, -1)


def enclosed(board: list[int], seat: int, at: int) -> set[int]:
    """The discs that a disc there turns over, found step by step along the eight ways."""
    found: set[int] = set()
    for down, right in itertools.product((-1, 0, 1), repeat=2):
        row, column, line = at // 8 + down, at % 8 + right, set()
        while 0 <= row < 8 and 0 <= column < 8 and board[8 * row + column] == 2 - seat:
            line.add(8 * row + column)
            row, column = row + down, column + right
        if 0 <= row < 8 and 0 <= column < 8 and board[8 * row + column] == seat + 1:
            found |= line
    return found


def test_random_matches_are_as_a_search_plays_them() -> None:
    """What is legal, what is turned over, passes in the middle of a match, its end and its score."""
    game, passes, early = classic("othello"), 0, 0
    for seed in range(40, 60):  # one of them ends before the board is full
        state, chooser = game.new_state({}, 2), random.Random(seed)
        while not game.rules.over(state):
            seat, board = state.turn % 2, list(state.board)
            free = [at for at in range(64) if board[at] == 0]
            moves = [at for at in free if enclosed(board, seat, at)]
            assert list(game.legal_actions(state, seat)) == (moves or [PASS])
            action = chooser.choice(moves or [PASS])
            passes += action == PASS
            state = after(game, state, seat, action)
            if action != PASS:
                for at in {action} | enclosed(board, seat, action):
                    board[at] = seat + 1
            assert state.board == board
            assert [game.rules.score(state, each) for each in range(2)] == [board.count(1), board.count(2)]
            stuck = not any(enclosed(board, each, at) for each in range(2) for at in free if board[at] == 0)
            assert game.rules.over(state) == stuck
        early += 0 in state.board
    assert passes >= 10
    assert early > 0


def test_the_last_corner_encloses_along_its_row() -> None:
    """Squares 56 to 63, of which the last is the sign of the number."""
    game = classic("othello")
    own = game.rules.step.__globals__["own_step"].__globals__
    state = game.new_state({}, 2)
    own["put_discs"](state, 1 << 57, sum(1 << at for at in range(58, 63)))
    assert list(game.legal_actions(state, 0)) == [63]
    game.rules.step(state, [63, 0], None)
    assert game.rules.score(state, 0) == 7
    assert state.board[63] == 1
    assert state.ended == 1


@pytest.mark.parametrize("name", ["othello", "hex"])
def test_the_plain_prompt_is_the_compiled_one(name: str) -> None:
    """Plain Python takes the legal actions from the file's own list, compiled code asks for each: the same bytes."""
    game = classic(name)
    plain, twin = game.protocol.prompt, game.protocol.prompt.__twin__  # type: ignore[attr-defined]
    luck, state = random.Random(1), game.new_state({}, 2)
    while not game.rules.over(state):
        for seat in range(2):
            rows = bytearray(game.protocol.PROMPT_BYTES), bytearray(game.protocol.PROMPT_BYTES)
            assert plain(state, seat, rows[0]) == twin(state, seat, rows[1])
            assert rows[0] == rows[1]
        mover = state.turn % 2
        state = after(game, state, mover, luck.choice(list(game.legal_actions(state, mover))))
