"""Connect four in a browser: the view of a game from another package is drawn as Python's frames say."""

from __future__ import annotations

from typing import Any

import pytest

from dohyo.core.game import Frame
from dohyo.core.options import resolve
from dohyo.core.playback import moments
from dohyo.core.referee import Answer, Referee
from dohyo.core.replay import Header, Replay, Seat
from dohyo.games import find
from tests.games.connect_four.laws import NO_FOUR
from tests.web.conftest import Open, drawn_at

GAME = find("connect-four")
MATCHES = ("01122323353", NO_FOUR, "337")  # four aslant, a full board, one gives up


def played(moves: str) -> Replay:
    """A match of these actions."""
    setup = resolve(GAME.options, {})
    referee = Referee(GAME, setup, 2, 1)
    for move in moves:
        referee.submit({referee.pending()[0]: Answer(GAME.protocol.text(int(move)), seconds=0.001)})
    assert referee.over
    header = Header(
        game=GAME.name,
        rules=GAME.version,
        setup=setup,
        seats=(Seat("left"), Seat("right")),
        seed=1,
        software="dohyo test",
    )
    return Replay(header, referee.turns, referee.result())


def expected(frame: Frame) -> list[dict[str, Any]]:
    """What the scene must show of a frame, row by row."""
    drops = [mark[2:] for mark in frame["marks"] if mark[0] == "drop"]

    def ring(cell: list[int]) -> str:
        return "ring four" if cell in frame["line"] else "ring" if cell in drops else ""

    return [
        {"owner": owner, "x": x, "y": y, "ring": ring([x, y])}
        for y, row in enumerate(frame["rows"])
        for x, owner in enumerate(row)
        if owner is not None
    ]


@pytest.mark.parametrize("moves", MATCHES)
def test_drawn_agrees_with_frames(show: Open, moves: str) -> None:
    """In every turn the scene shows what the frame says; a falling stone is above its place until it lies there."""
    replay = played(moves)
    frames = [GAME.frame(each.before, each.actions, each.events, each.after) for each in moments(GAME, replay)]
    page = show(replay)
    for position, scene in drawn_at(page, range(1, len(frames) + 1)):
        assert scene == expected(frames[position - 1]), position
    heights = [page.evaluate(f"(dohyo.draw(1, {part}), dohyo.drawn())")[0]["y"] for part in (0.1, 0.5, 1)]
    assert heights[0] < heights[1] < heights[2] == 5
