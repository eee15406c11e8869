"""What an option takes, which word was meant and what the system says, in the reader's language."""

from __future__ import annotations

import errno
import os
import re

import pytest

from dohyo import games
from dohyo.core.errors import OperatorError
from dohyo.core.options import nearest, resolve, takes_in
from dohyo.i18n import ENGLISH, Message, Speaker
from dohyo.match import clocks
from dohyo.series import formats

ENGLISH_WORD = re.compile(r"\b(?:from|to|or|one|of|number|numbers|seconds|whole|names|for|each|more|a|an|the)\b")
JAPANESE = Speaker("ja")


def takes() -> list[str]:
    """What everything takes that is no game's own, in Japanese."""
    of_formats = [
        takes_in(option, JAPANESE) for each in formats.all_formats().values() for option in each.info.options
    ]
    of_clocks = [JAPANESE.say(taken) for _, taken in clocks.KEYS.values() if isinstance(taken, Message)]
    return [*of_formats, *of_clocks]


@pytest.mark.parametrize("taken", sorted(set(takes())))
def test_what_is_taken_is_told_in_japanese(taken: str) -> None:
    """No English word stands in a Japanese sentence; names that are typed stay."""
    assert not ENGLISH_WORD.findall(taken)


@pytest.mark.parametrize("game", sorted(games.all_games()))
def test_so_are_the_options_of_games(game: str) -> None:
    """A wrong value of any setup option of any game is told in the game's own words, by who knows no game."""
    found = games.find(game)
    for option in found.options:
        with pytest.raises(OperatorError) as caught:
            resolve(found.options, {option.name: "???"}, found.catalogue)
        assert takes_in(option, ENGLISH) in caught.value.say()
        assert not ENGLISH_WORD.findall(caught.value.say(JAPANESE))


def test_the_word_that_was_meant() -> None:
    """It is asked in the reader's language, with its own quotation marks."""
    error = OperatorError("unknown-clock-key", key="bnk", nearest=nearest("bnk", ["bank"]), known="bank")
    assert "「bnk」はありません(「bank」ですか？)。" in error.say(JAPANESE)
    assert "'bnk' ('bank'?)" in error.say()


def test_what_the_system_says() -> None:
    """An error of the system is told in the reader's language; a rare one in the system's own words."""
    none = OperatorError("cannot-read", path="x", reason=FileNotFoundError(errno.ENOENT, "whatever", "x"))
    assert "そのファイルやフォルダーはありません" in none.say(JAPANESE)
    assert os.strerror(errno.ENOENT) in none.say()
    assert "Exchange full" in OperatorError("cannot-read", path="x", reason=OSError(54, "Exchange full")).say(
        JAPANESE
    )
