"""The words that are Drop-Block's own: why a match ended. (English, Japanese)"""

WORDS = {
    "drop-block.last-standing": ("last player standing", "最後まで生き残った"),
    "drop-block.all-fallen": ("all players have fallen", "全員が落下した"),
    "drop-block.turn-limit": ("turn limit", "ターン数の上限"),
}
