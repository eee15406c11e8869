"""Which match is shown next, and how long it stays.

What holds, whatever is offered:

* A match that was begun is shown for `LEAST` seconds at least, unless it ends before.
* Whose end was shown stays for `END` seconds, and is left then.
* A match that goes on for `LONGEST` seconds is left when there is another one that was not shown before.
* Everybody is shown: who was not for `patience` choices, and is offered, comes before whatever is more interesting;
  whoever has waited longest comes first.
* No match is shown twice as long as there is another one; when all were shown, all are shown once more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from dohyo.series.broadcast.interest import Candidate, Interest

LEAST = 12.0  # seconds
LONGEST = 150.0
END = 7.0
MAX_SHOWN = 2000  # numbers of matches that are remembered


class Director:
    """Chooses, by what it is told of the time."""

    def __init__(self) -> None:
        self.now: Candidate | None = None
        self._begun = 0.0
        self._ended: float | None = None
        self._waits: dict[int, int] = {}  # by entrant: choices since it was shown
        self._shown: dict[int, None] = {}  # numbers, in the order in which they were shown

    @property
    def patience(self) -> int:
        """After how many choices somebody has waited for too long."""
        return max(4, 2 * len(self._waits))

    def enter(self, entrants: Iterable[int]) -> None:
        """Say who takes part now, and should be seen."""
        self._waits = {entrant: self._waits.get(entrant, 0) for entrant in entrants}

    def waiting(self) -> list[int]:
        """Who takes part, whoever was not shown for longest first."""
        return sorted(self._waits, key=lambda entrant: (-self._waits[entrant], entrant))

    def was_shown(self, number: int) -> bool:
        """Whether a match was shown."""
        return number in self._shown

    def end_shown(self, now: float) -> None:
        """The end of the match that is shown is on the screen."""
        if self._ended is None:
            self._ended = now

    def has_gone(self) -> None:
        """The match that is shown cannot be shown any further."""
        self.now = None

    def wants(self, now: float) -> bool:
        """Whether another match may be shown."""
        if self.now is None:
            return True
        if self._ended is not None:
            return now - self._ended >= END
        return now - self._begun >= max(LEAST, LONGEST)

    def choose(
        self, offered: Sequence[Candidate], worth: Callable[[Candidate], Interest], now: float
    ) -> Candidate | None:
        """Choose the next match, and show it from now on; none where nothing better is offered."""
        fresh = [each for each in offered if each.number not in self._shown]
        if not fresh:
            if self.now is not None and self._ended is None:
                return None
            fresh = self._again(offered)
        if not fresh:
            return None
        overdue = [each for each in fresh if self._wait(each) >= self.patience]
        if overdue:
            found = max(overdue, key=lambda each: (self._wait(each), worth(each).worth, each.number))
        else:
            found = max(fresh, key=lambda each: (worth(each).worth + self._bonus(each), each.number))
        self._show(found, now)
        return found

    def _wait(self, match: Candidate) -> int:
        """For how many choices whoever of the match has waited longest has waited."""
        return max((self._waits.get(entrant, 0) for entrant in match.seats), default=0)

    def _bonus(self, match: Candidate) -> float:
        """A little for who was not shown lately, so that few wait until it is their turn."""
        return 2.0 * self._wait(match) / self.patience

    def _again(self, offered: Sequence[Candidate]) -> list[Candidate]:
        """Matches that were all shown, to be shown once more: all but the last one, if there are others."""
        last = next(reversed(self._shown), None)
        again = [each for each in offered if not each.is_live and (each.number != last or len(offered) == 1)]
        for each in again:
            del self._shown[each.number]
        return again

    def _show(self, match: Candidate, now: float) -> None:
        self.now, self._begun, self._ended = match, now, None
        self._waits = {entrant: 0 if entrant in match.seats else wait + 1 for entrant, wait in self._waits.items()}
        self._shown.pop(match.number, None)
        self._shown[match.number] = None
        while len(self._shown) > MAX_SHOWN:
            self._shown.pop(next(iter(self._shown)))
