"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Guest, PlayerKind

CHECK = "dohyo.guests.engines.options:check_handshake"
GUEST = Guest(
    players={
        "uci": PlayerKind("dohyo.guests.engines.kind:UCI", is_program=True, check=CHECK),
        "xboard": PlayerKind("dohyo.guests.engines.kind:XBOARD", is_program=True, check=CHECK),
    }
)
