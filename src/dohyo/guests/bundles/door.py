"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Export, Guest

GUEST = Guest(
    exports={
        "bundle": Export(
            write="dohyo.guests.bundles.command:write",
            is_one="dohyo.guests.bundles.command:is_one",
            verify="dohyo.guests.bundles.command:verify",
        )
    }
)
