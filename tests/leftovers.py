"""What a run of the tests has left on the machine: looked for once, when all its workers have ended.

Theory of operation
-------------------
A run marks what is its own, so that nothing is blamed on it that somebody else does meanwhile. Its processes bear
`VARIABLE` in their environment. Its temporary files lie in a folder of its own, and so do the caches that compilers
keep (`CACHES`): what is still in that folder at the end, but for the caches, was left. Where no mark can be set,
names tell: those that Dohyo gives to control groups, network namespaces and shared memory hold a process's number.

pytest's own `tmp_path` stays where pytest puts it, for three runs; mounts below it are looked for too.

Nothing tells who has mounted something. So a run has a mount namespace of its own, where it may: what is mounted
there is the run's, and the machine has none of it.
"""

from __future__ import annotations

import ctypes
import os
import re
import select
import shutil
import sys
import tempfile
import uuid
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

VARIABLE = "DOHYO_TESTS"  # the marks of the runs that a process belongs to: a test may run pytest itself
SYSTEM_TEMPORARY = "PYTEST_DEBUG_TEMPROOT"  # pytest's: the folder for temporary files that the system has
CACHES = {"DOHYO_CACHE": "dohyo-cache", "GOCACHE": "go-build", "CARGO_HOME": "cargo"}  # below `caches`
OURS = re.compile(r"(?:dohyo|hostile-guest)-(\d+)-.+")  # the number is that of the process that made it
CHECKOUT_CACHES = {
    ".grimp_cache",
    ".hypothesis",
    ".import_linter_cache",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".venv",
    "__pycache__",
}  # git ignores them, and each is meant to stay
PREFIX = "dohyo-tests-"  # of a run's folder; the number of its process follows
PATIENCE = 10.0  # seconds for a process that is just ending
NAMESPACES = Path("/run/netns")  # where `ip netns` keeps names, each a mount in a mount
CLONE_NEWNS, MS_REC, MS_PRIVATE = 0x20000, 0x4000, 0x40000


class Places(NamedTuple):
    """Where names of ours are looked for; a test of the check takes others."""

    checkout: Path
    memory: Path = Path("/dev/shm")
    groups: Path = Path("/sys/fs/cgroup")
    home: Path = Path("~").expanduser()


class Leftovers:
    """Made before anything of the run; sets the marks for this process and all that it starts.

    `mounts_alone` says that nobody else mounts anything that can be seen from here; `alone`, that nobody else uses
    Dohyo on this machine meanwhile: then what is new in its folders at home is told too, where they were before.
    """

    def __init__(self, places: Places, mounts_alone: bool = False, alone: bool = False) -> None:
        self._places = places
        self._mounts_alone = mounts_alone
        self._alone = alone
        self._mark = uuid.uuid4().hex
        self._kept = {
            name: os.environ.get(name) for name in (VARIABLE, SYSTEM_TEMPORARY, "TMPDIR", *CACHES)
        }  # as they were before
        system = tempfile.gettempdir()
        for name in _names(Path(system)):
            if name.startswith(PREFIX) and not _runs(name.split("-")[2]):  # of a run that was killed
                shutil.rmtree(Path(system, name), ignore_errors=True)
        self._folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))
        self._folder.chmod(0o1777)  # as the system's own: PostgreSQL runs as somebody else
        os.environ[VARIABLE] = ",".join(filter(None, (self._kept[VARIABLE], self._mark)))
        os.environ.setdefault(SYSTEM_TEMPORARY, system)
        self._pytest = Path(os.environ[SYSTEM_TEMPORARY], "pytest-of-")
        os.environ["TMPDIR"] = str(self._folder)
        tempfile.tempdir = None
        for name, folder in CACHES.items():
            os.environ[name] = str(self._folder / "caches" / folder)
        self._before = self._standing()

    def end(self) -> list[str]:
        """What was left, a sentence each; the run's own folder is removed, and the marks are taken away."""
        new = sorted(self._standing() - self._before)
        new += [f"the process {pid} ({_command(pid)})" for pid in self._processes()]
        new += [f"the file {path}" for path in self._files()]
        shutil.rmtree(self._folder, ignore_errors=True)
        for name, value in self._kept.items():
            os.environ.pop(name, None) if value is None else os.environ.update({name: value})
        tempfile.tempdir = None
        return [f"The tests left {what} behind." for what in new]

    def _standing(self) -> set[str]:
        """What stays without a process, and may be ours; both before and after."""
        found = {f"the mount {point}" for point in _mounts() if self._is_ours(point)}
        found |= {f"the network namespace {name}" for name in _names(NAMESPACES) if _is_orphan(name)}
        found |= {f"{self._places.memory / name}" for name in _names(self._places.memory) if _is_orphan(name)}
        for folder, names, _ in os.walk(self._places.groups):
            found |= {f"the control group {folder}/{name}" for name in names if _is_orphan(name)}
        for folder in (".cache", ".config", ".local/share", ".local/state"):
            if (own := self._places.home / folder / "dohyo").exists():
                found |= {str(own), *(str(path) for path in own.glob("*/*") if self._alone)}
        entries = set(_names(self._places.checkout)) - CHECKOUT_CACHES
        found |= {f"{self._places.checkout / name}" for name in entries if not name.endswith(".egg-info")}
        return found

    def _is_ours(self, point: str) -> bool:
        """Whether only a test would have mounted something there."""
        if self._mounts_alone:
            return True
        below = (str(self._folder), str(self._pytest), str(self._places.checkout), f"{self._places.memory}/")
        return point.startswith(below) or bool(OURS.fullmatch(os.path.basename(point)) and _is_orphan(point))

    def _processes(self) -> list[int]:
        found = []
        for entry in _names(Path("/proc")):
            if entry.isdigit() and int(entry) != os.getpid():
                with suppress(OSError):  # it has just ended, or is somebody else's
                    variables = Path("/proc", entry, "environ").read_bytes().split(b"\0")
                    marks = next((each for each in variables if each.startswith(f"{VARIABLE}=".encode())), b"")
                    if self._mark.encode() in marks and _runs(entry) and not _ends(int(entry)):
                        found.append(int(entry))
        return sorted(found)

    def _files(self) -> list[Path]:
        found = [path for path in self._folder.iterdir() if path.name != "caches"]
        named = set(CACHES.values())
        with suppress(FileNotFoundError):
            found += [path for path in (self._folder / "caches").iterdir() if path.name not in named]
        return sorted(found)


def mount_alone() -> bool:
    """Give this process, and what it starts, a mount namespace of its own; whether that could be had."""
    if not sys.platform.startswith("linux"):
        return False
    libc = ctypes.CDLL(None)
    return libc.unshare(CLONE_NEWNS) == 0 and libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None) == 0


def _names(folder: Path) -> list[str]:
    """What lies in a folder; nothing where there is no such folder."""
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _is_orphan(path: str) -> bool:
    """Whether something bears a name of ours, and the process of that name is gone or this one."""
    made = OURS.fullmatch(os.path.basename(path))
    return made is not None and (int(made[1]) == os.getpid() or not _runs(made[1]))


def _runs(pid: str) -> bool:
    """Whether a process is there, and more than an exit status that waits to be collected."""
    with suppress(OSError):
        return Path("/proc", pid, "stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False


def _ends(pid: int) -> bool:
    """Whether a process ends by itself, soon: what ended it may only just have been told to."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        return bool(poll.poll(PATIENCE * 1000))
    finally:
        os.close(descriptor)


def _mounts() -> list[str]:
    """The places where something is mounted."""
    try:
        lines = Path("/proc/self/mountinfo").read_text().splitlines()
    except OSError:
        return []
    return [re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), line.split()[4]) for line in lines]


def _command(pid: int) -> str:
    with suppress(OSError):
        return " ".join(Path(f"/proc/{pid}/cmdline").read_text(errors="replace").split("\0"))[:200].strip()
    return "?"
