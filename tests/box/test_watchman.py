"""The thread that looks after programs: whoever closes a watch does not wait for it."""

from __future__ import annotations

import os
import threading

import pytest

from dohyo.box.limits import Limits
from dohyo.box.watch import WATCHMAN, Watch, watch_over


def test_who_stops_looking_does_not_wait_for_a_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a look at a folder without end lasts, its watch can be closed and another one taken; then it is over."""
    began, go_on = threading.Event(), threading.Event()

    def look(watch: Watch) -> bool:
        began.set()
        go_on.wait()
        return False

    monkeypatch.setattr(Watch, "_look", look)
    watch = watch_over(os.getpid(), Limits(), (), grouped=True, own_tmp=False)
    thread = WATCHMAN._thread
    assert thread is not None
    began.wait()
    watch._tmp = opened = os.open("/", os.O_RDONLY)
    watch.close()
    watch_over(os.getpid(), Limits(), (), grouped=True, own_tmp=False).close()
    os.fstat(opened)  # who looks still has it
    go_on.set()
    thread.join()
    with pytest.raises(OSError, match="Bad file"):
        os.fstat(opened)
