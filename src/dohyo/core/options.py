"""Setup options: what a game lets the operator choose before a match."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from dohyo.core.errors import OperatorError
from dohyo.i18n import Catalogue, Message, Speaker
from dohyo.i18n.catalogue import USUAL

MAX_NAMED = 10  # names that a sentence lists
LONGEST_SHOWN = 200  # characters of a value that a sentence shows

Value = Any  # what JSON holds: a number, a text, a list of numbers, none


class Option(msgspec.Struct, frozen=True):
    """One choice of a setup.

    `read` turns the operator's word, or a value from Python or JSON, into the value that the setup holds, and raises
    `ValueError` with a short reason when it cannot. `takes` says what is accepted, in words or as a message. `told`:
    whether every bot is told its value, because a bot's input is written by it; not for what a seat must not know.
    `left_out`: whether a setup does not name it where it has its default, so that older setups without it are the
    same. `takes_setup`: whether what a value means depends on the options before it, so that `read` takes the setup
    so far, too.
    """

    name: str
    default: Value
    takes: str | Message
    about: str
    read: Callable[..., Value]
    told: bool = False
    left_out: bool = False
    takes_setup: bool = False


class NoChoiceError(ValueError):
    """A word that is not allowed; `nearest` is the one that was probably meant, as `nearest()` returns it."""

    def __init__(self, nearest: Message | str) -> None:
        super().__init__()
        self.nearest = nearest


def whole(low: int, high: int) -> Callable[[Value], int]:
    """A reader of whole numbers from `low` to `high`."""

    def read(value: Value) -> int:
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise ValueError
        number = int(value)
        if not low <= number <= high:
            raise ValueError
        return number

    return read


def one_of(*choices: str) -> Callable[[Value], str]:
    """A reader of one of a few words."""

    def read(value: Value) -> str:
        if not isinstance(value, str):
            raise ValueError
        if value not in choices:
            raise NoChoiceError(nearest(value, choices))
        return value

    return read


def yes_no(value: Value) -> bool:
    """Read yes or no, true or false, 1 or 0."""
    if isinstance(value, bool):
        return value
    words = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
    word = value.lower() if isinstance(value, str) else "1" if value == 1 else "0" if value == 0 else ""
    if word not in words:
        raise ValueError
    return words[word]


def resolve(options: Sequence[Option], given: Mapping[str, Value], own: Catalogue | None = None) -> dict[str, Value]:
    """The whole setup: the given values, and defaults for the rest; `own` are the game's sentences.

    Raises `OperatorError` for an unknown key or a value that its option does not take.
    """
    by_name = {option.name: option for option in options}
    for key in given:
        if not options:
            raise OperatorError("no-setup-keys", key=key)
        if key not in by_name:
            raise OperatorError("unknown-setup-key", key=key, nearest=nearest(key, by_name), known=", ".join(by_name))
    setup = {}
    for option in options:
        setup[option.name] = option.default
        if option.name in given and given[option.name] != option.default:
            try:
                setup[option.name] = option.read(given[option.name], *([setup] if option.takes_setup else []))
            except (ValueError, TypeError) as error:
                close = error.nearest if isinstance(error, NoChoiceError) else ""
                raise OperatorError(
                    "bad-setup-value",
                    key=option.name,
                    value=shown(given[option.name]),
                    nearest=close,
                    takes=takes_of(option, own),
                ) from error
        if option.left_out and setup[option.name] == option.default:
            del setup[option.name]
    return setup


def is_whole(options: Sequence[Option], setup: Mapping[str, Value]) -> bool:
    """Whether it can be what `resolve` returned: no value is missing, or a word or list in the place of a number."""
    return all(_is_read(setup[each.name], each.default) if each.name in setup else each.left_out for each in options)


def _is_read(value: Value, default: Value) -> bool:
    if isinstance(default, int | float):
        return isinstance(value, int | float)
    return isinstance(value, str | list) if isinstance(default, str) else not isinstance(value, str)


def takes_of(option: Option, own: Catalogue | None) -> Message | str:
    """What an option takes, as a game or one of its commands says it, whose sentences these are."""
    end = f".option.{option.name}.takes"
    key = next((key for key in (own or {}).get(USUAL, {}) if key.endswith(end)), None)
    return option.takes if key is None else Message(key)


def takes_in(option: Option, speaker: Speaker) -> str:
    """What an option takes, in words."""
    return option.takes if isinstance(option.takes, str) else speaker.say(option.takes)


def from_to(least: int, most: int) -> Message:
    """What an option takes: a number from one to another."""
    return Message("takes.from-to", {"least": least, "most": most})


def either(one: str, other: str) -> Message:
    """What an option takes: one of two words."""
    return Message("takes.or", {"one": one, "other": other})


def one_word(words: Sequence[str]) -> Message:
    """What an option takes: one of some words."""
    return Message("takes.one-of", {"words": ", ".join(words)})


def shown(value: Value) -> object:
    """A value as a sentence can show it: values in files may be very long."""
    try:
        text = str(value)
    except (ValueError, RecursionError):
        return "..."
    return value if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."


def nearest(word: str, known: Mapping[str, Any] | Sequence[str]) -> Message | str:
    """The known word that this one was probably meant to be, for a sentence's end; empty when there is none."""
    from dohyo.core import spelling

    return spelling.nearest(word, known)


def some_of(names: Sequence[str]) -> str:
    """The names for a sentence: at most ten, and how many more there are."""
    more = f", ... (+{len(names) - MAX_NAMED})" if len(names) > MAX_NAMED else ""
    return ", ".join(names[:MAX_NAMED]) + more


def told(options: Sequence[Option], setup: Mapping[str, Value]) -> dict[str, Value]:
    """What bots are told of a setup, which may lack what is as usual.

    Raises `OperatorError` for a value that its option does not take: a replay's setup may be anything.
    """
    known = [option for option in options if option.told]
    return resolve(known, {option.name: setup[option.name] for option in known if option.name in setup})
