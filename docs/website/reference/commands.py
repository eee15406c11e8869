"""The help of every command, in both languages: the tree of commands, walked."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from docs.website.pages import LANGUAGES, Page
from docs.website.reference.markdown import block, choose, code, page, safe, table
from dohyo.cli import help_lists, listing, main
from dohyo.cli.help_texts import translate, translated
from dohyo.cli.options import command_of
from dohyo.i18n import Speaker

PROGRAMS = ("Programs of games", "ゲームに付属するプログラム")


class Command(NamedTuple):
    """A command as one types it, and what typer made of it."""

    path: str  # after `dohyo`: `contest run`
    command: Any


def names() -> list[str]:
    """Every command of `dohyo`, and the programs that games bring along."""
    return [*main.commands(), *main.more_commands()]


@cache
def tree(name: str, language: str) -> list[Command]:
    """A command and all below it, with the help in that language."""
    command = command_of(main.application_of(name, Speaker(language)))
    if language != LANGUAGES[0]:
        translate(command, name, language)
    return list(_walk(name, command))


def _walk(path: str, command: Any) -> Iterator[Command]:
    yield Command(path, command)
    for name, inner in _below(command).items():
        yield from _walk(f"{path} {name}", inner)


def _below(command: Any) -> dict[str, Any]:
    """The subcommands that people are told of, by name."""
    return {name: inner for name, inner in getattr(command, "commands", {}).items() if not inner.hidden}


def pages() -> list[Page]:
    """A list of all commands, and a page for each."""
    listed = page("commands/index", "reference", _overview, ("All commands", "コマンド一覧"))
    return [listed, *(page(f"commands/{name}", "reference", _Writer(name), _typed(name)) for name in names())]


def _typed(path: str) -> str:
    """How the command is typed. `arena` is a program of its own besides."""
    return f"dohyo {path}".rstrip()


def _overview(language: str) -> Iterator[str]:
    """The lines of the list."""
    yield choose(language, "# Commands", "# コマンド")
    yield ""
    yield choose(
        language,
        "What `--help` says, for every command. `dohyo COMMAND --help` shows the same in a terminal.",
        "各コマンドの `--help` の内容です。ターミナルでは `dohyo COMMAND --help --lang ja` で同じものが見られます。",
    )
    head = (choose(language, "command", "コマンド"), choose(language, "what it does", "はたらき"))
    grouped = [
        (_in(language, each.heading), [name for name, _ in each.rows]) for each in listing.listed(LANGUAGES[0])
    ]
    for heading, some in (*grouped, (choose(language, *PROGRAMS), main.more_commands())):
        if some:
            yield from ("", f"## {heading}")
            yield from table(head, [row for name in some for row in _rows(name, language)])
    yield from ("", "## dohyo")
    top = command_of(main.app)
    if language != LANGUAGES[0]:
        translate(top, "", language)
    yield from _described("", top, language, listing.where_to_look(language))


def _rows(name: str, language: str) -> Iterator[tuple[str, str]]:
    """A command and all below it, as rows of the list."""
    for path, command in tree(name, language):
        anchor = "" if name == path else "#" + f"dohyo {path}".replace(" ", "-")
        yield f"[`{_typed(path)}`]({name}.md{anchor})", safe((command.help or "").partition("\n\n")[0])


def _in(language: str, heading: str) -> str:
    return heading if language == LANGUAGES[0] else translated(heading, language)


class _Writer:
    """Writes the page of a command."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, language: str) -> Iterator[str]:
        """The lines of the page."""
        for path, command in tree(self.name, language):
            yield f"{'#' if path == self.name else '##'} {_typed(path)}"
            yield from _described(path, command, language)


def _described(path: str, command: Any, language: str, more: str = "") -> Iterator[str]:
    """What a command does, how it is typed, its words and options, examples; `more` is a paragraph of its help."""
    context = context_of(path, command)
    for paragraph in filter(None, (*(command.help or "").split("\n\n"), more)):
        if paragraph.startswith("\b"):
            yield from block(paragraph[1:])
        else:
            yield from ("", safe(" ".join(paragraph.split())))
    yield from block(" ".join([_typed(path), *command.collect_usage_pieces(context)]))
    if arguments := help_lists.arguments_of(command, context):
        yield from _parameters(choose(language, "argument", "引数"), arguments, language)
    options = choose(language, "option", "オプション")
    for heading, rows in help_lists.options_of(command, context):
        title = options if heading == help_lists.OPTIONS else f"{options}: {_in(language, heading)}"
        yield from _parameters(title, rows, language)
    if inner := _below(command):
        head = (choose(language, "subcommand", "サブコマンド"), choose(language, "what it does", "はたらき"))
        rows = [(f"[`{name}`](#dohyo-{path.replace(' ', '-')}-{name})", _first(each)) for name, each in inner.items()]
        yield from table(head, rows)
    yield from _examples(command.epilog or "")


def _parameters(head: str, rows: list[help_lists.Record], language: str) -> Iterator[str]:
    """A table of words and what they mean."""
    told = [(code(word), safe(_remarks(said, language))) for word, said in rows]
    yield from table((head, choose(language, "meaning", "意味")), told)


def context_of(path: str, command: Any) -> Any:
    """What typer needs to tell the words of a command."""
    return command.context_class(command, info_name=_typed(path), help_option_names=["-h", "--help"])


def _first(command: Any) -> str:
    return safe((command.help or "").partition("\n\n")[0])


def _remarks(meaning: str, language: str) -> str:
    """A meaning, with typer's own remarks in that language."""
    if language != LANGUAGES[0]:
        for english in ("[required]", "[default: "):
            meaning = meaning.replace(english, translated(english, language))
        return translated(meaning, language)
    return meaning


def _examples(epilog: str) -> Iterator[str]:
    """What stands below the options: paragraphs, and blocks that keep their lines under a heading of one line."""
    for paragraph in epilog.split("\n\n"):
        if not paragraph.strip():
            continue
        if not paragraph.startswith("\b"):
            yield from ("", safe(" ".join(paragraph.split())))
            continue
        first, _, rest = paragraph[1:].strip("\n").partition("\n")
        yield from ("", safe(first)) if rest else block(first)
        if rest:
            yield from block("\n".join(line.removeprefix("  ") for line in rest.splitlines()))
