"""What a learner, or a search, gets of a game in one file."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import pytest

from dohyo import games, laws
from dohyo.core.errors import OperatorError
from dohyo.core.observation import prompt_lines
from dohyo.core.reader import Reader
from dohyo.laws.matches import observed
from tests.games.test_one_file import ALL_KINDS, EXAMPLES, SMALL, Write, write

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
    assert told["board"] == "the field board; 0: _, 1: *"
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


def test_a_plane_says_in_words_what_it_holds(write: Write) -> None:
    """What the file says of a field stands with it, and what each value's sign is; of no field that is not there."""
    told = 'MEANINGS = {"board": "what was said", "points": "chips"}\n'
    game = write(ALL_KINDS + told)
    found = {plane.name: plane.meaning for plane in game.observation.PLANES}  # type: ignore[union-attr]
    assert found["board"] == "the field board (what was said); 0: _, 1: *"
    assert found["points[1]"] == "the field points (chips), of the next seat"
    with pytest.raises(OperatorError, match="MEANINGS names 'bord', which is no field"):
        write(ALL_KINDS + told.replace("board", "bord"), "misspelt")


SPEAKING = "step(s, actions, events):\n    s.said[0] = actions[s.turn % 2] + 1"
WORDS = SMALL.replace("step(s, actions, events):", SPEAKING)
WORDS = WORDS.replace('("ended", "i1", 0)', '("ended", "i1", 0), ("said", "i1", {shape})')
WORDS += 'SIGNS = {{"said": ".pb"}}\n'


def test_words_are_not_taken_for_owners(write: Write) -> None:
    """A row with a sign for each seat and one more has no owners; a board seems to; what is declared counts."""
    for at, (shape, declared, is_owned, is_guessed) in enumerate(
        [
            ("3", "", False, False),
            ("3", 'OWNERS = ("said",)\n', True, False),
            ("(1, 3)", "", True, True),
            ("(1, 3)", "OWNERS = ()\n", False, False),
        ]
    ):
        game = write(WORDS.format(shape=shape) + declared, f"words_{at}")
        (said,) = [field for field in game.fields if field.name == "said"]
        assert (said.owners, said.guessed) == (is_owned, is_guessed)


def test_a_law_notices_words_that_were_taken_for_owners(write: Write) -> None:
    """A board of words that looks like one of stones fails; what to write stands in what is said."""
    law = laws.of_observations.what_looks_owned_belongs_to_who_put_it_there
    game = write(WORDS.format(shape="(1, 3)"))
    with pytest.raises(AssertionError, match=r"the field said has no owners: write OWNERS = \(\)"):
        laws.hold(game, law)
    stones = games.load(EXAMPLES / "tic_tac_toe.py")
    assert laws.hold(stones, law)["places"] > 0


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
