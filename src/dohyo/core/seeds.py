"""Numbers that follow from a seed, and that say nothing of it.

A match's seed follows from its contest's, and a bot's own from its match's. Who knows some of them must not find the
others, by trying them all through or otherwise: each is a keyed hash (BLAKE2b), with the seed for the key. That holds
as far as the seed itself cannot be guessed: a new one has 63 bits; one that a person chose may be as short as 7.
"""

from __future__ import annotations

import hashlib

BITS = 63
MOST = (1 << BITS) - 1
BOTS = 1 << 31  # numbers that a bot may get: every language's usual integer takes them


def derived(seed: int, purpose: str, *numbers: int) -> int:
    """The number from 0 to 2**63 - 1 that follows from `seed` (0 to 2**63 - 1) for a `purpose` and its `numbers`."""
    text = " ".join([purpose, *map(str, numbers)])
    hashed = hashlib.blake2b(text.encode(), digest_size=8, key=seed.to_bytes(8, "little"), person=b"dohyo")
    return int.from_bytes(hashed.digest(), "little") >> 1


def of_bot(seed: int, seat: int) -> int:
    """What a bot draws its own lots from, 0 to 2**31 - 1, in a match of this seed on this seat."""
    return derived(seed, "bot", seat) % BOTS
