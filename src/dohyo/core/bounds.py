"""How deep what strangers wrote may be, before anything goes into it: most of what does would not come back."""

from __future__ import annotations

import re
from typing import Any

_QUOTED = re.compile(rb'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_SIGNS = re.compile(rb"[\[{\]}]")


def depth_of(json: str | bytes) -> int:
    """How many lists and objects of JSON stand in each other at most; of what is no JSON, some number."""
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
    """Whether more than `most` lists and dicts stand in each other in a value."""
    layer = [value]
    for _ in range(most + 1):
        inner = [each for each in layer if isinstance(each, list | dict)]
        if not inner:
            return False
        layer = [part for each in inner for part in (each.values() if isinstance(each, dict) else each)]
    return True
