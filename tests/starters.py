"""What tests of starters share: the starter's program as a reader of input, held to the game's description."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator, Mapping
from typing import Any

from dohyo.core.described import ACTIONS, Description, Values, names_of
from dohyo.core.game import Game
from dohyo.core.starter import NamedLine, NamedRows, Part, Places
from dohyo.guests.starters.recording import StarterPlayer
from dohyo.laws.of_readings import described


class Reader:
    """Reads the input of one seat by the program in Python and by the description, and compares the two."""

    def __init__(self, game: Game, setup: Mapping[str, Any], seed: int = 1) -> None:
        assert game.starter is not None
        self.starter = game.starter(setup)
        self.player = StarterPlayer(game, self.starter, random.Random(seed))
        self.description = Description(self.starter, lambda word: 0)  # any word is an action here
        self._start: Values | None = None

    def answer(self, prompt: str) -> str:
        """Read a prompt, compare the model with it, and answer."""
        self.check(prompt)
        return self.player.decide()

    def check(self, prompt: str) -> None:
        """Read a prompt: every line of it is in the model, as it was sent, and as the description says."""
        turn = self.player.read(prompt)
        values = described(self.description, self._start, prompt.removesuffix("\n").split("\n"))
        if self._start is None:
            self._start = {name: values[name] for name in self.description.start_names}
        found = dict(self._values(self.starter.start, self.player.start))
        found |= dict(self._values(self.starter.turn, turn))
        assert found == values, prompt

    def _values(self, parts: tuple[Part, ...], read: Any) -> Iterator[tuple[str, Any]]:
        """What the program has read, by the names of the description, as it would have it."""
        for part in parts:
            if isinstance(part, Places):
                check_places(part, read)
            for name in names_of(part, self.starter):
                own = part.item.name if isinstance(part, NamedLine) else getattr(part, "name", name)
                value = getattr(read, own)
                is_word = isinstance(part, NamedRows)
                yield name, plain(value) if name != ACTIONS or is_word else tuple(map(str, value))


def plain(value: Any) -> Any:
    """Lists and records as tuples."""
    if isinstance(value, list):
        return tuple(map(plain, value))
    return dataclasses.astuple(value) if dataclasses.is_dataclass(value) else value  # type: ignore[arg-type]


def check_places(part: Places, values: Any) -> None:
    """Places are those where the letters stand, and no others."""
    rows = getattr(values, part.of)
    there = {(i, j) for i, row in enumerate(rows) for j, square in enumerate(row) if square in part.letters}
    found = getattr(values, part.name)
    if part.single:
        assert {(found.row, found.column)} == (there or {(-1, -1)})
    else:
        assert {(place.row, place.column) for place in found} == there
        assert len(found) == len(there) <= part.most
