"""Drop-Block: the input of a turn, and what may be answered, for `dohyo new bot`."""

from __future__ import annotations

from collections.abc import Mapping

from dohyo.core.options import Value
from dohyo.core.starter import FixedLine, Line, Number, NumberRows, Record, Records, Starter, Word
from dohyo.games.drop_block.protocol import LETTERS
from dohyo.games.drop_block.rules import BLOCKS, SEATS, SQUARES

ROW = Number("row", f"0 to {SQUARES - 1} from the top; -1: fallen")
COLUMN = Number("column", f"0 to {SQUARES - 1} from the left; -1: fallen")
OTHERS = (Word("facing", "U, R, D or L", 1), Number("stun", "own turns that are still blocked, 0 to 2"))


def starter(setup: Mapping[str, Value]) -> Starter:
    """The input, with positions as the setup tells them."""
    place = (COLUMN, ROW) if setup["position_order"] == "column-row" else (ROW, COLUMN)
    player = Record("Player", "One of the four players.", (*place, *OTHERS))
    blocks = "by row and column; 0: stable, 3: falls in 3 turns, -12: is back in 12 turns"
    return Starter(
        turn=(
            Line((Number("me", f"your own number, 0 to {SEATS - 1}"),)),
            Line((Number("number", "the turn's, from 0, counted over all players"),)),
            NumberRows("blocks", blocks, BLOCKS, BLOCKS),
            Records("players", "by their numbers; yours is `me`", player, SEATS, SEATS),
            FixedLine("EOD"),
        ),
        answers=tuple(LETTERS),
        help=(
            "U, R, D or L: face that way, and step there if that is free.",
            "A: attack the way you face; your next two turns are blocked then.",
            "N: nothing.",
        ),
        seed=1,
    )
