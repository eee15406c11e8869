"""What tests of starters share: the starter's program as a reader of input, and the input made of what it read."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

from dohyo.app.starters.general import starter_of
from dohyo.app.starters.recording import StarterPlayer
from dohyo.core.game import Game
from dohyo.core.starter import (
    FixedLine,
    Line,
    Messages,
    NamedLine,
    NamedRows,
    NumberRows,
    Part,
    Places,
    Record,
    Records,
    Starter,
    TextRows,
)


class Reader:
    """Reads the input of one seat by the program in Python, and checks that nothing of it is lost."""

    def __init__(self, game: Game, setup: Mapping[str, Any], seed: int = 1) -> None:
        starter = starter_of(game, setup)
        assert starter is not None
        self.starter: Starter = starter
        self.player = StarterPlayer(game, self.starter, random.Random(seed))
        self._is_new = True

    def answer(self, prompt: str) -> str:
        """Read a prompt, compare the model with it, and answer."""
        self.check(prompt)
        return self.player.decide()

    def check(self, prompt: str) -> None:
        """Read a prompt: every line of it is in the model, as it was sent."""
        turn = self.player.read(prompt)
        parts = self.starter.start if self._is_new else ()
        lines = [line for part in parts for line in written(part, self.player.start)]
        lines += [line for part in self.starter.turn for line in written(part, turn)]
        assert lines == prompt.removesuffix("\n").split("\n"), prompt
        self._is_new = False


def written(part: Part, values: Any) -> Iterator[str]:
    """The lines of a part, made of what was read."""
    match part:
        case Line():
            yield " ".join(str(getattr(values, item.name)) for item in part.items)
        case FixedLine():
            yield part.text
        case TextRows():
            yield from getattr(values, part.name)
            if part.count is None:
                yield ""
        case NumberRows():
            for row in getattr(values, part.name):
                assert len(row) == part.columns
                yield " ".join(map(str, row))
        case Records():
            records = getattr(values, part.name)
            assert len(records) <= part.most
            if part.count is None:
                yield str(len(records))
            for record in records:
                yield line_of(part.record, record)
        case NamedLine():
            yield f"{sent(part.item.name)} {getattr(values, part.item.name)}"
        case NamedRows():
            rows = getattr(values, part.name)
            for row in [rows] if part.rows == 1 else rows:
                assert len(row) <= part.columns if part.varies else len(row) == part.columns
                yield " ".join([sent(part.name), *map(str, row)])
        case Messages():
            (message,) = (each for each in part.each if each.letter == values.kind)
            yield " ".join([values.kind, *(str(getattr(values, number.name)) for number in message.numbers)])
        case Places():
            check_places(part, values)


def sent(name: str) -> str:
    """The name of a field as it is sent, which would mean something else in a program."""
    return "turn" if name == "turn_number" else name.removesuffix("_")


def line_of(record: Record, values: Any) -> str:
    """A record as its line."""
    return " ".join(str(getattr(values, item.name)) for item in record.items)


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
