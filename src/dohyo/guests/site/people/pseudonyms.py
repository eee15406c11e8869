"""Names that stand for authors' own: made from the site's secret, so that nobody can work out whose they are.

A person has one in each ladder, always the same one. It is made of syllables that English and Japanese both have, of
which no rude word comes out in either.
"""

from __future__ import annotations

import hashlib
import hmac

SYLLABLES = (
    *("ka", "ko", "sa", "so", "ta", "te", "to", "na", "ni", "no", "ma"),
    *("mi", "mo", "yu", "yo", "ri", "ru", "re", "ro", "ha", "wa"),
)
LENGTH = 5  # syllables: four million names


def pseudonym(secret: str, ladder: int, person: int) -> str:
    """What a person is called in a ladder, both by their numbers."""
    told = f"pseudonym {ladder} {person}".encode()
    number = int.from_bytes(hmac.digest(secret.encode(), told, hashlib.sha256), "big")
    letters = ""
    for _ in range(LENGTH):
        number, at = divmod(number, len(SYLLABLES))
        letters += SYLLABLES[at]
    return letters.capitalize()
