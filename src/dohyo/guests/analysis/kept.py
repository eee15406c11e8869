"""The turns of a match, gone through once, and its states again whenever somebody asks for one.

A replay is a stranger's text: one of 60 kB may have 6000 turns of a hundred seats. So states are packed, of a long
match only every so many of them, and those between are played again by the rules from the last one before. Going
through a match takes the time of its analysis, too: where a part of that is over, the turns that are left are not
read.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from threading import Lock
from typing import Protocol, overload

from msgspec.structs import replace

from dohyo.core.game import Game, State
from dohyo.core.playback import Moment, moments, replayed
from dohyo.core.replay import Replay, Turn

MEMORY = 1 << 26  # bytes of packed states that are kept of a match
NEAR = 64  # states that were asked for last and that are kept beside them
NONE = -1  # the action of a seat that did not act


class PlayedTurn(Protocol):
    """A turn in which somebody acted, as `dohyo.core.playback.Moment` has it: each state is a copy of its own."""

    @property
    def turn(self) -> Turn:
        """Its line of the replay."""

    @property
    def before(self) -> State:
        """The state that the players saw."""

    @property
    def actions(self) -> Sequence[int | None]:
        """One number for each seat, none for a seat that did not act."""

    @property
    def after(self) -> State:
        """The state at the turn's end."""


class Kept(Sequence[PlayedTurn]):
    """The turns of a match in which somebody acted, in order: all of them, or as many as there was time for.

    `left` is how many turns at its end were not read. It may be used by several threads.
    """

    def __init__(
        self,
        game: Game,
        replay: Replay,
        until: float | None = None,
        see: Callable[[Moment], None] = lambda moment: None,
    ) -> None:
        """Goes through the match up to a moment of `time.monotonic`; none: to its end. `see` is told each turn.

        Raises `ReplayError` if the replay contradicts the rules.
        """
        self._game, self._seats = game, len(replay.header.seats)
        self._lines: list[Turn] = list(replay.turns)
        self._every = max(1, -(-len(self._lines) * game.rules.LAYOUT.size // MEMORY))
        self._at, self._actions = array("q"), array("q")
        self._states: list[bytes] = []  # before every so many of these turns
        self._near: dict[int, bytes] = {}  # by place, those that were asked for last
        self._lock = Lock()
        self.left = 0
        pack = game.rules.LAYOUT.pack
        for at, moment in enumerate(moments(game, replay)):
            if moment.turn.moves:
                if len(self._at) % self._every == 0:
                    self._states.append(pack(moment.before))
                self._at.append(at)
                self._actions.extend(NONE if one is None else one for one in moment.actions)
                see(moment)
            if until is not None and self._at and time.monotonic() >= until:
                self.left = sum(bool(turn.moves) for turn in self._lines[at + 1 :])
                break

    def __len__(self) -> int:
        return len(self._at)

    @overload
    def __getitem__(self, place: int) -> PlayedTurn: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[PlayedTurn]: ...
    def __getitem__(self, place: int | slice) -> PlayedTurn | Sequence[PlayedTurn]:
        if isinstance(place, slice):
            return [self[at] for at in range(*place.indices(len(self)))]
        if not -len(self) <= place < len(self):
            raise IndexError
        return _KeptTurn(self, place % len(self))

    def __iter__(self) -> Iterator[PlayedTurn]:
        return (_KeptTurn(self, place) for place in range(len(self)))

    def cut(self, count: int) -> None:
        """Only so many of the first turns count from now on."""
        del self._at[count:]

    def places_of(self, seat: int) -> list[int]:
        """The places in which a seat acted."""
        own = self._actions[seat :: self._seats][: len(self)]
        return [place for place, action in enumerate(own) if action != NONE]

    def line(self, place: int) -> Turn:
        """The line of the replay."""
        return self._lines[self._at[place]]

    def actions(self, place: int) -> list[int | None]:
        """The action of each seat, none for a seat that did not act."""
        row = self._actions[place * self._seats : (place + 1) * self._seats]
        return [None if one == NONE else one for one in row]

    def before(self, place: int) -> State:
        """The state that the players saw, a copy."""
        unpack = self._game.rules.LAYOUT.unpack
        if place % self._every == 0:
            return unpack(self._states[place // self._every])
        with self._lock:
            if place not in self._near:
                self._play_to(place)
            return unpack(self._near[place])

    def after(self, place: int) -> State:
        """The state at the turn's end, a copy."""
        state = self.before(place)
        replayed(self._game, state, replace(self.line(place), dice=()), self._seats)  # its dice have fallen
        return state

    def _play_to(self, place: int) -> None:
        """Keep the state before a turn, and those on the way to it."""
        layout = self._game.rules.LAYOUT
        begin = place - place % self._every
        near = max((at for at in range(begin + 1, place) if at in self._near), default=begin)
        state = layout.unpack(self._near[near] if near > begin else self._states[begin // self._every])
        first = replace(self.line(near), dice=())  # they have fallen
        for line in (first, *self._lines[self._at[near] + 1 : self._at[place] + 1]):
            moment = replayed(self._game, state, line, self._seats)
            if line.moves:
                self._near[near] = layout.pack(moment.before)
                near += 1
        while len(self._near) > max(NEAR, self._every):
            del self._near[next(iter(self._near))]


class _KeptTurn:
    """One of them, found when somebody looks."""

    __slots__ = ("_match", "_place")

    def __init__(self, match: Kept, place: int) -> None:
        self._match, self._place = match, place

    @property
    def turn(self) -> Turn:
        return self._match.line(self._place)

    @property
    def before(self) -> State:
        return self._match.before(self._place)

    @property
    def actions(self) -> Sequence[int | None]:
        return self._match.actions(self._place)

    @property
    def after(self) -> State:
        return self._match.after(self._place)
