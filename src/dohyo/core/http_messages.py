"""What a game and whoever plays it over HTTP say to each other: values, and no input or output.

The game makes the messages of its own (`HttpProtocol`). They are sent, and made again from a replay, elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

import msgspec

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
