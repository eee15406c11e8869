"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Command, Guest, PlayerKind

GUEST = Guest(
    commands={
        "serve": Command(
            "Run a contest site: bots are handed in, and climb a ladder.",
            "dohyo.guests.site.command:app",
            group="site",
            place=6,
        ),
        "site": Command(
            "Copy a contest site into a file, and make it of one.",
            "dohyo.guests.site.upkeep.command:app",
            group="site",
            place=7,
        ),
    },
    players={"distant": PlayerKind("dohyo.guests.site.distant.kind:DISTANT")},
)
