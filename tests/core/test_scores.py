"""Points: what a game that gives some says of a match, and that a replay keeps and checks them."""

from __future__ import annotations

import random

import msgspec
import pytest

from dohyo import games
from dohyo.core import playback, replay_format
from dohyo.core.errors import ReplayError
from dohyo.core.options import resolve
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import Header, Replay, Seat
from tests.core.matches import played

GAME = games.find("wondev-woman")


def scored() -> Replay:
    """A match of random actions in which points were made, not the same by both."""
    setup = resolve(GAME.options, {})
    for seed in range(100):
        referee, chooser = Referee(GAME, setup, 2, seed), random.Random(seed)
        while not referee.over:
            (seat,) = referee.pending()
            legal = GAME.legal_actions(referee.state, seat) or GAME.rules.CONCESSIONS
            referee.submit({seat: Answer(GAME.protocol.text(chooser.choice(legal)), seconds=0.001)})
        points = GAME.score(referee.state, 2)
        if len(set(points)) == 2 and all(points):
            seats = (Seat("a"), Seat("b"))
            header = Header(game=GAME.name, rules=GAME.version, setup=setup, seats=seats, seed=seed, software="dohyo")
            assert referee.result().scores == points == tuple(referee.state.points)
            return Replay(header, referee.turns, referee.result())
    raise AssertionError


def test_a_game_with_points_tells_them() -> None:
    """The result holds each seat's points, by seat, and they survive a file."""
    match = scored()
    read = replay_format.decode(replay_format.encode(match))
    assert len(read.result.scores) == 2
    assert read.result.scores == match.result.scores
    assert playback.verify(GAME, read) == len(match.turns)


@pytest.mark.parametrize(
    ("wrong", "key"),
    [((), "replay-result-differs"), ((0, 0), "replay-result-differs"), ((99, 98, 97), "replay-malformed")],
)
def test_other_points_are_found(wrong: tuple[int, ...], key: str) -> None:
    """Points that do not follow from the moves are refused, with a checksum that fits too."""
    match = scored()
    match = msgspec.structs.replace(match, result=msgspec.structs.replace(match.result, scores=wrong))
    with pytest.raises(ReplayError) as caught:
        playback.verify(GAME, replay_format.decode(replay_format.encode(match)))
    assert caught.value.key == key


def test_a_game_without_points_has_none() -> None:
    """No points at all, rather than zeros; the file has no word of them."""
    match = played(turns=4)
    game = games.find(match.header.game)
    assert game.score(game.new_state(match.header.setup, 4), 4) == ()
    assert match.result.scores == ()
    assert b"scores" not in replay_format.encode(match)
