"""What strangers' JSON may be, before anything decodes it."""

from __future__ import annotations

import re

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
