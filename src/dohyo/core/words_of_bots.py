"""Every sentence about bots that cannot be found, recognised or built: a part of the table in `dohyo.core.words`.

`bot` is the operator's own word for the bot. Each sentence says what is wrong, then the remedy.
"""

from __future__ import annotations

# key: (English, Japanese)
TABLE: dict[str, tuple[str, str]] = {
    "bot-no-name": (
        "A bot's name is empty; give a file, a folder, a command line in quotes, or a sample bot.",
        "ボットの名前が空です。ファイル、フォルダー、引用符で囲んだコマンド、"
        "サンプルボットのどれかを指定してください。",
    ),
    "bot-unknown": (
        "There is no bot '{bot}'{nearest}: no such file or folder, no program, no sample bot; samples: {samples}.",
        "ボット「{bot}」はありません{nearest}。ファイルにもプログラムにもサンプルボットにもありません。"
        "サンプル: {samples}。",
    ),
    "bot-unreadable": (
        "'{bot}' cannot be read; give yourself the right to read it (chmod u+r, for a folder u+rx).",
        "「{bot}」を読めません。読み取り権限を付けてください(chmod u+r、フォルダーは u+rx)。",
    ),
    "bot-changed": (
        "'{bot}' changed while it was being read; try again when nothing writes there.",
        "「{bot}」は読み取り中に変更されました。書き込みが終わってからやり直してください。",
    ),
    "bot-odd-file": (
        "'{file}' of the bot '{bot}' is neither a file nor a folder; hand in plain files only.",
        "ボット「{bot}」の「{file}」はファイルでもフォルダーでもありません。普通のファイルだけを使ってください。",
    ),
    "bot-empty-file": (
        "The bot '{bot}' is an empty file; write a program into it, or name another.",
        "ボット「{bot}」は空のファイルです。プログラムを書くか、別のファイルを指定してください。",
    ),
    "bot-archive": (
        "The bot '{bot}' is packed in a way that is not read here; pack it as .zip or .tar.gz, or unpack it.",
        "ボット「{bot}」はここでは展開できない形式です。.zip か .tar.gz にするか、展開して指定してください。",
    ),
    "bot-packed-unreadable": (
        "The packed file '{bot}' cannot be unpacked ({error}); pack the bot's files anew as a zip, or hand in the folder.",
        "圧縮ファイル「{bot}」を展開できません({error})。zip で作り直すか、フォルダーのまま提出してください。",
    ),
    "bot-packed-encrypted": (
        "The packed file '{bot}' has a password; pack the bot's files without one.",
        "圧縮ファイル「{bot}」にはパスワードがかかっています。パスワードなしで作り直してください。",
    ),
    "bot-unknown-kind": (
        "The bot '{bot}' has no ending of a known language and is no executable program; rename it,"
        ' or give the command that runs it in quotes ("python3 {bot}").',
        "ボット「{bot}」は知らない拡張子で、実行可能なプログラムでもありません。名前を変えるか、"
        '実行コマンドを引用符で囲んで指定してください(例: "python3 {bot}")。',
    ),
    "bot-not-executable": (
        "'{bot}' is a program, but not marked as executable: chmod +x {bot}",
        "「{bot}」はプログラムですが実行権限がありません: chmod +x {bot}",
    ),
    "bot-foreign": (
        "The bot '{bot}' was compiled for another kind of machine ({machine}); name its source, which is built here.",
        "ボット「{bot}」は別の種類のマシン({machine})用です。ソースを指定すればここでビルドします。",
    ),
    "bot-script-line-ends": (
        "The first line of '{bot}' ends as on Windows, and the system looks for a program of that name;"
        " convert its line ends: dos2unix {bot}",
        "「{bot}」の1 行目が Windows の改行で終わっているため起動できません。改行を変換してください: dos2unix {bot}",
    ),
    "bot-script-interpreter": (
        "The first line of '{bot}' names '{interpreter}', which is not on this machine; install it, or name another.",
        "「{bot}」の1 行目にある「{interpreter}」はこのマシンにありません。"
        "インストールするか、別のものを書いてください。",
    ),
    "bot-command-quotes": (
        "The command line '{bot}' has a quote or backslash without its end; close it.",
        "コマンド「{bot}」の引用符かバックスラッシュが閉じていません。閉じてください。",
    ),
    "bot-command-shell": (
        "The command line '{bot}' needs a shell for its '|', '>' or '&&'; say so: sh -c '...'.",
        "コマンド「{bot}」の「|」「>」「&&」にはシェルが必要です。sh -c '...' と書いてください。",
    ),
    "bot-no-python": (
        "There is no Python interpreter '{python}'; give its path, or a name on the PATH.",
        "Python インタープリター「{python}」はありません。パスか、PATH 上の名前を指定してください。",
    ),
    "bot-python2": (
        "The bot '{bot}' is in Python, and {file} does not parse as Python 3 (line {line}: {reason}); "
        "if it is Python 2, name an interpreter for it with --python, or install a python2.",
        "ボット「{bot}」は Python ですが、{file} は Python 3 として読めません({line} 行目: {reason})。"
        "Python 2 なら --python でインタープリターを指定するか、python2 をインストールしてください。",
    ),
    "bot-no-tools": (
        "The bot '{bot}' is {language}, for which this machine lacks {tools}; to get it: {install}",
        "ボット「{bot}」は {language} ですが、このマシンには {tools} がありません。入手方法: {install}",
    ),
    "bot-folder-empty": (
        "The bot folder '{bot}' is empty; put the bot's sources into it.",
        "ボットのフォルダー「{bot}」は空です。ソースを入れてください。",
    ),
    "bot-folder-no-source": (
        "The bot folder '{bot}' holds no source of a known language;"
        " write a bot.toml with 'build' and 'run' into it.",
        "ボットのフォルダー「{bot}」に知っている言語のソースがありません。"
        "build と run を書いた bot.toml を置いてください。",
    ),
    "bot-folder-too-large": (
        "The folder '{bot}' holds more than {files} files or {mebibytes} MiB; name the bot's own folder.",
        "フォルダー「{bot}」は {files} ファイルまたは {mebibytes} MiB を超えています。"
        "ボットだけのフォルダーを指定してください。",
    ),
    "bot-several-mains": (
        "In '{bot}' several files could be the program ({mains}); name one of them, call it main,"
        " or say it in a bot.toml with 'build' and 'run'.",
        "「{bot}」にはプログラムの候補が複数あります({mains})。1 つを直接指定するか、main という名前にするか、"
        "bot.toml の build と run に書いてください。",
    ),
    "bot-several-languages": (
        "'{bot}' holds sources in several languages ({languages}); name the main file,"
        " or say how it runs in a bot.toml with 'run'.",
        "「{bot}」には複数の言語のソースがあります({languages})。メインのファイルを指定するか、"
        "bot.toml の run に実行方法を書いてください。",
    ),
    "bot-java-no-main": (
        "In '{bot}' no class has a main method that this Java starts; add 'public static void main(String[] args)'.",
        "「{bot}」にはこの Java で起動できる main がありません。"
        "「public static void main(String[] args)」を書いてください。",
    ),
    "bot-no-main": (
        "In '{bot}' nothing is the beginning of a {language} program; add a main.",
        "「{bot}」には {language} のプログラムの始まりがありません。main を書いてください。",
    ),
    "bot-main-missing": (
        "{file} of '{bot}' names '{main}' as the main file, which is not there; correct it.",
        "「{bot}」の {file} がメインファイルとして挙げる「{main}」がありません。直してください。",
    ),
    "bot-cargo-no-package": (
        "Cargo.toml of '{bot}' has no [package] with a name; name the folder of the package that is the bot.",
        "「{bot}」の Cargo.toml に名前のある [package] がありません。"
        "ボットのパッケージのフォルダーを指定してください。",
    ),
    "bot-build-failed-alone": (
        "The bot '{bot}' does not build; mend what the compiler says, or hand in its whole folder if it misses a file.",
        "ボット「{bot}」はビルドできません。コンパイラーの指摘を直すか、足りないファイルがあればフォルダーごと提出してください。",
    ),
    "bot-is-link": (
        "The bot '{bot}' is a link to '{target}'; name that file or folder itself, or hand in a copy of it.",
        "ボット「{bot}」は「{target}」へのリンクです。リンク先を直接指定するか、コピーを提出してください。",
    ),
    "bot-too-deep": (
        "'{folder}' in the bot '{bot}' lies too deep: more than {most} folders within each other, or too long a path.",
        "ボット「{bot}」の「{folder}」は深すぎます。フォルダーの入れ子は {most} 段までで、パスの長さにも限りがあります。",
    ),
    "bot-cannot-be-read": (
        "The bot '{bot}' cannot be read: {reason}; hand in plain sources of a usual size.",
        "ボット「{bot}」を読み取れません: {reason}。普通の大きさのソースを提出してください。",
    ),
    "archive-unreadable": (
        "The archive of a bot cannot be read ({error}); hand the bot in again, or take the store from where it was made.",
        "ボットのアーカイブを読めません({error})。ボットを出し直すか、ストアを元の場所から取り直してください。",
    ),
    "archive-name": (
        "A bot's archive cannot hold a file called '{name}'; give the file another name in the bot's folder.",
        "ボットのアーカイブに「{name}」という名前のファイルは入れられません。フォルダーの中で名前を変えてください。",
    ),
    "archive-link": (
        "The link '{name}' in a bot's archive, to '{target}', leads out of it or over another link; hand in a copy instead.",
        "ボットのアーカイブのリンク「{name}」(「{target}」へ)は外か別のリンクを経由します。コピーに置き換えてください。",
    ),
    "archive-too-large": (
        "A bot's archive holds more than {files} files or {mebibytes} MiB; hand in the bot's own folder alone.",
        "ボットのアーカイブが {files} ファイルまたは {mebibytes} MiB を超えています。ボットだけのフォルダーにしてください。",
    ),
    "bot-link-leaves": (
        "The link '{link}' in the bot folder '{bot}' leads out of it, to '{target}'; put a copy in its place.",
        "ボットのフォルダー「{bot}」のリンク「{link}」は外の「{target}」を指しています。コピーに置き換えてください。",
    ),
    "bot-leaves-folder": (
        "The commands of '{bot}' lead out of its folder with '{word}'; put what they need into the folder.",
        "「{bot}」のコマンドは「{word}」でフォルダーの外に出ます。必要なものをフォルダーに入れてください。",
    ),
    "bot-toml-malformed": (
        "{file} of '{bot}' cannot be read: {error}; correct that place.",
        "「{bot}」の {file} を読めません: {error}。その箇所を直してください。",
    ),
    "bot-toml-key": (
        "bot.toml of '{bot}' has the unknown key '{key}'{nearest}; known are: {known}.",
        "「{bot}」の bot.toml に知らないキー「{key}」があります{nearest}。使えるのは {known} です。",
    ),
    "bot-toml-value": (
        "bot.toml of '{bot}': '{key}' takes {takes}; correct it.",
        "「{bot}」の bot.toml: 「{key}」に書けるのは {takes} です。直してください。",
    ),
    "bot-toml-no-run": (
        "bot.toml of '{bot}' says how to build, but not how to run; add: run = \"...\"",
        '「{bot}」の bot.toml に build はありますが run がありません。run = "..." を書いてください。',
    ),
    "bot-no-command": (
        "The bot '{bot}' names no command to run: the last line of its command.txt, or 'run' in bot.toml,"
        " must be one.",
        "ボット「{bot}」に実行コマンドがありません。command.txt の最終行か bot.toml の run に書いてください。",
    ),
    "bot-long-command": (
        "The command of the bot '{bot}' has more than {words} words or {kibibytes} KiB; put what it needs into a file.",
        "ボット「{bot}」のコマンドが {words} 語または {kibibytes} KiB を超えています。"
        "必要な内容はファイルに入れてください。",
    ),
    "bot-long-build": (
        "A command of the build of '{bot}' has more than {words} words or {kibibytes} KiB; hand in fewer sources.",
        "「{bot}」のビルドのコマンドが {words} 語または {kibibytes} KiB を超えています。"
        "ソースファイルを減らしてください。",
    ),
    "bot-quotes": (
        "{file} of '{bot}' has a quote or backslash without its end in '{line}'; close it.",
        "「{bot}」の {file} の「{line}」で引用符かバックスラッシュが閉じていません。閉じてください。",
    ),
    "bot-run-missing": (
        "The bot '{bot}' runs '{program}', which is neither in its folder nor on the PATH; correct the command.",
        "ボット「{bot}」が実行する「{program}」はフォルダーにも PATH にもありません。コマンドを直してください。",
    ),
    "bot-run-not-executable": (
        "The bot '{bot}' runs '{program}', which is not executable; chmod +x it, or put its interpreter in front.",
        "ボット「{bot}」が実行する「{program}」に実行権限がありません。"
        "chmod +x するか、前にインタープリターを書いてください。",
    ),
    "bot-build-failed": (
        "The bot '{bot}' does not build; mend what the compiler says.",
        "ボット「{bot}」はビルドできません。コンパイラーのメッセージを見て直してください。",
    ),
    "bot-line-failed": (
        "The bot '{bot}' does not build: its command '{line}' fails; mend that.",
        "ボット「{bot}」はビルドできません。コマンド「{line}」が失敗します。直してください。",
    ),
    "bot-build-timeout": (
        "The bot '{bot}' was not built within {seconds} s; make its build shorter, or try on a less busy machine.",
        "ボット「{bot}」は {seconds} 秒以内にビルドできませんでした。"
        "ビルドを短くするか、空いているマシンで試してください。",
    ),
    "build-no-numba": (
        "The bot '{bot}' plays weaker than it could: its build has not found Numba to compile it; "
        "install it: pip install 'dohyo[fast]' (in a clone, ./dev extras).",
        "ボット「{bot}」は本来より弱くなります。ビルドのとき、コンパイルに使う Numba がありませんでした。"
        "インストールしてください: pip install 'dohyo[fast]' (クローンでは ./dev extras)。",
    ),
    "build-broken-off": (
        "The bot '{bot}' plays weaker than it could: compiling it was broken off, for lack of time or memory. "
        "The next command builds it again; on a slow machine, allow more seconds by the variable DOHYO_BUILD_SECONDS.",
        "ボット「{bot}」は本来より弱くなります。時間かメモリが足りず、コンパイルが途中で終わりました。次のコマンドがもう一度ビルドします。"
        "遅いマシンでは、環境変数 DOHYO_BUILD_SECONDS でビルドの秒数を増やしてください。",
    ),
    "build-not-compiled": (
        "The bot '{bot}' plays weaker than it could: it could not be compiled; "
        "its build, run by hand in its folder, says why.",
        "ボット「{bot}」は本来より弱くなります。コンパイルできませんでした。"
        "ボットのフォルダーでビルドのコマンドを実行すると、理由が表示されます。",
    ),
    "bad-build-seconds": (
        "{variable} is '{word}', which is no time for a build; give it seconds, more than 0 and at most {most}.",
        "{variable} の値「{word}」はビルドの時間として使えません。0 より大きく {most} 以下の秒数にしてください。",
    ),
    "bot-build-made-nothing": (
        "The build of '{bot}' ended without an error, but made no '{program}'; correct its build or run command.",
        "「{bot}」のビルドは終わりましたが「{program}」ができていません。build か run のコマンドを直してください。",
    ),
    "bot-left-deep": (
        "The build of '{bot}' left folders in each other, too deep to be copied ({file}); let it remove them.",
        "「{bot}」のビルドが深すぎるフォルダーを残しました({file})。ビルドの中で削除してください。",
    ),
    "bot-left-many": (
        "The build of '{bot}' left more files than can be copied for every match; let it remove what it does not need.",
        "「{bot}」のビルドが残したファイルが多すぎます。不要なものをビルドの中で削除してください。",
    ),
    "bot-left-large": (
        "The build of '{bot}' left more than can be copied for every match, up to '{file}'; let it remove what it does"
        " not need.",
        "「{bot}」のビルドが残したファイルが大きすぎます(「{file}」まで)。不要なものをビルドの中で削除してください。",
    ),
    "bot-left-kind": (
        "The build of '{bot}' left '{file}', which is neither a file nor a folder; let it remove that.",
        "「{bot}」のビルドが残した「{file}」はファイルでもフォルダーでもありません。ビルドの中で削除してください。",
    ),
    "bot-left-closed": (
        "The build of '{bot}' left '{file}', which nobody may read; let it remove that.",
        "「{bot}」のビルドが残した「{file}」は誰も読めません。ビルドの中で削除してください。",
    ),
    "bot-cache-nowhere": (
        "There is no home folder to keep built bots in; name a folder in the environment variable DOHYO_CACHE.",
        "ビルドしたボットを置くホームフォルダーがありません。環境変数 DOHYO_CACHE でフォルダーを指定してください。",
    ),
    "bot-cache-unusable": (
        "Built bots cannot be kept in '{folder}' ({error});"
        " name another folder in the environment variable DOHYO_CACHE.",
        "ビルドしたボットを「{folder}」に置けません({error})。"
        "環境変数 DOHYO_CACHE で別のフォルダーを指定してください。",
    ),
    "bot-cache-noexec": (
        "Nothing can be started from '{folder}' (mounted noexec);"
        " name another folder in the environment variable DOHYO_CACHE.",
        "「{folder}」からはプログラムを起動できません(noexec)。"
        "環境変数 DOHYO_CACHE で別のフォルダーを指定してください。",
    ),
}
