"""Notes of a build about a bot that can play, but not as well as it could: a line of the log, which Dohyo reports.

The build writes the line; whoever uses the bot sees the sentence of that key.
"""

from __future__ import annotations

BEGINS = "dohyo: "  # how such a line begins; a word follows

NO_NUMBA, BROKEN_OFF, NOT_COMPILED = "no-numba", "broken-off", "not-compiled"
KEYS = {word: f"build-{word}" for word in (NO_NUMBA, BROKEN_OFF, NOT_COMPILED)}


def line(word: str) -> str:
    """What a build writes into its log."""
    return BEGINS + word


def key_in(log: str) -> str:
    """The key of the sentence that a log asks for; empty if none."""
    lines = log.splitlines()
    return next((key for word, key in KEYS.items() if line(word) in lines), "")
