"""While something is compiled: tells a person who waits, for up to a minute, and lets that be less."""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from dohyo.i18n import Speaker
from dohyo.i18n.catalogue import of_locale

IN_A_MATCH = "DOHYO_GAME"  # a variable that each bot has in its environment, and its build
SECONDS = 2.0  # what takes no longer than this is not told of; from the disk it comes in half a second


_UNSAID = ["compiling"]  # what is still to be said in this process


@contextmanager
def told(of: str = "") -> Iterator[None]:
    """Say once in a process, on standard error, that something is compiled, if it takes longer than `SECONDS`.

    `of` is what it is beside the rules, if that can be said: the next one waits for that again, on the same machine.

    It need not be a terminal: who sends it to a file, or runs a script by a tool, waits as well. A program that a
    match has started says nothing of this: what it writes is kept as its own.
    """
    if sys.stderr is None or IN_A_MATCH in os.environ:
        yield
        return
    waiting = threading.Timer(SECONDS, _say, [of])
    waiting.daemon = True
    waiting.start()
    try:
        yield
    finally:
        waiting.cancel()


@contextmanager
def uncollected() -> Iterator[None]:
    """Let Python look for no cycles meanwhile: Numba's objects live until it is done, and are looked at in vain."""
    was_on = gc.isenabled()  # of several threads, the first one turns it on again
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _say(of: str = "") -> None:
    """Write the line, unless another thread has begun to; it is taken off a list at once, however many ask."""
    try:
        key = _UNSAID.pop()
    except IndexError:
        return
    sys.stderr.write(Speaker(of_locale(os.environ)).say("compiling-of" if of else key, of=of) + "\n")
    sys.stderr.flush()
