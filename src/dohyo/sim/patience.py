"""Tells a person who waits that something is being compiled: nothing else would be seen for up to a minute."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from dohyo.i18n import Speaker
from dohyo.i18n.catalogue import of_locale

SECONDS = 2.0  # what takes no longer than this is not told of; from the disk it comes in half a second


_UNSAID = ["compiling"]  # what is still to be said in this process


@contextmanager
def told() -> Iterator[None]:
    """Say once in a process that something is compiled, if it takes longer than `SECONDS` and a person looks on.

    A program that a match started has no terminal, so nothing of this comes into what it writes.
    """
    if not _is_watched():
        yield
        return
    waiting = threading.Timer(SECONDS, _say)
    waiting.daemon = True
    waiting.start()
    try:
        yield
    finally:
        waiting.cancel()


def _is_watched() -> bool:
    """Whether standard error is a terminal or a notebook's."""
    return sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules)


def _say() -> None:
    """Write the line, unless another thread has begun to; it is taken off a list at once, however many ask."""
    try:
        key = _UNSAID.pop()
    except IndexError:
        return
    sys.stderr.write(Speaker(of_locale(os.environ)).say(key) + "\n")
    sys.stderr.flush()
