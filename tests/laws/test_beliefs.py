"""The law of beliefs: what a seat may take for the true state fits everything that it was sent."""

from __future__ import annotations

from dohyo.core.game import Game
from dohyo.core.playback import beginning, moments
from dohyo.laws.tally import Tally
from dohyo.search.belief import Belief
from tests.laws.matches import every_game, play

SEED = 41
TURNS = 6
SEATS = 2  # that are followed


@every_game
def test_every_world_fits_what_the_seat_was_sent(game: Game, tally: Tally) -> None:
    """In each world the seat acts when it acted, and would be sent the same text."""
    replay = play(game, SEED).replay
    played = [moment for moment in moments(game, replay) if moment.turn.moves][:TURNS]
    for seat in range(min(SEATS, len(replay.header.seats))):
        belief, last = Belief(game, len(replay.header.seats), seat, compiled=False), None
        for moment in played:
            if last is None:
                belief.begin(beginning(game, replay), moment.turn.dice, moment.before)
            else:
                belief.follow(last.actions, moment.turn.dice, moment.before)
            last = moment
            if moment.actions[seat] is not None:
                assert len(belief.worlds) > 0
                for world in belief.worlds:
                    assert game.rules.acts(world, seat)
                    assert game.prompt(world, seat) == game.prompt(moment.before, seat)
                    tally["worlds"] += 1
    tally.reach(worlds=TURNS // 2)
