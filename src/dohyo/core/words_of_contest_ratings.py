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
