"""Which part of a turn's time is known to be the bot's own: for warnings, which must not come from a busy machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dohyo.core.clock import Mode
from dohyo.match.telling.summary import middle

CLOSE = 0.5  # of its limit: a turn that took more is close to it
SEVERAL = 3  # turns: in fewer, the same bad luck may have been in all


class Taken(NamedTuple):
    """What a turn took: seconds charged, seconds on processors if that was measured; `late`: its time was over."""

    seconds: float
    ran: float | None
    late: bool = False


class Turn(NamedTuple):
    """What a turn took, and `limit`, the seconds that were allowed."""

    seconds: float
    ran: float | None
    late: bool
    limit: float


def own_times(turns: Sequence[Turn], mode: Mode) -> list[float]:
    """Seconds of each turn that may be held against the bot.

    By a `fair` clock, a turn of more than half its limit counts with its processor time: a bot that slept, and a
    machine that let it wait for a disk or for memory, look alike in a single turn. A bot that takes so long in most
    of its turns, and not only in one or two, does so by itself, and all its time counts. So does that of a turn that
    was late, and it is never less than its limit: there it was looked at what the bot waited for.
    """
    charged = [max(turn.seconds, turn.limit) if turn.late else turn.seconds for turn in turns]
    usual = middle([turn.seconds / turn.limit for turn in turns if turn.limit])
    if mode != "fair" or usual is None or (usual > CLOSE and len(turns) >= SEVERAL):
        return charged
    return [
        seconds if turn.late or turn.ran is None or seconds <= CLOSE * turn.limit else min(seconds, turn.ran)
        for turn, seconds in zip(turns, charged, strict=True)
    ]
