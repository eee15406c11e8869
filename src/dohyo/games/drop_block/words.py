"""The words that are Drop-Block's own. (English, Japanese)"""

from __future__ import annotations

from typing import Any

from dohyo.core.game import Saying

WORDS = {
    # --- why a match ended
    "drop-block.last-standing": ("last player standing", "最後まで生き残った"),
    "drop-block.all-fallen": ("all players have fallen", "全員が落下した"),
    "drop-block.turn-limit": ("turn limit", "ターン数の上限"),
    # --- what became of a player
    "drop-block.stood": ("stood to the end", "最後まで立っていた"),
    "drop-block.fell": ("fell in turn {turn}", "ターン {turn} で落下"),
    "drop-block.absent": ("had fallen before the start", "開始前に落下していた"),
    # --- beside the board in a terminal
    "drop-block.at": ("row {row}, column {column}", "{row} 行 {column} 列"),
    "drop-block.stunned": ("stunned for {turns}", "気絶 あと {turns}"),
    "drop-block.fallen": ("fallen", "落下"),
    "drop-block.plays": ("plays {letter}", "手は {letter}"),
    "drop-block.ignored": ("plays {letter}, in vain", "手は {letter}(無効)"),
}


def fate(s: Any, seat: int) -> Saying:
    """What became of a player: a key of `WORDS`, and the turn."""
    if s.row[seat] >= 0:
        return "drop-block.stood", {}
    if s.fallen_at[seat] < 0:
        return "drop-block.absent", {}
    return "drop-block.fell", {"turn": s.fallen_at[seat]}
