"""The words that are connect four's own. (English, Japanese)"""

from __future__ import annotations

from typing import Any

from connect_four import rules
from dohyo.core.game import Saying

WORDS = {
    # --- what it is, and its options
    "connect-four.about": (
        "Two players drop stones into seven columns; four in a row win.",
        "2 人が 7 列に石を落とします。四つ並べたほうの勝ちです。",
    ),
    "connect-four.option.moves.about": (
        "stones that lie there at the start, dropped by both players by turns",
        "開始時にある石(両者が交互に落としたもの)",
    ),
    "connect-four.option.moves.takes": (
        "columns in a row, such as 3342, after which the match is not over",
        "列の番号の並び(3342 など)。まだ終わらない手順に限る",
    ),
    # --- what was wrong with a reply
    "connect-four.detail.no-column": (
        "{written} is no column from 0 to 6, and not GIVE-UP",
        "{written} は 0 から 6 の列でも GIVE-UP でもない",
    ),
    # --- why a match ended
    "connect-four.four": ("four in a row", "四つ並んだ"),
    "connect-four.full": ("the board is full", "盤が埋まった"),
    "connect-four.given-up": ("a player gave up", "投了"),
    # --- what became of a player
    "connect-four.won": ("connected four", "四つ並べた"),
    "connect-four.lost": ("the other connected four", "相手が四つ並べた"),
    "connect-four.gave-up": ("gave up", "投了した"),
    "connect-four.left": ("the other gave up", "相手が投了した"),
    "connect-four.drew": ("nobody connected four", "どちらも四つ並ばなかった"),
    # --- beside the board
    "connect-four.plays": ("column {column}", "{column} 列"),
    "connect-four.plays-out": ("gives up", "投了"),
    "connect-four.stones": ("stones: {stones}", "石 {stones} 個"),
    # --- in the viewer: what happened in a turn
    "connect-four.says.begin": ("the board is ready", "盤の用意ができた"),
    "connect-four.says.drops": ("{name} drops a stone into column {column}", "{name} が {column} 列に石を落とす"),
    "connect-four.says.connects": (
        "{name} drops a stone into column {column} and has four in a row",
        "{name} が {column} 列に石を落とし、四つ並ぶ",
    ),
    "connect-four.says.gives-up": ("{name} gives up", "{name} が投了"),
    "connect-four.mark.four": ("four in a row", "四つ並んだ"),
    "connect-four.mark.give-up": ("gave up", "投了"),
    # --- in the viewer: what the signs mean
    "connect-four.sign.last": ("the stone that was dropped last", "最後に落とされた石"),
    "connect-four.sign.four": ("four in a row", "四つ並んだ石"),
    "connect-four.sign.line-four": ("time line: four in a row", "タイムライン: 四つ並んだ"),
    "connect-four.sign.line-out": ("time line: a player gave up", "タイムライン: 投了"),
}


def fate(s: Any, seat: int) -> Saying:
    """What became of a player: a key of `WORDS`."""
    if s.ended in (0, rules.FULL):
        return "connect-four.drew", {}
    won = rules.winner(s) == seat
    if s.ended == rules.FOUR:
        return "connect-four.won" if won else "connect-four.lost", {}
    return "connect-four.left" if won else "connect-four.gave-up", {}
