"""What servers are sent in a match, and the same again from its replay. No input or output."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from dohyo.core.clock import Clock
from dohyo.core.http_messages import HttpMatch, HttpProtocol, Kind
from dohyo.core.seeds import derived

PROTOCOL = "http"
METHOD = "POST"
LANGUAGE = "HTTP"  # of a server's seat, in a replay


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


def request(protocol: HttpProtocol, kind: Kind, state: Any, seat: int, match: HttpMatch) -> tuple[str, bytes]:
    """The path below the server's address, and the bytes that are sent there."""
    path, body = protocol.message(kind, state, seat, match)
    return path, msgspec.json.encode(body)
