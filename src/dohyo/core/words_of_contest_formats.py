"""What the formats of contests say: a part of the table in `dohyo.core.words`."""

from __future__ import annotations

# key: (English, Japanese)
TABLE: dict[str, tuple[str, str]] = {
    "format-unknown": (
        "There is no format '{name}'{nearest}; known are: {known}.",
        "「{name}」という対戦形式はありません{nearest}。使えるのは {known} です。",
    ),
    "format-option-unknown": (
        "The format '{format}' has no option '{key}'{nearest}; it has: {known}.",
        "対戦形式「{format}」に「{key}」というオプションはありません{nearest}。使えるのは {known} です。",
    ),
    "format-option-value": (
        "The format's option '{key}' does not take '{value}'{nearest}; it takes {takes}.",
        "対戦形式のオプション「{key}」に「{value}」は使えません{nearest}。使える値: {takes}。",
    ),
    "format-rounds": (
        "A contest has 1 to {most} rounds, not {rounds}; give another number.",
        "ラウンド数は 1~{most} にしてください(指定: {rounds})。",
    ),
    "format-one-seat": (
        "The format '{format}' needs matches of two bots or more, and this game seats one; take king-of-the-hill.",
        "対戦形式「{format}」には 2 席以上が必要ですが、このゲームは 1 席です。king-of-the-hill を使ってください。",
    ),
    "format-table": (
        "A match of this game cannot seat {table} bots; give 'table' a number from {fewest} to {most}, or leave it out.",
        "このゲームの試合に {table} 個のボットは座れません。「table」を {fewest}~{most} にするか、省略してください。",
    ),
    "format-table-fixed": (
        "A match of this game seats exactly {most} bots, not {table}; leave 'table' out.",
        "このゲームの試合はちょうど {most} 席で、{table} 席にはできません。「table」を省略してください。",
    ),
    "format-two-seats": (
        "The format '{format}' needs matches of two bots, and this game seats {fewest} at least; take single-elimination.",
        "対戦形式「{format}」には 2 席の試合が必要ですが、このゲームは {fewest} 席以上です。"
        "single-elimination を使ってください。",
    ),
    "format-too-few": (
        "The format '{format}' needs {table} bots at least for a match of {table}, and there are {entrants}; add some.",
        "対戦形式「{format}」の試合は {table} 席で、ボットが {table} 個以上必要ですが、{entrants} 個しかありません。"
        "追加してください。",
    ),
    "format-all-in-one": (
        "In king-of-the-hill all bots play in one match, and this game seats {fewest} to {most}, not {entrants};"
        " take another number of bots, or round-robin.",
        "king-of-the-hill では全ボットが 1 試合に出ますが、このゲームは {fewest}~{most} 席で {entrants} 個は座れません。"
        "ボットの数を変えるか、round-robin を使ってください。",
    ),
    "format-all-in-one-fixed": (
        "In king-of-the-hill all bots play in one match, and this game seats exactly {most}, not {entrants};"
        " take {most} bots, or round-robin.",
        "king-of-the-hill では全ボットが 1 試合に出ますが、このゲームはちょうど {most} 席で、{entrants} 個は座れません。"
        "ボットを {most} 個にするか、round-robin を使ってください。",
    ),
    "format-all-orders": (
        "With seating 'all' a table of {table} bots would play in too many orders; take 'rotations' or 'balanced'.",
        "「all」では {table} 個のボットの並べ方が多すぎます。「rotations」か「balanced」を使ってください。",
    ),
    "format-no-bot": (
        "The format's option '{key}' names '{name}', which is no bot of this contest{nearest}; name one of its bots.",
        "対戦形式のオプション「{key}」の「{name}」というボットはこの対戦にありません{nearest}。"
        "参加しているボットを指定してください。",
    ),
    "format-bosses": (
        "The format 'league' needs its bosses; name them in the option 'bosses', that of the lowest league first.",
        "対戦形式「league」にはボスが必要です。「bosses」に下のリーグから順に指定してください。",
    ),
    "format-ratings": (
        "The option 'ratings' has {given} numbers for {entrants} bots; give one for each, in the order of entering, or NAME=NUMBER for those that you know.",
        "「ratings」の数は {given} 個ですが、ボットは {entrants} 個です。参加順に 1 つずつ、または NAME=NUMBER の形で指定してください。",
    ),
    "format-seeding-ratings": (
        "Seeding by '{way}' needs the bots' ratings; give them in the option 'ratings' (NAME=NUMBER,NAME=NUMBER), or"
        " take seeding=lot.",
        "「{way}」によるシードにはレーティングが必要です。「ratings」に NAME=NUMBER,NAME=NUMBER の形で指定するか、"
        "seeding=lot にしてください。",
    ),
    "format-seeding-idle": (
        "The option 'ratings' does nothing with seeding={way}; leave it out, or take seeding=rating.",
        "seeding={way} では「ratings」は使われません。外すか、seeding=rating にしてください。",
    ),
    # --- remarks in a standing
    "format.champion": ("champion", "優勝"),
    "format.still-in": ("still in", "勝ち残り"),
    "format.out": ("out in batch {at}", "第 {at} バッチで敗退"),
    "format.byes": ("byes: {at}", "不戦勝: {at}"),
    "format.league": ("league {at}", "リーグ {at}"),
    "format.boss": ("boss of league {at}", "リーグ {at} のボス"),
}
