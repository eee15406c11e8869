"""The bots of a match that stay at home, asked through the web server that holds their connections.

How long a bot took, and what of that was the way's, the web server says, where the bytes leave and come; here it is
only waited for, and becomes an answer or a fault. Where the web server itself is gone, the match says nothing about
anybody: it is left open, and played again.
"""

from __future__ import annotations

import select
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic

import msgspec

from dohyo.core import seeds
from dohyo.core.errors import HandInError, OperatorError
from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.core.options import told
from dohyo.core.referee import Answer
from dohyo.guests.site.distant.delays import MOST, PATIENCE
from dohyo.guests.site.distant.line import Ask, Line, Over, Take, Told, sockets
from dohyo.i18n import ENGLISH
from dohyo.match.players.player import Group, MatchContext

WAIT = 600.0  # seconds for a bot that plays other matches
LEAST_READY = 20.0  # seconds for its program to start, on a machine that nobody here knows
SLACK = 30.0  # seconds beyond all limits, after which a web server counts as gone
PIECE = 0.5  # seconds between two looks whether a signal wants the match to end


class DistantPlayers(Group):
    """Those of a match, by seat."""

    def __init__(self, places: Mapping[int, tuple[int, Path]], context: MatchContext) -> None:
        """`places` are each bot's number and its site's folder."""
        self.seats = frozenset(places)
        self._places = places
        self._context = context
        self._lines: dict[int, Line] = {}
        self._ready = max(LEAST_READY, context.clock.ready)

    # --- the beginning

    def start(self) -> dict[int, Answer]:
        """Take the bots for this match, in one order for all matches, so that no two wait for each other.

        Raises `HandInError` where one is not there: then the match does not begin.
        """
        for seat in sorted(self._places, key=lambda seat: self._places[seat][0]):
            self._lines[seat] = self._taken(seat)
        return {}

    def _taken(self, seat: int) -> Line:
        bot, home = self._places[seat]
        for path in sockets(home):
            with suppress(OSError):
                line = Line(path)
                try:
                    line.send(Take(bot, self._start(seat), WAIT))
                    if self._await({seat: line}, WAIT + SLACK)[seat].taken:
                        return line
                except BaseException:
                    line.close()
                    raise
                line.close()
        raise HandInError("distant-away", seat=seat)

    def _start(self, seat: int) -> dict[str, object]:
        """What the bot's machine is told at the beginning."""
        referee, clock = self._context.referee, self._context.clock
        return {
            "game": referee.game.name,
            "seat": seat,
            "seats": referee.seats,
            "setup": told(referee.game.options, referee.setup),
            "seed": seeds.of_bot(referee.seed, seat),
            "limit": clock.share(False),
            "first_limit": clock.share(True),
            "mode": "wall",
            "ready": self._ready,
            "forgiven": MOST,
            "patience": PATIENCE,
        }

    def await_ready(self) -> dict[int, Answer]:
        """Wait until the machine of each says that its program runs.

        Raises `HandInError` where one is not there any more: then the match does not begin.
        """
        found = self._await(self._lines, self._ready + PATIENCE + SLACK)
        failed = {}
        for seat, one in found.items():
            if one.gone or one.left:  # it never began to play: that is no match
                raise HandInError("distant-away", seat=seat)
            if one.answer is None:
                fault = _fault(one) or Fault(FaultKind.NOT_READY, FaultCode.DISTANT_NOT_READY)
                failed[seat] = Answer(None, (fault,))
                self._tell_over(seat, fault)
        return failed

    # --- a turn

    def ask(
        self, seats: Sequence[int], limits: Mapping[int, float], behind: Mapping[int, float]
    ) -> dict[int, Answer]:
        """The answers of these seats; each has its limit by the wall clock, less what is given back of the way."""
        referee = self._context.referee
        closing: bytes = referee.game.protocol.CLOSING
        for seat in seats:
            text = (referee.prompt(seat) + closing).decode("utf-8", "replace")
            self._send(seat, Ask(text, limits[seat]))
        longest = max(limits[seat] for seat in seats)
        found = self._await({seat: self._lines[seat] for seat in seats}, longest + PATIENCE + SLACK)
        return {seat: _answer(one, limits[seat]) for seat, one in found.items()}

    def end(self, seat: int) -> Answer | None:
        """The bot's part is over."""
        self._tell_over(seat, self._context.referee.stopped[seat])
        return None

    def say_farewell(self) -> dict[int, Answer]:
        """Tell those who still play how it ended."""
        referee = self._context.referee
        places = [*referee.result({}).places]
        for seat, line in self._lines.items():
            text = referee.farewell(seat).decode("utf-8", "replace")
            with suppress(OSError):
                line.send(Over(places=places, input=text))
        return {}

    def stop_all(self) -> dict[int, Answer]:
        """End all lines: a match that was not over is none."""
        for line in self._lines.values():
            line.close()
        self._lines.clear()
        return {}

    # --- the lines

    def _tell_over(self, seat: int, fault: Fault | None) -> None:
        line = self._lines.pop(seat, None)
        if line is not None:
            with suppress(OSError):
                line.send(Over(stopped="" if fault is None else ENGLISH.say(fault.told)))
            line.close()

    def _send(self, seat: int, ask: Ask) -> None:
        try:
            self._lines[seat].send(ask)
        except OSError as error:
            raise HandInError("distant-no-web") from error

    def _await(self, lines: Mapping[int, Line], seconds: float) -> dict[int, Told]:
        """What comes next over each of these lines. Raises `HandInError` where the web server is gone."""
        found: dict[int, Told] = {}
        end = monotonic() + seconds
        waiting = {line.socket: (seat, line) for seat, line in lines.items()}
        self._context.signals.open()
        try:
            while waiting:
                if monotonic() > end:
                    raise OperatorError("distant-no-web")
                there = [line.socket for _, line in waiting.values() if line.has_value]
                there = there or select.select([*waiting], [], [], PIECE)[0]
                for socket in there:
                    seat, line = waiting[socket]
                    if (one := line.received()) is not None:
                        found[seat] = one
                        del waiting[socket]
        except (OSError, ValueError, msgspec.MsgspecError, OperatorError) as error:
            raise HandInError("distant-no-web") from error
        finally:
            self._context.signals.shut()
        return found


def _answer(one: Told, limit: float) -> Answer:
    """The answer, or the fault, that became of a question."""
    took = round(one.took, 6)
    if one.answer is None:
        fault = _fault(one) or Fault(FaultKind.TIMEOUT, FaultCode.NO_ANSWER)
        return Answer(None, (fault,), took)
    charged = round(one.charged, 6)
    wall = took if took > charged else None
    if one.charged >= limit:
        return Answer(None, (Fault(FaultKind.TIMEOUT, FaultCode.ANSWER_LATE),), charged, wall=wall)
    return Answer(one.answer.split("\n")[0], (), charged, wall=wall)


def _fault(one: Told) -> Fault | None:
    """The fault of a bot that is gone, or of whose machine it is said that it plays no more; none of another one."""
    if one.gone:
        return Fault(FaultKind.NO_CONNECTION, FaultCode.DISTANT_LOST, {"seconds": one.gone})
    if one.left:
        return Fault(FaultKind.NO_CONNECTION, FaultCode.DISTANT_LEFT)
    if one.failed is not None:
        return Fault(FaultKind.EXITED, FaultCode.DISTANT_FAILED, {"said": one.failed})
    return None
