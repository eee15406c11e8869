"""What a seat may do, in words and by the board's cells."""

from __future__ import annotations

import pytest

from dohyo import games
from dohyo.core.game import Information, usual_seats
from dohyo.core.options import resolve
from dohyo.core.referee import Referee
from dohyo.games.names import names
from dohyo.i18n import ENGLISH, Speaker
from dohyo.match.choices import Choice, choices, understood, why_not


def begun(name: str, seed: int = 1) -> Referee:
    game = games.find(name)
    seats = usual_seats(game)
    return Referee(game, game.draw_setup(resolve(game.options, {}, game.catalogue), seed), seats, seed)


def told(referee: Referee, speaker: Speaker = ENGLISH) -> dict[str, Choice]:
    seat = referee.pending()[0]
    found = choices(referee.game, referee.state, seat, speaker, seats=referee.seats)
    return {choice.text: choice for choice in found}


@pytest.mark.parametrize("name", names())
def test_every_choice_is_a_line_that_the_rules_take(name: str) -> None:
    """In every game, what is offered is legal as it stands, and telling it leaves the state as it was."""
    referee = begun(name)
    game, state, seat = referee.game, referee.state, referee.pending()[0]
    before = game.rules.LAYOUT.digest(state)
    found = told(referee)
    assert len(found) == len(game.legal_actions(state, seat))
    for text, choice in found.items():
        assert why_not(game, state, seat, text) is None
        assert understood(game, state, seat, text) == text
        assert choice.words
    assert game.rules.LAYOUT.digest(state) == before


@pytest.mark.parametrize(
    ("name", "text", "words", "cells"),
    [
        ("chess", "e2e4", "e2e4", [(4, 6), (4, 4)]),
        ("go", "A9", "A9", [(0, 0)]),
        ("connectx", "3", "3 (row 5, column 3)", [(3, 5)]),
        ("kuhn-poker", "bet", "bet", []),
        ("wondev-woman", "MOVE&BUILD 0 E N", "unit 0 to E, builds N", [(2, 2), (3, 2), (3, 1)]),
    ],
)
def test_an_action_is_pointed_at_by_its_cells(name: str, text: str, words: str, cells: list[tuple[int, int]]) -> None:
    """By the names at the edges, by directions from the own piece, or by what it changes."""
    assert told(begun(name))[text] == Choice(text, words, cells)


def test_directions_are_those_of_the_games_own_frame() -> None:
    """What a pair in a frame means, and where up is, is learned: a snake's places are row before column."""
    referee = begun("battlesnake")
    head_row, head_column = referee.game.frame(referee.state, [None, None], (), referee.state, 0)["snakes"][0][
        "body"
    ][0]
    assert told(referee)["left"].cells == [(head_column - 1, head_row)]
    assert told(referee)["up"].cells == [(head_column, head_row - 1)]


def test_words_are_those_of_the_reader() -> None:
    """In Japanese, too."""
    assert told(begun("wondev-woman"), Speaker("ja"))["MOVE&BUILD 0 E N"].words == "ユニット 0 が東へ動き、北に建てる"


@pytest.mark.parametrize("name", names())
def test_choices_tell_no_secret(name: str) -> None:
    """In a game with secrets they depend on nothing but what the seat is sent and shown."""
    if games.find(name).information is not Information.IMPERFECT:
        return
    seen: dict[tuple[bytes, str], set[str]] = {}
    for seed in range(40):
        referee = begun(name, seed)
        seat, state = referee.pending()[0], referee.state
        frame = referee.game.frame(state, [None] * referee.seats, (), state, seat)
        seen.setdefault((referee.prompt(seat), repr(frame)), set()).add(repr(told(referee)))
    assert all(len(each) == 1 for each in seen.values())


def test_they_are_bounded() -> None:
    """Of many actions the first ones are told."""
    referee = begun("chess")
    found = choices(referee.game, referee.state, 0, ENGLISH, 3)
    assert len(found) == 3


def test_why_a_line_is_no_action() -> None:
    """It is told as a program's line would be judged, and nothing of it counts."""
    referee = begun("wondev-woman")
    why = why_not(referee.game, referee.state, 0, "MOVE&BUILD 0 N N")
    assert why is None or why.key
    why = why_not(referee.game, referee.state, 0, "dance")
    assert why is not None
    assert "dance" in ENGLISH.knowing(referee.game.catalogue).say_any(why)
