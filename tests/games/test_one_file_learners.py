"""What a learner, or a search, gets of a game in one file."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import pytest

from dohyo import laws
from dohyo.core.observation import prompt_lines
from dohyo.core.reader import Reader
from dohyo.laws.matches import observed
from tests.games.test_one_file import ALL_KINDS, Write, write

__all__ = ["write"]  # a fixture


def test_a_learner_sees_what_the_prompt_has(write: Write) -> None:
    """The seat, then every field: a grid as a plane, other numbers as planes that are the same everywhere."""
    game = write(ALL_KINDS)
    state = game.new_state({}, 3)
    state.board[:], state.owned[:] = [1, 2, 3, 4, 5, 6], [1, 2, 3]
    state.points[:], state.hand[:], state.deck[:] = [10, 20, 30], [1, 2, 3, 4, 5, 6], [9] * 4
    sight: Any = game.observation
    names = [plane.name for plane in sight.PLANES]
    assert names[:4] == ["seat", "turn", "ended", "board"]
    assert (sight.SHAPE, sight.KIND, len(names)) == ((2, 3), "f4", 23)
    seen = {name: observed(game, state, 1)[at * 6 : at * 6 + 6] for at, name in enumerate(names)}
    assert seen["board"] == [1, 2, 3, 4, 5, 6]
    assert [seen[f"owned[{at}]"][0] for at in range(3)] == [3, 1, 2]  # 1 is the seat itself
    assert [seen[f"points[{at}]"][0] for at in range(3)] == [20, 30, 10]  # its own first
    assert [seen[f"hand[{at}]"][5] for at in range(2)] == [3, 4]
    assert not any(name.startswith("deck") for name in names)
    told = {plane.name: plane.meaning for plane in sight.PLANES}
    assert told["board"] == "the field board"
    assert told["points[0]"] == "the field points, of the observing seat"
    assert told["points[1]"] == "the field points, of the next seat"
    assert told["points[2]"] == "the field points, of the seat 2 after it"
    assert told["hand[1]"] == "number 1 of the field hand, of the observing seat"
    assert "1: the observing seat's, 2: the next one's" in told["owned[2]"]


def test_a_law_notices_planes_that_are_not_seen_from_the_seat(write: Write) -> None:
    """Points in the order of seats, whoever looks, are no observation from a seat."""
    game = write(ALL_KINDS)
    law = laws.of_observations.what_belongs_to_seats_is_seen_from_the_observing_one
    assert laws.hold(game, law)["observations"] > 0
    sight = copy.copy(game.observation)
    observe = sight.observe  # type: ignore[union-attr]
    sight.observe = lambda s, seat, out: observe(s, 0, out)  # type: ignore[union-attr]
    with pytest.raises(AssertionError):
        laws.hold(msgspec.structs.replace(game, observation=sight), law)


def test_what_is_hidden_can_be_guessed(write: Write) -> None:
    """`state` takes the hidden fields, in which the seat's own part stays; without them it says what to write."""
    game = write(ALL_KINDS)
    state = game.new_state({}, 3)
    state.hand[:], state.secret[:], state.deck[:] = [1, 2, 3, 4, 5, 6], [7, 8, 9], [1, 2, 3, 4]
    reader = Reader(game)
    seen: Any = [reader.take(line) for line in prompt_lines(game, game.prompt(state, 1))][-1]
    guess: Any = seen.state(hand=[[0, 0], [0, 0], [9, 9]], secret=(5, 5, 5), deck=[4, 3, 2, 1])
    assert (list(guess.hand), list(guess.secret), list(guess.deck)) == ([0, 0, 3, 4, 9, 9], [5, 8, 5], [4, 3, 2, 1])
    assert game.prompt(guess, 1) == game.prompt(state, 1)
    written = r"observation\.state\(hand=\[...\], secret=\[...\], deck=\[...\]\).*`worlds`"
    with pytest.raises(NotImplementedError, match=written):
        seen.state(hand=[0] * 6)
    with pytest.raises(TypeError, match="'board' is not hidden from the seat; hidden are: hand, secret, deck"):
        seen.state(board=[0] * 6)
    with pytest.raises(ValueError, match="deck has 4 values, not 3"):
        seen.state(hand=[0] * 6, secret=[0] * 3, deck=[1, 2, 3])
