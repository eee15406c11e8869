"""Japanese as it is written: its own colons and marks, no blank between sentences, one style in the help."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.i18n import ENGLISH, LANGUAGES, Speaker, section
from dohyo.i18n.catalogue import BY_ENGLISH
from dohyo.match.telling.fault_words import counted
from tests.i18n.test_catalogue import tables

JAPANESE = Speaker("ja")
LETTER = "[ぁ-んァ-ヶ一-龠々]"
# What Japanese text is not: the halves of signs that it has whole, and blanks where it has none.
UNUSUAL = {
    "a half-width colon": re.compile(rf"{LETTER}:"),
    "a half-width question or exclamation mark": re.compile(rf"{LETTER}[?!]"),
    "a blank after a full stop": re.compile(r"[。？！][ \u3000]+\S"),
    "three dots for an ellipsis": re.compile(rf"{LETTER} ?\.\.\."),
    "letters of two writings side by side": re.compile(rf"[A-Za-z0-9]{LETTER}|{LETTER}[A-Za-z0-9]"),
}
# How a sentence with a verb does not end where others end politely: `する`, `した`, `ない`, `だ`.
PLAIN = re.compile(r"(?:[るだくむぶぬぐう]|(?<!まし)(?<!でし)た|(?<![まで])す|(?<!くださ)い)$")
NOUNS = ("違い", "扱い", "使い", "ほう", "よう", "つ", "あいだ", "あたい", "くらい")


def spoken() -> Iterator[tuple[str, str]]:
    """Every Japanese sentence and line of help, with where it stands; commands in examples are nobody's language."""
    for key, sentences in tables().items():
        yield key, sentences["ja"]
    for name in BY_ENGLISH:
        for english, japanese in section("ja", name).items():
            for line in japanese.splitlines():
                if not line.startswith("  "):
                    yield f"the {name} of {english!r}", line


def help_sentences() -> Iterator[tuple[str, str]]:
    """Each sentence of the help: of commands, of options, and below them."""
    for where, line in spoken():
        if where.startswith("the "):
            for found in re.findall(r"[^。]+(?=。)", line):
                yield where, re.sub(r"\([^()]*\)$", "", found)


@pytest.mark.parametrize("what", UNUSUAL)
def test_signs_are_japanese(what: str) -> None:
    """No sentence has what Japanese writing does not."""
    found = {where: text for where, text in spoken() if UNUSUAL[what].search(text)}
    assert not found, what


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("a half-width colon", "使える値: 3"),
        ("a half-width question or exclamation mark", "本当ですか?"),
        ("a blank after a full stop", "終わり。 次に"),
        ("three dots for an ellipsis", "ビルド中 ..."),
        ("letters of two writings side by side", "3回"),
    ],
)
def test_what_is_unusual_is_found(what: str, text: str) -> None:
    """Each rule finds what it is for."""
    assert UNUSUAL[what].search(text)


def test_help_is_polite() -> None:
    """A sentence of help ends as others do, in `です` or `ます`, or names a thing; never in plain style."""
    sentences = list(help_sentences())
    assert len(sentences) > 200
    rude = {where: text for where, text in sentences if PLAIN.search(text) and not text.endswith(NOUNS)}
    assert not rude


@pytest.mark.parametrize("text", ["JSON だけを出力する", "何もしない", "書いた"])
def test_plain_style_is_found(text: str) -> None:
    """So the rule on style finds something."""
    assert PLAIN.search(text)


def test_sentences_follow_each_other() -> None:
    """English parts them by a blank, Japanese by nothing; what says nothing is left out."""
    assert ENGLISH.sentences(["One.", "", "Two."]) == "One. Two."
    assert JAPANESE.sentences(["一つ。", "", "二つ。"]) == "一つ。二つ。"


def test_lists_and_labels_are_of_the_language() -> None:
    """Between words stands the comma, and behind a label the colon, of whoever reads them."""
    assert (ENGLISH.listed(["a", "b"]), JAPANESE.listed(["a", "b"])) == ("a, b", "a、b")
    assert (ENGLISH.labelled("x", "y"), JAPANESE.labelled("x", "y")) == ("x: y", "x：y")
    assert (ENGLISH.labelled("x"), JAPANESE.labelled("x")) == ("x:", "x：")


def test_faults_are_counted_in_words() -> None:
    """Kinds of faults stand one behind the other, so that each has its own number."""
    kinds = {"timeout": 2, "exited": 1}
    assert counted(kinds, ENGLISH) == "time-out, 2 times; exited"
    assert counted(kinds, JAPANESE) == "時間切れ 2 回、途中で終了"


@pytest.mark.parametrize("code", [FaultCode.DISTANT_LOST, FaultCode.NO_CONNECTION])
def test_a_lost_connection_is_no_closed_output(code: FaultCode) -> None:
    """Whoever tells of it by its kind alone says that there was no connection."""
    fault = Fault(FaultKind.NO_CONNECTION, code)
    assert [Speaker(language).say(f"fault.{fault.kind}") for language in LANGUAGES] == ["no connection", "接続なし"]
