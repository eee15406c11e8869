"""Giving way: a thread that runs only while nobody else wants the processor."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

LAST = 19  # the nicest that one can be


@contextmanager
def giving_way() -> Iterator[None]:
    """Let this thread give way to all others, as far as the system lets one ask; for a block.

    What it starts gives way as well. Where nobody may ask for more again, it stays so after the block.
    """
    me = threading.get_native_id() if sys.platform == "linux" else 0  # elsewhere it is the whole process
    before = os.getpriority(os.PRIO_PROCESS, me)
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, me, LAST)
    try:
        yield
    finally:
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, me, before)
