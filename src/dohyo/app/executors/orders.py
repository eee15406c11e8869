"""What goes to an executor, and what comes back: both plain values that travel as MessagePack, or pickled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

import msgspec

from dohyo.bots import Bot
from dohyo.core.clock import Clock, Mode

Files = dict[str, bytes]  # content by name
LARGEST_KEPT = 1 << 20  # bytes of a file that is kept from match to match; a larger one is not


class MatchOrder(msgspec.Struct, frozen=True, omit_defaults=True):
    """A match to be played.

    `key` is the caller's own name for it, and comes back as it is. `bots` are built, one a seat. `setup` holds the
    game's options by name, `clock` none for the game's usual one, by which `mode` (none: its own); `sandbox` is auto,
    require or none.

    Of each bot that runs from a folder of its own, the files named in `keep` come back as they are after the match;
    `kept`, by seat, is put there before it.
    """

    key: str
    game: str
    bots: tuple[Bot, ...]
    seed: int
    setup: dict[str, Any] = {}
    clock: Clock | None = None
    sandbox: str = "require"
    pondering: bool = False
    keep: tuple[str, ...] = ()
    kept: tuple[Files, ...] = ()
    mode: Mode | None = None


class MatchReport(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came of an order: a replay and what stands in it, or an error.

    `replay` is encoded and compressed; empty where there is an `error`, a sentence for the operator, or a traceback
    of a defect of ours. It stands for so many `attempts`; one that is the operator's to `mend` (a bot that is gone, a
    disk that is full) says nothing about the match, nor does one that says that every attempt was `disturbed` (see
    `Replay`). `places`, `scores` (in a game that has such), `faults` (kinds in
    order; empty where nobody had any) and `longest` (seconds of the longest turn; none for who was never asked) are
    by seat. `turns` were played in `seconds`, starting and ending of the programs included, by `worker`.
    """

    key: str
    replay: bytes = b""
    error: str = ""
    places: tuple[int, ...] = ()
    scores: tuple[int | float, ...] = ()
    faults: tuple[tuple[str, ...], ...] = ()
    longest: tuple[float | None, ...] = ()
    turns: int = 0
    seconds: float = 0.0
    worker: str = ""
    kept: tuple[Files, ...] = ()
    attempts: int = 1
    mend: bool = False
    disturbed: bool = False


class Executor(Protocol):
    """Plays matches. It is a context manager: when that ends, nothing is left running."""

    @property
    def workers(self) -> int:
        """Matches at once."""

    def play(self, orders: Iterable[MatchOrder]) -> Iterator[MatchReport]:
        """Play all orders; their reports, each once, as they come. Orders are taken as they are needed.

        When the iterator is closed early, or an exception comes through it (a `KeyboardInterrupt`, say), running
        matches are given up, and no program is left running.
        """

    def close(self) -> None:
        """End whatever runs."""

    def __enter__(self) -> Executor: ...

    def __exit__(self, *_: object) -> None: ...
