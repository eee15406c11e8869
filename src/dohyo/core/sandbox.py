"""The sandbox's interface for code that starts programs: what a program may see, and one run of it in a sandbox.

These types are in `core` because `runner` and `bots`, which start programs, and `sandbox`, which confines them, do
not import each other. `match/sandboxing.py` joins them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import msgspec

from dohyo.core.faults import Fault

# Where a program finds what its author handed in, and its build, in a sandbox with its own file system: the same
# paths for every bot, so that no path of the operator's is ever passed on or needed.
HAND_IN = "/bot"
BUILT = "/build"

OUR_PREFIX = "DOHYO_"  # the beginning of our own variables' names
# The beginning of the variables with a bot's parameters (`core/parameters.py`). They come from its own command, never
# from our environment: a value that the operator has exported would go to all bots of a match.
PARAMETER_PREFIX = "DOHYO_PARAM_"

MIB = 1 << 20


class Mount(msgspec.Struct, frozen=True):
    """A file or folder of the machine, and the path by which a program sees it, read-only or writable.

    If a sandbox has no file system of its own, both paths are the same.
    """

    source: str
    target: str
    writable: bool = False


class Shown(msgspec.Struct, frozen=True):
    """What a program sees of the disk besides the system's own folders, and the folder that it starts in.

    The code that starts the program makes this list, from the copy of the hand-in, the language's row and the
    operator's own command line; nothing in it comes from what a bot's author wrote. For `programs` (interpreters and
    compilers, as absolute paths) the whole installations are shown, read-only.
    """

    folder: str
    mounts: tuple[Mount, ...] = ()
    programs: tuple[str, ...] = ()


class Limits(msgspec.Struct, frozen=True):
    """How much a program in the sandbox, with all that it starts, may use.

    Bytes of memory, tasks (processes and threads), bytes on disk, open files, processors (0: all it can get).

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


class SandboxError(RuntimeError):
    """A sandbox could not be made for a program, though the probe could make one: a defect of ours."""


class SandboxedRun(Protocol):
    """One process in a sandbox, with all that it starts. For one start only.

    `command`, `environment` and `folder` are what has to be started instead of the program.
    """

    command: tuple[str, ...]
    environment: Mapping[str, str] | None
    folder: str

    @property
    def ends_together(self) -> bool:
        """Whether all that it started ends with it, by the kernel's hand."""

    def started(self, pid: int) -> None:
        """Note that the command runs, as process `pid`."""

    def began(self) -> int | None:
        """When the program's own command was started in it, on `time.monotonic_ns`; none while it was not."""

    def verdict(self, fault: Fault) -> Fault:
        """The real cause of `fault`: memory, tasks or disk that ran out, or the fault itself.

        Raises `SandboxError` if the program was never started, and is not to blame for that.
        """

    def processor_seconds(self) -> float | None:
        """Processor seconds of everything that ran in it so far; None if not counted."""

    def close(self) -> None:
        """After the process was stopped: end the processes that it left, and release the sandbox's resources."""


# Makes one sandboxed run from a program's words, folder and environment.
SandboxFactory = Callable[[Sequence[str], str, Mapping[str, str] | None], SandboxedRun]
