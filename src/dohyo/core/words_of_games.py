"""The sentences about games that are not found: a part of the table in `dohyo.core.words`."""

from __future__ import annotations

# key: (English, Japanese)
TABLE: dict[str, tuple[str, str]] = {
    "no-game-in-folder": (
        "There is no game in {folder}, which {variable} names; name a folder whose __init__.py has a GAME.",
        "{variable} が指す {folder} にゲームがありません。__init__.py に GAME があるフォルダーを指定してください。",
    ),
    "game-folder-name-taken": (
        "The game in {folder} cannot be imported, because another module is called '{name}'; rename the folder.",
        "「{name}」という別のモジュールがあるので、{folder} のゲームを読み込めません。フォルダーの名前を変えてください。",
    ),
}
