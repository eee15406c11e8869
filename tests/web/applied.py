"""What `viewer/decode.js` does with a difference, in Python."""

from __future__ import annotations

from typing import Any

from dohyo.web.differences import Difference, Json


def apply(old: Json, change: Difference) -> Json:
    """The value after `difference`; `old` does not change, and the new value shares the equal parts with it."""
    if isinstance(change, list):
        return change[0]
    if not change:
        return old
    if isinstance(old, dict):
        return _apply_to_object(old, change)
    elements = list(old)
    for key, inner in change.items():
        at = int(key)
        if inner == []:
            del elements[at:]
        elif at < len(elements):
            elements[at] = apply(elements[at], inner)
        else:
            elements.append(inner[0])
    return elements


def _apply_to_object(old: dict[str, Json], change: dict[str, Any]) -> dict[str, Json]:
    members = dict(old)
    for name, inner in change.items():
        if inner == []:
            del members[name]
        else:
            members[name] = apply(members.get(name), inner)
    return members
