"""Control groups of both versions, on folders that stand in for the kernel's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dohyo.core.sandbox import MIB, Limits
from dohyo.sandbox import cgroups
from dohyo.sandbox.cgroups import OWN_TASKS, Group
from tests.skips import Reason, skip_for

SPINS = """
import os, time
while time.process_time() < 0.05: pass
if os.fork(): print("on", flush=True)
while True: pass
"""
LIMITS = Limits(memory=64 * MIB, tasks=10, cores=0.5)


def read(folder: Path) -> dict[str, str]:
    """What was written, by file."""
    return {file.name: file.read_text() for file in folder.iterdir()}


def test_the_limits_of_version_two(tmp_path: Path) -> None:
    """One folder holds all limits; swap is none, and who runs out of memory ends as a whole."""
    group = Group(2, dict.fromkeys(("memory", "pids", "cpu"), tmp_path / "one"))
    group.set_up(LIMITS)
    assert read(tmp_path / "one") == {
        "memory.max": str(64 * MIB),
        "memory.swap.max": "0",
        "memory.oom.group": "1",
        "pids.max": str(10 + OWN_TASKS),
        "cpu.max": "50000 100000",
    }
    assert group.doors == [str(tmp_path / "one" / "cgroup.procs")]


def test_the_limits_of_version_one(tmp_path: Path) -> None:
    """Each kind has its folder, and is joined by its list of threads."""
    folders = {kind: tmp_path / kind for kind in ("memory", "pids", "cpu")}
    group = Group(1, folders)
    group.set_up(LIMITS)
    assert read(tmp_path / "memory")["memory.limit_in_bytes"] == str(64 * MIB)
    assert read(tmp_path / "pids") == {"pids.max": str(10 + OWN_TASKS)}
    assert read(tmp_path / "cpu") == {"cpu.cfs_quota_us": "50000"}
    assert group.doors == [str(folder / "tasks") for folder in folders.values()]


@pytest.mark.parametrize(("version", "file"), [(1, "memory.oom_control"), (2, "memory.events")])
def test_what_ran_out_is_read(tmp_path: Path, version: int, file: str) -> None:
    """The kernel's counts of processes ended for want of memory, and of tasks refused, are told; none is no."""
    group = Group(version, {"memory": tmp_path, "pids": tmp_path})
    assert not group.ran_out_of_memory()
    assert not group.ran_out_of_tasks()
    (tmp_path / file).write_text("oom_kill_disable 0\noom 3\noom_kill 0\n")
    (tmp_path / "pids.events").write_text("max 0\n")
    assert not group.ran_out_of_memory()
    assert not group.ran_out_of_tasks()
    (tmp_path / file).write_text("oom_kill_disable 0\noom_kill 2\n")
    (tmp_path / "pids.events").write_text("max 7\n")
    assert group.ran_out_of_memory()
    assert group.ran_out_of_tasks()


def test_in_version_two_the_nearest_group_that_passes_limits_on_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Groups are made below the first one above us whose children can be limited, and not in one with processes."""
    for folder, passed in (("", "cpu memory pids"), ("user", "memory pids"), ("user/shell", "cpu"), ("other", "")):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "cgroup.subtree_control").write_text(f"{passed}\n")
        (tmp_path / folder / "cgroup.controllers").write_text("cpu memory pids\n")
        (tmp_path / folder / "cgroup.procs").write_text("1\n2\n")
    for place, parent in (("/user/shell", "user"), ("/other", "")):
        monkeypatch.setattr(cgroups, "mounts", lambda place=place: {"": (str(tmp_path), place)})
        found = cgroups._second_version()
        assert found is not None
        assert (found.version, found.parents["memory"]) == (2, tmp_path / parent)
    (tmp_path / "cgroup.subtree_control").write_text("\n")
    assert cgroups._second_version() is None  # others stay in our group: it cannot be emptied


@pytest.mark.parametrize("with_cpu", [True, False])
def test_in_version_two_who_is_alone_makes_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, with_cpu: bool
) -> None:
    """Of a group that was delegated to us we make room: then it limits others, in processors too where it may."""
    (tmp_path / "cgroup.subtree_control").write_text("\n")
    (tmp_path / "cgroup.controllers").write_text("cpu memory pids\n")
    (tmp_path / "cgroup.procs").write_text(f"{os.getpid()}\n")
    monkeypatch.setattr(cgroups, "mounts", lambda: {"": (str(tmp_path), "/")})
    written: list[tuple[str, str]] = []

    def write(file: Path, value: object) -> None:
        if value == "+cpu" and not with_cpu:
            raise PermissionError
        written.append((str(file.relative_to(tmp_path)), str(value)))

    monkeypatch.setattr(cgroups, "_write", write)
    found = cgroups._second_version()
    assert found is not None
    assert set(found.parents) == {"memory", "pids"} | ({"cpu"} if with_cpu else set())
    assert set(found.parents.values()) == {tmp_path}
    control = "cgroup.subtree_control"
    assert written[:2] == [(f"dohyo-{os.getpid()}-0/cgroup.procs", str(os.getpid())), (control, "+memory +pids")]
    assert written[2:] == ([(control, "+cpu")] if with_cpu else [])


def test_a_group_of_version_two_counts_and_ends_its_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the kernel's own tree: who writes to the door is in, its time is counted, and all of it ends with the group.

    That needs no controller, so it is tried where a machine has those in version 1.
    """
    point, place = cgroups.mounts().get("", ("", ""))
    folder = Path(point + place) / f"dohyo-{os.getpid()}-test"
    try:
        folder.mkdir()
    except OSError:
        skip_for(Reason.KERNEL, "this machine has no tree of version 2 to which we may add")
    group = Group(2, {"memory": folder, "pids": folder})
    script = f"echo 0 > {group.doors[0]} && exec {sys.executable} -c '{SPINS}'"
    process = subprocess.Popen(["/bin/sh", "-c", script], stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"on\n"
        assert (group.processor_seconds() or 0) >= 0.04
    finally:
        group.remove()
        process.kill()
        process.communicate()
    assert not folder.exists()


def test_groups_of_the_dead_are_swept_away(tmp_path: Path) -> None:
    """A group whose referee is no more is removed; of one that lives, and what is not ours, stay."""
    kept = {f"dohyo-{os.getpid()}-1", "dohyo-mine", "system.slice"}
    for name in (*kept, "dohyo-4194305-1"):  # no process has a number so high
        (tmp_path / name).mkdir()
    cgroups.Groups(1, {"memory": tmp_path, "pids": tmp_path}).sweep()
    assert {entry.name for entry in tmp_path.iterdir()} == kept


def test_groups_beside_ours_are_swept_too(tmp_path: Path) -> None:
    """What a dead referee left in another session's group is removed, once it is old enough to be nobody's."""
    for name in ("ours", "other/dohyo-4194305-1", "other/dohyo-4194305-2"):
        (tmp_path / name).mkdir(parents=True)
    os.utime(tmp_path / "other" / "dohyo-4194305-1", (0, 0))
    cgroups.Groups(1, {"memory": tmp_path / "ours", "pids": tmp_path / "ours"}).sweep()
    assert [entry.name for entry in (tmp_path / "other").iterdir()] == ["dohyo-4194305-2"]
