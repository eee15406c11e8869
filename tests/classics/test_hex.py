"""Hex: two sides joined, and nothing else, win; a full board always has a winner."""

from __future__ import annotations

import random
from typing import Any

from tests.classics.games import classic

SIZE = 11


def joined(board: Any, seat: int) -> bool:
    """Whether the seat's sides are joined, by a search over the cells."""
    own = {at for at in range(SIZE * SIZE) if board[at] == seat + 1}
    place = (lambda at: at // SIZE) if seat == 0 else (lambda at: at % SIZE)
    seen = todo = {at for at in own if place(at) == 0}
    while todo:
        near = {
            (at // SIZE + down) * SIZE + at % SIZE + right
            for at in todo
            for down, right in ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))
            if 0 <= at % SIZE + right < SIZE
        }
        todo = (near & own) - seen
        seen = seen | todo
    return any(place(at) == SIZE - 1 for at in seen)


def test_a_match_ends_when_sides_are_joined_and_not_before() -> None:
    """In random matches, after every turn, against a search."""
    rules = classic("hex").rules
    for seed in range(30):
        state, chooser = classic("hex").new_state({}, 2), random.Random(seed)
        while not rules.over(state):
            assert not joined(state.board, 0)
            assert not joined(state.board, 1)
            seat = state.turn % 2
            actions = [0, 0]
            actions[seat] = chooser.choice(list(classic("hex").legal_actions(state, seat)))
            rules.step(state, actions, None)
        assert joined(state.board, rules.winner(state))
        assert not joined(state.board, 1 - rules.winner(state))
