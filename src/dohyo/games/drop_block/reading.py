"""Drop-Block, what a bot's class sees: the blocks and the players, of what `starter.py` describes.

Nothing is hidden in this game, so an observation makes a whole state of the rules, too. Which number of a square is
the row, is not in the text: the option `position_order` says it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from dohyo.core import observation
from dohyo.core.observation import all_actions
from dohyo.games.drop_block.protocol import LETTERS
from dohyo.games.drop_block.rules import LAYOUT

LIMIT = 1000  # turns of a match; the seat is not told if it is another number
ACTIONS = all_actions(tuple(LETTERS))


class Player(msgspec.Struct, frozen=True):
    """One player: its square (-1, -1 once it has fallen), where it looks (U, R, D or L), its blocked own turns."""

    row: int
    column: int
    facing: str
    stun: int

    @property
    def has_fallen(self) -> bool:
        """Whether it is out."""
        return self.row < 0

    @property
    def block(self) -> tuple[int, int]:
        """The row and column of the block on which it stands, 0 to 5 each."""
        return self.row // 3, self.column // 3


class DropBlockObservation(observation.Observation, frozen=True, kw_only=True):
    """What the seat is sent: its number, the match's turn, the blocks as 6 rows of 6, and all four players.

    A block is 0 if it is stable, above 0 if it falls in so many turns, below 0 if it is gone for so many turns.
    `columns_first`: whether the text has the column of a square before its row.
    """

    seat: int
    turn: int
    blocks: tuple[tuple[int, ...], ...]
    players: tuple[Player, ...]
    columns_first: bool

    @property
    def me(self) -> Player:
        """The seat's own player."""
        return self.players[self.seat]

    def state(self) -> Any:
        """A state of the rules that looks like this, in a match of 1000 turns."""
        s = LAYOUT.new()
        s.turn, s.limit, s.dealt, s.column_first = self.turn, LIMIT, 1, int(self.columns_first)
        s.block[:] = [value for row in self.blocks for value in row]
        for p, player in enumerate(self.players):
            s.row[p], s.column[p] = player.row, player.column
            s.facing[p], s.stun[p] = LETTERS.index(player.facing), player.stun
        return s


class Reading:
    """The observations of a match where squares are written in one of the two orders."""

    def __init__(self, columns_first: bool) -> None:
        self._columns_first = columns_first

    def observation_of(self, sent: Any, before: DropBlockObservation | None, answered: str) -> DropBlockObservation:
        """The seat's number, the turn, the blocks, the players."""
        return DropBlockObservation(
            lines=sent.lines,
            own_turn=sent.own_turn,
            legal_actions=ACTIONS,
            seat=sent.me,
            turn=sent.number,
            blocks=sent.blocks,
            players=tuple([Player(each.row, each.column, each.facing, each.stun) for each in sent.players]),
            columns_first=self._columns_first,
        )


def under(setup: Mapping[str, Any]) -> Reading:
    """The reading for the values of the options that bots are told."""
    return Reading(setup["position_order"] == "column-row")
