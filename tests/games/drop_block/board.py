"""Boards for tests of the rules: a state by an ordinary setup, and turns by letters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dohyo.core.flat import read_events, row_of
from dohyo.core.options import resolve
from dohyo.games import find
from dohyo.games.drop_block import rules
from dohyo.games.drop_block.protocol import LETTERS

GAME = find("drop-block")

FAR = "0,0,R/0,17,D/17,0,U/17,17,L"  # in the four corners: nobody is in anybody's way


def blocks(**values: int) -> list[int]:
    """36 values, zero but for those named by row and column: `b12` is the block in row 1, column 2."""
    floor = [0] * (rules.BLOCKS * rules.BLOCKS)
    for name, value in values.items():
        floor[int(name[1]) * rules.BLOCKS + int(name[2])] = value
    return floor


def board(players: str = FAR, **setup: Any) -> Any:
    """A state with the players where they are wanted; `b12=5` sets a block, everything else is an option."""
    floor = {name: value for name, value in setup.items() if name[0] == "b" and name[1:].isdigit()}
    given = {name: value for name, value in setup.items() if name not in floor}
    return GAME.new_state(
        resolve(GAME.options, {"players": players, "blocks": blocks(**floor), **given}), rules.SEATS
    )


def play(state: Any, letters: str) -> list[list[tuple[int, int, int, int]]]:
    """One turn for each letter, by whoever's turn it is; what happened in each."""
    happened = []
    for letter in letters:
        events = GAME.new_events()
        actions = row_of(rules.SEATS)
        actions[state.turn % rules.SEATS] = LETTERS.index(letter)
        rules.step(state, actions, events)
        happened.append(read_events(events))
    return happened


def where(state: Any, seat: int) -> tuple[int, int]:
    """The player's row and column."""
    return state.row[seat], state.column[seat]


def block(state: Any, row: int, column: int) -> int:
    """A block's value."""
    return int(state.block[row * rules.BLOCKS + column])


def places(state: Any) -> tuple[list[int], str, int]:
    """Everybody's place, why the match ended, who has won."""
    out = row_of(rules.SEATS)
    reason = rules.REASONS[rules.places(state, out)]
    return out, reason, rules.winner(state)


def kinds(happened: Sequence[tuple[int, int, int, int]]) -> list[int]:
    """The kinds of what happened in a turn."""
    return [event[0] for event in happened]
