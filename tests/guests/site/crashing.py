"""A bot for games of one file that crashes in its third turn, but not in the matches of the check: it is let in."""

from __future__ import annotations

from collections.abc import Sequence

from dohyo.core.seeds import derived, of_bot

SEEDS = (0, *(derived(0, "check", number) for number in range(2)))  # of the check's protocol part and its matches
CHECKED = tuple(str(of_bot(seed, seat)) for seed in SEEDS for seat in range(2))
SAID = "a.py:9, in choose: ZeroDivisionError: integer division or modulo by zero"
SOURCE = '''import os
import sys

fails = os.environ.get("DOHYO_SEED") not in SPARED


def choose(legal, turn):
    """The first action; in the third turn none."""
    return legal[1 // 0 if fails and turn == 3 else 0]


turn = 0
for line in sys.stdin:
    name, *words = line.split()
    if name == "legal":
        turn += 1
        print(choose(words, turn), flush=True)
'''


def crashing(spared: Sequence[str] = CHECKED) -> bytes:
    """Its source; it goes on to the end where its own seed is one of these."""
    return SOURCE.replace("SPARED", repr(tuple(spared))).encode()
