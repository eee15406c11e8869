"""The sentences about stores, where contests keep what was played: a part of the table in `dohyo.core.words`."""

from __future__ import annotations

# key: (English, Japanese)
TABLE: dict[str, tuple[str, str]] = {
    "needs-postgres": (
        "A store in PostgreSQL needs psycopg, which is not installed here; install it: pip install 'dohyo[postgres]' (in a clone, ./dev extras)",
        "PostgreSQL のストアには psycopg が必要です。インストールしてください: pip install 'dohyo[postgres]' (クローンでは ./dev extras)",
    ),
    "store-unknown-url": (
        "A store cannot be at '{scheme}://...'; name a file, sqlite:///FILE or postgresql://USER@HOST/NAME.",
        "「{scheme}://...」はストアに使えません。ファイル名、sqlite:///FILE、postgresql://USER@HOST/NAME のどれかを指定してください。",
    ),
    "store-bad-url": (
        "This URL of a store cannot be read; write it as postgresql://USER:PASSWORD@HOST:PORT/NAME.",
        "ストアの URL を読み取れません。postgresql://USER:PASSWORD@HOST:PORT/NAME の形で書いてください。",
    ),
    "store-no-name": (
        "A store needs a file, so that a contest can go on later; name one, as results.db.",
        "ストアにはファイルが必要です(あとで続けるため)。results.db のような名前を指定してください。",
    ),
    "store-missing": (
        "There is no store '{store}'; check the name, or begin one with 'dohyo contest run --store {store}'.",
        "ストア「{store}」はありません。名前を確かめるか、「dohyo contest run --store {store}」で始めてください。",
    ),
    "store-is-none": (
        "'{store}' is not a store of Dohyo's; nothing in it was changed; name another file or an empty database.",
        "「{store}」は Dohyo のストアではありません(何も変更していません)。別のファイルか空のデータベースを指定してください。",
    ),
    "store-too-new": (
        "The store '{store}' was written by a newer Dohyo (its tables are {version}, known are up to {known}); install that.",
        "ストア「{store}」は新しい Dohyo のものです(表は {version} 版、既知は {known} 版まで)。新しい Dohyo を入れてください。",
    ),
    "store-locked": (
        "The store '{store}' is locked by another program; end what is writing to it, and run this again.",
        "ストア「{store}」は別のプログラムがロックしています。書き込み中のものを終了して、もう一度実行してください。",
    ),
    "store-disk-full": (
        "The disk of the store '{store}' is full; nothing is lost: make room, and run the same command again.",
        "ストア「{store}」のディスクが一杯です。何も失われていません。空きを作り、同じコマンドをもう一度実行してください。",
    ),
    "store-disk-fails": (
        "The disk of the store '{store}' fails ({reason}); see to the disk, then run the same command again.",
        "ストア「{store}」のディスクに障害があります({reason})。ディスクを調べてから、もう一度実行してください。",
    ),
    "store-not-writable": (
        "The store '{store}' cannot be opened or written ({reason}); check the rights of its folder, or name another place.",
        "ストア「{store}」を開けないか、書けません({reason})。フォルダーの権限を確かめるか、別の場所を指定してください。",
    ),
    "store-damaged": (
        "The store '{store}' is damaged ({reason}); take your last copy of it ('docs/store.md' tells how to make one).",
        "ストア「{store}」は壊れています({reason})。最後のバックアップを使ってください(作り方は docs/store.md)。",
    ),
    "store-not-whole": (
        "The store '{store}' does not hold what was written into it, findings: {count}; take your last copy of it ('docs/store.md' tells how to make one).",
        "ストア「{store}」の内容は書き込まれたものと違います(見つかった箇所: {count})。最後のバックアップを使ってください(作り方は docs/store.md)。",
    ),
    "verify.whole": (
        "'{store}' is whole: contests {contests}, matches {matches}.",
        "「{store}」に問題はありません(大会 {contests}、試合 {matches})。",
    ),
    "verify.so-far": ("Matches looked at: {count}", "調べた試合: {count}"),
    "verify.more": ("And {count} more that are not shown here.", "ほか {count}(省略)。"),
    "verify.page": ("The database file: {reason}", "データベースのファイル: {reason}"),
    "verify.row": ("The tables: {reason}", "表: {reason}"),
    "verify.count": (
        "The table {table} has {stored} rows; the schedule and the results know of {counted}.",
        "表 {table} の行は {stored} ですが、日程と結果からは {counted} のはずです。",
    ),
    "verify.tally": (
        "The table {table}, row {row}, is not what the results add up to.",
        "表 {table} の行 {row} は、結果の合計と合いません。",
    ),
    "verify.bot": ("The files of the bot '{bot}': {reason}", "ボット「{bot}」のファイル: {reason}"),
    "verify.replay": ("{name}, match {number}, its replay: {reason}", "{name} 試合 {number} のリプレイ: {reason}"),
    "verify.result": (
        "{name}, match {number}: the store has {what} {stored}, the replay {replay}.",
        "{name} 試合 {number}: {what} がストアでは {stored}、リプレイでは {replay} です。",
    ),
    "store-no-database": (
        "There is no database for the store '{store}' ({reason}); make it first: createdb -E UTF8 NAME",
        "ストア「{store}」のデータベースがありません({reason})。先に作ってください: createdb -E UTF8 NAME",
    ),
    "store-not-utf8": (
        "The database of the store '{store}' keeps texts as {encoding}; make one that takes all names: createdb -E UTF8 NAME",
        "ストア「{store}」の文字コードは {encoding} です。どの名前も入るものを作ってください: createdb -E UTF8 NAME",
    ),
    "store-refuses": (
        "The database of the store '{store}' does not let you in ({reason}); check the user and the password.",
        "ストア「{store}」のデータベースに入れません({reason})。ユーザー名とパスワードを確かめてください。",
    ),
    "store-unreachable": (
        "The database of the store '{store}' cannot be reached ({reason}); start it, and run the same command again.",
        "ストア「{store}」のデータベースにつながりません({reason})。起動してから、同じコマンドをもう一度実行してください。",
    ),
    "store-lost": (
        "The database of the store '{store}' went away and did not come back in {seconds} s ({reason}); what was stored stays: start it, and run the same command again.",
        "ストア「{store}」のデータベースとの接続が切れ、{seconds} 秒待っても戻りません({reason})。保存済みのものは残っています。起動してから、もう一度実行してください。",
    ),
    "store-file-missing": (
        "The file {digest} is not in '{folder}'; copy the whole folder of files from where the contest was run.",
        "ファイル {digest} が「{folder}」にありません。対戦を行った場所からファイルのフォルダーごとコピーしてください。",
    ),
    "store-file-damaged": (
        "The file '{path}' is not what was written; copy it again from where the contest was run.",
        "ファイル「{path}」は書いたときのものと違います。対戦を行った場所からもう一度コピーしてください。",
    ),
    "store-files-unknown": (
        "The store '{store}' says that its files are in '{folder}', and nobody has said so on this machine; if that is right, or wherever they are, say it once: dohyo contest files '{store}' DIR",
        "ストア「{store}」はファイルが「{folder}」にあるとしていますが、このマシンでは確認されていません。ファイルのあるフォルダーを一度だけ指定してください: dohyo contest files '{store}' DIR",
    ),
    "store-files-beside": (
        "The files of a store in SQLite lie beside it, those of '{store}' in '{folder}'; move the two together.",
        "SQLite のストアのファイルは隣に置かれます(「{store}」では「{folder}」)。二つを一緒に移してください。",
    ),
    "store-files-named": (
        "The files of '{store}' are in '{folder}': this machine remembers that.",
        "「{store}」のファイルは「{folder}」にあります。このマシンで記憶しました。",
    ),
    "store-no-contest": (
        "There is no contest '{name}' in the store '{store}'{nearest}; it holds: {known}.",
        "ストア「{store}」に「{name}」という大会はありません{nearest}。あるのは {known} です。",
    ),
    "store-empty": (
        "The store '{store}' holds no contest yet; begin one with 'dohyo contest run --store {store}'.",
        "ストア「{store}」にはまだ大会がありません。「dohyo contest run --store {store}」で始めてください。",
    ),
    "store-many-contests": (
        "The store '{store}' holds several contests; say which: {known}.",
        "ストア「{store}」には大会がいくつかあります。どれか指定してください: {known}。",
    ),
    "store-no-match": (
        "The contest '{name}' has no match {number} that was played; 'dohyo contest matches' lists them.",
        "大会「{name}」に行われた試合 {number} はありません。「dohyo contest matches」で一覧を表示できます。",
    ),
    "contest-runs": (
        "The contest '{name}' is being run by another process; wait for it, or stop it first.",
        "大会「{name}」は別のプロセスが実行しています。終わるのを待つか、先に止めてください。",
    ),
    "contest-taken-over": (
        "The contest '{name}' was taken over by another process while this one lost sight of the store; this one stops.",
        "ストアを見失っている間に、大会「{name}」を別のプロセスが引き継ぎました。こちらは終了します。",
    ),
}
