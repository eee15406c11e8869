"""What an organiser says of a ladder or a contest: what is played; of a contest also when, and who may enter.

A contest's state follows from the times.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Entry = Literal["all", "list", "word"]
Phase = Literal["announced", "open", "closed", "playing", "over"]


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """What is played: the game's setup, as far as it was chosen, and the clock; empty: a ladder's usual one."""

    setup: dict[str, Any] = {}
    clock: str = ""


class Terms(Played, frozen=True, kw_only=True):
    """A contest's terms: times are seconds since 1970 (UTC).

    Hand-ins are taken from `opens` until `closes`; from `starts` on it is played, until its format ends it, and until
    `ends` at most (none: no such moment). `entry` says who may enter: all, those on a list, or who knows a word,
    whose digest is `word`. Each has `each` bots at most. With `readable` everybody may read the code of those who
    played, after the end. With `samples` the game's sample bots take part. Who watches a match sees it `delay` turns
    later than it is played. The word itself is in `said`, for
    organisers to read it again; contests that are older have its digest alone.
    """

    opens: float
    closes: float
    starts: float
    ends: float | None = None
    format: str
    rounds: int = 1
    options: dict[str, Any] = {}
    entry: Entry = "all"
    word: str = ""
    said: str = ""
    each: int = 1
    readable: bool = False
    samples: bool = False
    delay: int = 0

    def phase(self, now: float, is_over: bool = False) -> Phase:
        """How far the contest is; `is_over` says the store, which knows whether everything was played."""
        if is_over or self.has_ended(now):
            return "over"
        if now >= self.starts:
            return "playing"
        if now >= self.closes:
            return "closed"
        return "open" if now >= self.opens else "announced"

    def has_ended(self, now: float) -> bool:
        """Whether its last moment is past."""
        return self.ends is not None and now >= self.ends


def read_terms(text: str | None) -> Played:
    """What is stored: a contest's `Terms`, or what a ladder plays, where nothing is stored for the usual."""
    if text is None:
        return Played()
    found = msgspec.json.decode(text, type=dict[str, Any])
    return msgspec.convert(found, Terms if "opens" in found else Played)


def write_terms(terms: Played) -> str | None:
    """Terms to be stored; none for a ladder that plays the usual."""
    return None if terms == Played() else msgspec.json.encode(terms).decode()
