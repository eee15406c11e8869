"""The words that are Wondev Woman's own. (English, Japanese)"""

from __future__ import annotations

from typing import Any

from dohyo.core.game import Saying
from dohyo.games.wondev_woman.board import POINTS
from dohyo.games.wondev_woman.rules import score

WORDS = {
    # --- why a match ended
    "wondev-woman.reached": ("level 3 reached", "高さ 3 に到達"),
    "wondev-woman.left-alone": ("the other player is out", "相手が脱落"),
    "wondev-woman.ahead": ("ahead, and the other player is out", "相手が脱落し、得点で上回った"),
    "wondev-woman.both-out": ("both players are out", "両者が脱落"),
    "wondev-woman.round-limit": ("round limit", "ラウンド数の上限"),
    # --- what became of a player
    "wondev-woman.stayed": ("score {score}", "得点 {score}"),
    "wondev-woman.left": ("score {score}, out", "得点 {score}、脱落"),
    "wondev-woman.on-top": ("stood on level 3", "高さ 3 に立った"),
    "wondev-woman.below": ("did not stand on level 3", "高さ 3 に立てなかった"),
    # --- beside the board in a terminal
    "wondev-woman.score": ("score {score}", "得点 {score}"),
    "wondev-woman.out": ("out", "脱落"),
    "wondev-woman.plays": ("{action}", "{action}"),
}


def fate(s: Any, seat: int) -> Saying:
    """What became of a player."""
    if s.out[seat] == 1:
        return "wondev-woman.left", {"score": score(s, seat)}
    if s.goal == POINTS:
        return "wondev-woman.stayed", {"score": score(s, seat)}
    return ("wondev-woman.on-top" if score(s, seat) == 1 else "wondev-woman.below"), {}
