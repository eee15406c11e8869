"""What the laws need to know of Drop-Block."""

from __future__ import annotations

from typing import Any

MARKS = {
    "attack": 80,
    "drop": 100,
    "return": 100,
    "blocked": 30,
    "fall": 5,
}  # how often each must have happened in what the law of frames draws
SETUPS: list[dict[str, Any]] = [
    {},
    {"position_order": "column-row", "idle": True, "turns": 400},
    {"players": "0,0,U/0,17,R/17,0,D/-", "blocks": ",".join(str((7 * n) % 41 - 20) for n in range(36))},
    {"turns": 0},
]
LATE = ",".join("99" if n % 3 else "0" for n in range(36))
PLAYED: list[dict[str, Any]] = [  # what sample bots play
    {"turns": 100},
    {"turns": 100, "position_order": "column-row"},
    {"turns": 100, "position_order": "column-row", "idle": True, "blocks": ",".join(["9"] * 36)},
    {"turns": 60, "players": "0,0,U/-/17,0,D/-", "position_order": "column-row"},
    {"turns": 60, "players": SETUPS[2]["players"], "blocks": SETUPS[2]["blocks"]},
    {"turns": 40, "blocks": LATE},
    {"turns": 1},
    {"turns": 0},
]
