"""What interpreters have to be told of a limit on memory, so that they collect their garbage before they reach it.

In the box they cannot see the control group; they would take the whole machine's memory for theirs, and a bot would
be stopped for garbage that was never collected.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from dohyo.sandbox.limits import MIB


def told(words: Sequence[str], memory: int) -> tuple[str, ...]:
    """The command with the interpreter's own options for `memory` bytes; the bot's own come later and count more."""
    name = os.path.basename(words[0])
    if name == "java":
        return (words[0], f"-XX:MaxRAM={memory // MIB}m", "-XX:MaxRAMPercentage=60", *words[1:])
    if name in ("node", "nodejs"):
        return (words[0], f"--max-old-space-size={memory * 6 // 10 // MIB}", *words[1:])
    if name == "sbcl":  # takes all of its space at once
        return (words[0], "--dynamic-space-size", f"{memory * 6 // 10 // MIB}MB", *words[1:])
    return tuple(words)
