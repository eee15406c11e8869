"""Compiled code that never ends lets no handler of a signal run: what ends the process all the same.

Theory of operation
-------------------
Python runs the handlers of signals in the main thread, between two steps of it. Compiled rules are one step. But they
let other threads run, and the interpreter itself writes the number of each signal to a socket when it arrives,
whatever the main thread does (`signal.set_wakeup_fd`). A thread looks at that socket, and handlers empty it
(`took_note`). If signals stay in it for a while, nobody has taken note of them, and the thread ends the process.

Such code may also run in another thread, and keep the cleaning up waiting after a signal. Then (`begins_to_end`) one
more signal is enough, if the process does not end by itself soon.

This is for processes of ours, the command and its workers, not for a caller's notebook. It costs nothing before
compiled code is used.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import threading
import time
from collections.abc import Callable, Collection
from contextlib import suppress

from dohyo import interrupts

LOOK = 0.1  # seconds between two looks at signals that nobody has taken note of
LONGEST_END = 3.0  # seconds in which a process that cleans up has to end, if another signal comes
MAX_WAITING = 4096  # numbers of signals that are looked at


class EndlessCode:
    """Ends this process if so many signals came, and no handler of Python's has run for `patience` seconds since.

    It is `count` signals of `numbers`, whose handlers have to call `took_note`. `sentence` gives what is told on
    standard error, if anything.
    """

    def __init__(
        self, numbers: Collection[int], count: int, patience: float, sentence: Callable[[], str] = str
    ) -> None:
        self._numbers, self._count, self._patience, self._sentence = numbers, count, patience, sentence

    def watch(self) -> bool:
        """Begin; only in the main thread, and where nobody else uses what it needs. Whether it has begun."""
        if threading.current_thread() is not threading.main_thread():
            return False
        self._ours, self._theirs = socket.socketpair()
        self._ours.setblocking(False)
        self._theirs.setblocking(False)
        before = signal.set_wakeup_fd(self._theirs.fileno(), warn_on_full_buffer=False)
        if before != -1:  # an event loop's
            signal.set_wakeup_fd(before)
            return False
        self._said = self._sentence().encode("utf-8", "replace")
        threading.Thread(target=self._look, daemon=True).start()
        return True

    def took_note(self) -> None:
        """A handler has run: nothing waits any more."""
        with suppress(BlockingIOError):
            self._ours.recv(MAX_WAITING)

    def begins_to_end(self) -> None:
        """The process cleans up: from now on a single signal ends it, if that takes long."""
        self._count, self._patience = 1, LONGEST_END

    def _look(self) -> None:
        while True:
            select.select([self._ours], [], [])
            waited = 0.0
            while found := self._waiting():
                if len(found) >= self._count and waited >= self._patience:
                    with suppress(OSError):
                        os.write(2, self._said)
                    os._exit(128 + found[-1])
                time.sleep(LOOK)
                waited += LOOK

    def _waiting(self) -> list[int]:
        """The numbers of our signals that nobody has taken note of."""
        with suppress(BlockingIOError):
            all_of_them = self._ours.recv(MAX_WAITING, socket.MSG_PEEK)
            if found := [number for number in all_of_them if number in self._numbers]:
                return found
            self._ours.recv(len(all_of_them))  # a timer's, say
        return []


_watching: list[EndlessCode] = []


def compiled_code_comes() -> None:
    """Compiled code will run: it is watched from now on, where that was asked for (`interrupts.ENDLESS`)."""
    for given in interrupts.ENDLESS:
        code = EndlessCode(*given)
        if not _watching and code.watch():
            _watching.append(code)
            interrupts.NOTED.append(code.took_note)


def begins_to_end() -> None:
    """The first of these signals takes effect: from now on their handlers take no note."""
    for code in _watching:
        code.begins_to_end()
