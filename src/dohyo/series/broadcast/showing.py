"""One match as it is shown: its turns at a pace that can be followed, while it is played or from its replay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import ceil
from typing import Protocol

from dohyo.core import playback
from dohyo.core.game import Game
from dohyo.core.playback import Moment
from dohyo.core.replay import Replay

WHOLE = 50.0  # seconds in which a match of the usual length is shown
SLOWEST, QUICKEST = 1.25, 12.0  # turns a second, of which each is to be seen
BEHIND = 4.0  # seconds in which a live match is caught up with
OPENING = 1.5  # seconds for which the first position stays
AT_ONCE = 400  # turns that are played through in one go: whoever asks has other things to do


class Turns(Protocol):
    """Where turns come from: a match that grows, or a whole one; once it `is_over`, all that it has was given."""

    is_over: bool

    def moments(self) -> list[Moment]:
        """What is new, in order."""

    def close(self) -> None:
        """Let go of it."""


class Stored:
    """The turns of a replay."""

    def __init__(self, game: Game, replay: Replay) -> None:
        self.is_over = False
        self.count = len(replay.turns)
        self._moments: Iterator[Moment] = playback.moments(game, replay)

    def moments(self) -> list[Moment]:
        """The next turns, not too many of them."""
        found = list(islice(self._moments, AT_ONCE))
        self.is_over = len(found) < AT_ONCE
        return found

    def close(self) -> None:
        """There is nothing to let go of."""


class Showing:
    """Gives the turns that are due. A match that is being played is never further than `BEHIND` seconds ahead.

    `count` is how many turns it has, if that is known.
    """

    def __init__(self, turns: Turns, now: float, count: int | None = None) -> None:
        self._turns = turns
        self._count = count
        self._queue: list[Moment] = []
        self._next = now + OPENING
        self._given = 0
        self._is_drained = False  # nothing more comes from there
        self.rate = SLOWEST

    @property
    def is_over(self) -> bool:
        """Whether all was given, and nothing more comes."""
        return self._is_drained and not self._queue

    def close(self) -> None:
        """Show nothing more of it."""
        self._turns.close()

    def first(self) -> Moment | None:
        """The first turn, of which the state before it is known at once; none before there is one."""
        if not self._given:
            self._fill()
        return self._queue[0] if self._queue else None

    def due(self, now: float) -> list[Moment]:
        """The turns that are to be shown by now; where they are too many to be seen, some are left out (`seen`)."""
        self._fill()
        if not self._queue or now < self._next:
            return []
        self.rate = self._pace()
        count = min(len(self._queue), 1 + int((now - self._next) * self.rate))
        found, self._queue = self._queue[:count], self._queue[count:]
        self._next = max(self._next + count / self.rate, now - 1.0)
        self._given += count
        return found

    def _fill(self) -> None:
        if len(self._queue) < AT_ONCE and not self._is_drained:
            self._queue += self._turns.moments()
            self._is_drained = self._turns.is_over

    def _pace(self) -> float:
        """Turns a second."""
        if self._count is None and not self._is_drained:
            return max(SLOWEST, len(self._queue) / BEHIND)
        if self._count is None:  # it was over before all of it was shown
            self._count = self._given + len(self._queue)
        return max(SLOWEST, self._count / WHOLE)


def seen(moments: Sequence[Moment], rate: float) -> list[bool]:
    """Which of these turns are to be seen: all, unless they come too quickly; the last one always."""
    step = max(1, ceil(rate / QUICKEST))
    return [(len(moments) - 1 - at) % step == 0 for at in range(len(moments))]
