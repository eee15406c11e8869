"""The practice match of the protocol check: one seat is the bot's, the others play any legal action."""

from __future__ import annotations

import random
from collections.abc import Mapping

from dohyo.core.game import Game, State
from dohyo.core.options import resolve
from dohyo.core.referee import Answer, Referee


class PracticeMatch:
    """One match of `game`, seen from one seat. The same seed and the same actions give the same prompts."""

    def __init__(self, game: Game, seed: int, setup: Mapping[str, object], seats: int, seat: int = 0) -> None:
        self.game = game
        self.seat = seat
        self._referee = Referee(game, resolve(game.options, setup, game.catalogue), seats, seed)
        self._chance = random.Random(seed)
        self._play_others()

    @property
    def state(self) -> State:
        """The state now."""
        return self._referee.state

    @property
    def over(self) -> bool:
        """Whether the seat is not asked any more."""
        return self._referee.over

    def prompt(self) -> bytes:
        """What is sent now to a program that lives for the whole match."""
        closing: bytes = self.game.protocol.CLOSING  # where a prompt does not show where it ends
        return self._referee.prompt(self.seat) + closing

    def play(self, action: int | None = None) -> None:
        """Play the seat's action, any legal one when none, and go on until the seat is asked again."""
        self._submit({} if action is None else {self.seat: self.game.protocol.text(action)})
        self._play_others()

    def _play_others(self) -> None:
        while not self._referee.over and self.seat not in self._referee.pending():
            self._submit({})

    def _submit(self, known: Mapping[int, str]) -> None:
        pending = self._referee.pending()
        self._referee.submit({seat: Answer(known.get(seat) or self._any_action(seat)) for seat in pending})

    def _any_action(self, seat: int) -> str:
        actions = self.game.legal_actions(self.state, seat) or self.game.rules.CONCESSIONS
        return self.game.protocol.text(self._chance.choice(list(actions)))
