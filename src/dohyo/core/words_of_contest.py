"""What contests say that are run: a part of the table in `dohyo.core.words`."""

from __future__ import annotations

# key: (English, Japanese)
TABLE: dict[str, tuple[str, str]] = {
    "contest-file-malformed": (
        "The contest file '{path}' is no TOML ({error}); 'docs/contests.md' shows one.",
        "大会ファイル「{path}」は TOML として読めません({error})。書き方は docs/contests.md にあります。",
    ),
    "contest-file-large": (
        "The contest file '{path}' has more than {mebibytes} MiB, which none needs; name another one.",
        "大会ファイル「{path}」は {mebibytes} MiB を超えています。別のファイルを指定してください。",
    ),
    "contest-key-unknown": (
        "A contest file knows no '{key}'{nearest}; mend '{path}'. Known are: {known}.",
        "大会ファイルに「{key}」という項目はありません{nearest}。「{path}」を直してください。使えるのは {known} です。",
    ),
    "contest-value": (
        "The contest's '{key}' does not take '{value}'; it takes {takes}.",
        "大会の「{key}」に「{value}」は使えません。使える値: {takes}。",
    ),
    "contest-missing": (
        "The contest lacks its '{key}'; {remedy}.",
        "大会に「{key}」がありません。{remedy}。",
    ),
    "contest-without-file": (
        "Name a contest file, a store, or a game and bots: dohyo contest run --game GAME BOT BOT.",
        "大会ファイルかストアを指定するか、「dohyo contest run --game GAME BOT BOT」の形で書いてください。",
    ),
    "contest-flag-with-file": (
        "'{flag}' stands in the contest file or in the store already; write it there, or name no file.",
        "「{flag}」は大会ファイルかストアで決まります。そちらに書くか、ファイルを指定しないでください。",
    ),
    "contest-several-files": (
        "One contest file or one store at a time, not '{words}'; with --game, the words are bots.",
        "大会ファイルかストアは 1 つだけ指定してください(「{words}」)。--game を付けると、それらはボットになります。",
    ),
    "contest-one-name": (
        "Two bots are called '{name}' ({first} and {second}); give one another name: NAME=BOT.",
        "「{name}」という名前のボットが二つあります({first} と {second})。NAME=BOT の形で別の名前を付けてください。",
    ),
    "contest-bot-name": (
        "'{name}' is no name for a bot; take 1 to {most} letters that can be printed.",
        "「{name}」はボットの名前に使えません。表示できる 1~{most} 文字にしてください。",
    ),
    "contest-path-no-text": (
        "The path '{path}' is not UTF-8, and a contest's store cannot keep it; rename the file.",
        "パス「{path}」は UTF-8 ではないため、大会のストアに記録できません。ファイル名を変えてください。",
    ),
    "contest-no-contenders": (
        "A contest needs bots; name some, or a folder of them with --folder.",
        "大会にはボットが必要です。ボットか、--folder でボットのフォルダーを指定してください。",
    ),
    "contest-changed": (
        "The contest '{name}' was begun with {key} = {stored}, not {given}; put it back, or begin another contest with another name or store.",
        "大会「{name}」は {key} = {stored} で始まりました({given} ではありません)。元に戻すか、別の名前かストアで新しい大会を始めてください。",
    ),
    "contest-own-word": (
        "The store says that the contest '{name}' was begun with --{key} {value}, and that is not taken from a store: add --{key} {value} to the command if you want it so.",
        "ストアによると大会「{name}」は --{key} {value} で始まりましたが、これはストアからは採用しません。そうしたい場合はコマンドに --{key} {value} を付けてください。",
    ),
    "contest-store-command": (
        "The bot '{bot}' stands in the store as a command line ({line}), which is not run because a store says so: repeat the command or the contest file that began the contest, or add --store-commands.",
        "ボット「{bot}」はストアにコマンド({line})として入っており、ストアの指定だけでは実行しません。大会を始めたコマンドか大会ファイルで続けるか、--store-commands を付けてください。",
    ),
    "contest-terms-unreadable": (
        "The terms of the contest in the store cannot be read ({error}); take the store from where it was made.",
        "ストアにある大会の条件を読めません({error})。ストアを元の場所から取り直してください。",
    ),
    "contest-kept-unreadable": (
        "The files that a bot kept cannot be read from the store ({error}); take the store from where it was made.",
        "ボットが残したファイルをストアから読めません({error})。ストアを元の場所から取り直してください。",
    ),
    "contest-nobody-entered": (
        "The contest '{name}' has no bots in the store yet; repeat the command or the contest file that began it.",
        "大会「{name}」にはまだボットが入っていません。大会を始めたコマンドか大会ファイルをもう一度実行してください。",
    ),
    "contest-begun-without": (
        "The contest '{name}' was begun without a {key} given, and now it is {given}; leave it out, or begin another contest with another name or store.",
        "大会「{name}」は {key} の指定なしで始まりましたが、今は {given} です。指定を外すか、別の名前かストアで新しい大会を始めてください。",
    ),
    "contest-begun-with": (
        "The contest '{name}' was begun with {key} = {stored}, and now none is given; put it back, or begin another contest with another name or store.",
        "大会「{name}」は {key} = {stored} で始まりましたが、今は指定がありません。元に戻すか、別の名前かストアで新しい大会を始めてください。",
    ),
    "contest-without-bot": (
        "The contest '{name}' was begun with the bot '{key}' ({stored}), which is not named now; name it too, or go on with what the store has: dohyo contest run STORE",
        "大会「{name}」は「{key}」({stored})とともに始まりましたが、今は指定されていません。指定するか、「dohyo contest run ストア」で続けてください。",
    ),
    "contest-other-bot": (
        "The contest '{name}' was begun without the bot '{key}' ({given}); leave it out, or begin another contest with another name or store.",
        "大会「{name}」は「{key}」({given})なしで始まりました。外すか、別の名前かストアで新しい大会を始めてください。",
    ),
    "contest-bot-changed": (
        "The files of '{bot}' have changed since the contest '{name}' began, and {format} takes no new versions; put the old ones back, or begin another contest.",
        "大会「{name}」の開始後に「{bot}」のファイルが変わりましたが、{format} は新しい版を受け付けません。元に戻すか、新しい大会を始めてください。",
    ),
    "contest-bot-changed-frozen": (
        "The files of '{bot}' have changed since the contest '{name}' began; put the old ones back, or leave --frozen out to let a new version enter.",
        "大会「{name}」の開始後に「{bot}」のファイルが変わりました。元に戻すか、新しい版を参加させるなら --frozen を外してください。",
    ),
    "contest-bot-lost": (
        "The version of '{bot}' that has matches to play is neither where it was nor in the store; put its files back ({spec}).",
        "試合の残っている「{bot}」の版が元の場所にもストアにもありません。ファイルを戻してください({spec})。",
    ),
    "contest-closed": (
        "Nobody can join '{name}' now: {format} is played by those who began it; begin another contest.",
        "大会「{name}」には途中から参加できません({format} は開始時のボットだけで行います)。新しい大会を始めてください。",
    ),
    "contest-no-entrant": (
        "No bot '{bot}' takes part in the contest '{name}'{nearest}; those who do: {known}.",
        "大会「{name}」に「{bot}」というボットは参加していません{nearest}。参加しているのは {known} です。",
    ),
    "contest-takes-part": (
        "'{bot}' takes part in the contest '{name}' already, in this very version; change it, or give it another name: NAME=BOT.",
        "「{bot}」のこの版はすでに大会「{name}」に参加しています。内容を変えるか、NAME=BOT の形で別の名前を付けてください。",
    ),
    "contest-paused-already": (
        "'{bot}' pauses already; 'dohyo contest resume' lets it play again.",
        "「{bot}」はすでに休んでいます。「dohyo contest resume」で再開できます。",
    ),
    "contest-not-paused": (
        "'{bot}' does not pause; 'dohyo contest pause' makes it.",
        "「{bot}」は休んでいません。「dohyo contest pause」で休ませられます。",
    ),
    "contest-workers": (
        "--workers takes a number from 1 to {most}, not {workers}; leave it out to use every core.",
        "--workers は 1~{most} の数です({workers} は使えません)。省略するとすべてのコアを使います。",
    ),
    "contest-match-stops": (
        "A match could not be played: {error} Then run the same command again; what was played is kept.",
        "試合を行えませんでした: {error} その後、同じコマンドをもう一度実行してください。終わった試合は保存されています。",
    ),
    "contest-no-replay": (
        "Match {number} of the contest '{name}' has no replay in the store; choose another one.",
        "大会「{name}」の試合 {number} のリプレイはストアにありません。別の試合を選んでください。",
    ),
    "contest-match-number": (
        "A match is named by its number, not '{given}'; 'dohyo contest matches' lists them.",
        "試合は番号で指定します(「{given}」は使えません)。「dohyo contest matches」で一覧を表示できます。",
    ),
    # --- what is told while it runs
    "contest.left-out": ("'{bot}' is left out: {error}", "「{bot}」を除外しました: {error}"),
    "contest.gone": (
        "'{bot}' is gone from the folder; the version in the store plays.",
        "「{bot}」はフォルダーにありません。ストアにある版が試合をします。",
    ),
    "contest.broken": (
        "'{bot}' cannot be used as it is now; the version in the store plays.",
        "「{bot}」は今のままでは使えません。ストアにある版が試合をします。",
    ),
    "contest.too-late": (
        "'{bot}' can be used now, but did not take part when the contest began; it goes on without it.",
        "「{bot}」は使えるようになりましたが、大会の開始時には参加していませんでした。そのまま続けます。",
    ),
    "contest.by-wall": (
        "Time is counted by the wall clock: mode=fair needs {missing}, which this system does not have. On a busy"
        " machine bots may be late through no fault of theirs.",
        "時間は実時間で計ります。mode=fair に必要な {missing} がこのシステムにはありません。マシンの負荷が高いと、"
        "ボットに責任がなくても時間切れになることがあります。",
    ),
    "contest.extended": (
        "{rounds} rounds now, {before} before.",
        "{before} ラウンドから {rounds} ラウンドに増やしました。",
    ),
    "contest.building": ("Building {count} bots ...", "ボット {count} 個をビルドしています …"),
    "contest.nothing-begun": (
        "Stopped before the contest was begun; nothing was stored, and nothing is left running.",
        "大会を始める前に中断しました。何も保存されておらず、動いているものもありません。",
    ),
    "contest.nothing-more": (
        "Stopped before another match was played; nothing is left running. The same command goes on.",
        "次の試合の前に中断しました。動いているものはありません。同じコマンドで続けられます。",
    ),
    "contest.stopped-one": (
        "Stopped after 1 match; nothing is left running. Go on with: dohyo contest run {again}",
        "1 試合で中断しました。動いているものはありません。続けるには: dohyo contest run {again}",
    ),
    "contest.joins": ("A new version of '{bot}' enters.", "「{bot}」の新しい版が参加します。"),
    "contest.stopped": (
        "Stopped after {played} matches; nothing is left running. Go on with: dohyo contest run {again}",
        "{played} 試合で中断しました。動いているものはありません。続けるには: dohyo contest run {again}",
    ),
    "contest.waits": (
        "Too few bots take part at present; 'dohyo contest add' or 'resume' brings some. Go on with: dohyo contest run {again}",
        "参加中のボットが足りません。「dohyo contest add」か「resume」で増やしてから続けてください: dohyo contest run {again}",
    ),
    "contest.begins": (
        "{name}: {title}, {format}, {bots} bots, seed {seed}",
        "{name}: {title}、{format}、ボット {bots} 個、シード {seed}",
    ),
    "contest.goes-on": (
        "{played} matches were played before; it goes on.",
        "{played} 試合が終わっています。続きから始めます。",
    ),
    "contest.done": ("{played} of {total} matches", "{total} 試合中 {played} 試合"),
    "contest.done-open": ("{played} matches, in batch {batch}", "{played} 試合、第 {batch} バッチ"),
    "contest.rate": ("{rate}/s", "毎秒 {rate}"),
    "contest.left": ("{left} left", "残り {left}"),
    "contest.aside": ("{count} open through errors", "エラーで未完了 {count}"),
    "contest.open": (
        "Matches that are open through errors of Dohyo itself, and count for nobody: {count}. To play them again:"
        " dohyo contest run {again}",
        "Dohyo 自体のエラーで未完了の試合 {count}(成績に数えません)。もう一度行うには: dohyo contest run {again}",
    ),
    "contest.open-waits": (
        "Matches that are open through errors of Dohyo itself: {count}. The next batch waits for them. To play them"
        " again: dohyo contest run {again}",
        "Dohyo 自体のエラーで未完了の試合 {count}。終わるまで次の組み合わせは決まりません。もう一度行うには: dohyo contest run {again}",
    ),
    "contest.more-rows": ("... and {count} more", "… ほか {count}"),
    "contest.uneven": (
        "Not all have played equally often yet: compare points with the matches beside them.",
        "試合数はまだ同じではありません。得点は試合数と合わせて見てください。",
    ),
    "contest.over": ("The contest is over.", "大会は終わりました。"),
    "contest.points-only": (
        "Points only: ratings with intervals need more; pip install 'dohyo[stats]' (in a clone, ./dev extras)",
        "得点だけを表示しています。レーティングには追加が必要です: pip install 'dohyo[stats]' (クローンでは ./dev extras)",
    ),
    "contest.aside-line": (
        "Match {number} is open: {error}",
        "試合 {number} は未完了です: {error}",
    ),
    "contest.wrote": ("Wrote {count} matches to {path}.", "{count} 試合を {path} に書きました。"),
    "contest.added": ("'{bot}' enters with batch {batch}.", "「{bot}」は第 {batch} バッチから参加します。"),
    "contest.removed": ("'{bot}' leaves with batch {batch}.", "「{bot}」は第 {batch} バッチから外れます。"),
    "contest.paused": ("'{bot}' pauses from batch {batch} on.", "「{bot}」は第 {batch} バッチから休みます。"),
    "contest.resumed": ("'{bot}' plays again from batch {batch} on.", "「{bot}」は第 {batch} バッチから再開します。"),
    "contest.state.running": ("running", "実行中"),
    "contest.state.stopped": ("stopped", "中断"),
    "contest.state.over": ("over", "終了"),
    # --- columns and facts
    "contest.column.place": ("place", "順位"),
    "contest.column.bot": ("bot", "ボット"),
    "contest.column.points": ("points", "得点"),
    "contest.column.elo": ("Elo", "Elo"),
    "contest.column.interval": ("95 %", "95 %"),
    "contest.column.range": ("places", "ありうる順位"),
    "contest.column.matches": ("matches", "試合"),
    "contest.column.record": ("W-D-L", "勝-分-負"),
    "contest.column.firsts": ("firsts", "1位"),
    "contest.column.faults": ("faults", "違反"),
    "contest.column.faulty": ("with fault", "違反試合"),
    "contest.fails": (
        "{mark} had a fault in most of its matches: its place says little of how it plays.",
        "{mark} は半分を超える試合で違反しています。順位は実力をほとんど表しません。",
    ),
    "contest.fact.faults": ("Faults", "違反"),
    "contest.fault-is-last": ("a fault is the last place in that match", "違反したボットはその試合で最下位"),
    "contest.column.remark": ("remark", "備考"),
    "contest.column.match": ("match", "試合"),
    "contest.column.batch": ("batch", "バッチ"),
    "contest.column.seed": ("seed", "シード"),
    "contest.column.result": ("bots by seat, with places", "席順のボットと順位"),
    "contest.fact.contest": ("Contest", "大会"),
    "contest.fact.game": ("Game", "ゲーム"),
    "contest.fact.format": ("Format", "対戦形式"),
    "contest.fact.seed": ("Seed", "シード"),
    "contest.fact.state": ("State", "状態"),
    "contest.fact.matches": ("Matches", "試合"),
    "contest.fact.clock": ("Clock", "持ち時間"),
    "contest.fact.bots": ("Bots", "ボット"),
    "contest.fact.usual": ("the game's usual one", "ゲームの標準"),
    "contest.pauses": ("pauses", "休止中"),
    "contest.left-it": ("left", "離脱"),
    "contest.replaced": ("older version", "旧版"),
}
