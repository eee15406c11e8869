"""Starters read what the original referees sent: each recorded input, wholly."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from dohyo.core.options import resolve
from dohyo.games import find
from tests.conformance import recordings
from tests.conformance.test_recordings import slice_of
from tests.starters import Reader

SOME = 7  # of the recorded turns one in so many is read, unless all are asked for


def games_of(name: str, full: bool) -> Iterator[dict[str, Any]]:
    """The recorded games that are shipped; with `full` all that can be found."""
    files = recordings.files(name) if full else []
    return itertools.chain.from_iterable(map(recordings.recorded_games, files or [slice_of(name)]))


def test_drop_block(full: bool) -> None:
    """Every input of a turn is in the model; positions are told column first."""
    game = find("drop-block")
    setup = resolve(game.options, {"position_order": "column-row"})
    reader, count = Reader(game, setup), 0
    for recording in games_of("drop-block", full):
        for text in recording["inputs"][:: 1 if full else SOME]:
            reader.check(f"{text}\n")
            count += 1
    assert count > 500


def test_wondev_woman(full: bool) -> None:
    """Every input of a turn is in the model, in each league."""
    game = find("wondev-woman")
    leagues, count = set(), 0
    for recording in games_of("wondev-woman", full):
        setup = resolve(game.options, {"league": recording["league"]})
        reader, beginning = Reader(game, setup), recording["init"]
        for turn in recording["turns"][:: 1 if full else SOME]:
            reader.check("".join(f"{line}\n" for line in [*beginning, *turn["input"]]))
            beginning = []
            count += 1
        leagues.add(recording["league"])
    assert leagues == {"wood3", "wood2", "wood1", "bronze"}
    assert count > 150
