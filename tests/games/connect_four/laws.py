"""What the laws need to know of connect four."""

from __future__ import annotations

from typing import Any

MARKS = {"four": 40}  # how often it must have happened in what the law of frames draws
NO_FOUR = "330254564223355224331121550404466660106011"  # a whole match that nobody wins
SETUPS: list[dict[str, Any]] = [{}, {"moves": "3342"}, {"moves": "2266"}, *({"moves": NO_FOUR[:n]} for n in (30, 38))]
PLAYED: list[dict[str, Any]] = [*SETUPS, {"moves": "334"}, {"moves": NO_FOUR[:37]}, {"moves": NO_FOUR[:41]}]
