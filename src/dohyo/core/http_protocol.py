"""How a game is played over HTTP: what a server is sent, and how its answer is read. No input or output.

The runner makes these messages in a match, and `sent.py` the same ones again from a replay.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

import msgspec

from dohyo.core.clock import Clock
from dohyo.core.seeds import derived

PROTOCOL = "http"
METHOD = "POST"
LANGUAGE = "HTTP"  # of a server's seat, in a replay
LONGEST_SHOUT = 256  # characters that the others are told
Kind = Literal["start", "move", "end"]


class HttpMatch(msgspec.Struct):
    """What messages tell of a match beside its state. `timeout` is a turn's limit in milliseconds.

    `latencies` (milliseconds as text; 0 before the first turn, `timeout` where no answer came) and `shouts` are those
    of each seat's last turn.
    """

    id: str
    names: list[str]
    setup: Mapping[str, Any]
    timeout: int
    latencies: list[str]
    shouts: list[str]

    def note(self, seat: int, seconds: float | None, shout: str) -> None:
        """Take a turn of a server: how long its answer took, none where none came, and what it said besides."""
        self.latencies[seat] = str(self.timeout if seconds is None else int(seconds * 1000))
        self.shouts[seat] = shout[:LONGEST_SHOUT]


def new_match(game: str, seed: int, setup: Mapping[str, Any], clock: Clock, seats: int) -> HttpMatch:
    """What messages tell before the first turn. Nobody is called by a name, so that nobody plays by names."""
    return HttpMatch(
        id=f"{game}-{derived(seed, 'http'):016x}",
        names=[f"player {seat}" for seat in range(seats)],
        setup=setup,
        timeout=int(clock.share(False) * 1000),
        latencies=["0"] * seats,
        shouts=[""] * seats,
    )


class HttpAnswer(msgspec.Struct, frozen=True):
    """What a server has answered: the text of its action, and what it says besides to everybody."""

    action: str
    shout: str = ""


class HttpProtocol(Protocol):
    """The messages of one game."""

    def message(self, kind: Kind, state: Any, seat: int, match: HttpMatch) -> tuple[str, Any]:
        """The path below the server's address, and what is sent there as JSON."""

    def answer(self, body: Any) -> HttpAnswer | None:
        """What an answer to a `move` says, from its JSON; none for what is no answer."""


def request(protocol: HttpProtocol, kind: Kind, state: Any, seat: int, match: HttpMatch) -> tuple[str, bytes]:
    """The path below the server's address, and the bytes that are sent there."""
    path, body = protocol.message(kind, state, seat, match)
    return path, msgspec.json.encode(body)
