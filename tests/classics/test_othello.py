"""Othello: perft, passes, and the end."""

from __future__ import annotations

import random

import pytest

from tests.classics.games import classic
from tests.games.perft import after, perft

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
