"""Which part of a turn's time is known to be the bot's own: for warnings, which must not come from a busy machine."""

from __future__ import annotations

from collections.abc import Sequence

from dohyo.app.summary import middle
from dohyo.core.clock import Mode

CLOSE = 0.5  # of its limit: a turn that took more is close to it
SEVERAL = 3  # turns: in fewer, the same bad luck may have been in all
Turn = tuple[float, float | None, float]  # seconds charged, seconds on processors if that was measured, the limit


def own_times(turns: Sequence[Turn], mode: Mode) -> list[float]:
    """Seconds of each turn that may be held against the bot.

    By a `fair` clock, a turn of more than half its limit counts with its processor time: a bot that slept, and a
    machine that let it wait for a disk or for memory, look alike in a single turn. A bot that takes so long in most
    of its turns, and not only in one or two, does so by itself, and all its time counts.
    """
    charged = [seconds for seconds, _, _ in turns]
    usual = middle([seconds / limit for seconds, _, limit in turns if limit])
    if mode != "fair" or usual is None or (usual > CLOSE and len(turns) >= SEVERAL):
        return charged
    return [
        seconds if ran is None or seconds <= CLOSE * limit else min(seconds, ran) for seconds, ran, limit in turns
    ]
