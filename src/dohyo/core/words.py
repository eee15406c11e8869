"""Every sentence that Dohyo says to a person, in English and Japanese: the one table.

`say("unknown-game", "ja", name="chess", ...)` fills the sentence's `{places}`. A language that is missing falls
back to English. A game adds the words that are its own by `Game.words`.
"""

from __future__ import annotations

from collections.abc import Mapping

from dohyo.core import (
    clean,
    words_of_bots,
    words_of_box,
    words_of_check,
    words_of_cli,
    words_of_contest,
    words_of_contest_bracket,
    words_of_contest_cluster,
    words_of_contest_compare,
    words_of_contest_formats,
    words_of_contest_names,
    words_of_contest_pool,
    words_of_contest_ratings,
    words_of_contest_report,
    words_of_faults,
    words_of_games,
    words_of_rl,
    words_of_sim,
    words_of_store,
    words_of_values,
)

LANGUAGES = ("en", "ja")

# key: (English, Japanese)
TABLE: dict[str, tuple[str, str]] = {
    # --- the operator's mistakes: what is wrong, then the remedy
    "unknown-game": (
        "There is no game '{name}'{nearest}; 'dohyo games' lists them: {known}.",
        "「{name}」というゲームはありません{nearest}。「dohyo games」で一覧を表示できます: {known}。",
    ),
    "unknown-setup-key": (
        "There is no setup option '{key}'{nearest}; known are: {known}.",
        "「{key}」という設定はありません{nearest}。使えるのは {known} です。",
    ),
    "bad-setup-value": (
        "The setup option '{key}' does not take '{value}'{nearest}; it takes {takes}.",
        "設定「{key}」に「{value}」は使えません{nearest}。使える値: {takes}。",
    ),
    "bad-seed": (
        "A seed is a whole number from 0 to {most}, not {seed}; give another --seed.",
        "シードは 0 から {most} までの整数です({seed} は使えません)。--seed を変えてください。",
    ),
    "unknown-clock": (
        "There is no clock '{clock}'{nearest}; take one of {known}, or a number of seconds a turn.",
        "「{clock}」という持ち時間の設定はありません{nearest}。{known} のどれか、または 1 ターンの秒数を指定してください。",
    ),
    "unknown-clock-key": (
        "A clock has no '{key}'{nearest}; behind the preset or the seconds may stand {known}, each as KEY=VALUE.",
        "持ち時間に「{key}」はありません{nearest}。プリセットか秒数のあとに書けるのは {known} です(KEY=VALUE の形)。",
    ),
    "clock-key-idle": (
        "A clock's '{key}' does nothing without {wants}; say that too, or leave '{key}' away.",
        "持ち時間の「{key}」は {wants} がなければ意味がありません。それも指定するか、「{key}」を外してください。",
    ),
    "clock-key-twice": (
        "The clock says '{key}' twice; say it once.",
        "持ち時間に「{key}」が二度あります。一度だけ書いてください。",
    ),
    "bad-clock-value": (
        "A clock's '{key}' does not take '{value}'{nearest}; it takes {takes}.",
        "持ち時間の「{key}」に「{value}」は使えません{nearest}。使える値: {takes}。",
    ),
    "clock-not-measured": (
        "A clock of mode '{mode}' needs {missing}, which this system does not have; take mode=wall.",
        "持ち時間のモード「{mode}」には {missing} が必要ですが、このシステムにはありません。mode=wall を指定してください。",
    ),
    "match-stood-still": (
        "Dohyo itself stood still for {seconds} s while bots were awaited (stopped, or the machine asleep): who was late"
        " then may not be to blame.",
        "ボットの応答を待つ間に Dohyo 自体が {seconds} 秒止まりました(一時停止またはスリープ)。その間の時間切れは"
        "ボットの責任ではないかもしれません。",
    ),
    "match-disturbed": (
        "Dohyo itself stood still for {seconds} s while bots were awaited (stopped, or the machine asleep), in each of"
        " {tries} tries; such a match counts for nobody. Go on when the machine runs without a break.",
        "ボットの応答を待つ間に Dohyo 自体が {seconds} 秒止まりました(一時停止またはスリープ)。{tries} 回試しても"
        "同じため、この試合は無効です。マシンが止まらずに動くときに続けてください。",
    ),
    "wrong-number-of-bots": (
        "{game} is played by {wanted} bots, not by {given}; name as many (one may be named twice).",
        "{game} に必要なボットは {wanted} 個ですが、{given} 個が指定されました(同じボットを二度指定できます)。",
    ),
    "setup-with-from": (
        "A match taken up from a replay keeps that replay's setup; leave --setup away.",
        "リプレイから続ける試合は元の設定を使います。--setup は指定しないでください。",
    ),
    "needs-fast": (
        "Games in batch need NumPy and Numba, which are not installed here; install them: pip install 'dohyo[fast]' (in a clone, ./dev extras)",
        "まとめて対戦させるには NumPy と Numba が必要です。インストールしてください: pip install 'dohyo[fast]' (クローンでは ./dev extras)",
    ),
    "no-windows": (
        "Dohyo runs on Linux and macOS; on Windows, run it inside WSL2 ('wsl --install').",
        "Dohyo は Linux と macOS で動きます。Windows では WSL2 の中で動かしてください(「wsl --install」)。",
    ),
    "cannot-write": (
        "'{path}' cannot be written ({reason}); name another place.",
        "「{path}」に書けません({reason})。別の場所を指定してください。",
    ),
    "cannot-read": (
        "'{path}' cannot be read ({reason}); check the name.",
        "「{path}」を読めません({reason})。名前を確かめてください。",
    ),
    "no-room-for-programs": (
        "The machine refuses to start another program ({reason}); end some, or raise its limits (ulimit -n, ulimit -u).",
        "これ以上プログラムを起動できません({reason})。何か終了させるか、制限を上げてください(ulimit -n、ulimit -u)。",
    ),
    "no-quarters": (
        "There is no room for a copy of the bot '{bot}' ({reason}); make some, or choose another folder.",
        "ボット「{bot}」のコピーを作れません({reason})。空きを作るか、別のフォルダーを選んでください。",
    ),
    # --- replays that cannot be read or trusted
    "not-a-replay": (
        "This file is not a Dohyo replay; name a file written by 'dohyo play --save'.",
        "このファイルは Dohyo のリプレイではありません。「dohyo play --save」で書いたファイルを指定してください。",
    ),
    "replay-cut-off": (
        "The replay is cut off: its last line is missing; copy the file again from where it was written.",
        "リプレイが途中で切れています(最終行がありません)。元のファイルをもう一度コピーしてください。",
    ),
    "replay-changed": (
        "The replay was changed after it was written: its checksum does not match; get the original file.",
        "リプレイは書かれた後に変更されています(チェックサムが一致しません)。元のファイルを入手してください。",
    ),
    "replay-too-large": (
        "The replay unpacks to more than {most} bytes, which no match needs; get the original file.",
        "リプレイを展開すると {most} バイトを超えます。試合の記録ではありえません。元のファイルを入手してください。",
    ),
    "replay-malformed": (
        "The replay has a line that does not fit the format ({error}); see docs/replay-format.md.",
        "リプレイに書式に合わない行があります({error})。docs/replay-format.md を見てください。",
    ),
    "replay-too-new": (
        "The replay is of format {version}, this software knows up to {known}; install a newer Dohyo.",
        "リプレイの書式は {version} ですが、このソフトウェアは {known} までです。新しい Dohyo を入れてください。",
    ),
    "replay-other-rules": (
        "The replay is of {game} with rules version {version}, these rules are {known}; use the Dohyo that wrote it.",
        "リプレイは {game} のルール {version} 版、手元のルールは {known} 版です。書いたときの Dohyo を使ってください。",
    ),
    "replay-turn-missing": (
        "The replay's line for turn {turn} is missing or out of order; get the original file.",
        "リプレイのターン {turn} の行がないか、順序が違います。元のファイルを入手してください。",
    ),
    "replay-turn-differs": (
        "Turn {turn} of the replay is not what the rules say: its moves or its digest of the state do not match.",
        "リプレイのターン {turn} はルールどおりではありません(手か状態のチェックサムが一致しません)。",
    ),
    "replay-result-differs": (
        "The replay's result is not what the rules say; the file was not written by this referee.",
        "リプレイの結果はルールどおりではありません。この審判が作ったファイルではありません。",
    ),
    "replay-no-such-turn": (
        "The replay has no turn {turn}; take one from {first} to {last}.",
        "リプレイにターン {turn} はありません。{first} から {last} までを指定してください。",
    ),
    "unfinished": ("interrupted before the end", "途中で中断された"),
    "fate.played": ("played to the end", "最後まで対戦した"),
    # --- the replay viewer
    "viewer.patience": (
        "Opening the replay; it needs a browser from 2023 or later, with scripts allowed.",
        "リプレイを開いています。スクリプトが使える 2023 年以降のブラウザーが必要です。",
    ),
    "viewer.play": ("Play", "再生"),
    "viewer.pause": ("Pause", "一時停止"),
    "viewer.next": ("Next turn", "次のターン"),
    "viewer.previous": ("Previous turn", "前のターン"),
    "viewer.to-start": ("To the start", "最初へ"),
    "viewer.to-end": ("To the end", "最後へ"),
    "viewer.next-mark": ("Next mark", "次の印へ"),
    "viewer.previous-mark": ("Previous mark", "前の印へ"),
    "viewer.speed": ("Speed", "速度"),
    "viewer.controls": ("Playing", "再生の操作"),
    "viewer.timeline": ("Turn", "ターン"),
    "viewer.start": ("Start", "開始"),
    "viewer.turn": ("Turn {turn}", "ターン {turn}"),
    "viewer.turn-of": ("Turn {turn} / {last}", "ターン {turn} / {last}"),
    "viewer.now": ("(now at {turn})", "(現在 {turn})"),
    "viewer.seed": ("seed {seed}", "シード {seed}"),
    "viewer.view": ("Seen by", "視点"),
    "viewer.view-all": ("everybody", "全体"),
    "viewer.view-seat": ("{name}", "{name}"),
    "viewer.bots": ("Bots", "ボット"),
    "viewer.follow": ("Follow {name}", "{name} を追う"),
    "viewer.moves": ("Moves", "手"),
    "viewer.hidden": ("{name} is not told this.", "{name} には知らされません。"),
    "viewer.no-moves": ("No moves in this turn.", "このターンに手はありません。"),
    "viewer.not-begun": ("Nobody has moved yet.", "まだ誰も動いていません。"),
    "viewer.after-last": ("After the last turn", "最後のターンの後"),
    "viewer.think": ("Think time", "思考時間"),
    "viewer.reply": ("Reply", "返答"),
    "viewer.comments": ("Comments", "コメント"),
    "viewer.stderr": ("Standard error", "標準エラー出力"),
    "viewer.dropped": (
        "({bytes} bytes before this were not kept)",
        "(これより前の {bytes} バイトは保存されていません)",
    ),
    "viewer.all-lines": ("Show all {lines} lines", "全 {lines} 行を表示"),
    "viewer.input": ("Input of this turn", "このターンの入力"),
    "viewer.no-input": ("The program was not asked.", "プログラムには送られていません。"),
    "viewer.changed": ("marked: changed since its last turn", "印: 前の自分のターンから変わった行"),
    "viewer.copy": ("Copy", "コピー"),
    "viewer.standings": ("Final standings", "最終順位"),
    "viewer.wins": ("{name} wins", "{name} の勝ち"),
    "viewer.draw": ("A draw", "引き分け"),
    "viewer.first": ("First: {names}", "1 位: {names}"),
    "viewer.first-and-more": ("First: {names} and {more} more", "1 位: {names} ほか {more}"),
    "viewer.unfinished": ("Unfinished", "未完了"),
    "viewer.place": ("Place", "順位"),
    "viewer.score": ("Score", "得点"),
    "viewer.bot": ("Bot", "ボット"),
    "viewer.stopped": ("program stopped in turn {turn}", "ターン {turn} でプログラムを停止"),
    "viewer.ended": ("already out, program ended in turn {turn}", "脱落後、ターン {turn} でプログラムが終了"),
    "viewer.worst": ("worst {time}", "最長 {time}"),
    "viewer.help": ("Help", "ヘルプ"),
    "viewer.close": ("Close", "閉じる"),
    "viewer.keys": ("Keys", "キー操作"),
    "viewer.signs": ("Signs", "記号"),
    "viewer.about": ("About this match", "この試合について"),
    "viewer.sign.fault": ("time line: a fault", "タイムライン: 違反"),
    "viewer.key.play": ("play or pause", "再生・一時停止"),
    "viewer.key.step": ("one turn back or on", "1 ターン戻る・進む"),
    "viewer.key.ten": ("ten turns back or on", "10 ターン戻る・進む"),
    "viewer.key.mark": (
        "previous or next mark (of a bot that is followed: its own turns)",
        "前・次の印へ(追っているボットがあれば、そのターンへ)",
    ),
    "viewer.key.ends": ("to the start or the end", "最初・最後へ"),
    "viewer.key.speed": ("slower or faster", "遅く・速く"),
    "viewer.key.follow": ("follow the bot on that seat", "その席のボットを追う"),
    "viewer.key.unfollow": ("follow nobody", "追うのをやめる"),
    "viewer.key.input": ("show or hide inputs", "入力を表示・隠す"),
    "viewer.key.view": ("see through the next eyes", "視点を切り替える"),
    "viewer.key.help": ("this sheet", "このヘルプ"),
    "viewer.fact.game": ("Game", "ゲーム"),
    "viewer.fact.rules": ("rules {version}", "ルール {version} 版"),
    "viewer.fact.seed": ("Seed", "シード"),
    "viewer.fault-note": ("already out, the result is the same", "脱落後のため結果は同じ"),
    "viewer.fact.clock": ("Time a turn", "1 ターンの持ち時間"),
    "viewer.fact.setup": ("Setup", "設定"),
    "viewer.fact.sandbox": ("Sandbox", "サンドボックス"),
    "viewer.fact.software": ("Software", "ソフトウェア"),
    **words_of_cli.TABLE,  # the command line
    **words_of_bots.TABLE,  # bots that cannot be found, recognised or built
    **words_of_box.TABLE,  # the sandbox, and `dohyo doctor`
    **words_of_check.TABLE,  # what `dohyo check` finds
    **words_of_contest_bracket.TABLE,  # who meets whom in a knock-out, who holds the hill
    **words_of_contest_compare.TABLE,  # whether a bot improved
    **words_of_contest_formats.TABLE,  # who plays whom: formats and their options
    **words_of_contest_names.TABLE,  # hand-ins: what is left out, what they are called
    **words_of_contest_ratings.TABLE,  # ratings, and the libraries that they need
    **words_of_contest_report.TABLE,  # a contest as a page
    **words_of_sim.TABLE,  # games in batch
    **words_of_rl.TABLE,  # environments for learners
    **words_of_games.TABLE,  # games that are not found
    **words_of_store.TABLE,  # where contests keep what was played
    **words_of_contest.TABLE,  # contests that are run
    **words_of_contest_pool.TABLE,  # who plays a contest's matches
    **words_of_contest_cluster.TABLE,  # many machines
    **words_of_faults.TABLE,  # what exactly a bot did wrong
    # --- verdicts, one for each kind of fault
    "fault.not-ready": ("not ready", "準備完了の表示なし"),
    "fault.timeout": ("time-out", "時間切れ"),
    "fault.exited": ("exited", "終了した"),
    "fault.killed": ("killed by a signal", "シグナルで終了"),
    "fault.closed": ("closed its output", "出力を閉じた"),
    "fault.malformed": ("malformed", "書式誤り"),
    "fault.illegal": ("illegal", "非合法手"),
    "fault.output": ("output flood", "出力過多"),
    "fault.memory": ("out of memory", "メモリ超過"),
    "fault.tasks": ("too many tasks", "プロセス数超過"),
    "fault.disk": ("disk full", "ディスク超過"),
    "fault.files": ("spoilt its folder", "フォルダーを壊した"),
    "fault.not-ended": ("did not end", "終了しない"),
}


def say(
    sentence_key: str,
    language: str = "en",
    own: Mapping[str, tuple[str, str]] | None = None,
    /,
    **details: object,
) -> str:
    """The sentence of that key in `language`, its places filled from `details`.

    A sentence is one line, whatever it quotes: details but for numbers are cleaned (`dohyo.core.clean`). `own` holds a game's own words, looked at first. Raises `KeyError` for a key that is in no table: that is a
    defect of ours.
    """
    sentences = own[sentence_key] if own and sentence_key in own else TABLE[sentence_key]
    sentence = sentences[LANGUAGES.index(language)] if language in LANGUAGES else sentences[0]
    if language == "ja":
        details = {name: words_of_values.in_japanese(name, value) for name, value in details.items()}
    return sentence.format(**{name: _detail(value) for name, value in details.items()}) if details else sentence


def _detail(value: object) -> object:
    if isinstance(value, int | float):
        return _Count(value) if type(value) is int else value
    return clean.line(str(value))


class _Count(int):
    """A number that chooses the form of the word beside it: `{turns} {turns:turn|turns}`."""

    def __format__(self, spec: str) -> str:
        one, either, many = spec.partition("|")
        return (one if self == 1 else many) if either else super().__format__(spec)
