"""The words that are Shoot-Em-Up's own. (English, Japanese)"""

from __future__ import annotations

from typing import Any

from dohyo.core.game import Saying
from dohyo.games.shoot_em_up import rules

WORDS = {
    "shoot-em-up.shot-down": ("shot down", "撃破"),
    "shoot-em-up.left-board": ("left the board", "盤の外に出た"),
    "shoot-em-up.program-error": ("a program failed", "プログラムの誤り"),
    "shoot-em-up.pair-limit": ("limit of moves", "手数の上限"),
    "shoot-em-up.hits": ("hits", "被弾"),
    "shoot-em-up.ready": ("gun ready", "発射できる"),
    "shoot-em-up.cold": ("gun recharging", "充電中"),
    "shoot-em-up.won": ("won after {turns} moves", "{turns} 手で勝った"),
    "shoot-em-up.drew": ("alive after {turns} moves", "{turns} 手のあと無事"),
    "shoot-em-up.was-shot": ("shot down after {turns} moves", "{turns} 手で撃破された"),
    "shoot-em-up.walked-off": ("left the board after {turns} moves", "{turns} 手で盤の外に出た"),
    "shoot-em-up.failed": ("its program failed after {turns} moves", "{turns} 手でプログラムが失敗した"),
}

LOST = {
    rules.SHOT_DOWN: "shoot-em-up.was-shot",
    rules.LEFT_BOARD: "shoot-em-up.walked-off",
    rules.PROGRAM_ERROR: "shoot-em-up.failed",
}


def fate(s: Any, seat: int) -> Saying:
    """What became of a robot."""
    if s.ended == 0 or s.loser < 0:
        return "shoot-em-up.drew", {"turns": s.turn}
    return LOST[s.ended] if s.loser == seat else "shoot-em-up.won", {"turns": s.turn}
