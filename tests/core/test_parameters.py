"""Parameters of bots: words of a command that become variables, and fill places."""

from __future__ import annotations

import pytest

from dohyo.core import parameters


def test_words_become_variables_and_fill_places() -> None:
    """A value leaves the command, is in the environment, and stands where its name is in braces, however spelt."""
    values = parameters.words({"depth": "4", "Mode": "a b=c"})
    assert values == ("DOHYO_PARAM_DEPTH=4", "DOHYO_PARAM_MODE=a b=c")
    command = ("bot", "--depth", "{depth}", "-x{MODE}{other}", *values)
    assert parameters.given(command) == values
    assert parameters.places(command) == {"depth", "mode", "other"}
    variables = {"DOHYO_PARAM_DEPTH": "4", "DOHYO_PARAM_MODE": "a b=c"}
    assert parameters.parted(command) == (("bot", "--depth", "4", "-xa b=c{other}"), variables)


def test_the_later_value_counts() -> None:
    """What is typed behind a bot replaces what its bot.toml says, also where it is spelt otherwise."""
    words = ("bot", "{a}", "DOHYO_PARAM_A=1", "DOHYO_PARAM_a=2")
    assert parameters.parted(words) == (("bot", "2"), {"DOHYO_PARAM_A": "2"})


def test_other_commands_stay_as_they_are() -> None:
    """Braces without a value, and words that only resemble ours, reach the program unchanged."""
    words = ("bot", "{depth}", "DOHYO_PARAM_=1", "DOHYO_PARAM_9=1", "DOHYO_PARAM_A", "X=DOHYO_PARAM_A=1", "{}")
    assert parameters.parted(words) == (words, {})
    # What fills a place is not looked at again.
    assert parameters.parted(("{a}", "DOHYO_PARAM_A={b}", "DOHYO_PARAM_B=1"))[0] == ("{b}",)


@pytest.mark.parametrize("name", ["", "9", "a-b", "a b", "é", "a" * 33, "_a", "a\n"])
def test_names_that_none_can_have(name: str) -> None:
    """A name is fit for the environment of every system."""
    assert not parameters.is_name(name)
    with pytest.raises(ValueError, match="no name of a parameter"):
        parameters.words({name: "1"})
