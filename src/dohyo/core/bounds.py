"""Bounds the nesting of strangers' data before other code walks through it, which could exhaust the stack."""

from __future__ import annotations

import re
from typing import Any

_QUOTED = re.compile(rb'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_SIGNS = re.compile(rb"[\[{\]}]")


def depth_of(json: str | bytes) -> int:
    """The greatest depth of nested lists and objects in JSON; for what is not JSON, any number."""
    content = json.encode("utf-8", "surrogatepass") if isinstance(json, str) else json
    depth = most = 0
    for sign in _SIGNS.findall(_QUOTED.sub(b"", content)):
        if sign in b"[{":
            depth += 1
            most = max(most, depth)
        else:
            depth -= 1
    return most


def is_deeper(value: Any, most: int) -> bool:
    """Whether a value has lists and dicts nested more than `most` deep."""
    layer = [value]
    for _ in range(most + 1):
        inner = [each for each in layer if isinstance(each, list | dict)]
        if not inner:
            return False
        layer = [part for each in inner for part in (each.values() if isinstance(each, dict) else each)]
    return True
