"""The descriptions of a game and of its options, in the reader's language.

A game declares these in English (`Game.title`, `Game.about`, `Option.about`, `Option.takes`). Its catalogue may
contain them in other languages, as `<game>.title`, `<game>.about`, `<game>.option.<name>.about` and
`<game>.option.<name>.takes`; a command of the game has them by its own name. If they are missing, the English is
used. `<game>.input.<name>` says what stands on a line of the input, also in English, where the declared words are
only those of a general default.
"""

from __future__ import annotations

from typing import Protocol

from msgspec.structs import replace

from dohyo.core.options import Option, takes_in
from dohyo.i18n import LANGUAGES, Catalogue, Message, Speaker


class Described(Protocol):
    """A game, or one of its commands."""

    @property
    def name(self) -> str:
        """What the operator calls it."""

    @property
    def about(self) -> str:
        """What it is, in English."""

    @property
    def catalogue(self) -> Catalogue:
        """Its own sentences."""


def about_in(thing: Described, speaker: Speaker) -> str:
    """What a game, or one of its commands, is about."""
    return _told(thing, "about", thing.about, speaker)


def option_in(thing: Described, option: Option, speaker: Speaker) -> Option:
    """One of its options, with its description and what it takes, in the speaker's language."""
    about = _told(thing, f"option.{option.name}.about", option.about, speaker)
    if isinstance(option.takes, Message):
        return replace(option, about=about, takes=takes_in(option, speaker))
    return replace(option, about=about, takes=_told(thing, f"option.{option.name}.takes", option.takes, speaker))


def input_in(thing: Described, name: str, meaning: str | Message, speaker: Speaker) -> str:
    """What something in a game's input means, by its name: as its catalogue has it, otherwise what is declared."""
    own = thing.catalogue.get(speaker.language, {}).get(f"{thing.name}.input.{name}")
    if own is not None:
        return own
    return speaker.say(meaning) if isinstance(meaning, Message) else meaning


def _told(thing: Described, key: str, english: str, speaker: Speaker) -> str:
    key = f"{thing.name}.{key}"
    if speaker.language == LANGUAGES[0]:
        return english
    return thing.catalogue.get(speaker.language, {}).get(key, english)
