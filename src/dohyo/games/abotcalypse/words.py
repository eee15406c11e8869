"""The words that are aBOTcalypse's own. (English, Japanese)"""

from __future__ import annotations

from typing import Any

from dohyo.core.game import Saying
from dohyo.games.abotcalypse import board

WORDS = {
    # --- what it is, and its options
    "abotcalypse.about": (
        "Up to 100 bots, meteors from above, rocks to build with and to throw; who lives longest scores most.",
        "最大 100 体のボット。降ってくる流星の下で、岩を積み、投げ、長く生きるほど高得点です。",
    ),
    "abotcalypse.option.rules.about": (
        "as the text says, or as the challenge's controller did, quirks and all",
        "チャレンジの文章どおりか、当時のコントローラーの動きどおりか",
    ),
    "abotcalypse.option.rules.takes": ("post or classic", "post か classic"),
    "abotcalypse.option.turns.about": ("turns of a game", "1 試合のターン数"),
    "abotcalypse.option.turns.takes": ("1 to 1000000", "1 から 1000000"),
    "abotcalypse.option.columns.about": ("where the bots start, instead of the dice", "ボットの開始列(省略時は乱数)"),
    "abotcalypse.option.columns.takes": (
        "different numbers from 0 to 99, parted by commas, one a bot",
        "0 から 99 の別々の数をボットの数だけ、コンマ区切り",
    ),
    # --- what was wrong with a reply
    "abotcalypse.detail.no-output": ("no output", "出力なし"),
    "abotcalypse.detail.no-action": (
        "{written} is none of rest, move, drop, throw",
        "{written} は rest、move、drop、throw のどれでもない",
    ),
    "abotcalypse.detail.no-direction": (
        "{action} needs one of up, down, left, right",
        "{action} には up、down、left、right のどれかが必要",
    ),
    "abotcalypse.detail.no-number": ("{written} is no whole number", "{written} は整数ではない"),
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
    "abotcalypse.died-in": ("died: {cause}, turn {turn}", "死亡: {cause}({turn} ターン目)"),
    "abotcalypse.lives": ("lives", "生存中"),
    "abotcalypse.lives-at": ("lives, at {x}, {y}", "生存中({x}, {y})"),
    "abotcalypse.mark.died": ("died", "死亡"),
    "abotcalypse.cause.fall": ("fall", "墜落"),
    "abotcalypse.cause.rock": ("rock", "岩"),
    "abotcalypse.cause.throw": ("throw", "投石"),
    "abotcalypse.cause.meteor": ("meteor", "流星"),
    "abotcalypse.cause.collision": ("collision", "衝突"),
    "abotcalypse.says.fall": ("{name} fell to its death", "{name} が墜落死"),
    "abotcalypse.says.rock": ("{name} was killed by a rock", "{name} が岩の下敷き"),
    "abotcalypse.says.throw": ("{name} was killed by a throw", "{name} が投石で死亡"),
    "abotcalypse.says.meteor": ("{name} was killed by a meteor", "{name} が流星で死亡"),
    "abotcalypse.says.collision": ("{name} met another bot and died", "{name} が衝突死"),
    "abotcalypse.says.living": ("{living} of {bots} live", "生存 {living}/{bots}"),
    "abotcalypse.sign.rock": ("a rock", "岩"),
    "abotcalypse.sign.meteor": ("a meteor, with the way it came", "流星と、その軌跡"),
    "abotcalypse.sign.throw": ("a throw, in the thrower's colour", "投石(投げたボットの色)"),
    "abotcalypse.sign.hit": ("what was hit by a throw or a meteor", "投石や流星が当たった場所"),
    "abotcalypse.sign.death": ("a bot died here, with the cause", "ボットが死んだ場所と原因"),
    "abotcalypse.sign.window": ("what the bot that you follow is sent", "注目しているボットに見える範囲"),
    "abotcalypse.sign.line-death": ("on the time line: a death", "タイムライン上: 死亡"),
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
