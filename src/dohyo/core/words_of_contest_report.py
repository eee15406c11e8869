"""The sentences of a contest's report, a page for browsers: a part of the table in `dohyo.core.words`."""

from __future__ import annotations

# key: (English, Japanese)
TABLE: dict[str, tuple[str, str]] = {
    "report-over-store": (
        "'{path}' is a store, and nothing in it is to be lost; give --html another name.",
        "「{path}」はストアです。中身を失わないよう、--html に別の名前を指定してください。",
    ),
    "report.title": ("{game}: {contest}", "{game}: {contest}"),
    "report.and-more": ("{names} and {count} more", "{names} ほか {count}"),
    "report.version": ("{bot} (version {number})", "{bot}(第 {number} 版)"),
    "report.from-to": ("{low} to {high}", "{low}~{high}"),
    "report.or-more": ("{low} or more", "{low} 以上"),
    "report.or-less": ("{high} or less", "{high} 以下"),
    "report.untold": ("not known yet", "未定"),
    "report.untold.note": (
        "Where a rating is not known yet, or an end of its interval is missing, there are not enough matches yet to tell:"
        " the end is more than {far} Elo away, and the line stops there.",
        "「未定」や片側だけの区間は、試合数が足りずまだ分からないものです(端がレーティングから {far} Elo より離れている"
        "ため、線はそこで止めています)。",
    ),
    "report.fact.game": ("Game", "ゲーム"),
    "report.fact.format": ("Format", "対戦形式"),
    "report.fact.bots": ("Bots", "ボット"),
    "report.fact.matches": ("Matches", "試合数"),
    "report.fact.state": ("State", "状態"),
    "report.fact.begun": ("Begun", "開始"),
    "report.fact.faults": ("Faults", "違反"),
    "report.fact.seed": ("Seed", "シード"),
    "report.state.running": ("running", "実行中"),
    "report.state.stopped": ("stopped", "中断"),
    "report.state.over": ("over", "終了"),
    "report.state.pauses": ("pauses", "休止中"),
    "report.state.left": ("left", "離脱"),
    "report.state.replaced": ("replaced by a newer version", "新しい版と交代"),
    # --- how sure it is
    "report.sure": ("What is known", "分かったこと"),
    "report.sure.nothing": ("Nothing was played yet.", "まだ試合はありません。"),
    "report.sure.unrated": (
        "There are no ratings here, so nobody can say how much of the order is luck.",
        "レーティングがないため、順位がどれだけ偶然によるものかは分かりません。",
    ),
    "report.sure.first": (
        "The best bot is {bot}: its interval lies wholly above all others.",
        "最も強いのは {bot} です。区間全体がほかのどのボットよりも上にあります。",
    ),
    "report.sure.open": (
        "Who is best is not settled: it is one of {bots}.",
        "どれが最も強いかはまだ決まっていません。可能性があるのは {bots} です。",
    ),
    "report.sure.nobody": (
        "Who is best is not settled: it may be any of them.",
        "どれが最も強いかはまだ決まっていません。どのボットにも可能性があります。",
    ),
    "report.sure.first-here": (
        "Of those that still play, the best is {bot}: its interval lies wholly above all others.",
        "いま参加しているボットで最も強いのは {bot} です。区間全体がほかのどれよりも上にあります。",
    ),
    "report.sure.open-here": (
        "Which of those that still play is best is not settled: it is one of {bots}.",
        "いま参加しているボットのうちどれが最も強いかはまだ決まっていません。可能性があるのは {bots} です。",
    ),
    "report.sure.nobody-here": (
        "Which of those that still play is best is not settled: it may be any of them.",
        "いま参加しているボットのうちどれが最も強いかはまだ決まっていません。どれにも可能性があります。",
    ),
    "report.sure.apart": (
        "Pairs of bots that are told apart, their 95 % intervals not overlapping: {apart} of {pairs}.",
        "ボットの組み合わせ {pairs} 通りのうち {apart} 通りは差がはっきりしています(95 % 区間が重なりません)。",
    ),
    "report.sure.wide": (
        "A rating is typically known to ± {wide} Elo; four times as many matches would halve that.",
        "レーティングの誤差は普通 ± {wide} Elo です。試合数を 4 倍にすると半分になります。",
    ),
    "report.sure.few": (
        "There are not enough matches yet to tell how strong the bots are: a rating is typically known to no better"
        " than ± {far} Elo.",
        "強さを知るには試合数がまだ足りません。レーティングの誤差は普通 ± {far} Elo を超えています。",
    ),
    "report.sure.groups": (
        "No results connect these groups, so ratings of one say nothing about another: {groups}.",
        "次のグループの間には試合がなく、レーティングを比べられません: {groups}。",
    ),
    "report.sure.so-far": (
        "The contest is not over; {played} matches were played so far.",
        "大会は終わっていません。これまでに {played} 試合が終わっています。",
    ),
    "report.sure.not-over": (
        "The contest is not over: {played} of {scheduled} matches scheduled so far were played.",
        "大会は終わっていません。予定された {scheduled} 試合中 {played} 試合が終わっています。",
    ),
    "report.sure.aside": (
        "Matches that are open through errors of Dohyo itself, and count for nobody: {count}. 'dohyo contest run' plays"
        " them again.",
        "Dohyo 自体のエラーで未完了の試合(結果に数えていません): {count}。「dohyo contest run」でもう一度行えます。",
    ),
    "report.sure.faults": (
        "Most faults: {bot}, {count} in {matches} matches.",
        "違反が最も多いのは {bot} です({matches} 試合で {count} 回)。",
    ),
    # --- standings
    "report.standings": ("Standings", "順位表"),
    "report.standings.note": (
        "Ratings are on the Elo scale: 400 points are odds of 10 to 1 of being placed before the other. The line is the interval in which the true rating lies 95 times of a hundred; the places are those that it leaves open. Numbers of different contests do not compare.",
        "レーティングは Elo です。400 点の差は、同じ試合で相手より上の順位になる見込みが 10 対 1 であることを表します。線は真の値が 95 % の確率で入る区間、"
        "「ありうる順位」はその区間から考えられる順位です。別の大会の数値とは比べられません。",
    ),
    "report.standings.plain": (
        "Ratings with intervals need more libraries: pip install 'dohyo[stats]' (in a clone, ./dev extras)",
        "区間つきのレーティングには追加のライブラリが必要です: pip install 'dohyo[stats]' (クローンでは ./dev extras)",
    ),
    "report.column.place": ("Place", "順位"),
    "report.column.bot": ("Bot", "ボット"),
    "report.column.elo": ("Rating", "レーティング"),
    "report.column.range": ("Open places", "ありうる順位"),
    "report.column.points": ("Points", "得点"),
    "report.column.matches": ("Matches", "試合"),
    "report.column.record": ("Won - drawn - lost", "勝 - 分 - 負"),
    "report.column.opponents": ("Ahead - level - behind", "上 - 同位 - 下"),
    "report.column.longest": ("Longest", "最長"),
    # --- who beat whom
    "report.cross": ("Who beat whom", "対戦成績"),
    "report.cross.note": (
        "What the bot of the line took from the bot of the column, in percent of the points; a tie is half.",
        "行のボットが列のボットから取った得点の割合(%)。引き分けは半分と数えます。",
    ),
    "report.cross.scroll": (
        "Columns, by the numbers before the names: {count}; where they do not fit, scroll sideways.",
        "列は名前の前の番号順に {count} 列あります。収まらないときは横にスクロールしてください。",
    ),
    "report.cross.cell": (
        "{bot} against {other}: {won} ahead, {tied} level, {lost} behind",
        "{bot} 対 {other}: 上 {won}、同位 {tied}、下 {lost}",
    ),
    "report.cross.never": ("They never met.", "対戦なし"),
    "report.cross.lost": ("0 %", "0 %"),
    "report.cross.won": ("100 %", "100 %"),
    # --- ratings over time
    "report.time": ("Ratings over time", "レーティングの推移"),
    "report.time.batch": ("batch {at}", "第 {at} バッチ"),
    "report.time.match": ("match {at}", "第 {at} 試合"),
    "report.time.label": (
        "Ratings of {bots} bots from {first} to {last}; the table below has the numbers.",
        "ボット {bots} 個のレーティング、{first}から{last}まで(数値は下の表)。",
    ),
    "report.time.by-batch": ("In numbers, by batch", "数値で見る(バッチごと)"),
    "report.time.by-match": ("In numbers, by matches played", "数値で見る(試合数ごと)"),
    # --- seats
    "report.seat": ("By seat", "席ごとの成績"),
    "report.seat.note": (
        "Seat {best} fared best, with {share} % of the points, seat {worst} worst, with {other} %.",
        "最も有利なのは席 {best}(得点の {share} %)、最も不利なのは席 {worst}({other} %)です。",
    ),
    "report.seat.even": (
        "No seat fared clearly better: chance alone may explain the difference.",
        "席による有利不利ははっきりしません。差は偶然でも説明できます。",
    ),
    "report.seat.all": ("All bots", "全ボット"),
    "report.map": ("By map", "マップごとの成績"),
    "report.map.note": (
        "The share of points on each map, with the number of its matches.",
        "マップごとの得点の割合(%)。かっこ内は試合数です。",
    ),
    "report.map.part": (
        "The share of points on each map in the first {count} matches, with the number on each.",
        "最初の {count} 試合での、マップごとの得点の割合(%)。かっこ内は試合数です。",
    ),
    # --- faults
    "report.faults": ("Faults", "違反"),
    "report.faults.none": ("No bot misbehaved.", "違反したボットはありません。"),
    "report.faulty": ("fault in {count} of {matches} matches", "{matches} 試合中 {count} 試合で違反"),
    "report.fails": (
        "Of a bot that had a fault in most of its matches, shown in red, the place says little of how it plays.",
        "半分を超える試合で違反したボット(赤字)の順位は、実力をほとんど表しません。",
    ),
    "report.faults.matches": ("Matches with a fault", "違反のあった試合"),
    "report.faults.of": ("{count} of {matches}", "{matches} 中 {count}"),
    "report.faults.rate": ("How often", "頻度"),
    "report.faults.each": ("{count} in each match", "1 試合に {count} 回"),
    "report.faults.once": ("once in {count} matches", "{count} 試合に 1 回"),
    "report.faults.clean-are": ("Never misbehaved: {bots}.", "違反のないボット: {bots}。"),
    "report.faults.clean": ("Bots that never misbehaved: {count}.", "違反のないボット: {count}。"),
    # --- times
    "report.think": ("Longest thoughts", "最長の思考時間"),
    "report.think.note": (
        "The longest time that a bot took for one turn; {limit} are allowed.",
        "1 ターンにかかった最長の時間。制限は {limit} です。",
    ),
    "report.think.first": (
        "The longest time that a bot took for one turn; {limit} are allowed, and {first} for the first turn.",
        "1 ターンにかかった最長の時間。制限は {limit}、最初のターンは {first} です。",
    ),
    "report.think.plain": ("The longest time that a bot took for one turn.", "1 ターンにかかった最長の時間。"),
    "report.think.bar": ("As bars", "棒グラフ"),
    # --- matches left open
    "report.aside": ("Open matches", "未完了の試合"),
    "report.more": ("And {count} more that are not shown here.", "ほか {count}(省略)。"),
    "report.made": (
        "Made by Dohyo {version}. This page asks nobody for anything; keep it, send it, open it anywhere.",
        "Dohyo {version} で作成。このページは通信しません。保存や送信をしても、そのまま開けます。",
    ),
    "report.matches.command": (
        "The matches of a bot: 'dohyo contest matches STORE --bot NAME'; all of them as pages to click through: 'dohyo contest site STORE --out DIR'.",
        "ボットごとの試合は「dohyo contest matches STORE --bot NAME」、全試合をページにするには「dohyo contest site STORE --out DIR」。",
    ),
    "report.matches.here": (
        "A bot's name leads to its latest matches, at the end of this page.",
        "ボット名をクリックすると、このページの末尾にある最近の試合に移ります。",
    ),
    "report.latest": ("Latest matches", "最近の試合"),
    "report.latest.note": (
        "Choose a bot to see its latest matches.",
        "ボットを選ぶと、その最近の試合が表示されます。",
    ),
    "report.matches.site": (
        "A bot's name leads to its page, with all its matches.",
        "ボット名をクリックすると、そのボットの全試合のページに移ります。",
    ),
    "site.around": ("The contest and its bots", "大会とボット"),
    "site.back": ("Back to {contest}", "{contest} に戻る"),
    "site.matches": ("Its matches, the latest first", "試合(新しい順)"),
    "site.parts": ("More of them:", "ほかの試合:"),
    "site.column.match": ("Match", "試合"),
    "site.column.place": ("Its place", "順位"),
    "site.column.others": ("The others, with their places", "ほかのボットとその順位"),
    "site.column.faults": ("Its faults", "違反"),
    "site.written": (
        "A site to open in a browser or to serve: {path} (bots {bots}, matches {matches})",
        "ブラウザーで開くか、Web サーバーに置けるサイト: {path}(ボット {bots}、試合 {matches})",
    ),
    "site-not-empty": (
        "'{path}' has files in it that are not a site's, and they are to stay; name a new or an empty folder.",
        "「{path}」にはサイト以外のファイルがあります(変更していません)。新しいか空のフォルダーを指定してください。",
    ),
    "report.written": ("To look at in a browser: {path}", "ブラウザーで見る: {path}"),
}
