"""A worker of the pool: a process that plays one match at a time, until its socket ends.

    python -P -m dohyo.executors.pool_worker SOCKET NAME PARENT CORES MARK HERE

SOCKET is a descriptor, PARENT the pool's process, CORES numbers separated by commas, MARK names the folder that the
worker makes for temporary files, HERE is the pool's current folder, to which the operator's paths are relative.

It ends its programs and itself at SIGTERM; the kernel sends that signal if the pool is killed. If the worker itself
is killed, or ends itself because compiled rules do not (`dohyo.endless`), the kernel ends sandboxed programs, and the
pool kills the others, which carry the worker's mark.
"""

from __future__ import annotations

import itertools
import os
import signal
import socket
import sys
from collections.abc import Callable
from types import FrameType

from dohyo import interrupts
from dohyo.system import disk, interpreter, scheduler, temporary

SET_DEATH_SIGNAL = 1  # of prctl
ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
PATIENCE = 2.0  # seconds in which compiled code has to end; the pool waits longer
READY = ""  # the first message, in place of a report


class Terminated(KeyboardInterrupt):
    """The pool needs nothing more."""


Serve = Callable[[int, str, list[int], str], None]


def main(serve: Serve) -> None:
    """Serve until the socket ends, or a signal comes: `serve` is called as the one below."""
    descriptor, name, parent, cores, mark, here = sys.argv[1:]
    folder = temporary.path_of("worker", os.getpid(), mark)
    try:
        try:
            follow(int(parent))
            interpreter.enter(here)
            os.mkdir(folder, 0o700)
            serve(int(descriptor), name, [int(core) for core in cores.split(",") if core], folder)
        finally:
            ignore_signals()  # the socket may end just before the signal comes
    except KeyboardInterrupt:
        pass
    finally:
        disk.remove(folder)


def follow(parent: int) -> None:
    """End when the pool ends, in whatever way, and at the signals for that."""
    import ctypes

    interrupts.ENDLESS[:] = [(ENDING, 1, PATIENCE)]
    for number in ENDING:
        signal.signal(number, terminate)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SET_DEATH_SIGNAL, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:
        sys.exit(1)


def terminate(number: int, frame: FrameType | None) -> None:
    """Raise once: what follows is the cleaning up."""
    for tell in interrupts.NOTED:
        tell()
    ignore_signals()
    raise Terminated


def ignore_signals() -> None:
    """From now on no signal interrupts the cleaning up."""
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)


def serve(descriptor: int, name: str, cores: list[int], folder: str) -> None:
    """Play the orders that come, and report them."""
    import tempfile

    from dohyo.executors.messages import MatchOrder, MessageChannel
    from dohyo.executors.one_match import end_kept, play_order
    from dohyo.executors.scheduling import pin_to

    pin_to(cores)
    scheduler.take_short_turns()
    tempfile.tempdir = folder
    with socket.socket(fileno=descriptor) as end:
        end.set_inheritable(False)
        channel = MessageChannel(end, list[MatchOrder])
        channel.send(READY)
        try:
            while channel.open:
                for order in itertools.chain.from_iterable(channel.receive()):
                    channel.send(play_order(order, name))
                    if not channel.heard:
                        return
        finally:
            ignore_signals()
            end_kept()


if __name__ == "__main__":
    main(serve)
