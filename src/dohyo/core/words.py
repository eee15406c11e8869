"""Every sentence that Dohyo says to a person, in English and Japanese: the one table.

`say("unknown-game", "ja", name="chess", ...)` fills the sentence's `{places}`. A language that is missing falls
back to English. A game adds the words that are its own by `Game.words`.
"""

from __future__ import annotations

from collections.abc import Mapping

LANGUAGES = ("en", "ja")

# key: (English, Japanese)
TABLE: dict[str, tuple[str, str]] = {
    # --- the operator's mistakes: what is wrong, then the remedy
    "unknown-game": (
        "There is no game '{name}'{nearest}; 'dohyo games' lists them: {known}.",
        "「{name}」というゲームはありません{nearest}。「dohyo games」で一覧を表示できます: {known}。",
    ),
    # --- verdicts, one for each kind of fault
    "fault.not-ready": ("not ready", "準備完了の表示なし"),
    "fault.timeout": ("time-out", "時間切れ"),
    "fault.exited": ("exited", "終了した"),
    "fault.killed": ("killed by a signal", "シグナルで終了"),
    "fault.closed": ("closed its output", "出力を閉じた"),
    "fault.malformed": ("malformed", "書式誤り"),
    "fault.illegal": ("illegal", "反則手"),
    "fault.output": ("output flood", "出力過多"),
    "fault.memory": ("out of memory", "メモリ超過"),
    "fault.tasks": ("too many tasks", "プロセス数超過"),
    "fault.disk": ("disk full", "ディスク超過"),
}


def say(key: str, language: str = "en", table: Mapping[str, tuple[str, str]] = TABLE, **details: object) -> str:
    """The sentence `key` in `language`, its places filled from `details`.

    Raises `KeyError` for a key that is not in the table: that is a defect of ours.
    """
    sentences = table[key]
    sentence = sentences[LANGUAGES.index(language)] if language in LANGUAGES else sentences[0]
    return sentence.format(**details) if details else sentence
