"""Drop-Block, what a bot's class sees: the blocks and the players, read from what the seat is sent.

Nothing is hidden in this game, so an observation makes a whole state of the rules, too. Which number of a square is
the row, is not in the text: the option `position_order` says it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from dohyo.core import observation
from dohyo.core.observation import all_actions, next_turn
from dohyo.games.drop_block.protocol import LETTERS
from dohyo.games.drop_block.rules import BLOCKS, LAYOUT, SEATS

END = "EOD"
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


class Observation(observation.Observation, frozen=True, kw_only=True):
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


def is_whole(lines: Sequence[str], before: Any) -> bool:
    """Whether the last line is the one that ends a prompt."""
    return lines[-1].strip() == END


class Reading:
    """How the text is read where squares are written in one of the two orders."""

    def __init__(self, columns_first: bool) -> None:
        self._columns_first = columns_first

    def is_whole(self, lines: Sequence[str], before: Any) -> bool:
        """Whether the last line is the one that ends a prompt."""
        return is_whole(lines, before)

    def read(self, lines: Sequence[str], before: Observation | None, answered: str) -> Observation:
        """The seat, the turn, six lines of blocks, a line for each player."""
        blocks = tuple(tuple(map(int, line.split())) for line in lines[2 : 2 + BLOCKS])
        return Observation(
            lines=tuple(lines),
            own_turn=next_turn(before),
            legal_actions=ACTIONS,
            seat=int(lines[0]),
            turn=int(lines[1]),
            blocks=blocks,
            players=tuple(map(self._player, lines[2 + BLOCKS : 2 + BLOCKS + SEATS])),
            columns_first=self._columns_first,
        )

    def _player(self, line: str) -> Player:
        first, second, facing, stun = line.split()
        row, column = (second, first) if self._columns_first else (first, second)
        return Player(int(row), int(column), facing, int(stun))


def under(setup: Mapping[str, Any]) -> Reading:
    """The reading for the values of the options that bots are told."""
    return Reading(setup["position_order"] == "column-row")


def read(lines: Sequence[str], before: Observation | None, answered: str) -> Observation:
    """What the text says where squares are written as usual, the row first."""
    return Reading(False).read(lines, before, answered)
