"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Guest

GUEST = Guest(languages={"haskell": "dohyo.guests.haskell.row:HASKELL"})
