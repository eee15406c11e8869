"""The words that are aBOTcalypse's own. (English, Japanese)"""

from __future__ import annotations

from typing import Any

from dohyo.core.game import Saying
from dohyo.games.abotcalypse import board

WORDS = {
    "abotcalypse.turn-limit": ("turn limit", "ターン数の上限"),
    "abotcalypse.all-dead": ("all bots are dead", "全滅"),
    "abotcalypse.crashed": (
        "a bot went below the floor, where the original crashed",
        "床の下に出た(元の実装はここで停止)",
    ),
    "abotcalypse.survived": ("survived", "生き残った"),
    "abotcalypse.died-by-fall": ("fell to its death in turn {turn}", "ターン {turn} に墜落死"),
    "abotcalypse.died-by-rock": ("killed by a rock in turn {turn}", "ターン {turn} に岩の下敷き"),
    "abotcalypse.died-by-throw": ("killed by a throw in turn {turn}", "ターン {turn} に投石で死亡"),
    "abotcalypse.died-by-meteor": ("killed by a meteor in turn {turn}", "ターン {turn} に流星で死亡"),
    "abotcalypse.died-by-collision": ("met another bot in turn {turn}", "ターン {turn} に衝突死"),
}

CAUSES = {
    board.BY_FALL: "fall",
    board.BY_ROCK: "rock",
    board.BY_THROW: "throw",
    board.BY_METEOR: "meteor",
    board.BY_COLLISION: "collision",
}


def fate(s: Any, seat: int) -> Saying:
    """What became of a bot."""
    if s.status[seat] == board.ALIVE:
        return "abotcalypse.survived", {}
    return f"abotcalypse.died-by-{CAUSES[s.cause[seat]]}", {"turn": s.score[seat]}
