"""The sentences of `dohyo compare`: a part of the table in `dohyo.core.words`."""

from __future__ import annotations

# key: (English, Japanese)
TABLE: dict[str, tuple[str, str]] = {
    # --- the operator's mistakes
    "revision-no-git": (
        "A baseline 'git:REV' needs git, which is not installed here; install it, or name the bot by its path.",
        "「git:REV」の比較相手には git が必要です。git をインストールするか、ボットをパスで指定してください。",
    ),
    "revision-no-repository": (
        "'{spec}' means a bot in a git repository, and '{folder}' is in none; go into the repository, or name the bot by its path.",
        "「{spec}」は git リポジトリ内のボットですが、「{folder}」はリポジトリではありません。"
        "リポジトリの中で実行するか、ボットをパスで指定してください。",
    ),
    "revision-unknown": (
        "There is no revision '{revision}' in the repository '{folder}'; 'git log --oneline' lists them.",
        "リポジトリ「{folder}」にリビジョン「{revision}」はありません。「git log --oneline」で一覧を表示できます。",
    ),
    "revision-no-path": (
        "There is no '{path}' in revision '{revision}'; 'git ls-tree -r {revision}' lists what there is (paths count from the root).",
        "リビジョン「{revision}」に「{path}」はありません。"
        "「git ls-tree -r {revision}」で一覧を表示できます(パスはルートから)。",
    ),
    "revision-which-bot": (
        "'{spec}' names no path, and '{candidate}' is no file of the repository; say which bot is meant: {spec}:PATH",
        "「{spec}」にパスがなく、「{candidate}」はリポジトリ内のファイルではありません。"
        "ボットを指定してください: {spec}:PATH",
    ),
    "revision-lfs": (
        "'{path}' of revision '{revision}' is kept by git LFS, and 'git:' reads only what git itself holds;"
        " 'git worktree add FOLDER {revision}' writes it out: name the bot in that folder.",
        "リビジョン「{revision}」の「{path}」は git LFS に保存されています。「git:」で読めるのは git 本体にあるファイルだけです。"
        "「git worktree add フォルダー {revision}」で書き出し、そのフォルダーのボットを指定してください。",
    ),
    "revision-too-large": (
        "Revision '{revision}' has more than {files} files or {mebibytes} MiB, or folders that are too deep, and so has the folder of the bot;"
        " 'git worktree add FOLDER {revision}' writes it out: name the bot in that folder.",
        "リビジョン「{revision}」は、ファイルが {files} 個か {mebibytes} MiB を超えるか、フォルダーが深すぎます(ボットのフォルダーも同じ)。"
        "「git worktree add フォルダー {revision}」で書き出し、そのフォルダーのボットを指定してください。",
    ),
    "revision-not-read": (
        "git cannot write out revision '{revision}' ({reason}); mend the repository, or name the bot by its path.",
        "git がリビジョン「{revision}」を書き出せません({reason})。"
        "リポジトリを直すか、ボットをパスで指定してください。",
    ),
    "compare-one-seat": (
        "A match of {game} has one seat, so no two bots can be compared in it; take another game.",
        "{game} の試合は 1 席なので、ボットを比較できません。別のゲームを選んでください。",
    ),
    "compare-seats": (
        "A comparison in {game} takes {takes} seats, not {given}; give another --seats.",
        "{game} での比較は {takes} 席です({given} は使えません)。--seats を変えてください。",
    ),
    "compare-rounds": (
        "A comparison needs one pair at least, not {given}; give a greater --max-pairs.",
        "比較には少なくとも 1 組の試合が必要です({given} は使えません)。--max-pairs を増やしてください。",
    ),
    "compare-workers": (
        "A comparison needs one worker at least, not {given}; give a greater --workers, or leave it out.",
        "ワーカーは 1 以上にしてください({given} は使えません)。--workers は省略もできます。",
    ),
    "compare-match-failed": (
        "Match {number} of the comparison cannot be played: {error}",
        "比較の試合 {number} を行えません: {error}",
    ),
    # --- what it tells
    "compare.title": ("{game}: {candidate} against {baselines}", "{game}: {candidate} 対 {baselines}"),
    "compare.test": (
        "Is it better by {elo1} Elo rather than {elo0}? Wrong at most {alpha} % and {beta} % of the time; seed {seed}.",
        "差は {elo0} Elo ではなく {elo1} Elo か(誤り率は最大 {alpha} % と {beta} %、シード {seed})。",
    ),
    "compare.same-program": (
        "'{name}' is the very program that the candidate is: nothing but luck can tell them apart.",
        "「{name}」は候補とまったく同じプログラムです。差が出るとすれば偶然だけです。",
    ),
    "compare.pairs": ("{rounds} {rounds:pair|pairs}", "{rounds} 組"),
    "compare.rounds": ("{rounds} {rounds:round|rounds} of {size} matches", "{rounds} 回(1 回 {size} 試合)"),
    "compare.rate": ("{matches} matches, {rate} a second", "{matches} 試合、毎秒 {rate}"),
    "compare.elo": ("Elo {elo} ± {wide}", "Elo {elo} ± {wide}"),
    "compare.los": ("LOS {los} %", "LOS {los} %"),
    "compare.llr": ("LLR {llr} in {lower} .. {upper}", "LLR {llr}({lower} ~ {upper})"),
    "compare.wdl": ("W-D-L {won}-{tied}-{lost}", "勝-分-負 {won}-{tied}-{lost}"),
    "compare.opponents": (
        "opponents beaten-level-ahead {won}-{tied}-{lost}",
        "相手より上-同位-下 {won}-{tied}-{lost}",
    ),
    "compare.pentanomial": ("pairs by points 0 ½ 1 1½ 2: {counts}", "組の得点 0 ½ 1 1½ 2: {counts}"),
    "compare.against": ("against {name}: {figures}", "{name} に対して: {figures}"),
    "compare.worse-than": (
        "But against {name} alone it is worse: by {elo} ± {wide} Elo.",
        "ただし {name} に対しては弱くなりました: {elo} ± {wide} Elo。",
    ),
    "compare.faults": (
        "{bot} misbehaved in {matches} of {all} matches ({kinds}), and lost {lost} of them.",
        "{bot} は {all} 試合中 {matches} 試合で違反し({kinds})、うち {lost} 試合で負けました。",
    ),
    "compare.left-out": (
        "Left out: {rounds} with a match in which Dohyo itself stood still each time that it was tried (stopped, or the"
        " machine asleep).",
        "除外: {rounds}。Dohyo 自体が(一時停止またはスリープで)毎回止まった試合を含むためです。",
    ),
    "compare.check": (
        "'dohyo check {game} BOT' tells what is wrong with it.",
        "「dohyo check {game} BOT」で原因を調べられます。",
    ),
    "compare.better": (
        "Better: by {elo} ± {wide} Elo, after {matches} matches.",
        "強くなりました: {elo} ± {wide} Elo({matches} 試合)。",
    ),
    "compare.better-roughly": (
        "Better: by some {elo} Elo, after {matches} matches; how much exactly, so few do not tell.",
        "強くなりました: およそ {elo} Elo({matches} 試合)。正確な差を知るには試合数が足りません。",
    ),
    "compare.not-worse": (
        "Not worse: {elo} ± {wide} Elo, after {matches} matches.",
        "弱くなっていません: {elo} ± {wide} Elo({matches} 試合)。",
    ),
    "compare.not-better": (
        "Not better: {elo} ± {wide} Elo, after {matches} matches; it is not the {elo1} Elo that were asked for.",
        "強くなっていません: {elo} ± {wide} Elo({matches} 試合)。求めた {elo1} Elo の差はありません。",
    ),
    "compare.worse": (
        "Worse: by {elo} ± {wide} Elo, after {matches} matches.",
        "弱くなりました: {elo} ± {wide} Elo({matches} 試合)。",
    ),
    "compare.undecided": (
        "Cannot tell yet after {rounds}: {elo} ± {wide} Elo, better with a probability of {los} %; more of them will tell.",
        "{rounds}ではまだ分かりません: {elo} ± {wide} Elo、強い確率は {los} %。組数を増やしてください。",
    ),
    "compare.seems-better": (
        "So far it looks clearly better (0 lies below that range); the test wants more matches.",
        "今のところ、はっきり強く見えます(この範囲は 0 を含みません)。判定にはさらに試合が必要です。",
    ),
    "compare.seems-worse": (
        "So far it looks clearly worse (0 lies above that range); the test wants more matches.",
        "今のところ、はっきり弱く見えます(この範囲は 0 を含みません)。判定にはさらに試合が必要です。",
    ),
    "compare.interrupted": (
        "Interrupted; nothing is left running. --seed {seed} plays the same matches again.",
        "中断しました。動いているプログラムは残っていません。--seed {seed} で同じ試合をやり直せます。",
    ),
}
