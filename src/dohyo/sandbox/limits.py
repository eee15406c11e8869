"""How much a program in the sandbox, with all that it starts, may use."""

from __future__ import annotations

import msgspec

MIB = 1 << 20


class Limits(msgspec.Struct, frozen=True):
    """Bytes of memory, tasks (processes and threads), bytes on disk, open files, processors (0: all it can get).

    `disk` holds for the private /tmp, and once more for a folder that it may write to; no file is larger. With
    `reserves`, a program may reserve any amount of addresses, and only the memory that it takes counts: sanitizers
    reserve terabytes at their start.
    """

    memory: int = 512 * MIB
    tasks: int = 128
    disk: int = 64 * MIB
    files: int = 1024
    cores: float = 0.0
    reserves: bool = False


# A sanitizer keeps notes on all memory, and room around each piece of it.
DEBUG_MEMORY = 2048 * MIB
# For our process that reads hand-ins.
FOR_READING = Limits(memory=1024 * MIB, tasks=16, disk=16 * MIB, files=256)
# Compilers need more than the bots that they make, and start many processes.
FOR_BUILDING = Limits(memory=2048 * MIB, tasks=512, disk=1024 * MIB, files=4096)
