"""What a contest is begun with: it decides every match, and stays as it is until the contest is over."""

from __future__ import annotations

from typing import Any

import msgspec

from dohyo.core.clock import Clock


class Contender(msgspec.Struct, frozen=True):
    """A bot of the first hour: its name in the contest, and the operator's word for it, whose path is absolute."""

    name: str
    bot: str


class Spec(msgspec.Struct, frozen=True, kw_only=True):
    """A contest's terms.

    `setup` and `options` hold all options of the game and of the format. `clock` is none for the game's usual one.
    `python` is the interpreter for bots in Python. `sandbox` is auto, require or none.
    """

    game: str
    format: str
    rounds: int
    seed: int
    setup: dict[str, Any]
    options: dict[str, Any]
    bots: tuple[Contender, ...]
    clock: Clock | None = None
    sandbox: str = "auto"
    pondering: bool = False
    python: str | None = None


class Difference(msgspec.Struct, frozen=True):
    """What is `stored` of a contest, and what is `given` now, under `key`."""

    key: str
    stored: str
    given: str


def as_stored(spec: Spec) -> dict[str, Any]:
    """The terms as the store keeps them."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(spec))
    return plain


def of_stored(plain: dict[str, Any]) -> Spec:
    """The terms that a store kept."""
    return msgspec.convert(plain, Spec, strict=False)


def difference(stored: Spec, given: Spec) -> Difference | None:
    """The first thing in which they differ; none when they are the same."""
    for field in Spec.__struct_fields__:
        before, after = msgspec.to_builtins(getattr(stored, field)), msgspec.to_builtins(getattr(given, field))
        if before == after or field == "bots":
            continue
        if isinstance(before, dict) and isinstance(after, dict):
            keys = [key for key in {**before, **after} if before.get(key) != after.get(key)]
            return Difference(f"{field}.{keys[0]}", _shown(before.get(keys[0])), _shown(after.get(keys[0])))
        return Difference(field, _shown(before), _shown(after))
    return _of_bots(stored, given)


def _of_bots(stored: Spec, given: Spec) -> Difference | None:
    """A bot is known by its name; where its files lie may change, and what is in them is compared elsewhere."""
    before, after = ({each.name: each.bot for each in spec.bots} for spec in (stored, given))
    if before.keys() != after.keys():
        name = next(name for name in {**before, **after} if (name in before) != (name in after))
        return Difference(f"bots.{name}", before.get(name, "-"), after.get(name, "-"))
    if list(before) != list(after):
        return Difference("bots", ", ".join(before), ", ".join(after))
    return None


def _shown(value: object) -> str:
    return "-" if value is None else msgspec.json.encode(value).decode().strip('"')
