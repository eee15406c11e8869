"""What the fast path relies on: a listed action, said in its own words, is accepted without a word."""

from __future__ import annotations

import random

import pytest

from dohyo.core import playback
from dohyo.core.game import Game, Turns
from dohyo.core.referee import Answer, Referee
from dohyo.games import all_games
from dohyo.laws.tally import Tally
from tests.laws.matches import about, legal_answer, play, several

ALTERNATING = [game for game in all_games().values() if game.turns is Turns.ALTERNATING]
alternating = pytest.mark.parametrize("game", ALTERNATING, ids=[game.name for game in ALTERNATING])


@alternating
def test_every_listed_action_is_read_in_every_state(game: Game, tally: Tally) -> None:
    """Whatever the rules list, the protocol reads its own text as that action, and as nothing that needs a word."""
    texts = [game.protocol.text(action) for action in range(game.rules.ACTIONS)]
    for played in several(game, tally, 1500, first_seed=900):
        for moment in playback.moments(game, played.replay):
            for seat in game.acting(moment.before, len(played.replay.header.seats)) if moment.turn.moves else []:
                for action in game.legal_actions(moment.before, seat):
                    assert game.protocol.parse(texts[action], moment.before, seat) == action
                    tally["actions"] += 1
    tally.reach(turns=1500, actions=1500)


@alternating
def test_no_text_of_an_action_is_something_else(game: Game) -> None:
    """It is one line of plain letters, no comment of the game's protocol, and no other action's text."""
    texts = [game.protocol.text(action) for action in range(game.rules.ACTIONS)]
    assert len(set(texts)) == len(texts)
    for text in texts:
        assert text.isascii()
        assert text.isprintable()
        assert text
        assert not (game.comment and text.startswith(game.comment))


@alternating
def test_at_most_one_seat_acts_in_a_turn(game: Game, tally: Tally) -> None:
    """A game of alternating turns asks nobody else."""
    for played in several(game, tally, 1000, first_seed=950):
        assert all(len(turn.moves) <= 1 for turn in played.replay.turns)
    tally.reach(turns=1000)


@alternating
def test_such_turns_have_nothing_to_tell_but_the_action(game: Game) -> None:
    """The referee records no reply and no fault, in any turn, for whoever says listed actions only."""
    assert about(game) is not None or game.file is not None

    def listed(referee: Referee, seat: int, chooser: random.Random) -> Answer:
        answer = legal_answer(referee, seat, chooser)
        action = game.protocol.read(answer.reply or "")
        assert action in game.legal_actions(referee.state, seat) or action in game.rules.CONCESSIONS
        return answer

    for seed in range(20):
        for turn in play(game, seed, listed).replay.turns:
            assert [(move.reply, move.faults) for move in turn.moves] == [(None, ())] * len(turn.moves)
