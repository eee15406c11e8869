"""What a program in the sandbox and all that it starts may use together, and how interpreters are told of it."""

from __future__ import annotations

import os
from collections.abc import Sequence

import msgspec

MIB = 1 << 20


class Limits(msgspec.Struct, frozen=True):
    """Bytes of memory, tasks (processes and threads), bytes on disk, open files, processors (0: all it can get).

    `disk` holds for the private /tmp, and once more for a folder that it may write to; no file is larger.
    """

    memory: int = 512 * MIB
    tasks: int = 128
    disk: int = 64 * MIB
    files: int = 1024
    cores: float = 0.0


# Hand-ins are read by a process of ours.
FOR_READING = Limits(memory=1024 * MIB, tasks=16, disk=16 * MIB, files=256)
# Compilers are larger than what they make, and start many of their kind.
FOR_BUILDING = Limits(memory=2048 * MIB, tasks=512, disk=1024 * MIB, files=4096)


# Interpreters cannot see the control group from inside the sandbox: they would take the whole machine's memory for
# theirs, and a bot would be stopped for garbage that was never collected.
def with_memory_limit(words: Sequence[str], memory: int) -> tuple[str, ...]:
    """The command with the interpreter's own options for `memory` bytes; the bot's own come later and count more."""
    name = os.path.basename(words[0])
    if name == "java":
        return (words[0], f"-XX:MaxRAM={memory // MIB}m", "-XX:MaxRAMPercentage=60", *words[1:])
    if name in ("node", "nodejs"):
        return (words[0], f"--max-old-space-size={memory * 6 // 10 // MIB}", *words[1:])
    if name == "sbcl":  # takes all of its space at once
        return (words[0], "--dynamic-space-size", f"{memory * 6 // 10 // MIB}MB", *words[1:])
    return tuple(words)
