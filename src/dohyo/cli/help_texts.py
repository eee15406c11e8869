"""`--help` in the reader's language.

The sentences are written in English in the source of the commands and options. Before a command runs in another
language, each English sentence is looked up in the sections `help` and `examples` of that language's file; a sentence
that is not there stays English. Typer breaks lines at spaces and counts characters. So our own context class uses a
formatter that knows the width of Japanese.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import Any

import typer

from dohyo.i18n import Speaker, section

NOT_FIRST = "。、・)]」』：？！…〜:;,.ーぁぃぅぇぉっゃゅょァィゥェォッャュョ"  # no line begins with one of these
NOT_LAST = "([「『"  # none ends with one of these
TypersOwn: Any = typer.Context.formatter_class


def translate(command: Any, path: str, language: str) -> Any:
    """The command, and all below it, with their sentences in `language`; it is changed in place.

    `path` is how it is typed, after `dohyo`.
    """
    command.help = _translated(command.help, language)
    command.short_help = (command.help or "").partition("\n\n")[0]
    if command.epilog:
        command.epilog = section(language, "examples").get(path, command.epilog)
    for parameter in command.params:
        parameter.help = _translated(getattr(parameter, "help", None), language)
    command.context_class = context_class(language)
    for name, inner in getattr(command, "commands", {}).items():
        translate(inner, f"{path} {name}", language)
    return command


def translated(sentence: str, language: str) -> str:
    """A sentence of `--help` in `language`; unchanged if there is no translation."""
    return section(language, "help").get(sentence, sentence)


def _translated(text: str | None, language: str) -> str | None:
    """A text of one or more paragraphs, translated as a whole or one by one."""
    if not text:
        return text
    if text in section(language, "help"):
        return translated(text, language)
    return "\n\n".join(
        translated(" ".join(part.split()), language) if part[:1] != "\b" else part for part in text.split("\n\n")
    )


def wide(text: str) -> int:
    """How many columns a text takes in a terminal."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def wrapped(text: str, width: int) -> list[str]:
    """A paragraph in lines of at most `width` columns, broken at spaces and between Japanese characters."""
    lines, line = [], ""
    for piece in _pieces(text):
        if line and wide(line + piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        line += piece if line else piece.lstrip()
    return [*lines, line.rstrip()] if line.strip() else lines


def _pieces(text: str) -> list[str]:
    """What stays on one line: a word and the space after it, a Japanese character and its closing punctuation."""
    pieces: list[str] = []
    for character in " ".join(text.split()):
        last = pieces[-1][-1] if pieces else " "
        joined = character in NOT_FIRST or last in NOT_LAST or not (_is_letter(character) or _is_letter(last))
        if pieces and (character == " " or (joined and last != " ")):
            pieces[-1] += character
        else:
            pieces.append(character)
    return pieces


def _is_letter(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"


class Formatter(TypersOwn):  # type: ignore[misc]
    """Writes help as typer's own does, by the columns that Japanese takes."""

    language: str

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """The line that shows how a command is typed."""
        super().write_usage(prog, args, prefix or translated("Usage: ", self.language))

    def write_heading(self, heading: str) -> None:
        """The name of a section."""
        named = Speaker(self.language).labelled(translated(heading, self.language))
        self.write(f"{' ' * self.current_indent}{named}\n")

    def write_text(self, text: str) -> None:
        """Paragraphs; one that begins with a backspace keeps its lines."""
        margin = " " * self.current_indent
        paragraphs = []
        for part in text.split("\n\n"):
            kept = part.startswith("\b")
            lines = part[1:].strip("\n").splitlines() if kept else wrapped(part, self.width - self.current_indent)
            paragraphs.append(textwrap.indent("\n".join(lines), margin))
        self.write("\n\n".join(paragraphs) + "\n")

    def write_dl(self, rows: Sequence[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Rows of a term and what it means."""
        first = min(max((wide(term) for term, _ in rows), default=0), col_max) + col_spacing
        margin = " " * self.current_indent
        for term, meaning in rows:
            lines = wrapped(_note(meaning, self.language), max(self.width - first - self.current_indent, 10))
            if lines and wide(term) + col_spacing <= first:
                head = lines.pop(0)
                self.write(f"{margin}{term}{' ' * (first - wide(term))}{head}\n")
            else:
                self.write(f"{margin}{term}\n")
            for line in lines:
                self.write(f"{margin}{' ' * first}{line}\n")


def _note(meaning: str, language: str) -> str:
    """A row's meaning, with typer's own remarks translated."""
    for english in ("[required]", "[default: "):
        meaning = meaning.replace(english, translated(english, language))
    return translated(meaning, language)


@cache
def context_class(language: str) -> type[typer.Context]:
    """A class of contexts for commands whose help is written by `Formatter`, in `language`."""
    formatter = type("FormatterInLanguage", (Formatter,), {"language": language})
    return type("ContextInLanguage", (typer.Context,), {"formatter_class": formatter})
