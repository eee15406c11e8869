"""What bots that stay at home were sent in a recorded match: their game's own text, as any program is."""

from __future__ import annotations

from dohyo.core.game import State
from dohyo.core.playback import Moment
from dohyo.match.replays.sent import Sent, Telling


class ToHomes(Telling):
    """The game's own text."""

    def __init__(self, sent: Sent) -> None:
        self._game = sent.game
        self.closing = sent.game.protocol.CLOSING

    def prompt(self, moment: Moment, seat: int, is_first: bool, limits: str) -> bytes:
        """What a program reads in this turn."""
        return self._game.prompt(moment.before, seat)

    def end(self, state: State, seat: int, limits: str, lives: bool) -> bytes:
        """What a program reads at the end."""
        return self._game.farewell(state, seat) if lives else b""
