"""The words that are Wondev Woman's own. (English, Japanese)"""

from __future__ import annotations

from typing import Any

from dohyo.core.game import Saying
from dohyo.games.wondev_woman.board import POINTS
from dohyo.games.wondev_woman.rules import score

WORDS = {
    # --- what it is, and its options
    "wondev-woman.about": (
        "Two players climb towers that everybody raises; a step onto a top scores, and who cannot move is out.",
        "2 人で塔を高くしながら登ります。高さ 3 に乗ると得点、動けなくなると脱落です。",
    ),
    "wondev-woman.option.league.about": (
        "which of the contest's leagues, from bronze on alike",
        "コンテストのリーグ(bronze より上は同じ)",
    ),
    "wondev-woman.option.league.takes": ("wood3, wood2, wood1, bronze", "wood3、wood2、wood1、bronze"),
    "wondev-woman.option.map.about": (
        "5 x 5 square, 7 x 7 diamond, random 6 x 6, or one of them",
        "5 x 5 の正方形、7 x 7 のひし形、6 x 6 の任意の形、またはそのどれか",
    ),
    "wondev-woman.option.map.takes": ("any, square, diamond, random", "any、square、diamond、random"),
    "wondev-woman.option.grid.about": ("a board of your own, instead of `map`", "自分で作った盤(`map` の代わり)"),
    "wondev-woman.option.grid.takes": (
        "5 to 7 rows as long as they are many, parted by /, of 0 to 4 and . for holes",
        "5 から 7 行。行と列は同じ数、/ 区切り。0 から 4 の高さと、穴の .",
    ),
    "wondev-woman.option.units.about": (
        "where the units start on `grid`, instead of anywhere",
        "`grid` 上のユニットの開始位置(省略時は任意)",
    ),
    "wondev-woman.option.units.takes": (
        "X,Y/X,Y/... on different cells of heights 0 to 3 of `grid`, the first player's one or two, then the other's",
        "X,Y/X,Y/...。`grid` の高さ 0 から 3 の別々のマスに、先手の 1 人か 2 人、次に後手",
    ),
    # --- what was wrong with a reply
    "wondev-woman.detail.no-action": ("{written} is not an action", "{written} は手ではない"),
    "wondev-woman.detail.no-unit": ("there is no unit {unit}", "ユニット {unit} はない"),
    # --- why a match ended
    "wondev-woman.reached": ("level 3 reached", "高さ 3 に到達"),
    "wondev-woman.left-alone": ("the other player is out", "相手が脱落"),
    "wondev-woman.ahead": ("ahead, and the other player is out", "相手が脱落し、得点で上回った"),
    "wondev-woman.both-out": ("both players are out", "両者が脱落"),
    "wondev-woman.round-limit": ("round limit", "ラウンド数の上限"),
    # --- what became of a player
    "wondev-woman.stayed": ("score {score}", "得点 {score}"),
    "wondev-woman.left": ("score {score}, out", "得点 {score}、脱落"),
    "wondev-woman.on-top": ("on level 3 at a round's end", "ラウンドの終わりに高さ 3 に立った"),
    "wondev-woman.below": ("not on level 3 at a round's end", "ラウンドの終わりに高さ 3 に立てなかった"),
    # --- beside the board in a terminal
    "wondev-woman.score": ("score {score}", "得点 {score}"),
    "wondev-woman.out": ("out", "脱落"),
    "wondev-woman.plays": ("{action}", "{action}"),
    # --- in the viewer: what happened in a turn
    "wondev-woman.says.begin": ("the units stand ready", "ユニットが位置についた"),
    "wondev-woman.says.moves": (
        "{name}: unit {unit} to {first}, builds {second}",
        "{name}: ユニット {unit} が{first}へ動き、{second}に建てる",
    ),
    "wondev-woman.says.pushes": (
        "{name}: unit {unit} pushes {first}, on to {second}",
        "{name}: ユニット {unit} が{first}の敵を{second}へ押す",
    ),
    "wondev-woman.says.seen": ("{name} acts, partly in sight", "{name} の動きが一部見える"),
    "wondev-woman.says.hidden": ("{name} acts out of sight", "{name} は見えないところで動く"),
    "wondev-woman.says.scores": ("a point", "1 点"),
    "wondev-woman.says.cancelled": ("somebody unseen is in the way", "見えないユニットがいて取り消し"),
    "wondev-woman.says.gave-up": ("{name} gives up", "{name} が降参"),
    "wondev-woman.says.no-move": ("{name} has no move left and is out", "{name} は合法手がなく脱落"),
    "wondev-woman.says.fault": ("{name} is out", "{name} が脱落"),
    "wondev-woman.direction.N": ("N", "北"),
    "wondev-woman.direction.NE": ("NE", "北東"),
    "wondev-woman.direction.E": ("E", "東"),
    "wondev-woman.direction.SE": ("SE", "南東"),
    "wondev-woman.direction.S": ("S", "南"),
    "wondev-woman.direction.SW": ("SW", "南西"),
    "wondev-woman.direction.W": ("W", "西"),
    "wondev-woman.direction.NW": ("NW", "北西"),
    "wondev-woman.action.ACCEPT-DEFEAT": ("gives up", "降参"),
    "wondev-woman.action.NO-MOVE": ("no move left", "合法手なし"),
    "wondev-woman.action.OUT": ("out", "脱落"),
    "wondev-woman.mark.score": ("a point", "1 点"),
    "wondev-woman.mark.push": ("pushes", "押す"),
    "wondev-woman.mark.out": ("out", "脱落"),
    # --- in the viewer: what the signs mean
    "wondev-woman.sign.height": ("a tower's height; who moves onto 3 scores", "塔の高さ。3 に乗ると得点"),
    "wondev-woman.sign.dome": ("height 4: out of play", "高さ 4: 使えないマス"),
    "wondev-woman.sign.score": ("a point", "得点"),
    "wondev-woman.sign.push": ("a push", "押した方向"),
    "wondev-woman.sign.cancel": (
        "nothing was done here: an enemy stood there that was not seen",
        "見えない敵がいたため取り消されたところ",
    ),
    "wondev-woman.sign.fog": ("fog: the player does not see who is there", "霧: だれがいるか見えないマス"),
    "wondev-woman.sign.line-score": ("time line: a point", "タイムライン: 得点"),
    "wondev-woman.sign.line-push": ("time line: a push", "タイムライン: 押す手"),
    "wondev-woman.sign.line-out": ("time line: out", "タイムライン: 脱落"),
}


def fate(s: Any, seat: int) -> Saying:
    """What became of a player."""
    if s.out[seat] == 1:
        return "wondev-woman.left", {"score": score(s, seat)}
    if s.goal == POINTS:
        return "wondev-woman.stayed", {"score": score(s, seat)}
    return ("wondev-woman.on-top" if score(s, seat) == 1 else "wondev-woman.below"), {}
