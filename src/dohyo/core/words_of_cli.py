"""The sentences of the command line: a part of the table in `dohyo.core.words`."""

from __future__ import annotations

# key: (English, Japanese)
TABLE: dict[str, tuple[str, str]] = {
    # --- how the command line is used wrongly: what is wrong, then the remedy
    "unknown-command": (
        "There is no command 'dohyo {name}'{nearest}; there are: {known}.",
        "「dohyo {name}」というコマンドはありません{nearest}。使えるコマンド: {known}。",
    ),
    "unknown-language": (
        "There is no language '{name}' for messages; take one of {known}.",
        "「{name}」という言語での表示はできません。{known} のどれかを指定してください。",
    ),
    "input-line-too-long": (
        "A line of the input is longer than {mebibytes} MiB; give a file of commands, one a line.",
        "入力に {mebibytes} MiB を超える行があります。1 行に 1 つのコマンドを書いたファイルを渡してください。",
    ),
    "usage-missing": (
        "'{command}' needs {what}; '{command} --help' explains it.",
        "「{command}」には {what} が必要です。説明は「{command} --help」で表示できます。",
    ),
    "game-missing": (
        "'{command}' needs a game before '{word}', which is none: '{command} GAME {word}'; GAME is one of {known}.",
        "「{command}」では「{word}」の前にゲームが必要です(「{word}」はゲームではありません)。"
        "「{command} GAME {word}」の GAME に {known} のどれかを指定してください。",
    ),
    "game-behind": (
        "'{word}' is no game, but '{game}' is: the game stands first, as in '{right}'.",
        "「{word}」はゲームではなく、「{game}」がゲームです。「{right}」のように、ゲームを最初に書いてください。",
    ),
    "usage-no-option": (
        "'{command}' has no option '{option}'{nearest}; '{command} --help' lists them.",
        "「{command}」に「{option}」というオプションはありません{nearest}。「{command} --help」を見てください。",
    ),
    "option-is-file": (
        "'{word}' is an option, and also the name of a file or folder here; write './{word}' for that (and './*' for all),"
        " or type the command in another folder.",
        "「{word}」はオプションですが、同じ名前のファイルかフォルダーがここにあります。それを指すなら「./{word}」(すべてなら「./*」)と書き、"
        "オプションなら別のフォルダーで実行してください。",
    ),
    "usage-no-value": (
        "'{option}' needs a value; '{command} --help' explains it.",
        "「{option}」には値が必要です。説明は「{command} --help」で表示できます。",
    ),
    "usage-extra": (
        "'{command}' does not take '{words}'; '{command} --help' explains what it takes.",
        "「{command}」に「{words}」は指定できません。説明は「{command} --help」で表示できます。",
    ),
    "usage-wrong": (
        "'{command}' cannot be used so: {reason} '{command} --help' explains it.",
        "「{command}」の使い方が違います: {reason} 説明は「{command} --help」で表示できます。",
    ),
    "cannot-print": (
        "The output cannot be written ({reason}); send it somewhere else.",
        "出力を書けません({reason})。出力先を変えてください。",
    ),
    "setup-not-key-value": (
        "--setup takes KEY=VALUE, not '{given}'; 'dohyo games' lists the keys.",
        "--setup には KEY=VALUE を指定してください(「{given}」は使えません)。「dohyo games」を見てください。",
    ),
    "setup-twice": (
        "--setup gives '{key}' twice; give it once.",
        "--setup で「{key}」が二度指定されています。一度だけ指定してください。",
    ),
    "seed-not-a-number": (
        "A seed is a whole number, not '{given}'; give another --seed.",
        "シードは整数です(「{given}」は使えません)。--seed を変えてください。",
    ),
    "from-not-file-turn": (
        "--from takes FILE@TURN, such as m.replay@120, not '{given}'.",
        "--from には m.replay@120 のように「ファイル@ターン」を指定してください(「{given}」は使えません)。",
    ),
    "from-other-game": (
        "'{path}' is a replay of {found}, not of {game}; name that game, or another replay.",
        "「{path}」は {game} ではなく {found} のリプレイです。ゲーム名かリプレイを変えてください。",
    ),
    "same-file": (
        "--save and --html both name '{path}'; give them two names.",
        "--save と --html が同じ「{path}」を指しています。別の名前を指定してください。",
    ),
    "html-over-replay": (
        "'{path}' is the replay itself; give --html another name.",
        "「{path}」はリプレイ自身です。--html に別の名前を指定してください。",
    ),
    "watch-with-json": (
        "--watch and --json both need the standard output; leave one of them away.",
        "--watch と --json は同時に使えません。どちらか一方だけを指定してください。",
    ),
    # --- the help of programs that games bring along
    "help.program": ("{game}: {about}.", "{game}: {about}。"),
    "help.option": ("{about}: {takes}. Without it: {default}.", "{about}({takes})。省略時: {default}。"),
    # --- what it tells
    "interrupted": ("Interrupted; nothing is left running.", "中断しました。動いているプログラムは残っていません。"),
    "interrupted-saved": (
        "Interrupted after {turns} {turns:turn|turns}; nothing is left running, and the match so far is in {paths}.",
        "{turns} ターンで中断しました。動いているプログラムは残っていません。ここまでの試合は {paths} にあります。",
    ),
    "match-ended": ("{game}: {reason}, after {turns} {turns:turn|turns}", "{game}: {reason}({turns} ターン)"),
    "match-ended-from": (
        "{game}: {reason}, after {turns} {turns:turn|turns} from turn {first} on",
        "{game}: {reason}(ターン {first} から {turns} ターン)",
    ),
    "repeat-with-seed": (
        "Seed {seed}; the same command with --seed {seed} plays the same match again, if the bots do.",
        "シード {seed}。同じコマンドに --seed {seed} を付けると(ボットが同じ動きなら)同じ試合になります。",
    ),
    "saved": ("Replay: {path}", "リプレイ: {path}"),
    "saved-html": ("To watch in a browser: {path}", "ブラウザーで見る: {path}"),
    "see-faults": (
        "'dohyo replay {path} --faults' shows each fault with the input that caused it.",
        "「dohyo replay {path} --faults」で、違反とその原因になった入力を表示できます。",
    ),
    "see-faults-unsaved": (
        "With --faults each fault is shown with the input that caused it.",
        "--faults を付けると、違反とその原因になった入力を表示します。",
    ),
    "verified": (
        "{path}: all {turns} turns and the result are what the rules say.",
        "{path}: 全 {turns} ターンと結果はルールどおりです。",
    ),
    "verified-unfinished": (
        "{path}: all {turns} turns are what the rules say; the match was interrupted before its end.",
        "{path}: 全 {turns} ターンはルールどおりです(試合は途中で中断されています)。",
    ),
    "stopped-by": ("stopped in turn {turn}: {fault}", "ターン {turn} で停止: {fault}"),
    "stopped-when-out": ("already out, ended in turn {turn}: {fault}", "脱落後、ターン {turn} で終了: {fault}"),
    "fault-note": (
        "It was out already: the result is the same, and no fault is counted.",
        "すでに脱落していたため、結果は変わらず、違反として数えません。",
    ),
    "fault-at": ("turn {turn}, seat {seat}, {bot}: {fault}", "ターン {turn}、席 {seat}、{bot}: {fault}"),
    "fault-reply": ("it wrote", "出力"),
    "errors-cut": (
        "The program has written more than {size} MiB to standard error; no more of it is shown.",
        "プログラムが標準エラー出力に {size} MiB を超えて書きました。続きは表示しません。",
    ),
    "fault-stderr": ("its standard error", "標準エラー出力"),
    "fault-comments": ("its comments", "コメント"),
    "fault-input": ("it had been sent", "入力"),
    "fault-no-input": ("it had not been asked", "入力は送られていませんでした"),
    "fault-seconds": ("after {seconds}", "{seconds} 後"),
    "no-faults": ("No bot misbehaved.", "違反したボットはありません。"),
    "column.place": ("Place", "順位"),
    "column.seat": ("Seat", "席"),
    "column.bot": ("Bot", "ボット"),
    "column.score": ("Score", "得点"),
    "column.fate": ("What became of it", "結果"),
    "column.faults": ("Faults", "違反"),
    "column.median": ("Think median", "思考 中央値"),
    "column.worst": ("worst", "最大"),
    "fact.seats": ("{seats} seats", "{seats} 席"),
    "fact.clocks": ("Clocks: {clocks}; the first is the default", "持ち時間: {clocks}(最初が既定)"),
    "fact.clock": ("{name} ({facts})", "{name}({facts})"),
    "fact.and": (", ", "、"),
    "fact.seconds-a-turn": ("{seconds} s a turn", "1 ターン {seconds} 秒"),
    "fact.clock-fair": (
        "waiting for a processor is not charged (at most {wall} s)",
        "プロセッサー待ちは数えない(最長 {wall} 秒)",
    ),
    "fact.clock-cpu": ("of processor time (at most {wall} s)", "プロセッサー時間で計る(最長 {wall} 秒)"),
    "fact.clock-bank": ("a reserve of {seconds} s", "予備 {seconds} 秒"),
    "fact.clock-grace": ("{seconds} s of grace (strikes: {strikes})", "猶予 {seconds} 秒 {strikes} 回まで"),
    "fact.program": ("Its own program: dohyo {name}, {about}", "このゲームのプログラム: dohyo {name} ({about})"),
    "fact.options": ("Setup, each as --setup KEY=VALUE:", "設定(--setup KEY=VALUE で指定):"),
    "fact.takes": ("takes {takes}", "使える値: {takes}"),
    "fact.bots": ("Sample bots: {bots}", "サンプルボット: {bots}"),
    "fact.setup": ("Setup: {setup}", "設定: {setup}"),
    "fact.replay": (
        "{title}, rules version {rules}; clock {clock}; seed {seed}; written by {software}",
        "{title}、ルール {rules} 版。持ち時間 {clock}。シード {seed}。作成: {software}",
    ),
    "fact.resumed": (
        "Taken up from another replay at turn {turn}.",
        "別のリプレイのターン {turn} から始めた試合です。",
    ),
    "turns.alternating": ("one after the other", "交互に行動"),
    "turns.simultaneous": ("all at once", "同時に行動"),
    "chance.never": ("no dice", "乱数なし"),
    "chance.at-start": ("dice at the start", "開始時だけ乱数あり"),
    "chance.every-turn": ("dice every turn", "毎ターン乱数あり"),
    "information.perfect": ("everything is seen", "完全情報"),
    "information.imperfect": ("not everything is seen", "不完全情報"),
    "progress.start": ("Building and starting the bots ...", "ボットをビルドして起動しています..."),
    # --- the demo
    "demo.builds": ("Building the sample bots, side by side ...", "サンプルボットを並行してビルドしています..."),
    "demo.built": ("Ready in {seconds}: {bots}", "準備完了({seconds}): {bots}"),
    "demo.skipped": ("Skipped: {reason}", "省略: {reason}"),
    "demo.match": ("One match, recorded and made a page:", "1 試合を対戦、記録し、ページにします:"),
    "demo.round": (
        "A round of {matches} matches, {cores} at a time, the seats in turn:",
        "{matches} 試合の総当たり(同時に {cores} 試合、席は順に交代):",
    ),
    "demo.progress": ("match {done} of {matches}", "試合 {done} / {matches}"),
    "demo.round-took": ("{turns} turns in {seconds}.", "{turns} ターン、{seconds}。"),
    "demo.look": ("Look at it:", "見てみる:"),
    "demo.look-page": ("in a browser", "ブラウザーで"),
    "demo.look-replay": ("in the terminal", "端末で"),
    "demo.look-more": (
        "and the {matches} replays of the round in {folder}",
        "総当たりの {matches} 試合のリプレイ: {folder}",
    ),
    "demo.next": (
        "Your own bot next; {folder} has starters to copy:",
        "次は自分のボットで。{folder} にひな形があります:",
    ),
    "column.matches": ("Matches", "試合"),
    "column.points": ("Points", "得点"),
    "column.wins": ("Wins", "勝ち"),
    "column.mean-place": ("Mean place", "平均順位"),
    # --- contests of a folder of bots
    "bad-option-value": (
        "'{option}' does not take '{value}'; it takes {takes}.",
        "「{option}」に「{value}」は使えません。使える値: {takes}。",
    ),
    "contest-no-bots": (
        "There is no bot in '{folder}'; put each into a folder or file of its own there, or name another folder.",
        "「{folder}」にボットがありません。ボットごとにフォルダーかファイルを置くか、別のフォルダーを指定してください。",
    ),
    "contest-too-many-bots": (
        "There are {bots} bots in '{folder}', and a match takes at most {most}; move some to another folder.",
        "「{folder}」にボットが {bots} 個ありますが、一試合は {most} 個までです。"
        "いくつか別のフォルダーに移してください。",
    ),
    "contest-nobody": (
        "None of the bots can be used; mend what is told above, and try again.",
        "使えるボットがありません。上の問題を直してからやり直してください。",
    ),
    "contest-out-in-use": (
        "'{path}' is not empty, and nothing in it is to be lost; give --out a new folder.",
        "「{path}」は空ではありません。中身を失わないよう、--out には新しいフォルダーを指定してください。",
    ),
    "contest.place": ("Everything is written to {place}.", "結果はすべて {place} に書かれます。"),
    "contest.builds": ("building the bots ...", "ボットをビルド中 ..."),
    "contest.examines": ("examining {bot} ...", "{bot} を調べています ..."),
    "unheard": (
        "No answer came from '{bot}': was it too slow, or does it not flush its output after every line?"
        " 'dohyo check {game} BOT' tells.",
        "「{bot}」の返答が届きませんでした。遅すぎたのか、1 行ごとに出力をフラッシュしていないのかもしれません。"
        "「dohyo check {game} BOT」で原因が分かります。",
    ),
    "unheard-with": (
        "No answer came from '{bot}': was it too slow, or does it not flush its output after every line ({code})?"
        " 'dohyo check {game} BOT' tells.",
        "「{bot}」の返答が届きませんでした。遅すぎたのか、1 行ごとに出力をフラッシュしていないのかもしれません({code})。"
        "「dohyo check {game} BOT」で原因が分かります。",
    ),
    "unheard-slow": (
        "'{bot}' was too slow for its first turn. 'dohyo check {game} BOT' tells more.",
        "「{bot}」は最初のターンに間に合いませんでした。「dohyo check {game} BOT」で詳しく分かります。",
    ),
    "unheard-busy": (
        "'{bot}' computed until its first turn's time was over: it seems too slow. 'dohyo check {game} BOT' tells more.",
        "「{bot}」は最初のターンの時間が切れるまで計算を続けていました。遅すぎるようです。"
        "「dohyo check {game} BOT」で詳しく分かります。",
    ),
    "not-ready-slow": (
        "'{bot}' was too slow to be ready. 'dohyo check {game} BOT' tells more.",
        "「{bot}」は準備が間に合いませんでした。「dohyo check {game} BOT」で詳しく分かります。",
    ),
    "never-ready": (
        "No line {word} came from '{bot}': was it too slow, or does it not flush its output after every line?"
        " 'dohyo check {game} BOT' tells.",
        "「{bot}」の {word} の行が届きませんでした。遅すぎたのか、1 行ごとに出力をフラッシュしていないのかもしれません。"
        "「dohyo check {game} BOT」で原因が分かります。",
    ),
    "never-ready-with": (
        "No line {word} came from '{bot}': was it too slow, or does it not flush its output after every line ({code})?"
        " 'dohyo check {game} BOT' tells.",
        "「{bot}」の {word} の行が届きませんでした。遅すぎたのか、1 行ごとに出力をフラッシュしていないのかもしれません({code})。"
        "「dohyo check {game} BOT」で原因が分かります。",
    ),
    "contest.skipped": ("Skipped, being no bots: {names}", "ボットではないので飛ばしました: {names}"),
    "contest.progress": (
        "game {match}, turn {turn}: {playing} of {bots} bots in play",
        "試合 {match}、ターン {turn}: ボット {bots} 個中 {playing} 個が残っています",
    ),
    "contest.interrupted": (
        "Interrupted; nothing is left running, and what was played is in {place}.",
        "中断しました。動いているプログラムは残っていません。ここまでの結果は {place} にあります。",
    ),
    "contest.repeat": (
        "Seed {seed}; --seed {seed} holds the same contest again, if the bots do the same.",
        "シード {seed}。--seed {seed} で(ボットが同じ動きなら)同じ結果になります。",
    ),
    # --- watching in a terminal
    "watch.turn": ("turn {turn}", "ターン {turn}"),
    "watch.turn-of": ("turn {turn} of {last}", "ターン {turn} / {last}"),
    "watch.playing": ("playing, {rate} turns a second", "再生中 毎秒 {rate} ターン"),
    "watch.paused": ("paused", "一時停止中"),
    "watch.ended": ("the end: {reason}", "終了: {reason}"),
    "watch.keys": (
        "space pause   right/left step   +/- speed   home/end   q leave",
        "スペース 一時停止   右/左 コマ送り   +/- 速さ   home/end 端へ   q 終わる",
    ),
}
