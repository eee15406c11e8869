"""What servers were sent in a recorded match: "POST", the path below the address, and in the next line the body."""

from __future__ import annotations

from dohyo.core.faults import FaultKind
from dohyo.core.game import Game, State
from dohyo.core.http_messages import Kind
from dohyo.core.playback import Moment
from dohyo.core.replay import Move, Replay, Turn
from dohyo.core.seeds import MOST
from dohyo.guests.servers.messages import METHOD, PROTOCOL, new_match, request
from dohyo.match.replays.sent import Sent, Telling


class ToServers(Telling):
    """What the servers of a match are told; `match` is what messages have beside the state."""

    closing = b"\n"  # it ends a body's line

    def __init__(self, sent: Sent) -> None:
        header = sent.replay.header
        seed = header.seed if 0 <= header.seed <= MOST else 0
        self.match = new_match(sent.game.name, seed, header.setup, sent.clock, len(header.seats))
        self._game, self._spoke = sent.game, sent.spoke

    def note(self, turn: Turn) -> None:
        """Take how long those answers took that came from servers, and what these said besides."""
        for move in turn.moves:
            if move.seconds is not None and self._spoke[move.seat] == PROTOCOL:
                self.match.note(move.seat, move.seconds if _came(move) else None, move.comments)

    def prompt(self, moment: Moment, seat: int, is_first: bool, limits: str) -> bytes:
        """The request of a turn."""
        return self._request("move", moment.before, seat)

    def beginning(self, state: State, seat: int) -> bytes:
        """The request that begins a match."""
        return self._request("start", state, seat)

    def end(self, state: State, seat: int, limits: str, lives: bool) -> bytes:
        """The request that ends a match: whatever became of it, a server is told."""
        return self._request("end", state, seat)

    def answered(self, prompt: bytes) -> bytes:
        """The body."""
        return prompt.partition(b"\n")[2]

    def _request(self, kind: Kind, state: State, seat: int) -> bytes:
        assert self._game.http is not None
        path, body = request(self._game.http(), kind, state, seat, self.match)
        return f"{METHOD} {path}\n".encode() + body


def can_tell(game: Game, replay: Replay) -> bool:
    """Whether a replay has all that messages tell."""
    header = replay.header
    return game.http is not None and header.clock is not None and 0 <= header.seed <= MOST


def _came(move: Move) -> bool:
    """Whether something had come from a server in time, be it an answer or not."""
    return move.reply is not None or not move.faults or move.faults[-1].kind is FaultKind.MALFORMED
