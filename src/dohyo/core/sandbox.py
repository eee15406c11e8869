"""The sandbox as those who start programs see it: what a program may see, and one run of a program in a sandbox.

These types lie in `core` because `runner` and `bots`, which start programs, and `sandbox`, which confines them, do
not import each other. `app/sandboxing.py` joins them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import msgspec

from dohyo import languages
from dohyo.core.faults import Fault

# Where a program finds what its author handed in, and what was built of that, in a sandbox that has a file system of
# its own: the same for every bot, so that no path of the operator's is ever passed on or needed.
HAND_IN = "/bot"
BUILT = "/build"

# The variables of the operator's environment that a bot gets, the same in every command, in a sandbox or not
# (docs/bots.md).
# What changes how a language's programs behave (PYTHONUNBUFFERED, NODE_OPTIONS, JAVA_TOOL_OPTIONS, ...) is not in it:
# a bot must not play well in one shell and badly in the next.
SANDBOX_VARIABLES = frozenset(
    {
        *("PATH", "LANG", "LANGUAGE", "TZ", "TERM", "DOHYO_SEED", "DOHYO_TURN", "DOHYO_BUILD_SECONDS"),
        *(*languages.HOMES, "VIRTUAL_ENV", "PYTHONPATH", "NODE_PATH", "LD_LIBRARY_PATH", "OMP_NUM_THREADS"),
        *("PYTHONHASHSEED", "DOTNET_CLI_TELEMETRY_OPTOUT", "DOTNET_NOLOGO", "MSBUILDDISABLENODEREUSE"),
    }
)
# Without a sandbox, also where a program finds its own files, and ours.
UNSANDBOXED_VARIABLES = frozenset({"HOME", "USER", "LOGNAME", "TMPDIR"})
OUR_PREFIX = "DOHYO_"  # the beginning of our own variables' names


def sandboxed_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The part of an environment that a bot gets in a sandbox."""
    return {name: value for name, value in environment.items() if name in SANDBOX_VARIABLES or name.startswith("LC_")}


def unsandboxed_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The part of an environment that a bot gets without a sandbox; a sandbox passes on a part of that."""
    more = {
        name: value
        for name, value in environment.items()
        if name in UNSANDBOXED_VARIABLES or name.startswith(OUR_PREFIX)
    }
    return {**sandboxed_environment(environment), **more}


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


class SandboxError(RuntimeError):
    """A sandbox could not be made for a program, though the probe could make one: a defect of ours."""


class SandboxedRun(Protocol):
    """One process in a sandbox, with all that it starts; made for one start.

    `command`, `environment` and `folder` are what has to be started in the program's place.
    """

    command: tuple[str, ...]
    environment: Mapping[str, str] | None
    folder: str

    def started(self, pid: int) -> None:
        """The command runs, as process `pid`."""

    def verdict(self, fault: Fault) -> Fault:
        """What `fault` really was: the memory, tasks or disk that had run out, or the fault itself.

        Raises `SandboxError` where the program was never started, and it is not to blame for that.
        """

    def processor_seconds(self) -> float | None:
        """What all that ran in it has computed so far, in seconds of one processor; none where nobody counts that."""

    def close(self) -> None:
        """The process has been stopped: end whatever it left, and give back what the sandbox was made of."""


# From a program's words, its folder and its environment to one run of it in a sandbox.
SandboxFactory = Callable[[Sequence[str], str, Mapping[str, str] | None], SandboxedRun]
