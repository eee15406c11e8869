"""The sentences about who plays a contest's matches: a part of the table in `dohyo.core.words`."""

from __future__ import annotations

# key: (English, Japanese)
TABLE: dict[str, tuple[str, str]] = {
    "match-kills-workers": (
        "This match ended the process that played it {times} times.",
        "この試合を実行したプロセスが {times} 回異常終了しました。",
    ),
}
