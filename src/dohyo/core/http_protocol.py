"""How a game is played over HTTP: what a server is sent, and how its answer is read. No input or output."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

import msgspec

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
