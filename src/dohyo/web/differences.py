"""What changed between two JSON values: how frames travel to a browser.

A difference is itself JSON:

    {"name": difference, ...}   in an object, these members changed; in an array, these indices (as decimal texts)
    [value]                     the value is now this one; a new member, or one more element of an array
    []                          the member is gone; in an array: this element and all that follow

Members that are not named stay as they are. `viewer/decode.js` applies what `difference` makes. Equality
is JSON's: `1` and `true` differ, a tuple is an array.
"""

from __future__ import annotations

from typing import Any

import msgspec

Json = Any
Difference = dict[str, Any] | list[Any]

NOTHING: Difference = {}

_ARRAYS = (list, tuple)  # made once: `list | tuple` would be made anew at every element
_encode = msgspec.json.Encoder().encode


def difference(old: Json, new: Json) -> Difference:
    """What turns `old` into `new`; `NOTHING` when they are equal."""
    if isinstance(new, dict):
        return _members(old, new) if isinstance(old, dict) else [new]
    if isinstance(new, _ARRAYS):
        if not isinstance(old, _ARRAYS):
            return [new]
        # Most of a frame stays as it was, and to see that as text is twenty times as fast as element by element.
        return NOTHING if _encode(old) == _encode(new) else _elements(old, new)
    return NOTHING if type(old) is type(new) and old == new else [new]


def _members(old: dict[str, Json], new: dict[str, Json]) -> Difference:
    change: dict[str, Any] = {name: [] for name in old if name not in new}
    for name, value in new.items():
        if name in old and value is old[name]:
            continue
        inner = difference(old[name], value) if name in old else [value]
        if inner != NOTHING:
            change[name] = inner
    return change


def _elements(old: list[Json] | tuple[Json, ...], new: list[Json] | tuple[Json, ...]) -> Difference:
    change: dict[str, Any] = {}
    known = len(old)
    for at, value in enumerate(new):
        if at < known and value is old[at]:  # most numbers and words that are equal
            continue
        inner = difference(old[at], value) if at < known else [value]
        if inner != NOTHING:
            change[str(at)] = inner
    if len(new) < known:
        change[str(len(new))] = []
    # A list that is mostly new takes less space as a whole.
    if 2 * len(change) > len(new) and all(isinstance(inner, list) for inner in change.values()):
        return [list(new)]
    return change
