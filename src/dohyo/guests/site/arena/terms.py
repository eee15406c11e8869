"""What an organiser says of a contest: what is played, when, and who may enter. Its state follows from the times."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Entry = Literal["all", "list", "word"]
Phase = Literal["announced", "open", "closed", "playing", "over"]


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """A contest's terms: times are seconds since 1970 (UTC).

    Hand-ins are taken from `opens` until `closes`; from `starts` on it is played, until its format ends it, and until
    `ends` at most (none: no such moment). `entry` says who may enter: all, those on a list, or who knows a word,
    whose digest is `word`. Each has `each` bots at most. With `readable` everybody may read the code of those who
    played, after the end. With `samples` the game's sample bots take part. An empty `clock` is a ladder's usual one.
    """

    opens: float
    closes: float
    starts: float
    ends: float | None = None
    format: str
    rounds: int = 1
    setup: dict[str, Any] = {}
    options: dict[str, Any] = {}
    clock: str = ""
    entry: Entry = "all"
    word: str = ""
    each: int = 1
    readable: bool = False
    samples: bool = False

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


def read_terms(text: str | None) -> Terms | None:
    """Terms as they are stored; none of a ladder, which has none."""
    return None if text is None else msgspec.json.decode(text, type=Terms)


def write_terms(terms: Terms) -> str:
    """Terms to be stored."""
    return msgspec.json.encode(terms).decode()
