"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Command, Guest, PlayerKind

GUEST = Guest(
    commands={
        "serve": Command(
            "Run a contest site: people hand in bots in a browser, and climb a ladder.",
            "dohyo.guests.site.command:app",
        ),
        "site": Command(
            "Look after a contest site: copy it into a file, and make it of one.",
            "dohyo.guests.site.upkeep.command:app",
        ),
    },
    players={"distant": PlayerKind("dohyo.guests.site.distant.kind:DISTANT")},
)
