"""What the seats of a recorded match were sent in each turn, in the words that each one's program speaks.

The game's own text is told here; other protocols by the guest that brings them (`Telling`). What these are told
depends on the match so far: its moves, what was left of each seat's time, how long answers took. All that is in a
replay, and the lines and messages are made of it by the same code as in the match.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dohyo.core import playback
from dohyo.core.clock import Clock
from dohyo.core.errors import OperatorError
from dohyo.core.game import Game, State
from dohyo.core.playback import Moment
from dohyo.core.replay import Move, Replay, Turn

if TYPE_CHECKING:
    from dohyo.match.players.kind import PlayerKind

TEXT, UNKNOWN = "", "unknown"


class Telling:
    """What the seats that speak one protocol are told of a recorded match, which goes on by `note`."""

    closing = b""  # what follows a prompt, so that it ends

    def note(self, turn: Turn) -> None:
        """The next turn of the match."""

    def prompt(self, moment: Moment, seat: int, is_first: bool, limits: str) -> bytes:
        """What the seat was sent in this turn; `is_first`: its first one. `limits` are those of its searches."""
        raise NotImplementedError

    def beginning(self, state: State, seat: int) -> bytes:
        """What it was sent before the first turn, as far as it is known."""
        return b""

    def end(self, state: State, seat: int, limits: str, lives: bool) -> bytes:
        """What it was sent after the last turn; whether it still ran then."""
        return b""

    def answered(self, prompt: bytes) -> bytes:
        """The part of a prompt that a program would read to answer it."""
        return prompt


def move_of(moment: Moment, seat: int) -> Move | None:
    """The seat's move in a turn; none if it did not act."""
    return next((move for move in moment.turn.moves if move.seat == seat), None)


def first_state(game: Game, replay: Replay) -> State:
    """The state that the players saw first: after the dice's first move, if they moved before the first turn."""
    first = next(playback.moments(game, replay), None)
    return playback.beginning(game, replay) if first is None else first.before


def kind_that_spoke(protocol: str) -> PlayerKind | None:
    """The kind of player that speaks a protocol which a replay names; none for the game's own, or where no guest
    brings it. Nothing is imported by that name: it is looked up among those that guests bring."""
    if protocol in (TEXT, UNKNOWN):
        return None
    from dohyo.match.players.kind import player_kind

    try:
        return player_kind(protocol)
    except OperatorError:
        return None


def protocol_of(game: Game, replay: Replay, seat: int) -> str:
    """What the program on a seat spoke: `TEXT`, another protocol, or `UNKNOWN` if nothing of it can be told here."""
    spoken = replay.header.seats[seat].protocol
    kind = kind_that_spoke(spoken)
    if kind is not None and kind.tells and kind.can_tell(game, replay):
        return spoken
    return UNKNOWN if spoken else TEXT


class Sent:
    """What the seats were sent, turn by turn: quick if it is asked for one turn after the other, right in any order.

    `protocols` has what each seat's program speaks, `spoke` what it spoke in the match; `limits` is what limits a
    seat's searches besides the clock. `clock` is the match's.
    """

    def __init__(self, game: Game, replay: Replay, clock: Clock | None = None) -> None:
        """`clock` counts for a replay without one."""
        self.game, self.replay = game, replay
        self.clock = replay.header.clock or clock or game.usual_clock()
        seats = range(len(replay.header.seats))
        self.spoke = [protocol_of(game, replay, seat) for seat in seats]
        self.protocols = list(self.spoke)
        self.limits = [replay.header.seats[seat].go for seat in seats]
        self._asked: set[int] = set()
        self._tellings: dict[str, Telling] = {}  # by protocol
        self._noted = 0  # turns that these know

    def speaks(self, seat: int, protocol: str, limits: str = "") -> None:
        """Another program on this seat, which speaks this, and has these limits, or the recorded ones."""
        kind = kind_that_spoke(protocol)
        self.protocols[seat] = protocol if not protocol or (kind is not None and kind.tells) else UNKNOWN
        self.limits[seat] = limits or self.limits[seat]

    def is_known(self, seat: int) -> bool:
        """Whether what the seat was sent can be told at all."""
        return self.protocols[seat] != UNKNOWN

    def telling(self, seat: int) -> Telling | None:
        """What tells it to this seat, as far as the match has gone; none if its game's own text does."""
        protocol = self.protocols[seat]
        if protocol in (TEXT, UNKNOWN):
            return None
        if protocol not in self._tellings:
            kind = kind_that_spoke(protocol)
            assert kind is not None
            made = self._tellings[protocol] = kind.telling(self)
            for turn in self.replay.turns[: self._noted]:
                made.note(turn)
        return self._tellings[protocol]

    def closing(self, seat: int) -> bytes:
        """What follows a prompt to a program that lives for the match."""
        telling = self.telling(seat)
        closing: bytes = self.game.protocol.CLOSING if telling is None else telling.closing
        return closing if self.is_known(seat) else b""

    def prompt(self, moment: Moment, seat: int) -> bytes:
        """What the seat was sent in this turn, in which it was asked; nothing if that is not known."""
        if self.protocols[seat] == TEXT:
            return self.game.prompt(moment.before, seat)
        self.go_to(moment.turn)
        telling = self.telling(seat)
        return b"" if telling is None else telling.prompt(moment, seat, seat not in self._asked, self.limits[seat])

    def in_turn(self, moment: Moment, seat: int) -> str | None:
        """The text that the seat was sent in this turn; none if it was not asked, or if that is not known."""
        move = move_of(moment, seat)
        return None if move is None else self.with_move(moment, move)

    def with_move(self, moment: Moment, move: Move) -> str | None:
        """The text that was sent before one of the turn's moves; none if its seat was not asked, or if it is unknown.

        Who goes through a turn's moves need not look for each one again: a turn may have a hundred.
        """
        if move.seconds is None or not self.is_known(move.seat):
            return None
        return self.prompt(moment, move.seat).decode("utf-8", "replace")

    # --- the match so far

    def go_to(self, turn: Turn) -> None:
        """Note all turns of the replay before this one."""
        before = turn.turn - self.replay.header.first
        if before < self._noted:
            self._tellings, self._asked, self._noted = {}, set(), 0
        self._note_up_to(before)

    def pass_by(self, turn: Turn) -> None:
        """Note all turns of the replay up to this one."""
        self._note_up_to(turn.turn - self.replay.header.first + 1)

    def finish(self) -> None:
        """Note all turns."""
        self._note_up_to(len(self.replay.turns))

    def _note_up_to(self, count: int) -> None:
        while self._noted < count:
            turn = self.replay.turns[self._noted]
            for telling in self._tellings.values():
                telling.note(turn)
            self._asked.update(move.seat for move in turn.moves if move.seconds is not None)
            self._noted += 1
