"""The parameters that are tuned: how they are written, and their values as the places of a model.

    depth=1..6            whole numbers
    risk=0.0..1.0         numbers: one of the bounds has a point or an exponent
    rate=1e-4..1:log      by factors: from 0.001 to 0.01 is as far as from 0.01 to 0.1
    mode=calm,bold,mad    one of these words
    depth=1..6:default=4  with the value that the bot has without it

A place is a number from 0 to 1, and for words the number of the word. What a bot is given are texts (`value`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

import msgspec

from dohyo.core import parameters
from dohyo.core.errors import OperatorError

MOST = 12  # parameters at once: with more, hundreds of matches say next to nothing
MAX_WORDS = 30
MAX_WHOLE = 10**15  # a double holds every whole number up to here
DIGITS, ALL_DIGITS = 4, 17  # of a number that is given to a bot: of its range, and at most
NARROW = 1e-6  # of a number
WORD = re.compile(r"[A-Za-z0-9_.+-]{1,40}")
_RANGE = re.compile(r"([^,:]+?)\.\.([^,:]+)")
_WHOLE = re.compile(r"[+-]?[0-9]+")


class Parameter(msgspec.Struct, frozen=True, omit_defaults=True):
    """One parameter: a range of numbers, or words. `default` is the bot's own value, empty if nobody said it."""

    name: str
    low: float = 0.0
    high: float = 0.0
    whole: bool = False
    log: bool = False
    words: tuple[str, ...] = ()
    default: str = ""

    def value(self, place: float) -> str:
        """The text of the value at a place; places outside mean the nearest value."""
        if self.words:
            return self.words[min(max(round(place), 0), len(self.words) - 1)]
        low, high = self._ends
        number = low + min(max(place, 0.0), 1.0) * (high - low)
        number = min(max(math.exp(number) if self._by_factors else number, self.low), self.high)
        return str(int(min(max(round(number), self.low), self.high))) if self.whole else self._text(number)

    def _text(self, number: float) -> str:
        """The text of a number, with as many digits as tell values of a narrow range apart; it is in the range."""
        apart = max(abs(self.low), abs(self.high)) / (self.high - self.low)
        text = f"{number:.{min(DIGITS + max(0, math.ceil(math.log10(apart))), ALL_DIGITS)}g}"
        return text if self.low <= float(text) <= self.high else repr(number)

    def place(self, value: str) -> float:
        """The place of a value, which need not be in the range."""
        if self.words:
            return float(self.words.index(value))
        low, high = self._ends
        number = float(value)
        if self._by_factors:
            number = math.log(max(number, math.exp(low)))
        return (number - low) / (high - low)

    @property
    def _ends(self) -> tuple[float, float]:
        """The ends of the scale; a whole number stands for all that is rounded to it."""
        half = 0.5 if self.whole else 0.0
        low, high = self.low - half, self.high + half
        return (math.log(low), math.log(high)) if self._by_factors else (low, high)

    @property
    def _by_factors(self) -> bool:
        """Whether the scale is logarithmic; in a range that is very narrow no logarithm tells its values apart."""
        return self.log and (self.whole or self.high / self.low > 1 + NARROW)

    @property
    def range(self) -> str:
        """What it may be, as it is typed."""
        if self.words:
            return ",".join(self.words)
        ends = [str(int(end)) if self.whole else repr(end) for end in (self.low, self.high)]
        return "..".join(ends) + (":log" if self.log else "")


def read(words: Sequence[str]) -> tuple[Parameter, ...]:
    """The parameters that the operator typed, NAME=RANGE each. Raises `OperatorError`."""
    found = tuple(_read_one(word) for word in words)
    names = [one.name.lower() for one in found]
    for name in names:
        if names.count(name) > 1:
            raise OperatorError("tune-param-twice", name=name)
    if not 1 <= len(found) <= MOST:
        raise OperatorError("tune-no-params" if not found else "tune-many-params", most=MOST)
    return found


def _read_one(word: str) -> Parameter:
    name, equals, said = word.partition("=")
    if not equals or not parameters.is_name(name):
        raise OperatorError("tune-param", given=word)
    said, *more = said.split(":")
    log = "log" in more
    defaults = [each.removeprefix("default=") for each in more if each.startswith("default=")]
    if len(defaults) > 1 or len(more) != log + len(defaults):
        raise OperatorError("tune-param", given=word)
    found = _range(name, said, log, word) if ".." in said else _words(name, said, log, word)
    return _with_default(found, defaults[0], word) if defaults else found


def _range(name: str, said: str, log: bool, word: str) -> Parameter:
    parts = _RANGE.fullmatch(said)
    try:
        low, high = (float(part) for part in parts.groups()) if parts else (math.nan, math.nan)
    except ValueError:
        low = high = math.nan
    whole = parts is not None and all(_WHOLE.fullmatch(part.strip()) for part in parts.groups())
    if not (math.isfinite(low) and math.isfinite(high)) or max(abs(low), abs(high)) > MAX_WHOLE:
        raise OperatorError("tune-param", given=word)
    if not low < high:
        raise OperatorError("tune-param-order", given=word)
    if log and low <= 0:
        raise OperatorError("tune-param-log", given=word)
    return Parameter(name, low, high, whole, log)


def _words(name: str, said: str, log: bool, word: str) -> Parameter:
    words = tuple(said.split(","))
    is_list = 2 <= len(words) <= MAX_WORDS and len(set(words)) == len(words) and not log
    if not is_list or not all(WORD.fullmatch(each) for each in words):
        raise OperatorError("tune-param", given=word)
    return Parameter(name, words=words)


def _with_default(found: Parameter, default: str, word: str) -> Parameter:
    """The parameter with its default, which must be one of its values: otherwise nobody can compare."""
    try:
        is_inside = default in found.words if found.words else found.low <= float(default) <= found.high
    except ValueError:
        is_inside = False
    if not is_inside or (found.whole and not _WHOLE.fullmatch(default)):
        raise OperatorError("tune-param-default", given=word)
    return msgspec.structs.replace(found, default=default)


def values_along(one: Parameter, count: int) -> list[str]:
    """About so many of its values, evenly from the lowest to the highest; all, where there are few."""
    if one.words:
        return list(one.words)
    if one.whole and one.high - one.low < 2 * count - 2:
        return [str(number) for number in range(int(one.low), int(one.high) + 1)]
    return list(dict.fromkeys(one.value(at / (count - 1)) for at in range(count)))


def values_at(space: Sequence[Parameter], places: Sequence[float]) -> dict[str, str]:
    """The values at these places, by name."""
    return {one.name: one.value(place) for one, place in zip(space, places, strict=True)}


def places_of(space: Sequence[Parameter], values: Mapping[str, str]) -> list[float]:
    """The places of these values."""
    return [one.place(values[one.name]) for one in space]


def toml(space: Sequence[Parameter], values: Mapping[str, str]) -> str:
    """The line of a `bot.toml` that gives a bot these values."""
    said = [f"{one.name} = " + (f'"{values[one.name]}"' if one.words else _number(values[one.name])) for one in space]
    return f"params = {{ {', '.join(said)} }}"


def _number(text: str) -> str:
    """A number as TOML writes it: an exponent such as 1e-05 has no leading zeros there."""
    return re.sub(r"e([+-])0+(?=\d)", r"e\1", text)
