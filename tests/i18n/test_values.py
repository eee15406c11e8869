"""What an option takes, and which word was meant, in the reader's language."""

from __future__ import annotations

import re

import pytest

from dohyo import games
from dohyo.core.errors import OperatorError
from dohyo.core.options import resolve
from dohyo.i18n import section
from dohyo.i18n.values import in_language
from dohyo.match import clocks
from dohyo.series import contest_file, formats

ENGLISH = re.compile(r"\\b(?:from|to|or|one|of|number|numbers|seconds|whole|names|for|each|parted|more|a|an|the)\\b")


def takes() -> list[str]:
    """What everything takes that is no game's own."""
    of_formats = [option.takes for each in formats.all_formats().values() for option in each.info.options]
    return [
        *of_formats,
        *(taken for _, taken in clocks.KEYS.values()),
        *(field.takes for field in contest_file.KEYS.values()),
    ]


@pytest.mark.parametrize("taken", sorted(set(takes())))
def test_what_is_taken_is_told_in_japanese(taken: str) -> None:
    """No English word stands in a Japanese sentence; names that are typed stay."""
    assert not ENGLISH.findall(str(in_language("takes", taken, "ja", section("ja", "phrases"))))


@pytest.mark.parametrize("game", sorted(games.all_games()))
def test_so_are_the_options_of_games(game: str) -> None:
    """A wrong value of any setup option of any game is told in the game's own words."""
    found = games.find(game)
    for option in found.options:
        with pytest.raises(OperatorError) as caught:
            resolve(found.options, {option.name: "???"}, found.catalogue)
        assert option.takes in caught.value.say("en")
        assert not ENGLISH.findall(caught.value.say("ja"))


def test_the_word_that_was_meant() -> None:
    """It is asked in the reader's language, with its own quotation marks."""
    error = OperatorError("unknown-clock-key", key="bnk", nearest=" ('bank'?)", known="bank")
    assert "「bnk」はありません(「bank」ですか?)。" in error.say("ja")
    assert "'bnk' ('bank'?)" in error.say("en")
