"""A match that is watched while it is played: the same frames as in the viewer afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from dohyo import bots
from dohyo.core.bot_spec import Sample
from dohyo.core.replay import Replay
from dohyo.games import all_games
from dohyo.guests.site.judging.live import LiveMatch
from dohyo.match.play import play_match
from dohyo.match.replays.turn_file import TurnFile
from dohyo.web.content import content

GAMES = sorted(name for name, game in all_games().items() if "random" in bots.samples_of(game))


@pytest.mark.parametrize("name", GAMES)
def test_live_frames_are_those_of_the_viewer(tmp_path: Path, name: str) -> None:
    """Whoever watches sees each frame that the page shows later, from the first one on, as it is written."""
    game = all_games()[name]
    seats = max(2, game.seats[0])
    told = []
    with TurnFile(tmp_path / "match") as writer:
        reader = LiveMatch(game, tmp_path / "match")

        def on_turn(replay: Replay) -> None:
            writer.on_turn(replay)
            told.extend(reader.more())

        replay = play_match(game, [Sample("random")] * seats, setup=game.demo, on_turn=on_turn, sandbox="none")
    told.extend(reader.more())
    reader.close()
    shown = content(game, replay, form=lambda whole: whole)["views"][0]["frames"]
    assert [one["frame"] for one in told] == shown
    assert reader.is_over
