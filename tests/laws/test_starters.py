"""Starters: what `dohyo new bot` writes reads every line that a game sends, and answers legally in every turn."""

from __future__ import annotations

import random

import pytest

from dohyo.core.game import Game
from dohyo.core.referee import Answer, Referee
from dohyo.games import all_games
from tests.laws.matches import begin, legal_answer, seat_counts, setups
from tests.starters import Reader

WITH_STARTER = {name: game for name, game in all_games().items() if game.starter is not None}
TURNS = 60  # of each match


def test_our_own_games_have_one() -> None:
    """Every game that comes with Dohyo describes its input."""
    assert {"abotcalypse", "drop-block", "shoot-em-up", "wondev-woman"} <= WITH_STARTER.keys()


@pytest.mark.parametrize("game", WITH_STARTER.values(), ids=WITH_STARTER)
def test_all_input_is_read_and_answers_are_legal(game: Game, full: bool) -> None:
    """In any match every line of each prompt is in the model as it was sent, and each answer is a legal action."""
    kinds = len(setups(game)) * len(seat_counts(game))
    answered = 0
    for seed in range((20 if full else 2) * kinds):
        referee, setup = begin(game, seed)
        answered += play(referee, setup, seed)
    assert answered > 50


def play(referee: Referee, setup: object, seed: int) -> int:
    """Play the beginning of a match with the starter on one seat; how often it answered."""
    game, chooser = referee.game, random.Random(seed)
    seat, answered = seed % game.seats[0] if game.seats[0] > 1 else 0, 0
    reader = Reader(game, setup, seed)  # type: ignore[arg-type]
    closing = game.protocol.CLOSING.decode()
    for _ in range(TURNS):
        if referee.over:
            break
        answers = {}
        for other in referee.pending():
            if other != seat:
                answers[other] = legal_answer(referee, other, chooser)
                continue
            reply = reader.answer(referee.prompt(seat).decode() + closing)
            action = game.protocol.parse(reply, referee.state, seat)
            legal = game.legal_actions(referee.state, seat)
            assert action in (legal or game.rules.CONCESSIONS), reply
            answers[seat] = Answer(reply)
            answered += 1
        referee.submit(answers)
    return answered
