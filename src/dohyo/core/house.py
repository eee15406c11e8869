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

# What a bot is told of the operator's environment, the same in every command, in a sandbox or not (docs/bots.md).
# What changes how a language's programs behave (PYTHONUNBUFFERED, NODE_OPTIONS, JAVA_TOOL_OPTIONS, ...) is not in it:
# a bot must not play well in one shell and badly in the next.
HOMES = ("RUSTUP_HOME", "JAVA_HOME", "GOROOT", "DOTNET_ROOT")
TOLD = frozenset(
    {
        *("PATH", "LANG", "LANGUAGE", "TZ", "TERM", "DOHYO_SEED", "DOHYO_TURN", "DOHYO_BUILD_SECONDS"),
        *(*HOMES, "VIRTUAL_ENV", "PYTHONPATH", "NODE_PATH", "LD_LIBRARY_PATH", "OMP_NUM_THREADS"),
        *("PYTHONHASHSEED", "DOTNET_CLI_TELEMETRY_OPTOUT", "DOTNET_NOLOGO", "MSBUILDDISABLENODEREUSE"),
    }
)
# Without a sandbox, also where a program finds its own files, and ours.
TOLD_AT_HOME = frozenset({"HOME", "USER", "LOGNAME", "TMPDIR"})
OURS = "DOHYO_"  # the beginning of our own variables' names


def told(environment: Mapping[str, str]) -> dict[str, str]:
    """What of an environment a bot is told in a sandbox."""
    return {name: value for name, value in environment.items() if name in TOLD or name.startswith("LC_")}


def told_at_home(environment: Mapping[str, str]) -> dict[str, str]:
    """What of an environment a bot is told without a sandbox; a sandbox takes what it tells from that."""
    more = {name: value for name, value in environment.items() if name in TOLD_AT_HOME or name.startswith(OURS)}
    return {**told(environment), **more}


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


class BoxError(RuntimeError):
    """A house could not be made for a program, though the probe could make one: a defect of ours."""


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
        """What `fault` really was: the memory, tasks or disk that had run out, or the fault itself.

        Raises `BoxError` where the program was never started, and it is not to blame for that.
        """

    def processor_seconds(self) -> float | None:
        """What all that ran in it has computed so far, in seconds of one processor; none where nobody counts that."""

    def close(self) -> None:
        """The process has been stopped: end whatever it left, and give back what the house was made of."""


# From a program's words, its folder and its environment to a house for one start of it.
Builder = Callable[[Sequence[str], str, Mapping[str, str] | None], House]
