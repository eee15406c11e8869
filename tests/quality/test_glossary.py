"""One word for one thing in Japanese: what `docs/glossary.md` says, everywhere that Dohyo speaks."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from dohyo.i18n import section
from tests.i18n.test_catalogue import tables
from tests.quality.project import ROOT, files

GLOSSARY = ROOT / "docs" / "glossary.md"
# Words that end in a long vowel: written without it they are other words for the same thing.
LONG = (
    "フォルダー",
    "ブラウザー",
    "ビューアー",
    "コンパイラー",
    "インタープリター",
    "デバッガー",
    "サーバー",
    "ユーザー",
)
SHORT = {"メモリー": "メモリ", "ディレクトリー": "ディレクトリ", "ライブラリー": "ライブラリ"}
JAPANESE = re.compile(r"[ぁ-んァ-ヶ一-龠]")


def rows() -> Iterator[tuple[str, list[str]]]:
    """Each row of the glossary: the Japanese word, and those that are not to be used for it."""
    for line in GLOSSARY.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 4 and JAPANESE.search(cells[1]) and cells[0] != "English":
            yield cells[1].partition(" (")[0], [word.strip() for word in cells[3].split(",") if word.strip()]


def spoken() -> Iterator[tuple[str, str]]:
    """Every Japanese text that people read, with where it stands."""
    for key, sentences in tables().items():
        yield key, sentences["ja"]
    for english, japanese in (*section("ja", "help").items(), *section("ja", "examples").items()):
        yield f"the help of {english!r}", japanese
    for path in files():
        if path.name.endswith(".ja.md"):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                yield f"{path.relative_to(ROOT)}:{number}", line


def misuses(text: str, word: str, unwanted: list[str]) -> list[str]:
    """Which of the unwanted words stand in a text, other than as a part of the right one."""
    rest = text.replace(word, "")
    return [other for other in unwanted if other in rest]


def test_the_glossary_is_read() -> None:
    """The table has its rows, and each language's word is in one row only."""
    known = [word for word, _ in rows()]
    assert len(known) > 25
    assert len(known) == len(set(known))
    unwanted = [other for _, others in rows() for other in others]
    assert not set(known) & set(unwanted)


def test_unwanted_words_are_found() -> None:
    """An unwanted word is found, the right one that contains it is not."""
    assert misuses("時計が遅い", "持ち時間", ["時計"]) == ["時計"]
    assert misuses("フォルダーとフォルダ", "フォルダー", ["フォルダ"]) == ["フォルダ"]
    assert misuses("フォルダー", "フォルダー", ["フォルダ"]) == []


@pytest.mark.parametrize(
    ("word", "unwanted"),
    [
        *((word, others) for word, others in rows() if others),
        *((word, [word.removesuffix("ー")]) for word in LONG),
        *((word, [other]) for other, word in SHORT.items()),
    ],
)
def test_one_word_for_one_thing(word: str, unwanted: list[str]) -> None:
    """No Japanese sentence or page uses another word than that of the glossary."""
    for where, text in spoken():
        # "メモリ" is a part of "メモリー": there the right word hides nothing.
        found = misuses(text, "" if word in SHORT.values() else word, unwanted)
        assert not found, f"{where}: {found} instead of {word}: {text}"
