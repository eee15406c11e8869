"""What a build says of a bot that can play, but not as well as it could: a line of its log, which Dohyo tells on.

A build writes the line; who uses the bot is told the sentence of that key.
"""

from __future__ import annotations

BEGINS = "dohyo: "  # how such a line begins; a word follows

NO_NUMBA, BROKEN_OFF, NOT_COMPILED = "no-numba", "broken-off", "not-compiled"
KEYS = {word: f"build-{word}" for word in (NO_NUMBA, BROKEN_OFF, NOT_COMPILED)}


def line(word: str) -> str:
    """What a build writes into its log."""
    return BEGINS + word


def key_in(log: str) -> str:
    """The key of the sentence that a log asks for; empty where it asks for none."""
    lines = log.splitlines()
    return next((key for word, key in KEYS.items() if line(word) in lines), "")
