"""Setup options: what the operator gives is taken, or refused by name with what could have been meant."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo.core.errors import OperatorError
from dohyo.core.options import Option, nearest, one_of, resolve, whole, yes_no
from dohyo.core.spelling import is_near
from dohyo.games import all_games
from dohyo.i18n import Message

OPTIONS = (
    Option("turns", 100, "0 to 1000", "turn limit", whole(0, 1000)),
    Option("order", "row", "row or column", "what comes first", one_of("row", "column")),
    Option("idle", False, "yes or no", "go on", yes_no),
)


def test_what_is_not_given_is_the_default() -> None:
    """A setup holds every option; those not given have their defaults."""
    assert resolve(OPTIONS, {}) == {"turns": 100, "order": "row", "idle": False}
    assert resolve(OPTIONS, {"turns": "7"}) == {"turns": 7, "order": "row", "idle": False}


def test_words_and_values_are_taken_alike() -> None:
    """The command line's words and Python's values give the same setup, and a resolved one resolves to itself."""
    words = resolve(OPTIONS, {"turns": "0", "order": "column", "idle": "yes"})
    assert words == resolve(OPTIONS, {"turns": 0, "order": "column", "idle": True})
    assert words == {"turns": 0, "order": "column", "idle": True}
    assert resolve(OPTIONS, words) == words


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("turns", "-1"),
        ("turns", 1001),
        ("turns", "many"),
        ("turns", ""),
        ("turns", True),
        ("turns", 1.5),
        ("turns", None),
        ("turns", [1]),
        ("turns", "9" * 5000),
        ("order", "Row"),
        ("order", ""),
        ("order", ["row"]),
        ("idle", "maybe"),
        ("idle", 2),
        ("idle", None),
    ],
)
def test_a_value_that_is_not_taken_is_refused(key: str, value: Any) -> None:
    """The sentence names the option, the value, and what it takes."""
    with pytest.raises(OperatorError) as caught:
        resolve(OPTIONS, {key: value})
    assert caught.value.key == "bad-setup-value"
    sentence = str(caught.value)
    takes = next(option.takes for option in OPTIONS if option.name == key)
    assert f"'{key}'" in sentence
    assert sentence.endswith(f"it takes {takes}.")


@pytest.mark.parametrize(
    ("given_key", "meant"), [("turn", "turns"), ("oder", "order"), ("Idle", "idle"), ("seed", None), ("", None)]
)
def test_an_unknown_key_is_refused(given_key: str, meant: str | None) -> None:
    """The sentence names the key, the one that was probably meant, and all that are known."""
    with pytest.raises(OperatorError) as caught:
        resolve(OPTIONS, {given_key: 1})
    sentence = str(caught.value)
    assert f"'{given_key}'" in sentence
    assert "turns, order, idle" in sentence
    assert (f"('{meant}'?)" in sentence) == (meant is not None)


def test_a_game_without_options_says_so() -> None:
    """Where nothing can be chosen, the sentence has no empty list of what is known."""
    with pytest.raises(OperatorError, match=r"There is no setup option 'turns': this game has no options\."):
        resolve((), {"turns": 1})


def test_the_nearest_word_is_one_that_is_near() -> None:
    """A slip of a letter or two is recognised; something else is no guess."""
    known = ("drop-block", "wondev-woman")
    assert nearest("dropblock", known) == Message("nearest", {"word": "drop-block"})
    assert nearest("wondev_women", known) == Message("nearest", {"word": "wondev-woman"})
    assert nearest("chess", known) == ""
    assert nearest("chess", ()) == ""


@pytest.mark.parametrize(
    ("word", "known"),
    [
        ("--film", ("--html", "--first", "--trust")),
        ("--seat", ("--seed", "--setup", "--save")),
        ("--time", ("--trust", "--until")),
        ("run", ("rerun", "play")),
        ("rank", ("random", "hunter")),
    ],
)
def test_what_is_another_word_is_no_suggestion(word: str, known: tuple[str, ...]) -> None:
    """Dashes and a few letters in common do not make two words near."""
    assert nearest(word, known) == ""


def test_slips_are_counted() -> None:
    """A slip for every three letters: too many, too few, wrong, exchanged; or the beginning of a word."""
    for pair in ("hutner hunter", "huntr hunter", "hunterr hunter", "Save save", "ana analyse"):
        assert is_near(*pair.split())
    for pair in ("hnutre hunt", "up un", "abc xbz", "U UP"):
        assert not is_near(*pair.split())


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@pytest.mark.parametrize("name", list(all_games()))
@given(value=VALUES)
def test_any_value_is_taken_or_refused(name: str, value: Any) -> None:
    """Whatever is given for any option of any game: a setup that makes a state, or a sentence."""
    game = all_games()[name]
    for option in game.options:
        with suppress(OperatorError):
            setup = resolve(game.options, {option.name: value})
            for seats in game.seats:
                game.rules.LAYOUT.pack(game.new_state(setup, seats))


@pytest.mark.parametrize("name", list(all_games()))
def test_defaults_are_what_their_options_take(name: str) -> None:
    """A default, told again as it stands in a replay's header, gives the same setup."""
    game = all_games()[name]
    setup = resolve(game.options, {})
    assert resolve(game.options, setup) == setup
    for option in game.options:
        assert option.default is None or option.read(option.default) == option.default
