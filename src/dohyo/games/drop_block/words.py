"""The words that are Drop-Block's own. (English, Japanese)"""

from __future__ import annotations

from typing import Any

from dohyo.core.game import Saying

WORDS = {
    # --- what it is, and its options
    "drop-block.about": (
        "Four players on 6 x 6 blocks; loosen the blocks ahead of you and drop the others.",
        "6 x 6 個のブロックに 4 人。前のブロックをゆるめて、ほかのプレイヤーを落とします。",
    ),
    "drop-block.option.turns.about": ("turn limit, over all players", "全員あわせたターン数の上限"),
    "drop-block.option.turns.takes": ("0 to 1000000", "0 から 1000000"),
    "drop-block.option.position_order.about": (
        "how positions are told: as in the rule texts, or as the contest's referee did",
        "位置の書き方。ルールの文書どおりか、コンテストの審判どおりか",
    ),
    "drop-block.option.position_order.takes": ("row-column or column-row", "row-column か column-row"),
    "drop-block.option.idle.about": (
        "play on to the turn limit when all have fallen",
        "全員が落ちたあとも上限まで続ける",
    ),
    "drop-block.option.idle.takes": ("yes or no", "yes か no"),
    "drop-block.option.players.about": (
        "where the players start, instead of the deal",
        "プレイヤーの開始位置(省略時は乱数)",
    ),
    "drop-block.option.players.takes": (
        "ROW,COLUMN,FACING/... for four players more than 3 squares apart, - for a fallen one",
        "ROW,COLUMN,FACING/... を 4 人分(3 マスを超えて離す)。落ちた人は -",
    ),
    "drop-block.option.blocks.about": ("the blocks at the start, row by row", "開始時のブロック(行ごと)"),
    "drop-block.option.blocks.takes": (
        "36 numbers from -99 to 99, parted by commas",
        "-99 から 99 の数を 36 個、コンマ区切り",
    ),
    # --- what was wrong with a reply
    "drop-block.detail.letter": ("{written} is none of {letters}", "{written} は {letters} のどれでもない"),
    # --- why a match ended
    "drop-block.last-standing": ("last player standing", "最後まで生き残った"),
    "drop-block.all-fallen": ("all players have fallen", "全員が落下した"),
    "drop-block.turn-limit": ("turn limit", "ターン数の上限"),
    # --- what became of a player
    "drop-block.stood": ("still standing", "立っている"),
    "drop-block.fell": ("fell in turn {turn}", "ターン {turn} で落下"),
    "drop-block.absent": ("had fallen before the start", "開始前に落下していた"),
    # --- beside the board in a terminal
    "drop-block.at": ("row {row}, column {column}", "{row} 行 {column} 列"),
    "drop-block.stunned": ("stunned for {turns}", "気絶 あと {turns}"),
    "drop-block.fallen": ("fallen", "落下"),
    "drop-block.plays": ("plays {letter}", "手は {letter}"),
    "drop-block.ignored": ("plays {letter}, in vain", "手は {letter}(無効)"),
    # --- in the viewer: what happened in a turn
    "drop-block.says.begin": ("the players stand ready", "全員が位置についた"),
    "drop-block.says.moves": ("{name} steps {direction}", "{name} が{direction}へ進む"),
    "drop-block.says.turns": (
        "{name} turns {direction}, but cannot step there",
        "{name} は{direction}を向くが、進めない",
    ),
    "drop-block.says.attacks": ("{name} attacks {direction}", "{name} が{direction}を攻撃"),
    "drop-block.says.waits": ("{name} does nothing", "{name} は何もしない"),
    "drop-block.says.stunned": ("{name} is stunned", "{name} は気絶中"),
    "drop-block.says.gone": ("{name} has fallen already", "{name} はすでに落下している"),
    "drop-block.says.falls": ("{name} falls", "{name} が落下"),
    "drop-block.direction.U": ("up", "上"),
    "drop-block.direction.R": ("right", "右"),
    "drop-block.direction.D": ("down", "下"),
    "drop-block.direction.L": ("left", "左"),
    "drop-block.action.U": ("up", "上へ"),
    "drop-block.action.R": ("right", "右へ"),
    "drop-block.action.D": ("down", "下へ"),
    "drop-block.action.L": ("left", "左へ"),
    "drop-block.action.A": ("attack", "攻撃"),
    "drop-block.action.N": ("nothing", "何もしない"),
    "drop-block.mark.attack": ("attack", "攻撃"),
    "drop-block.mark.fall": ("fall", "落下"),
    "drop-block.standing": ("standing", "健在"),
    # --- in the viewer: what the signs mean
    "drop-block.sign.falling": ("cracked: the block falls in so many turns", "ひび割れ: あと何ターンで落ちるか"),
    "drop-block.sign.gone": ("gone: it comes back in so many turns", "穴: あと何ターンで戻るか"),
    "drop-block.sign.stun": ("own turns for which the player is stunned", "気絶している自分の手番の数"),
    "drop-block.sign.attack": ("blocks that an attack aimed at", "攻撃が狙ったブロック"),
    "drop-block.sign.fall": ("where a player fell", "プレイヤーが落ちた場所"),
    "drop-block.sign.line": ("time line: an attack", "タイムライン: 攻撃"),
    "drop-block.sign.end": ("time line: a fall", "タイムライン: 落下"),
}


def has_fallen(s: Any, seat: int) -> bool:
    """Whether a player is on the board no more: it is asked on, and its answers do nothing."""
    return s.row[seat] < 0  # type: ignore[no-any-return]


def fate(s: Any, seat: int) -> Saying:
    """What became of a player: a key of `WORDS`, and the turn."""
    if s.row[seat] >= 0:
        return "drop-block.stood", {}
    if s.fallen_at[seat] < 0:
        return "drop-block.absent", {}
    return "drop-block.fell", {"turn": s.fallen_at[seat]}
