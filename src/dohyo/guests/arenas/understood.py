"""What the readers of other programs' command lines share: groups of words, numbers, our own words among theirs."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from dohyo.bots.typed_words import named
from dohyo.core.errors import OperatorError
from dohyo.core.options import nearest
from dohyo.i18n import Message

if TYPE_CHECKING:
    from dohyo.core.game import Game

MOST = 1_000_000_000  # of rounds and matches
MAX_DIGITS = 18
# Our own words, which may stand among the others, with one dash or two: whether each has a value.
OWN: Mapping[str, bool] = {
    "game": True,
    "setup": True,
    "store": True,
    "name": True,
    "save": True,
    "clock": True,
    "sandbox": True,
    "python": True,
    "lang": True,
    "trust": False,
    "itself": False,
    "json": False,
    "fault-is-last": False,
}
CONTEST_ONLY = ("store", "name", "fault-is-last")  # `dohyo compare` has no such options
COMPARE_ONLY = ("save", "itself")


class Understood(msgspec.Struct, frozen=True, kw_only=True):
    """A command line as it was understood: `words` say it in ours, after `dohyo`.

    `notes` are keys of sentences that the operator should read. A contest's matches go to the file `pgn` at its end,
    with `site` as their place if there is one and without comments if that `is_bare`, and what was written in each to
    the folder `logs`; `store` and `name` are where they are.
    """

    words: tuple[str, ...]
    notes: tuple[str, ...] = ()
    pgn: str | None = None
    site: str | None = None
    is_bare: bool = False
    logs: str | None = None
    store: str = "contest.db"
    name: str | None = None


def is_option(word: str) -> bool:
    """Whether a word is an option and not a value: a negative number is a value."""
    return word.startswith("-") and len(word) > 1 and not (word[1].isdigit() or word[1] == ".")


def groups(words: Sequence[str], tool: str) -> list[tuple[str, list[str]]]:
    """Each option with the values behind it. Raises `OperatorError` for a value that stands behind none."""
    found: list[tuple[str, list[str]]] = []
    for word in words:
        if is_option(word):
            option, equals, value = word.partition("=")
            found.append((option, [value] if equals else []))
        elif found:
            found[-1][1].append(word)
        else:
            raise unknown(word, (), tool)
    return found


def own_word(option: str, values: Sequence[str]) -> tuple[str, str | None] | None:
    """One of our own words and its value; none for any other word. Raises `OperatorError` for a wrong value."""
    bare = option.lstrip("-")
    if bare not in OWN:
        return None
    if OWN[bare]:
        return bare, single(option, values, Message("takes.value"))
    nothing(option, values)
    return bare, None


def single(option: str, values: Sequence[str], takes: str | Message) -> str:
    """The one value of an option. Raises `OperatorError` for none, and for several."""
    if not values or not values[0]:
        raise OperatorError("words-lacks", word=option, takes=takes)
    if len(values) > 1:
        raise OperatorError("words-value", word=option, value=" ".join(values), takes=takes)
    return values[0]


def nothing(option: str, values: Sequence[str]) -> None:
    """Raise `OperatorError` for a value behind an option that takes none."""
    if values:
        raise OperatorError("words-value", word=option, value=" ".join(values), takes="-")


def number(option: str, value: str, least: int = 1, most: int = MOST) -> int:
    """A whole number. Raises `OperatorError` for anything else, and outside the bounds."""
    if value.isascii() and value.isdecimal() and len(value) <= MAX_DIGITS and least <= int(value) <= most:
        return int(value)
    takes = Message("takes.from-to", {"least": least, "most": most})
    raise OperatorError("words-value", word=option, value=value, takes=takes)


def unknown(word: str, known: Iterable[str], tool: str) -> OperatorError:
    """The error for a word that is in no list."""
    return OperatorError("words-unknown", word=word, tool=tool, nearest=nearest(word, list(known)))


def game_of(name: str, key: str) -> Game:
    """The game of this name, or of this referee's file.

    Raises `OperatorError`: with the sentence `key`, which tells what games there are, for a name that is none.
    """
    from dohyo.executors.refereed import game_of_word

    try:
        return game_of_word(name)
    except OperatorError as error:
        if error.key != "unknown-game":
            raise
        raise OperatorError(key, word=name, known=all_names()) from error


def all_names() -> str:
    """The names of all games, the classics too."""
    from dohyo import classics, games

    return ", ".join(dict.fromkeys((*games.all_games(), *classics.NAMES)))


def word_of(game: Game) -> str:
    """What our commands call a game: its name, or its referee's file."""
    return game.name if game.referee is None else os.path.relpath(game.referee.file)


def bot_word(name: str, word: str) -> str:
    """What is typed for a bot, as NAME=BOT if it has a name. Raises `OperatorError` where that would be another."""
    if "\0" in word or "\0" in name:
        raise OperatorError("words-value", word="cmd", value=word, takes=Message("takes.command"))
    if not name:
        if is_option(word) or named(word).name:
            raise OperatorError("words-nameless", word=word)
        return word
    made = f"{name}={word}"
    meant = named(made)
    if (meant.name, meant.text) != (name, word) or not name.isprintable():
        raise OperatorError("words-name", name=name, better="-".join(name.split()) or "A")
    return made


def command_of(path: str, arguments: Sequence[str], values: Sequence[str]) -> str:
    """The word for a program with arguments and with values of its parameters."""
    if not arguments and not values:
        return path
    first = shlex.quote(path) if os.path.lexists(os.path.expanduser(path)) else path
    return " ".join([first, *map(shlex.quote, [*arguments, *values])])
