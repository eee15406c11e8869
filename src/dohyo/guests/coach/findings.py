"""What the coach names: one thing each, with its evidence, what it cost, and a match to watch."""

from __future__ import annotations

from typing import Any

import msgspec

# Kinds of findings. The first ones cost points that are known; of the last ones that is not known.
FAULT, SEAT, CONDITION, OPPONENT, OPENING, POSITION = "fault", "seat", "condition", "opponent", "opening", "position"
PHASE, BEHIND, AHEAD, TIME = "phase", "behind", "ahead", "time"
PARTS = frozenset({PHASE, BEHIND, AHEAD})  # of a match: their points are parts of a match's
VALUE, HABIT, REPEATS = "value", "habit", "repeats"


class Watch(msgspec.Struct, frozen=True):
    """One match to watch: its label, the seat, the turn to look at, the file of its replay, how it gets there."""

    match: str
    seat: int
    turn: int | None
    file: str
    save: str = ""


class Where(msgspec.Struct, frozen=True):
    """What the inputs of a fault have in common, beside those of other turns or matches.

    `kind` is condition, least or most: a condition of the match, or a number of the position that was at least or at
    most `value`. `inside` of `of` faults had it; of the other turns (or matches) `beside` is the share that had it.
    """

    kind: str
    name: str
    value: str
    inside: int
    of: int
    beside: float


class Finding(msgspec.Struct, kw_only=True):
    """One thing that costs a bot points, or that the bots above it do otherwise.

    `name` says which one of its `kind`. It was so in `matches` of `of` matches. `points` are those a match there,
    `others` those beside which they are seen. `cost` are the points that all these matches lost, with the interval
    from `low` to `high`; none where that is not known. `facts` are further values of its sentence.
    """

    kind: str
    name: str
    matches: int
    of: int
    points: float | None = None
    others: float | None = None
    cost: float | None = None
    low: float | None = None
    high: float | None = None
    watch: Watch | None = None
    where: tuple[Where, ...] = ()
    facts: dict[str, Any] = {}


class Report(msgspec.Struct, kw_only=True):
    """Everything that is known of a bot, the costliest first.

    `points` is its mean over `matches`; `asked` the number of questions that were asked at once; `beside` the number
    of others' matches that were read; `unread` of matches that could not be. `unknown` are kinds of questions that
    could not be asked, since too little is there.
    """

    bot: str
    game: str
    matches: int
    points: float
    asked: int
    beside: int
    findings: tuple[Finding, ...] = ()
    unknown: tuple[str, ...] = ()
    unread: int = 0
    more: int = 0
    versions: int = 1
