"""What is said of a folder of hand-ins: what is left out, and what the others are called; a part of `dohyo.core.words`."""

from __future__ import annotations

# key: (English, Japanese)
TABLE: dict[str, tuple[str, str]] = {
    # --- why an entry of the folder is no hand-in
    "left-out.hidden": ("Its name begins with a dot.", "名前がドットで始まっています。"),
    "left-out.results": ("It holds the results of another contest.", "別の大会の結果が入っています。"),
    "left-out.no-hand-in": (
        "It is no source of a known language, no program, no zip or tar, and no folder.",
        "知っている言語のソースでも、プログラムでも、zip や tar でも、フォルダーでもありません。",
    ),
    "left-out.hidden.all": (
        "Left out, because their names begin with a dot: {names}",
        "名前がドットで始まるため除外しました: {names}",
    ),
    "left-out.results.all": (
        "Left out, because they hold the results of other contests: {names}",
        "別の大会の結果が入っているため除外しました: {names}",
    ),
    "left-out.no-hand-in.all": (
        "Left out, because they are no source of a known language, no program, no zip or tar and no folder: {names}",
        "知っている言語のソース、プログラム、zip や tar、フォルダーのどれでもないため除外しました: {names}",
    ),
    "contest.alike": (
        "The files of these hand-ins hold the very same: {bots}",
        "次の提出物はファイルの内容がまったく同じです: {bots}",
    ),
    "contest.not-noted": (
        "'{bot}' has joined, but whether its files are those of another hand-in could not be noted: {reason}",
        "「{bot}」は参加しましたが、ほかの提出物と同じ内容かどうかは記録できませんでした: {reason}",
    ),
    "contest.left-out-line": ("Left out: '{bot}'. {why}", "除外: 「{bot}」。{why}"),
    "report.hand-ins": ("Hand-ins", "提出物"),
    "report.hand-ins.note": ("Left out of the contest:", "大会に参加していないもの:"),
    # --- what hand-ins are called
    "names.idle": (
        "No hand-in belongs to these rows of '{path}': {bots}",
        "「{path}」の次の行に当たる提出物はありません: {bots}",
    ),
    "names.heading": (
        "The first row of '{path}' belongs to no hand-in and is taken for its heading: {row}",
        "「{path}」の最初の行に当たる提出物はないため、見出しとみなします: {row}",
    ),
    "names.unnamed": (
        "'{path}' has no row for these hand-ins, which keep their own names: {bots}",
        "次の提出物は「{path}」に行がないため、元の名前のままです: {bots}",
    ),
    "names.stay": (
        "'{bot}' keeps that name, under which the contest was begun, and is not called '{name}'.",
        "「{bot}」は大会を始めたときの名前のままで、「{name}」にはなりません。",
    ),
    "names-without-folder": (
        "Names belong to the hand-ins of a folder: give it with --folder, or name a bot itself with NAME=BOT.",
        "名前の一覧はフォルダーの提出物に使います。--folder を指定するか、NAME=BOT の形で名前を付けてください。",
    ),
    "names-large": (
        "'{path}' has more than {mebibytes} MiB, which no list of names needs; name another file.",
        "「{path}」は {mebibytes} MiB を超えています。別のファイルを指定してください。",
    ),
    "names-many": (
        "'{path}' has more than {most} rows; name the list of one class.",
        "「{path}」は {most} 行を超えています。一つのクラスの一覧を指定してください。",
    ),
    "names-empty": (
        "'{path}' holds no names; write rows of a hand-in and a name.",
        "「{path}」に名前がありません。提出物と名前の行を書いてください。",
    ),
    "names-malformed": (
        "'{path}' is no list of names ({error}); each row is a hand-in and a name, as CSV, or as TOML when it ends in .toml.",
        "「{path}」は名前の一覧として読めません({error})。各行に提出物と名前を CSV(.toml なら TOML)で書いてください。",
    ),
    "names-twice": (
        "'{path}' names the hand-in '{bot}' twice; leave one row.",
        "「{path}」に提出物「{bot}」の行が二つあります。一つにしてください。",
    ),
    "names-of-two": (
        "The row '{bot}' of '{path}' is meant for two hand-ins, '{first}' and '{second}'; write them with their endings.",
        "「{path}」の行「{bot}」に当たる提出物が「{first}」と「{second}」の二つあります。拡張子まで書いてください。",
    ),
    "names-of-none": (
        "No hand-in belongs to any row of '{path}' ({bots}); the first column is for the names of the files.",
        "「{path}」のどの行にも当たる提出物がありません({bots})。1 列目にはファイルの名前を書いてください。",
    ),
    "names-shared": (
        "'{path}' gives the name '{name}' to two hand-ins, '{first}' and '{second}'; remove one of them, or name them apart.",
        "「{path}」では「{name}」が「{first}」と「{second}」の二つの提出物の名前です。一方を外すか、別の名前にしてください。",
    ),
}
