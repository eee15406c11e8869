"""What the seats of a recorded match were sent in each turn, in the words that each one's program speaks.

No input or output. Three protocols are told here: the game's own text, UCI (chess engines), and messages over HTTP
(servers). What the last two are told depends on the match so far: its moves, what was left of each seat's time, how
long servers took, what they said besides. All that is in a replay; the lines and messages are made of it by the same
code as in the match. What XBoard engines are sent depends on the features that they told, which are in no replay.

Replays that were recorded before seats had a `protocol` do not say it. There a server is known by its language, and
an engine by the lines that were kept of it, where the game's own protocol has no such lines; with which limits its
searches ran is not known then, so that its `go` lines are left out.
"""

from __future__ import annotations

from typing import NamedTuple

from dohyo.core import http_protocol, playback, uci_protocol
from dohyo.core.clock import Clock
from dohyo.core.faults import FaultKind
from dohyo.core.game import Game, State
from dohyo.core.http_protocol import HttpMatch, Kind
from dohyo.core.playback import Moment
from dohyo.core.replay import Move, Replay, Turn
from dohyo.core.seeds import MOST
from dohyo.core.uci_protocol import UciMatch

TEXT, UCI, HTTP, UNKNOWN = "", uci_protocol.PROTOCOL, http_protocol.PROTOCOL, "unknown"


def move_of(moment: Moment, seat: int) -> Move | None:
    """The seat's move in a turn; none if it did not act."""
    return next((move for move in moment.turn.moves if move.seat == seat), None)


def first_state(game: Game, replay: Replay) -> State:
    """The state that the players saw first: after the dice's first move, if they moved before the first turn."""
    first = next(playback.moments(game, replay), None)
    return playback.beginning(game, replay) if first is None else first.before


def protocol_of(game: Game, replay: Replay, seat: int) -> str:
    """What the program on a seat spoke: `TEXT`, `UCI`, `HTTP`, or `UNKNOWN` if nothing of that can be made here."""
    header = replay.header
    spoken, has_clock = header.seats[seat].protocol, header.clock is not None
    if spoken == UCI and game.uci is not None and has_clock:
        return UCI
    if spoken == HTTP and game.http is not None and has_clock and 0 <= header.seed <= MOST:
        return HTTP
    return UNKNOWN if spoken else TEXT


class _Told(NamedTuple):
    """Who was asked so far, and what engines and servers are told."""

    asked: set[int]
    uci: UciMatch
    http: HttpMatch


class Sent:
    """What the seats were sent, turn by turn: quick if it is asked for one turn after the other, right in any order.

    `protocols` has what each seat's program speaks; `limits` is what stands in an engine's `go` behind the time.
    `to_engines` and `to_servers` are what they are told of the match before the turn to which this has gone.
    """

    def __init__(self, game: Game, replay: Replay, clock: Clock | None = None) -> None:
        """`clock` counts for a replay without one."""
        self.game, self.replay = game, replay
        self._clock = replay.header.clock or clock
        seats = range(len(replay.header.seats))
        self._spoke = [protocol_of(game, replay, seat) for seat in seats]
        self.protocols = list(self._spoke)
        self.limits = [replay.header.seats[seat].go for seat in seats]
        self._told: _Told | None = None
        self._noted = 0  # turns that are in it

    def speaks(self, seat: int, protocol: str, limits: str = "") -> None:
        """Another program on this seat, which speaks this, and whose `go` has these limits, or the recorded ones."""
        self.protocols[seat] = protocol if protocol in (TEXT, UCI, HTTP) else UNKNOWN
        self.limits[seat] = limits or self.limits[seat]

    def is_known(self, seat: int) -> bool:
        """Whether what the seat was sent can be told at all."""
        return self.protocols[seat] != UNKNOWN

    def closing(self, seat: int) -> bytes:
        """What follows a prompt to a program that lives for the match; behind a request it ends the line."""
        closing: bytes = self.game.protocol.CLOSING
        return {TEXT: closing, HTTP: b"\n"}.get(self.protocols[seat], b"")

    def prompt(self, moment: Moment, seat: int) -> bytes:
        """What the seat was sent in this turn, in which it was asked; nothing if that is not known.

        For a server that is "POST", the path below its address, and in the next line the bytes of the body.
        """
        match self.protocols[seat]:
            case "uci":
                self.go_to(moment.turn)
                turn = self.to_engines.turn(seat, seat not in self._so_far().asked, self.limits[seat])
                return b"".join((self.pondering(seat), *turn))
            case "http":
                self.go_to(moment.turn)
                return self.request("move", moment.before, seat)
            case "":
                return self.game.prompt(moment.before, seat)
        return b""

    def in_turn(self, moment: Moment, seat: int) -> str | None:
        """The text that the seat was sent in this turn; none if it was not asked, or if that is not known."""
        move = move_of(moment, seat)
        if move is None or move.seconds is None or not self.is_known(seat):
            return None
        return self.prompt(moment, seat).decode("utf-8", "replace")

    def request(self, kind: Kind, state: State, seat: int) -> bytes:
        """A request to a server, as `prompt` has it."""
        assert self.game.http is not None
        path, body = http_protocol.request(self.game.http(), kind, state, seat, self.to_servers)
        return f"{http_protocol.METHOD} {path}\n".encode() + body

    # --- the match so far

    def go_to(self, turn: Turn) -> None:
        """Note all turns of the replay before this one."""
        before = turn.turn - self.replay.header.first
        if before < self._noted:
            self._told = None
        self._note_up_to(before, self._so_far())

    def pass_by(self, turn: Turn) -> None:
        """Note all turns of the replay up to this one."""
        self._note_up_to(turn.turn - self.replay.header.first + 1, self._so_far())

    def pondering(self, seat: int) -> bytes:
        """The lines upon which the seat's engine ponders since its last turn; nothing if it does not."""
        return self.to_engines.pondering(seat, self.limits[seat])

    def finish(self) -> None:
        """Note all turns."""
        self._note_up_to(len(self.replay.turns), self._so_far())

    @property
    def to_engines(self) -> UciMatch:
        """What engines are told, in a game that they can play."""
        return self._so_far().uci

    @property
    def to_servers(self) -> HttpMatch:
        """What servers are told beside the state, in a game that they can play."""
        return self._so_far().http

    def _so_far(self) -> _Told:
        if self._told is None:
            game, header, seats = self.game, self.replay.header, len(self._spoke)
            clock = self._clock or game.usual_clock()
            start = "" if game.uci is None else game.uci(first_state(game, self.replay))
            seed = header.seed if 0 <= header.seed <= MOST else 0
            http = http_protocol.new_match(game.name, seed, header.setup, clock, seats)
            self._told, self._noted = _Told(set(), UciMatch(start, clock, seats), http), 0
        return self._told

    def _note_up_to(self, count: int, told: _Told) -> None:
        while self._noted < count:
            self._note(self.replay.turns[self._noted], told)
            self._noted += 1

    def _note(self, turn: Turn, told: _Told) -> None:
        told.uci.add(turn)
        for move in turn.moves:
            if move.seconds is None:
                continue
            told.asked.add(move.seat)
            if move.bank is not None:
                told.uci.left[move.seat] = move.bank
            if move.ponder:
                told.uci.guess(move.seat, move.ponder)
            if self._spoke[move.seat] == HTTP:
                told.http.note(move.seat, move.seconds if _came(move) else None, move.comments)


def _came(move: Move) -> bool:
    """Whether something had come from a server in time, be it an answer or not."""
    return move.reply is not None or not move.faults or move.faults[-1].kind is FaultKind.MALFORMED
