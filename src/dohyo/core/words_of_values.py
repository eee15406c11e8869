"""What an option takes, and which word was probably meant, in the reader's language.

An option says in English what it takes, where it is made. Here, where that is shown, the English is recognised and
told in Japanese; what is not here (mode=fair, a list of words) is the same in both. A game's own options have theirs
among the game's words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

# English, as a pattern, and Japanese.
TAKES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(english), japanese)
    for english, japanese in (
        (r"a number", r"数値"),
        (r"a whole number", r"整数"),
        (r"a whole number, (\S+) - (\S+)", r"\1~\2 の整数"),
        (r"a number from (\S+) to (\S+)", r"\1~\2 の数"),
        (r"a number of bots", r"ボットの数"),
        (r"(\d+) to (\d+)", r"\1~\2"),
        (r"seconds, (\S+) - (\S+)", r"\1~\2 の秒数"),
        (r"seconds, more than 0, at most (\S+)", r"0 より大きく \1 以下の秒数"),
        (r"one of (.+)", r"\1"),
        (r"(\w+) or (\w+)", r"\1 か \2"),
        (r"a bot's name or number", r"ボットの名前か番号"),
        (r"names or numbers of bots", r"ボットの名前か番号の並び"),
        (
            r"NAME=NUMBER for bots, or a number for each in the order of entering",
            r"ボットごとの NAME=NUMBER、または参加順の数",
        ),
        (r'("\.\.\."), without /', r"\1(/ を除く)"),
        (r'("\S+") or ("\S+")', r"\1 か \2"),
        (r'("\.\.\."), a game\'s name', r"\1(ゲームの名前)"),
        (r'("\.\.\."), a format\'s name', r"\1(対戦形式の名前)"),
        (r'("\.\.\."), a folder of bots', r"\1(ボットのフォルダー)"),
        (r'("\.\.\."), a table of hand-ins and names', r"\1(提出物と名前の表)"),
        (r'("\.\.\."), a program', r"\1(プログラム)"),
        (r"a table of the game's options", r"ゲームの設定の表"),
        (r"a table of the format's options", r"対戦形式のオプションの表"),
        (r"a preset or seconds a turn", r"プリセット、または 1 ターンの秒数"),
    )
)
NEAREST = re.compile(r" \('(.*)'\?\)")


class Phrase(NamedTuple):
    """What a game's own option takes, in both languages; as a text it is the English one."""

    english: str
    japanese: str

    def __str__(self) -> str:
        return self.english


def takes_of(option: str, takes: str, own: Mapping[str, tuple[str, str]] | None) -> object:
    """What a game's option takes; `own` are the game's words."""
    for key, words in (own or {}).items():
        if key.endswith(f".option.{option}.takes"):
            return Phrase(*words)
    return takes


def in_japanese(name: str, value: object) -> object:
    """A detail of a sentence, by the name of its place, in Japanese; most are the same in every language."""
    if isinstance(value, Phrase):
        return value.japanese
    if name == "nearest" and isinstance(value, str):
        return NEAREST.sub(r"(「\1」ですか?)", value)
    if name == "takes" and isinstance(value, str):
        for english, japanese in TAKES:
            if found := english.fullmatch(value):
                return found.expand(japanese)
    return value
