"""What an option takes, and which word was probably meant, in the reader's language.

An option says in English what it takes, where it is made. Where that is shown, the English is recognised by the
section `phrases` of a language's file and said in that language; what is not there (mode=fair, a list of words) is
the same in all. A game's own options have theirs among the game's sentences. Why the system refuses something
(`reason`) is recognised in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

PLACE = re.compile(r"\\\{(\w+)\\\}")  # a place of a sentence, escaped for a pattern
TOLD = ("takes", "nearest", "reason")  # places whose English is looked for among the phrases
OF_WORDS = ("words",)  # places for several words


class Phrase(str):
    """What a game's own option takes: the English text, which knows itself in other languages."""

    __slots__ = ("by_language",)
    by_language: Mapping[str, str]


def takes_of(option: str, takes: str, own: Mapping[str, Mapping[str, str]] | None) -> str:
    """What a game's option takes; `own` are the game's sentences."""
    known = {}
    for language, sentences in (own or {}).items():
        for key, sentence in sentences.items():
            if key.endswith(f".option.{option}.takes"):
                known[language] = sentence
    phrase = Phrase(known.get("en", takes))
    phrase.by_language = known
    return phrase


def in_language(name: str, value: object, language: str, patterns: Mapping[str, str]) -> object:
    """A detail of a sentence, by the name of its place; most are the same in every language.

    `patterns` is the language's section `phrases`: English with places, and the same in the language.
    """
    if isinstance(value, Phrase) and language in value.by_language:
        return value.by_language[language]
    if name in TOLD and isinstance(value, str):
        for english, told in patterns.items():
            if found := pattern(english).fullmatch(value):
                return told.format(**found.groupdict())
    return value


@cache
def pattern(english: str) -> re.Pattern[str]:
    """What an English phrase looks like once its places are filled."""

    def place(found: re.Match[str]) -> str:
        return f"(?P<{found[1]}>{'.+' if found[1] in OF_WORDS else '[^ ]+'})"

    return re.compile(PLACE.sub(place, re.escape(english)))
