"""Dictionaries whose keys are attributes too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec


class Struct(dict[str, Any]):
    """A dictionary: `seen["board"]` and `seen.board` are the same. `AttributeError` where there is no such key."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


def record(fields: Mapping[str, Any]) -> Struct:
    """These fields, their values as `as_struct` makes them."""
    return Struct({name: as_struct(value) for name, value in fields.items()})


def as_struct(value: Any) -> Any:
    """The value as plain ones that JSON holds: each dictionary or record in it, however deep, a `Struct`."""
    if isinstance(value, str):
        return str(value)  # not the kind of text that also knows a number
    if isinstance(value, msgspec.Struct):
        return Struct({name: as_struct(getattr(value, name)) for name in value.__struct_fields__})
    if isinstance(value, dict):
        return Struct({key: as_struct(each) for key, each in value.items()})
    if isinstance(value, list | tuple | range):
        return [as_struct(each) for each in value]
    return value
