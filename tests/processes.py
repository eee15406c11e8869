"""What the system says about processes: for tests that none is left."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from dohyo.sandbox.monitor import THREAD as MONITOR
from tests.skips import Reason, skip_for

PROC = Path("/proc")
PATIENCE = 60.0  # seconds
MOMENT = 0.01


def _stat(pid: int) -> tuple[str, int] | None:
    """State letter and parent of a process; none if there is no such process."""
    try:
        content = (PROC / str(pid) / "stat").read_text()
    except OSError:
        return None
    state, parent = content.rpartition(")")[2].split()[:2]
    return state, int(parent)


def every_pid() -> Iterator[int]:
    """All processes there are; skips the test where the system does not tell."""
    if not (PROC / "self" / "stat").exists():
        skip_for(Reason.KERNEL, "this system has no /proc")
    for entry in os.listdir(PROC):
        if entry.isdigit():
            yield int(entry)


def runs(pid: int) -> bool:
    """Whether the process is there, and more than an exit status that waits to be collected."""
    found = _stat(pid)
    return found is not None and found[0] not in "ZX"


def children_of(parent: int) -> list[int]:
    """The processes that another one started, and has not collected."""
    return [pid for pid in every_pid() if (found := _stat(pid)) is not None and found[1] == parent]


def children() -> list[int]:
    """The processes that this one started and has not collected."""
    return children_of(os.getpid())


def marked(name: str, value: str) -> list[int]:
    """The running processes that have `name=value` in their environment."""
    wanted = f"{name}={value}".encode()
    found = []
    for pid in every_pid():
        with suppress(OSError):
            if wanted in (PROC / str(pid) / "environ").read_bytes().split(b"\0") and runs(pid):
                found.append(pid)
    return found


def descriptors() -> set[str]:
    """What this process has open, as the system names it."""
    found = set()
    for entry in os.listdir("/proc/self/fd"):
        with suppress(OSError):
            found.add(f"{entry} {os.readlink(f'/proc/self/fd/{entry}')}")
    return found


def left_open(before: set[str]) -> set[str]:
    """What is open that was not before, and stays: `dohyo.match.processes.watchdog` opens files for an instant."""
    end = time.monotonic() + PATIENCE
    while not (now := descriptors()) <= before and time.monotonic() < end:
        time.sleep(MOMENT)
    return now - before


def few(things: Iterable[object]) -> str:
    """How many there are and the first five, for what a test says when it fails; empty where there are none."""
    found = [str(thing) for thing in things]
    return f"{len(found)}: {', '.join(found[:5])}" if found else ""


@pytest.fixture
def nobody_left() -> Iterator[None]:
    """Fail the test if it left a process or an open descriptor behind."""
    open_before, children_before = descriptors(), set(children())
    yield
    end = time.monotonic() + PATIENCE
    for thread in threading.enumerate():
        if thread.name == MONITOR:  # it may be in the midst of its last look, and ends after that
            thread.join(PATIENCE)
    while not set(children()) <= children_before and time.monotonic() < end:
        time.sleep(MOMENT)  # one that another thread has started for an instant, or that is just being collected
    assert set(children()) <= children_before, few(sorted(set(children()) - children_before))
    left = left_open(open_before)
    assert not left, few(sorted(left))
