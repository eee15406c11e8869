"""The language of messages: `--lang` before the locale, Japanese as well as English."""

from __future__ import annotations

import codecs
import io
import os
import sys
from pathlib import Path

import pytest

from dohyo.cli.options import language_of
from dohyo.cli.spreadsheets import csv_begin
from dohyo.i18n import ENGLISH, Speaker
from dohyo.i18n.catalogue import of_locale
from dohyo.match.hand_in_names import read_names
from tests.cli.conftest import Type
from tests.cli.typed import environment, type_alone


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({}, "en"),
        ({"LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "ja"}, "ja"),
        ({"LC_MESSAGES": "ja_JP.eucJP", "LANG": "en_US.UTF-8"}, "ja"),
        ({"LC_ALL": "C", "LC_MESSAGES": "ja_JP.UTF-8", "LANG": "ja_JP.UTF-8"}, "en"),
        ({"LC_ALL": "", "LANG": "ja_JP.UTF-8"}, "ja"),
        ({"DOHYO_LANG": "ja", "LC_ALL": "C"}, "ja"),
        ({"DOHYO_LANG": "en", "LANG": "ja_JP.UTF-8"}, "en"),
        ({"DOHYO_LANG": "", "LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "jam_JM"}, "en"),
        ({"DOHYO_LANG": "jp"}, "ja"),
    ],
)
def test_locale(variables: dict[str, str], language: str) -> None:
    """DOHYO_LANG counts before LC_ALL, then LC_MESSAGES, then LANG; unknown ones mean English, `jp` Japanese."""
    assert of_locale(variables) == language


@pytest.mark.parametrize(
    ("words", "language"),
    [
        (["play", "--lang", "ja"], "ja"),
        (["--lang=ja", "play"], "ja"),
        (["contest", "-engine", "-lang", "ja"], "ja"),
        (["contest", "-engine", "-lang=ja"], "ja"),
        (["play", "--", "--lang", "ja"], "en"),
        (["play", "--lang"], "en"),
        (["play", "--lang", "fr"], "en"),
    ],
)
def test_a_wrong_command_line_still_has_a_language(words: list[str], language: str) -> None:
    """The language is found even where the rest of the command line cannot be read."""
    assert language_of(words, {}) == language


def test_a_language_that_there_is_not_is_told_of_once(typed: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    """On standard error, where `DOHYO_LANG` asks for it; what was to be done is done. A locale is no such word."""
    told = "There is no language 'xx_YY' for messages; take one of en, ja."
    monkeypatch.setitem(os.environ, "DOHYO_LANG", "xx_YY")
    done = typed("games")
    assert (done.status, done.err) == (0, told + "\n")
    assert typed("games", "--lang", "ja").err == ""
    monkeypatch.setitem(os.environ, "DOHYO_LANG", "jp")
    assert typed("games").err == ""
    monkeypatch.delitem(os.environ, "DOHYO_LANG")
    monkeypatch.setitem(os.environ, "LANG", "xx_YY.UTF-8")
    assert typed("games").err == ""


@pytest.mark.parametrize(
    ("language", "encoding", "marked"), [("ja", "utf-8", True), ("en", "utf-8", False), ("ja", "cp932", False)]
)
def test_excel_in_japan_knows_that_a_table_is_utf_8(
    folder: Path, monkeypatch: pytest.MonkeyPatch, language: str, encoding: str, marked: bool
) -> None:
    """By a mark at its beginning, in Japanese alone, and not on a terminal; our own reader of tables takes both."""
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, encoding=encoding, write_through=True)
    monkeypatch.setattr(sys, "stdout", stream)
    stream.write(csv_begin(Speaker(language)) + "bot.py,花子\n")
    assert written.getvalue().startswith(codecs.BOM_UTF8) == marked
    (folder / "names.csv").write_bytes(written.getvalue())
    assert list(read_names("names.csv").values()) == ["花子"]
    monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
    assert csv_begin(Speaker(language)) == ""


@pytest.mark.parametrize("words", [("--lang", "ja", "games"), ("games", "--lang", "ja")], ids=" ".join)
def test_before_and_after_the_command(typed: Type, words: tuple[str, ...]) -> None:
    """`--lang` may stand before the command or after it."""
    assert "サンプルボット" in typed(*words).out


def test_the_option_counts_before_the_locale(typed: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    """The locale decides where nothing is said."""
    monkeypatch.setitem(os.environ, "LANG", "ja_JP.UTF-8")
    assert "サンプルボット" in typed("games").out
    assert "Sample bots" in typed("games", "--lang", "en").out


def test_verdicts_and_table_in_japanese(typed: Type) -> None:
    """Headings, verdicts and what became of each bot are in Japanese, the game's own words too."""
    out = typed("play", "drop-block", "./quitter", *["./still"] * 3, "--setup", "turns=4", "--lang", "ja").out
    for word in ("順位", "ボット", "違反", "ターン数の上限", "立っている", "途中で終了、ステータス 3", "--seed"):
        assert word in out


def test_a_terminal_that_knows_no_japanese(folder: Path) -> None:
    """Where the encoding has no Japanese, the message comes with marks in its place, and no traceback."""
    status, out, err = type_alone("games", "--lang", "ja", env=environment(PYTHONIOENCODING="ascii"))
    assert (status, err) == (0, "")
    assert "drop-block" in out


@pytest.mark.parametrize(("rounds", "told"), [(1, "1 pair"), (2, "2 pairs"), (0, "0 pairs"), (11, "11 pairs")])
def test_one_of_a_thing_is_not_several(rounds: int, told: str) -> None:
    """In English the word behind a number has its form, and no other language is asked for one."""
    assert ENGLISH.say("compare.pairs", rounds=rounds) == told
    assert Speaker("ja").say("compare.pairs", rounds=rounds) == f"{rounds} 組"
