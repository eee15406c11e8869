"""What is said beside a drawn bracket, and beside the hill of a king: a part of the table in `dohyo.core.words`."""

from __future__ import annotations

# key: (English, Japanese)
TABLE: dict[str, tuple[str, str]] = {
    "bracket": ("Bracket", "組み合わせ表"),
    "bracket.main": ("Bracket", "組み合わせ表"),
    "bracket.winners": ("Winners' side", "勝者側"),
    "bracket.losers": ("Losers' side", "敗者側"),
    "bracket.finals": ("Grand final", "決勝"),
    "bracket.round": ("Round {at}", "{at} 回戦"),
    "bracket.final": ("Final", "決勝"),
    "bracket.final-again": ("Grand final, again", "決勝(再戦)"),
    "bracket.champion": ("Champion", "優勝"),
    "bracket.winner": ("To the grand final", "決勝へ"),
    "bracket.bye": ("bye", "不戦勝"),
    "bracket.absent": ("absent", "欠場"),
    "bracket.unknown": ("not known yet", "未定"),
    "bracket.played": ("{played} of {matches} matches", "{matches} 試合中 {played} 試合"),
    "bracket.later": ("not played yet", "未対戦"),
    "bracket.maybe": ("only if the losers' side wins the first", "敗者側が先に勝った場合のみ"),
    "bracket.goes-on": ("goes on", "勝ち進み"),
    "bracket.level": ("level", "同点"),
    "bracket.note": (
        "Before a name stands its seed; the number behind it says how many opponents it was placed before in all"
        " matches of that series, a tie being half.",
        "名前の前はシード順位、後ろの数はその対戦の全試合で上回った相手の数(引き分けは 0.5)です。",
    ),
    "bracket.note.unknown": ("'?' is not known yet.", "「?」は未定です。"),
    "bracket.note.list": ("'>' goes on.", "「>」は勝ち進んだボットです。"),
    "bracket.note.level": (
        "'=' marks a series that ended level: {how} decided who goes on.",
        "「=」は同点だった対戦で、{how}勝ち進むボットを決めました。",
    ),
    "bracket.by.lot": ("a lot", "くじで"),
    "bracket.by.rating": ("the rating given", "指定のレーティングで"),
    "bracket.by.order": ("the order of entering", "参加順で"),
    "bracket.left-out": (
        "Rounds of more than {most} pairings are not drawn ({count}); 'dohyo contest matches STORE' lists what was"
        " played.",
        "{most} 組を超える回戦は図にしていません({count} 回戦分)。試合は「dohyo contest matches STORE」で見られます。",
    ),
    "bracket.scroll": (
        "Rounds: {count}. Where they do not fit, scroll sideways.",
        "全 {count} 回戦。収まらないときは横にスクロールしてください。",
    ),
    "bracket.match": ("match {numbers}", "試合 {numbers}"),
    "bracket.matches": ("matches {numbers}", "試合 {numbers}"),
    "bracket.champion-is": ("Champion: {bot}", "優勝: {bot}"),
    # --- king of the hill
    "hill": ("Who held the hill", "首位の移り変わり"),
    "hill.note": (
        "Who is first in the standing after a match holds the hill until somebody is before it. The challengers are those"
        " who came first in matches meanwhile.",
        "試合後の順位表で首位のボットを、抜かれるまで並べています。「挑戦者」は、その間の試合で 1 位になったほかのボットです。",
    ),
    "hill.column.holder": ("held by", "首位"),
    "hill.column.from": ("from match", "開始試合"),
    "hill.column.to": ("to", "終了試合"),
    "hill.column.won": ("first in", "1 位の試合"),
    "hill.column.others": ("challengers, with matches won", "挑戦者(1 位の試合数)"),
    "hill.column.when": ("Matches", "試合"),
    "hill.column.along": ("Of the whole contest", "全体の中での位置"),
    "hill.of": ("{count} of {matches}", "{matches} 中 {count}"),
    "hill.late": ("{bot} entered late; its first match is {match}.", "{bot} は途中参加です(最初の試合は {match})。"),
    "hill.waits": ("{bot} waits: it has not played yet.", "{bot} は待機中です(まだ試合がありません)。"),
    "hill.earlier": (
        "Earlier changes that are not shown: {count}.",
        "これより前の交代は省略しています({count} 回)。",
    ),
    "hill.late-entry": ("enters late", "途中参加"),
}
