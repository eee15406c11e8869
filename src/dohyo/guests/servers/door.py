"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Guest, PlayerKind

SERVER = PlayerKind("dohyo.guests.servers.kind:SERVER")
GUEST = Guest(players={"http": SERVER, "https": SERVER})
