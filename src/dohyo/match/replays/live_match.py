"""A match turn by turn while it is played: who plays it writes it to a file, who watches reads it as it grows.

What is in the file, `turn_file.py` says. Frames are made where somebody watches: a match that nobody
watches costs its lines alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from dohyo.core import playback
from dohyo.core.errors import ReplayError
from dohyo.core.game import Game
from dohyo.core.playback import Moment
from dohyo.core.replay import Header, Replay, Seat, Turn
from dohyo.match.replays.turn_file import END, MAX_BYTES
from dohyo.match.running import UNFINISHED
from dohyo.match.telling.fault_words import kind_word
from dohyo.system.plain_files import open_plain

AT_ONCE = 1 << 20  # bytes that are read at once


def first_told(game: Game, moment: Moment, seats: int) -> dict[str, Any]:
    """The frame before the first turn, as the first players saw it, after the dice."""
    return {"frame": game.frame(moment.before, [None] * seats, [], moment.before), "moves": []}


def turn_told(game: Game, moment: Moment) -> list[dict[str, Any]]:
    """A turn's frame and moves, as the viewer draws them; nothing of a turn in which nobody moved."""
    if not moment.turn.moves:
        return []
    frame = game.frame(moment.before, moment.actions, moment.events, moment.after)
    moves = [
        {
            "seat": move.seat,
            "action": move.action,
            "faults": [{"kind": kind_word(fault)} for fault in move.faults],
        }
        for move in moment.turn.moves
    ]
    return [{"frame": frame, "moves": moves, "turn": moment.turn.turn}]


class LiveMatch:
    """Reads such a file, and makes frames of it as the viewer draws them.

    With a `delay`, the last so many turns are kept back for as long as it is played. A store's files may come from a
    stranger: no pipe is waited for, and what is no match raises `ReplayError`, whoever asks for it.
    """

    def __init__(self, game: Game, path: Path, delay: int = 0) -> None:
        self._game = game
        self._delay = delay
        self._file = open_plain(path, follow=False)
        self._rest = b""
        self._replay: Replay | None = None
        self._moments: Iterator[Moment] | None = None
        self._made = 0
        self.is_over = False

    def close(self) -> None:
        """Stop reading."""
        self._file.close()

    @property
    def names(self) -> list[str]:
        """Who plays, by seat; empty before that is known."""
        return [seat.name for seat in self.seats]

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who plays, as the match's header has it; nobody before that is known."""
        return () if self._replay is None else self._replay.header.seats

    def has_ended(self) -> bool:
        """Whether it is over, and nothing more will be written."""
        self._read()
        return self.is_over

    def more(self) -> list[dict[str, Any]]:
        """What is new: the frame before the first turn, then for each turn its frame and moves."""
        told: list[dict[str, Any]] = []
        is_first = not self._made
        for moment in self.moments():
            if is_first:
                told.append(first_told(self._game, moment, len(self.names)))
                is_first = False
            told += turn_told(self._game, moment)
        return told

    def moments(self) -> list[Moment]:
        """The turns that are new, as they happened."""
        self._read()
        if self._replay is None:
            return []
        if self._moments is None:
            self._moments = playback.moments(self._game, self._replay)
        held = 0 if self.is_over else self._delay
        count = len(self._replay.turns) - held - self._made  # asked for more than there are, it would end for good
        found = [next(self._moments) for _ in range(max(0, count))]
        self._made += len(found)
        return found

    def _read(self) -> None:
        """Take in the lines that are whole."""
        while not self.is_over and (piece := self._file.read(AT_ONCE)):
            *lines, self._rest = (self._rest + piece).split(END)
            if len(self._rest) > MAX_BYTES:
                raise ReplayError("replay-too-large", most=MAX_BYTES)
            try:
                for line in lines:
                    self._take(line)
            except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
                raise ReplayError("replay-malformed", error=error) from error

    def _take(self, line: bytes) -> None:
        if not line:
            self.is_over = True
        elif self._replay is None:
            self._replay = Replay(msgspec.json.decode(line, type=Header), [], UNFINISHED)
        else:
            self._replay.turns.append(msgspec.json.decode(line, type=Turn))
