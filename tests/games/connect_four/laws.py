"""What the laws need to know of connect four."""

from __future__ import annotations

from typing import Any

MARKS = {"four": 40}  # how often it must have happened in what the law of frames draws
SETUPS: list[dict[str, Any]] = [{}, {"moves": "3342"}, {"moves": "330254564223355224331121550404"}]
