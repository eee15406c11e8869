"""A match that goes on from a replay with another action in its first turn."""

from __future__ import annotations

from typing import Any

import pytest

import dohyo
from dohyo import games
from dohyo.core import playback
from dohyo.core.game import Game
from dohyo.core.replay import Replay
from dohyo.i18n import Speaker
from dohyo.match.first_turn import state_after
from tests.guests.analysis.test_analysis import played
from tests.laws import matches


class Column(dohyo.Bot):
    """Drops its stones into one column, and notes what it saw."""

    game = "connect-four"

    def __init__(self, column: str = "6") -> None:
        self.column = column

    def act(self, observation: Any) -> str:
        return self.column


def test_the_turn_is_played_as_was_asked_for_and_the_bots_begin_after_it() -> None:
    """The state is that of the recorded turn with the other action; the first bot to be asked is the next one."""
    recorded = played("3031323")
    match = dohyo.play("connect-four", [Column("5"), Column("6")], seed=0, resume=(recorded, 5), first={1: " 3 "})
    game = games.find("connect-four")
    before = playback.state_at(game, recorded, 5)
    game.rules.step(before, [0, 3], None)
    assert match.header.start == game.rules.LAYOUT.as_dict(before)
    assert (match.header.first, [move.seat for move in match.turns[0].moves]) == (6, [0])
    assert playback.verify(game, match) == len(match.turns)


def test_an_action_that_ends_the_match() -> None:
    """If nobody is to move after it, the match is over with its result, and no bot is asked."""
    match = dohyo.play("connect-four", [Column(), Column()], seed=0, resume=(played("3031323"), 6), first={0: "3"})
    assert (match.turns, match.result.winner, match.header.first) == ([], 0, 7)


def several_bots() -> Replay:
    """A match of aBOTcalypse between at least two."""
    recorded = (matches.play(games.find("abotcalypse"), seed).replay for seed in range(20))
    return next(replay for replay in recorded if len(replay.header.seats) > 1 and replay.played > 5)


def test_the_others_do_what_they_did() -> None:
    """Where several act in one turn, those of whom nothing is said do what is recorded."""
    game = games.find("abotcalypse")
    replay = several_bots()
    moment = next(one for one in playback.moments(game, replay) if one.turn.turn == 3)
    acted = [seat for seat, action in enumerate(moment.actions) if action is not None]
    expected = game.rules.LAYOUT.copy(moment.before)
    assert len(acted) > 1
    actions = [action or 0 for action in moment.actions]
    actions[acted[0]] = game.protocol.read("drop up")
    game.rules.step(expected, actions, None)
    found = state_after(game, replay, 3, {acted[0]: "drop up"})
    assert game.rules.LAYOUT.as_dict(found) == game.rules.LAYOUT.as_dict(expected)


def test_a_robot_is_told_where_it_stands() -> None:
    """A program that began before would know an action that it did not take: it starts anew, with what it needs."""
    game = games.find("shoot-em-up")
    replay = matches.play(game, 3).replay
    match = dohyo.play(
        "shoot-em-up", ["gunner", "gunner"], seed=0, resume=(replay, 4), first={0: "S 0 1"}, setup=None
    )
    told = game.rules.LAYOUT.from_dict(match.header.start or {})
    assert list(told.told) == [0, 0]
    assert match.header.first == 5


def mistake(game: Game, replay: Replay, turn: int, first: dict[int, str]) -> str:
    with pytest.raises(dohyo.OperatorError) as caught:
        state_after(game, replay, turn, first)
    return str(caught.value)


def test_what_cannot_be_played_is_one_sentence_with_what_can() -> None:
    """An illegal action has its reason and the legal ones; a seat that does not act, the one that does."""
    game = games.find("connect-four")
    replay = dohyo.play(game, [Column("0"), Column("1")], seed=0, setup={"moves": "333333"})
    assert mistake(game, replay, 0, {0: "3"}) == (
        "Seat 0 cannot play this in turn 0: 3: that column is full. Legal there: 0, 1, 2, 4, 5, 6."
    )
    assert "'9' is no column from 0 to 6" in mistake(game, replay, 0, {0: "9"})
    assert mistake(game, replay, 0, {1: "2"}) == "Seat 1 does not act in turn 0; --first is for seat 0 there."
    assert "has no turn 99" in mistake(game, replay, 99, {0: "2"})
    over = played("3031323")
    assert "The match is over before turn 7" in mistake(game, over, 7, {1: "0"})
    several, cut = games.find("abotcalypse"), several_bots()
    cut.turns = cut.turns[:3]
    assert "does not say what seat " in mistake(several, cut, 3, {0: "rest"})
    with pytest.raises(dohyo.OperatorError, match="--first needs --from"):
        dohyo.play("connect-four", [Column(), Column()], first={0: "1"})
    with pytest.raises(dohyo.OperatorError) as caught:
        state_after(game, replay, 0, {0: "3"})
    assert "その列は満杯" in caught.value.say(Speaker("ja"))
