"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Command, Guest

GUEST = Guest(
    commands={
        "new": Command(
            "Make a bot, or a game, to begin from: it plays at once.",
            "dohyo.guests.starters.command:app",
            group="start",
            place=3,
        )
    }
)
