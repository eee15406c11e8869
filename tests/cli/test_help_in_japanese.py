"""`--help` in Japanese: every command and option of ours, and of the games' programs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from dohyo.cli import help_lists, listing, main
from dohyo.cli.help_texts import translate, wide, wrapped
from dohyo.cli.options import command_of
from dohyo.core.asked import fields
from dohyo.core.request_fields import OUTPUT
from dohyo.i18n import Speaker, section
from tests.cli.conftest import Type
from tests.cli.requests import REQUESTS

JAPANESE = section("ja", "help")
BELOW = section("ja", "examples")
LETTER = re.compile("[ぁ-んァ-ヶ一-龠]")


def walked(command: Any, path: str) -> Iterator[tuple[str, Any]]:
    """A command and all below it, by what is typed."""
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from walked(inner, f"{path} {name}".strip())


def commands(language: str = "ja") -> Iterator[tuple[str, Any]]:
    """Every command, as it was made."""
    yield "", command_of(main.app)
    for name in main.commands():
        yield from walked(command_of(main.application_of(name)), name)
    for name in main.more_commands():
        yield name, command_of(main.application_of(name, Speaker(language)))


def helps(path: str, command: Any) -> Iterator[tuple[str, str]]:
    """Every text of a command's help, with where it stands."""
    yield path, command.help
    for parameter in command.params:
        yield f"{path} {parameter.name}", parameter.help


def headings(command: Any) -> Iterator[str]:
    """The headings below which a command's help has its commands and options."""
    yield from getattr(command, "headings", {}).values()
    yield from (panel for each in command.params if (panel := each.rich_help_panel))


def test_every_command_and_option_has_a_japanese_help() -> None:
    """No sentence of any `--help` stays in English, no heading, and what stands below the options neither."""
    count = 0
    assert all(LETTER.search(JAPANESE.get(heading, "")) for heading in listing.GROUPS.values())
    for path, command in commands():
        below = command.epilog
        translate(command, path, "ja")
        for where, text in helps(path, command):
            count += 1
            assert LETTER.search(text or ""), f"{where}: {text}"
            assert not re.search(r"\b(the|of|and|is|a)\b", text), f"{where}: {text}"
        for heading in headings(command):
            assert LETTER.search(JAPANESE.get(heading, "")), f"{path}: {heading}"
        if below:
            assert path in BELOW, path
            assert command.epilog == BELOW[path]
    assert count > 100


def test_what_stands_below_shows_the_same_commands() -> None:
    """The examples below a command's options are the same in both languages."""
    for path, command in commands():
        if command.epilog:
            english, japanese = (
                [line for line in text.splitlines() if line.startswith("  dohyo ")]
                for text in (command.epilog, BELOW[path])
            )
            assert english == japanese


def test_no_japanese_help_is_left_over() -> None:
    """Every Japanese sentence belongs to an English one that is there."""
    english = {*main.commands().values(), *re.split(r"(?<=\.) ", listing.where_to_look("en"))}
    english |= {*listing.GROUPS.values(), help_lists.OTHERS, help_lists.ALL, help_lists.MORE, OUTPUT}
    for path, command in commands("en"):
        english |= set(headings(command))
        for _, text in helps(path, command):
            english |= {text, *(" ".join(part.split()) for part in text.split("\n\n"))}
    english |= {field.about for kind in REQUESTS for field in fields(kind)}
    typers = {
        "Usage: ",
        "Arguments",
        "Options",
        "Commands",
        "Show this message and exit.",
        "[required]",
        "[default: ",
    }
    assert set(JAPANESE) - typers <= english


@pytest.mark.parametrize("words", [("--lang", "ja", "play", "--help"), ("play", "-h", "--lang=ja")], ids=" ".join)
def test_asked_in_words(typed: Type, words: tuple[str, ...]) -> None:
    """`--lang` asks for Japanese help before the command and after it."""
    out = typed(*words).out
    for word in (
        "使い方：dohyo play",
        "引数：",
        "オプション：",
        "乱数を決めます。",
        "[必須]",
        "この説明を表示して終了します。",
    ):
        assert word in out


def test_no_blank_between_sentences() -> None:
    """Those on where to look, which come from several places, follow each other as in their language."""
    told = {language: listing.where_to_look(language) for language in ("en", "ja")}
    assert told["en"].count(". ") == told["ja"].count("。") - 1 >= 2
    assert not re.search(r"。\s", told["ja"])


@pytest.mark.parametrize("name", ["DOHYO_LANG", "LANG"])
def test_asked_by_the_environment(typed: Type, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The environment's language is that of the help; the list of commands has it, too."""
    monkeypatch.setenv(name, "ja_JP.UTF-8")
    assert "1 試合を行います(ボットどうし、または自分対ボット)。" in typed().out
    assert "\n大会を開く：\n" in typed("--help").out
    assert "大会を始めるか、続きを行います。" in typed("contest", "--help").out
    assert "Play one match" in typed("--lang", "en").out


@pytest.mark.parametrize("width", [20, 33, 50, 80])
def test_lines_are_not_too_wide(width: int) -> None:
    """A line takes no more columns than there are, loses no letter, and begins with no sign that closes."""
    for text in JAPANESE.values():
        lines = wrapped(text, width)
        assert re.sub(r"\s", "", "".join(lines)) == re.sub(r"\s", "", text)
        for line in lines:
            assert line[0] not in "。、)」ー"
            assert wide(line) <= width + 3 or not LETTER.search(line), line  # signs that close may stand out
