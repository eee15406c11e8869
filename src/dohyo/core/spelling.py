"""Which word was probably meant by one that is not known, and whether two are near enough for that."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

from dohyo.i18n import Message

LONGEST_WORD = 100  # characters; a longer one is not compared with known words
MIN_BEGINNING = 3  # letters of a word that is taken for the beginning of another
MAX_CLOSE = 5  # words that are looked at more closely


def nearest(word: str, known: Mapping[str, Any] | Sequence[str]) -> Message | str:
    """The known word that this one was probably meant to be, for a sentence's end; empty when there is none."""
    return meant(closest(word, known))


def meant(word: str) -> Message | str:
    """A word that was probably meant, for a sentence's end; empty for none."""
    return Message("nearest", {"word": word}) if word else ""


def closest(word: str, known: Mapping[str, Any] | Sequence[str], alike: float = 0.6) -> str:
    """The known word that is most like this one, by difflib at least so much, and near it; empty when there is none.

    The dashes before an option's name make no two of them alike.
    """
    if len(word) > LONGEST_WORD:
        return ""
    plain = {one.lstrip("-"): one for one in known}
    found = difflib.get_close_matches(word.lstrip("-"), list(plain), n=MAX_CLOSE, cutoff=alike)
    return next((plain[one] for one in found if is_near(word.lstrip("-"), one)), "")


def is_near(word: str, meant: str) -> bool:
    """Whether one word may be the other, misspelt: a slip for every three letters, or a part of it left out.

    A slip is a letter too many, too few, wrong, or two of them exchanged. Capitals do not count.
    """
    word, meant = word.lower(), meant.lower()
    if len(word) >= MIN_BEGINNING and meant.startswith(word):
        return True
    before, row = [0] * (len(meant) + 1), list(range(len(meant) + 1))
    for at, letter in enumerate(word, 1):
        last, before, row = before, row, [at]
        for to, other in enumerate(meant, 1):
            slips = min(before[to] + 1, row[to - 1] + 1, before[to - 1] + (letter != other))
            if at > 1 and to > 1 and (letter, word[at - 2]) == (meant[to - 2], other):
                slips = min(slips, last[to - 2] + 1)
            row.append(slips)
    return row[-1] <= max(len(word), len(meant)) // 3
