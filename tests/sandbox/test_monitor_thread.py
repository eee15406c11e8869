"""The thread that looks after programs: whoever closes a monitor does not wait for it."""

from __future__ import annotations

import errno
import os
import threading

import pytest

from dohyo.core.sandbox import Limits
from dohyo.sandbox.monitor import MONITOR_THREAD, Monitor, MonitorThread, start_monitor


def test_who_stops_looking_does_not_wait_for_a_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a look at a folder without end lasts, its monitor can be closed and another started."""
    began, go_on = threading.Event(), threading.Event()

    def look(monitor: Monitor) -> bool:
        began.set()
        go_on.wait()
        return False

    monkeypatch.setattr(Monitor, "_look", look)
    monitor = start_monitor(os.getpid(), Limits(), (), grouped=True, own_tmp=False)
    thread = MONITOR_THREAD._thread
    assert thread is not None
    began.wait()
    monitor._tmp = opened = os.open("/", os.O_RDONLY)
    monitor.close()
    start_monitor(os.getpid(), Limits(), (), grouped=True, own_tmp=False).close()
    os.fstat(opened)  # who looks still has it
    go_on.set()
    thread.join()
    with pytest.raises(OSError, match="Bad file"):
        os.fstat(opened)


def test_a_thread_that_cannot_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """That is told as any lack of room, and nobody watches a number that may be another process's tomorrow."""
    man = MonitorThread()

    def refuse(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    with pytest.raises(OSError, match="start new thread") as found:
        man.take(Monitor(os.getpid(), Limits(), (), grouped=True, own_tmp=False))
    assert found.value.errno == errno.EAGAIN
    assert man._monitors == []
