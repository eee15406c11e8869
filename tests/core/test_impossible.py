"""Replays that somebody wrote by hand: fitting checksums and digests, and states that no match can come to."""

from __future__ import annotations

import msgspec
import pytest

from dohyo.core import playback
from dohyo.core.errors import ReplayError
from dohyo.core.replay import Replay, Result
from tests.core.matches import GAME, header

FIELDS = GAME.rules.LAYOUT.as_dict(GAME.rules.LAYOUT.new()) | {"dealt": 1}


@pytest.mark.parametrize(
    "field",
    [
        {"facing": [50, 0, 0, 0]},
        {"row": [18, 0, 0, 0]},
        {"block": [120] + [0] * 35},
        {"stun": [9, 0, 0, 0]},
        {"turn": -4},
    ],
    ids=lambda field: next(iter(field)),
)
def test_an_impossible_start_is_refused(field: dict[str, object]) -> None:
    """Whoever would draw such a state gets a sentence instead of a broken picture."""
    start = msgspec.structs.replace(header({}), start=FIELDS | field)
    with pytest.raises(ReplayError):
        playback.beginning(GAME, Replay(start, [], Result((), None, "unfinished", unfinished=True)))


def test_a_possible_start_is_taken() -> None:
    """The same fields within their ranges are a state."""
    start = msgspec.structs.replace(header({}), start=FIELDS)
    assert playback.beginning(GAME, Replay(start, [], Result((), None, "unfinished", unfinished=True))).dealt == 1
