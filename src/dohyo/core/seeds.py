"""Numbers that are derived from a seed, and reveal nothing about it.

A match's seed is derived from its contest's, and a bot's own from its match's. A program that knows some of them must
not be able to find the others, even by trying all: each is a keyed hash (BLAKE2b), with the seed as the key. This
holds as long as the seed itself cannot be guessed: a new one has 63 bits; one chosen by a person may be a small
number.
"""

from __future__ import annotations

import hashlib

BITS = 63
MOST = (1 << BITS) - 1
BOTS = 1 << 31  # numbers that a bot may get: every language's usual integer takes them


def derived(seed: int, purpose: str, *numbers: int) -> int:
    """The number from 0 to 2**63 - 1 derived from `seed` (0 to 2**63 - 1) for a `purpose` and its `numbers`."""
    text = " ".join([purpose, *map(str, numbers)])
    hashed = hashlib.blake2b(text.encode(), digest_size=8, key=seed.to_bytes(8, "little"), person=b"dohyo")
    return int.from_bytes(hashed.digest(), "little") >> 1


def of_bot(seed: int, seat: int) -> int:
    """The seed for a bot's own random numbers, 0 to 2**31 - 1, in a match of this seed on this seat."""
    return derived(seed, "bot", seat) % BOTS
