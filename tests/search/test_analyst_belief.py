"""What a seat can know: other states than the true one, where something is hidden from it."""

from __future__ import annotations

import pytest

from dohyo import games
from dohyo.core.playback import beginning, moments
from dohyo.search.analyst_belief import AnalystBelief
from tests.laws.matches import play

SEED = 8
HIDDEN = ["shoot-em-up", "abotcalypse"]


@pytest.mark.parametrize("name", HIDDEN)
def test_what_is_hidden_may_be_otherwise(name: str) -> None:
    """Some worlds differ from the true state, and are not all the same."""
    game = games.find(name)
    replay = play(game, SEED).replay
    first, second = [moment for moment in moments(game, replay) if moment.turn.moves][:2]
    belief = AnalystBelief(game, len(replay.header.seats), 0, compiled=False)
    belief.begin(beginning(game, replay), first.turn.dice, first.before)
    belief.follow(first.actions, second.turn.dice, second.before)
    if second.actions[0] is None:  # the other one acts in between
        third = next(moment for moment in moments(game, replay) if moment.turn.turn == second.turn.turn + 1)
        belief.follow(second.actions, third.turn.dice, third.before)
        second = third
    pack = game.rules.LAYOUT.pack
    seen = {bytes(pack(world)) for world in belief.worlds}
    assert not belief.is_true
    assert len(seen) > 1
    assert seen != {bytes(pack(second.before))}


def test_where_nothing_is_hidden_only_the_true_state_fits() -> None:
    """In connect four a seat knows every stone."""
    game = games.find("connect-four")
    replay = play(game, 5).replay
    played = [moment for moment in moments(game, replay) if moment.turn.moves]
    belief, last = AnalystBelief(game, 2, 1, compiled=False), None
    for moment in played:
        if last is None:
            belief.begin(beginning(game, replay), moment.turn.dice, moment.before)
        else:
            belief.follow(last.actions, moment.turn.dice, moment.before)
        last = moment
        if moment.actions[1] is not None:
            assert {bytes(game.rules.LAYOUT.pack(world)) for world in belief.worlds} == {
                bytes(game.rules.LAYOUT.pack(moment.before))
            }
