"""What the operator may choose before a match of Drop-Block."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dohyo.core.options import Option, Value, one_of, whole, yes_no
from dohyo.games.drop_block.protocol import LETTERS
from dohyo.games.drop_block.rules import BLOCKS, NOBODY, PERSONAL_SPACE, SEATS, SQUARES, STUN_BY_ATTACK

MAX_TURNS = 1_000_000
MAX_BLOCK = 99  # a block's value fits a byte with room for what a turn adds


def read_players(value: Value) -> list[list[Any]]:
    """Four players: `row,column,facing` each, separated by `/`; `-` for one that has fallen already.

    From Python: a list of four `[row, column, facing]`, or `[]` for a fallen one.
    """
    parts = value.split("/") if isinstance(value, str) else value
    if len(parts) != SEATS:
        raise ValueError
    players = [_read_player(part) for part in parts]
    standing = [player for player in players if player]
    if not standing:
        raise ValueError
    for i, (row, column, _) in enumerate(standing):
        for other_row, other_column, _ in standing[:i]:
            if abs(row - other_row) + abs(column - other_column) <= PERSONAL_SPACE:
                raise ValueError
    return players


def _read_player(part: Value) -> list[Any]:
    if part in ("-", [], ()):
        return []
    words = part.split(",") if isinstance(part, str) else part
    row, column, facing = words
    if facing not in tuple(LETTERS[:4]):
        raise ValueError
    square = whole(0, SQUARES - 1)
    return [square(row), square(column), facing]


def read_blocks(value: Value) -> list[int]:
    """The 36 values of the blocks, row by row, separated by commas; or a list of them."""
    words = value.split(",") if isinstance(value, str) else value
    if len(words) != BLOCKS * BLOCKS:
        raise ValueError
    return [whole(-MAX_BLOCK, MAX_BLOCK)(word) for word in words]


OPTIONS = (
    Option("turns", 1000, f"0 to {MAX_TURNS}", "turn limit, over all players", whole(0, MAX_TURNS)),
    Option(
        "position_order",
        "row-column",
        "row-column or column-row",
        "how positions are told: as in the rule texts, or as the contest's referee did",
        one_of("row-column", "column-row"),
        told=True,
    ),
    Option("idle", False, "yes or no", "play on to the turn limit when all have fallen", yes_no),
    Option(
        "players",
        None,
        "ROW,COLUMN,FACING/... for four players more than 3 squares apart, - for a fallen one",
        "where the players start, instead of the deal",
        read_players,
    ),
    Option(
        "blocks",
        None,
        f"36 numbers from -{MAX_BLOCK} to {MAX_BLOCK}, parted by commas",
        "the blocks at the start, row by row",
        read_blocks,
    ),
)


def possible(s: Any) -> bool:
    """Whether a match can come to this state: a replay that somebody wrote by hand may hold any numbers."""
    on_board = all(-1 <= place < SQUARES for place in (*s.row, *s.column))
    players = all(0 <= facing < 4 for facing in s.facing) and all(0 <= stun < STUN_BY_ATTACK for stun in s.stun)
    blocks = all(-MAX_BLOCK <= block <= MAX_BLOCK for block in s.block)
    return on_board and players and blocks and s.turn >= 0 and 0 <= s.limit <= MAX_TURNS


def start(s: Any, setup: Mapping[str, Value], seats: int) -> None:
    """Write a resolved setup into a new state."""
    s.limit = setup["turns"]
    s.idle_on = int(setup["idle"])
    s.column_first = int(setup["position_order"] == "column-row")
    if setup["blocks"] is not None:
        s.block[:] = setup["blocks"]
    if setup["players"] is not None:
        s.dealt = 1
        for p, player in enumerate(setup["players"]):
            if player:
                s.row[p], s.column[p], s.facing[p] = player[0], player[1], LETTERS.index(player[2])
            else:
                s.row[p] = s.column[p] = NOBODY
                s.fallen_at[p] = -1  # before the first turn
