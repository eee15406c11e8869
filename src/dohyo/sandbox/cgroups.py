"""Control groups, of both versions: one for every program that is started, if we may make them.

Theory of operation
-------------------
A program joins its groups itself, before it becomes the bot: the shell that starts it writes to their lists of
processes. So all limits hold from the bot's first instruction, and the referee does not have to fork itself.

In version 1 each kind of limit has its own tree of groups. In each, we make groups below our own group, so that our
limits hold for the bots too. In version 2 a group that contains processes cannot limit its children: we take the
nearest group above us that passes memory and pids on; if there is none, we move into a new group, where we are alone.

The names say whose they are (`dohyo-PID-N`): the groups of a referee that was killed are removed by the next one.
"""

from __future__ import annotations

import atexit
import os
import re
import time
from collections import deque
from contextlib import suppress
from pathlib import Path

from dohyo.core.sandbox import Limits

NEEDED = ("memory", "pids")
OWN_TASKS = 2  # of bubblewrap: one waits outside, one inside
NUMBER_BYTES = 7  # of the number in a group's name
PERIOD = 100_000  # microseconds in which a share of the processors is counted
TRIES, PAUSE = 100, 0.005  # tries to remove a group whose last process is just ending; seconds between them
YOUNG = 60.0  # seconds
_OURS = re.compile(r"dohyo-(\d+)-\d+")


class Groups:
    """Where groups can be made: the parent folder of each kind, and the version."""

    def __init__(self, version: int, parents: dict[str, Path]) -> None:
        self.version = version
        self.parents = parents

    def make(self, limits: Limits) -> Group:
        """A new, empty group with these limits. Raises `OSError`."""
        remove_left()
        # No count: a program that sees its group's name would know how many were started before it.
        name = f"dohyo-{os.getpid()}-{int.from_bytes(os.urandom(NUMBER_BYTES), 'little')}"
        group = Group(self.version, {kind: parent / name for kind, parent in self.parents.items()})
        try:
            group.set_up(limits)
        except OSError:
            group.remove()
            raise
        return group

    def sweep(self) -> None:
        """Remove the groups of referees that have ended: below our place, and below the places beside it.

        A referee that was killed had another place, if each of a user's sessions has its own. There may also be a
        referee in a container beside us, whose process number we cannot know: so groups stay that are so new that
        their program may not have joined yet.
        """
        for own in set(self.parents.values()):
            _sweep(own, 0.0)
            for place in _beside(own):
                _sweep(place, YOUNG)


class Group:
    """One program's group: a folder, or in version 1 one for each kind of limit."""

    def __init__(self, version: int, folders: dict[str, Path]) -> None:
        self.version = version
        self._folders = folders

    @property
    def doors(self) -> list[str]:
        """The files to which a process of one thread writes "0" to join.

        In version 1 that is the list of threads: to move a whole process, the kernel waits for every processor, 10 to
        20 ms; a thread that moves itself is moved at once.
        """
        file = "tasks" if self.version == 1 else "cgroup.procs"
        return list(dict.fromkeys(str(folder / file) for folder in self._folders.values()))

    def set_up(self, limits: Limits) -> None:
        """Make the folders, and write the limits."""
        for folder in dict.fromkeys(self._folders.values()):
            folder.mkdir()
        memory, pids = self._folders["memory"], self._folders["pids"]
        if self.version == 1:
            _write(memory / "memory.limit_in_bytes", limits.memory)
            with suppress(OSError):  # only where the kernel counts swap
                _write(memory / "memory.memsw.limit_in_bytes", limits.memory)
        else:
            _write(memory / "memory.max", limits.memory)
            for file, value in (("memory.swap.max", 0), ("memory.oom.group", 1)):
                with suppress(OSError):
                    _write(memory / file, value)
        _write(pids / "pids.max", limits.tasks + OWN_TASKS)
        if limits.cores and "cpu" in self._folders:
            quota = int(limits.cores * PERIOD)
            with suppress(OSError):  # version 1 refuses a limit above a parent's; the parent's holds anyway
                if self.version == 1:
                    _write(self._folders["cpu"] / "cpu.cfs_quota_us", quota)
                else:
                    _write(self._folders["cpu"] / "cpu.max", f"{quota} {PERIOD}")

    def ran_out_of_memory(self) -> bool:
        """Whether the kernel has killed a process of the group because memory ran out."""
        file = "memory.oom_control" if self.version == 1 else "memory.events"
        return _count(self._folders["memory"] / file, "oom_kill") > 0

    def ran_out_of_tasks(self) -> bool:
        """Whether a process or thread could not be started because there were too many."""
        return _count(self._folders["pids"] / "pids.events", "max") > 0

    def processor_seconds(self) -> float | None:
        """The processor seconds of the whole group so far; none if not counted."""
        try:
            if self.version == 1:
                return int((self._folders["cpuacct"] / "cpuacct.usage").read_text()) / 1e9
            return _count(self._folders["memory"] / "cpu.stat", "usage_usec") / 1e6
        except (KeyError, OSError, ValueError):
            return None

    def kill(self) -> bool:
        """Send SIGKILL to all processes of the group; returns whether there were any."""
        if self.version == 2:  # from Linux 5.14 on the kernel does it itself, and no fork escapes
            with suppress(OSError):
                _write(self._folders["pids"] / "cgroup.kill", 1)
        with suppress(OSError):
            members = [int(line) for line in (self._folders["pids"] / "cgroup.procs").read_text().split()]
            for member in members:
                with suppress(OSError):
                    os.kill(member, 9)
            return bool(members)
        return False

    def remove(self) -> None:
        """Remove the group, and kill its processes. If one of them is slow to end, the group is removed later."""
        for _ in range(TRIES):
            if self._is_removed():
                return
            self.kill()
            time.sleep(PAUSE)
        _LEFT.append(self)

    def _is_removed(self) -> bool:
        for folder in dict.fromkeys(self._folders.values()):
            try:
                folder.rmdir()
            except FileNotFoundError:
                continue
            except OSError:
                return False
        return True


_LEFT: deque[Group] = deque()  # groups with a process that was slow to end


@atexit.register
def remove_left() -> None:
    """Remove the groups that could not be removed before, as far as possible."""
    for _ in range(len(_LEFT)):
        with suppress(IndexError):  # another thread that builds a bot may do this too
            group = _LEFT.popleft()
            if group.kill() or not group._is_removed():
                _LEFT.append(group)


def _sweep(place: Path, age: float) -> None:
    """Remove the groups below a place whose referee has ended, and that are at least so many seconds old."""
    with suppress(OSError):
        for entry in os.scandir(place):
            found = _OURS.fullmatch(entry.name)
            if found and not os.path.exists(f"/proc/{found[1]}") and time.time() - entry.stat().st_mtime >= age:
                with suppress(OSError):
                    os.rmdir(entry)


def _beside(place: Path) -> list[Path]:
    """The groups that have the same parent; none where the place is the root of its tree."""
    with suppress(OSError):
        if not os.path.ismount(place):
            return [Path(entry) for entry in os.scandir(place.parent) if entry.is_dir(follow_symlinks=False)]
    return []


def find() -> Groups | None:
    """Where groups with limits on memory and tasks can be made; none where they cannot."""
    for search in (_second_version, _first_version):
        try:
            groups = search()
        except OSError:
            continue
        if groups is not None and _works(groups):
            groups.sweep()
            return groups
    return None


def _works(groups: Groups) -> bool:
    try:
        group = groups.make(Limits())
    except OSError:
        return False
    usable = all(os.access(door, os.W_OK) for door in group.doors)
    group.remove()
    return usable


def mounts() -> dict[str, tuple[str, str]]:
    """The kinds of version 1, and "" for version 2: where each is mounted, and our own place in it."""
    own: dict[str, str] = {}
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, kinds, place = line.split(":", 2)
        for kind in kinds.split(","):
            own[kind] = place
    found: dict[str, tuple[str, str]] = {}
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        before, _, after = line.partition(" - ")
        root, point = before.split()[3:5]
        kind, _, options = after.split(" ", 2)
        names = [""] if kind == "cgroup2" else options.split()[-1].split(",") if kind == "cgroup" else []
        for name in names:
            if name in own and name not in found:
                below = os.path.relpath(own[name], root)
                found[name] = (point, "/" if below.startswith("..") else os.path.join("/", below))
    return found


def _first_version() -> Groups | None:
    places = mounts()
    kinds = [kind for kind in (*NEEDED, "cpu", "cpuacct") if kind in places]
    if not set(NEEDED) <= set(kinds):
        return None
    parents = {kind: Path(places[kind][0] + places[kind][1]) for kind in kinds}
    writable = {kind: path for kind, path in parents.items() if kind in NEEDED or os.access(path, os.W_OK)}
    return Groups(1, writable)


def _second_version() -> Groups | None:
    places = mounts()
    if "" not in places:
        return None
    top = Path(places[""][0])
    own = Path(f"{top}{places[''][1]}")
    for parent in (own, *own.parents):
        if os.access(parent, os.W_OK) and set(NEEDED) <= set(_passed_on(parent)):
            return Groups(2, dict.fromkeys([kind for kind in (*NEEDED, "cpu") if kind in _passed_on(parent)], parent))
        if parent == top:
            break
    return _alone(own)


def _passed_on(group: Path) -> list[str]:
    return (group / "cgroup.subtree_control").read_text().split()


def _alone(own: Path) -> Groups | None:
    """Make our own group able to have children, by moving out of it; move back if others stay in it."""
    if not set(NEEDED) <= set((own / "cgroup.controllers").read_text().split()):
        return None
    if set((own / "cgroup.procs").read_text().split()) - {str(os.getpid())}:
        return None
    inner = own / f"dohyo-{os.getpid()}-0"
    inner.mkdir(exist_ok=True)
    kinds = list(NEEDED)
    try:
        _write(inner / "cgroup.procs", os.getpid())
        _write(own / "cgroup.subtree_control", " ".join(f"+{kind}" for kind in NEEDED))
    except OSError:
        with suppress(OSError):
            _write(own / "cgroup.procs", os.getpid())
            inner.rmdir()
        return None
    with suppress(OSError):  # for a share of the processors, which users do not always get
        _write(own / "cgroup.subtree_control", "+cpu")
        kinds.append("cpu")
    return Groups(2, dict.fromkeys(kinds, own))


def _write(file: Path, value: object) -> None:
    with open(file, "w") as out:
        out.write(str(value))


def _count(file: Path, word: str) -> int:
    """The number after `word` in a file of words and numbers; 0 without it."""
    with suppress(OSError, ValueError):
        for line in file.read_text().splitlines():
            name, _, number = line.partition(" ")
            if name == word:
                return int(number)
    return 0
