"""What a program runs in, as those who start programs see it. Who builds houses is no concern of theirs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from dohyo.core.faults import Fault


class House(Protocol):
    """The house of one process and of all that it starts, made for one start.

    `command`, `environment` and `folder` are what has to be started in the program's place.
    """

    command: tuple[str, ...]
    environment: Mapping[str, str] | None
    folder: str

    def started(self, pid: int) -> None:
        """The command runs, as process `pid`."""

    def verdict(self, fault: Fault) -> Fault:
        """What `fault` really was: the memory, tasks or disk that had run out, or the fault itself."""

    def processor_seconds(self) -> float | None:
        """What all that ran in it has computed so far, in seconds of one processor; none where nobody counts that."""

    def close(self) -> None:
        """The process has been stopped: end whatever it left, and give back what the house was made of."""


# From a program's words, its folder and its environment to a house for one start of it.
Builder = Callable[[Sequence[str], str, Mapping[str, str] | None], House]
