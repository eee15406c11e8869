"""What the monitor counts of files that nobody can name."""

from __future__ import annotations

import ctypes
import mmap
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dohyo.core.faults import FaultKind
from dohyo.core.sandbox import Limits, Mount
from dohyo.sandbox import bubblewrap, monitor, process_counts
from dohyo.system.disk import TOO_MUCH
from dohyo.system.proc import tree
from tests.skips import Reason, skip_for

LIMIT = 64 << 20
SIZE = 1 << 20
ME = [os.getpid()]

if not os.path.exists("/proc/self/maps"):
    skip_for(Reason.KERNEL, "no /proc that tells what is mapped")


class Pinned:
    """Files that were removed, of which only a page is mapped. (Python's own `mmap` would keep them open.)"""

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._libc.mmap.restype = ctypes.c_void_p
        self._libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
        self._libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
        self._pages: list[int] = []

    def add(self, path: Path, *, times: int = 1) -> None:
        """A file of `SIZE` bytes, written and removed; its first page is mapped."""
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"x" * SIZE)
        file = os.open(path, os.O_RDONLY)
        for number in range(times):  # neighbours that have the same rights would become one
            rights = mmap.PROT_READ | (mmap.PROT_EXEC if number % 2 else 0)
            self._pages.append(self._libc.mmap(None, mmap.PAGESIZE, rights, mmap.MAP_SHARED, file, 0))
        os.close(file)
        path.unlink()
        assert -1 not in self._pages

    def close(self) -> None:
        """Let go of them."""
        while self._pages:
            self._libc.munmap(self._pages.pop(), mmap.PAGESIZE)


@pytest.fixture
def pinned() -> Iterator[Pinned]:
    """Nothing that outlives the test."""
    made = Pinned()
    yield made
    made.close()


@pytest.fixture
def plain_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """The size of what others have mapped is told only to root."""
    stat = os.stat

    def refused(path: Any, **options: Any) -> os.stat_result:
        if "/map_files/" in str(path):
            raise PermissionError
        return stat(path, **options)

    monkeypatch.setattr(os, "stat", refused)


@pytest.mark.usefixtures("plain_user")
def test_one_mapped_page_counts_as_much_of_the_disk(tmp_path: Path, pinned: Pinned) -> None:
    """A file may be as large as the disk: so few that are kept by a page each are as much as all of it."""
    folders = [str(tmp_path / "own")]
    pinned.add(tmp_path / "own" / "a library", times=3)
    assert SIZE <= process_counts.without_names(ME, folders, LIMIT) <= LIMIT // 2
    for number in range(3):
        pinned.add(tmp_path / "own" / str(number))
    assert process_counts.without_names(ME, folders, LIMIT) >= LIMIT


def test_to_root_a_mapped_file_has_the_size_that_it_has(tmp_path: Path, pinned: Pinned) -> None:
    """Where the kernel tells the size of a mapped file, that counts."""
    pinned.add(tmp_path / "own" / "file")
    try:
        os.stat(next(iter(Path("/proc/self/map_files").iterdir())))
    except OSError:
        skip_for(Reason.KERNEL, "the size of what is mapped is not told")
    assert SIZE <= process_counts.without_names(ME, [str(tmp_path / "own")], LIMIT) < 2 * SIZE


def test_what_lay_elsewhere_is_not_counted(tmp_path: Path, pinned: Pinned) -> None:
    """A library of the machine that is replaced while it is in use is not the program's doing."""
    (tmp_path / "own").mkdir()
    pinned.add(tmp_path / "own and more" / "library")
    assert process_counts.without_names(ME, [str(tmp_path / "own")], LIMIT) == 0


@pytest.mark.usefixtures("plain_user")
def test_names_are_known_by_every_path_of_the_folder(tmp_path: Path, pinned: Pinned) -> None:
    """A folder that is known by a link, or has a newline in its name, is the same folder."""
    pinned.add(tmp_path / "o\nwn" / "file")
    (tmp_path / "link").symlink_to(tmp_path / "o\nwn")
    assert process_counts.without_names(ME, [str(tmp_path / "link")], LIMIT) > 0


def test_so_much_that_looking_takes_long_is_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is made to read `maps` and descriptors without end."""
    assert process_counts.without_names(ME, [str(tmp_path)], LIMIT) == 0
    monkeypatch.setattr(process_counts, "LONGEST_LOOK", 2000, raising=False)
    assert process_counts.without_names(ME, [str(tmp_path)], LIMIT) == TOO_MUCH


def test_the_longer_a_look_takes_the_longer_it_is_to_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who makes looking at folders slow does not take the time of the monitors' thread from all others."""
    now, looks = 100.0, 0

    def slow(_: monitor.Monitor) -> bool:
        nonlocal now, looks
        now, looks = now + 1.0, looks + 1
        return False

    monkeypatch.setattr(monitor, "monotonic", lambda: now)
    monkeypatch.setattr(monitor, "thread_time", lambda: now)
    monkeypatch.setattr(monitor.Monitor, "_folders_are_full", slow)
    watched = monitor.Monitor(
        os.getpid(), Limits(), [Mount(str(tmp_path), str(tmp_path), True)], grouped=True, own_tmp=False
    )
    for _ in range(1000):  # 20 s of ticks
        now += monitor.TICK
        assert not watched.is_done()
    assert 3 <= looks <= 6


@pytest.mark.parametrize("grouped", [False, True])
def test_the_same_goes_for_looks_at_processes(monkeypatch: pytest.MonkeyPatch, grouped: bool) -> None:
    """Who has many processes keeps nobody busy with looking; where a control group counts, nobody looks at all."""
    now, looks = 100.0, 0

    def slow(_: monitor.Monitor) -> None:
        nonlocal now, looks
        now, looks = now + 1.0, looks + 1

    monkeypatch.setattr(monitor, "monotonic", lambda: now)
    monkeypatch.setattr(monitor, "thread_time", lambda: now)
    monkeypatch.setattr(monitor.Monitor, "_look_at_processes", slow)
    watched = monitor.Monitor(os.getpid(), Limits(), [], grouped=grouped, own_tmp=True)
    for _ in range(1000):
        now += monitor.TICK
        assert not watched.is_done()
    assert looks == 0 if grouped else 3 <= looks <= 6


def test_a_look_that_only_waits_for_a_processor_delays_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a look takes long and costs little: what takes too much is found as soon as ever."""
    now, looks = 100.0, 0

    def waits(_: monitor.Monitor) -> None:
        nonlocal now, looks
        now, looks = now + 1.0, looks + 1

    monkeypatch.setattr(monitor, "monotonic", lambda: now)
    monkeypatch.setattr(monitor, "thread_time", lambda: 0.0)
    monkeypatch.setattr(monitor.Monitor, "_look_at_processes", waits)
    watched = monitor.Monitor(os.getpid(), Limits(), [], grouped=False, own_tmp=False)
    for _ in range(10):
        now += monitor.TICK
        assert not watched.is_done()
    assert looks == 10


def test_no_tmp_is_taken_from_a_sandbox_that_is_still_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bubblewrap first mounts something over our own /tmp: whoever took that would never see the program's full."""
    stat = os.stat
    monkeypatch.setattr(monitor, "children", lambda pid: ["self"])

    def mounted(path: Any, **options: Any) -> os.stat_result:
        return stat("/proc" if path == "/tmp" else path, **options)  # another disk than what lies at /tmp of `self`

    monkeypatch.setattr(os, "stat", mounted)
    assert monitor.private_tmp(os.getpid()) is None


def test_so_many_open_files_that_looking_takes_long_are_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are not looked at one by one: more than any program needs are more memory than it may have."""
    assert process_counts.in_channels(ME) < TOO_MUCH
    monkeypatch.setattr(process_counts, "MAX_FILES", 2)
    monkeypatch.setattr(os, "readlink", lambda path: pytest.fail("looked at"))
    assert process_counts.in_channels(ME) == TOO_MUCH
    watched = monitor.Monitor(os.getpid(), Limits(), [], grouped=False, own_tmp=False)
    assert watched._takes(ME) > Limits().memory


def test_so_many_open_files_are_memory_also_where_a_folder_is_watched(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """In a control group too, before the same files make the look at its folder too long: not the disk is full."""
    killed = []
    monkeypatch.setattr(process_counts, "MAX_FILES", 2)
    monkeypatch.setattr(process_counts, "LONGEST_LOOK", 2)
    monkeypatch.setattr(monitor.Monitor, "_kill", lambda watched, kind: killed.append(kind))
    watched = monitor.Monitor(os.getpid(), Limits(), [Mount(str(tmp_path), "/tmp")], grouped=True, own_tmp=False)
    for _ in range(monitor.FOLDER_TICKS):
        watched.is_done()
    assert killed == [FaultKind.MEMORY]


HIDING = f"""
import ctypes, os, threading, time
def stay():
    held = bytearray(b"x" * {16 * SIZE})
    file = os.open({{path!r}}, os.O_CREAT | os.O_RDWR)
    os.unlink({{path!r}})
    os.write(file, held)
    while "Z" not in open(f"/proc/{{{{os.getpid()}}}}/stat").read().rpartition(")")[2].split()[0]:
        time.sleep(0.001)
    print("hidden", flush=True)
    time.sleep(1000)
    print(len(held))
threading.Thread(target=stay).start()
ctypes.CDLL(None).pthread_exit(None)
"""


def test_who_ends_its_first_thread_hides_nothing(tmp_path: Path) -> None:
    """Where the first thread has ended, and shows nothing any more, memory and files are found with another."""
    words = [sys.executable, "-c", HIDING.format(path=str(tmp_path / "file"))]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as program:
        try:
            assert program.stdout is not None
            assert program.stdout.readline() == "hidden\n"
            assert process_counts.memory([program.pid]) >= 16 * SIZE
            assert process_counts.without_names([program.pid], [str(tmp_path)], LIMIT) >= 16 * SIZE
        finally:
            program.kill()


@pytest.mark.parametrize(("mounted", "counted"), [(("--tmpfs", "/tmp"), True), (("--dir", "/tmp"), False)])
def test_only_files_in_memory_of_the_sandboxs_own_are_counted(mounted: tuple[str, str], counted: bool) -> None:
    """Where the memory's file system is gone, as when a sandbox ends, the folder below it counts for nothing.

    It can be the disk, whose files are no program's memory: matches then ended with a false verdict.
    """
    found = bubblewrap.programs()
    if not found:
        skip_for(Reason.KERNEL, "no bubblewrap")
    shown = [word for name in ("usr", "bin", "lib", "lib64") for word in ("--ro-bind-try", f"/{name}", f"/{name}")]
    script = ("sh", "-c", "mkdir -p /tmp/some; echo $$; read -r line")
    command = [found[0], "--unshare-user", "--unshare-pid", *shown, *mounted, *script]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        if not process.stdout.readline():
            skip_for(Reason.KERNEL, "no bubblewrap")
        inside = tree(process.pid)[1:2]
        assert inside
        assert (process_counts.in_files(inside) > 0) == counted
        process.communicate(b"\n")
