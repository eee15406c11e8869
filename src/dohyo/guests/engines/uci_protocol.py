"""How a UCI engine is told a position and its time, in each turn. No input or output.

The runner writes these lines in a match, and `sent.py` the same ones again from a replay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from dohyo.core.clock import Account, Clock
from dohyo.core.replay import Turn

PROTOCOL = "uci"
LIMITS = ("go_nodes", "go_depth")  # values that are no options of the engine, but limits of every `go`
MAX_DIGITS = 12  # of such a limit
QUIT = b"quit\n"
HIT, STOP = b"ponderhit\n", b"stop\n"  # the other side has made the move on which an engine ponders; it has not
# Options, by their plain names, that tell an engine of a variant, which has XBoard's name here.
VARIANTS = {"fischerandom": {"uci_chess960": "true"}}
# Castling as the king taking its rook, which is how Chess960 writes it, and how it is written in chess.
CASTLING = {"e1h1": "e1g1", "e1a1": "e1c1", "e8h8": "e8g8", "e8a8": "e8c8"}
SPARE, SPARE_PART = 0.05, 0.25  # of a turn's limit, seconds or this part, whichever is less: it has to be in time


def limits_of(settings: Mapping[str, str]) -> str:
    """What stands behind the time in every `go`: "nodes 500 depth 3"; `settings` are values by their plain names."""
    given = {name: settings[name] for name in LIMITS if is_limit(settings.get(name, ""))}
    return " ".join(f"{name.removeprefix('go_')} {number}" for name, number in given.items())


def is_limit(word: str) -> bool:
    """Whether a word is a limit of a search: a number that is not too long."""
    return word.isascii() and word.isdecimal() and len(word) <= MAX_DIGITS


def spare(limit: float) -> float:
    """What is left of a limit for the way of the answer, in seconds."""
    return min(SPARE, limit * SPARE_PART)


class Guess(NamedTuple):
    """A move of the other side on which an engine ponders, after so many moves; what was left of each seat's time."""

    move: str
    known: int
    left: tuple[float, ...]


class UciMatch:
    """What engines are told of a match: its start, the moves so far, and what each seat has left of its time.

    `left` are seconds by seat, for a clock that has time for the whole match. `guesses` has by seat on which move its
    engine ponders now.
    """

    def __init__(self, start: str, clock: Clock, seats: int) -> None:
        """`start` is what stands behind `position`: startpos, or fen ..."""
        self._start, self._clock = start, clock
        self._moves: list[str] = []
        self.guesses: dict[int, Guess] = {}
        self.left = [Account(clock).bank] * max(2, seats)

    def add(self, turn: Turn) -> None:
        """Take the next turn's move."""
        self._moves += [move.action for move in turn.moves[:1]]
        for move in turn.moves:
            self.guesses.pop(move.seat, None)

    @property
    def moves(self) -> Sequence[str]:
        """The moves so far."""
        return self._moves

    def position(self) -> str:
        """The line with the position."""
        return self._after(self._moves)

    def _after(self, moves: Sequence[str]) -> str:
        return " ".join([f"position {self._start}", *(["moves", *moves] if moves else [])]) + "\n"

    def prompt(self, is_first: bool, limits: str) -> bytes:
        """Both lines of a turn; `is_first` says whether it is the seat's first one."""
        words = ["go", self._time(is_first, len(self._moves), self.left), *([limits] if limits else [])]
        return f"{self.position()}{' '.join(words)}\n".encode()

    def guess(self, seat: int, move: str) -> None:
        """From now on, after its own move, the seat's engine ponders on this one of the other side."""
        self.guesses[seat] = Guess(move, len(self._moves), tuple(self.left))

    def pondering(self, seat: int, limits: str) -> bytes:
        """Both lines upon which the seat's engine ponders, until its next turn; nothing if it does not."""
        guess = self.guesses.get(seat)
        if guess is None:
            return b""
        words = ["go ponder", self._time(False, guess.known + 1, guess.left), *([limits] if limits else [])]
        return f"{self._after([*self._moves[: guess.known], guess.move])}{' '.join(words)}\n".encode()

    def turn(self, seat: int, is_first: bool, limits: str) -> tuple[bytes, bytes]:
        """What the seat's engine is sent in its turn, and what when it has answered that, if it was `stop`."""
        guess = self.guesses.get(seat)
        if guess is not None and self._moves[guess.known :] == [guess.move]:
            return HIT, b""
        prompt = self.prompt(is_first, limits)
        return (prompt, b"") if guess is None else (STOP, prompt)

    def _time(self, is_first: bool, known: int, left: Sequence[float]) -> str:
        """What the clock says after so many moves, in milliseconds."""
        clock = self._clock
        if not clock.is_whole_match:
            limit = clock.limit(is_first)
            return f"movetime {_milliseconds(limit if clock.has_reserve else limit - spare(limit))}"
        words = [f"wtime {_milliseconds(left[0])} btime {_milliseconds(left[1])}"]
        if clock.increment:
            words.append(f"winc {_milliseconds(clock.increment)} binc {_milliseconds(clock.increment)}")
        if clock.moves:
            words.append(f"movestogo {clock.moves - known // 2 % clock.moves}")
        return " ".join(words)


def _milliseconds(seconds: float) -> int:
    return max(1, int(seconds * 1000))
