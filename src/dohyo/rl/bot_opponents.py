"""Bots in a match in which a learner plays, as processes or in this one: started, asked and ended as in any match.

The learner's thinking time is not measured; the bots' time is. As in any match, a program that fails is ended,
and the rules say what happens to its seat.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from dohyo.bots import Bot
from dohyo.core.clock import Clock
from dohyo.core.referee import Answer, Referee
from dohyo.interrupts import DeferSignals
from dohyo.match.play import seat_launch
from dohyo.match.players.players import Players
from dohyo.match.python_bot import Owned
from dohyo.match.working_copies import WorkingCopies
from dohyo.sandbox import Sandbox


class BotOpponents:
    """The bots of one match; they run once this is made. They end with `close`, or when this is deleted."""

    def __init__(
        self,
        referee: Referee,
        players: Mapping[int, Bot | Owned],
        clock: Clock,
        sandbox: Sandbox,
        seed: int,
    ) -> None:
        """`players` by seat: programs, and objects that play in this process.

        Raises `OperatorError` if the machine cannot run so many.
        """
        self._referee = referee
        signals = DeferSignals()
        with signals, ExitStack() as undo:
            copies = undo.enter_context(WorkingCopies())
            at_home = copies if referee.game.lifetimes else None
            launches = {
                seat: seat_launch(referee.game, bot, seed, seat, at_home, sandbox, clock, referee.setup)
                for seat, bot in players.items()
                if isinstance(bot, Bot)
            }
            talking = {
                seat: one.seated(referee.game, seed, seat, clock, referee.setup)
                for seat, one in players.items()
                if isinstance(one, Owned)
            }
            self._players = Players(referee, launches, clock, signals, objects=talking)
            undo.callback(self._players.stop_all)
            self._players.start()
            undo.pop_all()
            self._end = weakref.finalize(self, _end, self._players, copies)

    def __reduce__(self) -> Any:
        """Processes cannot be copied. Raises `TypeError`."""
        raise TypeError("the opponents' processes cannot be copied: pickle or copy the environment between matches")

    def ask(self, seats: Sequence[int]) -> dict[int, Answer]:
        """The answers of these seats to what they are sent now."""
        return self._players.ask(seats)

    def see(self) -> None:
        """After a turn: end the programs of seats that the referee has stopped."""
        self._players.see(self._referee.turns[-1], range(self._referee.seats))

    def close(self) -> None:
        """End all programs; after a match that is over, those that live are sent its end first."""
        if self._end.alive:
            with DeferSignals():
                try:
                    if self._referee.over:
                        self._players.say_farewell()
                finally:
                    self._end()


def _end(players: Players, copies: WorkingCopies) -> None:
    """End whatever runs, and remove the bots' folders."""
    with copies:
        players.stop_all()
