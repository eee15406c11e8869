"""A fault's detail in the reader's language.

A fault says in English what exactly happened, and a replay keeps that, so that the same match gives the same bytes in
every language. Here, where it is shown, the English sentence is recognised by the catalogue and told in another
language; one that is in no catalogue (a stranger's) is shown as it stands.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import islice

from dohyo.i18n.catalogue import LANGUAGES, USUAL, Catalogue, all_keys, say, sentence
from dohyo.i18n.values import Phrase

LONGEST = 1000  # characters: a longer one is nobody's sentence
MAX_PARTS = 6  # between semicolons
MAX_SEMICOLONS = 16  # that may part them, the first ones: what a bot wrote, with its semicolons, stands last
PLACE = re.compile(r"\\\{(\w+)\\\}")  # a place of a sentence, escaped for a pattern
QUOTING = ("line", "written")  # places for what a bot wrote, which may hold a semicolon


def detail_in(detail: str, language: str, own: Catalogue | None = None) -> str:
    """What exactly happened, in `language`; as it stands where no catalogue has it. `own`: the game's sentences."""
    if not detail or language == LANGUAGES[0] or language not in LANGUAGES or len(detail) > LONGEST:
        return detail
    return _whole(detail, language, own or {}) or detail


def phrase_of(detail: str, own: Catalogue | None = None, without: str = "") -> Phrase:
    """A detail as a part of other sentences, which knows itself in every language; `without` a beginning of it."""
    phrase = Phrase(detail.removeprefix(without))
    phrase.by_language = {language: detail_in(detail, language, own).removeprefix(without) for language in LANGUAGES}
    return phrase


def _whole(detail: str, language: str, own: Catalogue) -> str | None:
    """The sentence, or its parts between semicolons, told; none if one of them is unknown.

    Where a semicolon may stand in what a bot wrote, there are many ways to part a detail, and each piece is looked at
    once for all of them.
    """
    semicolons = list(islice(re.finditer("; ", detail), MAX_SEMICOLONS))

    @cache
    def piece(start: int, end: int) -> str | None:
        return _one(detail[start:end], language, own)

    @cache
    def rest(start: int, parts: int) -> str | None:
        told = piece(start, len(detail))
        if told is not None or parts == 1:
            return told
        for semicolon in semicolons:
            if semicolon.start() < start:
                continue
            first = piece(start, semicolon.start())
            others = first and rest(semicolon.end(), parts - 1)
            if others:
                return f"{first}、{others}"
        return None

    return rest(0, MAX_PARTS)


def _one(detail: str, language: str, own: Catalogue) -> str | None:
    """One sentence told, with what may stand behind it."""
    for key in all_keys():
        if key.startswith("detail-end.") and detail.endswith(end := sentence(key, USUAL)):
            told = _one(detail.removesuffix(end), language, own)
            return told and told + say(key, language)
    mine = [key for key in all_keys(own) if ".detail." in key]
    for key in [*mine, *(key for key in all_keys() if key.startswith("detail."))]:
        if found := _pattern(sentence(key, USUAL, own)).fullmatch(detail):
            return say(key, language, own, **found.groupdict())
    return None


@lru_cache(256)
def _pattern(sentence: str) -> re.Pattern[str]:
    """What an English sentence looks like once its places are filled.

    A place that quotes nobody ends where the words behind it first stand: what a stranger wrote would otherwise be
    parted in as many ways as these words are in it, for each place.
    """
    before, *parts = PLACE.split(re.escape(sentence))
    pattern = before
    for name, behind in zip(parts[::2], parts[1::2], strict=True):
        if name in QUOTING:
            pattern += f"(?P<{name}>.+){behind}"
        elif name == parts[-2]:
            pattern += f"(?P<{name}>[^;]+){behind}"
        else:
            pattern += f"(?>(?P<{name}>[^;]+?){behind})"
    return re.compile(pattern, re.DOTALL)
