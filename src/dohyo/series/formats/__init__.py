"""The formats of contests: who plays whom next. Open the module of a format's name for its rules.

`base.py` is common to all: `FormatInfo` (what a format declares), `Format` (a running format), `Terms`, `Standing`;
`points.py` says what results are worth.
`scheduled.py` is for formats whose whole schedule is fixed beforehand, `seeding.py` for knock-outs, `matchmaking.py`
for those that pair by ratings. `designs.py`, `evenness.py` and `pairing.py` have the combinatorics: who shares a
table, in which order, who meets whom again. `seeds.py` draws seeds and random numbers, `named.py` reads options that
name bots; `brackets.py` and `hills.py` are the data for drawings.

Formats are found automatically: every class here with an `info`. To add one, add a file; no list has to be changed.
Guests bring others by a door (`dohyo.doors`).
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Mapping
from functools import cache

from dohyo import doors
from dohyo.core import notices
from dohyo.core.contest import MAX_ROUNDS
from dohyo.core.contest import USUAL_FORMAT as USUAL
from dohyo.core.errors import OperatorError
from dohyo.core.options import NoChoiceError, Option, Value, nearest
from dohyo.core.spelling import meant as meant_word
from dohyo.series.formats.base import BY_LEAGUE, BY_RATING, BY_SHARE, Format, FormatInfo, Standing, Terms

__all__ = [
    "BY_LEAGUE",
    "BY_RATING",
    "BY_SHARE",
    "MAX_ROUNDS",
    "USUAL",
    "Format",
    "FormatInfo",
    "Standing",
    "Terms",
    "all_formats",
    "chosen",
    "find",
    "make",
]


OTHER_NAMES = {  # what people call a format who do not know its name here, without spaces, dashes and capitals
    **dict.fromkeys(
        ("knockout", "ko", "elimination", "bracket", "cup", "トーナメント", "勝ち抜き", "勝ち抜き戦"),
        "single-elimination",
    ),
    **dict.fromkeys(("allplayall", "everybody", "総当たり", "総当たり戦", "リーグ戦"), "round-robin"),
    **dict.fromkeys(("スイス", "スイス式", "スイスドロー"), "swiss"),
    **dict.fromkeys(("ラダー",), "ladder"),
}


@cache
def all_formats() -> dict[str, type[Format]]:
    """Every format that an operator can choose, by name, in alphabetical order; one that is broken is a notice."""
    found = {}
    for module in _modules():
        for each in vars(importlib.import_module(f"{__name__}.{module}")).values():
            if _is_format(each):
                found[each.info.name] = each
    for name in doors.brought("formats"):
        try:
            found.setdefault(name, _brought(name))
        except OperatorError as error:
            notices.tell(error.key, **error.message.values)
    return {name: format_ for name, format_ in sorted(found.items()) if format_.info.listed}


@cache
def _ours(name: str) -> type[Format] | None:
    """The format of that name, if its module has the name; no other one is imported."""
    module = name.replace("-", "_")
    if module in _modules():
        for each in vars(importlib.import_module(f"{__name__}.{module}")).values():
            if _is_format(each) and each.info.name == name:
                found: type[Format] = each
                return found
    return None


@cache
def _brought(name: str) -> type[Format]:
    """The format that a guest brings under this name. Raises `OperatorError` if it cannot be read, or is none."""
    value = doors.brought("formats")[name]
    found = doors.load(value)
    if not _is_format(found) or found.info.name != name:
        raise OperatorError("guest-broken", name=value, error=f"it is no format called {name}")
    format_: type[Format] = found
    return format_


@cache
def _modules() -> frozenset[str]:
    return frozenset(module.name for module in pkgutil.iter_modules(__path__))


def _is_format(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, Format) and "info" in vars(value)


def chosen(name: str) -> type[Format]:
    """The format that an operator names. Raises `OperatorError` when there is none, or it is not to be chosen."""
    found = find(name)
    if not found.info.listed:
        raise OperatorError("format-unknown", name=name, nearest="", known=", ".join(all_formats()))
    return found


def find(name: str) -> type[Format]:
    """The format of that name, also one that nobody can choose. Raises `OperatorError` when there is none."""
    if (ours := _ours(name)) is not None:
        return ours
    if name in doors.brought("formats"):
        return _brought(name)
    formats = all_formats()
    if name not in formats:
        other = OTHER_NAMES.get(re.sub(r"[\s_-]", "", name).casefold())
        meant = meant_word(other) if other is not None else nearest(name, formats)
        raise OperatorError("format-unknown", name=name, nearest=meant, known=", ".join(formats))
    return formats[name]


def make(
    name: str,
    *,
    seats: tuple[int, int],
    rounds: int,
    seed: int,
    entrants: int,
    options: Mapping[str, Value] | None = None,
) -> Format:
    """The format of that name, before its first batch.

    `seats` is the fewest and the most that a match of the game seats, `rounds` how much is played (each format says
    what a round is), `seed` the contest's (0 to 2**63 - 1), from which random decisions and matches' seeds follow,
    `entrants` how many there are at the start. Raises `OperatorError` when the name, an option or its value is
    unknown, or when the format cannot seat the game.
    """
    format_ = find(name)
    if not 1 <= rounds <= MAX_ROUNDS:
        raise OperatorError("format-rounds", rounds=rounds, most=MAX_ROUNDS)
    resolved = _resolve(format_.info, options or {})
    return format_(Terms(name, seats, rounds, seed, entrants, resolved))


def _resolve(info: FormatInfo, given: Mapping[str, Value]) -> dict[str, Value]:
    """All options: what is given, defaults for the rest."""
    by_name = {option.name: option for option in info.options}
    for key in given:
        if key not in by_name:
            raise OperatorError(
                "format-option-unknown",
                format=info.name,
                key=key,
                nearest=nearest(key, by_name),
                known=", ".join(by_name) or "-",
            )
    return {name: _read(option, given[name]) if name in given else option.default for name, option in by_name.items()}


def _read(option: Option, value: Value) -> Value:
    try:
        return option.default if value == option.default else option.read(value)
    except (ValueError, TypeError) as error:
        close = error.nearest if isinstance(error, NoChoiceError) else ""
        raise OperatorError(
            "format-option-value", key=option.name, value=value, nearest=close, takes=option.takes
        ) from error
