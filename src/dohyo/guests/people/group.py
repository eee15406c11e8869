"""The people of a match: each is asked at the match's desk, one after the other, and thinks as long as it takes.

The match's clock is that of programs: a person has no limit, or one of its own, and nothing is taken from a reserve.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from dohyo.core.errors import OperatorError
from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.core.referee import Answer
from dohyo.match.people.desk import Desk, LateError, Question, ResignedError, here
from dohyo.match.players.player import Group, MatchContext


class People(Group):
    """People on seats, each with the seconds of a turn, if there is a limit."""

    def __init__(self, seconds: Mapping[int, float | None], context: MatchContext) -> None:
        """Raises `OperatorError` where there is no desk."""
        self.seats = frozenset(seconds)
        self._seconds, self._context = dict(seconds), context
        self._resigned: set[int] = set()
        found = here()
        if found is None:
            raise OperatorError("me-no-desk", bot="me")
        self._desk: Desk = found

    def ask(
        self, seats: Sequence[int], limits: Mapping[int, float], behind: Mapping[int, float]
    ) -> dict[int, Answer]:
        """Their answers."""
        return {seat: self._asked(seat) for seat in seats}

    def _asked(self, seat: int) -> Answer:
        """One person's answer. Raises what the desk raises when the match is not to go on as it is."""
        if seat in self._resigned:  # some rules ask on, whatever somebody does
            return _resigned()
        begun, signals = time.monotonic(), self._context.signals
        signals.open()
        try:
            line = self._desk.ask(Question(self._context.referee, seat, self._seconds[seat], self._context.names))
        except ResignedError:
            self._resigned.add(seat)
            return _resigned()
        except LateError:
            return Answer(None, (Fault(FaultKind.TIMEOUT, FaultCode.NO_ANSWER),), self._seconds[seat], decided=0.0)
        finally:
            signals.shut()
        return Answer(line, (), round(time.monotonic() - begun, 6), decided=0.0)


def _resigned() -> Answer:
    return Answer(None, (Fault(FaultKind.EXITED, FaultCode.RESIGNED),), 0.0)
