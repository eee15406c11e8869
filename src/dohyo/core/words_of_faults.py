"""What exactly a bot did wrong: a part of the table in `dohyo.core.words`.

A fault keeps its detail in English, in the replay too. `dohyo.core.told_faults` recognises the English sentence here
and tells the other language's. `detail.` keys are whole sentences or their parts between semicolons, `detail-end.`
keys what may stand behind one. A game's own stand in its words, as `<game>.detail.<name>`.
"""

from __future__ import annotations

# key: (English, Japanese)
TABLE: dict[str, tuple[str, str]] = {
    # --- a line that is none, too much or too late
    "detail.empty-line": ("an empty line", "空行"),
    "detail.early": (
        "a line too many in an earlier turn, {line}, counts as this turn's answer (debugging goes to standard error)",
        "前のターンの余分な行 {line} が、このターンの返答になりました(デバッグ出力は標準エラー出力へ)",
    ),
    "detail.behind": (
        "no answer in time; the line that came was the late answer to an earlier turn, and was dropped",
        "時間内に返答なし。届いた行は前のターンの遅れた返答だったため、捨てました",
    ),
    "detail.answer-late": ("the answer came too late", "返答が間に合わなかった"),
    "detail.no-answer": ("no answer in time", "時間内に返答なし"),
    "detail.no-line": ("no line in time", "時間内に出力なし"),
    "detail.no-ready": ("no line '{word}' in time", "時間内に「{word}」の行なし"),
    "detail.ready-late": ("the line '{word}' came too late", "「{word}」の行が間に合わなかった"),
    "detail.no-line-any-more": ("no line can come any more", "これ以上の出力はない"),
    "detail.unread": ("it did not read its input", "入力を読まなかった"),
    "detail.no-newline": ("a line without its newline: {line}", "改行のない行: {line}"),
    "detail.flood": ("more output than anybody reads", "出力が多すぎる"),
    "detail.flood-lines": (
        "{lines} lines and more that nobody asked for",
        "求められていない行が {lines} 行以上",
    ),
    "detail.no-start": ("its command cannot be started in a sandbox", "コマンドがサンドボックスで起動しない"),
    "detail.long-line": ("a line that is too long", "行が長すぎる"),
    "detail.strike": (
        "strike {strike} of {strikes}: the answer came {seconds} s late",
        "猶予 {strikes} 回のうち {strike} 回目: 返答が {seconds} 秒遅れた",
    ),
    # --- the end of a program
    "detail.exit": ("exit status {status}", "終了ステータス {status}"),
    "detail.signal": ("signal {name}", "シグナル {name}"),
    "detail.closed": (
        "closed its standard output and went on running",
        "標準出力を閉じたまま動き続けた",
    ),
    "detail.cannot-start": ("could not be started: {reason}", "起動できない: {reason}"),
    "detail.end-late": ("its process ended too late", "プロセスの終了が間に合わなかった"),
    "detail.no-end": ("its process did not end in time", "プロセスが時間内に終了しなかった"),
    "detail.keeps-open": (
        "a process that it started keeps its output open",
        "起動したプロセスが出力を開いたままにしている",
    ),
    "detail.kill-very-slow": (
        "its processes took more than {seconds} s to end when they were killed",
        "強制終了しても、プロセスの終了に {seconds} 秒を超えてかかった",
    ),
    "detail.kill-slow": (
        "its processes took {seconds} s to end when they were killed",
        "強制終了しても、プロセスの終了に {seconds} 秒かかった",
    ),
    # --- limits, and the folder that it runs in
    "detail.tasks": ("more than {tasks} processes and threads", "プロセスとスレッドが {tasks} 個を超えた"),
    "detail.memory": ("more than {size} MiB of memory", "メモリが {size} MiB を超えた"),
    "detail.disk": ("more than {size} MiB of disk", "ディスクが {size} MiB を超えた"),
    "detail.folder-gone": ("its folder is gone", "フォルダーがなくなった"),
    "detail.folder-moved": ("its folder is not where it was", "フォルダーが元の場所にない"),
    "detail.folder-closed": ("it has closed its own folder", "自分のフォルダーを使えなくした"),
    "detail.needs-gone": (
        "its folder, or what it needs in there, is gone",
        "フォルダーか、その中の必要なものがなくなった",
    ),
    "detail.folder-none": (
        "its folder is closed, or is none any more",
        "フォルダーが使えないか、フォルダーでなくなった",
    ),
    # --- behind one of these
    "detail-end.before-ready": (", before it was ready", "、準備が終わる前"),
    "detail-end.by-wall": (", by the wall clock behind its own", "、実時間の上限による"),
}
