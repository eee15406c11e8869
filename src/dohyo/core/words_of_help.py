"""The sentences of `--help` in Japanese, by the English ones, which stand where the commands and options are made.

They are no part of the table in `dohyo.core.words`: only who asks for help in Japanese imports them. A paragraph that
begins with a backspace keeps its lines.
"""

from __future__ import annotations

# English: Japanese
JAPANESE: dict[str, str] = {
    # --- what typer says
    "Usage: ": "使い方: ",
    "Arguments": "引数",
    "Options": "オプション",
    "Commands": "コマンド",
    "Show this message and exit.": "この説明を表示して終了します。",
    "[required]": "[必須]",
    # --- the commands
    "Dohyo, the arena for programs that play games.\n\n'dohyo demo' shows what it does; 'dohyo COMMAND --help' explains"
    " a command. Games bring programs of their own:\n'dohyo games' lists them.": "Dohyo、ゲームをするプログラムの対戦場。\n\n"
    "まず「dohyo demo」で試せます。「dohyo COMMAND --help」で各コマンドの説明を表示します。専用のプログラムが付いている"
    "ゲームもあります(一覧は「dohyo games」)。",
    "Examine a bot, or a folder of them: what goes wrong at which line, how long its turns take.": "ボット、または"
    "フォルダー内のボットを調べます。どの行で何が間違っているか、1 ターンに何秒かかるかを表示します。",
    "The bot is walked through the protocol alone, step by step, and then played against 'random'.": "まずボットだけで入出力の"
    "手順を一つずつ確かめ、次に「random」と対戦させます。",
    "Start a cluster, or a part of one: contests then play on many machines.": "クラスターを起動します。大会の試合を複数の"
    "マシンで実行できます。",
    "Start a scheduler and workers on this machine, until Ctrl-C: to try what a cluster is like.": "このマシンだけで"
    "スケジューラーとワーカーを起動します(試用向け)。Ctrl-C で終了します。",
    "Start a scheduler, until Ctrl-C. It makes the cluster's keys, unless there are some, and asks for them.": "スケジューラーを"
    "起動します。鍵がなければ作り、接続のときに確かめます。Ctrl-C で終了します。",
    "Start workers on this machine for a scheduler, until Ctrl-C, each on its share of the cores.": "このマシンでワーカーを"
    "起動し、コアを分け合って使います。Ctrl-C で終了します。",
    "Make the keys of a cluster before it is started, unless they are there, and say where they are.": "クラスターの鍵を、"
    "なければ起動の前に作り、その場所を表示します。",
    "Tell whether a bot improved: matches against its older self, or others, until it is known.": "ボットが強くなったかを"
    "調べます。以前の版やほかのボットと、差が分かるまで対戦します。",
    "Hold contests between bots, go on where one was stopped, look at the results.": "ボットの大会を開き、中断した大会を続け、"
    "結果を見ます。",
    "A bot with a fault has the last place in that match.": "違反したボットは、その試合で最下位になります。",
    "Begin a contest, or go on with it.": "大会を始めるか、続きを行います。",
    "What is played, how far it is, who takes part, what went wrong.": "大会の内容、進み具合、参加しているボット、問題を表示します。",
    "The table: places, ratings with 95 % intervals, results, faults.": "順位表を表示します。順位、95 % 区間つきの"
    "レーティング、結果、違反。",
    "The matches that were played: who sat where, what came of it. Matches and batches are numbered from 0.": "終わった試合を"
    "表示します。席と結果が分かります。試合とバッチの番号は 0 からです。",
    "All matches as CSV, JSON, or headers as chess programs write them.": "全試合を CSV、JSON、またはチェスソフト形式のヘッダーで"
    "書き出します。",
    "Look at a match of a contest, as 'dohyo replay' does.": "大会の試合を「dohyo replay」と同じように見ます。",
    "Write a page to look at in a browser: standings with intervals, who beat whom, seats, faults, times.": "ブラウザーで見る"
    "ページを作ります。区間つきの順位表、対戦成績、席、違反、時間。",
    "Write the report, a page for each bot, and each match with its replay, as plain files for any web server.": "レポート、"
    "ボットごとのページ、全試合のリプレイを、Web サーバーに置けるファイルとして作ります。",
    "Look whether all that a store holds is what was played: its rows, its tallies, its replays, its bots.": "ストアの内容"
    "(行、集計、リプレイ、ボット)が行われた試合と一致するかを確かめます。",
    "Say in which folder the files of a store in PostgreSQL are; this machine remembers it.": "PostgreSQL のストアの"
    "ファイルがどのフォルダーにあるかを指定します。このマシンで記憶します。",
    "Let a bot join a contest, or the next version of one that takes part.": "大会にボットを、または参加中のボットの新しい版を加えます。",
    "Let a bot leave a contest; what it played stays.": "大会からボットを外します。終わった試合は残ります。",
    "Let a bot pause.": "ボットを休ませます。",
    "Let a bot play again that pauses.": "休んでいるボットを再開させます。",
    "Show what Dohyo does: build sample bots, play, write replays to look at.": "Dohyo を試します。サンプルボットをビルドし、"
    "対戦させ、リプレイを作ります。",
    "Tell what this machine offers: the sandbox, the languages, and what mends what is missing.": "このマシンで使える"
    "サンドボックスと言語を調べ、足りないものの入れ方を表示します。",
    "List the games: facts, setup options, clocks, sample bots.": "ゲームの一覧を表示します。特徴、設定、持ち時間、サンプルボット。",
    "Play one match between bots.": "ボットどうしで 1 試合を行います。",
    "Look at a recorded match, verify it, watch it, make it a page.": "記録した試合を見る、確かめる、再生する、ページにする。",
    # --- games, bots and what decides a match
    "Language of messages.": "表示の言語。",
    "Print the version.": "バージョンを表示します。",
    "The game, as 'dohyo games' calls it.": "ゲームの名前(一覧は「dohyo games」)。",
    "The bot, or a folder of bots.": "ボット、またはボットのフォルダー。",
    "One bot a seat.": "席ごとに 1 個のボット。",
    "Decides the dice. Without it: 0.": "乱数を決めます。省略時: 0。",
    "Decides the dice. Without it: a new one.": "乱数を決めます。省略時: 毎回新しい値。",
    "Decides all dice. Without it: a new one.": "すべての乱数を決めます。省略時: 毎回新しい値。",
    "A setup option of the game. May be repeated.": "ゲームの設定。何度でも指定できます。",
    "Time for a turn. Without it: the game's usual one. Keys: mode=wall|fair|cpu, bank=S, grace=S, strikes=N, wall=S"
    " (docs/clocks.md).": "1 ターンの持ち時間。省略時: ゲームの標準。キー: mode=wall|fair|cpu、bank=S、grace=S、strikes=N、"
    "wall=S (docs/clocks.md)。",
    "Time for a turn. Without it: challenge. Keys: mode=wall|fair|cpu, bank=S, grace=S, strikes=N, wall=S"
    " (docs/clocks.md).": "1 ターンの持ち時間。省略時: challenge。キー: mode=wall|fair|cpu、bank=S、grace=S、strikes=N、"
    "wall=S (docs/clocks.md)。",
    "The interpreter for bots in Python. Without it: python3.": "Python のボットを動かすインタープリター。省略時: python3。",
    "The interpreter of bots in Python.": "Python のボットを動かすインタープリター。",
    "What bots run in. Without it: auto. 'dohyo doctor' explains.": "ボットを動かすサンドボックス。省略時: auto。"
    "説明は「dohyo doctor」。",
    "What bots run in. Without it: require. 'dohyo doctor' explains.": "ボットを動かすサンドボックス。省略時: require。"
    "説明は「dohyo doctor」。",
    "The bots are my own: run them without a sandbox.": "自分のボットなので、サンドボックスなしで動かします。",
    "Whether bots run on while they are not to move.": "自分の番でないときもボットを動かすか。",
    "Matches at once. Without it: one a core.": "同時に行う試合の数。省略時: コアの数。",
    "Print one JSON document and nothing else.": "JSON だけを出力します。",
    "Print one JSON document instead.": "代わりに JSON を出力します。",
    # --- check
    "BOT is a folder: examine every bot in it.": "BOT はフォルダーで、その中のすべてのボットを調べます。",
    "Print a table for spreadsheets; implies --each.": "表計算ソフト用の表を出力します(--each を含みます)。",
    "Write a text for each bot's author there, and failing replays.": "ボットごとに作者への文書と、問題のあった試合のリプレイを"
    "書くフォルダー。",
    "Write the replay of the first match that goes wrong.": "最初に問題のあった試合のリプレイを書くファイル。",
    # --- cluster
    "Where it listens; 0 takes any.": "待ち受けるポート。0 なら空いているもの。",
    "The folder with the cluster's keys. Without it: ~/.config/dohyo/cluster.": "クラスターの鍵のフォルダー。省略時: "
    "~/.config/dohyo/cluster。",
    "No keys and no encryption: whoever reaches the cluster can use it.": "鍵も暗号化も使いません。接続できる人は誰でも"
    "クラスターを使えます。",
    "The address of this machine that others reach it at.": "ほかのマシンから見た、このマシンのアドレス。",
    "The scheduler's, as tls://HOST:PORT.": "スケジューラーのアドレス。tls://HOST:PORT の形。",
    # --- compare
    "The bot that may have improved.": "強くなったかを調べるボット。",
    "What it is compared with: a bot, or git:REV[:PATH].": "比べる相手。ボット、または git:REV[:PATH]。",
    "No improvement: a difference of so much.": "強くなっていないとみなす差。",
    "An improvement: a difference of so much.": "強くなったとみなす差。",
    "How often it may be called better wrongly.": "誤って「強くなった」と言う確率の上限。",
    "How often it may be called not better wrongly.": "誤って「強くなっていない」と言う確率の上限。",
    "Stop after so many pairs. Without it: when it is known.": "この組数でやめます。省略時: 差が分かるまで。",
    "Seats of a match, where the game lets choose.": "試合の席数(選べるゲームの場合)。",
    # --- contest
    "A contest file, a store, or bots.": "大会ファイル、ストア、またはボット。",
    "The game; the words are bots then.": "ゲーム。指定すると、ほかの語はボットになります。",
    "Every bot in this folder takes part.": "このフォルダーのすべてのボットが参加します。",
    "Who handed in what: a CSV or TOML file of hand-ins and names.": "提出物と名前の一覧(CSV か TOML のファイル)。",
    "Who plays whom. Without it: round-robin.": "対戦形式。省略時: round-robin。",
    "How much is played. Without it: 1.": "ラウンド数。省略時: 1。",
    "An option of the format. May be repeated.": "対戦形式のオプション。何度でも指定できます。",
    "Where results are kept. Without it: contest.db, or FILE.db.": "結果を保存するストア。省略時: contest.db、または FILE.db。",
    "The contest's name in its store.": "ストアの中での大会の名前。",
    "Play on a cluster, as tls://HOST:PORT (docs/scaling.md).": "クラスターで実行します。tls://HOST:PORT の形 (docs/scaling.md)。",
    "Stop after so many batches; a ladder has no end of its own.": "このバッチ数でやめます(ladder には終わりがありません)。",
    "Refuse bots whose files have changed.": "ファイルが変わったボットを受け付けません。",
    "Run bots too that the store has as command lines alone.": "ストアにコマンドとしてだけ入っているボットも動かします。",
    "The folder with its files.": "そのファイルのあるフォルダー。",
    "Where the contest is kept: a file or a URL.": "大会のストア。ファイルか URL。",
    "Which contest, where the store holds several.": "大会の名前(ストアに複数ある場合)。",
    "Only matches of this bot.": "このボットの試合だけ。",
    "Only matches in which somebody misbehaved.": "違反のあった試合だけ。",
    "The last N of them; 0 for all.": "最後の N 試合。0 ならすべて。",
    "What to write. Without it: csv.": "書き出す形。省略時: csv。",
    "Where to. Without it: the output.": "書き出すファイル。省略時: 標準出力。",
    "A match's number, from 0 on.": "試合の番号(0 から)。",
    "Where to write the page.": "ページを書くファイル。",
    "The folder to write; new, empty, or a site.": "書き込むフォルダー。新しいか空、または以前のサイト。",
    "Play the moves of every replay again, too, by the rules.": "すべてのリプレイの手も、ルールどおりか確かめます。",
    "The bot, as for 'dohyo play', or NAME=BOT.": "ボット(「dohyo play」と同じ)、または NAME=BOT。",
    "A bot's name in the contest.": "大会でのボットの名前。",
    # --- replays and the demo
    "Play the moves again and compare every state and the result.": "手をすべてやり直し、各ターンの状態と結果を照らし合わせます。",
    "Write a page to watch in a browser.": "ブラウザーで見るページを書くファイル。",
    "Write the replay to a file of its own.": "リプレイを書くファイル。",
    "Write the replay; compressed when the name ends in .zst.": "リプレイを書くファイル。名前が .zst で終われば圧縮します。",
    "Watch the board in the terminal.": "端末で盤面を見ます。",
    "Show each fault with the input that caused it.": "違反と、その原因になった入力を表示します。",
    "Begin with the state of a replay's turn.": "リプレイのターンの状態から始めます。",
    "Exit with status 1 if any bot misbehaved.": "違反があれば終了ステータスを 1 にします。",
    "A replay, written by 'dohyo play --save'.": "「dohyo play --save」で書いたリプレイ。",
    "Where replays and pages go.": "リプレイとページを書くフォルダー。",
    # --- programs that games bring along
    "The folder with the bots, one entry each.": "ボットのフォルダー。1 項目が 1 個のボットです。",
    "A new folder for the results. Without it: koth-1, -2, ...": "結果を書く新しいフォルダー。省略時: koth-1、-2、...",
    "The program, a source, or a sample bot.": "プログラム、ソース、またはサンプルボット。",
    "Its own arguments.": "プログラムへの引数。",
}

# What stands below a command's options, by the command's path.
BELOW: dict[str, str] = {
    "check": "\b\n例:\n  dohyo check drop-block mybot.py\n"
    '  dohyo check wondev-woman "./mybot --fast" --setup league=wood2\n'
    "  dohyo check drop-block hand-ins/ --each\n"
    "  dohyo check drop-block hand-ins/ --csv > table.csv\n"
    "  dohyo check drop-block hand-ins/ --each --feedback texts/\n\n"
    "\b\n終了ステータス: 0 すべて参加できる。1 参加できないボットか、ビルドできないボットがある。\n"
    "2 何も調べられなかった(コマンドの誤り、またはただ一つのボットがビルドできない)。",
    "compare": "\b\n例:\n  dohyo compare wondev-woman mybot.py git:HEAD\n"
    "  dohyo compare drop-block mybot.cpp git:v1.2:bots/mybot.cpp hunter --max-pairs 500\n"
    "  dohyo compare wondev-woman mybot.py climber --elo0 0 --elo1 30 --json\n\n"
    "比較相手 git:REV[:PATH] は、そのリビジョンのボットです。PATH はリポジトリのルートから書きます(省略時は候補と同じ)。"
    "終了ステータス: 0 強くなった、1 強くなっていない、3 まだ分からない、2 指定の誤り。",
    "contest run": "\b\n例:\n  dohyo contest run class.toml\n"
    "  dohyo contest run --game drop-block hunter random mine.cpp old=mine-old.cpp --rounds 10\n"
    "  dohyo contest run --game drop-block --folder hand-ins --format swiss --rounds 7 --store class.db\n"
    "  dohyo contest run class.db\n\n"
    "同じコマンド、またはストアだけを指定すると、続きから始まります。どの試合もちょうど一度だけ数えます。"
    "大会ファイルに書けることは docs/contests.md にあります。",
    "play": "\b\n例:\n  dohyo play drop-block hunter random random random --watch\n"
    '  dohyo play drop-block mine.cpp hunter random "python3 old.py" --seed 7 --save m.replay\n'
    "  dohyo play drop-block hunter hunter mine.cpp random --from m.replay@120\n\n"
    "ボットは、ソースファイル(ビルドされます)、実行ファイル、bot.toml か command.txt のあるフォルダー、引用符で囲んだコマンド、"
    "サンプルボットの名前(一覧は「dohyo games」)のどれかです。",
}
