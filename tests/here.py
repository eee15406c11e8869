"""What a command does in processes of its own, done in the process of the test: for tests of something else.

A worker of the pool, and what reads hand-ins apart, take longer to start than most tests take. That they are
processes, within bounds and in the sandbox, is shown where nothing of this is used: in `tests/bots`, `tests/hostile`,
`tests/executors/test_pool.py`, and wherever a command is typed in a process of its own.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

import pytest

from dohyo.bots import isolated_reader, reader_process
from dohyo.cli import check_beside
from dohyo.executors import pool
from dohyo.executors.in_process import InProcess

Workers = pool.Pool  # the real one


class Pool(InProcess):
    """In place of the pool: plays one match after another, here."""

    def __init__(self, workers: int | None = None, cores: Sequence[int] | None = None) -> None:
        self.workers = workers or 2

    def give_up(self) -> None:
        """Nothing runs while somebody else acts."""


class _Line(reader_process.Pipes):
    """The reader's side: what it sends has to be JSON here too."""

    def __init__(self, sent: SimpleQueue[Any], given: SimpleQueue[Any]) -> None:
        self._sent, self._given = sent, given

    def receive(self) -> Any:
        """The next message; None at the end."""
        message = self._given.get()
        return None if message is None else json.loads(message)

    def write(self, content: bytes) -> None:
        """Send one message that is encoded already."""
        self._sent.put(content)


class Reader:
    """In place of the process that reads hand-ins: a thread, which sees their copies under their own paths."""

    def __init__(self, area: Path, *_: object) -> None:
        self._sent: SimpleQueue[Any] = SimpleQueue()
        self._given: SimpleQueue[Any] = SimpleQueue()
        self._thread = Thread(target=self._read, args=(_Line(self._sent, self._given),), daemon=True)
        self._thread.start()

    def _read(self, line: _Line) -> None:
        while (question := line.receive()) is not None:
            line.send(reader_process.examine(question, line))

    def inside(self, path: Path) -> str:
        """The path by which it sees a copy."""
        return str(path)

    def send(self, message: object) -> None:
        """Send it a message."""
        self._given.put(json.dumps(message))

    def receive(self, seconds: float = 0.0) -> Any:
        """Its next message."""
        return json.loads(self._sent.get())

    def end(self) -> None:
        """End it."""
        self._given.put(None)


def read_hand_ins_here(patch: pytest.MonkeyPatch) -> None:
    """Read hand-ins in this process."""
    patch.setattr(isolated_reader, "_Child", Reader)


def play_in_workers(patch: pytest.MonkeyPatch) -> None:
    """Play in processes of the pool after all: for what looks at them, or ends them."""
    patch.setattr(pool, "Pool", Workers)


def play_here(patch: pytest.MonkeyPatch) -> None:
    """Play contests and comparisons in this process, and examine hand-ins there, one by one."""
    patch.setattr(pool, "Pool", Pool)
    patch.setattr(check_beside, "usual_workers", lambda: 1)
