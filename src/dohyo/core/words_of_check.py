"""What `dohyo check` says about a bot: a part of the table in `dohyo.core.words`.

Each key that ends in `.do` is the remedy for the finding of that name. Times are filled in as people read them.
"""

from __future__ import annotations

# key: (English, Japanese)
TABLE: dict[str, tuple[str, str]] = {
    # --- where
    "check.at.match": ("match {number}", "試合 {number}"),
    "check.at.turn": ("its turn {number}", "自分のターン {number}"),
    "check.at.line": ("line {number} of its output", "出力の {number} 行目"),
    # --- as it should be
    "check.started": ("It starts.", "起動します。"),
    "check.ready": ("It says {word}, after {seconds}.", "{word} を出力します({seconds} 後)。"),
    "check.answers": (
        "It answers turn after turn, a line each, with legal actions ({turns} {turns:turn|turns}, alone).",
        "毎ターン 1 行ずつ、合法手を返します(単独で {turns} ターン)。",
    ),
    "check.played": (
        "It played {matches} matches against '{opponent}' without a fault.",
        "「{opponent}」と {matches} 試合、違反なしで対戦しました。",
    ),
    "check.cut-short": (
        "A match was cut short after {seconds}; what came until then counts.",
        "試合を {seconds} で打ち切りました。そこまでの結果で判断しています。",
    ),
    "check.disturbed": (
        "Dohyo itself stood still for {seconds} in a match while bots were awaited (stopped, or the machine asleep), twice:"
        " whatever was found in it may not be the bot's fault. Check it again when the machine runs without a break.",
        "試合中、ボットの応答を待つ間に Dohyo 自体が {seconds} 止まりました(一時停止またはスリープ、2 回とも)。その試合で"
        "見つかった問題はボットの責任ではないかもしれません。マシンが止まらずに動くときにもう一度調べてください。",
    ),
    # --- before the first turn
    "check.cannot-start": ("It cannot be started: {reason}.", "起動できません: {reason}。"),
    "check.cannot-start.do": (
        "Try the command yourself, in the same folder: {command}",
        "同じフォルダーで自分でコマンドを試してください: {command}",
    ),
    "check.no-ready": (
        "It did not print the line {word} within {limit}, which must be its very first line.",
        "最初の行として必要な {word} を {limit} 以内に出力しませんでした。",
    ),
    "check.no-ready.do": (
        "Print {word} and a newline as soon as the program starts, before it reads anything, and flush it.",
        "プログラムの開始直後、何も読まないうちに {word} と改行を出力し、フラッシュしてください。",
    ),
    "check.ready-after-input": (
        "It printed {word} only after it had been sent its first input; it must come before.",
        "{word} を最初の入力の後に出力しました。入力の前に必要です。",
    ),
    "check.ready-after-input.do": (
        "Print {word} first, then begin to read.",
        "まず {word} を出力し、それから読み始めてください。",
    ),
    "check.ready-spelling": (
        "It printed {written} where the line {word} is expected, in exactly these letters.",
        "{word} とまったく同じ綴りの行が必要なところで {written} を出力しました。",
    ),
    "check.ready-spelling.do": ("Print {word}.", "{word} と出力してください。"),
    "check.ready-late": (
        "It printed {word} after more than {limit}, which is all the time it has for that.",
        "{word} の出力が制限時間 {limit} を過ぎていました。",
    ),
    "check.ready-late.do": (
        "Print {word} first and prepare tables afterwards, or prepare less; or is the machine too busy?",
        "先に {word} を出力してから準備するか、準備を減らしてください。マシンの負荷が高くありませんか。",
    ),
    "check.ended-before-ready": (
        "It ended before its first turn ({detail}){said}",
        "最初のターンの前に終了しました({detail}){said}",
    ),
    "check.before-ready": (
        "Before {word} it printed other lines: {written}; they are skipped here, elsewhere they may not be.",
        "{word} の前に別の行を出力しました: {written}。ここでは読み飛ばしますが、他ではそうとは限りません。",
    ),
    "check.before-ready.do": (
        "Send debugging output to standard error.",
        "デバッグ出力は標準エラー出力に送ってください。",
    ),
    "check.not-ready": (
        "Alone it was ready in time; in a match, where several bots start at once, it was not ({detail}).",
        "単独では間に合いましたが、複数のボットが同時に起動する試合では準備が間に合いませんでした({detail})。",
    ),
    "check.not-ready.do": (
        "Examine it again when the machine is idle; if it is the same then, prepare less at the start.",
        "マシンが空いているときにもう一度調べてください。同じ結果なら、起動時の準備を減らしてください。",
    ),
    "check.unasked": (
        "It printed {written} before it had been asked anything.",
        "何も尋ねられないうちに {written} を出力しました。",
    ),
    "check.unasked.do": (
        "Read a turn's whole input first, then print one answer; send anything else to standard error.",
        "まずターンの入力をすべて読み、それから返答を 1 行だけ出力してください。それ以外は標準エラー出力へ。",
    ),
    # --- no answer
    "check.flush": (
        "Nothing arrived within {limit}, but {lines} lines at once when its input was closed:"
        " it answers, and the answers stay in a buffer.",
        "{limit} 以内に何も届かず、入力を閉じたとたんに {lines} 行が届きました。"
        "返答がバッファーに溜まったままになっています。",
    ),
    "check.flush.do": (
        "Flush standard output after every line.",
        "1 行ごとに標準出力をフラッシュしてください。",
    ),
    "check.flush.with": (
        "Flush standard output after every line: {code}",
        "1 行ごとに標準出力をフラッシュしてください: {code}",
    ),
    "check.until-end": (
        "Nothing arrived within {limit}; it answered once, when its input was closed:"
        " it reads all of its input to the end before it answers.",
        "{limit} 以内に何も届かず、入力を閉じたときに一度だけ答えました。入力を最後まで読んでから答えています。",
    ),
    "check.until-end.do": (
        "Read only the lines of one turn, answer, and go on with the next; the input ends with the match.",
        "1 ターン分の行だけ読んで答え、次に進んでください。入力が終わるのは試合の終わりです。",
    ),
    "check.waits-for-more": (
        "It did not answer the {lines} {lines:line|lines} of this turn, but did when the next turn's input came:"
        " it waits for more lines than it is sent.",
        "このターンの {lines} 行には答えず、次のターンの入力が来てから答えました。"
        "送られるより多くの行を待っています。",
    ),
    "check.waits-for-more.do": (
        "Compare what it reads with the input below, line by line and field by field.",
        "読む行と項目を、下の入力と一つずつ見比べてください。",
    ),
    "check.no-newline": (
        "It wrote {written} without a newline, so that its answer was never complete.",
        "{written} を改行なしで出力したため、返答が完結しませんでした。",
    ),
    "check.no-newline.do": ("End every answer with a newline.", "返答の最後には必ず改行を出力してください。"),
    "check.too-slow": (
        "It answered after {seconds}; a turn may take {limit}.",
        "答えるのに {seconds} かかりました。1 ターンの制限は {limit} です。",
    ),
    "check.too-slow.do": (
        "Let it look at the clock while it thinks, and answer in time with the best that it has found.",
        "考えながら残り時間を確かめ、時間内にそれまでの最善手を答えるようにしてください。",
    ),
    "check.no-answer": (
        "It did not answer: not within {limit}, not when the next turn's input came, not when its input was closed.",
        "答えませんでした。{limit} 以内にも、次のターンの入力が来ても、入力を閉じても何も届きませんでした。",
    ),
    "check.no-answer.do": (
        "Let it print to standard error how far it gets: an endless loop, or a buffer that is never flushed?",
        "どこまで進むか標準エラー出力に書かせてみてください。無限ループか、フラッシュされないバッファーが考えられます。",
    ),
    "check.timeout": (
        "Its turn was over after {limit}: {detail}.",
        "{limit} でターンが終わりました: {detail}。",
    ),
    "check.timeout.do": (
        "Let it look at the clock while it thinks, and answer in time with the best that it has found.",
        "考えながら残り時間を確かめ、時間内にそれまでの最善手を答えるようにしてください。",
    ),
    # --- answers that do not fit the input
    "check.reads-too-few": (
        "It answers before the end of its input has come: it reads {read} of {lines} lines,"
        " and takes the rest for the beginning of the next turn.",
        "入力がすべて届く前に答えます。{lines} 行のうち {read} 行しか読まず、"
        "残りを次のターンの始まりと取り違えます。",
    ),
    "check.reads-too-few.do": (
        "Read all lines of a turn, also those that it does not need; the first one left over is {left}.",
        "使わない行も含めて、1 ターンの入力をすべて読んでください。最初に読み残した行: {left}。",
    ),
    "check.two-answers": (
        "It wrote a line too many: {second}. A turn takes one answer; the next line counts for the next turn.",
        "1 行多く出力しました: {second}。1 ターンの返答は 1 行です。次の行は次のターンの返答になってしまいます。",
    ),
    "check.two-answers.do": (
        "Print exactly one line a turn; send debugging output to standard error.",
        "1 ターンにちょうど 1 行だけ出力してください。デバッグ出力は標準エラー出力へ。",
    ),
    "check.behind": (
        "In a match its answers are one behind after a line too many: each line counts for the turn after its own.",
        "試合では、余分な行の後の返答は 1 つずつずれ、どの行も次のターンの返答として数えられます。",
    ),
    "check.debugging": (
        "It wrote {written} besides its answer; that is no action, and counts as an answer.",
        "返答のほかに {written} を出力しました。これは手ではなく、それでも返答として数えられます。",
    ),
    "check.debugging.do": (
        "Send debugging output to standard error; standard output is for answers alone.",
        "デバッグ出力は標準エラー出力へ送ってください。標準出力は返答だけに使います。",
    ),
    # --- lines that are no legal action
    "check.case": (
        "It wrote {written} where {meant} is expected: capital and small letters count.",
        "{meant} が必要なところで {written} を出力しました。大文字と小文字は区別されます。",
    ),
    "check.case.do": ("Print {meant}.", "{meant} と出力してください。"),
    "check.spelling": (
        "It wrote {written}, which is no action; the nearest legal one is {meant}.",
        "{written} は手ではありません。最も近い合法手は {meant} です。",
    ),
    "check.spelling.do": (
        "Print actions exactly as they are spelt; legal here: {legal}",
        "手は正確な綴りで出力してください。ここでの合法手: {legal}",
    ),
    "check.malformed": (
        "It wrote {written}, which is no action.",
        "{written} は手ではありません。",
    ),
    "check.malformed.do": (
        "Print one legal action a line, and nothing else; legal here: {legal}",
        "合法手だけを 1 行で出力してください。ここでの合法手: {legal}",
    ),
    "check.empty-line": (
        "It wrote an empty line, or nothing at all, where an action is expected.",
        "手が必要なところで空行を出力したか、何も出力しませんでした。",
    ),
    "check.empty-line.do": (
        "Look for a newline too many: each one ends an answer. Legal here: {legal}",
        "余分な改行がないか調べてください。改行のたびに返答が終わります。ここでの合法手: {legal}",
    ),
    "check.silent-turn": (
        "It printed nothing in this turn.",
        "このターンで何も出力しませんでした。",
    ),
    "check.silent-turn.do": (
        "A process that lives for a turn finds the view in its last argument and prints one action before it ends.",
        "ターンごとのプロセスは、最後の引数で視界を受け取り、終了する前に手を 1 つ出力します。",
    ),
    "check.held-open": (
        "It ended, but its turn did not ({detail}).",
        "終了しましたが、ターンは終わりませんでした({detail})。",
    ),
    "check.held-open.do": (
        "Let whatever it starts end before it does, or close the output that it has from it.",
        "起動したプロセスを先に終わらせるか、その出力を閉じるようにしてください。",
    ),
    "check.nothing-legal": (
        "It was out by then, whatever it did (it had fallen, or nothing was legal): the result is the same."
        " It may still read to the end in peace.",
        "すでに脱落していた(落ちた、または合法手がない)ので、結果は変わりません。"
        "最後まで読めるようにしておくとよいでしょう。",
    ),
    "check.illegal": (
        "It wrote {written}, which the rules do not allow here.",
        "{written} はここではルール上許されません。",
    ),
    "check.illegal.do": ("Legal here: {legal}", "ここでの合法手: {legal}"),
    "check.encoding": (
        "It wrote {written}, which is not UTF-8.",
        "{written} は UTF-8 ではありません。",
    ),
    "check.encoding.do": (
        "Print plain ASCII or UTF-8, and no binary data.",
        "ASCII か UTF-8 で出力してください。バイナリは使えません。",
    ),
    "check.utf16": (
        "It wrote {written}: that is UTF-16, or holds null characters; UTF-8 is expected.",
        "{written} を出力しました。UTF-16 か、ヌル文字が含まれています。UTF-8 が必要です。",
    ),
    "check.utf16.do": (
        "Set the encoding of standard output to UTF-8; print no null characters at the end of a text.",
        "標準出力の文字コードを UTF-8 にし、文字列の終端のヌル文字を出力しないでください。",
    ),
    "check.utf8-mark": (
        "Its line begins with a byte order mark: {written}.",
        "行の先頭に BOM があります: {written}。",
    ),
    "check.utf8-mark.do": ("Print UTF-8 without a byte order mark.", "BOM なしの UTF-8 で出力してください。"),
    # --- programs that end
    "check.ended": (
        "It ended without an answer (exit status 0).",
        "答えずに終了しました(終了ステータス 0)。",
    ),
    "check.ended.do": (
        "The program must read a turn's input, answer, and go on until its input ends.",
        "プログラムはターンの入力を読み、答え、入力が終わるまで続けなければなりません。",
    ),
    "check.one-turn": (
        "It answered once and ended; a match has many turns, and one process plays them all.",
        "一度答えただけで終了しました。試合には多くのターンがあり、1 つのプロセスがすべてを戦います。",
    ),
    "check.one-turn.do": (
        "Put reading and answering into a loop that goes on until the input ends.",
        "入力が終わるまで、読み取りと出力をループで繰り返してください。",
    ),
    "check.ended-later": (
        "It ended by itself after {turns} answers (exit status 0).",
        "返答を {turns} 回出した後、自分から終了しました(終了ステータス 0)。",
    ),
    "check.ended-later.do": (
        "Let it play on until its input ends.",
        "入力が終わるまで続けるようにしてください。",
    ),
    "check.sees-its-copy": (
        "A bot sees only what was handed in. Hand in the folder with all that it reads, or name the file in its command.",
        "ボットから見えるのは提出したものだけです。読み込むファイルごとフォルダーで提出するか、コマンドに書いてください。",
    ),
    "check.exited": ("It crashed ({detail}){said}", "異常終了しました({detail}){said}"),
    "check.killed": ("It was ended by a {detail}{said}", "終了させられました({detail}){said}"),
    "check.killed.do": (
        "SIGSEGV is a bad index or pointer, SIGABRT a failed check or an uncaught exception, SIGFPE a division by 0.",
        "SIGSEGV は不正な添字やポインター、SIGABRT はアサーションの失敗や捕まえていない例外、SIGFPE は 0 での除算です。",
    ),
    "check.closed": (
        "It closed its standard output and went on running ({detail}).",
        "標準出力を閉じたまま動き続けました({detail})。",
    ),
    "check.output": (
        "It was stopped for what it wrote: {detail}.",
        "出力のため停止しました: {detail}。",
    ),
    "check.output.do": (
        "Let it wait for its input: it seems to print in an endless loop, perhaps without reading.",
        "入力を待つようにしてください。読まずに無限ループで出力しているようです。",
    ),
    "check.memory": ("It went over its memory limit ({detail}).", "メモリ制限を超えました({detail})。"),
    "check.tasks": ("It started too many processes ({detail}).", "プロセスを作りすぎました({detail})。"),
    "check.disk": ("It filled its disk ({detail}).", "ディスクを使い切りました({detail})。"),
    "check.files": ("It spoilt the folder that it runs in ({detail}).", "自分のフォルダーを壊しました({detail})。"),
    "check.files.do": (
        "Let it remove, move and close only files that it has made itself.",
        "自分で作ったファイルだけを削除、移動、変更してください。",
    ),
    "check.not-ended": (
        "Its processes were slow to end when they were killed ({detail}).",
        "強制終了してもプロセスがなかなか終わりませんでした({detail})。",
    ),
    "check.not-ended.do": (
        "Let it end the processes that it starts, and map less memory in pieces.",
        "起動したプロセスを自分で終わらせ、細切れのメモリマップを減らしてください。",
    ),
    # --- times
    "check.slow": (
        "Its longest turn after the first took {longest}, {share} of what is allowed: a slower or busier machine may stop it.",
        "2 ターン目以降の最長は {longest} で、制限の {share} です。遅いマシンや負荷の高いマシンでは時間切れになりかねません。",
    ),
    "check.slow-first": (
        "Its first turn took {first}, {share} of what is allowed: a busier machine may stop it.",
        "最初のターンは {first} で、制限の {share} です。負荷の高いマシンでは時間切れになりかねません。",
    ),
    # --- what the command tells besides
    "check.unusable": ("{error}", "{error}"),
    "check.times": (
        "Turns: {turns}; median {median}, first {first} (allowed {first_limit}),"
        " longest after it {longest} (allowed {limit}); at most {share} of the limit.",
        "ターン: {turns}。中央値 {median}、最初 {first}(制限 {first_limit})、その後の最長 {longest}(制限 {limit})。"
        "制限の最大 {share}。",
    ),
    "check.times-seen": ("seen {count} times", "{count} 回"),
    "check.again": (
        "Match {number} again (seed {seed}): {command}",
        "試合 {number} をもう一度(シード {seed}): {command}",
    ),
    "check.compiler": ("what its build said", "ビルドのメッセージ"),
    "check.saved": ("The replay of match {number}: {path}", "試合 {number} のリプレイ: {path}"),
    "check.nothing-saved": (
        "No match went wrong: no replay is saved.",
        "問題のある試合はなかったため、リプレイは保存しませんでした。",
    ),
    "check.examine-again": ("To examine it again: {command}", "もう一度調べるには: {command}"),
    "check.feedback": ("For its author: {path}", "作者への文書: {path}"),
    "save-of-several": (
        "--save keeps the replay of one bot's match; for a folder, take --feedback DIR, which keeps them all.",
        "--save は 1 つのボットの試合用です。フォルダーには --feedback DIR を使ってください(すべて保存されます)。",
    ),
    "check.more-lines": ("... and {lines} {lines:line|lines} more", "... ほか {lines} 行"),
    "check.fit": ("Fit for a contest.", "対戦に参加できます。"),
    "check.not-fit-one": (
        "Not fit for a contest yet: one thing is wrong.",
        "まだ対戦に参加できません。問題が 1 つあります。",
    ),
    "check.not-fit": (
        "Not fit for a contest yet: {wrong} things are wrong.",
        "まだ対戦に参加できません。問題が {wrong} つあります。",
    ),
    "check.how-many": ("{game}: {fit} of {total} are fit.", "{game}: {total} 個のうち {fit} 個が参加できます。"),
    "check.progress": ("Examining {bot} ({number} of {total}) ...", "{bot} を調べています({number} / {total})..."),
    "check.yes": ("yes", "可"),
    "check.no": ("no", "不可"),
    "check.column.bot": ("Bot", "ボット"),
    "check.column.language": ("Language", "言語"),
    "check.column.fit": ("Fit", "参加"),
    "check.column.wrong": ("What is wrong", "問題"),
    "check.column.turns": ("Turns", "ターン"),
    "check.column.median": ("Median", "中央値"),
    "check.column.longest": ("Longest", "最長"),
    "check.column.share": ("Of limit", "制限比"),
    # --- the operator's mistakes
    "check-no-bots": (
        "There is no bot in '{folder}': no source, no program, no folder; name the folder of the hand-ins.",
        "「{folder}」にボットがありません(ソースもプログラムもフォルダーもありません)。"
        "提出物のフォルダーを指定してください。",
    ),
    "csv-with-json": (
        "--csv and --json both need the standard output; leave one of them away.",
        "--csv と --json は同時に使えません。どちらか一方だけを指定してください。",
    ),
}
