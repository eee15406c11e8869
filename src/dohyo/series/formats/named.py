"""Options that name a bot of the contest, by its name or its number, or several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dohyo.core.contest import Entrant
from dohyo.core.errors import OperatorError
from dohyo.core.options import Option, Value, nearest
from dohyo.i18n import Message

MAX_NAMED = 20  # bots that a sentence lists
BOT = Message("takes.bot")
SEVERAL = Message("takes.several-bots")
NUMBERS = Message("takes.numbers-of-bots")
NAMING = (BOT, SEVERAL, NUMBERS)  # what an option takes that names bots


def bot(value: Value) -> int | str:
    """Read a bot's name or number; whose it is shows when the entrants are known (`number_of`)."""
    if isinstance(value, bool) or not isinstance(value, int | str) or value == "":
        raise ValueError
    return value


def bots(value: Value) -> tuple[int | str, ...]:
    """Read several bots, from a list or separated by commas."""
    parts = [part.strip() for part in value.split(",")] if isinstance(value, str) else value
    return tuple(bot(part) for part in parts)


def number_of(option: str, named: int | str, entrants: Sequence[Entrant]) -> int:
    """The number of the first entrant of that name, or of that number.

    Raises `OperatorError` when there is none.
    """
    by_name = {entrant.name: entrant.number for entrant in reversed(entrants)}
    if str(named) in by_name:
        return by_name[str(named)]
    for entrant in entrants:
        if str(named) == str(entrant.number):
            return entrant.number
    known = ", ".join([*list(by_name)[:MAX_NAMED], *(["..."] if len(by_name) > MAX_NAMED else [])])
    raise OperatorError("format-no-bot", key=option, name=named, nearest=nearest(str(named), by_name), known=known)


def renamed(options: Mapping[str, Any], known: Iterable[Option], names: Mapping[str, str]) -> dict[str, Any]:
    """A format's options, those that are `known`, with bots' new names by the old ones."""
    naming = {option.name for option in known if option.takes in NAMING}
    return {key: _renamed(value, names) if key in naming else value for key, value in options.items()}


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """What an option holds: a name or a number, several, or something by name."""
    if isinstance(value, Mapping):
        return {names.get(name, name): own for name, own in value.items()}
    if isinstance(value, str):
        return names.get(value, value)
    return type(value)(_renamed(each, names) for each in value) if isinstance(value, list | tuple) else value
