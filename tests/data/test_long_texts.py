"""What strangers write beside their moves, and call themselves, does not fill the memory."""

from __future__ import annotations

import random
import tracemalloc
from pathlib import Path

import pytest
from msgspec.structs import replace

import dohyo.data
from dohyo import games
from dohyo.core.errors import OperatorError
from dohyo.core.options import resolve
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import Replay, Seat
from dohyo.core.replay_format import encode
from dohyo.laws.matches import finish, legal_answer
from tests.data.plain import usual_match

GAME = games.find("connect-four")
FILES, LONG = 24, 1 << 18  # characters each


def with_stderr(replay: Replay, number: int) -> Replay:
    """The replay in which a bot wrote much to its standard error."""
    first = replay.turns[0]
    (move,) = first.moves
    turns = [replace(first, moves=(replace(move, stderr="e" * LONG),)), *replay.turns[1:]]
    return replace(replay, turns=turns)


def with_name(replay: Replay, number: int) -> Replay:
    """The replay in which a bot has a long name of its own."""
    header = replace(replay.header, seats=(Seat(chr(ord("a") + number) * LONG), *replay.header.seats[1:]))
    return replace(replay, header=header)


@pytest.mark.parametrize("written", [with_stderr, with_name])
@pytest.mark.parametrize("bots", [None, "nobody"])
def test_long_texts_do_not_wait(tmp_path: Path, written: object, bots: str | None) -> None:
    """Replays wait for others without these texts: more of them take no more memory than a few."""
    replay = usual_match(GAME, 1)
    for number in range(FILES):
        longer = written(replay, number)  # type: ignore[operator]
        (tmp_path / f"{number}.replay.zst").write_bytes(encode(longer, compressed=True))
    dohyo.data.load(replay)  # compiles
    tracemalloc.start()
    try:
        if bots is None:
            assert len(dohyo.data.load(tmp_path)) == FILES * replay.played
        else:
            with pytest.raises(OperatorError) as caught:
                dohyo.data.load(tmp_path, bots=bots)
            assert caught.value.key == "data-nothing"
        assert tracemalloc.get_traced_memory()[1] < FILES * LONG / 2
    finally:
        tracemalloc.stop()


def test_comments_that_decide_a_match_are_kept() -> None:
    """A match that an operator's rule ended by what engines said follows from that."""
    game = games.find("chess")
    setup = resolve(game.options, {"resign": "3/400"}, game.catalogue)

    def losing(referee: Referee, seat: int, chooser: random.Random) -> Answer:
        return replace(legal_answer(referee, seat, chooser), comments="info score cp -900\n", stderr="e")

    replay = finish(Referee(game, setup, 2, 1), setup, 1, losing).replay
    assert replay.result.adjudicated
    assert len(dohyo.data.load(replay)) == replay.played
