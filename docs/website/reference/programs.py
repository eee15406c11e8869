"""What programs meet: exit statuses, environment variables, faults."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import NamedTuple

from docs.website.pages import Page
from docs.website.reference.markdown import choose, code, page, safe, table
from dohyo.core import faults
from dohyo.core.faults import FaultCode, FaultKind
from dohyo.i18n import Speaker
from dohyo.i18n.catalogue import sentence


class Variable(NamedTuple):
    """A variable of the environment, and who reads it."""

    name: str
    english: str
    japanese: str


# Those that people set. A test holds all three lists against the source.
FOR_PEOPLE = (
    Variable("DOHYO_LANG", "The language of messages: `en` or `ja`.", "メッセージの言語: `en` か `ja`。"),
    Variable(
        "DOHYO_CACHE",
        "The folder where builds and compiled rules are kept.",
        "ビルドしたものと、コンパイルしたルールを置くフォルダー。",
    ),
    Variable(
        "DOHYO_GAMES",
        "Folders of games, or files of rules, that are not installed; several are separated by `:`.",
        "インストールしていないゲームのフォルダー、またはルールのファイル。区切りは `:`。",
    ),
    Variable("DOHYO_LAST", "`0`: no match is kept as `last`.", "`0` なら、試合を `last` として残しません。"),
    Variable(
        "DOHYO_PROVIDER_SECRET",
        "The secret by which a site is known to the provider that signs people in, if no file has it.",
        "サインイン先のプロバイダーに対するサイトの秘密。ファイルに書かないとき。",
    ),
    Variable(
        "DOHYO_SITE",
        "The site that `dohyo submit`, `status` and `pull` speak to.",
        "`dohyo submit`、`status`、`pull` の相手のサイト。",
    ),
    Variable("DOHYO_TOKEN", "The token with which they do.", "そのときに使うトークン。"),
    Variable(
        "DOHYO_BUILD_SECONDS",
        "How long a build may take; 60 without it. Builds see it too.",
        "ビルドの時間の上限(秒)。省略時は 60。ビルドからも見えます。",
    ),
    Variable(
        "DOHYO_NATIVE",
        "`no`: the machine code that ships with a wheel is not used, and a build of a wheel makes none.",
        "`no` なら、wheel に入っている機械語を使わず、wheel のビルドでも作りません。",
    ),
)

# Those that a bot, or its build, finds in its environment.
FOR_BOTS = (
    Variable(
        "DOHYO_SEED",
        "A seed for the bot's own random numbers: the same match gives the same one.",
        "ボット自身の乱数のためのシード。同じ試合なら同じ値です。",
    ),
    Variable("DOHYO_GAME", "The game's name.", "ゲームの名前。"),
    Variable(
        "DOHYO_SETUP",
        "The options by which its input is written, as JSON, in a game that has such.",
        "入力の書き方を決める設定(JSON)。そのような設定のあるゲームだけです。",
    ),
    Variable("DOHYO_LIMIT", "The limit of a turn, in seconds.", "1 ターンの制限(秒)。"),
    Variable("DOHYO_FIRST_LIMIT", "The limit of the first turn, in seconds.", "最初のターンの制限(秒)。"),
    Variable(
        "DOHYO_BANK",
        "The seconds for the whole match, where there is no limit of a turn.",
        "試合全体の秒数。ターンの制限がない時計だけです。",
    ),
    Variable(
        "DOHYO_CLOCK_MODE",
        "What counts against the limits: `wall`, `fair` or `cpu`.",
        "何の時間を数えるか: `wall`、`fair`、`cpu`。",
    ),
    Variable(
        "DOHYO_WALL_LIMIT",
        "By a `fair` or `cpu` clock: after how many seconds of wall time a turn is over in any case.",
        "`fair` と `cpu` の時計だけ: 実時間で何秒たつと、いずれにせよターンが終わるか。",
    ),
    Variable(
        "DOHYO_TURN",
        "The turn's number, for a bot that is started for each turn.",
        "ターンの番号。ターンごとに起動されるボットだけです。",
    ),
    Variable(
        "DOHYO_PARAM_NAME",
        "The value of its parameter `name`, always in capitals. It may be set behind a bot's name: "
        '`"mybot.py DOHYO_PARAM_DEPTH=5"`.',
        "パラメーター `name` の値(名前はいつも大文字)。ボットの名前の後ろに書けます: "
        '`"mybot.py DOHYO_PARAM_DEPTH=5"`。',
    ),
    Variable(
        "DOHYO_BUILD",
        "`debug` in a debug build: for the commands of a `bot.toml`.",
        "デバッグビルドでは `debug`。`bot.toml` のコマンドのためのものです。",
    ),
)

# What happened, in Japanese; in English the source says it.
KINDS_JA = {
    "not-ready": "制限時間内に、準備ができたという表示がなかった。",
    "timeout": "制限時間内に、返答の行がそろわなかった。",
    "exited": "プロセスが自分で終了した。`status` は終了ステータス。",
    "killed": "シグナルで終了した。`status` はシグナルの番号。",
    "closed": "標準出力を閉じたまま動いている。",
    "no-connection": "サーバー、または手元に置いたボットと通信できない。",
    "malformed": "返答が読み取れない。",
    "illegal": "返答は読み取れるが、ルールが許さない。",
    "output": "読まれないまま書ける量を超えて出力した。",
    "memory": "メモリの上限を超えた。",
    "tasks": "許された数を超えるプロセスやスレッドを作った。",
    "disk": "ディスクを使い切った。",
    "files": "自分のフォルダーを消した、閉じた、または置き換えた。",
    "not-ended": "終了させたあとも、ボットかボットが起動したものが長く動き続けた。",
}

# Those that only Dohyo's own processes give each other, and those of `./dev`.
OWN = ("DOHYO_WORKER", "DOHYO_INSTALLER", "DOHYO_TESTS_AGAIN")

STATUSES = (
    ("0", "Success.", "成功。"),
    (
        "1",
        "A bot misbehaved and `--strict` asked for this status (`play`, `rerun`); a bot is not fit (`check`); "
        "not better (`compare`).",
        "`--strict` を指定し、ボットに違反があった(`play`、`rerun`)。参加できない(`check`)。"
        "強くなっていない(`compare`)。",
    ),
    (
        "2",
        "A mistake of yours: one sentence on standard error says what, and the remedy.",
        "使い方の誤り。何が誤りで、どうすればよいかを標準エラー出力に 1 文で書きます。",
    ),
    ("3", "`compare` cannot tell yet.", "`compare` でまだ分からない。"),
    (
        "128 + n",
        "Signal n ended the command: 130 after Ctrl-C, 141 when nobody reads its output any more.",
        "シグナル n で終わった。Ctrl-C なら 130、出力を読む相手がいなくなれば 141。",
    ),
)


def pages() -> list[Page]:
    """Exit statuses, variables, faults."""
    return [
        page("exit-statuses", "reference", _statuses, ("Exit statuses", "終了ステータス")),
        page("environment", "reference", _variables, ("Environment variables", "環境変数")),
        page("faults", "reference", _faults, ("Faults", "違反")),
    ]


def _statuses(language: str) -> Iterator[str]:
    yield choose(language, "# Exit statuses", "# 終了ステータス")
    yield ""
    yield choose(
        language,
        "How a command of `dohyo` ends. A status that is not listed, with a traceback, is a defect of Dohyo.",
        "`dohyo` のコマンドの終わり方です。ここにない終了ステータスとトレースバックは、Dohyo の不具合です。",
    )
    head = ("status", "meaning"), ("値", "意味")
    rows = [(code(status), choose(language, english, japanese)) for status, english, japanese in STATUSES]
    yield from table(head[language == "ja"], rows)


def _variables(language: str) -> Iterator[str]:
    yield choose(language, "# Environment variables", "# 環境変数")
    for title, listed in (
        (choose(language, "What you may set", "自分で設定するもの"), FOR_PEOPLE),
        (choose(language, "What a bot finds", "ボットから見えるもの"), FOR_BOTS),
    ):
        yield from ("", f"## {title}", "")
        head = ("variable", "meaning"), ("変数", "意味")
        rows = [(code(each.name), choose(language, each.english, each.japanese)) for each in listed]
        yield from table(head[language == "ja"], rows)
    yield choose(
        language,
        "[What else is in a bot's environment](../bots.md#what-is-in-a-bots-environment)",
        "[ほかにボットから見える環境変数](../bots.md)",
    )


def _faults(language: str) -> Iterator[str]:
    yield choose(language, "# Faults", "# 違反")
    yield ""
    yield choose(
        language,
        "How a bot can misbehave. A replay has for each fault its `kind` and, if it came from the bot's program, a "
        "`code`; both stay the same between versions. `dohyo replay FILE --faults` shows each with the input that "
        "caused it.",
        "ボットの違反の種類です。リプレイには、違反ごとに `kind`(種類)と、ボットのプログラムから来たものなら "
        "`code` が入ります。どちらもバージョンが変わっても同じです。"
        "`dohyo replay FILE --faults` で、原因になった入力と一緒に見られます。",
    )
    yield from ("", choose(language, "## Kinds", "## 種類"), "")
    remarks = kind_remarks()
    head = ("kind", "in tables", "what happened"), ("kind", "表での名前", "何が起きたか")
    rows = []
    for kind in FaultKind:
        happened = choose(language, safe(_sentence(remarks[kind])), KINDS_JA[kind])
        rows.append((code(kind), Speaker(language).say(f"fault.{kind}"), happened))
    yield from table(head[language == "ja"], rows)
    yield from ("", choose(language, "## Codes", "## コード"), "")
    head2 = ("code", "as people read it"), ("code", "表示される文")
    rows2 = [(code(each), code(sentence(f"detail.{each}", language))) for each in FaultCode]
    yield from table(head2[language == "ja"], rows2)


def kind_remarks() -> dict[str, str]:
    """What stands beside each kind of fault in the source."""
    found = dict(re.findall(r'^    [A-Z_]+ = "([\w-]+)"  # (.+)$', inspect.getsource(faults), re.MULTILINE))
    return {str(kind): found[kind] for kind in FaultKind}


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
