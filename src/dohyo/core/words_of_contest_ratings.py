"""The sentences about ratings and their libraries: a part of the table in `dohyo.core.words`."""

from __future__ import annotations

# key: (English, Japanese)
TABLE: dict[str, tuple[str, str]] = {
    "needs-stats": (
        "Ratings need NumPy, SciPy and openskill, not all of which are installed here; "
        "install them: pip install 'dohyo[stats]' (in a clone, ./dev extras)",
        "レーティングには NumPy と SciPy と openskill が必要です。インストールしてください: pip install 'dohyo[stats]' (クローンでは ./dev extras)",
    ),
    "ratings-not-connected": (
        "No results connect these groups of bots, so the ratings of one say nothing about another: {groups}.",
        "次のグループの間には対戦結果がないため、グループをまたいだレーティングの比較はできません: {groups}。",
    ),
    "contest.untold": (
        "Where an end of a 95 % interval is missing ('1500..', '?'), there are not enough matches yet to tell: it is"
        " more than {far} Elo away.",
        "95 % 区間の端がないところ(「1500..」や「?」)は、試合数が足りずまだ分かりません(レーティングから {far} Elo"
        " より離れています)。",
    ),
    # Why the order of places is not that of Elo; by what a format places first.
    "contest.order.points": (
        "{bot} (place {bot_place}) has less Elo than {other} (place {other_place}): places are by points, Elo is by all"
        " results and counts how strong the opponents were.",
        "{bot}({bot_place} 位)の Elo は {other}({other_place} 位)より低くなっています。順位は得点で決まり、Elo は"
        "相手の強さも含めた全結果で決まるためです。",
    ),
    "contest.order.rounds": (
        "{bot} (place {bot_place}) has less Elo than {other} (place {other_place}): places are by how long a bot stayed"
        " in, Elo is by all results and counts how strong the opponents were.",
        "{bot}({bot_place} 位)の Elo は {other}({other_place} 位)より低くなっています。順位はどこまで勝ち残ったかで"
        "決まり、Elo は相手の強さも含めた全結果で決まるためです。",
    ),
    "contest.order.league": (
        "{bot} (place {bot_place}) has less Elo than {other} (place {other_place}): places are by league, then by the"
        " lower end of the 95 % interval; so of two equal bots the one that is better known stands first.",
        "{bot}({bot_place} 位)の Elo は {other}({other_place} 位)より低くなっています。順位はリーグ、次に 95 % 区間の"
        "下端で決まるため、同じ強さならよく分かっているボットが上になります。",
    ),
    "contest.order.rating": (
        "{bot} (place {bot_place}) has less Elo than {other} (place {other_place}): places are by the lower end of the"
        " 95 % interval, so that a bot has to show its strength in many matches.",
        "{bot}({bot_place} 位)の Elo は {other}({other_place} 位)より低くなっています。順位は 95 % 区間の下端で"
        "決まります。多くの試合で強さを示す必要があるためです。",
    ),
    "compare-elo-order": (
        "A test tells apart a lower Elo difference from a higher one, not {elo0} from {elo1}; "
        "give an --elo1 above --elo0.",
        "検定で区別するのは小さい Elo 差と大きい Elo 差です({elo0} と {elo1} は使えません)。"
        "--elo1 を --elo0 より大きくしてください。",
    ),
    "compare-elo-far": (
        "--{name} lies between -{most:.0f} and {most:.0f} Elo, not at {elo:g}; give one nearer to 0.",
        "--{name} は -{most:.0f} から {most:.0f} Elo までです({elo:g} は使えません)。0 に近い値にしてください。",
    ),
    "compare-error-rate": (
        "A test's error rate --{name} lies between 0 and 0.5, not at {rate}; 0.05 is usual.",
        "検定の誤り率 --{name} は 0 と 0.5 の間です({rate} は使えません)。普通は 0.05 です。",
    ),
}
