"""The sentences about ratings and their libraries: a part of the table in `dohyo.core.words`."""

from __future__ import annotations

# key: (English, Japanese)
TABLE: dict[str, tuple[str, str]] = {
    "needs-stats": (
        "Ratings need NumPy, SciPy and openskill, not all of which are installed here; "
        "install them: pip install dohyo[stats]",
        "レーティングには NumPy と SciPy と openskill が必要です。インストールしてください: pip install dohyo[stats]",
    ),
    "ratings-not-connected": (
        "No results connect these groups of bots, so the ratings of one say nothing about another: {groups}.",
        "次のグループの間には対戦結果がないため、グループをまたいだレーティングの比較はできません: {groups}。",
    ),
}
