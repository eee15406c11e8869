"""What goes to an executor and what comes back: plain values that travel as MessagePack or pickled.

`MatchOrder` and `MatchReport` are one match each. `TaskRequest` and `TaskReply` carry many of them to and from a
machine of a cluster; a `MessageChannel` carries them between the pool and a worker process.
"""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

import msgspec

from dohyo.bots import Bot
from dohyo.core.clock import Clock, Mode
from dohyo.core.external_referee import ExternalReferee

Files = dict[str, bytes]  # content by name
LENGTH = struct.Struct("=I")  # in front of each message between a pool and its workers
AT_ONCE = 1 << 18  # bytes of messages that are read at once
LARGEST_KEPT = 1 << 20  # bytes of a file that is kept from match to match; a larger one is not


class MatchOrder(msgspec.Struct, frozen=True, omit_defaults=True):
    """A match to be played.

    `key` is the caller's own name for it, and comes back unchanged. `bots` are built, one for each seat. `setup`
    holds the game's options by name. `clock` is none for the game's usual clock; `mode` then says how it counts time
    (none: its own mode). `sandbox` is auto, require or none;
    what goes to another process has the word of `dohyo.sandbox.as_chosen` instead.

    For each bot that runs from a folder of its own, the files named in `keep` come back as they are after the match;
    the files `kept`, by seat, are put into the folder before it.

    With a `referee`, that program of others plays the match, and setup, clock, mode and pondering are not for it.

    With `keeps_engines`, players who allow it are kept from one match to the next of the same worker, as engines.

    Where it is `told`, its turns are written to that new file as they are played (`match/replays/turn_file.py`); then
    every turn goes through the players, and not by the fast path. Only workers on this machine do that.

    Without a word on `pondering` nobody is paused, or asked to think, while others move. With `asks_where` a program
    whose time is over says where it is before it is ended (see `Launch`).

    With a `start`, the fields of a state of the game's, the match goes on from it, and turn `first` is the next one
    (`Header.start`); the setup is then the whole one of the match that it comes from.
    """

    key: str
    game: str
    bots: tuple[Bot, ...]
    seed: int
    setup: dict[str, Any] = {}
    clock: Clock | None = None
    sandbox: str = "require"
    pondering: bool | None = False
    keep: tuple[str, ...] = ()
    kept: tuple[Files, ...] = ()
    mode: Mode | None = None
    referee: ExternalReferee | None = None
    keeps_engines: bool = False
    told: str = ""
    start: dict[str, Any] | None = None
    first: int = 0
    asks_where: bool = False


class MatchReport(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of an order: a replay and values from it, or an error.

    `replay` is encoded and compressed, or what another program told of the match (`executors/refereed.py`);
    it is empty if there is an `error`: a sentence for the operator, or a traceback for a defect of Dohyo. The error
    stands for a number of `attempts`. It says nothing about the match if the operator has to `mend` something (a bot
    that is gone, a full disk), or if every attempt was `disturbed` (see `Replay`); `again` is how often the match was
    played again after such an attempt. `places`, `scores` (in a game with scores), `faults` (kinds in order; empty if
    nobody had any) and `longest` (seconds of the longest turn; none for a bot that was never asked) are by seat.
    `turns` turns were played in `seconds`, with starting and ending the programs, by `worker`.
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
    again: int = 0


class TaskRequest(msgspec.Struct, frozen=True):
    """A chunk of orders. The bots in them are those of the contest's machine, and cannot be used on another one.

    `archives` says, for a bot's digest, which archive (SHA-256 of its bytes) its author handed in. `python` is the
    interpreter for bots in Python. `token` is the same for all chunks that are given up together. `games` has the
    digest of each game that is not part of Dohyo, by its name.
    """

    token: str
    orders: list[MatchOrder]
    archives: dict[str, str]
    python: str | None = None
    games: dict[str, str] = {}


class TaskReply(msgspec.Struct, frozen=True):
    """What `worker` answers to a request: a report for each order, or the missing archives that it needs first."""

    worker: str
    reports: list[MatchReport]
    lacking: list[str] = []


class MessageChannel:
    """One end of a pair of sockets between the pool and a worker. A message is its length, then MessagePack.

    At the pool's end neither reading nor writing blocks; at the worker's end both do.

    `wanted` is the type of the messages that come.
    """

    def __init__(self, end: socket.socket, wanted: Any) -> None:
        self.socket = end
        self.open = True
        self.heard = True  # whether the other end still takes what is sent
        self._in = bytearray()
        self._out = bytearray()
        self._encoder = msgspec.msgpack.Encoder()
        self._decoder = msgspec.msgpack.Decoder(wanted)

    @property
    def has_unsent(self) -> bool:
        """Whether something waits until the other end reads."""
        return bool(self._out)

    def send(self, message: object = None) -> None:
        """Send a message, as much of it as the socket takes now; without one, the rest of earlier messages."""
        if message is not None:
            content = self._encoder.encode(message)
            self._out += LENGTH.pack(len(content)) + content
        try:
            while self._out:
                del self._out[: self.socket.send(self._out)]
        except BlockingIOError:
            return
        except OSError:  # the other end is gone; what it sent before that can still be read
            self.heard = False
            self._out.clear()

    def receive(self) -> list[Any]:
        """The messages that have arrived; none, and no longer `open`, once the other end is gone."""
        try:
            content = self.socket.recv(AT_ONCE)
        except BlockingIOError:
            return []
        except OSError:
            content = b""
        if not content:
            self.open = False
        self._in += content
        return list(self._complete())

    def _complete(self) -> list[Any]:
        found: list[Any] = []
        start = 0
        while len(self._in) - start >= LENGTH.size:
            (length,) = LENGTH.unpack_from(self._in, start)
            end = start + LENGTH.size + length
            if len(self._in) < end:
                break
            found.append(self._decoder.decode(memoryview(self._in)[start + LENGTH.size : end].tobytes()))
            start = end
        del self._in[:start]
        return found

    def close(self) -> None:
        """Close this end."""
        self.open = False
        self.socket.close()


class Executor(Protocol):
    """Plays matches. It is a context manager: when that ends, nothing is left running."""

    @property
    def workers(self) -> int:
        """Matches at once."""

    def play(self, orders: Iterable[MatchOrder]) -> Iterator[MatchReport]:
        """Play all orders; yields their reports, each once, as they come. Orders are taken as they are needed.

        If the iterator is closed early, or an exception passes through it (such as `KeyboardInterrupt`), running
        matches are given up, and no program is left running.
        """

    def close(self) -> None:
        """End whatever runs."""

    def __enter__(self) -> Executor: ...

    def __exit__(self, *_: object) -> None: ...
