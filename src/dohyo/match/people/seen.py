"""What a person at a page is told of a match: steps with frames and moves, and no more than the seat may see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dohyo.core import playback
from dohyo.core.game import Frame, Game, Information
from dohyo.core.playback import Moment
from dohyo.core.replay import Move, Replay
from dohyo.match.telling.fault_words import kind_word


class Steps:
    """The steps of a match that grows, as one seat sees them (none: everybody): the beginning, then each turn."""

    def __init__(self, game: Game, eyes: int | None) -> None:
        self._game, self.eyes = game, eyes
        self.told: list[dict[str, Any]] = []
        self._replay: Replay | None = None
        self._moments: Iterator[Moment] | None = None
        self._made = 0

    def follow(self, replay: Replay) -> None:
        """Add what is new in a replay; the same object only grows, and another one continues those before it."""
        if replay is not self._replay or self._moments is None:
            self._replay, self._moments, self._made = replay, playback.moments(self._game, replay), 0
        seats = len(replay.header.seats)
        while self._made < len(replay.turns):  # asked for more, it would end for good
            moment = next(self._moments)
            self._made += 1
            if not self.told:
                self.begin(moment.before, seats)
            if moment.turn.moves:
                self.told.append(self._step(moment))

    def begin(self, state: Any, seats: int) -> None:
        """Have the position before the first turn, if it is not there yet."""
        if not self.told:
            frame = self._game.frame(state, [None] * seats, (), state, self.eyes)
            self.told.append({"frame": frame, "moves": []})

    def _step(self, moment: Moment) -> dict[str, Any]:
        frame = self._game.frame(moment.before, moment.actions, moment.events, moment.after, self.eyes)
        moves = [move_told(self._game, move, frame, self.eyes) for move in moment.turn.moves]
        return {"frame": frame, "moves": moves, "turn": moment.turn.turn}


def move_told(game: Game, move: Move, frame: Frame, eyes: int | None) -> dict[str, Any]:
    """A move as the seat may know it: what was carried out, what was said, and the kinds of its faults."""
    if eyes is not None and move.seat != eyes and move.seat in frame.get("hidden", ()):
        return {"seat": move.seat}
    told: dict[str, Any] = {
        "seat": move.seat,
        "action": move.action,
        "faults": [{"kind": kind_word(fault)} for fault in move.faults],
    }
    if move.reply is not None and (said := game.message(move.reply)):
        told["message"] = said
    return told


def eyes_of(game: Game, people: Sequence[int], asked: int | None) -> int | None:
    """By whose eyes people at one page see the match: by nobody's where nothing is hidden.

    Where several people share a page, by those of the one who is asked, or of the first.
    """
    if game.information is Information.PERFECT:
        return None
    return people[0] if len(people) == 1 or asked is None else asked
