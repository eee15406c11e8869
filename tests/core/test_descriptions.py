"""What games say of themselves and their options, in Japanese and in English."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from dohyo import classics
from dohyo.core.descriptions import about_in, option_in
from dohyo.core.dialogue import Command
from dohyo.core.game import Game, title_in
from dohyo.games import all_games, find
from dohyo.i18n import ENGLISH, Speaker

LETTER = re.compile("[ぁ-んァ-ヶ一-龠]")
WORDS_ALONE = re.compile(r"[\w-]+(、[\w-]+)+")  # the choices themselves, in both languages


def described() -> Iterator[Game | Command]:
    """Every game, and every program that one brings along."""
    for game in all_games().values():
        yield game
        yield from game.commands


@pytest.mark.parametrize("thing", list(described()), ids=lambda thing: thing.name)
def test_described_in_japanese(thing: Game | Command) -> None:
    """A game, a program and each of their options is described in Japanese."""
    assert LETTER.search(about_in(thing, Speaker("ja")))
    for option in thing.options:
        told = option_in(thing, option, Speaker("ja"))
        assert LETTER.search(told.about), option.name
        assert LETTER.search(told.takes) or WORDS_ALONE.fullmatch(told.takes), option.name


def test_titles_are_those_of_the_rules_pages() -> None:
    """In each language a game is called as its page of rules is: the catalogue and the page say the same."""
    for game in (*all_games().values(), *map(find, classics.NAMES)):
        for language, page in (("en", "README.md"), ("ja", "README.ja.md")):
            heading = (game.folder / page).read_text(encoding="utf-8").partition("\n")[0]
            assert title_in(game, Speaker(language)) == heading.removeprefix("# ")


@pytest.mark.parametrize("thing", list(described()), ids=lambda thing: thing.name)
def test_both_languages_say_the_same(thing: Game | Command) -> None:
    """The English beside the Japanese is what the game itself says, and the numbers are the same in both."""
    assert thing.catalogue["en"][f"{thing.name}.about"] == about_in(thing, ENGLISH) == thing.about
    for option in thing.options:
        for part, english in (("about", option.about), ("takes", option.takes)):
            known, japanese = (
                thing.catalogue[language][f"{thing.name}.option.{option.name}.{part}"] for language in ("en", "ja")
            )
            assert known == english
            assert set(re.findall(r"-?\d+", english)) <= set(re.findall(r"-?\d+", japanese)), option.name


def test_a_game_without_such_words() -> None:
    """A game whose words lack these is described in English."""
    bare = Command("bare", "nothing", lambda: None)  # type: ignore[arg-type,return-value]
    assert about_in(bare, Speaker("ja")) == "nothing"
