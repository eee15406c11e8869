"""The formats, found by themselves: every module here with a `KIND`. A sixth is one file; no list is edited."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

from dohyo.contest.formats.kinds import KEYED, NEW, OLD, Batches, Kind, Standing, Terms
from dohyo.core.errors import OperatorError
from dohyo.core.options import NoChoiceError, Option, Value, nearest

__all__ = ["KEYED", "NEW", "OLD", "Batches", "Kind", "Standing", "Terms", "all_kinds", "find", "make"]


MOST_ROUNDS = 1_000_000_000


@cache
def all_kinds() -> dict[str, Kind]:
    """Every format by name, in alphabetical order."""
    modules = [importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)]
    kinds: list[Kind] = [module.KIND for module in modules if hasattr(module, "KIND")]
    return {kind.name: kind for kind in sorted(kinds, key=lambda kind: kind.name)}


def find(name: str) -> Kind:
    """The format of that name. Raises `OperatorError` when there is none."""
    kinds = all_kinds()
    if name not in kinds:
        raise OperatorError("format-unknown", name=name, nearest=nearest(name, kinds), known=", ".join(kinds))
    return kinds[name]


def make(
    name: str,
    *,
    seats: tuple[int, int],
    rounds: int,
    seed: int,
    entrants: int,
    options: Mapping[str, Value] | None = None,
    seeds: int = NEW,
) -> Batches:
    """The format of that name, before its first batch.

    `seats` is the fewest and the most that a match of the game seats, `rounds` how much is played (what of, is the
    format's matter), `seed` the contest's (0 to 2**63 - 1), `entrants` how many there are at the start, `seeds`
    how lots and those of matches follow from it. Raises `OperatorError` when the name, an option or its value is
    none, or when the format cannot seat the game.
    """
    kind = find(name)
    if not 1 <= rounds <= MOST_ROUNDS:
        raise OperatorError("format-rounds", rounds=rounds, most=MOST_ROUNDS)
    resolved = _resolve(kind, options or {})
    return kind.make(Terms(kind.name, seats, rounds, seed, entrants, resolved, seeds))


def _resolve(kind: Kind, given: Mapping[str, Value]) -> dict[str, Value]:
    """All options: what is given, defaults for the rest."""
    by_name = {option.name: option for option in kind.options}
    for key in given:
        if key not in by_name:
            raise OperatorError(
                "format-option-unknown",
                format=kind.name,
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
