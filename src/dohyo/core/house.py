"""What a program runs in, as those who start programs see it. Who builds houses is no concern of theirs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import msgspec

from dohyo.core.faults import Fault

# Where a program finds what its author handed in, and what was built of that, in a sandbox that has a file system of
# its own: the same for every bot, so that no path of the operator's is ever told or needed.
HAND_IN = "/bot"
BUILT = "/build"


class Mount(msgspec.Struct, frozen=True):
    """A file or folder of the machine's and the path by which a program sees it, to read or also to write.

    Where a sandbox has no file system of its own, both paths are the same.
    """

    source: str
    target: str
    writable: bool = False


class Shown(msgspec.Struct, frozen=True):
    """What a program sees of the disk beside the system's own folders, and the folder that it starts in.

    Whoever starts the program makes this list, from the copy of the hand-in, from the language's row and from the
    operator's own command line; nothing in it is ever taken from what a bot's author wrote. Of `programs`
    (interpreters and compilers, as absolute paths) the whole installations are shown, read-only.
    """

    folder: str
    mounts: tuple[Mount, ...] = ()
    programs: tuple[str, ...] = ()


class House(Protocol):
    """The house of one process and of all that it starts, made for one start.

    `command`, `environment` and `folder` are what has to be started in the program's place.
    """

    command: tuple[str, ...]
    environment: Mapping[str, str] | None
    folder: str

    def started(self, pid: int) -> None:
        """The command runs, as process `pid`."""

    def verdict(self, fault: Fault) -> Fault:
        """What `fault` really was: the memory, tasks or disk that had run out, or the fault itself."""

    def processor_seconds(self) -> float | None:
        """What all that ran in it has computed so far, in seconds of one processor; none where nobody counts that."""

    def close(self) -> None:
        """The process has been stopped: end whatever it left, and give back what the house was made of."""


# From a program's words, its folder and its environment to a house for one start of it.
Builder = Callable[[Sequence[str], str, Mapping[str, str] | None], House]
