"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Command, Guest

GUEST = Guest(
    commands={
        "laws": Command(
            "Hold a game to every law that games keep.",
            "dohyo.guests.laws.command:app",
            group="games",
            place=1,
        )
    }
)
