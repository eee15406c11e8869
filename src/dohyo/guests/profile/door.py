"""What this guest brings."""

from __future__ import annotations

from dohyo.doors import Command, Guest

GUEST = Guest(
    commands={
        "profile": Command(
            "Measure a bot's turns: time, processor, memory, the slowest ones.",
            "dohyo.guests.profile.command:app",
            group="improve",
            place=6,
        )
    }
)
