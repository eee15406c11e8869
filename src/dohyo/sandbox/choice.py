"""Which box this machine can make, found out by making one, and the choice of one.

The layers, strongest first: 1 bubblewrap with a control group; 2 bubblewrap with resource limits and the watch;
3 Landlock with resource limits and the watch; 4 none.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache

import msgspec
from msgspec.structs import replace

from dohyo.core.errors import OperatorError
from dohyo.core.house import Builder, House, Mount, Shown
from dohyo.sandbox import bubble, cgroups, confine, places, seccomp
from dohyo.sandbox.cgroups import Groups
from dohyo.sandbox.limits import Limits
from dohyo.sandbox.rooms import Room
from dohyo.sandbox.runtimes import told
from dohyo.system import temporary

MODES = ("auto", "require", "none")
WEAKEST_REQUIRED = 2
PROBE_SECONDS = 10.0
NOTHING = ("/bin/sh", "-c", ":")  # does nothing, whatever the words behind it are
NONE = "none"


class Layer(msgspec.Struct, frozen=True):
    """One layer on this machine: its number, what it is called, whether it works here, and if not, why."""

    number: int
    name: str
    works: bool
    reason: str = ""


class Box:
    """A way to start programs so that they cannot do harm. `name` goes into a replay's header."""

    def __init__(self, layer: int, name: str, groups: Groups | None = None, bubblewrap: str = "") -> None:
        self.layer = layer
        self.name = name
        self._groups = groups
        self._bubblewrap = bubblewrap

    def __repr__(self) -> str:
        return f"Box({self.layer}, {self.name!r})"

    @property
    def own_files(self) -> bool:
        """Whether programs have a file system of their own in it, with neutral paths for what is theirs."""
        return self.layer < 3

    def builder(
        self,
        shown: Shown,
        environment: Mapping[str, str],
        limits: Limits = Limits(),  # noqa: B008  # a frozen value
        *,
        bound: bool = True,
    ) -> Builder | None:
        """What makes a house for every start of a program that sees what is `shown`; None without a box.

        `environment` is the operator's, and says where languages are installed; `bound` keeps the program in its
        process group and on its cores.
        """
        if self.layer == 4:
            return None
        seen = places.view(shown, environment)
        rules = _filter(self._groups is not None, self.own_files, bound)

        def build(words: Sequence[str], start: str, outside: Mapping[str, str] | None) -> Room:
            return self._room(words, os.environ if outside is None else outside, seen, limits, rules)

        return build

    def _room(
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        seen: places.View,
        limits: Limits,
        rules: bytes,
    ) -> Room:
        files, before = [in_memory("entered"), in_memory("filter", rules)], seen
        group, tmp = None, ""
        try:
            if not self._bubblewrap:
                tmp = temporary.make("tmp")
                seen = replace(seen, mounts=(*seen.mounts, Mount(tmp, tmp, writable=True)))
            group = None if self._groups is None else self._groups.make(limits)
            form = {
                "entered": path_of(files[0]),
                "filter_file": path_of(files[1]),
                "doors": [] if group is None else group.doors,
                "grouped": group is not None,
            }
            own = told(words, limits.memory)
            if self._bubblewrap:
                line = bubble.command(self._bubblewrap, seen, limits, own, **form)  # type: ignore[arg-type]
            else:
                line = confine.command(seen, limits, own, **form)  # type: ignore[arg-type]
        except BaseException as problem:
            for file in files:
                os.close(file)
            if group is not None:
                group.remove()
            if tmp:
                os.rmdir(tmp)
            if isinstance(problem, OSError):  # no fault of the program's, which has not been started
                raise OperatorError("no-room-for-programs", reason=problem.strerror) from problem
            raise
        outside = places.kept(environment, tmp or places.TEMPORARY)
        only_read = [mount for mount in seen.mounts if not mount.writable]
        more = {"files": files, "group": group, "writable": seen.writable, "shown": only_read, "tmp": tmp}

        def try_with(own_words: bool) -> bool:
            words = (*NOTHING, *(own if own_words else ()))
            return _is_entered(lambda: self._room(words, environment, before, limits, rules))

        return Room(line, outside, "/", limits, try_with=try_with, **more)  # type: ignore[arg-type]


def _is_entered(make: Callable[[], Room]) -> bool:
    """Whether a house can be made, and the program of it is started."""
    with suppress(OperatorError, OSError, subprocess.TimeoutExpired):
        room = make()
        try:
            _run(room)
            return room.was_entered()
        finally:
            room.close()
    return False


def _run(room: House) -> subprocess.CompletedProcess[bytes]:
    """Run what a house starts to its end. Raises `OSError` and `TimeoutExpired` as `subprocess.run` does."""
    return subprocess.run(
        room.command,
        cwd=room.folder,
        env=dict(room.environment or {}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PROBE_SECONDS,
        check=False,
    )


@cache
def _filter(counted: bool, sockets: bool, bound: bool) -> bytes:
    return seccomp.assemble(platform.machine(), counted=counted, sockets=sockets, bound=bound)


def in_memory(name: str, content: bytes = b"") -> int:
    """The descriptor of a file that is only in memory; a program of ours opens it by its `path_of`."""
    descriptor = os.memfd_create(name)
    os.write(descriptor, content)
    return descriptor


def path_of(descriptor: int) -> str:
    """A path by which other processes of ours can open the file."""
    return f"/proc/{os.getpid()}/fd/{descriptor}"


def choose(mode: str = "auto") -> Box:
    """The strongest box that works here (`auto`), the same or an `OperatorError` (`require`), or none.

    `require` refuses what is weaker than layer 2.
    """
    if mode not in MODES:
        raise OperatorError("unknown-sandbox", mode=mode, known=", ".join(MODES))
    if mode == "none":
        return Box(4, NONE)
    box = strongest()
    if mode == "require" and box.layer > WEAKEST_REQUIRED:
        raise OperatorError("no-sandbox")
    return box


@cache
def strongest() -> Box:
    """The strongest box that works here; looked for once."""
    return next(box for box in _candidates() if box.layer == 4 or not _probe(box))


def at_layer(number: int) -> Box | None:
    """The box of this layer, where it works here; for tests and benchmarks."""
    return next((box for box in _candidates() if box.layer == number and (number == 4 or not _probe(box))), None)


def survey() -> list[Layer]:
    """Every layer, whether it works here, and what each that does not fails at."""
    found: dict[int, Layer] = {}
    for box in _candidates():
        reason = "" if box.layer == 4 else _probe(box)
        if box.layer not in found or (not reason and not found[box.layer].works):
            found[box.layer] = Layer(box.layer, box.name, not reason, reason)
    names = {1: "bubblewrap+seccomp+cgroup", 2: "bubblewrap+seccomp+rlimits", 3: "landlock+seccomp+rlimits"}
    for number, name in names.items():
        found.setdefault(number, Layer(number, name, False, _missing(number)))
    return [found[number] for number in sorted(found)]


def _missing(number: int) -> str:
    """Why a layer is not even tried."""
    if sys.platform != "linux":
        return "not Linux"
    if not seccomp.supports(platform.machine()):
        return f"no seccomp filter for {platform.machine()}"
    if number < 3 and not bubble.programs():
        return "no bubblewrap"
    return "no writable cgroup" if number == 1 else "no Landlock"


@cache
def _candidates() -> list[Box]:
    """What may work here, strongest first."""
    boxes: list[Box] = []
    if sys.platform == "linux" and seccomp.supports(platform.machine()):
        groups = cgroups.find()
        programs = bubble.programs()
        if groups is not None:
            name = f"bubblewrap+seccomp+cgroup-v{groups.version}"
            boxes += [Box(1, name, groups, program) for program in programs]
        boxes += [Box(2, "bubblewrap+seccomp+rlimits", None, program) for program in programs]
        if confine.version() > 0:
            limits = "rlimits" if groups is None else f"cgroup-v{groups.version}"
            boxes.append(Box(3, f"landlock+seccomp+{limits}", groups))
    return [*boxes, Box(4, NONE)]


_PROBED: dict[Box, str] = {}


def _probe(box: Box) -> str:
    """Try it; what it fails at, empty when it works. Remembered."""
    if box not in _PROBED:
        _PROBED[box] = _try(box)
    return _PROBED[box]


def _try(box: Box) -> str:
    # A word that only a program inside can say, and that it cannot say without what the box is made of.
    words = ("/bin/sh", "-c", "echo inside")
    try:
        build = box.builder(Shown("/usr"), os.environ)
        assert build is not None
        house = build(words, "/usr", None)
    except (OSError, OperatorError) as error:
        return (error.strerror if isinstance(error, OSError) else str(error.details["reason"])) or str(error)
    try:
        done = _run(house)
    except subprocess.TimeoutExpired:
        return f"no answer within {PROBE_SECONDS:g} s"
    except OSError as error:
        return error.strerror or str(error)
    finally:
        house.close()
    if done.returncode == 0 and done.stdout == b"inside\n":
        return ""
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return said[-1] if said else f"exit status {done.returncode}"
