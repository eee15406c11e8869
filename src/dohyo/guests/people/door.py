"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Guest, PlayerKind

GUEST = Guest(players={"me": PlayerKind("dohyo.guests.people.kind:ME", desk="dohyo.guests.people.terminal:desk")})
