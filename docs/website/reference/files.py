"""The keys of files that people write, and the formats of a contest with their options."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

from docs.website.pages import Page
from docs.website.reference.markdown import block, choose, code, page, safe, table
from dohyo.bots import declared
from dohyo.cli.help_texts import translated
from dohyo.core.asked import REQUIRED
from dohyo.core.options import takes_in
from dohyo.i18n import ENGLISH, Speaker
from dohyo.series import formats
from dohyo.series.contest_file import KEYS

# What each key of a `bot.toml` means, in Japanese; in English the code says it (`dohyo.bots.declared`).
BOT_KEYS_JA = {
    "name": "表に出る名前。省略時はフォルダーの名前。",
    "build": "シェルで実行する 1 行、または行のリスト。",
    "run": "コマンド 1 行、または語のリスト。省略時は Dohyo がフォルダーの中から見つけます。",
    "lifetime": '1 つのプロセスがいつまで生きるか: "match"(試合)、"turn"(ターン)、"series"(何試合も続けて)。',
    "python": 'これらの行の "python" と "python3" が意味するインタープリター。"dohyo" は Dohyo 自身のもの。',
    "params": "パラメーターの値。",
    "protocol": 'チェスの UCI エンジンなら "uci"。params はそのオプションになります。省略時はゲームの入出力。',
}


def pages() -> list[Page]:
    """`bot.toml`, contest files, formats."""
    return [
        page("bot-toml", "reference", _bot_toml, "bot.toml"),
        page("contest-file", "reference", _contest_file, ("Contest files", "大会ファイル")),
        page("formats", "reference", _formats, ("Formats and their options", "対戦形式とオプション"), languages=1),
    ]


def bot_keys() -> dict[str, tuple[str, str]]:
    """Each key of a `bot.toml`, in its order: an example of it, and in English what it means."""
    lines = re.findall(r"^    (\w+) = (.+?)\s+# (.+)$", declared.__doc__ or "", re.MULTILINE)
    found = {key: (f"{key} = {value}", meaning) for key, value, meaning in lines}
    return {key: found[key] for key in declared.KEYS}


def _bot_toml(language: str) -> Iterator[str]:
    yield "# `bot.toml`"
    yield ""
    yield choose(
        language,
        "A folder that is handed in may say in this file how it is built and run. Every key may be omitted. "
        "[What can be handed in](../bots.md) explains more.",
        "提出するフォルダーは、ビルドと実行のしかたをこのファイルに書けます。どのキーも省略できます。"
        "詳しくは[提出できるもの](../bots.md)を見てください。",
    )
    head = (choose(language, "key", "キー"), choose(language, "example", "例"), choose(language, "meaning", "意味"))
    rows = [
        (code(key), code(example), safe(choose(language, f"{meaning[0].upper()}{meaning[1:]}.", BOT_KEYS_JA[key])))
        for key, (example, meaning) in bot_keys().items()
    ]
    yield from table(head, rows)
    yield from block("\n".join(example for example, _ in bot_keys().values()), "toml")


def _contest_file(language: str) -> Iterator[str]:
    yield choose(language, "# Contest files", "# 大会ファイル")
    yield ""
    yield choose(
        language,
        "What `dohyo contest run FILE.toml` reads. Each key means what the option of [`dohyo contest run`]"
        "(commands/contest.md#dohyo-contest-run) means. [Contests](../contests.md) has an example.",
        "`dohyo contest run FILE.toml` が読むファイルです。各キーの意味は、[`dohyo contest run`]"
        "(commands/contest.md#dohyo-contest-run) のオプションと同じです。例は[大会](../contests.md)にあります。",
    )
    head = tuple(choose(language, *words) for words in (("key", "キー"), ("value", "値"), ("meaning", "意味")))
    rows = [
        (
            code(key),
            code(field.takes if isinstance(field.takes, str) else Speaker(language).say(field.takes)),
            safe(translated(field.about, language)),
            code("" if field.default in (REQUIRED, None, {}, []) else str(field.default).lower()),
        )
        for key, field in KEYS.items()
    ]
    yield from table((*head, choose(language, "without it", "省略時")), rows)


def _formats(language: str) -> Iterator[str]:
    yield "# Formats and their options"
    yield ""
    yield (
        "Who plays whom, by the name that `--format` takes; options are given by `--option KEY=VALUE`. "
        "[Formats](../formats.md) says when to take which."
    )
    for name, format_ in formats.all_formats().items():
        module = inspect.getmodule(format_)
        yield from ("", f"## {name}", "", safe((inspect.getdoc(module) or "").partition("\n\n")[0]))
        yield from ("", safe(inspect.getdoc(format_) or ""))
        if format_.info.options:
            rows = [
                (code(o.name), code(_shown(o.default)), takes_in(o, ENGLISH), safe(o.about))
                for o in format_.info.options
            ]
            yield from table(("option", "default", "takes", "meaning"), rows)


def _shown(value: object) -> str:
    """A default, as it would be written behind `--option`."""
    if value is None:
        return ""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
