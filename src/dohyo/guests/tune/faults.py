"""Ends a tuning whose matches tell nothing about strength, because the same goes wrong in most of them.

A value with which a bot is too slow, or crashes, loses its matches, and the search leaves it, as it should. Where
most matches of all values end so, the bot or the command has to be mended, and no match more is worth its time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from dohyo.bots import Bot
from dohyo.core.contest import Result
from dohyo.core.errors import OperatorError
from dohyo.i18n import Message
from dohyo.series.results import Silent

ENOUGH, AMONG = 10, 16  # so many matches with a fault of a kind, of so many played last, end it ...
VALUES = 2  # ... if so many candidates had it: a single one that is too slow is left by the search


class ManyFaultsError(OperatorError):
    """Most matches have one kind of fault; the last of them was played by `bots` on `seed`."""

    def __init__(self, key: str, bots: Sequence[Bot], seed: int, **values: object) -> None:
        super().__init__(key, **values)
        self.bots, self.seed = bots, seed


class FaultCounter(Silent):
    """A listener that counts the faults of the matches that are played now: of an earlier run it knows nothing.

    So whoever types the command once more goes on in spite of them, for as many matches again.
    """

    def __init__(self, opponents: int) -> None:
        """The first so many entrants are the opponents; all others are candidates."""
        self._opponents = opponents
        self._last: deque[tuple[Result, set[tuple[bool, str]]]] = deque(maxlen=AMONG)

    def on_result(self, result: Result) -> None:
        """Take note of the faults of a match: of each side, its kinds."""
        sides = zip(result.fixture.seats, result.faults, strict=False)
        kinds = {(entrant >= self._opponents, kind) for entrant, found in sides for kind in found}
        self._last.append((result, kinds))

    @property
    def found(self) -> tuple[bool, str, Result] | None:
        """Whether the candidates have it, the kind, and the last match with it; none as long as there is no such one.

        Where both sides have it, it is the opponents': they have other values, or none.
        """
        for is_candidates in (False, True):
            for kind in sorted({each for _, kinds in self._last for side, each in kinds if side == is_candidates}):
                having = [result for result, kinds in self._last if (is_candidates, kind) in kinds]
                candidates = {who for one in having for who in one.fixture.seats if who >= self._opponents}
                if len(having) >= ENOUGH and (not is_candidates or len(candidates) >= VALUES):
                    return is_candidates, kind, having[-1]
        return None

    def error(self, bots: Sequence[Bot]) -> ManyFaultsError:
        """What ends the tuning, once something is `found`; `bots` played the match that it names."""
        assert self.found is not None
        is_candidates, kind, result = self.found
        key = "tune-faults" if is_candidates else "tune-faults-of-others"
        named = Message(f"fault.{kind}")
        known = {"count": ENOUGH, "among": len(self._last), "kind": named, "command": ""}
        return ManyFaultsError(key, bots, result.fixture.seed, **known)
