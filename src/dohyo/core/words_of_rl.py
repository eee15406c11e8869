"""The sentences about environments for learners: a part of the table in `dohyo.core.words`."""

from __future__ import annotations

# key: (English, Japanese)
TABLE: dict[str, tuple[str, str]] = {
    "needs-rl": (
        "Environments for learners need {library}, which is not installed here; install it: pip install 'dohyo[rl]' (in a clone, ./dev extras)",
        "学習用の環境には {library} が必要です。インストールしてください: pip install 'dohyo[rl]' (クローンでは ./dev extras)",
    ),
    "rl-no-sight": (
        "Nothing says what a learner sees in '{game}'; give the game an observation.py, and name it as the game's 'sight'.",
        "「{game}」には学習者に見えるものの定義がありません。observation.py を作り、ゲームの sight に指定してください。",
    ),
    "rl-never-asked": (
        "In {matches} matches of '{game}' the learner was never to move; check the setup, the seat and the opponents.",
        "「{game}」の {matches} 試合で学習者の手番が一度も来ませんでした。設定、席、対戦相手を確かめてください。",
    ),
}
