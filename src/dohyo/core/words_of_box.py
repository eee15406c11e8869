"""The sentences about the sandbox and `dohyo doctor`: a part of the table in `dohyo.core.words`."""

from __future__ import annotations

# key: (English, Japanese)
TABLE: dict[str, tuple[str, str]] = {
    "unknown-sandbox": (
        "There is no sandbox '{mode}'; take one of {known}.",
        "「{mode}」というサンドボックスはありません。{known} のどれかを指定してください。",
    ),
    "no-sandbox": (
        "This machine cannot make a sandbox that is strong enough for '--sandbox require'; 'dohyo doctor' says what is missing.",
        "このマシンでは「--sandbox require」に足りるサンドボックスを作れません。何が足りないかは「dohyo doctor」で分かります。",
    ),
    "trust-with-sandbox": (
        "--trust runs bots without a sandbox, --sandbox {mode} asks for one; leave one of them away.",
        "--trust はサンドボックスなしで動かし、--sandbox {mode} はそれを求めます。どちらか一方だけを指定してください。",
    ),
    "sandbox-none": (
        "WARNING: there is NO sandbox: these bots run with your rights, and can read, change and delete what you can. 'dohyo doctor' says what this machine lacks; --trust says that the bots are your own.",
        "警告: サンドボックスがありません。ボットはあなたの権限で動き、あなたにできる読み書きや削除がすべてできます。何が足りないかは「dohyo doctor」で分かります。自分のボットなら --trust を付けてください。",
    ),
}
