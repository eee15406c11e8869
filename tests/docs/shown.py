"""The commands that pages show: found in blocks of code and in code marks, read as the real command reads them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from docs.website.reference import commands
from typer.exceptions import TyperException

from dohyo.core.errors import OperatorError

FENCE = re.compile(r"^( *)(`{3,})([\w-]*)[^\n]*\n(.*?)^ *\2`*$", re.MULTILINE | re.DOTALL)
SHELLS = ("", "sh", "bash", "shell", "console", "text", "yaml", "ini", "systemd", "dockerfile")
START = re.compile(
    r"^(?:[$>] )?(?:\w+=\S* )*(?:time |nice |sudo |uvx |pipx run )*(?:\./dev )?(?:\.venv/bin/)?(dohyo|arena) (.*)$"
)
STOPS = re.compile(r"^(\d?>>?|<|\||;|&&|&|\|\|)")
REMARK = re.compile(r" {3,}")  # behind so many spaces a page says what a command is for
HOLES = re.compile(r"^(\.\.\.|…)$")


class Shown(NamedTuple):
    """A command line of a page."""

    page: str
    line: str  # as it stands there
    words: list[str]  # behind `dohyo`
    whole: bool  # a line of a block; otherwise words in a sentence, which may leave out what must be given


def shown_in(page: str, text: str) -> Iterator[Shown]:
    """Every command line of a page."""
    for block in FENCE.finditer(text):
        if block[3] in SHELLS:
            for line in block[4].replace("\\\n", " ").splitlines():
                yield from _read(page, line.strip(), whole=True)
    for words in re.findall(r"(?<!`)`((?:dohyo|arena) [^`\n]+)`(?!`)", FENCE.sub("", text)):
        yield from _read(page, words, whole=False)


def _read(page: str, line: str, whole: bool) -> Iterator[Shown]:
    found = START.match(line)
    if not found:
        return
    try:
        plain = re.sub(r"\$\([^)]*\)", "VALUE", REMARK.split(found[2])[0])
        words = shlex.split(re.sub(r"\[(--[^\]]*)\]", r"\1", plain), comments=True)  # [--option]: may be omitted
    except ValueError:  # a quotation mark alone: a sentence, not a command
        return
    stop = next((at for at, word in enumerate(words) if STOPS.match(word)), len(words))
    words = ([] if found[1] == "dohyo" else ["arena"]) + words[:stop]
    either = next((at for at, word in enumerate(words[:2]) if "|" in word), None)  # `cluster local|worker`
    for word in words[either].split("|") if either is not None else [""]:
        yield Shown(page, line, [*words[:either], word, *words[either + 1 :]] if either is not None else words, whole)


@cache
def _leaf(path: str) -> Any:
    """The command that is typed so; none if there is none."""
    name = path.split()[0]
    if name not in commands.names():
        return None
    return next((each.command for each in commands.tree(name, "en") if each.path == path), None)


def objection(shown: Shown) -> str:
    """What the real command has against these words; empty if it would take them."""
    words = list(shown.words)
    while words and words[0] in ("--lang", "--version", "--help", "--install-completion", "--show-completion"):
        del words[: 2 if words[0] == "--lang" else 1]
    if not words:
        return ""
    if words[0] == "COMMAND" or HOLES.match(words[0]):
        return ""
    path = words.pop(0)
    if _leaf(path) is None:
        return f"there is no command {path!r}"
    while words and (inner := _leaf(path)) is not None and getattr(inner, "commands", None):
        if words[0].startswith("-") or HOLES.match(words[0]):
            break
        path += f" {words.pop(0)}"
    command = _leaf(path)
    if command is None:
        return f"there is no command {path!r}"
    if path == "contest" and words and words[0] != "-h" and re.match(r"-\w", words[0]):
        return _of_another_program(words)
    return _parsed(path, command, words, shown.whole)


def _of_another_program(words: list[str]) -> str:
    """Words of fastchess, cutechess or brutaltester, read as `dohyo contest` reads them."""
    try:
        from dohyo.guests.arenas import brutaltester, fastchess
    except ImportError as error:
        return str(error)
    try:
        (brutaltester if brutaltester.is_meant(words) else fastchess).read(words)
    except OperatorError as error:
        return str(error)
    return ""


def _parsed(path: str, command: Any, words: list[str], whole: bool) -> str:
    """Let the command's own parser read the words; with `whole`, what must be given has to be there."""
    holes = [word for word in words if HOLES.match(word)]
    words = [word for word in words if not HOLES.match(word)]
    context = command.context_class(command, info_name=f"dohyo {path}", help_option_names=["-h", "--help"])
    if not whole and words and words[-1].startswith("-"):
        words = _with_value(command, context, words)
    try:
        values, left, _ = command.make_parser(context).parse_args(args=list(words))
    except (TyperException, OperatorError) as error:
        return str(error)
    if left and not getattr(command, "commands", None):
        return f"it does not take {left}"
    if whole and not holes and not values.get("help") and not getattr(command, "commands", None):
        for parameter in command.params:
            if parameter.required and not values.get(parameter.name):
                return f"{parameter.name} is missing"
    return ""


def _with_value(command: Any, context: Any, words: list[str]) -> list[str]:
    """The words of a sentence, with a value behind the last option if it takes one."""
    for parameter in command.get_params(context):
        takes = parameter.param_type_name == "option" and not parameter.is_flag
        if takes and words[-1] in (*parameter.opts, *parameter.secondary_opts):
            return [*words, "VALUE"]
    return words
