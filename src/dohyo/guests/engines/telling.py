"""What UCI engines were sent in a recorded match, made of its replay by the same code as in the match."""

from __future__ import annotations

from dohyo.core.game import State
from dohyo.core.playback import Moment
from dohyo.core.replay import Turn
from dohyo.guests.engines.uci_protocol import QUIT, UciMatch
from dohyo.match.replays.sent import Sent, Telling, first_state


class ToEngines(Telling):
    """What the engines of a match are told; `match` is how far it has gone."""

    def __init__(self, sent: Sent) -> None:
        game, replay = sent.game, sent.replay
        start = "" if game.uci is None else game.uci(first_state(game, replay))
        self.match = UciMatch(start, sent.clock, len(replay.header.seats))

    def note(self, turn: Turn) -> None:
        """Take the turn's moves, what was left of each seat's time, and on what each engine was told to ponder."""
        self.match.add(turn)
        for move in turn.moves:
            if move.seconds is None:
                continue
            if move.bank is not None:
                self.match.left[move.seat] = move.bank
            if move.ponder:
                self.match.guess(move.seat, move.ponder)

    def prompt(self, moment: Moment, seat: int, is_first: bool, limits: str) -> bytes:
        """The lines upon which it pondered since its last turn, and those of this turn."""
        return b"".join((self.match.pondering(seat, limits), *self.match.turn(seat, is_first, limits)))

    def end(self, state: State, seat: int, limits: str, lives: bool) -> bytes:
        """`quit`, where it still ran."""
        return self.match.pondering(seat, limits) + QUIT if lives else b""
