"""How an XBoard engine (CECP, version 2) is told a match, its time, and moves. No input or output.

The engine keeps the match itself: it is told where it begins, and after that each move of the other side once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from dohyo.core.clock import Clock
from dohyo.guests.engines.uci_protocol import is_limit, spare

PROTOCOL = "xboard"
LIMITS = ("go_depth",)  # values that are no options of the engine, but limits of every search
USUAL = "startpos"
HURRY = b"?\n"  # move now
# A line of what it thinks: depth, score, hundredths of a second, positions, moves.
THOUGHT = re.compile(rb"\s*(\d{1,4})[.+&]?\s+(-?\d{1,9})\s+(\d{1,12})\s+(\d{1,18})\s+(.*)")
MATE = 100_000  # a score beyond this is a mate in so many moves


def opening(start: str, clock: Clock, settings: Mapping[str, str], ponders: bool = False, variant: str = "") -> str:
    """The lines before a match; `start` is what stands behind `position` in UCI: startpos, or fen ...

    If it `ponders`, an engine may think while the other side moves.
    """
    told = [f"variant {variant}"] if variant else []
    lines = ["new", *told, "hard" if ponders else "easy", "post", *_level(clock)]
    if is_limit(depth := settings.get("go_depth", "")):
        lines.append(f"sd {depth}")
    lines.append("force")
    if start != USUAL:
        lines.append(f"setboard {start.removeprefix('fen ')}")
    return "".join(f"{line}\n" for line in lines)


def turn(moves: Sequence[str], own: float, other: float, is_first: bool, has_time: bool, prefix: str) -> bytes:
    """The lines of a turn: what both sides have left, in seconds, and the moves that the engine has not been told."""
    lines = [f"time {_centiseconds(own)}", f"otim {_centiseconds(other)}"] if has_time else []
    lines += [prefix + move for move in moves]
    if is_first:
        lines.append("go")
    return "".join(f"{line}\n" for line in lines).encode()


def _level(clock: Clock) -> list[str]:
    """How much time there is: for the match, or for each turn, of which XBoard's protocol has whole seconds."""
    if not clock.is_whole_match:
        usual = clock.limit(False)
        seconds = usual if clock.has_reserve else usual - spare(usual)
        return [f"st {int(seconds)}" if seconds >= 1 else f"st {seconds:.2f}"]
    base = max(1, int(clock.bank))
    return [f"level {clock.moves} {base // 60}:{base % 60:02} {clock.increment:g}"]


def _centiseconds(seconds: float) -> int:
    return max(1, int(seconds * 100))
