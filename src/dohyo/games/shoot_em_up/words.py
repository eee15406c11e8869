"""The words that are Shoot-Em-Up's own. (English, Japanese)"""

from __future__ import annotations

from typing import Any

from dohyo.core.game import Saying
from dohyo.games.shoot_em_up import rules

# A direction's (dx, dy) and its name.
DIRECTIONS = {
    "-1,-1": ("up left", "左上"),
    "0,-1": ("up", "上"),
    "1,-1": ("up right", "右上"),
    "-1,0": ("left", "左"),
    "0,0": ("here", "ここ"),
    "1,0": ("right", "右"),
    "-1,1": ("down left", "左下"),
    "0,1": ("down", "下"),
    "1,1": ("down right", "右下"),
}
SIDES = {
    "-1,-1": ("the upper left", "左上"),
    "0,-1": ("above", "上"),
    "1,-1": ("the upper right", "右上"),
    "-1,0": ("the left", "左"),
    "1,0": ("the right", "右"),
    "-1,1": ("the lower left", "左下"),
    "0,1": ("below", "下"),
    "1,1": ("the lower right", "右下"),
}

WORDS = {
    # --- what it is, and its options
    "shoot-em-up.about": (
        "Two robots on 10 x 10 squares that cannot see each other; the third hit kills.",
        "10 x 10 マスの盤で、互いに見えない 2 台のロボットが撃ち合います。3 発で撃破です。",
    ),
    "shoot-em-up.option.pairs.about": (
        "pairs of actions after which a combat is a draw",
        "引き分けになるまでの手の組数",
    ),
    "shoot-em-up.option.pairs.takes": ("0 to 100000", "0 から 100000"),
    "shoot-em-up.option.places.about": (
        "where both robots start, instead of the dice",
        "2 台の開始位置(省略時は乱数)",
    ),
    "shoot-em-up.option.places.takes": ("X,Y,X,Y, each from 0 to 9", "X,Y,X,Y(それぞれ 0 から 9)"),
    # --- what was wrong with a reply
    "shoot-em-up.detail.no-action": (
        "{written} is neither 'M dx dy' nor 'S dx dy'",
        "{written} は「M dx dy」でも「S dx dy」でもない",
    ),
    "shoot-em-up.detail.no-direction": ("a shot needs a direction", "射撃には方向が必要"),
    # --- why a combat ended
    "shoot-em-up.shot-down": ("a robot was shot down", "1 台が撃破された"),
    "shoot-em-up.left-board": ("a robot left the board", "1 台が盤の外に出た"),
    "shoot-em-up.program-error": ("a program failed", "プログラムの誤り"),
    "shoot-em-up.pair-limit": ("limit of moves", "手数の上限"),
    # --- beside the board in a terminal
    "shoot-em-up.hits": ("hits", "被弾"),
    "shoot-em-up.ready": ("gun ready", "発射できる"),
    "shoot-em-up.cold": ("gun recharging", "充電中"),
    # --- what became of a robot
    "shoot-em-up.won": ("won after {turns} moves", "{turns} 手で勝った"),
    "shoot-em-up.drew": ("alive after {turns} moves", "{turns} 手のあと無事"),
    "shoot-em-up.was-shot": ("shot down after {turns} moves", "{turns} 手で撃破された"),
    "shoot-em-up.walked-off": ("left the board after {turns} moves", "{turns} 手で盤の外に出た"),
    "shoot-em-up.failed": ("its program failed after {turns} moves", "{turns} 手でプログラムが失敗した"),
    # --- in the viewer: how a robot fares
    "shoot-em-up.hit-count": ("hits {hits}", "被弾 {hits}"),
    "shoot-em-up.may-shoot": ("ready", "発射可"),
    "shoot-em-up.charging": ("charging", "充電中"),
    "shoot-em-up.lost-died": ("shot down", "撃破された"),
    "shoot-em-up.lost-left": ("off the board", "盤の外"),
    "shoot-em-up.lost-failed": ("program failed", "プログラムの誤り"),
    # --- in the viewer: what happened in a turn
    "shoot-em-up.says.begin": ("the robots stand ready", "ロボットが位置についた"),
    "shoot-em-up.says.moves": ("{name} moves {direction}", "{name} が{direction}へ動く"),
    "shoot-em-up.says.stays": ("{name} stays", "{name} は動かない"),
    "shoot-em-up.says.shoots": ("{name} shoots {direction}", "{name} が{direction}へ撃つ"),
    "shoot-em-up.says.shoots-weakly": (
        "{name} shoots {direction}, without power",
        "{name} が{direction}へ撃つ(威力なし)",
    ),
    "shoot-em-up.says.unseen": ("{name} acts, unseen", "{name} の動きは見えない"),
    "shoot-em-up.says.hit": ("{name} is hit", "{name} に命中"),
    "shoot-em-up.says.hit-from": ("{name} is hit from {direction}", "{name} に{direction}から命中"),
    "shoot-em-up.says.died": ("{name} is shot down", "{name} が撃破された"),
    "shoot-em-up.says.left": ("{name} leaves the board", "{name} が盤の外に出た"),
    "shoot-em-up.says.failed": ("the program of {name} fails", "{name} のプログラムが失敗した"),
    "shoot-em-up.mark.hit": ("hit", "被弾"),
    "shoot-em-up.mark.died": ("shot down", "撃破された"),
    "shoot-em-up.mark.left": ("left the board", "盤の外に出た"),
    "shoot-em-up.mark.failed": ("its program failed", "プログラムの誤り"),
    "shoot-em-up.action.ERROR": ("the program failed", "プログラムの誤り"),
    # --- in the viewer: what the signs mean
    "shoot-em-up.sign.shot": ("squares that a shot crossed; they pale", "弾が通ったマス(だんだん薄くなる)"),
    "shoot-em-up.sign.weak": ("a shot without power: right after another", "威力のない弾(続けて撃ったとき)"),
    "shoot-em-up.sign.hits": ("hits; the third one kills", "被弾の数。3 発で撃破"),
    "shoot-em-up.sign.gun": ("the ring: whole when the gun is ready", "輪: 閉じていれば発射できる"),
    "shoot-em-up.sign.from": ("where a hit came from: all that one knows", "命中弾が来た方向(分かるのはこれだけ)"),
    "shoot-em-up.sign.line-hit": ("time line: a hit", "タイムライン: 被弾"),
    "shoot-em-up.sign.line-end": ("time line: the end of a robot", "タイムライン: ロボットの最期"),
}
WORDS |= {f"shoot-em-up.direction.{step}": names for step, names in DIRECTIONS.items()}
WORDS |= {f"shoot-em-up.from.{step}": names for step, names in SIDES.items()}
WORDS |= {
    f"shoot-em-up.action.S {step.replace(',', ' ')}": (f"shoots {english}", f"{japanese}へ撃つ")
    for step, (english, japanese) in DIRECTIONS.items()
    if step != "0,0"
}
WORDS |= {
    f"shoot-em-up.action.M {step.replace(',', ' ')}": (f"moves {english}", f"{japanese}へ動く")
    for step, (english, japanese) in DIRECTIONS.items()
}
WORDS["shoot-em-up.action.M 0 0"] = ("stays", "動かない")

# Of the program `arena`.
ARENA_WORDS = {
    "arena.about": (
        "combats of a program against the random opponent, by commands on standard input",
        "標準入力の命令に従って、プログラムをランダムに動く相手と戦わせる",
    ),
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
