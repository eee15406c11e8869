"""Laws of replies: whatever a bot writes, and whatever stands in a replay, is read or refused, never an error."""

from __future__ import annotations

import hypothesis
import hypothesis.strategies as st
import pytest

from dohyo.core.faults import Fault, FaultKind
from dohyo.games import all_games
from dohyo.laws.matches import begin


@pytest.mark.parametrize("name", list(all_games()))
@hypothesis.given(reply=st.one_of(st.text(), st.text("URDLAN \t\r\x00\x1f0123456789-,", max_size=12)))
def any_reply_is_read_or_malformed(name: str, reply: str) -> None:
    """Whatever a bot writes is an action that can be told again, or MALFORMED with a reason; nothing is raised."""
    game = all_games()[name]
    referee, _ = begin(game, 0)
    for seat in game.acting(referee.state, referee.seats):
        read = game.protocol.parse(reply, referee.state, seat)
        if isinstance(read, Fault):
            assert read.kind is FaultKind.MALFORMED
            assert read.code
        else:
            assert 0 <= read < game.rules.ACTIONS
            assert game.protocol.read(game.protocol.text(read)) == read


@pytest.mark.parametrize("name", list(all_games()))
@hypothesis.given(word=st.text())
def any_word_of_a_replay_is_read_or_none(name: str, word: str) -> None:
    """What stands as an action in a replay is an action's own text, or no action at all."""
    protocol = all_games()[name].protocol
    action = protocol.read(word)
    assert action is None or protocol.text(action) == word
